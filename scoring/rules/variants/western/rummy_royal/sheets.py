"""Forms, reading and simulation of sheets of Rummy Royal: who dealt, won which box, went out, and what was left.

Rules: docs/rules/rummy_royal.md, section 1 (what is entered); docs/how-to/rehearsal.md, section 4. Knows of chips only
what is on a sheet.
"""

from collections.abc import Iterator, Mapping, Sequence

from scoring.messages import Message, Words, say, say_many, words
from scoring.problems import MOST_SHOWN, Problem
from scoring.rules.chance import Chance
from scoring.rules.table.fields import Choice, SheetField
from scoring.rules.table.variant import Wire
from scoring.rules.variants.western.checks import Reader
from scoring.rules.variants.western.entry import goes_out
from scoring.rules.variants.western.rummy_royal.game import EXTRA_HANDS, Chips, ExtraHand, RoyalSheet
from scoring.rules.variants.western.rummy_royal.options import (
    HEARTS,
    JOKER,
    KING_AND_QUEEN,
    KITTY,
    POT,
    SEQUENCES,
    RoyalOptions,
    box_name,
    is_card,
    unknown_box,
)

BOX_TITLES = {
    "678": "6 7 8",
    "789": "7 8 9",
    "8910": "8 9 10",
    "any": words("Sequence"),
    JOKER: words("Joker"),
}
MOST_NAMED = 20
Found = tuple[RoyalSheet | None, list[Problem]]


def read_royal_sheet(raw: Mapping[str, object], seats: Sequence[str]) -> Found:
    """A deal, or the last deal, from untrusted JSON."""
    reader = Reader(raw, seats, RoyalSheet.__struct_fields__)
    is_last = "last_hearts" in raw
    if not is_last:
        reader.require("dealer")
        reader.require("out")
    sheet = RoyalSheet(
        dealer=reader.seat("dealer"),
        out=reader.seat("out"),
        boxes=_read_boxes(reader, raw.get("boxes")),
        cards_left=reader.numbers("cards_left"),
        extra_hand=_extra_hand(reader),
        buyer=reader.seat("buyer"),
        price=reader.number("price") or 0,
        antes=reader.numbers("antes"),
        bought=reader.numbers("bought"),
        last_hearts=_read_hearts(reader, raw["last_hearts"]) if is_last else {},
        poker=reader.listed("poker"),
        bets=reader.numbers("bets"),
    )
    decisive = ("last_hearts",) if is_last else ("dealer", "out")
    if any(reader.has_problem_with(field) for field in decisive):
        return None, reader.problems
    return sheet, reader.problems


def royal_fields(options: RoyalOptions, chips: Chips) -> tuple[SheetField, ...]:
    """A deal on the board, each box with the chips in it; the last deal, which divides them all, is collapsed."""
    return (
        SheetField(("dealer",), words("Dealer"), "seat", is_required=True),
        SheetField(
            ("out",),
            words("Went out"),
            "seat",
            is_required=True,
            mark="out",
            nobody=words("Nobody: play stuck"),
            help=_going_out_help(options, chips),
        ),
        SheetField(("cards_left",), words("Cards left"), "number", per_seat=True, help=words("One chip each")),
        *_box_fields(options, chips),
        *(_poker_fields(chips) if options.plays_poker else ()),
        *_chip_fields(),
        *(() if options.divides_equally else _last_fields(options)),
    )


def _going_out_help(options: RoyalOptions, chips: Chips) -> Message:
    """What a seat gets for going out on this board."""
    kitty, pot = chips.boxes.get(KITTY), chips.boxes.get(POT)
    if kitty is not None and pot is not None and not options.plays_poker:
        return say("Kitty {first}, pot {last} chips: the dealer who goes out takes both", first=kitty, last=pot)
    return say("A chip for each card left") if kitty is None else say("The kitty, and a chip for each card left")


def _poker_fields(chips: Chips) -> tuple[SheetField, SheetField]:
    """Who takes the pot by the best poker hand, and what was bet on it."""
    return (
        SheetField(
            ("poker",),
            words("Best poker hand"),
            "seats",
            group=words("Poker"),
            note=_chips(chips.boxes[POT]),
            help=words("Takes the pot; equal hands share it"),
        ),
        SheetField(
            ("bets",), words("Chips bet"), "number", per_seat=True, is_rare=True, help=words("On the poker hand")
        ),
    )


def _box_fields(options: RoyalOptions, chips: Chips) -> Iterator[SheetField]:
    """Who has won which box; a sequence may have several winners, where the house shares it."""
    shares = options.sequence if options.sequence_claim == "shared" else ""
    has_both = {"QH", "KH"} <= {*options.on_board}
    for box in options.boxes:
        if box not in (KITTY, POT) and not (box == KING_AND_QUEEN and has_both):
            yield SheetField(
                ("boxes", box),
                BOX_TITLES.get(box, box),
                "seats" if box == shares else "seat",
                group=words("Boxes won"),
                note=_chips(chips.boxes[box]),
                help=_box_help(box, chips),
            )


def _last_fields(options: RoyalOptions) -> Iterator[SheetField]:
    """Who was dealt which card, which heart, in the deal that divides the board."""
    for heart in options.cards:
        yield SheetField(
            ("last_hearts", heart),
            BOX_TITLES.get(heart, heart),
            "seat",
            group=words("Last deal: who was dealt"),
            help=words("All five, and nothing else on the sheet")
            if len(options.cards) == len(HEARTS)
            else words("All of them, and nothing else on the sheet"),
            is_rare=True,
        )


def _chips(count: int) -> Message:
    return say_many("{count} chip", "{count} chips", count=count)


