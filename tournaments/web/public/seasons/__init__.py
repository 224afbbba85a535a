"""Pages of seasons and ratings."""
