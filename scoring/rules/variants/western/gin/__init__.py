"""Gin rummy: options, game, score sheets and simulated deals."""
