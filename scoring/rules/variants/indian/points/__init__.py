"""Points rummy: its options, its game and its money."""

from scoring.rules.variants.indian.points.variant import Points

GAME = Points()
