"""Groups laid on the table: the kind of a group of cards, and what is wrong with an invalid one.

Rules: docs/rules/indian.md, section 3 (sequences and sets). Knows nothing of hands, counts or shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.arrangements.house import SHORTEST, HandOptions, admits, set_rule
from scoring.rules.cards import ACE, PRINTED_NUMBER, RANK_COUNT, Card

HIGH_ACE = RANK_COUNT


class GroupKind(StrEnum):
    """The kind of a valid group. Cards that can be read as a sequence are one."""

    PURE_SEQUENCE = "pure_sequence"
    IMPURE_SEQUENCE = "impure_sequence"
    SET = "set"


SEQUENCES = frozenset({GroupKind.PURE_SEQUENCE, GroupKind.IMPURE_SEQUENCE})


@dataclass(frozen=True, slots=True)
class Group:
    """A valid group, its cards in the order in which they would be on the table."""

    kind: GroupKind
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The cards of a group by role: `fixed` must be themselves, `wilds` may, the rest are printed jokers."""

    fixed: tuple[Card, ...]
    wilds: tuple[Card, ...]
    size: int


def part(cards: Sequence[Card], wild: int | None) -> Roles:
    """Sort the cards of a group by what they can be used as."""
    ranked = [card for card in cards if card.number != PRINTED_NUMBER]
    if wild is None:
        return Roles(tuple(ranked), (), len(cards))
    fixed = [card for card in ranked if card.number % RANK_COUNT != wild]
    wilds = [card for card in ranked if card.number % RANK_COUNT == wild] if len(fixed) < len(ranked) else ()
    return Roles(tuple(fixed), tuple(wilds), len(cards))


def kind_of(cards: Sequence[Card], wild: int | None, options: HandOptions) -> GroupKind | None:
    """The kind of the group under the house options; None where the cards are no group."""
    roles = part(cards, wild)
    if roles.size < SHORTEST:
        return None
    if options.identical_cards is True and _are_identical(cards):
        return GroupKind.PURE_SEQUENCE
    return _sequence_kind(roles, wild, options) or _set_kind(roles, options)


def _are_identical(cards: Sequence[Card]) -> bool:
    """Whether they are the three copies of one card that three packs hold."""
    return len(cards) == SHORTEST and len({card.number for card in cards}) == 1 and not cards[0].is_printed_joker


def _sequence_kind(roles: Roles, wild: int | None, options: HandOptions) -> GroupKind | None:
    suits = {card.number // RANK_COUNT for card in roles.fixed}
    if len(suits) > 1:
        return None
    # Cards of the wild rank are one place of a suit, so at most one of them is used as itself.
    own = [card for card in roles.wilds if not suits or card.number // RANK_COUNT in suits]
    ranks = [card.number % RANK_COUNT for card in roles.fixed]
    if own and wild is not None:
        kind = _run_kind([*ranks, wild], roles.size, options)
        if kind is not None:
            return kind
    return _run_kind(ranks, roles.size, options)


def _run_kind(ranks: list[int], size: int, options: HandOptions) -> GroupKind | None:
    """The kind of a sequence in which these ranks of one suit are themselves."""
    jokers = size - len(ranks)
    if size > RANK_COUNT or not admits(options.joker_rule, naturals=len(ranks), jokers=jokers):
        return None
    if not fits_in_run(ranks, size, has_high_ace=options.has_high_ace):
        return None
    return GroupKind.IMPURE_SEQUENCE if jokers else GroupKind.PURE_SEQUENCE


def fits_in_run(ranks: Sequence[int], size: int, *, has_high_ace: bool) -> bool:
    """Whether cards of one suit are within `size` consecutive places, no place taken twice."""
    if not ranks:
        return True
    if len(set(ranks)) < len(ranks):
        return False
    if max(ranks) - min(ranks) < size:
        return True
    if not has_high_ace or ACE not in ranks:
        return False
    raised = [HIGH_ACE if rank == ACE else rank for rank in ranks]
    return max(raised) - min(raised) < size


def _set_kind(roles: Roles, options: HandOptions) -> GroupKind | None:
    ranks = {card.rank for card in roles.fixed}
    if len(ranks) > 1 or roles.size > options.max_set_size:
        return None
    suits = {card.suit for card in roles.fixed or roles.wilds}
    if roles.fixed and len(suits) < len(roles.fixed):
        return None
    # Wild cards of several suits are best taken as themselves; a second one of a suit is a joker.
    naturals = len(suits)
    if not admits(set_rule(options.joker_rule), naturals=naturals, jokers=roles.size - naturals):
        return None
    return GroupKind.SET


def fault_of(cards: Sequence[Card], wild: int | None, options: HandOptions) -> str | None:
    """The code of what is wrong with a group, one reason only: the one to fix first. None for a valid group."""
    if kind_of(cards, wild, options) is not None:
        return None
    roles = part(cards, wild)
    if roles.size < SHORTEST:
        return "group_too_small"
    if not roles.fixed and not roles.wilds:
        return "all_joker_group"
    if len({card.rank for card in roles.fixed}) > 1:
        return _run_fault(roles, wild, options)
    return _set_fault(roles, options)


def _set_fault(roles: Roles, options: HandOptions) -> str:
    """What is wrong with cards of one rank."""
    if len({card.suit for card in roles.fixed}) < len(roles.fixed):
        return "duplicate_suit_in_set"
    naturals = {card.suit for card in roles.fixed or roles.wilds}
    if roles.size > options.max_set_size and len(naturals) > 1:
        return "set_too_large"
    return "too_many_jokers"


def _run_fault(roles: Roles, wild: int | None, options: HandOptions) -> str:
    """What is wrong with cards of several ranks, which could only be a sequence."""
    if len({card.suit for card in roles.fixed}) > 1:
        return "mixed_group"
    ranks = [card.number % RANK_COUNT for card in roles.fixed]
    if len(set(ranks)) < len(ranks):
        return "broken_run"
    if roles.size <= RANK_COUNT and fits_in_run(ranks, roles.size, has_high_ace=options.has_high_ace):
        return "too_many_jokers"
    return "wraparound_ace" if _goes_round(ranks, roles.size) else "broken_run"


def _goes_round(ranks: list[int], size: int) -> bool:
    """Whether the cards would be consecutive if the king were followed by the ace and the ace by the two."""
    if ACE not in ranks:
        return False
    return any(max((rank - start) % RANK_COUNT for rank in ranks) < size for start in ranks)
