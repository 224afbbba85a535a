"""Refusals that several games share: a seat that has left, a table without a deal, points without a value, and buy-ins.

Rules: docs/rules/western.md, section 4 (leaving); docs/rules/points.md, section 3. Buy-ins are counted only where there
is a limit: stored states of other tables stay as they are. Knows nothing of any one game.
"""

from collections.abc import Container, Iterable, Sequence

from msgspec import UNSET, UnsetType

from scoring.events.wire import Event
from scoring.messages import Message, Seat, say, say_many
from scoring.problems import Problem
from scoring.rules.table.variant import AnySetup

Most = int | UnsetType | None
BuyIns = dict[str, int] | UnsetType


def with_buy_ins(most: Most, so_far: BuyIns, seats: Iterable[str]) -> BuyIns:
    """The buy-ins of each seat after these seats have bought in once more."""
    if not isinstance(most, int):
        return so_far
    buy_ins = so_far if so_far is not UNSET else {}
    return buy_ins | {seat: buy_ins.get(seat, 0) + 1 for seat in seats}


def too_often(most: Most, so_far: BuyIns, seats: Iterable[str], *, field: str) -> list[Problem]:
    """Seats that have bought in as often as the house allows."""
    if not isinstance(most, int) or so_far is UNSET:
        return []
    return [_too_often(seat, so_far[seat], field) for seat in seats if so_far.get(seat, 0) >= most]


def _too_often(seat: str, times: int, field: str) -> Problem:
    detail = say_many(
        "{seat} has bought in {count} time: no more are allowed at this table",
        "{seat} has bought in {count} times: no more are allowed at this table",
        count=times,
        seat=Seat(seat),
    )
    return Problem("too_many_buy_ins", detail, field=field)


def not_played(event: Event, title: str) -> list[Problem]:
    """A kind of event that belongs to another game."""
    detail = say("{name} has no place in {kind}", name=event.kind, kind=Message(title))
    return [Problem("not_in_this_variant", detail, field="kind")]


def decided_in(deal: int) -> Message:
    """Since when a table is decided; a table that was entered by its totals has no deals."""
    return say("the table was decided in deal {deal}", deal=deal) if deal else say("the table is decided")


def left_already(gone: Container[str], seat: str) -> list[Problem]:
    """A seat can leave only once."""
    if seat not in gone:
        return []
    return [Problem("seat_is_out", say("{seat} has left already", seat=Seat(seat)), field="seat")]


def leaving_problems(playing: Sequence[str], seat: str) -> list[Problem]:
    """A seat that is in may leave, but not as the last one."""
    if seat in playing:
        return last_seat(seat) if len(playing) == 1 else []
    return [Problem("seat_is_out", say("{seat} has left, or is out", seat=Seat(seat)), field="seat")]


def last_seat(seat: str) -> list[Problem]:
    """At least one seat must remain until the table is over."""
    return [Problem("last_seat", say("{seat} is the last one at the table", seat=Seat(seat)), field="seat")]


def nothing_played(deals: int) -> list[Problem]:
    """Without a deal that counts there is no result."""
    if deals:
        return []
    return [Problem("nothing_played", say("no deal counts at this table: cancel it instead"))]


def value_problems(setup: AnySetup, what: Message) -> list[Problem]:
    """Where points are paid, a point must be worth something."""
    if setup.stakes.point_value_minor:
        return []
    detail = say("{word} needs the value of a point, more than 0", word=what)
    return [Problem("missing_field", detail, field="point_value_minor")]
