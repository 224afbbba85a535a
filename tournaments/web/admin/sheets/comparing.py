"""Two sheets of one deal side by side: what stands in the log, and what somebody else had typed meanwhile.

Rules: docs/how-to/evening.md, "When it is not saved". Knows nothing of storing.
"""

from typing import Any

from django.utils.translation import gettext

from scoring.facts.wire import DealFact
from scoring.rules.table.admission import considered
from scoring.rules.table.fields import WrittenSheet
from scoring.rules.table.table import Table
from tournaments.rendering.i18n import translating
from tournaments.rendering.i18n.filters import mark_said
from tournaments.rendering.i18n.formatting import number
from tournaments.tables.queries.sheets import Desk
from tournaments.web.admin.sheets.deal_forms import AnyTyped, DealForm
from tournaments.web.admin.sheets.field_entry import FieldsForm, entry_of, stored_fields
from tournaments.web.admin.sheets.field_forms import line_title, words_of
from tournaments.web.admin.sheets.sheet_entry import OutcomesForm, cards_said


def comparison(seen: Desk, form: DealForm, stored: Any, typed: AnyTyped) -> list[dict[str, Any]]:
    """Line by line: what stands in the log, and what was typed."""
    if isinstance(typed, FieldsForm):
        return _fields_compared(seen, form, stored, typed)
    return _seats_compared(seen, stored, typed)


def _seats_compared(seen: Desk, stored: Any, typed: OutcomesForm) -> list[dict[str, Any]]:
    """How the deal ended for each seat."""
    marks = stored.marks()
    endings = seen.table.rules.endings(seen.table.setup)
    titles = {ending.how: translating.translate(ending.title) for ending in endings if ending.is_offered}
    rows = []
    for seat, name in seen.names.items():
        mark, said = marks.get(seat), typed.seat(seat)
        how, count, cards = said.how, said.count, cards_said(said.groups, said.loose)
        mine = " ".join(
            filter(None, (titles.get(how, how) or (gettext("Loss") if count or cards else ""), _counted(count), cards))
        )
        theirs = mark_said(mark) if mark else ""
        if mine or theirs:
            rows.append({"name": name, "theirs": theirs, "mine": mine, "differs": mine != theirs})
    return rows


def _counted(text: str) -> str:
    """A count that was typed as it is printed: `07` is no other number than `7`, in whatever digits."""
    return number(int(text)) if text.isdecimal() else text


def _fields_compared(seen: Desk, form: DealForm, stored: WrittenSheet, typed: FieldsForm) -> list[dict[str, Any]]:
    """Field by field. What was typed is read first where it can be, so that `07` is no other number than `7`."""
    theirs = _told(seen, form, stored)
    mine_sheet = _read(seen.table, form, typed)
    mine = _told(seen, form, mine_sheet) if mine_sheet is not None else words_of(form.fields, typed, seen.names)
    return [
        {
            "name": line_title(title, seen.names.get(seat, seat)),
            "theirs": theirs.get((seat, title), ""),
            "mine": mine.get((seat, title), ""),
            "differs": theirs.get((seat, title)) != mine.get((seat, title)),
        }
        for seat, title in dict.fromkeys([*theirs, *mine])
    ]


def _told(seen: Desk, form: DealForm, sheet: WrittenSheet) -> dict[tuple[str, str], str]:
    typed = stored_fields(sheet, form.fields, seen.table.setup.seats, kind=form.kind, deal=form.number)
    return words_of(form.fields, typed, seen.names)


def _read(table: Table, form: DealForm, typed: FieldsForm) -> WrittenSheet | None:
    """The sheet that was typed, where all of it can be read."""
    entry = entry_of(typed, form.fields, table.setup.seats)
    fact, _ = considered(table, entry.raw)
    return fact.sheet if isinstance(fact, DealFact) and not entry.unread else None
