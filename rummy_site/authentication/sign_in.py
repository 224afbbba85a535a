"""Signing in with a password: who tries too often is refused before a hash is made, and each failure is a log line.

Rules: docs/decisions/0031-failed-log-ins.md; the counting is done by `tournaments.people.access`. Knows no password.
"""

import math
import secrets
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.core import signing
from django.core.exceptions import PermissionDenied, ValidationError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.utils.timezone import now
from django.utils.translation import gettext, ngettext

from tournaments.client_addresses import client_network
from tournaments.people import access
from tournaments.people.access import Attempt, Verdict

KNOWN_DEVICE = "known_device"
KNOWN_FOR = timedelta(days=180)
DEVICE_BYTES = 16
MINUTE = timedelta(minutes=1)
logger = structlog.get_logger(__name__)


class FailuresCount:
    """The first of Django's authentication backends: signs nobody in, and keeps out who tries too often."""

    def authenticate(self, request: HttpRequest | None, username: str | None = None, **credentials: Any) -> None:
        """Raises PermissionDenied, which ends the search for a backend, for an attempt that is not to be looked at."""
        if request is None or username is None:
            return
        attempt = attempt_of(request, username)
        verdict = access.begin(attempt, now=now())
        request.sign_in = (attempt, verdict)  # type: ignore[attr-defined]
        if not verdict.is_admitted:
            raise PermissionDenied


class SignInForm(AdminAuthenticationForm):
    """The admin's log-in form, which says how long to wait."""

    def get_invalid_login_error(self) -> ValidationError:
        """Wrong, or not even looked at. Which of the two a right password would have met is not told."""
        pause = pause_of(self.request)
        return ValidationError(wait_text(pause), code="throttled") if pause else super().get_invalid_login_error()


class OwnPasswordForm(AdminPasswordChangeForm):
    """A new password of one's own: whoever finds a session open guesses the old one no more often than at the door."""

    def __init__(self, *args: Any, request: HttpRequest, **words: Any) -> None:
        super().__init__(*args, **words)
        self.request = request

    def clean_old_password(self) -> str:
        """Counted first, then looked at."""
        attempt = attempt_of(self.request, self.user.get_username())
        verdict = access.begin(attempt, now=now())
        self.request.sign_in = (attempt, verdict)  # type: ignore[attr-defined]
        if not verdict.is_admitted:
            raise ValidationError(wait_text(verdict.pause), code="throttled")
        try:
            old: str = super().clean_old_password()
        except ValidationError:
            _log_failure(self.user.get_username(), attempt, verdict)
            raise
        access.succeed(attempt, now=now())
        del self.request.sign_in  # type: ignore[attr-defined]
        return old


def attempt_of(request: HttpRequest, name: str) -> Attempt:
    """Who tries from where. A device on which this name has signed in before is a place of its own.

    Else anybody in the hall, whose phones share one address, could lock the director out of their own laptop.
    """
    subject = access.digest_of_name(name)
    device = _known_device(request, subject)
    place = f"device:{device}" if device else client_network(request)
    return Attempt(kind=access.LOGIN, subject=subject, place=place, counts_for_place=device is None)


def pause_of(request: HttpRequest | None) -> timedelta:
    """How long the one who just failed, or was refused, must wait before anybody looks at a password again."""
    noted: tuple[Attempt, Verdict] | None = getattr(request, "sign_in", None)
    return max(noted[1].pause, timedelta(0)) if noted else timedelta(0)


def wait_text(pause: timedelta) -> str:
    """What to tell somebody who must wait."""
    if pause > MINUTE:
        number = math.ceil(pause / MINUTE)
        said = ngettext(
            "Too many wrong passwords. Try again in {number} minute.",
            "Too many wrong passwords. Try again in {number} minutes.",
            number,
        )
    else:
        number = max(1, math.ceil(pause.total_seconds()))
        said = ngettext(
            "Too many wrong passwords. Try again in {number} second.",
            "Too many wrong passwords. Try again in {number} seconds.",
            number,
        )
    return said.format(number=number)


def answer_of_form(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The form's page as it leaves: 429 where it must wait, and a device to be known by where somebody came in."""
    pause = pause_of(request)
    if pause and response.status_code == 200:
        response.status_code = 429
        response.headers["Retry-After"] = str(max(1, math.ceil(pause.total_seconds())))
    if request.method == "POST" and response.status_code == 302 and request.user.is_authenticated:
        _remember_device(request, response)
    return response


@receiver(user_logged_in)
def give_back(request: HttpRequest | None, **_: Any) -> None:
    """The password was right."""
    if noted := getattr(request, "sign_in", None):
        access.succeed(noted[0], now=now())
        del request.sign_in  # type: ignore[union-attr]


@receiver(user_login_failed)
def write_down(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """A line for each attempt that was looked at. A name that is nobody's may be a password: it is left out."""
    attempt, verdict = getattr(request, "sign_in", (None, None))
    if attempt is None or verdict is None or not verdict.is_admitted:
        return
    _log_failure(str(credentials.get("username", "")), attempt, verdict)


def _log_failure(name: str, attempt: Attempt, verdict: Verdict) -> None:
    is_known = get_user_model().objects.filter(username=name).exists()
    logger.warning(
        "log-in failed",
        name=name if is_known else "(no such log-in)",
        place=attempt.place,
        waits_seconds=math.ceil(max(verdict.pause, timedelta(0)).total_seconds()),
    )


def _known_device(request: HttpRequest, subject: str) -> str | None:
    try:
        text = request.get_signed_cookie(KNOWN_DEVICE, salt=KNOWN_DEVICE, max_age=KNOWN_FOR) or ""
    except (KeyError, signing.BadSignature):
        return None
    whose, _, device = text.partition(":")
    return device if whose == subject else None


def _remember_device(request: HttpRequest, response: HttpResponseBase) -> None:
    subject = access.digest_of_name(request.user.get_username())
    device = _known_device(request, subject) or secrets.token_urlsafe(DEVICE_BYTES)
    response.set_signed_cookie(
        KNOWN_DEVICE,
        f"{subject}:{device}",
        salt=KNOWN_DEVICE,
        max_age=KNOWN_FOR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


class ClubHasher(Argon2PasswordHasher):
    """Argon2id, so dear that a stolen database is hard to guess at, and a wrong password cheap enough to bear.

    32 MiB and three passes on one processor: Django's own 100 MiB on eight took more than 200 ms of processor time,
    and four threads at once more memory than a small machine has.
    """

    time_cost = 3
    memory_cost = 32_768
    parallelism = 1


class TokensEnd:
    """Refuses no password. Django tells its validators of each one that was changed, through whichever door.

    A hash that is only made anew at a log-in is no change, and Django does not tell of it.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Any password will do."""

    def get_help_text(self) -> str:
        """What else a new password does."""
        return gettext("If your club says so, your device links end with your old password.")

    def password_changed(self, password: str, user: Any = None) -> None:
        """Take back what the user issued to devices."""
        from tournaments.people.access import revoke_with_password  # noqa: PLC0415 (settings name this module)

        if user is not None and user.pk:
            revoke_with_password(user.pk, now=now())
