"""What the Western games share: form fields, marks, payments, figures, and simulated deals.

Rules: docs/rules/western.md, section 1 and "Figures"; docs/how-to/rehearsal.md, section 4 (the other games). Knows
nothing of any one game.
"""

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol

from scoring.messages import Message, say, say_many, words
from scoring.money.payouts import Payout, house_takes, parts_of
from scoring.money.reasons import Made, part_reasons
from scoring.rules.cards import ACE, CARDS, PRINTED_NUMBER, RANK_COUNT, Card, CardValues, parse_cards
from scoring.rules.chance import Chance
from scoring.rules.table.fields import SeatMark, SheetField
from scoring.rules.table.variant import AnySetup


class CountedSheet(Protocol):
    """A deal in which one seat went out, or none, and the others are counted."""

    @property
    def out(self) -> str | None: ...

    @property
    def counts(self) -> Mapping[str, int]: ...

    @property
    def hands(self) -> Mapping[str, str]: ...


class HouseOfHands(Hashable, Protocol):
    """House rules for the cards that are left in hands."""

    @property
    def card_values(self) -> CardValues: ...

    def cards_each(self, seats: int) -> int:
        """How many cards each seat is dealt."""

    def dearest(self, cards: int | None = None) -> int:
        """The most that so many cards can cost."""


def hand_count(sheet: CountedSheet, options: HouseOfHands, seat: str) -> int:
    """The count of a seat's hand; 0 where it was not entered."""
    return hand_worth(sheet.hands[seat], options) if seat in sheet.hands else sheet.counts.get(seat, 0)


@lru_cache(maxsize=4096)
def hand_worth(cards: str, options: HouseOfHands) -> int:
    """The cost of the cards of a hand, from a sheet."""
    return options.card_values.total(parse_cards(cards, "hands"))


DEALER = SheetField(("dealer",), words("Dealer"), "seat")


def out_field(nobody: str = "") -> SheetField:
    """Who went out; `nobody` is the text for no one, and is empty where some seat always goes out."""
    return SheetField(
        ("out",),
        words("Went out"),
        "seat",
        is_required=True,
        mark="out",
        nobody=nobody,
        help=words("The player with no cards left"),
    )


def held_fields(
    title: str, help_text: Message, path: str = "counts", *, judged_as: str = ""
) -> tuple[SheetField, SheetField]:
    """What a seat still holds: a number, or the cards themselves."""
    return (
        SheetField((path,), title, "number", per_seat=True, help=help_text),
        SheetField(
            ("hands",),
            "Cards in hand",
            "cards",
            per_seat=True,
            is_rare=True,
            judged_as=judged_as,
            help=words("Instead of a number, such as 7H QS AD: their values are added up"),
        ),
    )


WENT_OUT = SeatMark(how="out", title=words("Went out"), short="out", is_win=True)


def values_message(*, ace: int, joker: int | None, is_by_face: bool = True) -> Message:
    """What cards in hand cost here; jokers are mentioned only where there are any."""
    pips = say("others their face") if is_by_face else say("others {points}", points=5)
    if joker is None:
        return say("ace {points}, ten to king {most}, {word}", points=ace, most=10, word=pips)
    return say("ace {points}, ten to king {most}, {word}, joker {number}", points=ace, most=10, word=pips, number=joker)


def counted_marks(
    out: str | None, counts: Mapping[str, int], hands: Mapping[str, str], *, won_by: SeatMark = WENT_OUT
) -> dict[str, SeatMark]:
    """The seat that went out, and the others' hands as they were entered."""
    won = {out: won_by} if out is not None else {}
    seats = sorted({*counts, *hands} - {out})
    return won | {seat: held_mark(counts.get(seat), hands.get(seat, "")) for seat in seats}


def held_mark(count: int | None, cards: str = "") -> SeatMark:
    """A seat that still holds cards."""
    return SeatMark(how="held", title=words("Held"), short="", count=count, loose=cards)


def nobody_out(out: str | None) -> tuple[Message, ...]:
    """The remark on a deal in which no one went out."""
    return () if out is not None else (say("nobody went out"),)


# Money of the Western games: the pot of entry fees, and points that seats pay each other.


def pot(setup: AnySetup, winners: Sequence[str]) -> tuple[Payout, ...]:
    """All entries less the fee to the winners in equal parts; nothing where no one paid to play."""
    entry = setup.stakes.entry_minor
    if not entry or not winners:
        return ()
    gross = entry * len(setup.seats)
    house_share = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    awards = parts_of(house_share.net, winners)
    return (
        Payout(
            slot="table",
            charges=setup.entries,
            awards=awards,
            fee=house_share.fee,
            because=(Made(len(setup.seats), "entries", entry), *house_share.because, *part_reasons(awards)),
            house=house_share.house,
        ),
    )


