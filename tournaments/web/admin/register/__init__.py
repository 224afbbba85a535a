"""Models listed and edited in Django's admin: clubs, players, tournaments, tables, seasons, logins, journal, log."""
