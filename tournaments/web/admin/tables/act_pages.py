"""One page for every action at a table: its fields, a preview of its effects, and the button that stores it.

Rules: docs/how-to/evening.md, "Between deals". The page of a refused action keeps what was typed and shows why.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_lazy

from scoring.events import wire
from scoring.messages import say
from scoring.rules.table.dealing import acts as acts_of
from scoring.rules.table.entering import whole_number
from scoring.rules.table.previews import preview
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.queries.sheets import StoredLine
from tournaments.web.admin.base.command_fields import AmountField, CarriedNumber, ReasonField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed
from tournaments.web.admin.base.request import TableVisit
from tournaments.web.admin.sheets.consequence_pages import consequence_context
from tournaments.web.admin.sheets.deal_forms import translated_preview
from tournaments.web.admin.tables.acts import ANY_REASON, VOID, Act, context, seats_for
from tournaments.web.admin.tables.deal_pages import dispute_context, record_form

OPTIONAL = ("reason", "said_by")
NUMBERS = ("points", "amount_minor")


class NamesSelect(forms.Select):
    """A list of players, each name in its own direction."""

    def create_option(self, *args: Any, **how: Any) -> dict[str, Any]:
        option = super().create_option(*args, **how)
        return {**option, "attrs": {**option["attrs"], "dir": "auto"}}


class SeatField(WordField):
    """A seat that is picked from a list; the rules decide which are allowed."""

    def __init__(self, *, label: Any, empty_label: str, **attrs: Any) -> None:
        super().__init__(label=label)
        self.empty_label = empty_label
        self.widget = NamesSelect(attrs=attrs)

    def offer(self, seats: Mapping[str, str]) -> None:
        self.widget.choices = [("", self.empty_label), *seats.items()]


class PointsField(forms.CharField):
    """A whole number from 1."""

    def clean(self, value: Any) -> int:
        number = whole_number(str(value or "").strip())
        if not isinstance(number, int):
            raise ValidationError(translate(say("{what}: {why}", what=str(self.label), why=number)), "not_a_number")
        if number < 1:
            detail = gettext("{name} must be a whole number from 1").format(name=self.label)
            raise ValidationError(detail, code="not_a_number")
        return number


def _seat(visit: TableVisit) -> forms.Field:
    return SeatField(label=gettext_lazy("Player"), empty_label=gettext("choose"), required=True)


def _points(visit: TableVisit) -> forms.Field:
    is_chips = visit.seen.table.rules.race == "chips"
    attrs = {"inputmode": "numeric", "maxlength": 6}
    return PointsField(label=gettext("Chips") if is_chips else gettext("Points"), widget=forms.TextInput(attrs=attrs))


def _amount(visit: TableVisit) -> forms.Field:
    label = gettext("Amount in %(currency)s") % {"currency": visit.seen.currency}
    return AmountField(label=label, least=0, notation=visit.seen.notation, attrs={"id": "id_amount"})


def _reporter_field(visit: TableVisit) -> forms.Field:
    field = SeatField(label=gettext_lazy("Reported by"), empty_label=gettext("me, as an official"))
    field.offer(visit.seen.names)
    return field


FIELDS: Mapping[str, Callable[[TableVisit], forms.Field]] = {
    "seat": _seat,
    "points": _points,
    "amount_minor": _amount,
    "said_by": _reporter_field,
    "reason": lambda visit: ReasonField(),
}


class ActForm(CommandForm):
    """An action with its fields. `fixed` is the deal or the version that it is about."""

    version = CarriedNumber()

    def __init__(self, visit: TableVisit, act: Act, fixed: Mapping[str, int]) -> None:
        seats = seats_for(visit.seen.table, act)
        seat_key = visit.request.GET.get("seat", "")
        seat = seat_key if seat_key in seats else seats[0] if len(seats) == 1 else ""
        super().__init__(data_of(visit.request), initial={"version": visit.seen.table.version, "seat": seat})
        self.act, self.fixed = act, fixed
        self.fields |= {name: FIELDS[name](visit) for name in act.fields}
        self.is_readable = not self.errors
        # A copy: a field that is refused later disappears from the cleaned data.
        self.entered = dict(self.read) if self.is_bound else self.initial
        if "seat" in act.fields:
            self._offer(visit, seats)

    @property
    def is_complete(self) -> bool:
        """Whether a preview can be shown."""
        return self.is_readable and all(self.entered.get(name) for name in self.act.fields if name not in OPTIONAL)

    def raw(self, *, reason: str = "") -> dict[str, Any]:
        """The typed event; `reason` is used where none was entered yet."""
        raw: dict[str, Any] = {**self.act.fixed_fields, **self.fixed}
        for name in self.act.fields:
            raw[name] = self.entered.get(name, 0 if name in NUMBERS else "")
        if "reason" in raw:
            raw["reason"] = raw["reason"] or reason
        speaker = raw.pop("said_by", "")
        return raw | ({"seat": speaker} if speaker else {})

    def _offer(self, visit: TableVisit, seats: tuple[str, ...]) -> None:
        """The seats to choose from; the chosen one stays on the list even if it is refused."""
        chosen = self.entered.get("seat", "")
        offered = [*seats, *({chosen} & visit.seen.names.keys() - {*seats})]
        field = self.fields["seat"]
        assert isinstance(field, SeatField)  # noqa: S101 - made above
        field.offer({seat: visit.seen.names.get(seat, seat) for seat in offered})


def act_page(visit: TableVisit, act: Act, number: int | None = None) -> HttpResponse:
    """Ask, then store. `number` is the deal to void or the version to withdraw."""
    visit.require_to_record(act.kind)
    form = ActForm(visit, act, _fixed(visit, act, number))
    if not form.is_bound or pressed(visit.request.POST) == "check":
        return _page(visit, form)
    names = visit.seen.names
    if not form.is_readable and visit.sent_envelope().version == visit.seen.table.version:
        # Also report what the rules refuse, except for fields that could not be read.
        others = preview(visit.seen.table, form.raw()).problems
        form.refuse([problem for problem in others if problem.field not in form.errors], names)
        return _page(visit, form)
    return record_form(visit, form, form.raw(), visit.sent_envelope(), _page)


def _page(visit: TableVisit, form: ActForm, since: tuple[StoredLine, ...] = ()) -> TemplateResponse:
    """The action's form with everything as it was typed."""
    ahead: dict[str, Any] = _preview_context(visit, form) if form.is_complete else {"preview": None}
    is_refused = form.errors and pressed(visit.request.POST) != "check"
    page = {
        **context(visit),
        **ahead,
        "form": form,
        "act": form.act,
        "since": since,
        "what": _what(visit, form),
        "lost": _lost(visit, form),
        **(dispute_context(visit, form.fixed.get("deal", 0)) if form.act is VOID else {}),
        "problem_count": sum(map(len, form.errors.values())) if is_refused else 0,
    }
    return visit.page("act.html", page, refused=is_refused, stale=since)


