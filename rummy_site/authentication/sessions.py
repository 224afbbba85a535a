"""Sessions in the database, which no page that is only read waits for."""

from django.contrib.sessions import middleware
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.http import HttpRequest, HttpResponse

from rummy_site.middleware.lock_waits import SAFE_METHODS
from tournaments.transient_errors import is_outage, left_out_if_locked


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
        if request.method not in SAFE_METHODS or not request.session.modified:
            return super().process_response(request, response)
        with left_out_if_locked():
            super().process_response(request, response)
        return response
