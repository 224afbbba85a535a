"""Gin deadwood: the lowest possible value of the cards outside melds, exact and fast.

One table for all runs of a suit, and the ranks that could be sets tried against it. Basic rum with low aces counts
alike. Then which cards the opponent lays off on the knocker's melds, and what both are left with. Rules:
docs/rules/gin.md, "Hands" and "Laying off". Knows nothing of scores.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.messages import Message, say
from scoring.problems import Problem
from scoring.rules.cards import CARDS, RANK_COUNT, Card, CardsRejected, parse_cards
from scoring.rules.variants.western.gin.options import GIN_VALUES

SUIT_MASK = (1 << RANK_COUNT) - 1
HEARTS, DIAMONDS, CLUBS = RANK_COUNT, 2 * RANK_COUNT, 3 * RANK_COUNT
SHORTEST = 3
POINTS = tuple(GIN_VALUES.of_rank(rank) for rank in range(RANK_COUNT))
Suits = tuple[int, int, int, int]


def gin_deadwood(cards: Sequence[Card]) -> int:
    """The least deadwood of a hand from one pack: runs with the ace low, sets of three or four."""
    bits = 0
    for card in cards:
        bits |= card.bit
    if bits.bit_count() != len(cards):
        raise CardsRejected(_not_one_pack(cards))
    loose = _loose_table()
    spades, hearts = bits & SUIT_MASK, bits >> HEARTS & SUIT_MASK
    diamonds, clubs = bits >> DIAMONDS & SUIT_MASK, bits >> CLUBS
    ranks = spades & hearts & (diamonds | clubs) | diamonds & clubs & (spades | hearts)
    if not ranks:
        return loose[spades] + loose[hearts] + loose[diamonds] + loose[clubs]
    return _least((spades, hearts, diamonds, clubs), ranks, loose)


def gin_melds(cards: Sequence[Card]) -> tuple[list[tuple[Card, ...]], tuple[Card, ...]]:
    """Melds that leave the least deadwood, and the cards outside them."""
    least = gin_deadwood(cards)
    suits = _suits_of(cards)
    sets = next(choice for choice in _set_choices(suits) if _left_by(suits, choice) == least)
    melds = [tuple(CARDS[suit * RANK_COUNT + rank] for suit in set_suits) for rank, set_suits in sets]
    suits_left = _without(suits, sets)
    loose = [card for card in cards if suits_left[card.number // RANK_COUNT] >> card.number % RANK_COUNT & 1]
    for suit, suit_cards in enumerate(suits_left):
        for run in _runs_in(suit_cards):
            meld = tuple(CARDS[suit * RANK_COUNT + rank] for rank in run)
            melds.append(meld)
            loose = [card for card in loose if card not in meld]
    return melds, tuple(loose)


def _least(suits: Sequence[int], ranks: int, loose: bytes) -> int:
    """The least deadwood when sets may be taken from these ranks, the lowest first."""
    spades, hearts, diamonds, clubs = suits
    best = loose[spades] + loose[hearts] + loose[diamonds] + loose[clubs]
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        suits_left = [suit & ~rank for suit in suits]
        best = min(best, _least(suits_left, ranks, loose))
        if spades & hearts & diamonds & clubs & rank:
            for place, suit in enumerate(suits_left):
                three = suits_left.copy()
                three[place] = suit | rank
                best = min(best, _least(three, ranks, loose))
    return best


@lru_cache(maxsize=1)
def _loose_table() -> bytes:
    """For every suit as a bit mask: the lowest value of its cards outside runs."""
    table = bytearray(1)
    for suit_cards in range(1, SUIT_MASK + 1):
        rest = suit_cards & (suit_cards - 1)
        lowest = (suit_cards ^ rest).bit_length() - 1
        best = POINTS[lowest] + table[rest]
        for run in _runs_from(suit_cards, lowest):
            best = min(best, table[suit_cards & ~run])
        table.append(best)
    return bytes(table)


def _runs_from(held: int, lowest: int) -> Iterator[int]:
    """Every run that starts at the lowest card, as a bit mask."""
    run = 0
    for rank in range(lowest, RANK_COUNT):
        if not held >> rank & 1:
            return
        run |= 1 << rank
        if rank - lowest + 1 >= SHORTEST:
            yield run


def _runs_in(held: int) -> list[list[int]]:
    """Runs of a suit that leave the least, lowest first."""
    table = _loose_table()
    runs: list[list[int]] = []
    for lowest in range(RANK_COUNT):
        run = next((run for run in _runs_from(held, lowest) if table[held & ~run] == table[held]), 0)
        if run:
            runs.append([rank for rank in range(RANK_COUNT) if run >> rank & 1])
            held &= ~run
    return runs


Sets = tuple[tuple[int, tuple[int, ...]], ...]


def _set_choices(suits: Suits) -> Iterator[Sets]:
    """Every choice of sets: for each rank none, all of its cards, or three of four."""
    choices: list[Sets] = [()]
    for rank in range(RANK_COUNT):
        rank_suits = tuple(suit for suit, cards in enumerate(suits) if cards >> rank & 1)
        if len(rank_suits) < SHORTEST:
            continue
        suit_choices = [rank_suits] + [
            tuple(s for s in rank_suits if s != missing_suit)
            for missing_suit in rank_suits
            if len(rank_suits) > SHORTEST
        ]
        choices += [(*choice, (rank, chosen_suits)) for choice in choices for chosen_suits in suit_choices]
    yield from choices


def _without(suits: Suits, sets: Sets) -> list[int]:
    suits_left = list(suits)
    for rank, set_suits in sets:
        for suit in set_suits:
            suits_left[suit] &= ~(1 << rank)
    return suits_left


def _left_by(suits: Suits, sets: Sets) -> int:
    table = _loose_table()
    return sum(table[suit_cards] for suit_cards in _without(suits, sets))


def _suits_of(cards: Iterable[Card]) -> Suits:
    bits = sum(card.bit for card in cards)
    return bits & SUIT_MASK, bits >> HEARTS & SUIT_MASK, bits >> DIAMONDS & SUIT_MASK, bits >> CLUBS


def beyond_one_pack(cards: Sequence[Card]) -> dict[int, Message]:
    """Cards that cannot be in a gin hand, by their index: jokers, and repeated cards."""
    wrong = {card: place for place, card in enumerate(cards) if card.is_printed_joker or card in cards[:place]}
    return {
        place: say("{card} cannot be there: gin is played with one pack and no jokers", card=card.text)
        if card.is_printed_joker
        else say("{card} is there more than once, but gin is played with one pack", card=card.text)
        for card, place in wrong.items()
    }


def _not_one_pack(cards: Sequence[Card]) -> list[Problem]:
    wrong = beyond_one_pack(cards).values()
    return [Problem("impossible_card_count", why, field="cards") for why in wrong]


Cards = tuple[Card, ...]


class Counted(NamedTuple):
    """A counted hand: the deadwood of both, what is laid off on which meld, and the opponent's own melds."""

    knocker: int
    opponent: int
    on: tuple[Cards, ...]
    own: list[Cards]
    left: Cards


