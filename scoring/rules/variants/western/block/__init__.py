"""Block rummy: its options, the houses that players know, and the game."""

from scoring.rules.variants.western.block.variant import Block

GAME = Block()
