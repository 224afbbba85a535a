"""Signing in with a password: refused before hashing after too many attempts; each failure is a log line.

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
    """The first of Django's authentication backends: signs no one in, and refuses users after too many attempts."""

    def authenticate(self, request: HttpRequest | None, username: str | None = None, **credentials: Any) -> None:
        """Raises PermissionDenied, which ends the search for a backend, for an attempt that must not be checked."""
        if request is None or username is None:
            return
        attempt = attempt_of(request, username)
        verdict = access.begin(attempt, now=now())
        request.sign_in = (attempt, verdict)  # type: ignore[attr-defined]
        if not verdict.is_admitted:
            raise PermissionDenied


class SignInForm(AdminAuthenticationForm):
    """The admin's log-in form, with the time to wait after too many failures."""

    def get_invalid_login_error(self) -> ValidationError:
        """Wrong, or not checked at all. Which of the two a right password would have met is not revealed."""
        pause = pause_of(self.request)
        return ValidationError(wait_text(pause), code="throttled") if pause else super().get_invalid_login_error()


class OwnPasswordForm(AdminPasswordChangeForm):
    """A new password of one's own; attempts at the old one are limited as at sign-in, also in a session left open."""

    def __init__(self, *args: Any, request: HttpRequest, **words: Any) -> None:
        super().__init__(*args, **words)
        self.request = request

    def clean_old_password(self) -> str:
        """Count the attempt first, then check the password."""
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
    """The user name and origin of an attempt. A device on which this name has signed in before is an origin of its own.

    Otherwise anyone in the hall, where all phones share one address, could lock the director out of their own laptop.
    """
    subject = access.digest_of_name(name)
    device = _known_device(request, subject)
    place = f"device:{device}" if device else client_network(request)
    return Attempt(kind=access.LOGIN, subject=subject, place=place, counts_for_place=device is None)


def pause_of(request: HttpRequest | None) -> timedelta:
    """How long the user must wait, after a failure or refusal, before a password is checked again."""
    noted: tuple[Attempt, Verdict] | None = getattr(request, "sign_in", None)
    return max(noted[1].pause, timedelta(0)) if noted else timedelta(0)


def wait_text(pause: timedelta) -> str:
    """The message for a user who must wait."""
    if pause > MINUTE:
        number = math.ceil(pause / MINUTE)
        text = ngettext(
            "Too many wrong passwords. Try again in {number} minute.",
            "Too many wrong passwords. Try again in {number} minutes.",
            number,
        )
    else:
        number = max(1, math.ceil(pause.total_seconds()))
        text = ngettext(
            "Too many wrong passwords. Try again in {number} second.",
            "Too many wrong passwords. Try again in {number} seconds.",
            number,
        )
    return text.format(number=number)


def answer_of_form(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The response for the form: 429 where the user must wait, and a device cookie after a sign-in."""
    pause = pause_of(request)
    if pause and response.status_code == 200:
        response.status_code = 429
        response.headers["Retry-After"] = str(max(1, math.ceil(pause.total_seconds())))
    if request.method == "POST" and response.status_code == 302 and request.user.is_authenticated:
        _remember_device(request, response)
    return response


@receiver(user_logged_in)
def give_back(request: HttpRequest | None, **_: Any) -> None:
    """Take back a counted failure: the password was right."""
    if noted := getattr(request, "sign_in", None):
        access.succeed(noted[0], now=now())
        del request.sign_in  # type: ignore[union-attr]


@receiver(user_login_failed)
def write_down(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Log each attempt that was checked. An unknown user name may be a password typed by mistake: it is not logged."""
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
    """Argon2id: costly enough that a stolen database is hard to crack, and cheap enough for wrong passwords.

    32 MiB and three passes on one processor: Django's own 100 MiB on eight took more than 200 ms of processor time, and
    with four threads at once more memory than a small machine has.
    """

    time_cost = 3
    memory_cost = 32_768
    parallelism = 1


class TokensEnd:
    """Refuses no password: Django notifies its validators of each changed password, wherever it was changed.

    When a hash is only renewed at a log-in, the password has not changed, and Django does not notify them.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Accept any password."""

    def get_help_text(self) -> str:
        """Help text: what else a new password does."""
        return gettext("If your club says so, your device links end with your old password.")

    def password_changed(self, password: str, user: Any = None) -> None:
        """Revoke the device links that the user issued."""
        from tournaments.people.access import revoke_with_password  # noqa: PLC0415 (settings name this module)

        if user is not None and user.pk:
            revoke_with_password(user.pk, now=now())
