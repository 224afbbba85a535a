"""Who sits where: table sizes, the draw, seating by standing, checks of a draft, and an even room while it plays.

Rules: docs/how-to/seating.md. Pure: the same arguments always give the same answer, and chance comes in as a seed.
Knows nothing of the database, the web, the clock or money.

    wishes = Wishes(players=tuple(Player(key=name) for name in names), sizes=Sizes(allowed=(3, 4, 5)))
    night = draw_rounds(wishes, seed="K7QF-2M9X", rounds=7)
"""

from tournaments.draw.balance import Move, Proposal, RunningTable, break_up, is_balanced, move_one, proposals
from tournaments.draw.checking import Findings, check, check_rounds
from tournaments.draw.drawing import draw, draw_rounds, sitting_out
from tournaments.draw.plans import (
    Apart,
    FixedTable,
    Player,
    SeatedRound,
    SeatedTable,
    SeatingRejected,
    Sizes,
    Split,
    Wishes,
    meetings,
    move,
    repeated_meetings,
    round_of,
    sit_out,
    size_problems,
    swap,
    table_sizes,
)
from tournaments.draw.search import DrawnCard, high_card, lots, seed_as_read, seed_from
from tournaments.draw.standing import snake, top_together
from tournaments.draw.wishes import wishes_problems

__all__ = [
    "Apart",
    "DrawnCard",
    "Findings",
    "FixedTable",
    "Move",
    "Player",
    "Proposal",
    "RunningTable",
    "SeatedRound",
    "SeatedTable",
    "SeatingRejected",
    "Sizes",
    "Split",
    "Wishes",
    "break_up",
    "check",
    "check_rounds",
    "draw",
    "draw_rounds",
    "high_card",
    "is_balanced",
    "lots",
    "meetings",
    "move",
    "move_one",
    "proposals",
    "repeated_meetings",
    "round_of",
    "seed_as_read",
    "seed_from",
    "sit_out",
    "sitting_out",
    "size_problems",
    "snake",
    "swap",
    "table_sizes",
    "top_together",
    "wishes_problems",
]
