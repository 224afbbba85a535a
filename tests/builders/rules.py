"""Tables as players talk about them: `pool(limit=101).where(asha=85, bo=40).after(first_drop("asha"), show("bo"))`.

Everything goes in as an outside tool would send it, so that whatever a test states could have come from a scorer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.events.wire import Event
from scoring.problems import EventNotAllowed, Problem, RuleError, refuse_if
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import announce
from scoring.rules.table.standing import SeatStanding
from scoring.rules.table.table import Table, places
from scoring.rules.variants import opening, table_from

CAST = ("asha", "bo", "cy", "dev", "eli", "fay", "gus", "hal", "ida", "jo")

Said = tuple[str, dict[str, Any]]
Wire = dict[str, Any]


def show(seat: str) -> Said:
    return seat, {"how": "show"}


def last_standing(seat: str) -> Said:
    return seat, {"how": "last_standing"}


def loses_with(seat: str, count: int, **more: Any) -> Said:
    return seat, {"how": "loss", "count": count, **more}


def loses_holding(seat: str, *groups: str, loose: str = "") -> Said:
    return seat, {"how": "loss", "groups": list(groups), "loose": loose}


def first_drop(seat: str) -> Said:
    return seat, {"how": "first_drop"}


def middle_drop(seat: str) -> Said:
    return seat, {"how": "middle_drop"}


def wrong_show(seat: str) -> Said:
    return seat, {"how": "wrong_show"}


def leaves(seat: str) -> Said:
    return seat, {"how": "left_after_draw"}


def ends(seat: str, how: str, **more: Any) -> Said:
    return seat, {"how": how, **more}


def deal(number: int, *said: Said, **more: Any) -> Wire:
    """A recorded deal as it is sent."""
    return {"kind": "deal_recorded", "deal": number, "outcomes": dict(said), **more}


def corrected(number: int, *said: Said, reason: str = "misread", **more: Any) -> Wire:
    return {"kind": "deal_corrected", "deal": number, "outcomes": dict(said), "reason": reason, **more}


def voided(number: int, reason: str = "misdeal") -> Wire:
    return {"kind": "deal_voided", "deal": number, "reason": reason}


def tiebreak(*said: Said) -> Wire:
    return {"kind": "tiebreak_recorded", "outcomes": dict(said)}


def rejoins(seat: str) -> Wire:
    return {"kind": "rejoined", "seat": seat}


def goes_home(seat: str) -> Wire:
    return {"kind": "seat_left", "seat": seat}


def penalty(seat: str, points: int) -> Wire:
    return {"kind": "penalty_given", "seat": seat, "points": points, "reason": "late"}


def buys_in(seat: str, amount_minor: int) -> Wire:
    return {"kind": "bought_in", "seat": seat, "amount_minor": amount_minor}


def withdrawn(version: int) -> Wire:
    return {"kind": "fact_withdrawn", "version": version, "reason": "pressed by mistake"}


SPLIT: Wire = {"kind": "split_agreed"}
CLOSED: Wire = {"kind": "table_closed"}
TIME_CALLED: Wire = {"kind": "table_closed", "time_called": True}
CANCELLED: Wire = {"kind": "table_cancelled", "reason": "the hall closes"}


@dataclass(frozen=True)
class Evening:
    """A table and the events that led to it."""

    start: Table
    table: Table
    events: tuple[Wire, ...] = field(default=())

    def told(self, *events: Wire) -> "Evening":
        """The table after further events; raises EventNotAllowed with every problem.

        They are recorded as programs record them. A sheet that is refused only because it was most likely mistyped is
        taken as it may stand in a log.
        """
        table = self.table
        for raw in events:
            try:
                table = table.record(raw)
            except RuleError:
                event, problems = considered(table, raw)
                refuse_if(problems, EventNotAllowed)
                assert event is not None
                table = table.apply(event)
        return Evening(self.start, table, (*self.events, *events))

    def after(self, *said: Said, **more: Any) -> "Evening":
        """The table after one more deal."""
        return self.told(deal(self.table.next_deal, *said, **more))

    def refuses(self, *events: Wire) -> list[tuple[str, str | None]]:
        """Codes and seats of all the problems with the last of these events."""
        *before, last = events
        _, problems = self.told(*before).considered(last)
        return [(problem.code, problem.seat) for problem in problems]

    def considered(self, raw: object) -> tuple[Event | None, list[Problem]]:
        return considered(self.table, raw)

    def where(self, **totals: int) -> "Evening":
        """The same table once seats have these totals. Seats over the limit go out in one deal, the last."""
        evening = self
        limit, cap = self.table.setup.options.limit, self.table.setup.options.cap
        for seat, total in totals.items():
            evening = evening._brought(seat, total if total < limit else max(0, total - cap))
        crossing = {seat: total for seat, total in totals.items() if total >= limit}
        if not crossing:
            return evening
        missing = {seat: total - evening.total(seat) for seat, total in crossing.items()}
        winner = next(seat for seat in evening.table.in_play if seat not in crossing)
        rest = [seat for seat in evening.table.in_play if seat not in crossing and seat != winner]
        return evening.after(
            show(winner),
            *(loses_with(seat, points) for seat, points in missing.items()),
            *(ends(seat, "not_in_deal") for seat in rest),
        )

    def _brought(self, seat: str, total: int) -> "Evening":
        evening = self
        while evening.total(seat) < total:
            winner, *rest = [other for other in evening.table.in_play if other != seat]
            points = min(evening.table.setup.options.cap, total - evening.total(seat))
            idle = (ends(other, "not_in_deal") for other in rest)
            evening = evening.after(show(winner), loses_with(seat, points), *idle)
        return evening

    def seat(self, seat: str) -> SeatStanding:
        return self.table.seats()[seat]

    def total(self, seat: str) -> int:
        return self.seat(seat).total or 0

    def totals(self) -> dict[str, Any]:
        return {seat: view.total for seat, view in self.table.seats().items()}

    def chips(self) -> dict[str, Any]:
        return {seat: view.chips for seat, view in self.table.seats().items()}

    def is_out(self, seat: str) -> bool:
        return not self.seat(seat).is_in

    def places(self) -> dict[str, int]:
        return places(self.table.seats())

    def winners(self) -> tuple[str, ...]:
        return self.table.winners()

    def conflicts(self) -> list[tuple[int, str, str | None]]:
        """Version, code and seat of each contradiction."""
        return [(conflict.version, conflict.code, conflict.seat) for conflict in self.table.conflicts]

    def paid(self) -> dict[str, int]:
        return announce(self.table).payouts_minor

    def fee(self) -> int:
        return announce(self.table).fee_minor


def sit(variant: str, seats: tuple[str, ...], stakes: Mapping[str, Any], options: Mapping[str, Any]) -> Evening:
    """A fresh table of any variant."""
    opened = opening(variant, options=options, stakes=stakes, seats={seat: f"player-{seat}" for seat in seats})
    return Evening(table_from(opened), table_from(opened))


def pool(*, seats: int = 2, entry: int = 0, fee_bp: int = 0, **options: Any) -> Evening:
    return sit("pool", CAST[:seats], {"entry_minor": entry, "fee_bp": fee_bp}, options)


def deals(*, seats: int = 2, entry: int = 0, fee_bp: int = 0, **options: Any) -> Evening:
    return sit("deals", CAST[:seats], {"entry_minor": entry, "fee_bp": fee_bp}, options)


def points(*, seats: int = 2, value: int = 100, fee_bp: int = 0, **options: Any) -> Evening:
    return sit("points", CAST[:seats], {"point_value_minor": value, "fee_bp": fee_bp}, options)
