"""Basic rum: its options, the houses that players know, and the game."""

from scoring.rules.variants.western.rum.variant import Rum

GAME = Rum()
