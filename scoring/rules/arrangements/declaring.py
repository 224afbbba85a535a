"""Whether every card of a hand can be laid down where jokers need room, or a show needs a sequence of four cards.

Mostly a hand that counts nothing can be declared: spare jokers lengthen a sequence. Where they may not outnumber other
cards, or a sequence holds one, they may find no room, so every way to cover the hand is tried for one that has room for
all jokers. These are few: where so many are left over, hardly more than six cards lie beside them and the leading
sequence.
Rules: docs/rules/indian.md, section 3 (jokers). Knows nothing of points.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.problems import Defect
from scoring.rules.arrangements.cover import SUIT_MASK
from scoring.rules.arrangements.groups import Group, fits_in_run, kind_of
from scoring.rules.arrangements.holding import SUIT_SHIFTS, Holding, Lead, presence
from scoring.rules.arrangements.house import LONG, SHORTEST, HandOptions, admits, set_rule
from scoring.rules.arrangements.search import Found, Search, joined
from scoring.rules.cards import CARDS, PRINTED_NUMBER, RANK_COUNT, Card

# From the search's result to groups of cards: which card is in which group, and where each joker goes.


@dataclass(frozen=True, slots=True)
class Draft:
    """A group being laid: indexes of cards used as themselves, in order; None where a joker is."""

    cells: tuple[int | None, ...]
    is_set: bool = False
    stays_pure: bool = False

    @classmethod
    def identical(cls, number: int) -> "Draft":
        """Three copies of one card."""
        return cls((number,) * SHORTEST, stays_pure=True)

    @property
    def naturals(self) -> int:
        """How many cards are used as themselves."""
        return sum(cell is not None for cell in self.cells)

    def room(self, options: HandOptions) -> int:
        """How many more jokers the house lets this group hold. The leading sequence and identical cards stay pure."""
        if self.stays_pure:
            return 0
        room = (options.max_set_size if self.is_set else RANK_COUNT) - len(self.cells)
        if options.joker_rule == "half":
            room = min(room, 2 * self.naturals - len(self.cells))
        elif options.joker_rule == "one_in_sequence" and not self.is_set:
            room = min(room, 1 + self.naturals - len(self.cells))
        return max(0, room)


def drafts(search: Search, found: Found) -> list[Draft]:
    """The groups of the arrangement, the leading pure sequence first. Jokers not needed are left over."""
    sequences = _sequence_drafts(search, found)
    if not sequences:
        suit, wild = search.identical_wilds(found.lead), search.holding.wild
        if suit is not None and wild is not None:
            sequences = [Draft.identical(suit * RANK_COUNT + wild)]
        else:
            # All remaining jokers go to it, and with them the wild card that is used as itself.
            sequences = [Draft((None,) * SHORTEST)]
    sets = [set_draft(set_of_cards.rank, set_of_cards.suits, set_of_cards.jokers) for set_of_cards in found.choice.sets]
    return [lead_draft(found.lead), *sequences, *sets]


def lead_draft(lead: Lead) -> Draft:
    """The leading pure sequence."""
    if lead.is_identical:
        return Draft.identical(lead.suit * RANK_COUNT + lead.place)
    places = range(lead.place, lead.place + lead.length)
    return Draft(tuple(lead.suit * RANK_COUNT + place % RANK_COUNT for place in places), stays_pure=True)


def set_draft(rank: int, suits: Sequence[int], jokers: int) -> Draft:
    """A set of one rank with its jokers."""
    return Draft((*(suit * RANK_COUNT + rank for suit in suits), *[None] * jokers), is_set=True)


def with_jokers(laid: Iterable[Draft], jokers: int, options: HandOptions) -> list[Draft] | None:
    """The same groups with so many more jokers; None where they lack the room, or a sequence that is long enough."""
    filled: list[Draft] = []
    if options.long_sequence is True:
        laid = sorted(laid, key=lambda draft: draft.is_set)
    for draft in laid:
        more = min(jokers, draft.room(options))
        jokers -= more
        filled.append(Draft(draft.cells + (None,) * more, is_set=draft.is_set, stays_pure=draft.stays_pure))
    if options.long_sequence is True and not any(len(draft.cells) >= LONG and not draft.is_set for draft in filled):
        return None
    return None if jokers else filled


def jokers_left(laid: Iterable[Draft], holding: Holding) -> int:
    """How many cards of the pool are in no group."""
    cells = [cell for draft in laid for cell in draft.cells]
    return holding.pool - sum(cell is None or cell % RANK_COUNT == holding.wild for cell in cells)


def hand_out(
    laid: Sequence[Draft], cards: Sequence[Card], wild: int | None, options: HandOptions
) -> tuple[tuple[Group, ...], tuple[Card, ...]]:
    """The groups as the cards of this hand, and the cards that lie loose."""
    numbers_left = sorted([card.number for card in cards])
    for draft in laid:
        for cell in draft.cells:
            if cell is not None:
                numbers_left.remove(cell)
    jokers = [number for number in numbers_left if number == PRINTED_NUMBER or number % RANK_COUNT == wild]
    groups = []
    for draft in laid:
        numbers = [jokers.pop() if cell is None else cell for cell in draft.cells]
        groups.append(_group([CARDS[number] for number in numbers], wild, options))
    loose = [number for number in numbers_left if number != PRINTED_NUMBER and number % RANK_COUNT != wild]
    return tuple(groups), tuple([CARDS[number] for number in loose + jokers])


def _group(cards: list[Card], wild: int | None, options: HandOptions) -> Group:
    # Read again: a wild card laid as a joker may be in its own place, and then the sequence is pure.
    kind = kind_of(cards, wild, options)
    if kind is None:
        raise Defect(f"the judge laid {' '.join(card.text for card in cards)}, which is no group")
    return Group(kind, tuple(cards))


def _sequence_drafts(search: Search, found: Found) -> list[Draft]:
    """The sequences besides the leading one, suit by suit, with the jokers shared out so that most is saved."""
    pool = search.holding.pool - found.choice.jokers - found.lead.jokers
    suits = search.without_lead(search.suits(found.choice.left), found.lead)
    rows = [cover.row(suit, pool) for cover, suit in zip(search.covers, suits, strict=True)]
    laid: list[Draft] = []
    for suit, jokers in enumerate(_shares(rows, pool)):
        cover = search.covers[suit]
        laid += [_draft(sequence, suit) for sequence in cover.sequences(suits[suit], jokers)]
    return laid


def _shares(rows: list[list[int]], pool: int) -> list[int]:
    """How many jokers each suit gets when all of them together save most."""
    if len(rows) == 1:
        return [pool]
    others = joined(rows[1:])
    target = max(rows[0][used] + others[pool - used] for used in range(pool + 1))
    share = next(used for used in range(pool + 1) if rows[0][used] + others[pool - used] == target)
    return [share, *_shares(rows[1:], pool - share)]


def _draft(cards: int, suit: int) -> Draft:
    """One sequence of a suit, its holes filled with jokers and lengthened to three cards."""
    first, last = (cards & -cards).bit_length() - 1 >> 1, cards.bit_length() - 1 >> 1
    if cards == 3 << 2 * first:
        return Draft.identical(suit * RANK_COUNT + first % RANK_COUNT)
    places: list[int | None] = [
        place % RANK_COUNT + suit * RANK_COUNT if cards >> 2 * place & 1 else None for place in range(first, last + 1)
    ]
    return Draft((*places, *[None] * (SHORTEST - len(places))))


Laid = tuple[Draft, ...]


class FullCover:
    """One hand whose cards must all be laid down."""

    def __init__(self, holding: Holding, options: HandOptions) -> None:
        self.holding = holding
        self.options = options

    def groups(self, leads: list[Lead]) -> list[Draft] | None:
        """A valid show of the whole hand; None where there is none."""
        for lead in leads:
            shift = SUIT_SHIFTS[lead.suit]
            naturals = self.holding.naturals - (lead.plain << shift)
            wilds = self.holding.wilds - (lead.cards - lead.plain << shift)
            laid = self._cover((lead_draft(lead),), naturals, wilds)
            if laid is not None:
                return laid
        return None

    def _cover(self, laid: Laid, naturals: int, wilds: int) -> list[Draft] | None:
        """Lay the lowest card that is left into every group it fits, then the rest."""
        if not naturals:
            return self._close(laid, wilds)
        lowest = (naturals & -naturals).bit_length() - 1 & ~1
        for draft, plain, own in self._groups_with(lowest, naturals, wilds):
            if jokers_left((*laid, draft), self.holding) < 0:
                continue
            full_drafts = self._cover((*laid, draft), naturals - plain, wilds - own)
            if full_drafts is not None:
                return full_drafts
        return None

    def _close(self, laid: Laid, wilds: int) -> list[Draft] | None:
        """Find room for the remaining jokers, with groups of wild cards where these help."""
        if not all(draft.is_set for draft in laid[1:]):
            filled = with_jokers(laid, jokers_left(laid, self.holding), self.options)
            if filled is not None:
                return filled
        for draft, own in (*self._wild_sequences(wilds), *self._wild_sets(wilds)):
            if jokers_left((*laid, draft), self.holding) < 0:
                continue
            full_drafts = self._close((*laid, draft), wilds - own)
            if full_drafts is not None:
                return full_drafts
        return None

    def _wild_sequences(self, wilds: int) -> Iterator[tuple[Draft, int]]:
        """Sequences of wild cards and jokers alone: three identical cards, and one card or none that is itself."""
        rank, rule = self.holding.wild, self.options.joker_rule
        for suit, shift in enumerate(SUIT_SHIFTS):
            wild_count = 0 if rank is None else wilds >> shift + 2 * rank & 3
            if rank is None or not wild_count:
                continue
            card, own = suit * RANK_COUNT + rank, 1 << shift + 2 * rank
            if self.options.identical_cards is True and wild_count == SHORTEST:
                yield Draft.identical(card), SHORTEST * own
            if admits(rule, naturals=1, jokers=SHORTEST - 1):
                yield Draft((card, *[None] * (SHORTEST - 1))), own
        if admits(rule, naturals=0, jokers=SHORTEST):
            yield Draft((None,) * SHORTEST), 0

    def _wild_sets(self, wilds: int) -> Iterator[tuple[Draft, int]]:
        """Every set of wild cards used as themselves, with as few jokers as it needs."""
        rank = self.holding.wild
        if rank is None:
            return
        suits = [suit for suit, shift in enumerate(SUIT_SHIFTS) if wilds >> (shift + 2 * rank) & 3]
        for size in range(len(suits), 0, -1):
            if not self._can_be_set(size):
                return
            for chosen in combinations(suits, size):
                own = sum(1 << (SUIT_SHIFTS[suit] + 2 * rank) for suit in chosen)
                yield set_draft(rank, chosen, max(0, SHORTEST - size)), own

    def _can_be_set(self, naturals: int) -> bool:
        """Whether so many cards of a rank are a set, with as few jokers as they need."""
        rule = set_rule(self.options.joker_rule)
        return admits(rule, naturals=naturals, jokers=max(0, SHORTEST - naturals))

    def _groups_with(self, lowest: int, naturals: int, wilds: int) -> Iterator[tuple[Draft, int, int]]:
        """Every group with this card in it: the draft, its cards that are not wild, its wild cards as themselves."""
        yield from self._sequences_with(lowest, naturals, wilds)
        yield from self._sets_with(lowest, naturals)

    def _sequences_with(self, lowest: int, naturals: int, wilds: int) -> Iterator[tuple[Draft, int, int]]:
        suit, place = divmod(lowest, SUIT_SHIFTS[1])
        shift = SUIT_SHIFTS[suit]
        if self.options.identical_cards is True and naturals >> lowest & 3 == 3:
            yield Draft.identical(suit * RANK_COUNT + (place >> 1)), 3 << lowest, 0
        suit_cards = presence(naturals + wilds) >> shift & SUIT_MASK
        ranks = [rank for rank in range(RANK_COUNT) if suit_cards >> 2 * rank & 1 and rank != place >> 1]
        for size in range(len(ranks), -1, -1):
            for others in combinations(ranks, size):
                draft = self._sequence([place >> 1, *others], suit)
                if draft is not None:
                    plain = sum(1 << (2 * rank) for rank in others if rank != self.holding.wild) + (1 << place)
                    own = sum(1 << (2 * rank) for rank in others if rank == self.holding.wild)
                    yield draft, plain << shift, own << shift

    def _sequence(self, ranks: list[int], suit: int) -> Draft | None:
        """These cards as a sequence with as few jokers as it needs; None where the house does not allow it."""
        for size in range(max(SHORTEST, len(ranks)), RANK_COUNT + 1):
            if not admits(self.options.joker_rule, naturals=len(ranks), jokers=size - len(ranks)):
                return None
            if fits_in_run(ranks, size, has_high_ace=self.options.has_high_ace):
                return Draft((*sorted(suit * RANK_COUNT + rank for rank in ranks), *[None] * (size - len(ranks))))
        return None

    def _sets_with(self, lowest: int, naturals: int) -> Iterator[tuple[Draft, int, int]]:
        suit, place = divmod(lowest, SUIT_SHIFTS[1])
        present = presence(naturals)
        others = [
            other_suit
            for other_suit, shift in enumerate(SUIT_SHIFTS)
            if other_suit != suit and present >> (shift + place) & 1
        ]
        for size in range(len(others), -1, -1):
            if not self._can_be_set(size + 1):
                return
            for chosen in combinations(others, size):
                suits = (suit, *chosen)
                set_mask = sum(1 << (SUIT_SHIFTS[set_suit] + place) for set_suit in suits)
                yield set_draft(place >> 1, suits, max(0, SHORTEST - len(suits))), set_mask, 0
