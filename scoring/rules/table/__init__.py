"""A table of any game: what it is played by, its deals in order, who sits in, what may be entered."""
