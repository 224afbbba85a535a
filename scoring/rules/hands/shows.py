"""Judging a show: is every group a group, are all 13 cards in one, are there two sequences and a pure one.

Rules: docs/rules/indian.md, section 3 (a valid show). Knows nothing of what a wrong show costs.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.problems import Problem
from scoring.rules.arrangements import HAND_SIZE, SEQUENCES, GroupKind, HandOptions, fault_of, kind_of
from scoring.rules.cards import Card, write_cards
from scoring.rules.hands.indian import Cards, copy_problems, laid_count, not_13_cards

FAULTS = {
    "group_too_small": "a group needs at least three cards",
    "set_too_large": "a set may have no more than {largest} cards, jokers included",
    "duplicate_suit_in_set": "a set may not hold two cards of one suit",
    "broken_run": "the cards are not consecutive, or one of them is there twice",
    "wraparound_ace": "a sequence does not go round from the king over the ace to the two",
    "mixed_group": "the cards are neither of one suit nor of one rank",
    "all_joker_group": "no card stands for itself",
    "too_many_jokers": "the house does not allow so many jokers in one group",
}
LOW_ACE_FAULT = "the ace lies below the two only"


Judged = Sequence[tuple[Cards, GroupKind | None]]


@dataclass(frozen=True, slots=True)
class Ruling:
    """The judge's answer to a show: what each group is, why it is wrong, and what it costs a loser."""

    kinds: tuple[GroupKind | None, ...]
    count_if_loser: int
    problems: tuple[Problem, ...]

    @property
    def valid_show(self) -> bool:
        """Nothing is wrong with it."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class LaidDown:
    """The cards as they lie on the table. `hand` is what the player holds, where that is known."""

    groups: tuple[Cards, ...]
    loose: Cards = ()
    hand: Cards | None = None

    @property
    def cards(self) -> list[Card]:
        """Every card on the table."""
        return [*(card for group in self.groups for card in group), *self.loose]


def judge_show(laid: LaidDown, *, wild: int | None, options: HandOptions) -> Ruling:
    """Judge a show. Every problem is named at once, each by its root: a broken group is not also a lack."""
    judged = [(group, kind_of(group, wild, options)) for group in laid.groups]
    kinds = tuple([kind for _, kind in judged])
    problems = [
        *_size_problems(laid),
        *_copy_problems(laid, options),
        *_unheld_problems(laid),
        *_group_problems(judged, wild, options),
        *_lacks(kinds),
    ]
    if laid.loose:
        detail = f"{write_cards(laid.loose)} in no group: a show uses all {HAND_SIZE} cards"
        problems.append(Problem(code="loose_cards", field="loose", detail=detail))
    return Ruling(kinds, _count(laid, judged, wild, options), tuple(problems))


def laid_down_problems(laid: LaidDown, options: HandOptions) -> list[Problem]:
    """Why the cards of a losing hand cannot be what the player held, whatever the groups are worth."""
    return [*_size_problems(laid), *_copy_problems(laid, options), *_unheld_problems(laid)]


def _size_problems(laid: LaidDown) -> list[Problem]:
    found = []
    count = len(laid.cards)
    if count != HAND_SIZE:
        found.append(not_13_cards(count, field="groups"))
    if laid.hand is not None and len(laid.hand) != HAND_SIZE:
        found.append(not_13_cards(len(laid.hand), field="hand"))
    return found


def _copy_problems(laid: LaidDown, options: HandOptions) -> list[Problem]:
    if laid.hand is not None:
        return copy_problems(laid.hand, options, field="hand")
    return copy_problems(laid.cards, options, field="groups")


def _unheld_problems(laid: LaidDown) -> list[Problem]:
    if laid.hand is None:
        return []
    shown, held = Counter(laid.cards), Counter(laid.hand)
    return [
        Problem(
            code="card_not_in_hand",
            field="groups",
            detail=f"{card.text} is laid {times} {'time' if times == 1 else 'times'}, but the hand holds {held[card]}",
        )
        for card, times in shown.items()
        if times > held[card]
    ]


def _group_problems(judged: Judged, wild: int | None, options: HandOptions) -> list[Problem]:
    found = []
    for index, (group, kind) in enumerate(judged):
        code = None if kind is not None else fault_of(group, wild, options)
        if code is not None:
            why = FAULTS[code].format(largest=options.max_set_size)
            if code == "wraparound_ace" and not options.has_high_ace:
                why = LOW_ACE_FAULT
            name = write_cards(group) or "an empty group"
            found.append(Problem(code=code, field=f"groups[{index}]", detail=f"{name}: {why}"))
    return found


def _lacks(kinds: Iterable[GroupKind | None]) -> list[Problem]:
    """What the show would still lack if every group that is none were mended into a pure sequence."""
    kinds = list(kinds)
    sequences = sum(kind in SEQUENCES for kind in kinds)
    faulty = kinds.count(None)
    found = []
    if not faulty and GroupKind.PURE_SEQUENCE not in kinds:
        detail = "no sequence is without jokers; a show needs a pure one"
        found.append(Problem(code="no_pure_sequence", field="groups", detail=detail))
    if sequences + faulty < 2:
        detail = f"{'one sequence' if sequences else 'no sequence'}; a show needs two, one of them pure"
        found.append(Problem(code="only_one_sequence", field="groups", detail=detail))
    return found


def _count(laid: LaidDown, judged: Judged, wild: int | None, options: HandOptions) -> int:
    """What a loser would pay. A group with a card that the hand does not hold protects nothing."""
    if laid.hand is None:
        return laid_count(judged, laid.cards, wild=wild, options=options)
    left = Counter(laid.hand)
    held = []
    for group, kind in judged:
        if Counter(group) <= left:
            left -= Counter(group)
            held.append((group, kind))
    return laid_count(held, laid.hand, wild=wild, options=options)
