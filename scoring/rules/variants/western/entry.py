"""What the sheets of the Western games have in common on a page and on paper: who went out, and what the others hold.

Rules: docs/rules/western.md, section 1. Knows nothing of any one game.
"""

from collections.abc import Mapping, Sequence

from scoring.rules.table.fields import SeatMark, SheetField

DEALER = SheetField(path=("dealer",), title="Dealer", kind="seat")


def out_field(nobody: str = "") -> SheetField:
    """Who went out; `nobody` says when nobody does, and is empty where somebody always goes out."""
    return SheetField(
        path=("out",),
        title="Went out",
        kind="seat",
        is_required=True,
        mark="out",
        nobody=nobody,
        help="Whoever holds no card any more",
    )


def held_fields(title: str, help_text: str, path: str = "counts") -> tuple[SheetField, SheetField]:
    """What a seat still holds: a number, or the cards themselves."""
    return (
        SheetField(path=(path,), title=title, kind="number", per_seat=True, help=help_text),
        SheetField(
            path=("hands",),
            title="Cards in hand",
            kind="cards",
            per_seat=True,
            is_rare=True,
            help="Instead of a number, as in 7H QS AD: the house's values are then added up",
        ),
    )


WENT_OUT = SeatMark(how="out", title="Went out", short="out", is_win=True)


def values_said(*, ace: int, joker: int | None, pips: str = "others their face") -> str:
    """What cards in hand cost here; without jokers they are not spoken of."""
    return f"ace {ace}, ten to king 10, {pips}" + (f", joker {joker}" if joker is not None else "")


def counted_marks(
    out: str | None, counts: Mapping[str, int], hands: Mapping[str, str], *, won_by: SeatMark = WENT_OUT
) -> dict[str, SeatMark]:
    """The seat that went out, and what the others hold as it was written down."""
    won = {out: won_by} if out is not None else {}
    seats = sorted({*counts, *hands} - {out})
    return won | {seat: held_mark(counts.get(seat), hands.get(seat, "")) for seat in seats}


def held_mark(count: int | None, cards: str = "") -> SeatMark:
    """A seat that still holds cards."""
    return SeatMark(how="held", title="Held", short="", count=count, loose=cards)


def nobody_out(out: str | None) -> tuple[str, ...]:
    """The remark on a deal in which nobody went out."""
    return () if out is not None else ("nobody went out",)


def listed(seats: Sequence[str]) -> str:
    """Seats in a remark, each to be replaced by its player's name."""
    return ", ".join(f"{{{seat}}}" for seat in seats)
