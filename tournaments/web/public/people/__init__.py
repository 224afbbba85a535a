"""Pages of clubs and players."""
