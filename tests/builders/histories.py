"""Random tables that could have happened: every event in them was accepted when it was recorded."""

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from scoring.events.wire import Event, EventWithdrawn
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import opening, table_from
from tests.builders.rules import CAST, Wire

COUNTS = st.integers(0, 100)
LOSERS = (
    "loss",
    "loss",
    "loss",
    "first_drop",
    "middle_drop",
    "three_misses",
    "left_after_draw",
    "wrong_show",
    "absent",
)

DEAL_OPTIONS: dict[str, SearchStrategy[Any]] = {
    "leave_after_draw": st.sampled_from(["middle_drop", "full"]),
    "deal_show_half_count": st.booleans(),
    "stock_exhausted": st.sampled_from(["reshuffle", "count_now"]),
}
OPTIONS: dict[str, dict[str, SearchStrategy[Any]]] = {
    "points": {"settle": st.sampled_from(["per_deal", "per_session"]), "table_stakes": st.booleans()},
    "deals": {
        "deals": st.integers(1, 4),
        "tiebreak": st.sampled_from(["extra_deal", "most_deals_won", "share"]),
        "tiebreak_moves_chips": st.booleans(),
        "drop_allowed": st.just(True),
        "stop_when_decided": st.booleans(),
        "second_prize_bp": st.sampled_from([0, 3_333]),
    },
    "pool": {
        "limit": st.sampled_from([51, 61, 101, 201]),
        "eliminate_at": st.sampled_from(["reach_or_exceed", "exceed"]),
        "max_rejoins": st.sampled_from([None, 0, 1]),
        "rejoin_when_one_left": st.booleans(),
        "splits": st.sampled_from(["auto_and_manual", "auto", "manual", "none"]),
        "auto_split_when": st.sampled_from(["no_drop_left", "at_least"]),
        "split_needs_fewer_than_started": st.booleans(),
    },
}


@dataclass(frozen=True)
class History:
    """A table, and the events that were recorded one after the other."""

    start: Table
    events: tuple[tuple[int, Event], ...]
    raws: tuple[Wire, ...]

    @property
    def table(self) -> Table:
        return fold(self.start, self.events)


@st.composite
def openings(draw: DrawFn, variants: tuple[str, ...] = ("points", "deals", "pool")) -> Table:
    name = draw(st.sampled_from(variants))
    options = draw(st.fixed_dictionaries({}, optional=OPTIONS[name] | DEAL_OPTIONS))
    stakes = {
        "entry_minor": draw(st.integers(0, 100_000)),
        "fee_bp": draw(st.integers(0, 10_000)),
        "point_value_minor": draw(st.integers(1, 1_000)),
    }
    seats = CAST[: draw(st.integers(2, 6))]
    return table_from(opening(name, options=options, stakes=stakes, seats={seat: f"player-{seat}" for seat in seats}))


@st.composite
def histories(
    draw: DrawFn, variants: tuple[str, ...] = ("points", "deals", "pool"), *, changes: bool = True, most: int = 14
) -> History:
    """A table with up to `most` events; without `changes` nothing is corrected, cancelled or undone."""
    start = table = draw(openings(variants))
    told: list[tuple[int, Event]] = []
    raws: list[Wire] = []
    for _ in range(draw(st.integers(most // 3, most))):
        raw = _draw_event(draw, table, changes=changes)
        event, problems = considered(table, raw)
        if event is not None and not problems:
            told.append((table.version + 1, event))
            raws.append(raw)
            table = fold(table, told[-1:])
    return History(start, tuple(told), tuple(raws))


# Strategies are made once: making them for every deal takes longer than playing it.
_PICK = st.integers(0, 59)
_COIN = st.booleans()
_POINTS = st.integers(1, 60)
_MONEY = st.integers(1, 200_000)
_LOSER = st.sampled_from([*LOSERS, "full_count", "not_in_deal"])


@st.composite
def sheets(draw: DrawFn, seats: tuple[str, ...], options: Any) -> dict[str, Any]:
    """A deal sheet for these seats."""
    return draw_sheet(draw, seats, options)


def draw_sheet(draw: DrawFn, seats: tuple[str, ...], options: Any) -> dict[str, Any]:
    """Mostly one winner, sometimes a deal that ended otherwise."""
    pick = draw(_PICK)
    ended = "void_others" if pick >= 56 else "played_out"
    if pick in (54, 55) and options.stock_exhausted == "count_now":
        ended = "count_now"
    chosen = seats[pick % len(seats)]
    outcomes = {seat: _draw_loser(draw) for seat in seats if seat != chosen}
    outcomes[chosen] = {"how": {"void_others": "wrong_show", "count_now": "full_count"}.get(ended, "show")}
    if ended == "played_out" and all(outcome["how"] not in ("loss", "full_count") for outcome in outcomes.values()):
        outcomes[chosen] = {"how": "last_standing"}
    return {"outcomes": outcomes, "ended": ended}


def _draw_loser(draw: DrawFn) -> dict[str, Any]:
    how = draw(_LOSER)
    if how != "loss":
        return {"how": how}
    count = draw(COUNTS)
    return {"how": how, "count": count} if count % 3 else {"how": how, "count": count, "had_turn": False}


def _draw_event(draw: DrawFn, table: Table, *, changes: bool) -> Wire:
    """Something that might happen next: deals most of all."""
    pick = draw(_PICK)
    seats = table.in_play or table.setup.seats
    somebody = table.setup.seats[pick % len(table.setup.seats)]
    able = [seat for seat, view in table.seats().items() if view.may_rejoin]
    if able and pick % 2 == 0:
        return {"kind": "rejoined", "seat": able[pick % len(able)]}
    if table.rules.name == "pool" and len(seats) < len(table.setup.seats) and pick % 5 == 1:
        return {"kind": "split_agreed"}
    if pick < 44:
        sheet = draw_sheet(draw, seats, table.setup.options)
        event, problems = considered(table, {"kind": "tiebreak_recorded", **sheet})
        kind = "deal_recorded" if event is None or problems else "tiebreak_recorded"
        return {"kind": kind, "deal": table.next_deal, **sheet}
    if pick < 54 and changes and table.timeline:
        return _draw_change(draw, table, pick)
    return _draw_act(draw, table, pick, somebody)


def _draw_act(draw: DrawFn, table: Table, pick: int, somebody: str) -> Wire:
    match pick % 5:
        case 0:
            return {"kind": "seat_left", "seat": somebody}
        case 1 | 2:
            return _penalty(somebody, draw(_POINTS))
        case 3 if table.rules.name == "points":
            return _buy_in(somebody, draw(_MONEY))
    return {"kind": "table_closed"}


def _draw_change(draw: DrawFn, table: Table, pick: int) -> Wire:
    target = draw(_PICK)
    number = 1 + target % max(1, table.next_deal - 1)
    if pick % 4 == 0:
        return {"kind": "deal_voided", "deal": number, "reason": "misdeal"}
    if pick % 4 == 1:
        return {"kind": EventWithdrawn.kind, "version": 2 + target % (table.version - 1), "reason": "slip"}
    sheet = draw_sheet(draw, table.setup.seats, table.setup.options)
    return {"kind": "deal_corrected", "deal": number, "reason": "misread", **sheet}


def _penalty(seat: str, points: int) -> Wire:
    return {"kind": "penalty_given", "seat": seat, "points": points, "reason": "late"}


def _buy_in(seat: str, amount_minor: int) -> Wire:
    return {"kind": "bought_in", "seat": seat, "amount_minor": amount_minor}
