"""The most points that sequences of one suit can cover with a given number of jokers.

A suit is one integer: two bits for each of 14 places, the ace at both ends, so up to three copies of a card. Results
are cached, because suits repeat from hand to hand. Rules: docs/rules/indian.md, section 3 (sequences). Knows nothing of
sets, of other suits, or of how many sequences a hand needs.
"""

from functools import lru_cache

from scoring.rules.arrangements.house import SHORTEST, HandOptions, Shape, fitting, rank_points, shapes
from scoring.rules.cards import ACE, RANK_COUNT

PLACES = RANK_COUNT + 1
HIGH_ACE_SHIFT = 2 * RANK_COUNT
EACH_PLACE = sum(1 << (2 * place) for place in range(PLACES))
SUIT_MASK = (1 << (2 * PLACES)) - 1
ACE_MASK = 3
JOKER_BITS = 4
# About 120 bytes each, in three caches for each house rule; a full cache is emptied.
MOST_KEPT = 30_000

# Sequences that may start at a suit's lowest card, three numbers for each: its cards as a suit, its price in
# jokers, its points. They lie flat in one tuple: many thousands are kept, and as tuples of their own they made
# the garbage collector stop a hand for many times what it takes to judge it.
Openings = tuple[int, ...]


class SuitCover:
    """Covers suits under one house rule. `wild` is given where wild cards may be used as themselves here."""

    def __init__(self, joker_rule: str, *, wild: int | None, has_high_ace: bool, identical_cards: bool = False) -> None:
        self._joker_rule = joker_rule
        self._identical_cards = identical_cards
        self._has_high_ace = has_high_ace
        points = rank_points(wild)
        self._points = (*points, points[ACE])
        # Wild cards used as themselves come out of the same pool as jokers.
        self._wild_places = 0 if wild is None else _places_of(wild)
        self._span = max(shape.cards.bit_length() for shape in shapes(joker_rule))
        self._kept: dict[int, int] = {}
        self._answers: dict[int, int] = {}
        self._openings: dict[int, Openings] = {}
        self._worth: dict[int, int] = {}

    def most(self, suit: int, jokers: int) -> int:
        """The most points that sequences of this suit can cover with at most `jokers` jokers."""
        key = suit << JOKER_BITS | jokers
        answer = self._answers.get(key)
        if answer is None:
            self._make_room()
            answer = max(self._cover(dealt, jokers, self.worth(dealt)) for dealt in self._readings(suit))
            self._answers[key] = answer
        return answer

    def row(self, suit: int, jokers: int) -> list[int]:
        """The most points for 0, 1, ... up to `jokers` jokers."""
        if not suit:
            return [0] * (jokers + 1)
        worth = self.worth(suit)
        row: list[int] = []
        for count in range(jokers + 1):
            row.append(self.most(suit, count))
            if row[-1] == worth:
                return row + [worth] * (jokers - count)
        return row

    def sequences(self, suit: int, jokers: int) -> list[int]:
        """Sequences that cover exactly the most points, each as cards of a suit with the ace at one end."""
        target = self.most(suit, jokers)
        best = next(cards for cards in self._readings(suit) if self._cover(cards, jokers, self.worth(cards)) == target)
        return self._traced(best, jokers)

    def worth(self, suit: int) -> int:
        """The cost in hand of all of the suit's cards."""
        suit_worth = self._worth.get(suit)
        if suit_worth is None:
            suit_worth = sum((suit >> 2 * place & 3) * self._points[place] for place in range(PLACES))
            self._worth[suit] = suit_worth
        return suit_worth

    def _make_room(self) -> None:
        for table in (self._kept, self._answers, self._worth):
            if len(table) > MOST_KEPT:
                table.clear()

    def _readings(self, suit: int) -> list[int]:
        """The suit with none, some or all of its aces above the king."""
        aces = suit & ACE_MASK
        if not aces or not self._has_high_ace:
            return [suit]
        return [suit - high + (high << HIGH_ACE_SHIFT) for high in range(aces + 1)]

    def _cover(self, cards: int, jokers: int, worth: int) -> int:
        """The same for a suit whose aces are placed. `worth` is the value of its cards together."""
        if not cards:
            return 0
        key = cards << JOKER_BITS | jokers
        cached_best = self._kept.get(key)
        if cached_best is not None:
            return cached_best
        lowest = (cards & -cards).bit_length() - 1 & ~1
        present = (cards | cards >> 1) & EACH_PLACE
        best = 0
        if self._identical_cards and cards >> lowest & 3 == 3:
            sequence, price, points = self._three_identical(lowest)
            if price <= jokers:
                best = points + self._cover(cards - sequence, jokers - price, worth - points)
        openings = iter(self._openings_at(present, lowest))
        for sequence, price, points in zip(openings, openings, openings, strict=False):
            if price > jokers:
                break
            covered = points + self._cover(cards - sequence, jokers - price, worth - points)
            if covered > best:
                best = covered
                if best == worth:
                    break
        worth_left = worth - self._points[lowest >> 1]
        if best < worth_left:
            best = max(best, self._cover(cards - (1 << lowest), jokers, worth_left))
        self._kept[key] = best
        return best

    def _three_identical(self, lowest: int) -> tuple[int, int, int]:
        """The three copies of a card as a sequence. Wild ones come out of the pool of jokers, all three of them."""
        cards = 3 << lowest
        return cards, SHORTEST if cards & self._wild_places else 0, SHORTEST * self._points[lowest >> 1]

    def _openings_at(self, present: int, lowest: int) -> Openings:
        """The sequences that can start at the lowest card, fewest jokers first."""
        window = present >> lowest & (1 << self._span) - 1
        key = window << 5 | lowest
        openings = self._openings.get(key)
        if openings is None:
            openings = self._fitting(window, lowest)
            self._openings[key] = openings
        return openings

    def _fitting(self, window: int, lowest: int) -> Openings:
        openings = [self._opening(shape, lowest) for shape in fitting(self._joker_rule, window)]
        openings.sort(key=lambda opening: (opening[1], -opening[2]))
        return tuple([number for opening in openings for number in opening])

    def _opening(self, shape: Shape, lowest: int) -> tuple[int, int, int]:
        cards = shape.cards << lowest
        points = self._points[lowest >> 1 :]
        worth = sum([points[place] for place in shape.places])
        return cards, shape.jokers + bool(cards & self._wild_places), worth

    def _traced(self, cards: int, jokers: int) -> list[int]:
        """Follow the cached results again, taking the first choice that keeps the total."""
        sequences: list[int] = []
        while cards:
            target = self._cover(cards, jokers, self.worth(cards))
            if not target:
                break
            lowest = (cards & -cards).bit_length() - 1 & ~1
            present = (cards | cards >> 1) & EACH_PLACE
            openings = iter(self._openings_at(present, lowest))
            choices = list(zip(openings, openings, openings, strict=False))
            if self._identical_cards and cards >> lowest & 3 == 3:
                choices.insert(0, self._three_identical(lowest))
            for sequence, price, points in choices:
                rest = cards - sequence
                if price <= jokers and points + self._cover(rest, jokers - price, self.worth(rest)) == target:
                    sequences.append(sequence)
                    cards, jokers = rest, jokers - price
                    break
            else:
                cards -= 1 << lowest
        return sequences


@lru_cache(maxsize=64)
def cover_for(joker_rule: str, wild: int | None, *, has_high_ace: bool, identical_cards: bool) -> SuitCover:
    """The shared cache of one house rule."""
    return SuitCover(joker_rule, wild=wild, has_high_ace=has_high_ace, identical_cards=identical_cards)


def _places_of(rank: int) -> int:
    """The places that a rank can have, both of them for the ace."""
    return ACE_MASK | ACE_MASK << HIGH_ACE_SHIFT if rank == ACE else 3 << (2 * rank)


def house_key(options: HandOptions) -> tuple[str, bool, bool]:
    """The house options that decide which sequences exist; `any` differs only where no card is itself."""
    rule = "one_natural" if options.joker_rule == "any" else options.joker_rule
    return rule, options.has_high_ace, options.identical_cards is True
