"""Commands that change a tournament."""
