"""Whether every card of a hand can be laid down where jokers may not outnumber the cards beside them.

Under the other joker rules a hand that counts nothing can always be declared: spare jokers lengthen a sequence.
Under `half` they may find no room, so every way to cover the hand is tried for one that has room for all jokers.
These are few: where so many jokers are left over, hardly more than six cards lie beside them and the leading sequence.
Rules: docs/rules/indian.md, section 3 (jokers). Knows nothing of points.
"""

from collections.abc import Iterator
from itertools import combinations

from scoring.rules.arrangements.cover import SUIT_MASK
from scoring.rules.arrangements.groups import fits_in_run
from scoring.rules.arrangements.holding import SUIT_SHIFTS, Holding, Lead, presence
from scoring.rules.arrangements.house import SHORTEST, HandOptions
from scoring.rules.arrangements.laying import Draft, jokers_left, lead_draft, set_draft, with_jokers
from scoring.rules.cards import RANK_COUNT

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
            found = self._cover((*laid, draft), naturals - plain, wilds - own)
            if found is not None:
                return found
        return None

    def _close(self, laid: Laid, wilds: int) -> list[Draft] | None:
        """Find room for the jokers that are left, with sets of wild cards where these help."""
        if all(draft.is_set for draft in laid[1:]):
            return None
        filled = with_jokers(laid, jokers_left(laid, self.holding), self.options)
        if filled is not None:
            return filled
        for draft, own in self._wild_sets(wilds):
            if jokers_left((*laid, draft), self.holding) < 0:
                continue
            found = self._close((*laid, draft), wilds - own)
            if found is not None:
                return found
        return None

    def _wild_sets(self, wilds: int) -> Iterator[tuple[Draft, int]]:
        """Every set of wild cards that stand for themselves, with as few jokers as it needs."""
        rank = self.holding.wild
        if rank is None:
            return
        suits = [suit for suit, shift in enumerate(SUIT_SHIFTS) if wilds >> (shift + 2 * rank) & 3]
        for size in range(len(suits), 1, -1):
            for chosen in combinations(suits, size):
                own = sum(1 << (SUIT_SHIFTS[suit] + 2 * rank) for suit in chosen)
                yield set_draft(rank, chosen, max(0, SHORTEST - size)), own

    def _groups_with(self, lowest: int, naturals: int, wilds: int) -> Iterator[tuple[Draft, int, int]]:
        """Every group with this card in it: the draft, its cards that are not wild, its wild cards as themselves."""
        yield from self._sequences_with(lowest, naturals, wilds)
        yield from self._sets_with(lowest, naturals)

    def _sequences_with(self, lowest: int, naturals: int, wilds: int) -> Iterator[tuple[Draft, int, int]]:
        suit, place = divmod(lowest, SUIT_SHIFTS[1])
        shift = SUIT_SHIFTS[suit]
        held = presence(naturals + wilds) >> shift & SUIT_MASK
        ranks = [rank for rank in range(RANK_COUNT) if held >> 2 * rank & 1 and rank != place >> 1]
        for size in range(len(ranks), 0, -1):
            for others in combinations(ranks, size):
                draft = self._sequence([place >> 1, *others], suit)
                if draft is not None:
                    plain = sum(1 << (2 * rank) for rank in others if rank != self.holding.wild) + (1 << place)
                    own = sum(1 << (2 * rank) for rank in others if rank == self.holding.wild)
                    yield draft, plain << shift, own << shift

    def _sequence(self, ranks: list[int], suit: int) -> Draft | None:
        """These cards as a sequence with as few jokers as it needs; None where the house does not allow it."""
        for size in range(max(SHORTEST, len(ranks)), 2 * len(ranks) + 1):
            if size <= RANK_COUNT and fits_in_run(ranks, size, has_high_ace=self.options.has_high_ace):
                return Draft((*sorted(suit * RANK_COUNT + rank for rank in ranks), *[None] * (size - len(ranks))))
        return None

    def _sets_with(self, lowest: int, naturals: int) -> Iterator[tuple[Draft, int, int]]:
        suit, place = divmod(lowest, SUIT_SHIFTS[1])
        present = presence(naturals)
        others = [each for each, shift in enumerate(SUIT_SHIFTS) if each != suit and present >> (shift + place) & 1]
        for size in range(len(others), 0, -1):
            for chosen in combinations(others, size):
                suits = (suit, *chosen)
                taken = sum(1 << (SUIT_SHIFTS[each] + place) for each in suits)
                yield set_draft(place >> 1, suits, max(0, SHORTEST - len(suits))), taken, 0
