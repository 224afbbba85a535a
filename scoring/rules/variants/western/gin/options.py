"""House options of gin rummy, their wording, and the usual variants: Oklahoma, Hollywood, partners.

Rules: docs/rules/gin.md, sections 3 (Oklahoma) and 9 (options), "Presets". Published rules differ in nearly every
bonus: a preset follows its source, and the note lists what has none. Knows nothing of sheets.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import Message, say, say_many
from scoring.options import Options, Wording, about
from scoring.rules.cards import ACE, RANK_NAMES, RANKS, SPELLINGS, CardValues
from scoring.rules.table.variant import Preset, presets
from scoring.rules.variants.western.entry import played_to

GIN_VALUES = CardValues(ace=1, joker=0)
SPADES = "S"


class GinOptions(Options, frozen=True, kw_only=True):
    """House options of a gin table."""

    target: Annotated[int, about("The points that end a game, reached or passed", ge=25, le=1000)] = 100
    knock_max: Annotated[int, about("Most deadwood to knock with", "Knock limit", ge=0, le=10)] = 10
    gin_bonus: Annotated[int, about("Points for gin, on top of the opponent's hand points", ge=0, le=100)] = 25
    big_gin_bonus: Annotated[
        Annotated[int, Meta(ge=0, le=200)] | None,
        about("Points for big gin instead of the gin bonus (usually 31); not set: not played"),
        Wording("Points for big gin, in place of the gin bonus", unset="not played"),
    ] = None
    knock_bonus: Annotated[
        Annotated[int, Meta(ge=0, le=100)] | UnsetType,
        about("Points for a knock that wins, on top of the difference", extra={"unset": 0}),
        Wording("Points for a knock that wins"),
    ] = UNSET
    undercut_bonus: Annotated[int, about("Points for an undercut, on top of the difference", ge=0, le=100)] = 25
    undercut_on_tie: Annotated[
        bool,
        about("Equal hand points are an undercut; no: the knocker wins 0", "Equal hand points: undercut"),
        Wording("Equal hand points are an undercut"),
    ] = True
    game_bonus: Annotated[int, about("Points for the game", ge=0, le=500)] = 100
    box_bonus: Annotated[int, about("Points for each box: one for every hand won", ge=0, le=100)] = 25
    gin_extra_boxes: Annotated[int, about("Extra boxes for gin, and for big gin", ge=0, le=10)] = 0
    undercut_extra_boxes: Annotated[int, about("Extra boxes for an undercut", ge=0, le=10)] = 0
    shutout: Annotated[
        Literal["double_difference", "double_points", "flat", "none"],
        about("If the loser won no hand: double difference, double points, or a flat sum"),
        Wording(
            "When the loser won no hand",
            {
                "double_difference": "the difference doubles",
                "double_points": "the winner’s points double",
                "flat": "a flat sum",
                "none": "counts as any other",
            },
        ),
    ] = "double_difference"
    shutout_flat: Annotated[int, about("The flat sum for a shutout", "Flat sum for a shutout", ge=0, le=500)] = 100
    oklahoma: Annotated[bool, about("The card turned up sets the knock limit")] = False
    ace_means_gin: Annotated[
        bool, about("Oklahoma: an ace means gin only; if not, knock with 1"), Wording("Oklahoma: an ace means gin only")
    ] = True
    spades_double: Annotated[
        Literal["none", "points", "points_and_boxes"],
        about("Oklahoma: a spade turned up doubles the hand, with its boxes or without"),
        Wording(
            "Oklahoma: a spade turned up",
            {
                "none": "doubles nothing",
                "points": "doubles the points",
                "points_and_boxes": "doubles points and boxes",
            },
        ),
    ] = "none"
    games: Annotated[
        int,
        about("Games scored side by side; 3: Hollywood, 1: plain gin", ge=1, le=5),
        Wording("Games scored side by side"),
    ] = 1
    further_games: Annotated[
        Annotated[int, Meta(ge=0, le=20)] | UnsetType,
        about(
            "Hollywood: games that begin as others end; 1: game 4 when game 1 ends",
            extra={"unset": 0},
        ),
        Wording("Hollywood: further games, each begins when one ends"),
    ] = UNSET
    last_game_doubles: Annotated[bool, about("Hollywood: the last game counts double")] = False
    partnership: Annotated[
        bool, about("Two sides of two or three partners, seated in turn; each plays one opponent")
    ] = False

    @property
    def all_games(self) -> int:
        """How many games the table plays, those that begin later included."""
        return self.games + int(self.holding("further_games"))

    def knock_limit(self, upcard: str | None) -> int:
        """The most deadwood to knock with: in Oklahoma gin the value of the card turned up; an ace may require gin."""
        if not self.oklahoma or upcard is None:
            return self.knock_max
        rank = RANKS.index(upcard[0])
        if rank == ACE and self.ace_means_gin:
            return 0
        return min(self.knock_max, GIN_VALUES.of_rank(rank))

    def doubles(self, upcard: str | None) -> bool:
        """Whether the card turned up doubles the hand."""
        return self.spades_double != "none" and upcard is not None and upcard.endswith(SPADES)

    def reminders(self) -> Iterator[Message]:
        """When a game is over, and what its bonuses are."""
        yield played_to(self.target)
        yield say(
            "Gin {gin} points, undercut {undercut}, game {game}, each box {box}.",
            gin=self.gin_bonus,
            undercut=self.undercut_bonus,
            game=self.game_bonus,
            box=self.box_bonus,
        )
        if bonus := self.holding("knock_bonus"):
            yield say("A knock that wins brings {points} points besides.", points=bonus)
        if further := self.holding("further_games"):
            yield say_many(
                "When a game ends another one begins, {count} time.",
                "When a game ends another one begins, {count} times.",
                count=further,
            )


def read_upcard(written: object) -> str | None:
    """A card turned up, or its rank, in stored notation; None where it is neither."""
    name = written.strip().upper() if isinstance(written, str) else ""
    if name in RANK_NAMES:
        return RANKS[RANK_NAMES[name]]
    card = SPELLINGS.get(name)
    return None if card is None or card.is_printed_joker else card.text


BONUSES = {"gin_bonus": 25, "undercut_bonus": 25}

GIN = presets(
    gin=Preset(
        "Gin rummy, to 100",
        {**BONUSES, "target": 100, "knock_max": 10, "game_bonus": 100, "box_bonus": 25},
        "What most pages print; gin is worth 20 and an undercut 10 or 15 on others.",
    ),
    gin_20_10=Preset(
        "Gin rummy, bonuses of 20 and 10",
        {"target": 100, "gin_bonus": 20, "undercut_bonus": 10},
        "Published by onlinegambling: gin 20, undercut 10. Not verified: the rest is the usual game.",
    ),
    gin_big_gin=Preset(
        "Gin rummy with big gin",
        {**BONUSES, "target": 100, "big_gin_bonus": 31},
        "Published by ginrummy.com: 6 on top of the gin bonus, so 31. Its shutout doubles the hand points; "
        "here the difference doubles, as on most pages.",
    ),
    gin_250=Preset(
        "Gin rummy, to 250",
        {**BONUSES, "target": 250, "game_bonus": 250},
        "Published by ginrummyblog: the game bonus is as much as the target.",
    ),
    gin_oklahoma=Preset(
        "Oklahoma gin, to 150",
        {**BONUSES, "oklahoma": True, "ace_means_gin": True, "target": 150},
        "The target as rummyrulebook prints it, and gin alone under an ace as Bicycle does.",
    ),
    gin_oklahoma_spades=Preset(
        "Oklahoma gin, spades double",
        {**BONUSES, "oklahoma": True, "ace_means_gin": True, "spades_double": "points", "target": 150},
        "A spade turned up doubles points and bonuses. Whether boxes double as well, books differ "
        "(rummy-games.com): here they do not.",
    ),
    gin_hollywood=Preset(
        "Hollywood gin, three games side by side",
        {**BONUSES, "games": 3, "target": 150, "box_bonus": 20},
        "Target and boxes as pokerwiner prints them.",
    ),
    gin_hollywood_on=Preset(
        "Hollywood gin, game 4 begins when game 1 ends",
        {**BONUSES, "games": 3, "further_games": 3, "target": 100},
        "Published by rummy-games.com: three games are always in progress, until a player gives notice before a "
        "deal. Not verified: how many; three further games here. The director may also call time.",
    ),
    gin_hollywood_last_doubles=Preset(
        "Hollywood gin, the last game doubles",
        {**BONUSES, "games": 3, "target": 150, "last_game_doubles": True},
        "Published by rummytalk: the last game counts double. Not verified: its boxes; 25 here.",
    ),
    gin_partnership=Preset(
        "Partnership gin, to 125",
        {**BONUSES, "partnership": True, "target": 125},
        "For four or six seats. The target as Bicycle and rummy-games.com print it; a dead hand is ignored, as "
        "rummytalk says.",
    ),
    gin_partnership_flat=Preset(
        "Partnership gin, a shutout adds 100",
        {**BONUSES, "partnership": True, "target": 125, "shutout": "flat", "shutout_flat": 100},
        "For four or six seats. The flat shutout is on one page for partners.",
    ),
    gin_tournament=Preset(
        "Gin rummy for tournaments",
        {**BONUSES, "target": 100, "game_bonus": 100, "shutout": "none"},
        "Unverified: no rules of a gin tournament were found. Our choice: one game to 100 without a double "
        "shutout, so that one deal does not decide a round; when time is called the higher total wins without bonus.",
    ),
)
