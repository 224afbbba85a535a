"""Django looks here for what the back office shows: each of these modules registers its own."""

from tournaments.web.admin.books import journal, money_pages
from tournaments.web.admin.register import clubs, log_admin, logins, players, tables, tournaments
from tournaments.web.admin.seasons import seasons

__all__ = [
    "clubs",
    "journal",
    "log_admin",
    "logins",
    "money_pages",
    "players",
    "seasons",
    "tables",
    "tournaments",
]
