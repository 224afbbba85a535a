"""What is refused of a list, row by row: a sentence that several rows share is said once, with all of them.

Knows nothing of what stands in a list. A program reads the problems themselves: they stay one for each row.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext

from scoring.messages import Message, say
from scoring.problems import Problem
from tournaments.rendering.i18n.formatting import in_digits, listed
from tournaments.rendering.i18n.translating import translate

ROW, PREFIX, OF_ROW = re.compile(r"row (\d+)"), re.compile(r"\Arow \d+: "), "row {number}: {why}"


class Said(NamedTuple):
    """A sentence without its row. `kind` is equal for sentences that differ in one name at most, `name` is that."""

    row: int | None
    message: Message
    kind: tuple[object, ...]
    name: str = ""


def said_by_rows(problems: Iterable[Problem]) -> list[str]:
    """Every sentence in the language of the page, in the order of the list, each with every row that it is about."""
    kinds: dict[tuple[object, ...], list[Said]] = {}
    for said in map(_said, problems):
        kinds.setdefault(said.kind, []).append(said)
    return [_together(alike) for alike in kinds.values()]


def without_row(message: Message) -> Message:
    """What is said of a row, without the row."""
    why = message.parts.get("why")
    if message.text == OF_ROW and isinstance(why, Message):
        return why
    return message


def _said(problem: Problem) -> Said:
    found = ROW.fullmatch(problem.field or "")
    if found is None:
        return Said(None, problem.message, (None, problem.message))
    message = without_row(problem.message)
    parts = message.parts
    names = [key for key, part in parts.items() if isinstance(part, str)]
    name = names[0] if len(names) == 1 else ""
    rest = tuple((part, said) for part, said in parts.items() if part != name)
    return Said(int(found[1]), message, (message.text, *rest), str(parts.get(name, "")))


def _together(alike: Sequence[Said]) -> str:
    """One sentence for all of its rows; rows that say it of another name stand behind it with that name."""
    if alike[0].row is None:
        return translate(alike[0].message)
    first, *others = _by_name(alike).items()
    said = _of_rows(first[1], alike[0].message)
    if not others:
        return said
    return gettext("{why}; likewise {rows}").format(why=said, rows=listed([*_named(others)]))


def _by_name(alike: Sequence[Said]) -> Mapping[str, Sequence[int]]:
    rows: dict[str, list[int]] = {}
    for said in alike:
        if said.row is not None:
            rows.setdefault(said.name, []).append(said.row)
    return rows


def _of_rows(rows: Sequence[int], message: Message) -> str:
    if len(rows) == 1:
        return translate(say("row {number}: {why}", number=rows[0], why=message))
    return gettext("rows {numbers}: {why}").format(numbers=_listed(rows), why=translate(message))


def _named(rows_by_name: Iterable[tuple[str, Sequence[int]]]) -> Iterator[str]:
    for name, rows in rows_by_name:
        text = gettext("row {numbers} ({name})") if len(rows) == 1 else gettext("rows {numbers} ({name})")
        yield text.format(numbers=_listed(rows), name=name)


def _listed(rows: Sequence[int]) -> str:
    return listed([in_digits(str(row)) for row in rows])
