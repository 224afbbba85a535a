"""Rummy Royal: options, board, game and score sheets."""

from scoring.rules.variants.western.rummy_royal.variant import RummyRoyal

GAME = RummyRoyal()
