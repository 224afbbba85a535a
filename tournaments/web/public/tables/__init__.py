"""The score sheet of a table."""
