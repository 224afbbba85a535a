"""A slow judge of hands that tries everything, for comparison with the fast one.

It shares nothing with the judge but the way cards are written: a hand is a bit mask of 13 real cards, a group is
any three or more of them for which some casting of roles fits the rules as they are worded, and the best
arrangement is found by putting the first card loose or into every group that holds it.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

RANKS = "A23456789TJQK"
JOKER = "PJ"
NOTHING = -(10**6)


@dataclass(frozen=True)
class House:
    """The options of one house."""

    ace: str = "both"
    joker_rule: str = "one_natural"
    deduct_sets: bool = True
    pure_alone_protects: bool = False
    max_set_size: int = 4
    identical_cards: bool = False
    long_sequence: bool = False


def points_of(card, wild_rank):
    """Indian values: tens, court cards and aces 10, jokers of both kinds nothing."""
    if card == JOKER or card[0] == wild_rank:
        return 0
    return 10 if card[0] in "ATJQK" else int(card[0])


def rule_allows(rule, naturals, jokers):
    """The joker rules as worded."""
    return {
        "any": True,
        "one_natural": naturals >= 1,
        "half": jokers <= naturals,
        "two_natural": naturals >= 2,
        "one_in_sequence": naturals >= 1 and jokers <= 1,
    }[rule]


def is_sequence(naturals, jokers, ace):
    """Whether the cards, with jokers in the holes and at the ends, are consecutive cards of one suit."""
    size = len(naturals) + jokers
    if len({card[1] for card in naturals}) > 1 or size > 13:
        return False
    ladders = [RANKS] if ace == "low" else [RANKS, RANKS[1:] + "A"]
    ranks = [card[0] for card in naturals]
    if len(set(ranks)) < len(ranks):
        return False
    for ladder in ladders:
        for start in range(len(ladder) - size + 1):
            if set(ranks) <= set(ladder[start : start + size]):
                return True
    return False


def is_set(naturals, jokers, largest):
    """Whether the cards are of one rank and of different suits."""
    if len(naturals) + jokers > largest:
        return False
    suits = [card[1] for card in naturals]
    return len({card[0] for card in naturals}) <= 1 and len(set(suits)) == len(suits)


@lru_cache(maxsize=400_000)
def kind_of(cards, wild_rank, ace, rule, largest, *, identical=False):
    """The best kind of a group over every assignment of its wild cards: pure, impure, set or None."""
    if identical and len(cards) == 3 and len(set(cards)) == 1 and JOKER not in cards:
        return "pure"
    fixed = [card for card in cards if card != JOKER and card[0] != wild_rank]
    if len({card[0] for card in fixed}) > 1 and len({card[1] for card in fixed}) > 1:
        return None
    wilds = [card for card in cards if card != JOKER and card[0] == wild_rank]
    printed = cards.count(JOKER)
    readings = set()
    for size in range(len(wilds) + 1):
        for own in combinations(wilds, size):
            naturals = [*fixed, *own]
            jokers = printed + len(wilds) - size
            of_sets = "one_natural" if rule == "one_in_sequence" else rule
            if rule_allows(rule, len(naturals), jokers) and is_sequence(naturals, jokers, ace):
                readings.add("pure" if jokers == 0 else "impure")
            elif rule_allows(of_sets, len(naturals), jokers) and is_set(naturals, jokers, largest):
                readings.add("set")
    return next((kind for kind in ("pure", "impure", "set") if kind in readings), None)


class Exhaustive:
    """One hand under one house, every arrangement tried."""

    def __init__(self, cards, wild_rank, house):
        self.cards = tuple(sorted(cards))
        self.wild_rank = wild_rank
        self.house = house
        self.points = [points_of(card, wild_rank) for card in self.cards]
        self.groups = self._groups_by_first_card()

    def _groups_by_first_card(self):
        house, cards = self.house, self.cards
        groups: dict[int, list[tuple[tuple[int, ...], str]]] = {index: [] for index in range(len(cards))}
        for mask in self._masks():
            members = [index for index in range(len(cards)) if mask >> index & 1]
            if len(members) < 3:
                continue
            names = tuple([cards[index] for index in members])
            kind = kind_of(
                names,
                self.wild_rank,
                house.ace,
                house.joker_rule,
                house.max_set_size,
                identical=house.identical_cards,
            )
            if kind:
                groups[members[0]].append((tuple(members), kind))
        return groups

    def _masks(self):
        """Every choice of cards that, wild ones aside, are of one suit or of one rank."""
        cards = self.cards
        wild = {index for index, card in enumerate(cards) if card == JOKER or card[0] == self.wild_rank}
        families: dict[str, set[int]] = {}
        for index, card in enumerate(cards):
            if index not in wild:
                families.setdefault(card[0], set()).add(index)
                families.setdefault(card[1].lower(), set()).add(index)
        found = set()
        for family in [*families.values(), set()]:
            masks = [0]
            for index in sorted(family | wild):
                # Of equal cards the first ones are taken, so that each group is tried once.
                twin = index > 0 and cards[index - 1] == cards[index]
                masks += [mask | 1 << index for mask in masks if not twin or mask >> (index - 1) & 1]
            found.update(masks)
        return found

    def _most(self, weigh):
        """Most weight in groups for: any, one sequence, one pure, two sequences, two of them one pure."""
        # Counts of the different cards side by side, five bits each; the fifth shows where one has run out.
        shift = {name: 5 * place for place, name in enumerate(sorted(set(self.cards)))}
        spent = sum(16 << place for place in shift.values())
        groups: dict[int, list[Any]] = {place: [] for place in shift.values()}
        for index, found in self.groups.items():
            for members, kind in found:
                need = sum(1 << shift[self.cards[member]] for member in members)
                weight = sum(weigh(member, kind) for member in members)
                groups[shift[self.cards[index]]].append((need, weight, kind))
        kept = {0: (0, NOTHING, NOTHING, NOTHING, NOTHING)}

        def most(left):
            if left in kept:
                return kept[left]
            place = ((left & -left).bit_length() - 1) // 5 * 5
            best = most(left - (1 << place))
            for need, weight, kind in groups[place]:
                if (left | spent) - need & spent == spent:
                    best = better(best, with_group(most(left - need), kind), weight)
            kept[left] = best
            return best

        return most(sum(1 << shift[card] for card in self.cards))

    def count(self):
        """The least that the hand can cost, before the full count."""
        house, total = self.house, sum(self.points)

        def weigh(member, kind):
            return 0 if kind == "set" and not house.deduct_sets else self.points[member]

        best = max(0, self._most(weigh)[4])
        if house.pure_alone_protects:
            pure = [sum(self.points[m] for m in members) for members, kind in self._all() if kind == "pure"]
            best = max([best, *pure])
        return total - best

    def qualifies(self):
        """Whether two sequences, one of them pure, can be laid down."""
        return self._most(lambda member, kind: 0)[4] >= 0

    def declarable(self):
        """Whether all cards can be laid down in a valid show."""
        if self.house.long_sequence:
            return self._is_shown(Counter(self.cards), 0, is_pure=False, is_long=False)
        return self._most(lambda member, kind: 1)[4] == len(self.cards)

    def _is_shown(self, left, sequences, *, is_pure, is_long):
        """Whether the cards left can be laid down, so that with those laid before they are a show with a long one."""
        if not left:
            return sequences > 1 and is_pure and is_long
        for names, kind in self._by_name[min(left)]:
            if names <= left:
                is_sequence = kind != "set"
                longer = is_long or (is_sequence and names.total() > 3)
                pure = is_pure or kind == "pure"
                if self._is_shown(left - names, sequences + is_sequence, is_pure=pure, is_long=longer):
                    return True
        return False

    @cached_property
    def _by_name(self):
        """Groups as counts of their cards, by their first card."""
        found: dict[str, list[tuple[Counter[str], str]]] = {card: [] for card in self.cards}
        for members, kind in self._all():
            found[self.cards[members[0]]].append((Counter(self.cards[member] for member in members), kind))
        return found

    def _all(self):
        return [group for found in self.groups.values() for group in found]


def with_group(rest, kind):
    """The five states after one more group is laid beside the rest."""
    plain, one, pure, two, both = rest
    if kind == "set":
        return rest
    if kind == "impure":
        return (plain, max(plain, one), pure, max(one, two), max(pure, both))
    return (plain, max(plain, one), max(plain, pure), max(one, two), max(one, pure, two, both))


def better(best, other, weight):
    """The better of two, state by state."""
    return tuple([old if old > new + weight else new + weight for old, new in zip(best, other, strict=True)])
