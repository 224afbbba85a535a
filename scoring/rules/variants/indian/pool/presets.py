"""Pool rummy as houses print it.

Rules: docs/rules/pool.md, "Presets". A value that no page was found for is the usual one, and the note says so. Knows
nothing of play.
"""

from typing import Any

from scoring.rules.table.variant import Preset
from scoring.rules.variants.indian.presets import UNCHECKED_DROPS, USUAL_DROPS

LONG_POOL_DROPS = {"first_drop": 25, "middle_drop": 50}
HIGH_ENTRY_MINOR = 200_000


def _pool(limit: int, **more: Any) -> dict[str, Any]:
    """A limit with the prices that most rooms print for it."""
    return {"limit": limit, **(LONG_POOL_DROPS if limit == 201 else USUAL_DROPS), **more}


ONE_WINNER = {"max_rejoins": 0, "splits": "none", "eliminate_at": "reach_or_exceed"}
CIRCLE = {"split_pool_left": "one_entry", "eliminate_at": "reach_or_exceed"}
A23 = {"split_most_drop_difference": 2, "eliminate_at": "reach_or_exceed"}
FORYOURUMMY_POOL = "Rejoining and splits are not on its page, so there are none."
CIRCLE_POOL = f"Published: a split must leave one entry fee in the pot. {UNCHECKED_DROPS}"
A23_POOL = "Published: rejoin up to {0}. Three seats split only within two drops of each other (ace2three)."
JUNGLEE_POOL = (
    "Published: the pot is split at {0} or higher, one point earlier than elsewhere. "
    "Not set here: it also lets three split who sat down as three."
)

POOL = (
    Preset(name="pool_101", title="Pool 101", options={"limit": 101}),
    Preset(name="pool_201", title="Pool 201", options={"limit": 201}),
    Preset(
        name="pool_61",
        title="Pool 61",
        options={"limit": 61},
        note="Only Playship prints a pool of 61: drops 15 and 30, a full count 60, rejoin up to 44.",
    ),
    Preset(
        name="pool_51",
        title="Pool 51",
        options={"limit": 51},
        note="No published rule was found for 51: drops and counts follow the pattern of the other pools.",
    ),
    Preset(
        name="pool_101_no_rejoin",
        title="Pool 101, no rejoin",
        options={"limit": 101, "max_rejoins": 0},
        note="What A23 calls an NR game.",
    ),
    Preset(
        name="pool_201_tournament",
        title="Pool 201, one winner",
        options={"limit": 201, "splits": "none", "max_rejoins": 0, "deal_show_half_count": True},
        note="As A23 plays tournaments: no splits, and half counts in a show before the first turn. "
        "Not verified: whether clubs halve counts too, and that nobody rejoins.",
    ),
    Preset(
        name="foryourummy_pool_101",
        title="Pool 101, foryourummy",
        options=_pool(101, **ONE_WINNER),
        note=f"As its page prints it. {FORYOURUMMY_POOL}",
    ),
    Preset(
        name="foryourummy_pool_201",
        title="Pool 201, foryourummy",
        options={**_pool(201, **ONE_WINNER), **USUAL_DROPS},
        note=f"Its page has drops of 20 and 40 in every pool; other rooms play 25 and 50 here. {FORYOURUMMY_POOL}",
    ),
    Preset(name="circle_pool_101", title="Pool 101, RummyCircle style", options=_pool(101, **CIRCLE), note=CIRCLE_POOL),
    Preset(name="circle_pool_201", title="Pool 201, RummyCircle style", options=_pool(201, **CIRCLE), note=CIRCLE_POOL),
    Preset(name="a23_pool_101", title="Pool 101, A23 style", options=_pool(101, **A23), note=A23_POOL.format(79)),
    Preset(name="a23_pool_201", title="Pool 201, A23 style", options=_pool(201, **A23), note=A23_POOL.format(174)),
    Preset(
        name="junglee_pool_101",
        title="Pool 101, Junglee style",
        options=_pool(101, auto_split_when="at_least", auto_split_at=80),
        note=JUNGLEE_POOL.format(80),
    ),
    Preset(
        name="junglee_pool_201",
        title="Pool 201, Junglee style",
        options=_pool(201, auto_split_when="at_least", auto_split_at=175),
        note=JUNGLEE_POOL.format(175),
    ),
    Preset(
        name="playship_pool_101",
        title="Pool 101, Playship style",
        options=_pool(101, rejoin_entry_below_minor=HIGH_ENTRY_MINOR),
        note="Published: rejoin up to 79, but not where the entry is 2000 rupees or more.",
    ),
    Preset(
        name="playship_pool_201",
        title="Pool 201, Playship style",
        options=_pool(201, rejoin_entry_below_minor=HIGH_ENTRY_MINOR),
        note="Published: rejoin up to 174, but not where the entry is 2000 rupees or more.",
    ),
    Preset(
        name="playship_pool_61",
        title="Pool 61, Playship style",
        options={
            "limit": 61,
            "first_drop": 15,
            "middle_drop": 30,
            "cap": 60,
            "wrong_show": 60,
            "rejoin_entry_below_minor": HIGH_ENTRY_MINOR,
        },
        note="Published: rejoin up to 44, but not where the entry is 2000 rupees or more.",
    ),
)
