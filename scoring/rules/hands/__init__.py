"""The cost of a losing hand of 13-card rummy: at its best arrangement, or as its player laid it down.

Rules: docs/rules/indian.md, section 4 (counting a loser); docs/rules/western.md, section 1. The hands of a deal are
checked against the packs it was dealt from: only for new sheets, as a stored deal stays valid. Knows nothing of drops.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from scoring.messages import Message, Seat, say, say_many
from scoring.problems import Problem, refuse_if
from scoring.rules.arrangements import (
    HAND_SIZE,
    SEQUENCES,
    Arrangement,
    GroupKind,
    HandOptions,
    arrange,
    fault_of,
    kind_of,
)
from scoring.rules.arrangements.house import LONG, rank_points
from scoring.rules.cards import CARDS, PRINTED_NUMBER, RANK_COUNT, Card, CardsRejected, parse_cards, write_cards

Cards = Sequence[Card]


@dataclass(frozen=True, slots=True)
class HandCount:
    """The lowest cost of a hand: `count` after the cap, and its arrangement."""

    count: int
    arrangement: Arrangement


def count_hand(cards: Cards, wild: int | None, options: HandOptions) -> HandCount:
    """Count a hand of 13 cards at its best. Raises CardsRejected where it cannot be a hand."""
    refuse_if(hand_problems(cards, options, field="cards"), CardsRejected)
    best = arrange(cards, wild, options)
    return HandCount(options.cost(best.points, is_protected=bool(best.groups)), best)


def declared_count(groups: Iterable[Cards], loose: Cards, *, wild: int | None, options: HandOptions) -> int:
    """The cost of a losing hand as its player laid it down, after the cap."""
    laid = [(tuple(group), kind_of(group, wild, options)) for group in groups]
    grouped_cards = [card for group, _ in laid for card in group]
    return laid_count(laid, [*grouped_cards, *loose], wild=wild, options=options)


def laid_count(
    laid: Iterable[tuple[Cards, GroupKind | None]], held: Cards, *, wild: int | None, options: HandOptions
) -> int:
    """The cost of the cards held, less those protected by groups. Invalid groups protect nothing."""
    valid = [(group, kind) for group, kind in laid if kind is not None]
    kinds = [kind for _, kind in valid if kind in SEQUENCES]
    total = points_of(held, wild)
    if GroupKind.PURE_SEQUENCE in kinds and len(kinds) > 1:
        spared = [group for group, kind in valid if kind in SEQUENCES or options.deduct_sets]
    elif kinds == [GroupKind.PURE_SEQUENCE] and options.pure_alone_protects:
        spared = [group for group, kind in valid if kind in SEQUENCES]
    else:
        spared = []
    unprotected_points = total - sum(points_of(group, wild) for group in spared)
    return options.cost(unprotected_points, is_protected=bool(spared))


def points_of(cards: Iterable[Card], wild: int | None) -> int:
    """The cost of cards in hand: jokers of both kinds nothing."""
    points = card_points(wild)
    return sum(points[card.number] for card in cards)


@lru_cache(maxsize=RANK_COUNT + 1)
def card_points(wild: int | None) -> tuple[int, ...]:
    """The cost of every card by its number."""
    points = rank_points(wild)
    return (*(points[card.number % RANK_COUNT] for card in CARDS[:PRINTED_NUMBER]), 0)


def hand_problems(cards: Cards, options: HandOptions, *, field: str) -> list[Problem]:
    """Why these cards cannot be a hand: not 13 of them, or more copies of one than exist."""
    problems = []
    if len(cards) != HAND_SIZE:
        problems.append(not_13_cards(len(cards), field=field))
    return problems + copy_problems(cards, options, field=field)


def not_13_cards(count: int, *, field: str) -> Problem:
    """The hand is too short or too long."""
    detail = say_many(
        "{count} card, but a hand has {most}", "{count} cards, but a hand has {most}", count=count, most=HAND_SIZE
    )
    return Problem("not_13_cards", detail, field=field)


def copy_problems(cards: Cards, options: HandOptions, *, field: str) -> list[Problem]:
    """One problem for every card that occurs more often than in the packs."""
    numbers = [card.number for card in cards]
    jokers = options.packs * options.printed_jokers
    # With this many different cards none can occur too often; most hands stop here.
    if len(set(numbers)) > len(numbers) - options.packs and numbers.count(PRINTED_NUMBER) <= jokers:
        return []
    return [
        Problem("impossible_card_count", detail, field=field)
        for detail in too_many_copies(cards, packs=options.packs, jokers=jokers)
    ]


def too_many_copies(cards: Iterable[Card], *, packs: int, jokers: int) -> list[Message]:
    """One message for every card that occurs more often than in the packs. `jokers` are all printed jokers in play."""
    return [
        say_many(
            "{card} is there {count} time, but the packs hold {most}",
            "{card} is there {count} times, but the packs hold {most}",
            count=excess_card.times,
            card=excess_card.card.text,
            most=excess_card.most,
        )
        for excess_card in beyond_the_packs({"": cards}, packs=packs, jokers=jokers)
    ]


# Judging a show: is every group valid, are all 13 cards in one, are there two sequences and a pure one.


FAULTS = {
    "group_too_small": say("a group needs at least three cards"),
    "duplicate_suit_in_set": say("a set may not hold two cards of one suit"),
    "broken_run": say("the cards are not consecutive, or one of them is there twice"),
    "wraparound_ace": say("a sequence does not go round from the king over the ace to the two"),
    "mixed_group": say("the cards are neither of one suit nor of one rank"),
    "all_joker_group": say("no card stands for itself"),
    "too_many_jokers": say("these rules do not allow so many jokers in one group"),
}

Judged = Sequence[tuple[Cards, GroupKind | None]]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on a show: the kind of each group, why it is wrong, and its cost to a loser."""

    kinds: tuple[GroupKind | None, ...]
    count_if_loser: int
    problems: tuple[Problem, ...]

    @property
    def valid_show(self) -> bool:
        """Whether nothing is wrong with it."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class LaidDown:
    """The cards as they are on the table. `hand` is what the player holds, where that is known."""

    groups: tuple[Cards, ...]
    loose: Cards = ()
    hand: Cards | None = None

    @property
    def cards(self) -> list[Card]:
        """Every card on the table."""
        return [*(card for group in self.groups for card in group), *self.loose]


def judge_show(laid: LaidDown, *, wild: int | None, options: HandOptions) -> Ruling:
    """Judge a show. Every problem is named at once, each by its cause: a broken group is not also a missing one."""
    judged = [(group, kind_of(group, wild, options)) for group in laid.groups]
    kinds = tuple([kind for _, kind in judged])
    problems = [
        *_size_problems(laid),
        *_copy_problems(laid, options),
        *_unheld_problems(laid),
        *_group_problems(judged, wild, options),
        *_lacks(judged, options),
    ]
    if laid.loose:
        detail = say(
            "{cards} in no group: a show uses all {number} cards", cards=write_cards(laid.loose), number=HAND_SIZE
        )
        problems.append(Problem("loose_cards", detail, field="loose"))
    return Ruling(kinds, _count(laid, judged, wild, options), tuple(problems))


def _size_problems(laid: LaidDown) -> list[Problem]:
    problems = []
    count = len(laid.cards)
    if count != HAND_SIZE:
        problems.append(not_13_cards(count, field="groups"))
    if laid.hand is not None and len(laid.hand) != HAND_SIZE:
        problems.append(not_13_cards(len(laid.hand), field="hand"))
    return problems


def _copy_problems(laid: LaidDown, options: HandOptions) -> list[Problem]:
    if laid.hand is not None:
        return copy_problems(laid.hand, options, field="hand")
    return copy_problems(laid.cards, options, field="groups")


def _unheld_problems(laid: LaidDown) -> list[Problem]:
    if laid.hand is None:
        return []
    laid_counts, hand_counts = Counter(laid.cards), Counter(laid.hand)
    problems: list[Problem] = []
    for card, times in laid_counts.items():
        if times > hand_counts[card]:
            detail = say_many(
                "{card} is laid {count} time, but the hand holds {most}",
                "{card} is laid {count} times, but the hand holds {most}",
                count=times,
                card=card.text,
                most=hand_counts[card],
            )
            problems.append(Problem("card_not_in_hand", detail, field="groups"))
    return problems


def _group_problems(judged: Judged, wild: int | None, options: HandOptions) -> list[Problem]:
    problems = []
    for index, (group, kind) in enumerate(judged):
        code = None if kind is not None else fault_of(group, wild, options)
        if code is not None:
            why = _why_no_group(code, options)
            named = (
                say("{cards}: {why}", cards=write_cards(group), why=why)
                if group
                else say("an empty group: {why}", why=why)
            )
            problems.append(Problem(code, named, field=f"groups[{index}]"))
    return problems


def _why_no_group(code: str, options: HandOptions) -> Message:
    if code == "set_too_large":
        return say("a set may have no more than {most} cards, jokers included", most=options.max_set_size)
    if code == "wraparound_ace" and not options.has_high_ace:
        return say("the ace lies below the two only")
    return FAULTS[code]


def _lacks(judged: Judged, options: HandOptions) -> list[Problem]:
    """What the show would still lack if every invalid group were corrected into a pure sequence."""
    kinds = [kind for _, kind in judged]
    sequences = sum(kind in SEQUENCES for kind in kinds)
    faulty = kinds.count(None)
    problems = []
    if not faulty and GroupKind.PURE_SEQUENCE not in kinds:
        detail = say("no sequence is without jokers; a show needs a pure one")
        problems.append(Problem("no_pure_sequence", detail, field="groups"))
    if sequences + faulty < 2:
        single_detail = say("one sequence; a show needs two, one of them pure")
        detail = single_detail if sequences else say("no sequence; a show needs two, one of them pure")
        problems.append(Problem("only_one_sequence", detail, field="groups"))
    long = [cards for cards, kind in judged if len(cards) >= LONG and kind is not GroupKind.SET]
    if options.long_sequence is True and not long:
        detail = say("no sequence has {number} cards; by these rules a show needs one", number=LONG)
        problems.append(Problem("no_long_sequence", detail, field="groups"))
    return problems


def _count(laid: LaidDown, judged: Judged, wild: int | None, options: HandOptions) -> int:
    """What a loser would pay. A group with a card that is not in the hand protects nothing."""
    if laid.hand is None:
        return laid_count(judged, laid.cards, wild=wild, options=options)
    cards_left = Counter(laid.hand)
    held_groups = []
    for group, kind in judged:
        if Counter(group) <= cards_left:
            cards_left -= Counter(group)
            held_groups.append((group, kind))
    return laid_count(held_groups, laid.hand, wild=wild, options=options)


class Beyond(NamedTuple):
    """A card that occurs more often than in the packs, and the seats that hold it, in the order of the sheet."""

    card: Card
    times: int
    most: int
    seats: tuple[str, ...]


def beyond_the_packs(hands: Mapping[str, Iterable[Card]], *, packs: int, jokers: int) -> Iterator[Beyond]:
    """Every card of which there are too many. `jokers` are all printed jokers in play."""
    counts_by_seat = {seat: Counter(card.number for card in cards) for seat, cards in hands.items()}
    for number, times in sum(counts_by_seat.values(), Counter[int]()).items():
        most = jokers if number == PRINTED_NUMBER else packs
        if times > most:
            seats = tuple(seat for seat, cards in counts_by_seat.items() if number in cards)
            yield Beyond(CARDS[number], times, most, seats)


def hands_beyond_packs(hands: Mapping[str, str], *, packs: int, jokers: int) -> list[Problem]:
    """The same for the hands of a sheet, as a problem of the last seat that holds such a card."""
    cards_by_seat = {seat: parse_cards(cards, "hands") for seat, cards in hands.items()}
    return [
        beyond_problem(excess_card, field="hands")
        for excess_card in beyond_the_packs(cards_by_seat, packs=packs, jokers=jokers)
    ]


def beyond_problem(found: Beyond, *, field: str) -> Problem:
    """The problem: who, which card, and both numbers."""
    detail = say(
        "{seat} holds {card}: the hands show it {number} times, and the packs hold {most}",
        seat=Seat(found.seats[-1]),
        card=found.card.text,
        number=found.times,
        most=found.most,
    )
    return Problem("impossible_card_count", detail, field=field)
