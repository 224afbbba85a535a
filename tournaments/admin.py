"""Django looks here for what the back office shows: each of these modules registers its own."""

from tournaments.web.admin.books import books, journal
from tournaments.web.admin.register import clubs, evidence, logins, players, tables, tournaments
from tournaments.web.admin.seasons import seasons

__all__ = ["books", "clubs", "evidence", "journal", "logins", "players", "seasons", "tables", "tournaments"]
