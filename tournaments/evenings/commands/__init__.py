"""Commands that change an evening."""
