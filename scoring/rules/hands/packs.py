"""The hands of a deal held against the packs it was dealt from: no card lies on the table more often than they hold it.

Rules: docs/rules/western.md, section 1, and docs/rules/indian.md, "Counting a loser". Asked of new sheets only: a deal
that was stored before stands as it is. Knows nothing of what hands are worth.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from scoring.messages import Seat, say
from scoring.problems import Problem
from scoring.rules.cards import CARDS, PRINTED_NUMBER, Card, parse_cards


class Beyond(NamedTuple):
    """A card that is there more often than the packs hold it, and the seats that hold it, in the order of the sheet."""

    card: Card
    times: int
    most: int
    seats: tuple[str, ...]


def beyond_the_packs(hands: Mapping[str, Iterable[Card]], *, packs: int, jokers: int) -> Iterator[Beyond]:
    """Every card of which there are too many. `jokers` are all printed jokers in play."""
    held = {seat: Counter(card.number for card in cards) for seat, cards in hands.items()}
    for number, times in sum(held.values(), Counter[int]()).items():
        most = jokers if number == PRINTED_NUMBER else packs
        if times > most:
            seats = tuple(seat for seat, cards in held.items() if number in cards)
            yield Beyond(CARDS[number], times, most, seats)


def hands_beyond_packs(hands: Mapping[str, str], *, packs: int, jokers: int) -> list[Problem]:
    """The same of hands as they stand on a sheet, told of the last seat that holds such a card."""
    read = {seat: parse_cards(cards, "hands") for seat, cards in hands.items()}
    return [told(found, field="hands") for found in beyond_the_packs(read, packs=packs, jokers=jokers)]


def told(found: Beyond, *, field: str) -> Problem:
    """The refusal: who, which card, and both numbers."""
    detail = say(
        "{seat} holds {card}: the hands show it {number} times, and the packs hold {most}",
        seat=Seat(found.seats[-1]),
        card=found.card.text,
        number=found.times,
        most=found.most,
    )
    return Problem(code="impossible_card_count", seat=found.seats[-1], field=field, detail=detail)
