"""Pool rummy: its options, its game and its money."""

from scoring.rules.variants.indian.pool.variant import Pool

GAME = Pool()
