"""Signing in: refused before anything is checked after too many attempts; each failure is a log line.

Rules: docs/decisions/0080-signing-in.md; the counting is done by `tournaments.people.access`. Knows no password.
"""

import math
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from http import HTTPStatus
from typing import Any

import structlog
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm, AdminPasswordChangeForm
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.core import signing
from django.core.exceptions import PermissionDenied, ValidationError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponseBase
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, ngettext

from tournaments.client_addresses import client_network
from tournaments.people import access
from tournaments.people.access import Attempt, Verdict

KNOWN_DEVICE = "known_device"
KNOWN_FOR = timedelta(days=180)
DEVICE_BYTES = 16
MINUTE = timedelta(minutes=1)
# An address that more logins share tells nobody who is meant.
MOST_LOGINS = 5
logger = structlog.get_logger(__name__)


class SignIn(ModelBackend):
    """Signs in by login name or e-mail address. An attempt is counted first; one too many is not hashed."""

    def authenticate(
        self, request: HttpRequest | None, username: str | None = None, password: str | None = None, **credentials: Any
    ) -> User | None:
        """The user; None without a request to count. Raises PermissionDenied, so that no other backend is asked."""
        if request is None or username is None or password is None:
            return None
        attempt = attempt_of(request, username)
        verdict = access.begin(attempt, now=now())
        request.sign_in = (attempt, verdict)  # type: ignore[attr-defined]
        if not verdict.is_admitted:
            raise PermissionDenied
        user: User | None = super().authenticate(request, username=_login_name(username), password=password)
        if user is None:
            raise PermissionDenied
        access.succeed(attempt, now=now())
        del request.sign_in  # type: ignore[attr-defined]
        return user


class SignInForm(AdminAuthenticationForm):
    """The admin's sign-in form, with the time to wait after too many failures."""

    def __init__(self, *args: Any, **words: Any) -> None:
        super().__init__(*args, **words)
        self.fields["username"].label = gettext_lazy("Login name or e-mail address")

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
        admit(self.request, [attempt])
        try:
            old: str = super().clean_old_password()
        except ValidationError:
            log_failure(self.request, self.user.get_username())
            raise
        succeeded(self.request, [attempt])
        return old


def logins_with(email: str) -> list[User]:
    """The logins of the back office with this e-mail address, in any capitals, that may sign in."""
    # A database compares capitals by its own rules: PostgreSQL finds `i` for `ı`, which is somebody else's mailbox.
    rows = User.objects.filter(email__iexact=email, is_active=True, is_staff=True).exclude(email="")
    meant = access.plain_name(email)
    return [row for row in rows if access.plain_name(row.email) == meant][:MOST_LOGINS]


def _login_name(typed: str) -> str:
    """The login name that was typed, or that of the one login with the e-mail address that was typed."""
    if "@" not in typed or User.objects.filter(username=typed).exists():
        return typed
    logins = logins_with(typed)
    return logins[0].username if len(logins) == 1 else typed


def attempt_of(request: HttpRequest, name: str) -> Attempt:
    """The user name and origin of an attempt. A device on which this name has signed in before is an origin of its own.

    Otherwise anyone in the hall, where all phones share one address, could lock the director out of their own laptop.
    """
    device = _known_device(request, _login_name(name))
    place = f"device:{device}" if device else client_network(request)
    subject = access.digest_of_name(name)
    return Attempt(kind=access.LOGIN, subject=subject, place=place, counts_for_place=device is None)


def code_attempts(request: HttpRequest, user: User) -> list[Attempt]:
    """What a code of the second factor is counted as: the login from this place, and from all unknown devices together.

    Only somebody with the right password gets so far. Six digits would be found from many addresses at five tries
    each, so that all of them together are slowed down, but never locked; a known device is not slowed down by others.
    """
    attempt = attempt_of(request, user.get_username())
    own = replace(attempt, kind=access.FACTOR, counts_for_place=False)
    if not attempt.counts_for_place:
        return [own]
    return [own, Attempt(kind=access.FACTOR, subject=access.ANY_NAME, place=access.place_of_login(user.pk))]


def reset_attempts(request: HttpRequest, email: str) -> list[Attempt]:
    """What a request for a new password by mail is counted as: nobody's mailbox is filled, whoever asks."""
    subject = access.digest_of_name(email)
    return [
        Attempt(kind=access.RESET, subject=subject, place="", counts_for_place=False),
        Attempt(kind=access.RESET, subject=access.ANY_NAME, place=_place_of(request)),
    ]


