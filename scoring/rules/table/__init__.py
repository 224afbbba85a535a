"""A table of any game: its variant, its deals in order, its seats, and what may be recorded."""
