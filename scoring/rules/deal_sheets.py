"""Reading and checking one deal sheet of Indian rummy: everything wrong with it, all at once.

Rules: docs/rules/indian.md, section 3 (a sheet that adds up). Knows nothing of the table the sheet belongs to
but which seats are still in.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.rules.outcomes import (
    CARDS_DEALT,
    COUNTED,
    DROPS,
    HELD_AT_SHOW,
    MOST_COUNT,
    WINS,
    DealOptions,
    DealSheet,
    Ended,
    How,
    Outcome,
)
from scoring.rules.problems import Problem


def read_sheet(raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[DealSheet | None, list[Problem]]:
    """A deal sheet from untrusted JSON fields, or every problem with its form (kinds, types, unknown seats)."""
    problems = [
        Problem(code="unknown_field", field=name, detail=f"a deal has no field {name!r}")
        for name in raw
        if name not in ("outcomes", "ended", "wild", "dealer")
    ]
    outcomes = raw.get("outcomes")
    if not isinstance(outcomes, Mapping) or not outcomes:
        detail = "a deal needs outcomes: one entry for each seat"
        return None, [*problems, Problem(code="missing_field", field="outcomes", detail=detail)]
    read = {seat: _read_outcome(str(seat), value, seats, problems) for seat, value in outcomes.items()}
    ended = _read_ended(raw.get("ended"), problems)
    wild, dealer = _read_text(raw, "wild", problems), _read_text(raw, "dealer", problems)
    if problems:
        return None, problems
    return DealSheet(outcomes=read, ended=ended, wild=wild, dealer=dealer), []  # type: ignore[arg-type]


def sheet_problems(sheet: DealSheet, options: DealOptions, in_play: Sequence[str]) -> list[Problem]:
    """Everything the rules find wrong with a sheet for the seats still in play."""
    problems = _seat_problems(sheet, in_play)
    for seat in in_play:
        if seat in sheet.outcomes:
            problems += _outcome_problems(seat, sheet.outcomes[seat], options)
    return problems + _ending_problems(sheet, options, in_play)


def overcounts(sheet: DealSheet, options: DealOptions) -> list[Problem]:
    """Counts over the cap. The rules cap them; on a sheet to be stored they are typing mistakes."""
    return [
        Problem(
            code="count_over_cap",
            seat=seat,
            field="count",
            detail=f"{{seat}} has {outcome.count}, but a hand never costs more than {options.cap}",
        )
        for seat, outcome in sheet.outcomes.items()
        if outcome.count is not None and outcome.count > options.cap
    ]


def _seat_problems(sheet: DealSheet, in_play: Sequence[str]) -> list[Problem]:
    """Seats that are missing from the sheet, and seats on it that are no longer in."""
    playing = set(in_play)
    problems = [
        Problem(code="missing_seat", seat=seat, field="how", detail="{seat} is still in, but has no outcome")
        for seat in in_play
        if seat not in sheet.outcomes
    ]
    return problems + [
        Problem(code="seat_is_out", seat=seat, field="how", detail="{seat} is already out and cannot score")
        for seat, outcome in sheet.outcomes.items()
        if seat not in playing and outcome.how is not How.NOT_IN_DEAL
    ]


def _outcome_problems(seat: str, outcome: Outcome, options: DealOptions) -> list[Problem]:
    """What is wrong with one seat's outcome on its own."""
    if outcome.how in COUNTED:
        return _count_problems(seat, outcome.count, options, outcome.how)
    problems: list[Problem] = []
    if outcome.count:
        problems.append(_misplaced_count(seat, outcome))
    if outcome.how in DROPS and not options.drop_allowed:
        detail = "{seat} dropped, but this table plays without drops"
        problems.append(Problem(code="drop_not_allowed", seat=seat, field="how", detail=detail))
    return problems


def _count_problems(seat: str, count: int | None, options: DealOptions, how: How) -> list[Problem]:
    """A counted hand needs a number that a hand can hold."""
    problems: list[Problem] = []
    if how is How.HALF_COUNT and not options.deal_show_half_count:
        detail = "{seat} has a half count, but this table does not halve counts"
        problems.append(Problem(code="half_count_not_allowed", seat=seat, field="how", detail=detail))
    if count is None:
        detail = "{seat} lost, but no count was entered"
        problems.append(Problem(code="missing_count", seat=seat, field="count", detail=detail))
    elif count < 0:
        detail = f"{{seat}} has {count}; a count cannot be negative"
        problems.append(Problem(code="negative_count", seat=seat, field="count", detail=detail))
    elif count > MOST_COUNT:
        detail = f"{{seat}} has {count}; {CARDS_DEALT} cards never count more than {MOST_COUNT}"
        problems.append(Problem(code="count_over_cap", seat=seat, field="count", detail=detail))
    return problems


def _misplaced_count(seat: str, outcome: Outcome) -> Problem:
    """A number beside an outcome that has a price of its own: one of the two was typed wrongly."""
    if outcome.how in WINS:
        detail = f"{{seat}} won the deal, so 0; the sheet says {outcome.count}"
        return Problem(code="winner_has_points", seat=seat, field="count", detail=detail)
    detail = f"{{seat}} has {outcome.how.replace('_', ' ')}, which has a fixed price; the sheet says {outcome.count}"
    return Problem(code="count_not_expected", seat=seat, field="count", detail=detail)


