"""Deals rummy: its options, its game and its money."""

from scoring.rules.variants.indian.deals.variant import Deals

GAME = Deals()
