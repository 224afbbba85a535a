"""Romme: options and game."""

from scoring.rules.variants.western.romme.variant import Romme

GAME = Romme()
