"""What Django lists and edits: clubs, players, tournaments, tables, logins, evidence."""
