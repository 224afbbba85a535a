"""The search for the most points that a losing hand need not count.

First the hand without sets, then every way to lay down sets, the most promising first, until none can be better.
For each, one pure sequence leads and the other suits' tables do the rest. Exact: nothing is cut off that could win.
Rules: docs/rules/indian.md, section 4 (counting a loser).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scoring.rules.arrangements.cover import SUIT_MASK, SuitCover, cover_for, house_key
from scoring.rules.arrangements.holding import SUIT_SHIFTS, Holding, Lead, leads, presence
from scoring.rules.arrangements.house import SHORTEST, HandOptions, admits, rank_points, set_rule
from scoring.rules.cards import SUITS

# Which sets a hand can lay down together, and the points they save.


COLUMN = sum(1 << shift for shift in SUIT_SHIFTS)


class SetOfCards(NamedTuple):
    """Cards of one rank and different suits, packed like a holding, and the jokers they need."""

    cards: int
    jokers: int
    points: int
    rank: int
    suits: tuple[int, ...]


class Choice(NamedTuple):
    """Sets laid down together: what is left of the naturals, jokers used, points saved."""

    left: int
    jokers: int
    points: int
    sets: tuple[SetOfCards, ...]


def choices(holding: Holding, joker_rule: str) -> Iterator[Choice]:
    """Every way to lay down one or more sets."""
    possible = _possible_sets(holding, joker_rule)
    return _laid(Choice(holding.naturals, 0, 0, ()), possible, holding.pool)


def _laid(so_far: Choice, possible: list[SetOfCards], pool: int) -> Iterator[Choice]:
    present = presence(so_far.left)
    for index, set_of_cards in enumerate(possible):
        if set_of_cards.cards & ~present or so_far.jokers + set_of_cards.jokers > pool:
            continue
        more = Choice(
            so_far.left - set_of_cards.cards,
            so_far.jokers + set_of_cards.jokers,
            so_far.points + set_of_cards.points,
            (*so_far.sets, set_of_cards),
        )
        yield more
        yield from _laid(more, possible[index:], pool)


def _possible_sets(holding: Holding, joker_rule: str) -> list[SetOfCards]:
    """Sets that a sequence could not replace: of one card and two jokers only where a sequence may not hold so many."""
    present = presence(holding.naturals)
    pairs_jokers = holding.pool > 1 and not admits(joker_rule, naturals=1, jokers=2)
    if pairs_jokers and admits(set_rule(joker_rule), naturals=1, jokers=2):
        ranks = (
            present | present >> SUIT_SHIFTS[1] | present >> SUIT_SHIFTS[2] | present >> SUIT_SHIFTS[3]
        ) & SUIT_MASK
        places = [place for place in range(0, SUIT_MASK.bit_length(), 2) if ranks >> place & 1]
        return [
            set_of_cards
            for place in places
            for set_of_cards in _sets_of_rank(present >> place & COLUMN, place >> 1, holding.wild, 1)
        ]
    spades, hearts, diamonds, clubs = (present >> shift & SUIT_MASK for shift in SUIT_SHIFTS)
    reds, blacks = hearts | diamonds, spades | clubs
    both_reds, both_blacks = hearts & diamonds, spades & clubs
    twice = both_reds | both_blacks | reds & blacks
    set_ranks = twice if holding.pool else both_reds & blacks | both_blacks & reds
    sets: list[SetOfCards] = []
    while set_ranks:
        lowest = set_ranks & -set_ranks
        set_ranks ^= lowest
        at = lowest.bit_length() - 1
        suits = present >> at & COLUMN
        sets += _sets_of_rank(suits, at >> 1, holding.wild, SHORTEST - 1 if holding.pool else SHORTEST)
    return sets


@lru_cache(maxsize=20_000)
def _sets_of_rank(column: int, rank: int, wild: int | None, fewest: int) -> tuple[SetOfCards, ...]:
    held_suits = [suit for suit in range(len(SUITS)) if column >> SUIT_SHIFTS[suit] & 1]
    worth = rank_points(wild)[rank]
    return tuple(
        SetOfCards(
            sum(1 << (SUIT_SHIFTS[suit] + 2 * rank) for suit in suits),
            max(0, SHORTEST - size),
            worth * size,
            rank,
            suits,
        )
        for size in range(len(held_suits), fewest - 1, -1)
        for suits in combinations(held_suits, size)
    )


SUIT_COUNT = len(SUIT_SHIFTS)


@dataclass(frozen=True, slots=True)
class Found:
    """The sets and the leading pure sequence of an arrangement, and the points saved with them."""

    points: int
    choice: Choice
    lead: Lead


class Search:
    """One hand under one house's options."""

    def __init__(self, holding: Holding, options: HandOptions) -> None:
        self.holding = holding
        self.options = options
        rule, has_high_ace, identical = house_key(options)
        self.leads = leads(holding, has_high_ace=has_high_ace, identical_cards=identical)
        plain = cover_for(rule, None, has_high_ace=has_high_ace, identical_cards=identical)
        self._wild_suits = [0] * SUIT_COUNT
        self.covers: list[SuitCover] = [plain] * SUIT_COUNT
        # With at least one natural a joker can do all that a wild card as itself could do, except in the lead.
        if rule != "one_natural" and holding.wilds:
            self._wild_suits = [holding.wilds >> shift & SUIT_MASK for shift in SUIT_SHIFTS]
            own = cover_for(rule, holding.wild, has_high_ace=has_high_ace, identical_cards=identical)
            self.covers = [own if wilds else plain for wilds in self._wild_suits]

    def best(self) -> Found | None:
        """The arrangement with two sequences, one pure, that saves most; None where there is none."""
        holding = self.holding
        if not self.leads:
            return None
        best_arrangement = self._led(Choice(holding.naturals, 0, 0, ()), None)
        if best_arrangement is None or not self.options.deduct_sets or best_arrangement.points == holding.total:
            return best_arrangement
        least = best_arrangement.points
        hopes = [
            (bound, choice)
            for choice in choices(holding, self.options.joker_rule)
            if (bound := self._bound(choice)) > least
        ]
        hopes.sort(key=lambda hope: -hope[0])
        for bound, choice in hopes:
            if bound <= best_arrangement.points:
                break
            best_arrangement = self._led(choice, best_arrangement) or best_arrangement
        return best_arrangement

    def suits(self, left: int) -> list[int]:
        """The four suits as the caches need them, without the cards that are in sets."""
        return [(left >> shift & SUIT_MASK) + wilds for shift, wilds in zip(SUIT_SHIFTS, self._wild_suits, strict=True)]

    def without_lead(self, suits: list[int], lead: Lead) -> list[int]:
        """The suits without the leading pure sequence."""
        lead_cards = lead.cards if self._wild_suits[lead.suit] else lead.plain
        return [suit - lead_cards if index == lead.suit else suit for index, suit in enumerate(suits)]

    def spare_sequence(self, jokers: int, lead: Lead) -> bool:
        """Whether jokers alone, or wild cards with jokers, can be the second sequence."""
        if jokers < SHORTEST:
            return False
        if self.identical_wilds(lead) is not None:
            return True
        rule = self.options.joker_rule
        if rule == "one_natural":
            return self.holding.pool - self.holding.printed > lead.jokers
        return rule == "any"

    def identical_wilds(self, lead: Lead) -> int | None:
        """A suit of which all three wild cards are free beside the leading sequence, where they are a sequence."""
        wild = self.holding.wild
        if wild is None or self.options.identical_cards is not True:
            return None
        lead_wilds = (lead.cards - lead.plain) << SUIT_SHIFTS[lead.suit]
        wilds_left = self.holding.wilds - lead_wilds
        return next((suit for suit, shift in enumerate(SUIT_SHIFTS) if wilds_left >> shift + 2 * wild & 3 == 3), None)

    def _bound(self, choice: Choice) -> int:
        """No arrangement with these sets can save more: every suit gets all the jokers."""
        pool = self.holding.pool - choice.jokers
        saved = choice.points
        for cover, suit in zip(self.covers, self.suits(choice.left), strict=True):
            if suit:
                saved += cover.most(suit, pool)
        return min(saved, self.holding.total)

    def _led(self, choice: Choice, found: Found | None) -> Found | None:
        """The best with exactly these sets, where it beats what was found."""
        pool = self.holding.pool - choice.jokers
        suits = self.suits(choice.left)
        rows = [cover.row(suit, pool) for cover, suit in zip(self.covers, suits, strict=True)]
        bound = choice.points + joined(rows)[pool]
        best = -1 if found is None else found.points
        result = None
        if bound <= best:
            return None
        others = {lead.suit: joined(rows[: lead.suit] + rows[lead.suit + 1 :]) for lead in self.leads}
        for lead in self.leads:
            saved = self._saved_with(lead, choice, suits[lead.suit], others[lead.suit])
            if saved > best:
                best, result = saved, Found(saved, choice, lead)
                if saved == bound:
                    break
        return result

    def _saved_with(self, lead: Lead, choice: Choice, suit: int, others: list[int]) -> int:
        """Points saved when this pure sequence leads; -1 where it or a second sequence is impossible."""
        pool = self.holding.pool - choice.jokers - lead.jokers
        present = choice.left >> SUIT_SHIFTS[lead.suit] & SUIT_MASK
        if pool < 0 or lead.plain & ~(present if lead.is_identical else present | present >> 1):
            return -1
        lead_cards = lead.cards if self._wild_suits[lead.suit] else lead.plain
        row = self.covers[lead.suit].row(suit - lead_cards, pool)
        rest = max([row[used] + others[pool - used] for used in range(pool + 1)])
        if not rest and not self.spare_sequence(pool, lead):
            return -1
        return choice.points + lead.points + rest


def joined(rows: list[list[int]]) -> list[int]:
    """The most points of several suits together for every number of jokers shared among them."""
    first, *others = rows
    for row in others:
        first = merged(first, row)
    return first


def merged(left: list[int], right: list[int]) -> list[int]:
    """The most points of two suits for every number of jokers they share."""
    if right[0] == right[-1]:
        return [points + right[0] for points in left] if right[0] else left
    if left[0] == left[-1]:
        return [points + left[0] for points in right] if left[0] else right
    return [max(left[used] + right[count - used] for used in range(count + 1)) for count in range(len(left))]