def passkey_attempt(request: HttpRequest) -> Attempt:
    """What asking to sign in with a passkey is counted as: nobody guesses a signature, but each question is stored."""
    return Attempt(kind=access.PASSKEY, subject=access.ANY_NAME, place=_place_of(request))


def admit(request: HttpRequest, attempts: Sequence[Attempt]) -> None:
    """Count attempts as failed before they are checked. Raises ValidationError with the time to wait."""
    verdict = access.begin(*attempts, now=now())
    request.sign_in = (attempts[0], verdict)  # type: ignore[attr-defined]
    if not verdict.is_admitted:
        raise ValidationError(wait_text(verdict.pause), code="throttled")


def succeeded(request: HttpRequest, attempts: Sequence[Attempt]) -> None:
    """Take back failures that were counted: what was sent was right."""
    for attempt in attempts:
        access.succeed(attempt, now=now())
    del request.sign_in  # type: ignore[attr-defined]


def pause_of(request: HttpRequest | None) -> timedelta:
    """How long the user must wait, after a failure or refusal, before a password is checked again."""
    noted: tuple[Attempt, Verdict] | None = getattr(request, "sign_in", None)
    return max(noted[1].pause, timedelta(0)) if noted else timedelta(0)


def wait_text(pause: timedelta) -> str:
    """The message for a user who must wait."""
    if pause > MINUTE:
        number = math.ceil(pause / MINUTE)
        text = ngettext(
            "Too many attempts. Try again in {number} minute.",
            "Too many attempts. Try again in {number} minutes.",
            number,
        )
    else:
        number = max(1, math.ceil(pause.total_seconds()))
        text = ngettext(
            "Too many attempts. Try again in {number} second.",
            "Too many attempts. Try again in {number} seconds.",
            number,
        )
    return text.format(number=number)


def answer_of_form(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """The response for the form: 429 where the user must wait."""
    pause = pause_of(request)
    if pause and response.status_code in (HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY):
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response.headers["Retry-After"] = str(max(1, math.ceil(pause.total_seconds())))
    return response


@receiver(user_login_failed)
def write_down(credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any) -> None:
    """Log each attempt that was checked. An unknown user name may be a password typed by mistake: it is not logged."""
    if request is not None and hasattr(request, "sign_in"):
        log_failure(request, str(credentials.get("username", "")))


def log_failure(request: HttpRequest, name: str) -> None:
    """Log an attempt that was checked and wrong. One that was refused unchecked is not logged."""
    attempt, verdict = request.sign_in  # type: ignore[attr-defined]
    if not verdict.is_admitted:
        return
    is_known = User.objects.filter(username=name).exists()
    logger.warning(
        "sign-in failed",
        name=name if is_known else "(no such login)",
        place=attempt.place,
        waits_seconds=math.ceil(max(verdict.pause, timedelta(0)).total_seconds()),
    )


def _known_device(request: HttpRequest, name: str) -> str | None:
    """The device that sent this, if this login name has signed in on it before."""
    whose, device = _device_of(request)
    return device if whose == access.digest_of_name(name) else None


def _device_of(request: HttpRequest) -> tuple[str, str | None]:
    """Whose device sent this, as the digest of a login name, and which one; empty and None where nobody's."""
    try:
        text = request.get_signed_cookie(KNOWN_DEVICE, salt=KNOWN_DEVICE, max_age=KNOWN_FOR) or ""
    except (KeyError, signing.BadSignature):
        return "", None
    whose, _, device = text.partition(":")
    return whose, device


def _place_of(request: HttpRequest) -> str:
    """Where a request comes from that names no login. A device on which anybody has signed in is a place of its own."""
    _, device = _device_of(request)
    return f"device:{device}" if device else client_network(request)


def remember_device(request: HttpRequest, response: HttpResponseBase) -> None:
    """Have the browser keep a cookie by which this device is known for the user who has just signed in."""
    name = request.user.get_username()
    device = _known_device(request, name) or secrets.token_urlsafe(DEVICE_BYTES)
    response.set_signed_cookie(
        KNOWN_DEVICE,
        f"{access.digest_of_name(name)}:{device}",
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

    When a hash is only renewed at a sign-in, the password has not changed, and Django does not notify them.
    """

    def validate(self, password: str, user: Any = None) -> None:
        """Accept any password."""

    def get_help_text(self) -> str:
        """Help text: what else a new password does."""
        return gettext("If your club says so, your device links end with your old password.")

    def password_changed(self, password: str, user: Any = None) -> None:
        """Revoke the device links that the user issued, and open links to a new password; let the user sign in."""
        if user is not None and user.pk:
            access.revoke_with_password(user.pk, now=now())
            access.revoke_password_links(user.pk, now=now())
            access.unlock_login(user, now=now())
