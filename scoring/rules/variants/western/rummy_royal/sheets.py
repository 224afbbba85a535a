"""Reading and checking sheets of Rummy Royal: who dealt, who won which box, who went out, what was left.

Rules: docs/rules/rummy_royal.md, section 1 (what is entered). Knows nothing of chips but what a sheet says of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.problems import MOST_SHOWN, Problem, shown
from scoring.rules.table.fields import Choice, SheetField
from scoring.rules.variants.western.checks import Reader
from scoring.rules.variants.western.rummy_royal.game import EXTRA_HANDS, Chips, ExtraHand, RoyalSheet
from scoring.rules.variants.western.rummy_royal.options import (
    HEARTS,
    KING_AND_QUEEN,
    KITTY,
    PACK,
    POT,
    SEQUENCES,
    RoyalOptions,
    hand_sizes,
)

SPELLINGS = {"TH": "10H", "QK": KING_AND_QUEEN}
BOX_TITLES = {"678": "6 7 8", "789": "7 8 9", "8910": "8 9 10"}
KNOWN_BOXES = (*HEARTS, KING_AND_QUEEN, *SEQUENCES)
MOST_ANTE = 10
Found = tuple[RoyalSheet | None, list[Problem]]


def read_royal_sheet(raw: Mapping[str, Any], seats: Sequence[str]) -> Found:
    """A deal, or the last deal, from untrusted JSON."""
    reader = Reader(raw, seats, RoyalSheet.__struct_fields__)
    is_last = "last_hearts" in raw
    if not is_last:
        reader.said("dealer")
        reader.said("out")
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
    )
    decisive = ("last_hearts",) if is_last else ("dealer", "out")
    if any(reader.has_problem_with(field) for field in decisive):
        return None, reader.problems
    return sheet, reader.problems


def royal_fields(options: RoyalOptions, chips: Chips) -> tuple[SheetField, ...]:
    """A deal on the board, each box with the chips in it; folded away the last deal, which divides them all."""
    shares = options.sequence if options.sequence_claim == "shared" else ""
    boxes = [
        SheetField(
            path=("boxes", box),
            title=BOX_TITLES.get(box, box),
            kind="seats" if box == shares else "seat",
            group="Boxes won",
            note=f"{chips.boxes[box]} chips",
            help=_box_help(box, chips),
        )
        for box in options.boxes
        if box in KNOWN_BOXES and box != KING_AND_QUEEN
    ]
    hearts = [
        SheetField(
            path=("last_hearts", heart),
            title=heart,
            kind="seat",
            group="Last deal of the evening: who was dealt",
            help="All five, and nothing else on the sheet",
            is_rare=True,
        )
        for heart in HEARTS
    ]
    kitty_and_pot = f"Kitty {chips.boxes[KITTY]}, pot {chips.boxes[POT]} chips: the dealer who goes out takes both"
    return (
        SheetField(path=("dealer",), title="Dealer", kind="seat", is_required=True),
        SheetField(
            path=("out",),
            title="Went out",
            kind="seat",
            is_required=True,
            mark="out",
            nobody="Nobody: play stuck",
            help=kitty_and_pot,
        ),
        SheetField(path=("cards_left",), title="Cards left", kind="number", per_seat=True, help="One chip each"),
        *boxes,
        *_chip_fields(),
        *hearts,
    )


def _box_help(box: str, chips: Chips) -> str:
    """What else a box brings, or needs."""
    if box == "KH":
        return f"With the queen also king and queen together: {chips.boxes[KING_AND_QUEEN]} chips"
    return "All three cards of one suit" if box in SEQUENCES else ""


def _chip_fields() -> tuple[SheetField, ...]:
    """The extra hand, and chips that moved otherwise than the house plays."""
    hand = "Extra hand"
    unsold, dealer, sold = EXTRA_HANDS
    return (
        SheetField(
            path=("extra_hand",),
            title="Extra hand",
            kind="choice",
            group=hand,
            choices=(Choice(unsold, "Not sold"), Choice(dealer, "Taken by the dealer"), Choice(sold, "Sold")),
        ),
        SheetField(path=("buyer",), title="Bought by", kind="seat", group=hand, help="Not the dealer"),
        SheetField(path=("price",), title="Price in chips", kind="number", group=hand),
        SheetField(
            path=("bought",),
            title="Chips bought",
            kind="number",
            per_seat=True,
            is_rare=True,
            help="Before this deal, beyond those of the start",
        ),
        SheetField(
            path=("antes",),
            title="Chips a box",
            kind="number",
            per_seat=True,
            is_rare=True,
            help="Where a seat laid more or fewer than the house's ante",
        ),
    )


def royal_problems(options: RoyalOptions, playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """Everything the rules find wrong with a sheet for the seats that play."""
    if sheet.is_last:
        return _last_problems(playing, sheet)
    problems = _player_problems(playing, sheet)
    problems += _box_problems(options, playing, sheet)
    problems += _cards_left_problems(playing, sheet)
    return problems + _auction_problems(sheet) + _ante_problems(sheet)


def _extra_hand(reader: Reader) -> ExtraHand:
    said = reader.choice("extra_hand", EXTRA_HANDS)
    return next((word for word in EXTRA_HANDS if word == said), "unsold")


def _read_boxes(reader: Reader, raw: object) -> dict[str, tuple[str, ...]]:
    """Boxes by name; each has one winner, or a list of those who share it."""
    if raw is None:
        return {}
    if not isinstance(raw, Mapping) or len(raw) > len(KNOWN_BOXES):
        detail = "boxes must be an object: each box that was won, with the seat that won it"
        reader.problems.append(Problem(code="wrong_type", field="boxes", detail=detail))
        return {}
    read: dict[str, tuple[str, ...]] = {}
    for name, winners in raw.items():
        box = _box_name(name)
        if box not in KNOWN_BOXES:
            reader.problems.append(_unknown_box(name))
            continue
        listed = winners if isinstance(winners, list | tuple) and winners else [winners]
        found = [reader.seat_value("boxes", "" if seat is None else seat) for seat in listed]
        read[box] = tuple(seat for seat in reader.seats if seat in found)
    return {box: seats for box, seats in read.items() if seats}


def _read_hearts(reader: Reader, raw: object) -> dict[str, str]:
    """Who was dealt which of the five hearts; all of them are dealt."""
    if not isinstance(raw, Mapping):
        detail = f"last_hearts must be an object: each of {', '.join(HEARTS)}, with the seat it was dealt to"
        reader.problems.append(Problem(code="wrong_type", field="last_hearts", detail=detail))
        return {}
    hearts = {_box_name(name): seat for name, seat in raw.items()}
    for heart in HEARTS:
        if hearts.get(heart) is None:
            detail = f"it is not said who was dealt {heart}: the cards go round until all five are out"
            reader.problems.append(Problem(code="missing_field", field="last_hearts", detail=detail))
    strangers = [name for name in hearts if name not in HEARTS]
    reader.problems += [_unknown_box(name, "last_hearts") for name in strangers[: len(KNOWN_BOXES)]]
    read = {heart: reader.seat_value("last_hearts", hearts.get(heart)) for heart in HEARTS}
    return {heart: seat for heart, seat in read.items() if seat is not None}


def _box_name(name: object) -> str:
    text = str(name).strip()
    upper = text.upper()
    return SPELLINGS.get(upper, upper if upper in KNOWN_BOXES else text)


def _unknown_box(name: object, field: str = "boxes") -> Problem:
    boxes = ", ".join(HEARTS if field == "last_hearts" else KNOWN_BOXES)
    detail = f"{shown(str(name)[:MOST_SHOWN])} is none of {boxes}; kitty and pot follow from who went out and who dealt"
    return Problem(code="unknown_box", field=field, detail=detail)


def _player_problems(playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """Who is named must play; a deal needs a dealer and two seats."""
    problems: list[Problem] = []
    if sheet.dealer is None:
        detail = "who dealt is missing: the pot depends on it"
        problems.append(Problem(code="missing_field", field="dealer", detail=detail))
    named = {"dealer": sheet.dealer, "out": sheet.out, "buyer": sheet.buyer}
    listed = {"boxes": [seat for seats in sheet.boxes.values() for seat in seats], "cards_left": [*sheet.cards_left]}
    listed |= {"antes": [*sheet.antes], "bought": [*sheet.bought]}
    pairs = [(field, seat) for field, seat in named.items() if seat is not None]
    pairs += [(field, seat) for field, seats in listed.items() for seat in dict.fromkeys(seats)]
    detail = "{seat} is out, or does not play this deal"
    problems += [
        Problem(code="seat_is_out", seat=seat, field=field, detail=detail)
        for field, seat in pairs
        if seat not in playing
    ]
    if len(playing) < 2:
        problems.append(Problem(code="too_few_seats", field="out", detail="nobody is left to play with"))
    return problems


def _box_problems(options: RoyalOptions, playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """The table has one sequence box, boxes have one winner, and king and queen together belong to who played both."""
    problems = [
        Problem(
            code="unknown_box", field="boxes", detail=f"the sequence box of this table is {options.sequence}, not {box}"
        )
        for box in sheet.boxes
        if box not in options.boxes
    ]
    shares = options.sequence if options.sequence_claim == "shared" else None
    problems += [
        Problem(code="two_winners", seat=seats[1], field="boxes", detail=f"{{seat}}: {box} can only be won by one seat")
        for box, seats in sheet.boxes.items()
        if len(seats) > 1 and box != shares
    ]
    both = sheet.boxes.get(KING_AND_QUEEN)
    if both is not None and not both == sheet.boxes.get("QH") == sheet.boxes.get("KH"):
        detail = "{seat} has king and queen together, but not both of their boxes in this deal"
        problems.append(Problem(code="king_and_queen_apart", seat=both[0], field="boxes", detail=detail))
    return problems


def _cards_left_problems(playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """Whoever went out holds nothing, all others hold a card at least, and no more than they were dealt."""
    problems: list[Problem] = []
    sizes = hand_sizes(max(2, len(playing)))
    most, dead = max(sizes), min(sizes)
    for seat in playing:
        left = sheet.cards_left.get(seat)
        if seat == sheet.out:
            if left:
                detail = f"{{seat}} went out, so no card is left; the sheet says {left}"
                problems.append(Problem(code="winner_has_points", seat=seat, field="cards_left", detail=detail))
        elif left is None:
            detail = "{seat} did not go out, but the cards left are missing"
            problems.append(Problem(code="missing_count", seat=seat, field="cards_left", detail=detail))
        elif left == 0:
            detail = "{seat} has no card left, but did not go out"
            problems.append(Problem(code="count_is_zero", seat=seat, field="cards_left", detail=detail))
        elif left > most:
            detail = f"{{seat}} has {left} cards left; {most} were dealt at most"
            problems.append(Problem(code="count_over_cap", seat=seat, field="cards_left", detail=detail))
    total = sum(sheet.cards_left.values())
    if not problems and total > PACK - dead:
        detail = f"{total} cards are left; with a dead hand of {dead} that is more than a pack"
        problems.append(Problem(code="count_over_cap", field="cards_left", detail=detail))
    return problems


def _auction_problems(sheet: RoyalSheet) -> list[Problem]:
    """A sold hand has a buyer and a price; the dealer cannot be the buyer, for the hand was the dealer's to keep."""
    if sheet.extra_hand != "sold":
        if sheet.buyer is None and not sheet.price:
            return []
        detail = "the extra hand was not sold, so it has no buyer and no price"
        return [Problem(code="count_not_expected", seat=sheet.buyer, field="price", detail=detail)]
    problems: list[Problem] = []
    if sheet.buyer is None:
        problems.append(Problem(code="missing_field", field="buyer", detail="the extra hand was sold: to whom?"))
    elif sheet.buyer == sheet.dealer:
        detail = "{seat} dealt, and would have taken the extra hand for nothing"
        problems.append(Problem(code="not_a_choice", seat=sheet.buyer, field="buyer", detail=detail))
    if not sheet.price:
        problems.append(
            Problem(code="missing_count", field="price", detail="the extra hand was sold: for how many chips?")
        )
    return problems


def _ante_problems(sheet: RoyalSheet) -> list[Problem]:
    return [
        Problem(
            code="out_of_range", seat=seat, field="antes", detail=f"{{seat}}: {ante} chips a box; {MOST_ANTE} at most"
        )
        for seat, ante in sheet.antes.items()
        if ante > MOST_ANTE
    ]


def _last_problems(playing: Sequence[str], sheet: RoyalSheet) -> list[Problem]:
    """The last deal has nothing but its five hearts, each with a seat that plays."""
    problems = [
        Problem(code="seat_is_out", seat=seat, field="last_hearts", detail="{seat} is out, and is dealt no card")
        for seat in dict.fromkeys(sheet.last_hearts.values())
        if seat not in playing
    ]
    plain = RoyalSheet(last_hearts=sheet.last_hearts, dealer=sheet.dealer)
    if sheet != plain:
        detail = "the last deal only divides the board: nobody wins boxes, goes out or pays in it"
        problems.append(Problem(code="not_in_last_deal", field="last_hearts", detail=detail))
    return problems