class LaidOff(NamedTuple):
    """The cards laid off on each of the knocker's melds, and the remaining ones."""

    on: tuple[Cards, ...]
    deadwood: int


@lru_cache(maxsize=4096)
def deadwood_in(melds: tuple[str, ...], loose: str, hand: str) -> tuple[int, int]:
    """The deadwood of the knocker and of the opponent, from cards on a sheet."""
    laid = [parse_cards(meld, "melds") for meld in melds]
    counted_hand = counted(laid, parse_cards(loose, "loose"), parse_cards(hand, "defender_cards"))
    return counted_hand.knocker, counted_hand.opponent


def counted(melds: Sequence[Cards], loose: Cards, hand: Cards) -> Counted:
    """The hand with everything laid off: after gin nothing is."""
    off = lay_off(melds, hand) if loose else LaidOff(((),) * len(melds), gin_deadwood(hand))
    laid = [card for cards in off.on for card in cards]
    own, opponent_loose = gin_melds([card for card in hand if card not in laid])
    return Counted(GIN_VALUES.total(loose), off.deadwood, off.on, own, opponent_loose)


def lay_off(melds: Sequence[Sequence[Card]], hand: Sequence[Card]) -> LaidOff:
    """The way to lay off that leaves the least, with as few cards laid off as that takes."""
    best_way = LaidOff(((),) * len(melds), gin_deadwood(hand))
    for on in product(*(list(_fitting(meld, hand)) for meld in melds)):
        laid = [card for cards in on for card in cards]
        if len(set(laid)) < len(laid):
            continue
        deadwood = gin_deadwood([card for card in hand if card not in laid])
        if (deadwood, len(laid)) < (best_way.deadwood, sum(map(len, best_way.on))):
            best_way = LaidOff(on, deadwood)
    return best_way


def _fitting(meld: Sequence[Card], hand: Sequence[Card]) -> Iterator[Cards]:
    """Every choice of cards of a hand that can be laid off on a meld, none of them included."""
    suits = {card.suit for card in meld}
    if len(suits) > 1:
        rank = meld[0].rank
        yield ()
        yield from ((card,) for card in hand if card.rank == rank and card.suit not in suits)
        return
    ranks = sorted(card.number for card in meld)
    first = ranks[0] - ranks[0] % RANK_COUNT
    below = _consecutive(range(ranks[0] - 1, first - 1, -1), hand)
    above = _consecutive(range(ranks[-1] + 1, first + RANK_COUNT), hand)
    for low, high in product(range(len(below) + 1), range(len(above) + 1)):
        yield (*below[:low], *above[:high])


def _consecutive(numbers: range, hand: Sequence[Card]) -> Cards:
    """Cards of a hand that follow on one another, up to the first that it does not hold."""
    run: list[Card] = []
    for number in numbers:
        if CARDS[number] not in hand:
            break
        run.append(CARDS[number])
    return tuple(run)
