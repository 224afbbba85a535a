"""Western deals written on paper, as a scorer would: by hand here, and not from the forms that read them.

Seats 1, 2, 3, … are Asha Rao, Bo, Cy, … Each writer picks one of the usual ways at random.
"""

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

Written = dict[str, str]
PLAYERS = ("Asha Rao", "Bo", "Cy D'Souza", "Dev", "Asha Iyer", "Fay & Gus")
NAMES = {str(seat): name for seat, name in enumerate(PLAYERS, start=1)}
HEARTS = ("10H", "JH", "QH", "KH", "AH")
GIN_COLUMNS = {
    "knocker": "Knocked",
    "ending": "How",
    "knocker_deadwood": "Deadwood of the knocker",
    "defender": "Against",
    "defender_deadwood": "defender deadwood",
}
COLUMNS: dict[str, tuple[str, ...]] = {
    "rum": ("Went out", "Went rummy"),
    "block": ("Went out", "Went rummy"),
    "rummy500": ("Went out",),
    "romme": ("Went out", "Hand romme", "Had not melded"),
    "rummy_royal": ("Dealer", "Went out", "Boxes", "Last hearts"),
}


def columns_for(variant: str, seats: int) -> tuple[str, ...]:
    """The columns beside the players'; with partners one of each kind for every hand."""
    if variant != "gin":
        return COLUMNS[variant]
    if seats == 2:
        return tuple(title for field, title in GIN_COLUMNS.items() if field != "defender")
    return tuple(f"Hand {hand} {title}" for hand in range(1, seats // 2 + 1) for title in GIN_COLUMNS.values())


def written(draw: DrawFn, variant: str, sheet: Mapping[str, Any], seats: int) -> tuple[Written, Written]:
    """A deal's cells by seat, and its columns by title."""
    return _WRITERS[variant](draw, sheet, seats)


def as_csv(heading: Mapping[str, str], seats: int, columns: tuple[str, ...], rows: list[list[str]]) -> bytes:
    """A sheet as a spreadsheet saves it."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows(heading.items())
    writer.writerow(["Deal", *PLAYERS[:seats], *columns, "Note"])
    writer.writerows(rows)
    return text.getvalue().encode()


def _who(draw: DrawFn, seat: str) -> str:
    return draw(st.sampled_from([NAMES[seat], NAMES[seat].upper(), seat, f"seat {seat}"]))


def _who_each(draw: DrawFn, seats: list[str] | tuple[str, ...]) -> str:
    return draw(st.sampled_from([", ", "; "])).join(_who(draw, seat) for seat in seats)


def _out(draw: DrawFn, out: str | None, cells: Written, columns: Written) -> None:
    """Who went out: a mark in the player's cell, or the player in the column."""
    if out is None:
        columns["Went out"] = draw(st.sampled_from(["nobody", "-", "Nobody"]))
    elif draw(st.booleans()):
        columns["Went out"] = _who(draw, out)
    else:
        held = cells.get(out, "")
        ways = [f"{held}/out", f"out {held}", f"{held} OUT"] if held else ["out", "Out"]
        cells[out] = draw(st.sampled_from(ways))


def _counted(draw: DrawFn, sheet: Mapping[str, Any], seats: int) -> tuple[Written, Written]:
    cells = {seat: str(count) for seat, count in sheet.get("counts", {}).items()}
    columns: Written = {}
    _out(draw, sheet.get("out"), cells, columns)
    if sheet.get("went_rummy"):
        columns["Went rummy"] = draw(st.sampled_from(["yes", "x"]))
    if sheet.get("hand_romme"):
        columns["Hand romme"] = "yes"
    if sheet.get("unmelded"):
        columns["Had not melded"] = _who_each(draw, sheet["unmelded"])
    return cells, columns


def _rummy500(draw: DrawFn, sheet: Mapping[str, Any], seats: int) -> tuple[Written, Written]:
    cells = {}
    columns: dict[Any, Any] = {}
    between = draw(st.sampled_from(["/", " / ", " ", "|"]))
    for seat, melded in sheet.get("melded", {}).items():
        held = sheet.get("in_hand", {}).get(seat)
        cells[seat] = str(melded) if held is None else f"{melded}{between}{held}"
    _out(draw, sheet.get("out"), cells, columns)
    return cells, columns


def _gin(draw: DrawFn, sheet: Mapping[str, Any], seats: int) -> tuple[Written, Written]:
    columns: Written = {}
    for number, hand in enumerate(sheet["hands"], start=1):
        where = f"Hand {number} " if seats > 2 else ""
        is_dead = hand.get("knocker") is None
        columns[f"{where}Knocked"] = "nobody" if is_dead else _who(draw, hand["knocker"])
        if not is_dead:
            columns[f"{where}How"] = hand.get("ending", "knock")
        if not is_dead and seats > 2:
            columns[f"{where}Against"] = _who(draw, hand["defender"])
        for field in ("knocker_deadwood", "defender_deadwood"):
            if hand.get(field) is not None:
                columns[f"{where}{GIN_COLUMNS[field]}"] = str(hand[field])
    return {}, columns


def _royal(draw: DrawFn, sheet: Mapping[str, Any], seats: int) -> tuple[Written, Written]:
    if sheet.get("last_hearts"):
        hearts = sheet["last_hearts"]
        return {}, {"Last hearts": ", ".join(f"{heart} {_who(draw, hearts[heart])}" for heart in HEARTS)}
    cells = {seat: str(left) for seat, left in sheet.get("cards_left", {}).items()}
    columns = {"Dealer": _who(draw, sheet["dealer"])}
    _out(draw, sheet.get("out"), cells, columns)
    won = [f"{box} {_who(draw, seat)}" for box, taken in sheet.get("boxes", {}).items() for seat in taken]
    return cells, {**columns, "Boxes": ", ".join(won)}


_WRITERS: dict[str, Callable[[DrawFn, Mapping[str, Any], int], tuple[Written, Written]]] = {
    "rum": _counted,
    "block": _counted,
    "romme": _counted,
    "rummy500": _rummy500,
    "gin": _gin,
    "rummy_royal": _royal,
}
