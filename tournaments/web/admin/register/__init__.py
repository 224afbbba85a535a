"""What Django lists and edits: clubs, players, tournaments, tables, seasons, logins, journal, log."""
