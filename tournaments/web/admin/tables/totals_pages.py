"""A table entered by its totals, from a paper sheet that shows no deals: one page to record and to correct them.

Rules: docs/how-to/evening.md, "Only the totals". A refused page keeps what was typed, with each problem at its seat.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_noop

from scoring.events.wire import TotalsCorrected, TotalsRecorded
from scoring.messages import NOBODY
from scoring.problems import Problem
from scoring.rules.table.entering import whole_number
from scoring.rules.table.previews import Preview, preview
from scoring.rules.table.totals import why_not_now
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.commands.record import averaged_problems
from tournaments.tables.queries.sheets import StoredLine
from tournaments.web.admin.base.command_fields import CarriedNumber, ReasonField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import TableVisit
from tournaments.web.admin.sheets.consequence_pages import consequence_context
from tournaments.web.admin.sheets.deal_forms import translated_preview
from tournaments.web.admin.tables.acts import ANY_REASON, context
from tournaments.web.admin.tables.deal_pages import record_form

RECORDED, CORRECTED = TotalsRecorded.kind, TotalsCorrected.kind
MOST_DIGITS = 7


class WholeNumberField(forms.CharField):
    """A whole number of either sign as typed; the rules decide which are allowed."""

    def __init__(self, *, label: str, initial: int | None, keypad: str = "text") -> None:
        # The digits of an iPhone have no minus.
        attrs = {"inputmode": keypad, "size": MOST_DIGITS, "maxlength": MOST_DIGITS, "aria-label": label}
        super().__init__(required=False, label=label, initial=initial, widget=forms.TextInput(attrs=attrs))

    def clean(self, value: Any) -> int | None:
        text = str(value or "").strip().replace("\N{MINUS SIGN}", "-")
        if not text:
            return None
        number = whole_number(text)
        if not isinstance(number, int):
            raise ValidationError(translate(number), code="not_a_number")
        return number


class TotalsForm(CommandForm):
    """The totals of all seats, and where seats are eliminated when each went out."""

    version = CarriedNumber()
    kind = WordField()

    def __init__(self, visit: TableVisit) -> None:
        table = visit.seen.table
        kind = CORRECTED if table.has_totals else RECORDED
        super().__init__(data_of(visit.request), initial={"version": table.version, "kind": kind})
        entry, names = table.totals_entry, visit.seen.names
        recorded = entry.event if entry is not None else TotalsRecorded(totals={})
        self.form = table.rules.totals_form(table.setup)
        self.names = {seat: names.get(seat, seat) for seat in table.setup.seats}
        for seat, name in self.names.items():
            label = f"{name}: {translate(self.form.title)}"
            self.fields[f"totals-{seat}"] = WholeNumberField(label=label, initial=recorded.totals.get(seat))
            if self.form.has_order:
                label = gettext("{name}: out as number").format(name=name)
                self.fields[f"out-{seat}"] = WholeNumberField(
                    label=label, initial=recorded.out.get(seat), keypad="numeric"
                )
        # On a resend the totals are recorded already: the page says what it was sent for.
        self.sent_kind = self.read.get("kind") if self.is_bound else kind
        self.is_correction = self.sent_kind == CORRECTED
        if self.is_correction:
            self.fields["reason"] = ReasonField()
            self.full_clean()
        # A copy: a field that is refused later disappears from the cleaned data.
        self.entered = dict(self.read) if self.is_bound else self.initial

    @property
    def event_kind(self) -> str:
        return CORRECTED if self.is_correction else RECORDED

    def raw(self, *, reason: str = "") -> dict[str, Any]:
        """The typed event; `reason` is used where none was entered yet."""
        raw: dict[str, Any] = {"kind": self.event_kind, "totals": self._by_seat("totals")}
        if out := self._by_seat("out"):
            raw["out"] = out
        return raw | ({"reason": self.entered.get("reason") or reason} if self.is_correction else {})

    def _by_seat(self, name: str) -> dict[str, int]:
        typed = {seat: self.entered.get(f"{name}-{seat}") for seat in self.names}
        return {seat: given for seat, given in typed.items() if given is not None}

    def rows(self) -> list[dict[str, Any]]:
        """The fields of each seat, in table order."""
        return [
            {
                "name": name,
                "total": self[f"totals-{seat}"],
                "out": self[f"out-{seat}"] if self.form.has_order else None,
            }
            for seat, name in self.names.items()
        ]

    def refuse(self, problems: Iterable[Problem], names: Mapping[str, str] | None = None) -> None:
        """Add each problem to the field of its seat; what could not be read is not reported as missing too."""
        others: list[Problem] = []
        for problem in problems:
            field = f"{problem.field}-{problem.seat}"
            if field not in self.fields:
                others.append(problem)
            elif field not in self.errors:
                text = translate(problem.message, names or NOBODY)
                self.add_error(field, ValidationError(text, code=problem.code))
        super().refuse(others, names)


@purpose(gettext_noop("Enter only what a table ends with, where no deals were written down."))
def totals(visit: TableVisit) -> HttpResponse:
    """Ask for the totals, then store them; or say why this table has to be entered deal by deal."""
    form = TotalsForm(visit)
    visit.require_to_record(form.event_kind)
    if not form.is_bound:
        return _page(visit, form)
    is_check = pressed(visit.request.POST) == "check"
    if is_check or (form.errors and visit.sent_envelope().version == visit.seen.table.version):
        ahead = preview(visit.seen.table, form.raw(reason=ANY_REASON))
        form.refuse(ahead.problems, form.names)
        return _page(visit, form, ahead=ahead if is_check and not form.errors else None)
    return record_form(visit, form, form.raw(), visit.sent_envelope(), _page)


def _page(
    visit: TableVisit, form: TotalsForm, since: tuple[StoredLine, ...] = (), *, ahead: Preview | None = None
) -> TemplateResponse:
    """The form with everything as it was typed, and after *Preview* what would follow: `ahead`."""
    table, is_check = visit.seen.table, pressed(visit.request.POST) == "check"
    is_new = not (form.is_bound or form.is_correction)
    why = why_not_now(table) or averaged_problems(visit.seen.sheet) if is_new else []
    following: dict[str, Any] = {"preview": None}
    if ahead is not None:
        following = translated_preview(visit.seen, ahead) | consequence_context(visit, form.event_kind, ahead.after)
        following["preview_needs_reason"] = form.is_correction and not form.entered.get("reason")
    page = {
        **context(visit),
        **following,
        "form": form,
        "why": [translate(problem.message) for problem in why],
        "total_title": translate(form.form.title),
        "adds_up_to": None if form.form.adds_up_to is None else number(form.form.adds_up_to),
        "has_order": form.form.has_order,
        "since": since,
        "problem_count": sum(map(len, form.errors.values())),
    }
    return visit.page("totals.html", page, refused=form.errors and not is_check, stale=since)
