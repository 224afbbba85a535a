"""Django looks here for what the back office shows: `tournaments.web.admin` says it."""

from tournaments.web import admin

__all__ = ["admin"]
