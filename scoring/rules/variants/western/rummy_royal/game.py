"""How chips move in a deal of Rummy Royal: antes, the extra hand, boxes won, cards left, and the last deal.

Rules: docs/rules/rummy_royal.md, sections 3 (the order of a deal) and 4 (the last deal). Chips are never created or
lost: stacks, boxes and what the house keeps always add up to the chips issued. Knows nothing of money.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec
from msgspec import UNSET

from scoring.messages import Message, Part, Seat, Words, say, say_many
from scoring.money.payouts import divide
from scoring.rules.table.fields import PlainSheet, SeatMark
from scoring.rules.table.refusals import BuyIns
from scoring.rules.table.variant import Panel, PanelCell
from scoring.rules.variants.western.rummy_royal.options import (
    KING_AND_QUEEN,
    KITTY,
    POT,
    RoyalOptions,
    box_title,
    down_from_ace,
)

ExtraHand = Literal["unsold", "dealer", "sold"]
EXTRA_HANDS: tuple[ExtraHand, ...] = ("unsold", "dealer", "sold")


class RoyalSheet(PlainSheet, frozen=True, kw_only=True, omit_defaults=True):
    """One deal. `boxes` are the winners of each box; kitty and pot follow from who went out and who dealt.

    `antes` are the chips a box of seats that laid more or fewer than usual; `bought` are chips bought for this deal.
    If the best poker hand takes the pot, `poker` are the seats that had it, and `bets` the chips bet on it.
    The sheet of the last deal has only `last_hearts`: for each heart, the seat that was dealt it.
    """

    dealer: str | None = None
    out: str | None = None
    boxes: dict[str, tuple[str, ...]] = {}
    cards_left: dict[str, int] = {}
    extra_hand: ExtraHand = "unsold"
    buyer: str | None = None
    price: int = 0
    antes: dict[str, int] = {}
    bought: dict[str, int] = {}
    last_hearts: dict[str, str] = {}
    poker: tuple[str, ...] = ()
    bets: dict[str, int] = {}

    @property
    def is_last(self) -> bool:
        return bool(self.last_hearts)

    @property
    def buyers(self) -> tuple[str, ...]:
        """The seats that bought chips for this deal."""
        return tuple(seat for seat, chips in self.bought.items() if chips)

    def marks(self) -> dict[str, SeatMark]:
        """The cards and boxes of each seat; in the last deal the hearts it was dealt."""
        titles_by_seat = self._taken()
        seats = {*self.cards_left, *titles_by_seat, *((self.out,) if self.out is not None else ())}
        return {seat: self._mark(seat, titles_by_seat.get(seat, [])) for seat in sorted(seats)}

    def remarks(self) -> tuple[Message, ...]:
        messages = [say("the last deal")] if self.is_last else []
        if self.buyer is not None:
            buyer = Seat(self.buyer)
            messages.append(say("{seat} bought the extra hand for {points}", seat=buyer, points=self.price))
        elif self.extra_hand == "dealer":
            messages.append(say("the dealer took the extra hand"))
        return (
            *messages,
            *(
                say_many("{seat} bought {count} chip", "{seat} bought {count} chips", seat=Seat(seat), count=chips)
                for seat, chips in self.bought.items()
            ),
        )

    def _taken(self) -> dict[str, list[str | Message]]:
        """Boxes, or hearts of the last deal, by seat."""
        titles_by_seat: dict[str, list[str | Message]] = {}
        for heart, seat in self.last_hearts.items():
            titles_by_seat.setdefault(seat, []).append(box_title(heart))
        for box, seats in _boxes_entered(self).items():
            for seat in seats:
                titles_by_seat.setdefault(seat, []).append(box_title(box))
        return titles_by_seat

    def _mark(self, seat: str, taken: Sequence[str | Message]) -> SeatMark:
        is_out, card_count, boxes = seat == self.out, self.cards_left.get(seat), _listed(taken)
        short = _short(boxes, is_out=is_out)
        title = _left_text(_taken_message(boxes, is_last=self.is_last) if taken else None, card_count, is_out=is_out)
        return SeatMark(how="out" if is_out else "held", title=title, short=short, is_win=is_out)


def _listed(titles: Sequence[str | Message]) -> Part:
    """Cards beside each other; a list where words are among them, which are translated."""
    cards = [title for title in titles if isinstance(title, str)]
    return " ".join(cards) if len(cards) == len(titles) else tuple(titles)


def _taken_message(boxes: Part, *, is_last: bool) -> Message:
    return say("dealt {cards}", cards=boxes) if is_last else say("took {boxes}", boxes=boxes)


def _left_text(taken: Message | None, left: int | None, *, is_out: bool) -> Words:
    """That a seat went out or what it holds, and what else it took."""
    if is_out:
        return say("Went out") if taken is None else say("Went out, {word}", word=taken)
    if left is None:
        return taken or ""
    if taken is None:
        return say_many("{count} card left", "{count} cards left", count=left)
    return say_many("{count} card left, {word}", "{count} cards left, {word}", count=left, word=taken)


def _short(boxes: Part, *, is_out: bool) -> Words:
    if not is_out:
        return Message("{boxes}", {"boxes": boxes}) if boxes else ""
    return say("out {boxes}", boxes=boxes) if boxes else say("out")


class Chips(msgspec.Struct, frozen=True, kw_only=True):
    """Where all chips are: with the seats, on the board, or kept by the house; and how many each seat has bought."""

    stacks: dict[str, int]
    boxes: dict[str, int]
    issued: dict[str, int]
    house: int = 0

    @property
    def on_board(self) -> int:
        return sum(self.boxes.values())

    def bought(self, bought: Mapping[str, int]) -> "Chips":
        """More chips for some seats."""
        return msgspec.structs.replace(self, stacks=_plus(self.stacks, bought), issued=_plus(self.issued, bought))

    def paid(self, seat: str, chips: int, box: str) -> "Chips":
        """Chips from a seat into a box."""
        return msgspec.structs.replace(
            self, stacks=_plus(self.stacks, {seat: -chips}), boxes=_plus(self.boxes, {box: chips})
        )

    def given(self, seat: str, chips: int, to: str) -> "Chips":
        """Chips from one seat to another."""
        return msgspec.structs.replace(self, stacks=_plus(_plus(self.stacks, {seat: -chips}), {to: chips}))

    def won(self, box: str, seats: Sequence[str]) -> "Chips":
        """A box to its winners, in equal parts; what cannot be divided stays in it."""
        part, leftover_chips = divmod(self.boxes[box], len(seats))
        return msgspec.structs.replace(
            self, stacks=_plus(self.stacks, dict.fromkeys(seats, part)), boxes=self.boxes | {box: leftover_chips}
        )


class RoyalGame(msgspec.Struct, frozen=True, kw_only=True):
    """Where the chips are, who has left and since which deal, and whether the board was dealt out."""

    chips: Chips
    won: dict[str, int]
    gone: dict[str, int] = {}
    broke: dict[str, int] = {}
    deals: int = 0
    last_deal: int = 0
    is_dealt_out: bool = False
    is_closed: bool = False
    buy_ins: BuyIns = UNSET


def opened(options: RoyalOptions, seats: Sequence[str]) -> Chips:
    """The chips that every seat buys at the start."""
    stacks = dict.fromkeys(seats, options.start_chips)
    return Chips(stacks=stacks, boxes=dict.fromkeys(options.boxes, 0), issued=stacks)


def before_play(options: RoyalOptions, chips: Chips, sheet: RoyalSheet, playing: Sequence[str]) -> Chips:
    """Chips bought, antes paid and the extra hand paid for: what must be affordable before a card is played."""
    chips = chips.bought(sheet.bought)
    for seat in playing:
        ante = sheet.antes.get(seat, options.ante(deals=seat == sheet.dealer))
        laid = {box: times * ante for box, times in options.times.items()}
        chips = msgspec.structs.replace(
            chips, stacks=_plus(chips.stacks, {seat: -sum(laid.values())}), boxes=_plus(chips.boxes, laid)
        )
        chips = chips.paid(seat, sheet.bets.get(seat, 0), POT)
    if sheet.extra_hand != "sold" or sheet.buyer is None or sheet.dealer is None:
        return chips
    if options.auction_payee == "dealer":
        return chips.given(sheet.buyer, sheet.price, sheet.dealer)
    return chips.paid(sheet.buyer, sheet.price, options.auction_payee)


def after_play(options: RoyalOptions, chips: Chips, sheet: RoyalSheet, playing: Sequence[str]) -> Chips:
    """Boxes taken as their cards were played, and cards left paid for at the end."""
    for box, seats in boxes_won(options, sheet).items():
        winners = [seat for seat in seats if seat in playing]
        if box in chips.boxes and winners:
            chips = chips.won(box, winners)
    out = sheet.out if sheet.out in playing else None
    if out is not None:
        chips = chips.won(KITTY, [out]) if KITTY in chips.boxes else chips
        takes_pot = out == sheet.dealer and POT in chips.boxes and not options.plays_poker
        chips = chips.won(POT, [out]) if takes_pot else chips
    for seat in playing:
        owed = sheet.cards_left.get(seat, 0)
        if options.cannot_pay == "out":
            owed = min(owed, max(0, chips.stacks[seat]))
        chips = chips.paid(seat, owed, options.collecting) if out is None else chips.given(seat, owed, out)
    return chips


def after_last_deal(options: RoyalOptions, chips: Chips, sheet: RoyalSheet, playing: Sequence[str]) -> Chips:
    """All chips of the board divided among its cards, five hearts; odd ones from the ace down, or kept by the house."""
    total = chips.on_board
    cards = down_from_ace(options.cards)
    parts = divide(total, cards)
    if options.end_remainder != "descending_from_ace":
        parts = dict.fromkeys(cards, total // len(cards))
    stacks, house = chips.stacks, chips.house + total - sum(parts.values())
    for heart, part in parts.items():
        holder = sheet.last_hearts.get(heart)
        if holder is not None and holder in playing:
            stacks = _plus(stacks, {holder: part})
        else:
            house += part
    return Chips(stacks=stacks, boxes=dict.fromkeys(chips.boxes, 0), issued=chips.issued, house=house)


def divided_equally(options: RoyalOptions, chips: Chips, playing: Sequence[str]) -> Chips:
    """All chips of the board divided among the seats that play; odd ones in table order, or kept by the house."""
    total = chips.on_board
    parts = divide(total, playing)
    if options.end_remainder != "descending_from_ace":
        parts = dict.fromkeys(playing, total // len(playing))
    return Chips(
        stacks=_plus(chips.stacks, parts),
        boxes=dict.fromkeys(chips.boxes, 0),
        issued=chips.issued,
        house=chips.house + total - sum(parts.values()),
    )


def boxes_won(options: RoyalOptions, sheet: RoyalSheet) -> dict[str, tuple[str, ...]]:
    """Who has won which box: a seat that plays king and queen of hearts wins their common box as well, if it has one.

    The pot is included where a poker hand has won it.
    """
    entered = _boxes_entered(sheet)
    queen, king = sheet.boxes.get("QH", ()), sheet.boxes.get("KH", ())
    if queen and queen == king and KING_AND_QUEEN in options.boxes:
        return {**entered, KING_AND_QUEEN: queen}
    return entered


def _boxes_entered(sheet: RoyalSheet) -> dict[str, tuple[str, ...]]:
    pot = {POT: sheet.poker} if sheet.poker else {}
    return {**pot, **sheet.boxes}


def board_panel(options: RoyalOptions, chips: Chips) -> Panel:
    """The chips in each box, and with the stacks and the house all chips that were bought."""
    places: list[tuple[PanelCell, int]] = [(box_title(box), chips.boxes[box]) for box in options.boxes]
    places += [(say("On the board"), chips.on_board), (say("In stacks"), sum(chips.stacks.values()))]
    places += [(say("With the house"), chips.house)] if chips.house else []
    places.append((say("Chips bought"), sum(chips.issued.values())))
    rows = tuple((place, str(chip_count)) for place, chip_count in places)
    return Panel(title=say("The board"), heading=(say("Box"), say("Chips")), rows=rows)


def _plus(chips: Mapping[str, int], changes: Mapping[str, int]) -> dict[str, int]:
    return {place: chip_count + changes.get(place, 0) for place, chip_count in chips.items()}


def chips_text(chips: Chips) -> str:
    """All chips as a sum, so that players can check that none was created or lost."""
    house = f" + {chips.house} with the house" if chips.house else ""
    issued = sum(chips.issued.values())
    return f"{sum(chips.stacks.values())} in stacks + {chips.on_board} on the board{house} = {issued} chips issued"
