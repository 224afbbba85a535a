"""Gin rummy as people play it: plain, Oklahoma, Hollywood, with partners, and for tournaments.

Rules: docs/rules/gin.md, "Presets". Pages differ in nearly every bonus: a preset sets what its page says, and the note
tells what no page was found for. Knows nothing of play.
"""

from scoring.rules.table.variant import Preset

BONUSES = {"gin_bonus": 25, "undercut_bonus": 25}

GIN = (
    Preset(
        name="gin",
        title="Gin rummy, to 100",
        options={**BONUSES, "target": 100, "knock_max": 10, "game_bonus": 100, "box_bonus": 25},
        note="What most pages print; gin is worth 20 and an undercut 10 or 15 on others.",
    ),
    Preset(
        name="gin_20_10",
        title="Gin rummy, bonuses of 20 and 10",
        options={"target": 100, "gin_bonus": 20, "undercut_bonus": 10},
        note="Published by onlinegambling: gin 20, undercut 10. Not verified: the rest is the usual game.",
    ),
    Preset(
        name="gin_big_gin",
        title="Gin rummy with big gin",
        options={**BONUSES, "target": 100, "big_gin_bonus": 31},
        note="Published by ginrummy.com: 6 on top of the gin bonus, so 31. Its shutout doubles the hand points; "
        "here the difference doubles, as on most pages.",
    ),
    Preset(
        name="gin_250",
        title="Gin rummy, to 250",
        options={**BONUSES, "target": 250, "game_bonus": 250},
        note="Published by ginrummyblog: the game bonus is as much as the target.",
    ),
    Preset(
        name="gin_oklahoma",
        title="Oklahoma gin, to 150",
        options={**BONUSES, "oklahoma": True, "ace_means_gin": True, "target": 150},
        note="The target as rummyrulebook prints it, and gin alone under an ace as Bicycle does.",
    ),
    Preset(
        name="gin_oklahoma_spades",
        title="Oklahoma gin, spades double",
        options={**BONUSES, "oklahoma": True, "ace_means_gin": True, "spades_double": "points", "target": 150},
        note="A spade turned up doubles points and bonuses. Whether boxes double as well, books differ "
        "(rummy-games.com): here they do not.",
    ),
    Preset(
        name="gin_hollywood",
        title="Hollywood gin, three games side by side",
        options={**BONUSES, "games": 3, "target": 150, "box_bonus": 20},
        note="Target and boxes as pokerwiner prints them.",
    ),
    Preset(
        name="gin_hollywood_last_doubles",
        title="Hollywood gin, the last game doubles",
        options={**BONUSES, "games": 3, "target": 150, "last_game_doubles": True},
        note="Published by rummytalk: the last game counts double. Not verified: its boxes; 25 here.",
    ),
    Preset(
        name="gin_partnership",
        title="Partnership gin, to 125",
        options={**BONUSES, "partnership": True, "target": 125},
        note="For four or six seats. The target as Bicycle and rummy-games.com print it; a dead hand is ignored, as "
        "rummytalk says.",
    ),
    Preset(
        name="gin_partnership_flat",
        title="Partnership gin, a shutout adds 100",
        options={**BONUSES, "partnership": True, "target": 125, "shutout": "flat", "shutout_flat": 100},
        note="For four or six seats. The flat shutout is on one page for partners.",
    ),
    Preset(
        name="gin_tournament",
        title="Gin rummy for tournaments",
        options={**BONUSES, "target": 100, "game_bonus": 100, "shutout": "none"},
        note="Unverified: no rules of a gin tournament were found. Our choice: one game to 100 without a double "
        "shutout, so that one deal does not decide a round; when time is called the higher total wins without bonus.",
    ),
)
