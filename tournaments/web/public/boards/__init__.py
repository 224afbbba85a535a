"""The leaderboard of a tournament, now and in the past, its explanations and prizes."""
