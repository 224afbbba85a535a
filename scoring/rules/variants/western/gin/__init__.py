"""Gin rummy: options, game, score sheets and simulated deals."""

from scoring.rules.variants.western.gin.variant import Gin

GAME = Gin()
