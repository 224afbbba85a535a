"""What the sheets of the Western games have in common on a page and on paper: who went out, and what the others hold.

Rules: docs/rules/western.md, section 1. Knows nothing of any one game.
"""

from collections.abc import Mapping, Sequence

import msgspec

from scoring.messages import Message, say, words
from scoring.money.payouts import Payout, divide, house_takes
from scoring.money.reasons import Made, parts_said
from scoring.problems import Problem
from scoring.rules.table.fields import SeatMark, SheetField
from scoring.rules.table.variant import AnySetup

DEALER = SheetField(path=("dealer",), title=words("Dealer"), kind="seat")


def out_field(nobody: str = "") -> SheetField:
    """Who went out; `nobody` says when nobody does, and is empty where somebody always goes out."""
    return SheetField(
        path=("out",),
        title=words("Went out"),
        kind="seat",
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
        SheetField(path=(path,), title=title, kind="number", per_seat=True, help=help_text),
        SheetField(
            path=("hands",),
            title="Cards in hand",
            kind="cards",
            per_seat=True,
            is_rare=True,
            judged_as=judged_as,
            help=words("Instead of a number, such as 7H QS AD: their values are added up"),
        ),
    )


WENT_OUT = SeatMark(how="out", title=words("Went out"), short="out", is_win=True)


def values_said(*, ace: int, joker: int | None, is_by_face: bool = True) -> Message:
    """What cards in hand cost here; without jokers they are not spoken of."""
    pips = say("others their face") if is_by_face else say("others {points}", points=5)
    if joker is None:
        return say("ace {points}, ten to king {most}, {word}", points=ace, most=10, word=pips)
    return say("ace {points}, ten to king {most}, {word}, joker {number}", points=ace, most=10, word=pips, number=joker)


def counted_marks(
    out: str | None, counts: Mapping[str, int], hands: Mapping[str, str], *, won_by: SeatMark = WENT_OUT
) -> dict[str, SeatMark]:
    """The seat that went out, and what the others hold as it was written down."""
    won = {out: won_by} if out is not None else {}
    seats = sorted({*counts, *hands} - {out})
    return won | {seat: held_mark(counts.get(seat), hands.get(seat, "")) for seat in seats}


def held_mark(count: int | None, cards: str = "") -> SeatMark:
    """A seat that still holds cards."""
    return SeatMark(how="held", title=words("Held"), short="", count=count, loose=cards)


def nobody_out(out: str | None) -> tuple[Message, ...]:
    """The remark on a deal in which nobody went out."""
    return () if out is not None else (say("nobody went out"),)


# Money of the Western games: the pot of entry fees, and points that seats pay each other.


class PaidDeal(msgspec.Struct, frozen=True, array_like=True):
    """Points that change hands in one deal: what each seat pays, and who takes them."""

    deal: int
    points: dict[str, int]
    takers: tuple[str, ...]


def pot(setup: AnySetup, winners: Sequence[str]) -> tuple[Payout, ...]:
    """All entries less the fee to the winners in equal parts; nothing where nobody paid to play."""
    entry = setup.stakes.entry_minor
    if not entry or not winners:
        return ()
    gross = entry * len(setup.seats)
    taken = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    awards = _parts(taken.net, winners)
    return (
        Payout(
            slot="table",
            charges=setup.entries,
            awards=awards,
            fee=taken.fee,
            because=(Made(len(setup.seats), "entries", entry), *taken.because, *parts_said(awards)),
            house=taken.house,
        ),
    )


def paid_deal(setup: AnySetup, paid: PaidDeal) -> Payout:
    """One deal that is paid at once."""
    return paid_points(setup, f"deal:{paid.deal}", paid.points, paid.takers, deal=paid.deal)


def paid_points(
    setup: AnySetup, slot: str, points: Mapping[str, int], takers: Sequence[str], *, deal: int = 0
) -> Payout:
    """Each loser pays points times value; the takers share the sum less what the house takes."""
    value = setup.stakes.point_value_minor
    charges = {seat: owed * value for seat, owed in points.items() if owed} if takers else {}
    gross = sum(charges.values())
    taken = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    awards = _parts(taken.net, takers) if takers else {}
    made = Made(sum(points.values()), "points", value, deal=deal)
    return Payout(
        slot=slot,
        charges=charges,
        awards=awards,
        fee=taken.fee,
        because=(made, *taken.because, *parts_said(awards)),
        is_change=True,
        house=taken.house,
    )


def value_problems(setup: AnySetup, what: Message) -> list[Problem]:
    """Where points are paid, a point must be worth something."""
    if setup.stakes.point_value_minor:
        return []
    detail = say("{word} needs the value of a point, more than 0", word=what)
    return [Problem(code="missing_field", field="point_value_minor", detail=detail)]


def _parts(amount_minor: int, takers: Sequence[str]) -> dict[str, int]:
    return {seat: part for seat, part in divide(amount_minor, takers).items() if part}
