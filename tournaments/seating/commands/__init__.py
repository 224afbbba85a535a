"""Commands that change a seating."""
