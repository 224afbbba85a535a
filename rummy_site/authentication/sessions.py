"""Sessions in the database, which no page that is only read waits for, and which last on while they are used.

Django's own `SESSION_SAVE_EVERY_REQUEST` writes at every look at a page, and waits where the database is locked. Here
the end of a session is moved at most every ten minutes: one row is updated, by each process at most once in a while; a
busy database is asked again at the next request.
"""

from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.timezone import now

from rummy_site.middleware.lock_waits import SAFE_METHODS
from tournaments.transient_errors import is_outage, left_out_if_locked

RENEW_AFTER_SECONDS = 600
FOR_THOSE_SIGNED_IN = ("/admin/", "/api/")


class SessionStore(db.SessionStore):
    """Django's own (settings name this module), but that an outage is not taken for a session that was deleted."""

    def save(self, must_create: bool = False) -> None:  # noqa: FBT001, FBT002 (the base class says so)
        """Keep the session. Raises the database's own error where that is why it could not be kept."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if error.__context__ is not None and is_outage(error.__context__):
                raise error.__context__ from None
            raise


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's own, but that what a page remembers by the way is left out where the database is locked or full."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        """Keep what the session holds now."""
        if response.headers.get("Cache-Control", "").startswith("public") and not request.session.modified:
            # Who has signed in is shown something else in places; that is for them alone, and says so.
            return response
        if request.method not in SAFE_METHODS or not request.session.modified:
            return super().process_response(request, response)
        with left_out_if_locked():
            super().process_response(request, response)
        return response


class RenewalMiddleware:
    """Moves the end of a session that was just used. Stands inside of Django's own session middleware."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer first."""
        answer = self.get_response(request)
        session = request.session
        # Public pages are shared by caches, and must not carry anybody's cookie. Who reads a session says so.
        if not (request.path.startswith(FOR_THOSE_SIGNED_IN) and session.accessed and not session.modified):
            return answer
        key = session.session_key
        if key and SESSION_KEY in session and _renewed(key):
            _set_cookie(answer, key)
        return answer


def note_sign_in(*, request: HttpRequest, **about: object) -> None:
    """A session that begins has its whole time before it."""
    cache.add(_name(str(request.session.session_key)), 1, timeout=RENEW_AFTER_SECONDS)


def _name(key: str) -> str:
    return f"session-renewed:{key}"


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
    """As Django's session middleware writes it."""
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
