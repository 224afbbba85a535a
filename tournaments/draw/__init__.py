"""Who sits where: table sizes, the draw, seating by standing, checks of a draft, and an even room while it plays.

Rules: docs/how-to/seating.md. Pure: the same arguments always give the same answer, and chance comes in as a seed.
Knows nothing of the database, the web, the clock or money.

    wishes = Wishes(players=tuple(Player(key=name) for name in names), sizes=Sizes(allowed=(3, 4, 5)))
    night = draw_rounds(wishes, seed="K7QF-2M9X", rounds=7)
"""
