"""Django's SQLite, with ids kept as the sixteen bytes that they are: docs/decisions/0064-small-rows.md."""
