"""Players with the same points in a season: the formula's tie-breaks in their order, and what each of them decided.

Rules: docs/seasons.md, "Tie-breaks". Every night that a player came to is looked at, whether its points count or not.
Knows nothing of totals.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

import msgspec

# What a player has who has no such night: nothing is behind everything.
NOTHING = ""


class Decided(msgspec.Struct, frozen=True, array_like=True):
    """The tie-break that parted players with the same points, what the player has there, and what the others have.

    Both are exact numbers as text; empty for a player without such a night.
    """

    by: str
    own: str
    against: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A player's place and points of one night."""

    night: int
    place: int
    sharing: int
    points: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A player with all nights that were come to. `told` is what each tie-break said; a higher number is better."""

    player: str
    nights: Sequence[Scored]
    told: tuple[tuple[str, Fraction | None], ...] = ()


Group = Sequence[Contender]


def parted(level: Group, breaks: Sequence[str]) -> Iterator[list[Contender]]:
    """Level players as smaller groups, best first: those of one group stay level."""
    if len(level) < 2 or not breaks:
        yield list(level)
        return
    numbers = _RULES[breaks[0]](level)
    asked = [
        Contender(player=each.player, nights=each.nights, told=(*each.told, (breaks[0], numbers[each.player])))
        for each in level
    ]
    for _, group in groupby(sorted(asked, key=_last), key=_last):
        yield from parted(list(group), breaks[1:])


def decided(groups: Sequence[Group]) -> Iterator[Decided | None]:
    """For each group of level ones: what put it behind the one before, or before the next; None for the only one."""
    for number, group in enumerate(groups):
        other = groups[number - 1] if number else next(iter(groups[1:]), None)
        yield None if other is None else _decided(group[0], other[0])


def _decided(one: Contender, other: Contender) -> Decided | None:
    for (name, own), (_, against) in zip(one.told, other.told, strict=False):
        if own != against:
            return Decided(by=name, own=_written(name, own), against=_written(name, against))
    return None


def _last(contender: Contender) -> tuple[bool, Fraction]:
    """The number that was asked last, for sorting best first; who has none stands behind."""
    number = contender.told[-1][1]
    return number is None, -(number or Fraction(0))


def _written(name: str, number: Fraction | None) -> str:
    if number is None:
        return NOTHING
    return str(-number if name == "fewer_nights" else number)


# --- What each tie-break says of everybody in a group ---------------------------------------------------------


def _each(number: Callable[[Sequence[Scored]], Fraction | int | None]) -> Callable[[Group], dict[str, Fraction | None]]:
    """A tie-break that looks at each player alone."""

    def numbers(group: Group) -> dict[str, Fraction | None]:
        own = {each.player: number(each.nights) for each in group}
        return {player: None if value is None else Fraction(value) for player, value in own.items()}

    return numbers


def _best(rank: int) -> Callable[[Sequence[Scored]], Fraction | None]:
    """The points of the best night, or of the second-best."""

    def points(nights: Sequence[Scored]) -> Fraction | None:
        ordered = sorted((night.points for night in nights), reverse=True)
        return ordered[rank - 1] if len(ordered) >= rank else None

    return points


def _head_to_head(group: Group) -> dict[str, Fraction | None]:
    """How many of the others each one beat; nothing of anybody where that does not put the whole group in order."""
    places = {each.player: {night.night: night.place for night in each.nights} for each in group}
    wins = {one: sum(_beats(places[one], places[other]) for other in places if other != one) for one in places}
    is_order = sorted(wins.values()) == list(range(len(group)))
    return {player: Fraction(won) if is_order else None for player, won in wins.items()}


def _beats(one: Mapping[int, int], other: Mapping[int, int]) -> bool:
    """Stood before the other more often than behind, on the nights that both came to."""
    both = one.keys() & other.keys()
    return sum(one[night] < other[night] for night in both) > sum(one[night] > other[night] for night in both)


_RULES: Mapping[str, Callable[[Group], dict[str, Fraction | None]]] = {
    "best_night": _each(_best(1)),
    "second_night": _each(_best(2)),
    "most_wins": _each(lambda nights: sum(night.place == 1 for night in nights)),
    "more_nights": _each(len),
    "fewer_nights": _each(lambda nights: -len(nights)),
    "head_to_head": _head_to_head,
}
