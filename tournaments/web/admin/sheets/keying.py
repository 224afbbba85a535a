"""Two entries of one deal, held against each other: what they say otherwise, and the sheet that was decided on.

Rules: docs/how-to/evening.md, "Confirmation". What is left out the second time (who dealt, the wild card) contradicts
nothing.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext

from scoring.rules.table.entering import keys_of
from scoring.rules.table.fields import WrittenSheet
from scoring.rules.table.table import Status, Table, steps
from tournaments.rendering.i18n import translating
from tournaments.rendering.i18n.filters import mark_said
from tournaments.web.admin.sheets import field_entry, sheet_entry
from tournaments.web.admin.sheets.deal_forms import CORRECTED, DealForm, ending_choices
from tournaments.web.admin.sheets.field_entry import DEALER, FieldsForm, stored_fields
from tournaments.web.admin.sheets.field_forms import line_title, title_of, words_of
from tournaments.web.admin.sheets.sheet_entry import OutcomesForm, stored_outcomes

REASON = "keyed twice"
ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoEntries:
    """A deal of a table with its stored sheet, and the sheet that was keyed again."""

    table: Table
    deal: int
    form: DealForm
    first: WrittenSheet
    second: WrittenSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that the two entries say otherwise: of a seat, or in a field."""

    key: str
    name: str
    first: str
    second: str


def table_before(table: Table, deal: int) -> Table:
    """The table as it stood when a deal began: no total of it tells how the deal ended."""
    entry = table.deal_entry(deal)
    at = next((n for n, step in enumerate(table.timeline) if step is entry), len(table.timeline))
    then = next((game for step, game, _ in steps(table) if step is entry), table.game)
    return replace(table, timeline=table.timeline[:at], game=then, status=Status.OPEN, conflicts=(), checks={})


def differences(both: TwoEntries, names: Mapping[str, str]) -> list[Difference]:
    """Everything that the two entries say otherwise, seat by seat or field by field."""
    found = _by_seat(both, names) if both.form.has_outcomes else _by_field(both, names)
    return list(found)


def decided(both: TwoEntries, second: Collection[str]) -> dict[str, Any]:
    """The correction in which the named seats or fields are as the second entry has them."""
    if both.form.has_outcomes:
        return _decided_seats(both, second)
    first, other = _as_fields(both, both.first), _as_fields(both, both.second)
    typed = first.of(other, list(second)).over({"reason": REASON})
    return field_entry.entry_of(typed, both.form.fields, both.table.setup.seats, both.first).raw


def _by_seat(both: TwoEntries, names: Mapping[str, str]) -> Iterator[Difference]:
    first, second = both.first.marks(), both.second.marks()
    for seat, name in names.items():
        one, other = first.get(seat), second.get(seat)
        if (one and (one.how, one.count)) != (other and (other.how, other.count)):
            said = [mark_said(mark) if mark else "" for mark in (one, other)]
            yield Difference(key=seat, name=name, first=said[0], second=said[1])
    ended = [_as_seats(both, sheet).read[ENDED] for sheet in (both.first, both.second)]
    if ended[0] != ended[1]:
        titles = {choice.value: choice.title for choice in ending_choices(both.form.fields)}
        said = [translating.translate(titles.get(word, word)) for word in ended]
        yield Difference(key=ENDED, name=gettext("How the deal ended"), first=said[0], second=said[1])


def _by_field(both: TwoEntries, names: Mapping[str, str]) -> Iterator[Difference]:
    first, second = _as_fields(both, both.first), _as_fields(both, both.second)
    fields = both.form.fields
    said = [words_of(fields, typed, names) for typed in (first, second)]
    for field in fields:
        title = title_of(field)
        for key, seat in keys_of(field, tuple(names)).items():
            is_silent = field.name == DEALER and not second.named(key)
            if first.named(key) != second.named(key) and not is_silent:
                at = (seat or "", title)
                name = line_title(title, names[seat] if seat else "")
                yield Difference(key=key, name=name, first=said[0].get(at, ""), second=said[1].get(at, ""))


def _decided_seats(both: TwoEntries, second: Collection[str]) -> dict[str, Any]:
    first, other = _as_seats(both, both.first), _as_seats(both, both.second)
    inputs = [name for name in first.inputs if name.rpartition("-")[2] in second]
    typed = first.of(other, [*inputs, *({ENDED} & set(second))]).over({"reason": REASON})
    endings = both.table.rules.endings(both.table.setup)
    return sheet_entry.entry_of(typed, both.table.setup.seats, endings, both.first).raw


def _as_seats(both: TwoEntries, sheet: WrittenSheet) -> OutcomesForm:
    return stored_outcomes(sheet, both.table.setup.seats, kind=CORRECTED, deal=both.deal)


def _as_fields(both: TwoEntries, sheet: WrittenSheet) -> FieldsForm:
    return stored_fields(sheet, both.form.fields, both.table.setup.seats, kind=CORRECTED, deal=both.deal)
