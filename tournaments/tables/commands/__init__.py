"""Commands that change a table."""
