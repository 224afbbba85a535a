"""Two sheets of one deal side by side: the stored one, and one typed at the same time or in a second entry.

Rules: docs/how-to/evening.md, "When it is not saved" and "Confirmation". What the second entry omits (the dealer, the
wild card) is no contradiction. Knows nothing of storing.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from scoring.events.wire import DealEvent
from scoring.rules.table.admission import considered
from scoring.rules.table.entering import keys_of
from scoring.rules.table.fields import WrittenSheet
from scoring.rules.table.table import Table
from tournaments.rendering.i18n import translating
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import mark_text
from tournaments.tables.queries.sheets import LoadedTable
from tournaments.web.admin.sheets.deal_forms import CORRECTED, AnyTyped, DealForm
from tournaments.web.admin.sheets.field_forms import line_title, title_of, words_of
from tournaments.web.admin.sheets.sheet_entry import (
    FieldsForm,
    OutcomesForm,
    cards_text,
    fields_entry,
    outcomes_entry,
    stored_fields,
    stored_outcomes,
)


def comparison(seen: LoadedTable, form: DealForm, stored: Any, typed: AnyTyped) -> list[dict[str, Any]]:
    """The stored sheet and the typed one, line by line."""
    if isinstance(typed, FieldsForm):
        return _fields_compared(seen, form, stored, typed)
    return _seats_compared(seen, stored, typed)


def _seats_compared(seen: LoadedTable, stored: Any, typed: OutcomesForm) -> list[dict[str, Any]]:
    """The outcome of each seat."""
    marks = stored.marks()
    endings = seen.table.rules.endings(seen.table.setup)
    titles = {ending.how: translating.translate(ending.title) for ending in endings if ending.is_offered}
    rows = []
    for seat, name in seen.names.items():
        mark, entered = marks.get(seat), typed.seat(seat)
        how, count, cards = entered.how, entered.count, cards_text(entered.groups, entered.loose)
        # A typed number as it is displayed: `07` equals `7`, in whatever digits.
        counted = number(int(count)) if count.isdecimal() else count
        mine = " ".join(
            filter(None, (titles.get(how, how) or (gettext("Loss") if count or cards else ""), counted, cards))
        )
        theirs = mark_text(mark) if mark else ""
        if mine or theirs:
            rows.append({"name": name, "theirs": theirs, "mine": mine, "differs": mine != theirs})
    return rows


def _fields_compared(
    seen: LoadedTable, form: DealForm, stored: WrittenSheet, typed: FieldsForm
) -> list[dict[str, Any]]:
    """Field by field. If the typed sheet can be read, its parsed values are compared, so that `07` equals `7`."""
    theirs = _sheet_texts(seen, form, stored)
    mine_sheet = _read(seen.table, form, typed)
    mine = _sheet_texts(seen, form, mine_sheet) if mine_sheet is not None else words_of(form.fields, typed, seen.names)
    return [
        {
            "name": line_title(title, seen.names.get(seat, seat)),
            "theirs": theirs.get((seat, title), ""),
            "mine": mine.get((seat, title), ""),
            "differs": theirs.get((seat, title)) != mine.get((seat, title)),
        }
        for seat, title in dict.fromkeys([*theirs, *mine])
    ]


def _sheet_texts(seen: LoadedTable, form: DealForm, sheet: WrittenSheet) -> dict[tuple[str, str], str]:
    stored_form = stored_fields(sheet, form.fields, seen.table.setup.seats, kind=form.kind, deal=form.number)
    return words_of(form.fields, stored_form, seen.names)


def _read(table: Table, form: DealForm, typed: FieldsForm) -> WrittenSheet | None:
    """The typed sheet; None unless all of it can be read."""
    entry = fields_entry(typed, form.fields, table.setup.seats)
    event, _ = considered(table, entry.raw)
    return event.sheet if isinstance(event, DealEvent) and not entry.unread else None


REASON = "keyed twice"
OF_THE_DEAL = frozenset({"ended", "wild", "dealer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoEntries:
    """A deal of a table with its stored sheet, and the sheet of the second entry."""

    table: Table
    deal: int
    form: DealForm
    first: WrittenSheet
    second: WrittenSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference between two entries: in a seat or in a field."""

    key: str
    name: str
    first: str
    second: str


def differences(both: TwoEntries, names: Mapping[str, str]) -> list[Difference]:
    """All differences between the two entries, seat by seat or field by field."""
    sheets = (both.first, both.second)
    fields = tuple(field for field in both.form.fields if field.kind != "outcomes")
    seats = both.table.setup.seats
    sheet_forms = [stored_fields(sheet, fields, seats, kind=CORRECTED, deal=both.deal) for sheet in sheets]
    texts = [words_of(fields, sheet_form, names) for sheet_form in sheet_forms]
    at = {key: (seat or "", title_of(field)) for field in fields for key, seat in keys_of(field, seats).items()}
    difference_list = []
    for key in both.table.disagreements(both.deal, both.second):
        if key in at:
            seat, title = at[key]
            name, pair = line_title(title, names.get(seat, "")), [sheet_texts.get(at[key], "") for sheet_texts in texts]
        else:
            marks = [sheet.marks().get(key) for sheet in sheets]
            name, pair = names.get(key, key), [mark_text(mark) if mark else "" for mark in marks]
        difference_list.append(Difference(key=key, name=name, first=pair[0], second=pair[1]))
    return difference_list


def decided(both: TwoEntries, second: Collection[str]) -> dict[str, Any]:
    """The correction that takes the named seats or fields from the second entry."""
    if both.form.has_outcomes:
        return _decided_seats(both, second)
    first, other = _as_fields(both, both.first), _as_fields(both, both.second)
    merged_form = first.of(other, list(second)).over({"reason": REASON})
    return fields_entry(merged_form, both.form.fields, both.table.setup.seats, both.first).raw


def _decided_seats(both: TwoEntries, second: Collection[str]) -> dict[str, Any]:
    first, other = _as_seats(both, both.first), _as_seats(both, both.second)
    inputs = [name for name in first.inputs if name.rpartition("-")[2] in second]
    merged_form = first.of(other, [*inputs, *(OF_THE_DEAL & set(second))]).over({"reason": REASON})
    endings = both.table.rules.endings(both.table.setup)
    return outcomes_entry(merged_form, both.table.setup.seats, endings, both.first).raw


def _as_seats(both: TwoEntries, sheet: WrittenSheet) -> OutcomesForm:
    return stored_outcomes(sheet, both.table.setup.seats, kind=CORRECTED, deal=both.deal)


def _as_fields(both: TwoEntries, sheet: WrittenSheet) -> FieldsForm:
    return stored_fields(sheet, both.form.fields, both.table.setup.seats, kind=CORRECTED, deal=both.deal)
