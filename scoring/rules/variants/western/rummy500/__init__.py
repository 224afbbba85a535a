"""Rummy 500: options and game."""

from scoring.rules.variants.western.rummy500.variant import Rummy500

GAME = Rummy500()
