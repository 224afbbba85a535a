"""Sessions in the database: pages that are only read never wait for them, and they last on while they are used.

Django's own `SESSION_SAVE_EVERY_REQUEST` writes on every page view, and waits where the database is locked. Here the
end of a session is moved at most every ten minutes, by updating one row; where the database is busy, the next request
tries again.
"""

from collections.abc import Callable
from datetime import timedelta
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.crypto import salted_hmac
from django.utils.timezone import now

from rummy_site.middleware.lock_waits import SAFE_METHODS
from tournaments.transient_errors import is_outage, left_out_if_locked

RENEW_AFTER_SECONDS = 600
FOR_THOSE_SIGNED_IN = ("/admin/", "/api/")


class SessionStore(db.SessionStore):
    """Django's own (named in the settings), but an outage is not mistaken for a deleted session."""

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 (the base class says so)
        """Save the session. Raises the database's own error where that is why it could not be saved."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if error.__context__ is not None and is_outage(error.__context__):
                raise error.__context__ from None
            raise


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's own, but session data that a page changes in passing is dropped where the database is locked or full."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Save the session's current data."""
        if response.headers.get("Cache-Control", "").startswith("public") and not request.session.modified:
            # Signed-in users see other content in places; such an answer is for them alone, and its headers say so.
            return response
        if request.method not in SAFE_METHODS or not request.session.modified:
            return super().process_response(request, response)
        with left_out_if_locked():
            super().process_response(request, response)
        return response


class RenewalMiddleware:
    """Moves the end of a session that was just used; has a browser remembered by which somebody has just signed in.

    Placed inside Django's own session middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer first, then renew the session."""
        answer = self.get_response(request)
        if answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
            # Where the database is away the session could not be read: it would be waited for once more.
            return answer
        session = request.session
        if getattr(request, "has_signed_in", False) and request.user.is_authenticated:
            from rummy_site.authentication.sign_in import remember_device  # noqa: PLC0415 (few requests sign in)

            remember_device(request, answer)
        # Public pages are shared by caches, and must not carry anyone's cookie. An answer that read the session says
        # so.
        if not (request.path.startswith(FOR_THOSE_SIGNED_IN) and session.accessed and not session.modified):
            return answer
        key = session.session_key
        if key and SESSION_KEY in session and _renewed(key):
            _set_cookie(answer, key)
        return answer


def end_other_sessions(request: HttpRequest) -> int:
    """Sign the user out on all other devices. Returns how many sessions ended."""
    sessions = SessionStore.get_model_class().objects.filter(expire_date__gt=now())
    others = sessions.exclude(session_key=request.session.session_key)
    user = str(request.user.pk)
    keys = [row.session_key for row in others.iterator() if row.get_decoded().get(SESSION_KEY) == user]
    sessions.filter(session_key__in=keys).delete()
    return len(keys)


def note_sign_in(*, request: HttpRequest, **about: object) -> None:
    """Note that a session that has just begun needs no renewal yet, and that its device is known from now on."""
    request.has_signed_in = True  # type: ignore[attr-defined]
    cache.add(_name(str(request.session.session_key)), 1, timeout=RENEW_AFTER_SECONDS)


def _name(key: str) -> str:
    # A digest: the key itself signs in, and who can read the cache must not be able to.
    return f"session-renewed:{salted_hmac('rummy_site.session_renewed', key).hexdigest()}"


def _renewed(key: str) -> bool:
    """Whether the session's end was moved just now."""
    name = _name(key)
    if not cache.add(name, 1, timeout=RENEW_AFTER_SECONDS):
        return False
    moved, end = 0, now() + timedelta(seconds=settings.SESSION_COOKIE_AGE)
    with left_out_if_locked():
        moved = SessionStore.get_model_class().objects.filter(session_key=key).update(expire_date=end)
    if not moved:
        cache.delete(name)
    return bool(moved)


def _set_cookie(answer: HttpResponseBase, key: str) -> None:
    """Set the cookie as Django's session middleware does."""
    answer.set_cookie(
        settings.SESSION_COOKIE_NAME,
        key,
        max_age=settings.SESSION_COOKIE_AGE,
        domain=settings.SESSION_COOKIE_DOMAIN,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=settings.SESSION_COOKIE_HTTPONLY,
        samesite=settings.SESSION_COOKIE_SAMESITE,
    )
