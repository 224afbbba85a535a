"""Imports the modules that register the back office's admin classes, where Django looks for them."""

from tournaments.web.admin.register import clubs, journal, log_admin, logins, players, seasons, tournaments  # noqa: F401
