"""Django looks here for what the back office shows: each of these modules registers its own."""

from tournaments.web.admin.register import clubs, journal, log_admin, logins, players, seasons, tournaments  # noqa: F401