def _box_help(box: str, chips: Chips) -> Words:
    """Further effects or conditions of a box."""
    if box == "KH" and KING_AND_QUEEN in chips.boxes:
        return say("With the queen also king and queen together: {number} chips", number=chips.boxes[KING_AND_QUEEN])
    if box == "any":
        return say("Three cards of one suit in a row; the highest win")
    return say("All three cards of one suit") if box in SEQUENCES else ""


def _chip_fields() -> tuple[SheetField, ...]:
    """The extra hand, and chips that moved other than by the house's rules."""
    hand = words("Extra hand")
    unsold, dealer, sold = EXTRA_HANDS
    return (
        SheetField(
            ("extra_hand",),
            words("Extra hand"),
            "choice",
            group=hand,
            choices=(
                Choice(unsold, words("Not sold")),
                Choice(dealer, words("Taken by the dealer")),
                Choice(sold, words("Sold")),
            ),
        ),
        SheetField(("buyer",), words("Bought by"), "seat", group=hand, help=words("Not the dealer")),
        SheetField(("price",), words("Price in chips"), "number", group=hand),
        SheetField(
            ("bought",),
            words("Chips bought"),
            "number",
            per_seat=True,
            is_rare=True,
            help=words("Bought before this deal, beyond the starting chips"),
        ),
        SheetField(
            ("antes",),
            words("Chips a box"),
            "number",
            per_seat=True,
            is_rare=True,
            help=words("If a seat laid more or less than the ante"),
        ),
    )


def _extra_hand(reader: Reader) -> ExtraHand:
    extra_hand = reader.choice("extra_hand", EXTRA_HANDS)
    return next((word for word in EXTRA_HANDS if word == extra_hand), "unsold")


def _read_boxes(reader: Reader, raw: object) -> dict[str, tuple[str, ...]]:
    """Boxes by name; each has one winner, or a list of those who share it."""
    if raw is None:
        return {}
    if not isinstance(raw, Mapping) or len(raw) > MOST_NAMED:
        detail = say("boxes must be an object: each box that was won, with the seat that won it")
        reader.problems.append(Problem("wrong_type", detail, field="boxes"))
        return {}
    winners_by_box: dict[str, tuple[str, ...]] = {}
    for name, winners in raw.items():
        box = box_name(str(name)[:MOST_SHOWN])
        if box is None:
            reader.problems.append(unknown_box(name, "boxes"))
            continue
        listed = winners if isinstance(winners, list | tuple) and winners else [winners]
        winning_seats = [reader.seat_value("boxes", "" if seat is None else seat) for seat in listed]
        winners_by_box[box] = tuple(seat for seat in reader.seats if seat in winning_seats)
    return {box: seats for box, seats in winners_by_box.items() if seats}


def _read_hearts(reader: Reader, raw: object) -> dict[str, str]:
    """Who was dealt which of the five hearts; all of them are dealt."""
    if not isinstance(raw, Mapping):
        detail = say(
            "last_hearts must be an object: each of {list}, with the seat it was dealt to", list=", ".join(HEARTS)
        )
        reader.problems.append(Problem("wrong_type", detail, field="last_hearts"))
        return {}
    hearts = {box_name(str(name)[:MOST_SHOWN]) or str(name): seat for name, seat in raw.items()}
    strangers = [name for name in hearts if not is_card(name)]
    reader.problems += [unknown_box(name, "last_hearts") for name in strangers[:MOST_NAMED]]
    cards = [name for name in hearts if name not in strangers and hearts[name] is not None][:MOST_NAMED]
    seat_by_card = {card: reader.seat_value("last_hearts", hearts[card]) for card in _as_on_board(cards)}
    return {card: seat for card, seat in seat_by_card.items() if seat is not None}


def _as_on_board(cards: Sequence[str]) -> list[str]:
    """Cards in the order of the hearts, others after them."""
    return [*(heart for heart in HEARTS if heart in cards), *(card for card in cards if card not in HEARTS)]


MOST_LEFT, STOCK_RUNS_OUT = 5, 0.05
WINS_A_HEART, WINS_THE_SEQUENCE, SELLS_A_HAND = 0.75, 0.25, 0.3
LOW_STACK, CHIPS_BOUGHT, MOST_BET = 60, 100, 3


def simulated_deal(options: RoyalOptions, chips: Chips, seats: Sequence[str], *, dealer: str, chance: Chance) -> Wire:
    """A simulated deal; a seat that is low on chips buys some, where the house sells them."""
    out = goes_out(seats, chance, stock_runs_out=STOCK_RUNS_OUT)
    boxes: Wire = {heart: chance.one_of(seats) for heart in chance.some_of(options.cards, WINS_A_HEART)}
    if options.sequence != "none" and chance.happens(WINS_THE_SEQUENCE):
        boxes[options.sequence] = chance.one_of(seats)
    cards_left = {seat: chance.number(1, MOST_LEFT) for seat in seats if seat != out}
    may_buy = options.cannot_pay == "buy_more"
    bought = {seat: CHIPS_BOUGHT for seat in seats if may_buy and chips.stacks[seat] < LOW_STACK}
    sheet: Wire = {"out": out, "boxes": boxes, "cards_left": cards_left, "bought": bought}
    if options.plays_poker:
        sheet |= {"poker": [chance.one_of(seats)], "bets": {seat: chance.number(1, MOST_BET) for seat in seats}}
    buyers = [seat for seat in seats if seat != dealer]
    if buyers and chance.happens(SELLS_A_HAND):
        sheet |= {"extra_hand": "sold", "buyer": chance.one_of(buyers), "price": chance.number(2, 8)}
    return {**sheet, "dealer": dealer}


def simulated_end(options: RoyalOptions, seats: Sequence[str], chance: Chance) -> Wire:
    """The simulated deal that divides the board."""
    return {"last_hearts": {card: chance.one_of(seats) for card in options.cards}}