def played_to(target: int) -> Message:
    """The score that ends the game."""
    return say("Played to {target} points, reached or passed.", target=target)


def deals_played(deals: int) -> Message:
    """A fixed number of deals."""
    return say_many("{number} deal is played.", "{number} deals are played.", count=deals, number=deals)


def stock_runs_out(how: Message) -> Message:
    """What happens when there is no card left to draw."""
    return say("When the stock runs out: {how}.", how=how)


def goes_out(seats: Sequence[str], chance: Chance, *, stock_runs_out: float) -> str | None:
    """Who goes out; no one where the stock runs out before."""
    return None if chance.happens(stock_runs_out) else chance.one_of(seats)


def left_in_hand(values: CardValues, chance: Chance, *, most: int) -> int:
    """What some cards in hand cost: rarely many, never none."""
    most = chance.number(1, most)
    return values.total([CARDS[chance.number(0, PRINTED_NUMBER - 1)] for _ in range(chance.number(1, most))])


SHORTEST, MOST_IN_SET = 3, 4


class Figure(NamedTuple):
    """The rank of each place: 0 for an ace before the two, 13 for one after the king or in a set."""

    is_run: bool
    places: tuple[int, ...]


def figure_of(cards: Sequence[Card], *, is_cyclic: bool = False) -> Figure | None:
    """The figure of the cards as laid, or in order where no joker is among them; None where they are none."""
    figure = _as_laid(cards, is_cyclic=is_cyclic)
    if figure is not None or any(card.rank is None for card in cards):
        return figure
    low = sorted(cards, key=lambda card: card.rank or 0)
    high = sorted(cards, key=lambda card: RANK_COUNT if card.rank == ACE else card.rank or 0)
    return _as_laid(low, is_cyclic=is_cyclic) or _as_laid(high, is_cyclic=is_cyclic)


def figure_fault(cards: Sequence[Card], *, is_cyclic: bool = False) -> Message | str:
    """Why the cards may not be laid down as a figure; empty where they may.

    `figure_of` still counts a run with an ace at both ends: sheets with one were saved before it was refused.
    """
    figure = figure_of(cards, is_cyclic=is_cyclic)
    if figure is None:
        return why_no_figure(cards)
    return say("a run has each rank once, thirteen cards at most") if len(figure.places) > RANK_COUNT else ""


def has_too_many_jokers(jokers: int, cards: int) -> bool:
    """Whether a figure has more jokers than natural cards."""
    return jokers > cards - jokers


def why_no_figure(cards: Sequence[Card]) -> Message:
    """What is wrong with cards that are no figure."""
    jokers = sum(card.is_printed_joker for card in cards)
    if len(cards) < SHORTEST:
        return say("three cards at least are needed")
    if has_too_many_jokers(jokers, len(cards)):
        return say("there are more jokers than other cards")
    if len({card.rank for card in cards if card.rank is not None}) == 1:
        return say("a set has each suit once, four cards at most")
    return say("a run has cards of one suit, one after the other")


def _as_laid(cards: Sequence[Card], *, is_cyclic: bool) -> Figure | None:
    naturals = [(place, card.rank, card.suit) for place, card in enumerate(cards) if card.rank is not None]
    if len(cards) < SHORTEST or has_too_many_jokers(len(cards) - len(naturals), len(cards)):
        return None
    ranks, suits = {rank for _, rank, _ in naturals}, [suit for _, _, suit in naturals]
    if len(ranks) == 1 and len(set(suits)) == len(suits) and len(cards) <= MOST_IN_SET:
        return Figure(is_run=False, places=(ranks.pop() or RANK_COUNT,) * len(cards))
    if len(set(suits)) > 1:
        return None
    start = _start([(place, rank) for place, rank, _ in naturals], is_cyclic=is_cyclic)
    most = RANK_COUNT if is_cyclic else RANK_COUNT + 1 - (start or 0)
    if start is None or start < 0 or len(cards) > most:
        return None
    return Figure(is_run=True, places=tuple(range(start, start + len(cards))))


def _start(naturals: Sequence[tuple[int, int]], *, is_cyclic: bool) -> int | None:
    """The rank of the first place of a run; None where the cards are not consecutive."""
    if is_cyclic:
        first_ranks = {(rank - place) % RANK_COUNT for place, rank in naturals}
        return first_ranks.pop() if len(first_ranks) == 1 else None
    # At least two naturals, of which one is no ace or both are: never is there more than one place to start.
    starts = [{rank - place, RANK_COUNT - place} if rank == ACE else {rank - place} for place, rank in naturals]
    return next(iter(set.intersection(*starts)), None)
