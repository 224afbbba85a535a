"""A table of a tournament: opening it, recording its deals, reading its sheet and its history."""
