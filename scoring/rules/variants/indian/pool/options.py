"""House options of a pool table, and the prices for a limit.

Rules: docs/rules/pool.md, section 2 (limits and what belongs to each). Knows nothing of how deals are played.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from msgspec import Meta

from scoring.messages import Message, say, say_many
from scoring.money.payouts import MOST_MINOR
from scoring.options import Wording, about
from scoring.rules.table.variant import Preset, presets
from scoring.rules.variants.indian.outcomes import DealOptions
from scoring.rules.variants.indian.prices import UNCHECKED_DROPS, USUAL_DROPS

HOUSE_ROWS: dict[int, dict[str, int]] = {
    51: {"first_drop": 10, "middle_drop": 20, "cap": 50},
    61: {"first_drop": 15, "middle_drop": 30, "cap": 60},
    201: {"first_drop": 25, "middle_drop": 50},
}


class PoolOptions(DealOptions, frozen=True, kw_only=True):
    """House options of a pool table."""

    limit: Annotated[int, about("The total that puts a seat out", ge=41, le=1001)] = 101
    eliminate_at: Annotated[
        Literal["reach_or_exceed", "exceed"],
        about("Out on reaching the limit, or only above it", "Eliminated when"),
        Wording("A seat is out", {"reach_or_exceed": "on reaching the limit", "exceed": "only above the limit"}),
    ] = "reach_or_exceed"
    max_rejoins: Annotated[
        Annotated[int, Meta(ge=0, le=20)] | None,
        about("Rejoins allowed per seat; not set: no limit, 0: never", "Most rejoins per seat"),
        Wording("Rejoins allowed per seat", unset="no maximum"),
    ] = None
    rejoin_highest: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None,
        about(
            "Highest total of the others that allows a rejoin; not set: limit - 2 - first drop",
            "Highest other total for a rejoin",
        ),
        Wording("Highest total that still allows a rejoin", follows="rejoin_threshold"),
    ] = None
    rejoin_when_one_left: Annotated[
        bool, about("A seat may rejoin although only one seat is left in", "Rejoin with one seat left")
    ] = False
    rejoin_entry_below_minor: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_MINOR)] | None,
        about("No rejoin where the entry fee is this amount or more", "No rejoin from entry fee"),
        Wording("Entry fee from which nobody may rejoin", unset="at any entry fee"),
    ] = None
    splits: Annotated[
        Literal["auto_and_manual", "auto", "manual", "none"],
        about("Which splits of the pot the house allows", "Splits allowed"),
        Wording(
            "The pot may be split",
            {
                "auto_and_manual": "automatically and by agreement",
                "auto": "only automatically",
                "manual": "only by agreement",
                "none": "no splits",
            },
        ),
    ] = "auto_and_manual"
    auto_split_when: Annotated[
        Literal["no_drop_left", "at_least"],
        about(
            "Automatic split: when nobody has a drop left, or everybody has at least a total", "Automatic split when"
        ),
        Wording(
            "The pot is split automatically",
            {
                "no_drop_left": "when nobody left has a drop left",
                "at_least": "when everybody left has the total below",
            },
        ),
    ] = "no_drop_left"
    auto_split_at: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None,
        about("Splits the pot when everybody left has it; not set: limit - 1 - first drop", "Automatic split at total"),
        Wording("Total for such a split", follows="auto_split_total"),
    ] = None
    split_needs_fewer_than_started: Annotated[
        bool, about("A split needs fewer seats left than started", "Split once someone is out")
    ] = True
    split_pool_left: Annotated[
        Literal["covers_drops", "one_entry"],
        about("Pot after equalising drops: not negative, or at least one entry fee", "Split: left in the pot"),
        Wording(
            "After equalising drops, what is left in the pot",
            {"covers_drops": "it must not be negative", "one_entry": "it must hold one entry fee"},
        ),
    ] = "covers_drops"
    split_most_drop_difference: Annotated[
        Annotated[int, Meta(ge=0, le=50)] | None,
        about(
            "Among three seats, the most drops by which they may differ in a manual split",
            "Split: most drop difference",
        ),
        Wording(unset="any difference"),
    ] = None

    @property
    def highest_in(self) -> int:
        """The highest total that is still in."""
        return self.limit - 1 if self.eliminate_at == "reach_or_exceed" else self.limit  # Reach or exceed: D-0009.

    @property
    def rejoin_threshold(self) -> int:
        """The rejoiner must have one first drop left: highest survivor + 1 + first drop stays in.

        A house may choose otherwise, but no seat rejoins at a total that is out.
        """
        if self.rejoin_highest is None:
            return self.highest_in - 1 - self.first_drop
        return min(self.rejoin_highest, self.highest_in - 1)

    @property
    def auto_split_total(self) -> int:
        """The lowest total of each remaining seat for an auto split. Free drops never run out."""
        if self.auto_split_when == "no_drop_left":
            return self.highest_in - self.first_drop + 1
        return self.highest_in - self.first_drop if self.auto_split_at is None else self.auto_split_at

    def drops_left(self, total: int) -> int:
        """How many first drops a seat can still take and stay in; none are counted where they are free."""
        return max(0, (self.highest_in - total) // self.first_drop) if self.first_drop else 0

    def reminders(self) -> Iterator[Message]:
        """When a seat is out, how it comes back, and how the pot is split."""
        if self.eliminate_at == "exceed":
            yield say("Out above {limit} points.", limit=self.limit)
        else:
            yield say("Out at {limit} points or more.", limit=self.limit)
        yield _rejoining(self)
        yield say("The pot is split: {how}.", how=self.choice_message("splits"))


# Pool rummy as houses print it.


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

POOL = presets(
    pool_101=Preset("Pool 101", {"limit": 101}),
    pool_201=Preset("Pool 201", {"limit": 201}),
    pool_61=Preset(
        "Pool 61",
        {"limit": 61},
        "Only Playship prints a pool of 61: drops 15 and 30, a full count 60, rejoin up to 44.",
    ),
    pool_51=Preset(
        "Pool 51",
        {"limit": 51},
        "No published rule was found for 51: drops and counts follow the pattern of the other pools.",
    ),
    pool_101_no_rejoin=Preset("Pool 101, no rejoin", {"limit": 101, "max_rejoins": 0}, "What A23 calls an NR game."),
    pool_201_tournament=Preset(
        "Pool 201, one winner",
        {"limit": 201, "splits": "none", "max_rejoins": 0, "deal_show_half_count": True},
        "As A23 plays tournaments: no splits, and half counts in a show before the first turn. "
        "Not verified: whether clubs halve counts too, and that nobody rejoins.",
    ),
    foryourummy_pool_101=Preset(
        "Pool 101, foryourummy", _pool(101, **ONE_WINNER), f"As on its page. {FORYOURUMMY_POOL}"
    ),
    foryourummy_pool_201=Preset(
        "Pool 201, foryourummy",
        {**_pool(201, **ONE_WINNER), **USUAL_DROPS},
        f"Its page has drops of 20 and 40 in every pool; other rooms play 25 and 50 here. {FORYOURUMMY_POOL}",
    ),
    circle_pool_101=Preset("Pool 101, RummyCircle style", _pool(101, **CIRCLE), CIRCLE_POOL),
    circle_pool_201=Preset("Pool 201, RummyCircle style", _pool(201, **CIRCLE), CIRCLE_POOL),
    a23_pool_101=Preset("Pool 101, A23 style", _pool(101, **A23), A23_POOL.format(79)),
    a23_pool_201=Preset("Pool 201, A23 style", _pool(201, **A23), A23_POOL.format(174)),
    junglee_pool_101=Preset(
        "Pool 101, Junglee style", _pool(101, auto_split_when="at_least", auto_split_at=80), JUNGLEE_POOL.format(80)
    ),
    junglee_pool_201=Preset(
        "Pool 201, Junglee style", _pool(201, auto_split_when="at_least", auto_split_at=175), JUNGLEE_POOL.format(175)
    ),
    playship_pool_101=Preset(
        "Pool 101, Playship style",
        _pool(101, rejoin_entry_below_minor=HIGH_ENTRY_MINOR),
        "Published: rejoin up to 79, but not where the entry is 2000 rupees or more.",
    ),
    playship_pool_201=Preset(
        "Pool 201, Playship style",
        _pool(201, rejoin_entry_below_minor=HIGH_ENTRY_MINOR),
        "Published: rejoin up to 174, but not where the entry is 2000 rupees or more.",
    ),
    playship_pool_61=Preset(
        "Pool 61, Playship style",
        {
            "limit": 61,
            "first_drop": 15,
            "middle_drop": 30,
            "cap": 60,
            "wrong_show": 60,
            "rejoin_entry_below_minor": HIGH_ENTRY_MINOR,
        },
        "Published: rejoin up to 44, but not where the entry is 2000 rupees or more.",
    ),
)


def limit_in_short(options: PoolOptions) -> Message:
    """The number that players ask for first."""
    if options.eliminate_at == "exceed":
        return say("A player above {limit} points is out.", limit=options.limit)
    return say("A player who reaches {limit} points is out.", limit=options.limit)


def _rejoining(options: PoolOptions) -> Message:
    if options.max_rejoins == 0:
        return say("No rejoins.")
    rule = say(
        "Rejoin before the next deal if nobody in has more than {most}; start at the highest total + 1.",
        most=options.rejoin_threshold,
    )
    if options.max_rejoins is None:
        return rule
    most = options.max_rejoins
    often = say_many("{number} time at most.", "{number} times at most.", count=most, number=most)
    return Message("{rule} {often}", {"rule": rule, "often": often})
