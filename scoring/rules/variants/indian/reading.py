"""Reading one deal sheet of Indian rummy from untrusted JSON: everything wrong with its form, all at once.

Rules: docs/events.md, "A deal of Indian rummy". Cards are kept as they are always written (`TH`, not `10♥`).
Knows nothing of what the rules say of the sheet.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scoring.facts.reading import reason_of, unknown_seat
from scoring.messages import Seat, say
from scoring.problems import MOST_SHOWN, Problem, shown
from scoring.rules.cards import RANK_NAMES, RANKS, SPELLINGS, CardsRejected, parse_cards, write_cards
from scoring.rules.variants.indian.outcomes import DealSheet, Ended, How, Outcome

SHEET_FIELDS = frozenset(DealSheet.__struct_fields__)
OUTCOME_FIELDS = {field.name: field for field in msgspec.structs.fields(Outcome)}
MOST_ENTRIES = 20
MOST_NUMBER = 1_000_000


def read_sheet(raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[DealSheet | None, list[Problem]]:
    """A deal sheet from untrusted JSON fields, and every problem with its form (kinds, types, unknown seats).

    What could be read comes with the problems; None where no outcome could.
    """
    problems = _unknown_fields(raw, SHEET_FIELDS)
    outcomes = _read_outcomes(raw.get("outcomes"), seats, problems)
    ended = _read_ended(raw.get("ended"), problems)
    wild = _read_wild(raw.get("wild"), problems)
    dealer = _read_dealer(raw.get("dealer"), seats, problems)
    if not outcomes:
        return None, problems
    return DealSheet(outcomes=outcomes, ended=ended, wild=wild, dealer=dealer), problems


def _read_outcomes(raw: object, seats: Sequence[str], problems: list[Problem]) -> dict[str, Outcome] | None:
    """Each seat's outcome, in table order; None where they are no entries for seats."""
    if not isinstance(raw, Mapping) or not raw:
        detail = say("a deal needs outcomes: one entry for each seat")
        problems.append(Problem("missing_field", detail, field="outcomes"))
        return None
    if len(raw) > MOST_ENTRIES:
        detail = say("a deal has one outcome for each seat, not {number}", number=len(raw))
        problems.append(Problem("too_many_outcomes", detail, field="outcomes"))
        return None
    problems += [unknown_seat(seat, "how", seats) for seat in raw if seat not in seats]
    read = {seat: _read_outcome(seat, raw[seat], problems) for seat in seats if seat in raw}
    return {seat: outcome for seat, outcome in read.items() if outcome is not None}


def _read_outcome(seat: str, raw: object, problems: list[Problem]) -> Outcome | None:
    """One seat's outcome; what is wrong with its form is added to `problems`."""
    if not isinstance(raw, Mapping):
        problems.append(Problem("wrong_type", say("{seat} needs an outcome object", seat=Seat(seat)), field="how"))
        return None
    found = _unknown_fields(raw, OUTCOME_FIELDS.keys(), seat=seat)
    values: dict[str, Any] = {}
    for name in OUTCOME_FIELDS:
        if raw.get(name) is not None:
            try:
                values[name] = _outcome_value(name, raw[name])
            except CardsRejected as refused:
                found += [problem.of_seat(seat, name) for problem in refused.problems]
            except (msgspec.ValidationError, ValueError) as error:
                found.append(_bad_field(seat, name, raw[name], error))
    if raw.get("how") is None:
        found.append(Problem("missing_field", say("enter how the deal ended for {seat}", seat=Seat(seat)), field="how"))
    problems += found
    return None if found else Outcome(**values)


def _outcome_value(name: str, raw: object) -> object:
    """One field of an outcome, cards in the form in which they are kept."""
    if name == "groups":
        if not isinstance(raw, list | tuple) or len(raw) > MOST_ENTRIES:
            raise ValueError(say("a list of up to {number} groups is needed", number=MOST_ENTRIES))
        return tuple(write_cards(parse_cards(group, name)) for group in raw)
    if name == "loose":
        return write_cards(parse_cards(raw, name))
    value = msgspec.convert(raw, OUTCOME_FIELDS[name].type)
    if name == "count" and abs(value) > MOST_NUMBER:
        raise ValueError(say("no hand counts as much"))
    return value


def _bad_field(seat: str, field: str, value: object, error: Exception) -> Problem:
    """A field of one outcome that cannot be read."""
    if field == "how" and isinstance(value, str):
        detail = say(
            "{seat}: {typed} is not an outcome; use one of {list}",
            seat=Seat(seat),
            typed=shown(value),
            list=", ".join(How),
        )
        return Problem("unknown_how", detail, field=field)
    detail = say(
        "{seat}: {name} cannot be {value} ({why})",
        seat=Seat(seat),
        name=field,
        value=shown(value),
        why=reason_of(error),
    )
    return Problem("wrong_type", detail, field=field)


def _read_ended(raw: object, problems: list[Problem]) -> Ended:
    """How the deal ended; played out where nothing is said."""
    if raw is None:
        return Ended.PLAYED_OUT
    if isinstance(raw, str) and raw in list(Ended):
        return Ended(raw)
    detail = say("a deal cannot have ended as {typed}; use one of {list}", typed=shown(raw), list=", ".join(Ended))
    problems.append(Problem("not_a_choice", detail, field="ended"))
    return Ended.PLAYED_OUT


def _read_wild(raw: object, problems: list[Problem]) -> str | None:
    """The wild rank, or the card that was turned up, as it is always written."""
    if raw is None:
        return None
    name = raw.strip().upper() if isinstance(raw, str) else ""
    if name in SPELLINGS:
        return SPELLINGS[name].text
    if name in RANK_NAMES:
        return RANKS[RANK_NAMES[name]]
    detail = say("wild must be a rank ({list}), a card or PJ, not {typed}", list=" ".join(RANKS), typed=shown(raw))
    problems.append(Problem("impossible_wild", detail, field="wild"))
    return None


def _read_dealer(raw: object, seats: Sequence[str], problems: list[Problem]) -> str | None:
    """The seat that dealt, where it was noted."""
    if raw is None or (isinstance(raw, str) and raw in seats):
        return raw
    problems.append(unknown_seat(raw, "dealer", seats))
    return None


def _unknown_fields(raw: Mapping[str, Any], known: Sequence[str] | Any, seat: str | None = None) -> list[Problem]:
    """Fields that nothing here reads; the first few, for a file can hold thousands."""
    what = say("a deal") if seat is None else say("an outcome")
    strangers = [str(name)[:MOST_SHOWN] for name in raw if name not in known][:MOST_ENTRIES]
    return [
        Problem("unknown_field", say("{word} has no field {name}", word=what, name=repr(name)), seat=seat, field=name)
        for name in strangers
    ]
