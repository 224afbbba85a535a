"""House rules for counting hands: aces, jokers, sets, the cap, and how many packs are in play.

Rules: docs/rules/indian.md, section 4 (counting a loser). Knows nothing of drops, totals or chips.
"""

from functools import lru_cache
from typing import Annotated, Literal, NamedTuple

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import words
from scoring.options import Options, Wording, about
from scoring.rules.cards import INDIAN_VALUES, RANK_COUNT

HAND_SIZE = 13


class HandOptions(Options, frozen=True, kw_only=True):
    """House options of hand counting. Packs and printed jokers only limit how many copies can exist."""

    ace: Annotated[
        Literal["both", "low"],
        about("Ace in sequences: both ends, or low only"),
        Wording("Aces in sequences", {"both": "low or high", "low": "low only"}),
    ] = "both"
    joker_rule: Annotated[
        Literal["one_natural", "any", "half", "two_natural", "one_in_sequence"],
        about("How many jokers a group may hold"),
        Wording(
            choices={
                "one_natural": "at least one card stands for itself",
                "any": "any number",
                "half": "no more jokers than other cards",
                "two_natural": "at least two cards stand for themselves",
                "one_in_sequence": "one joker in a sequence",
            }
        ),
    ] = "one_natural"
    deduct_sets: Annotated[
        bool, about("With two sequences (one pure), cards in sets do not count either", "Sets do not count")
    ] = True
    pure_alone_protects: Annotated[
        bool,
        about("Cards of a pure sequence do not count, even without a second sequence", "Pure sequence never counts"),
    ] = False
    full_without_sequences: Annotated[
        bool | UnsetType,
        about(
            "A losing hand without two sequences, one of them pure, costs the full count",
            "Full count without sequences",
            extra={"unset": False},
        ),
    ] = UNSET
    long_sequence: Annotated[
        bool | UnsetType,
        about("A show needs a sequence of at least four cards", "Sequence of four needed", extra={"unset": False}),
    ] = UNSET
    identical_cards: Annotated[
        bool | UnsetType,
        about(
            "With three packs: three identical cards are a pure sequence",
            "Three identical cards",
            extra={"unset": False},
        ),
        Wording("Three identical cards are a pure sequence"),
    ] = UNSET
    max_set_size: Annotated[int, about("Most cards in a set, jokers included", "Most cards in a set", ge=4, le=13)] = 4
    cap: Annotated[
        Annotated[int, Meta(ge=1, le=1000)] | None,
        about(words("Most points a losing hand can cost; not set: no maximum"), "Full count"),
    ] = 80
    printed_as_wild: Annotated[
        Literal["aces", "printed_only"],
        about("What is wild when a printed joker is turned up", "If a printed joker turns up"),
        Wording(choices={"aces": "the aces too", "printed_only": "printed jokers alone"}),
    ] = "aces"
    packs: Annotated[int, about(words("Most copies of one card"), ge=1, le=3)] = 3
    printed_jokers: Annotated[int, about("Printed jokers in each pack", ge=0, le=3)] = 3

    @property
    def has_high_ace(self) -> bool:
        """Whether the ace may also follow the king."""
        return self.ace == "both"

    def capped(self, points: int) -> int:
        """A count after the cap, which is a full count."""
        return points if self.cap is None else min(self.cap, points)

    def cost(self, points: int, *, is_protected: bool) -> int:
        """What a losing hand costs: `points` are its cards outside groups, if it has groups that do not count."""
        if self.full_without_sequences is True and not is_protected and self.cap is not None:
            return self.cap
        return self.capped(points)


@lru_cache(maxsize=RANK_COUNT + 1)
def rank_points(wild: int | None) -> tuple[int, ...]:
    """What one card of each rank costs in hand: the wild rank nothing."""
    return tuple(0 if rank == wild else INDIAN_VALUES.of_rank(rank) for rank in range(RANK_COUNT))


def set_rule(joker_rule: str) -> str:
    """The joker rule of sets: a rule about sequences alone does not bind them."""
    return "one_natural" if joker_rule == "one_in_sequence" else joker_rule


def admits(joker_rule: str, *, naturals: int, jokers: int) -> bool:
    """Whether the house allows this many jokers in a sequence beside the cards that are themselves."""
    match joker_rule:
        case "any":
            return True
        case "half":
            return jokers <= naturals
        case "two_natural":
            return naturals >= 2
        case "one_in_sequence":
            return naturals >= 1 and jokers <= 1
        case _:
            return naturals >= 1


# The shapes of a sequence: which cards are themselves, and how many jokers are between them.


SHORTEST, LONG = 3, 4


class Shape(NamedTuple):
    """Places of the cards that are themselves, counted from the lowest (0), and the jokers needed.

    `cards` are the places in a suit's encoding: two bits for each.
    """

    places: tuple[int, ...]
    jokers: int
    cards: int


@lru_cache(maxsize=4)
def shapes(joker_rule: str) -> tuple[Shape, ...]:
    """Every shape that the joker rule admits and that cannot be cut in two, fewest jokers first."""
    # Odd masks: the lowest card is always there.
    whole_masks = [mask for mask in range(1, 1 << RANK_COUNT, 2) if _is_whole(mask, joker_rule)]
    whole_shapes = [_shape(mask) for mask in whole_masks]
    return tuple(sorted(whole_shapes, key=lambda shape: (shape.jokers, -len(shape.places), shape.places)))


def fitting(joker_rule: str, window: int) -> list[Shape]:
    """The shapes for which every card is there, in a suit that is cut off below its lowest card."""
    absent = ~window
    return [shape for shape in shapes(joker_rule) if not shape.cards & absent]


def _shape(mask: int) -> Shape:
    places = tuple(place for place in range(RANK_COUNT) if mask >> place & 1)
    return Shape(places, _jokers_needed(mask), sum(1 << (2 * place) for place in places))


def _is_whole(mask: int, joker_rule: str) -> bool:
    """Whether the cards of the mask make a sequence, but not two with the same jokers."""
    jokers = _jokers_needed(mask)
    if not _is_sequence(mask, jokers, joker_rule):
        return False
    later = mask & (mask - 1)
    while later:
        lowest = later & -later
        left, right = mask & (lowest - 1), later >> (lowest.bit_length() - 1)
        later &= later - 1
        jokers_left, jokers_right = _jokers_needed(left), _jokers_needed(right)
        if jokers_left + jokers_right > jokers:
            continue
        if _is_sequence(left, jokers_left, joker_rule) and _is_sequence(right, jokers_right, joker_rule):
            return False
    return True


def _jokers_needed(mask: int) -> int:
    """One for every gap, and enough to make three cards."""
    naturals = mask.bit_count()
    return max(mask.bit_length() - naturals, SHORTEST - naturals)


def _is_sequence(mask: int, jokers: int, joker_rule: str) -> bool:
    return admits(joker_rule, naturals=mask.bit_count(), jokers=jokers)
