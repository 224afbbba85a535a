"""Pages of clubs, their players, seasons and ratings."""