def _preview_context(visit: TableVisit, form: ActForm) -> dict[str, Any]:
    """The effects of the action at the table, and in the tournament."""
    act_preview = preview(visit.seen.table, form.raw(reason=ANY_REASON))
    needs_reason = form.act.kind in wire.NEEDS_REASON and not form.raw()["reason"]
    ahead = translated_preview(visit.seen, act_preview) | {"preview_needs_reason": needs_reason}
    return ahead if act_preview.problems else ahead | consequence_context(visit, form.act.kind, act_preview.after)


def _fixed(visit: TableVisit, act: Act, number: int | None) -> dict[str, int]:
    """The deal or the version that the page is about; 404 where there is none."""
    table = visit.seen.table
    if not act.about or number is None:
        return {}
    deals, versions = table.deal_entry(number), {entry.version for entry in acts_of(table)}
    is_there = deals is not None if act.about == "deal" else number in versions
    # On a resend, the action to withdraw is gone already; the log knows whether this request withdrew it.
    if is_there or visit.request.method == "POST":
        return {act.about: number}
    raise Http404


def _lost(visit: TableVisit, form: ActForm) -> list[str]:
    """What was recorded at the table and does not count once it is cancelled, as texts."""
    if form.act.kind != wire.TableCancelled.kind:
        return []
    return [visit.seen.event_text(entry.event) for entry in visit.seen.table.timeline if not entry.is_void]


def _what(visit: TableVisit, form: ActForm) -> str:
    """The stored event that the action is about, as text."""
    table = visit.seen.table
    if "deal" in form.fixed:
        entry = table.deal_entry(form.fixed["deal"])
    else:
        entry = next((entry for entry in table.timeline if entry.version == form.fixed.get("version")), None)
    return visit.seen.event_text(entry.event) if entry else ""