def _ending_problems(sheet: DealSheet, options: DealOptions, in_play: Sequence[str]) -> list[Problem]:
    """One winner where the deal was played out; none where it ended otherwise."""
    hows = {seat: sheet.outcomes[seat].how for seat in in_play if seat in sheet.outcomes}
    won = [seat for seat, how in hows.items() if how in WINS]
    if sheet.ended is not Ended.PLAYED_OUT:
        return _unusual_ending_problems(sheet.ended, hows, options)
    if not won:
        return [Problem(code="no_winner", field="how", detail="nobody won this deal: one seat must show or stand last")]
    problems = [
        Problem(
            code="two_winners",
            seat=seat,
            field="how",
            detail="{seat} is a second winner; a deal has only one",
        )
        for seat in won[1:]
    ]
    held = [seat for seat, how in hows.items() if how in HELD_AT_SHOW]
    if hows[won[0]] is How.LAST_STANDING:
        detail = "{seat} held cards at a show, but the winner is entered as the last one standing"
        problems += [Problem(code="loss_without_show", seat=seat, field="how", detail=detail) for seat in held]
    if How.WRONG_SHOW in hows.values() and held and not options.wrong_show_continues:
        detail = "at this table a wrong show ends the deal: enter it as ended by the wrong show"
        problems.append(Problem(code="wrong_show_ends_deal", field="ended", detail=detail))
    return problems


def _unusual_ending_problems(ended: Ended, hows: Mapping[str, How], options: DealOptions) -> list[Problem]:
    """A deal that ended without a show: counted when the stock ran out, or stopped by a wrong show."""
    problems = [
        Problem(
            code="winner_not_expected",
            seat=seat,
            field="how",
            detail="{seat} cannot win: the deal ended without a show",
        )
        for seat, how in hows.items()
        if how in WINS
    ]
    if ended is Ended.COUNT_NOW and options.stock_exhausted != "count_now":
        detail = "this table does not count hands when the stock runs out"
        problems.append(Problem(code="count_now_not_allowed", field="ended", detail=detail))
    if ended is Ended.VOID_OTHERS and How.WRONG_SHOW not in hows.values():
        detail = "only a wrong show ends a deal in this way, and nobody has one"
        problems.append(Problem(code="no_wrong_show", field="ended", detail=detail))
    if not any(how in HELD_AT_SHOW for how in hows.values()):
        detail = "nobody held cards at the end, so the last one standing won"
        problems.append(Problem(code="no_winner", field="how", detail=detail))
    return problems


def _read_outcome(seat: str, raw: object, seats: Sequence[str], problems: list[Problem]) -> Outcome | None:
    """One seat's outcome; what is wrong with its form is added to `problems`."""
    if seat not in seats:
        detail = f"there is no seat {seat!r} at this table; the seats are {', '.join(seats)}"
        problems.append(Problem(code="unknown_seat", seat=seat, field="how", detail=detail))
    if not isinstance(raw, Mapping):
        problems.append(Problem(code="wrong_type", seat=seat, field="how", detail="{seat} needs an outcome object"))
        return None
    before = len(problems)
    for name in raw:
        if name not in Outcome.__struct_fields__:
            detail = f"an outcome has no field {name!r}"
            problems.append(Problem(code="unknown_field", seat=seat, field=str(name), detail=detail))
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(Outcome):
        if field.name in raw and not (raw[field.name] is None and field.name != "how"):
            try:
                values[field.name] = msgspec.convert(raw[field.name], field.type)
            except msgspec.ValidationError as error:
                problems.append(_bad_field(seat, field.name, raw[field.name], error))
    if "how" not in raw:
        detail = "{seat} needs to say how the deal ended for them"
        problems.append(Problem(code="missing_field", seat=seat, field="how", detail=detail))
    return Outcome(**values) if len(problems) == before else None


def _bad_field(seat: str, field: str, value: object, error: Exception) -> Problem:
    """A field of one outcome that cannot be read."""
    if field == "how" and isinstance(value, str):
        known = ", ".join(How)
        return Problem(
            code="unknown_how",
            seat=seat,
            field=field,
            detail=f"{{seat}}: {value!r} is no outcome; use one of {known}",
        )
    return Problem(code="wrong_type", seat=seat, field=field, detail=f"{{seat}}: {field} cannot be {value!r} ({error})")


def _read_ended(raw: object, problems: list[Problem]) -> Ended:
    """How the deal ended; played out where nothing is said."""
    if raw is None:
        return Ended.PLAYED_OUT
    if isinstance(raw, str) and raw in list(Ended):
        return Ended(raw)
    detail = f"a deal cannot have ended as {raw!r}; use one of {', '.join(Ended)}"
    problems.append(Problem(code="wrong_type", field="ended", detail=detail))
    return Ended.PLAYED_OUT


def _read_text(raw: Mapping[str, Any], field: str, problems: list[Problem]) -> str | None:
    """An optional short text field."""
    value = raw.get(field)
    if value is None or (isinstance(value, str) and len(value) <= 40):
        return value
    problems.append(Problem(code="wrong_type", field=field, detail=f"{field} must be a short text, not {value!r}"))
    return None
