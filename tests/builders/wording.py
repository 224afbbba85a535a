"""Exact messages of a table: refusals, the story of an event, the form of the next deal, a written sheet."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.problems import OptionsRejected, Problem
from scoring.rules.table.fields import SeatMark, SheetField
from scoring.rules.table.table import steps
from scoring.rules.variants import opening
from tests.builders.memo import lines
from tests.builders.rules import CAST, Evening, Wire


def refusal(problem: Problem) -> str:
    """`code seat field: message`, with a dash where no seat or field is named."""
    return f"{problem.code} {problem.seat or '-'} {problem.field or '-'}: {problem.text()}"


def refusals(table: Evening, raw: Wire) -> list[str]:
    """All problems with an event."""
    return [refusal(problem) for problem in table.considered(raw)[1]]


def opening_refusals(variant: str, *, seats: int = 2, options: Mapping[str, Any], **stakes: int) -> list[str]:
    """All problems with opening a table."""
    try:
        opening(variant, options=options, stakes=stakes, seats=dict.fromkeys(CAST[:seats], "somebody"))
    except OptionsRejected as refused:
        return [refusal(problem) for problem in refused.problems]
    return []


def story(table: Evening) -> list[str]:
    """The story of the last event, as a sheet shows it."""
    rules, setup = table.table.rules, table.table.setup
    entry, before, after = list(steps(table.table))[-1]
    notes = rules.story(setup, before, entry.event, after)
    return [f"{note.code}: {note.text}" for note in notes]


def form(table: Evening, *, is_extra: bool = False) -> list[str]:
    """Each field of the next deal's form with all its texts."""
    rules, setup = table.table.rules, table.table.setup
    return [_field(field) for field in rules.entry_form(setup, table.table.game, is_extra=is_extra)]


def _field(field: SheetField) -> str:
    flags = [word for word in ("per_seat", "is_required", "is_rare") if getattr(field, word)]
    words = [f"{name}={value}" for name in ("group", "mark", "nobody", "note") if (value := getattr(field, name))]
    choices = [f"choices={'/'.join(f'{choice.value}:{choice.title}' for choice in field.choices)}"]
    parts = [field.name, field.kind, *flags, *words, *(choices if field.choices else [])]
    return f"{field.title} ({', '.join(parts)}) {field.help}".strip()


def cells(sheet: Any) -> list[str]:
    """The text of each seat's cell, and its text for screen readers."""
    return [f"{seat}: {_mark(mark)}" for seat, mark in sheet.marks().items()]


def _mark(mark: SeatMark) -> str:
    return f"{mark.how} [{mark.short}] {mark.text}{' WIN' if mark.is_win else ''}"


def because(table: Evening) -> list[tuple[str, Sequence[str]]]:
    """The arithmetic of every payment."""
    return [(payout.slot, lines(payout.because)) for payout in table.table.payouts()]


def as_read(sheet: Any) -> list[str]:
    """A written sheet: the cell of each seat, the remarks, and whether the same dealer deals again."""
    remarks = [f"remark: {remark}" for remark in sheet.remarks()]
    return [*cells(sheet), *remarks, *(["same dealer"] if sheet.keeps_dealer else [])]


def picture(answers: Mapping[str, Iterable[str]] | Iterable[tuple[object, Iterable[str]]]) -> str:
    """Answers as one text, to be compared with a stored picture: the name of each case, and what was said below it."""
    pairs = answers.items() if isinstance(answers, Mapping) else answers
    blocks = ([str(name), *(f"    {line}" for line in list(answer) or ["-"])] for name, answer in pairs)
    return "\n".join(line for block in blocks for line in block)


def written(raw: Mapping[str, Any]) -> str:
    """The fields of a sheet or the options of a house, to name a case by."""
    return ", ".join(f"{name}={value!r}" for name, value in raw.items()) or "nothing given"
