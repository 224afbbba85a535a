"""Random tables of the Western games that could have happened: every event was accepted when it was recorded."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from scoring.events.wire import Event, EventWithdrawn
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import opening, table_from
from tests.builders.histories import History
from tests.builders.rules import CAST, Wire

Options = dict[str, SearchStrategy[Any]]
NAMES = ("rum", "block", "rummy500", "romme", "gin", "rummy_royal")
_COUNT = st.integers(1, 60)
_COIN = st.booleans()
_PICK = st.integers(0, 59)

FAMILY: Options = {
    "end": st.sampled_from(["target", "rounds"]),
    "target": st.integers(25, 150),
    "rounds": st.integers(1, 5),
    "tie": st.sampled_from(["share", "extra_deal"]),
    "block_scoring": st.sampled_from(["all_penalty", "lowest_wins_difference", "lowest_collects_minus_own"]),
}
OPTIONS: dict[str, Options] = {
    "rum": {**FAMILY, "stock_exhausted": st.sampled_from(["reshuffle", "block"])},
    "block": FAMILY,
    "rummy500": {
        "end": st.sampled_from(["target", "rounds"]),
        "target": st.integers(100, 200),
        "rounds": st.integers(1, 5),
        "tie": st.sampled_from(["play_on", "share"]),
        "must_go_out_to_win": _COIN,
        "stock_exhausted": st.sampled_from(["normal", "no_hand_deduction"]),
        "settlement": st.sampled_from(["none", "pay_difference"]),
    },
    "romme": {
        "rounds": st.integers(1, 6),
        "scoring": st.sampled_from(["winner_collects", "penalty_only"]),
        "tie": st.sampled_from(["share", "extra_round", "most_rounds_won"]),
        "stock_out": st.sampled_from(["all_lose", "lowest_wins"]),
        "end_minus": st.none() | st.integers(100, 200),
        "eliminate_minus": st.none() | st.integers(50, 150),
        "settlement": st.sampled_from(["none", "pay_points"]),
        "no_meld_flat": st.none() | st.integers(0, 100),
    },
    "gin": {
        "target": st.integers(25, 150),
        "games": st.integers(1, 3),
        "shutout": st.sampled_from(["double_difference", "double_points", "flat", "none"]),
        "last_game_doubles": _COIN,
        "undercut_on_tie": _COIN,
    },
    "rummy_royal": {
        "start_chips": st.sampled_from([60, 200]),
        "ante_each": st.integers(0, 2),
        "cannot_pay": st.sampled_from(["buy_more", "owe", "out"]),
        "end_remainder": st.sampled_from(["descending_from_ace", "stay_with_house"]),
    },
}
MODES: dict[str, Any] = {"mode": st.sampled_from(["penalty", "winner_scores", "cash"])}


@st.composite
def tables(draw: DrawFn, names: tuple[str, ...] = NAMES) -> Table:
    """A fresh table of one of the games, with options that fit each other."""
    name = draw(st.sampled_from(names))
    options = draw(st.fixed_dictionaries({}, optional=OPTIONS[name]))
    if name in ("rum", "block"):
        options |= draw(st.fixed_dictionaries({}, optional=MODES))
        if options.get("mode", "penalty") != "penalty":
            options.pop("end", None)
            options.pop("block_scoring", None)
    seats = draw(st.sampled_from([2, 4, 6])) if name == "gin" else draw(st.integers(2, 5))
    stakes = {
        "entry_minor": draw(st.sampled_from([0, 1_001])),
        "fee_bp": draw(st.sampled_from([0, 1_000])),
        "point_value_minor": draw(st.integers(1, 30)),
    }
    return table_from(opening(name, options=options, stakes=stakes, seats={s: f"player-{s}" for s in CAST[:seats]}))


@st.composite
def western_histories(draw: DrawFn, names: tuple[str, ...] = NAMES, *, changes: bool = True, most: int = 10) -> History:
    """A table with up to `most` events; without `changes` nothing is corrected, cancelled or undone."""
    start = table = draw(tables(names))
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


def draw_sheet(draw: Any, table: Table) -> Wire:
    """A sheet for the seats that play next."""
    return _SHEETS[table.rules.name](draw, table.in_play or table.setup.seats)


def _counted(draw: DrawFn, seats: tuple[str, ...]) -> Wire:
    out = draw(st.sampled_from([*seats, None]))
    return {"out": out, "counts": {seat: draw(_COUNT) for seat in seats if seat != out}}


def _rum(draw: DrawFn, seats: tuple[str, ...]) -> Wire:
    sheet = _counted(draw, seats)
    return {**sheet, "went_rummy": sheet["out"] is not None and draw(_COIN)}


def _romme(draw: DrawFn, seats: tuple[str, ...]) -> Wire:
    sheet = _counted(draw, seats)
    has_hand = sheet["out"] is not None and draw(_PICK) > 45
    unmelded = [] if has_hand else [seat for seat in sheet["counts"] if draw(_PICK) > 50]
    return {**sheet, "hand_romme": has_hand, "unmelded": unmelded}


def _rummy500(draw: DrawFn, seats: tuple[str, ...]) -> Wire:
    sheet = _counted(draw, seats)
    # Who goes out has melded something: a form refuses anything else.
    melded = {seat: draw(st.integers(int(seat == sheet["out"]), 60)) for seat in seats}
    held = {seat: min(count, 25) for seat, count in sheet["counts"].items()}
    return {"out": sheet["out"], "melded": melded, "in_hand": held}


def _gin(draw: DrawFn, seats: tuple[str, ...]) -> Wire:
    hands: list[Wire] = []
    for first, second in zip(seats[::2], seats[1::2], strict=True):
        pair = (first, second) if draw(_COIN) else (second, first)
        if draw(_PICK) > 50:
            hands.append({"ending": "dead"})
        else:
            numbers = {"knocker_deadwood": draw(st.integers(0, 10)), "defender_deadwood": draw(st.integers(0, 70))}
            hands.append({"knocker": pair[0], "defender": pair[1], **numbers})
    return {"hands": hands}


def _royal(draw: DrawFn, seats: tuple[str, ...]) -> Wire:
    somebody = st.sampled_from(seats)
    if draw(_PICK) > 54:
        return {"last_hearts": {heart: draw(somebody) for heart in ("10H", "JH", "QH", "KH", "AH")}}
    out = draw(st.none() | somebody)
    boxes = draw(st.dictionaries(st.sampled_from(["AH", "KH", "QH", "10H", "678"]), somebody))
    left = {seat: draw(st.integers(1, 4)) for seat in seats if seat != out}
    return {"dealer": draw(somebody), "out": out, "boxes": boxes, "cards_left": left}


_SHEETS: dict[str, Callable[[DrawFn, tuple[str, ...]], Wire]] = {
    "rum": _rum,
    "block": _rum,
    "rummy500": _rummy500,
    "romme": _romme,
    "gin": _gin,
    "rummy_royal": _royal,
}


def _draw_event(draw: DrawFn, table: Table, *, changes: bool) -> Wire:
    """Something that might happen next: deals most of all."""
    pick = draw(_PICK)
    if pick < 42:
        sheet = draw_sheet(draw, table)
        event, problems = considered(table, {"kind": "tiebreak_recorded", **sheet})
        kind = "deal_recorded" if event is None or problems else "tiebreak_recorded"
        return {"kind": kind, "deal": table.next_deal, **sheet}
    if pick < 51 and changes and table.timeline:
        return _draw_change(draw, table, pick)
    somebody = table.setup.seats[pick % len(table.setup.seats)]
    if pick % 3 == 0:
        return {"kind": "seat_left", "seat": somebody}
    if pick % 3 == 1:
        return {"kind": "penalty_given", "seat": somebody, "points": draw(st.integers(1, 40)), "reason": "late"}
    return {"kind": "table_closed", "time_called": draw(_COIN)}


def _draw_change(draw: DrawFn, table: Table, pick: int) -> Wire:
    target = draw(_PICK)
    number = 1 + target % max(1, table.next_deal - 1)
    if pick % 3 == 0:
        return {"kind": "deal_voided", "deal": number, "reason": "misdeal"}
    if pick % 3 == 1:
        return {"kind": EventWithdrawn.kind, "version": 2 + target % max(1, table.version - 1), "reason": "slip"}
    return {"kind": "deal_corrected", "deal": number, "reason": "misread", **draw_sheet(draw, table)}
