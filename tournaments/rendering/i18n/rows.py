"""What is refused of a list, row by row: a sentence that several rows share is said once, with all of them.

Knows nothing of what stands in a list. A program reads the problems themselves: they stay one for each row.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext

from scoring.problems import Problem
from tournaments.rendering.i18n.formatting import in_digits, listed
from tournaments.rendering.i18n.forms import NUMBERS, WORDS
from tournaments.rendering.i18n.translating import recognised, told

ROW = re.compile(r"row (\d+)")


class Said(NamedTuple):
    """A sentence without its row. `kind` is equal for sentences that differ in one name at most, `name` is that."""

    row: int | None
    sentence: str
    kind: tuple[object, ...]
    name: str = ""


def said_by_rows(problems: Iterable[Problem]) -> list[str]:
    """Every sentence in the language of the page, in the order of the list, each with every row that it is about."""
    kinds: dict[tuple[object, ...], list[Said]] = {}
    for said in map(_said, problems):
        kinds.setdefault(said.kind, []).append(said)
    return [_together(alike) for alike in kinds.values()]


def _said(problem: Problem) -> Said:
    found = ROW.fullmatch(problem.field or "")
    if found is None:
        return Said(None, problem.detail, (None, problem.detail))
    sentence = problem.detail.removeprefix(f"row {found[1]}: ")
    known = recognised(sentence)
    form, parts = known if known is not None else (sentence, {})
    names = [part for part in parts if part not in NUMBERS | WORDS]
    name = names[0] if len(names) == 1 else ""
    rest = tuple((part, said) for part, said in parts.items() if part != name)
    return Said(int(found[1]), sentence, (form, *rest), parts.get(name, ""))


def _together(alike: Sequence[Said]) -> str:
    """One sentence for all of its rows; rows that say it of another name stand behind it with that name."""
    if alike[0].row is None:
        return told(alike[0].sentence)
    first, *others = _by_name(alike).items()
    said = _of_rows(first[1], alike[0].sentence)
    if not others:
        return said
    return gettext("{why}; likewise {rows}").format(why=said, rows=listed([*_named(others)]))


def _by_name(alike: Sequence[Said]) -> Mapping[str, Sequence[int]]:
    rows: dict[str, list[int]] = {}
    for said in alike:
        if said.row is not None:
            rows.setdefault(said.name, []).append(said.row)
    return rows


def _of_rows(rows: Sequence[int], sentence: str) -> str:
    if len(rows) == 1:
        return told(f"row {rows[0]}: {sentence}")
    return gettext("rows {numbers}: {why}").format(numbers=_listed(rows), why=told(sentence))


def _named(rows_by_name: Iterable[tuple[str, Sequence[int]]]) -> Iterator[str]:
    for name, rows in rows_by_name:
        text = gettext("row {numbers} ({name})") if len(rows) == 1 else gettext("rows {numbers} ({name})")
        yield text.format(numbers=_listed(rows), name=name)


def _listed(rows: Sequence[int]) -> str:
    return listed([in_digits(str(row)) for row in rows])
