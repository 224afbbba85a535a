"""The Western games: what they share, and a room for each."""
