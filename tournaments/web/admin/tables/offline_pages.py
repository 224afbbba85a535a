"""Deals typed offline: the service worker, the status that phones report, and sheets that came too late.

Rules: docs/how-to/without-network.md. The code that keeps and sends them is static/tournaments/outbox.js.
"""

from pathlib import Path

from django import forms
from django.contrib.messages import INFO
from django.contrib.staticfiles import finders
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from scoring.rules.table.table import Status
from tournaments.people.permissions import Permission
from tournaments.tables.commands.without_network import (
    DeviceReport,
    accept_late_sheets,
    note_device,
    refuse_late_sheets,
    revoke_cards_of_senders,
)
from tournaments.tables.queries.without_network import WaitingSheet, late_at
from tournaments.web.admin.base.command_fields import CarriedNumber, KeyField, ReadForm, ReasonField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import FormToken, TableVisit


class LateForm(CommandForm):
    """The chosen sheets, and why they are refused."""

    sheets = forms.MultipleChoiceField(
        label=gettext_lazy("Sheets"), widget=forms.CheckboxSelectMultiple, required=False
    )
    reason = ReasonField(label=gettext_lazy("Reason for refusing"))

    def __init__(self, visit: TableVisit, waiting: list[WaitingSheet]) -> None:
        every = [str(late.sheet.pk) for late in waiting]
        super().__init__(data_of(visit.request), initial={"sheets": every})
        self.offer("sheets", [(key, key) for key in every])


@purpose(gettext_noop("Accept or refuse deals that came after the table was closed."))
def late(visit: TableVisit) -> HttpResponse:
    """The late sheets of a table, with their contents."""
    waiting = list(late_at(visit.seen))
    form = LateForm(visit, waiting)
    if form.is_valid():
        LATE_ACTIONS.get(pressed(visit.request.POST), _refuse)(visit, form)
        if not form.errors:
            return visit.go()
    context = {
        "form": form,
        "waiting": waiting,
        "is_cancelled": visit.seen.table.status is Status.CANCELLED,
        "by_card": any(late.by_card for late in waiting),
    }
    context["title"] = gettext("Late sheets")
    return visit.page("late.html", context)


def _accept(visit: TableVisit, form: LateForm) -> None:
    sheets = form.cleaned_data["sheets"]
    was_over = visit.is_over
    reason, command = gettext("late sheet accepted"), form.command_context(visit.request)
    if form.attempt(lambda: accept_late_sheets(visit.seen.row.pk, sheets, reason=reason, context=command)):
        text = ngettext("{count} late sheet accepted.", "{count} late sheets accepted.", len(sheets))
        visit.add_message(text.format(count=len(sheets)))
        if was_over:
            visit.add_message(gettext("The table is open again. Close it when its sheet is complete."), INFO)


def _refuse(visit: TableVisit, form: LateForm) -> None:
    sheets, reason = form.cleaned_data["sheets"], form.cleaned_data["reason"]
    command = form.command_context(visit.request)
    form.attempt(lambda: refuse_late_sheets(visit.seen.row.pk, sheets, reason=reason, context=command))
    if not form.errors:
        text = ngettext("{count} late sheet refused.", "{count} late sheets refused.", len(sheets))
        visit.add_message(text.format(count=len(sheets)))


def _revoke_card(visit: TableVisit, form: LateForm) -> None:
    sheets, command = form.cleaned_data["sheets"], form.command_context(visit.request)
    count = form.attempt(lambda: revoke_cards_of_senders(visit.seen.row.pk, sheets, context=command))
    if count:
        text = ngettext("{count} card revoked. Its sheets wait.", "{count} cards revoked. Their sheets wait.", count)
        visit.add_message(text.format(count=count))


LATE_ACTIONS = {"accept": _accept, "refuse": _refuse, "revoke": _revoke_card}


# Longer than any browser keeps a deal; a device with a wrong clock may send such a number.
MOST_OLDEST_DIGITS = 15


class DeviceForm(ReadForm):
    """The device's own key, how many deals wait on it, and for how many milliseconds the oldest has waited."""

    device = KeyField()
    waiting = CarriedNumber()
    oldest = CarriedNumber(most_digits=MOST_OLDEST_DIGITS)


def device(visit: TableVisit) -> HttpResponse:
    """Store the status that a device reports; the answer says in a header which version the table has now."""
    if visit.request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    visit.require(Permission.RECORD)
    cleaned = DeviceForm(visit.request.POST).read
    if cleaned["device"]:
        heard = DeviceReport(
            key=cleaned["device"], waiting=cleaned["waiting"], oldest_seconds=cleaned["oldest"] // 1000
        )
        note_device(visit.seen.row.pk, heard, context=visit.command_context(FormToken(version=0)))
    return HttpResponse(status=204, headers={"Table-Version": visit.seen.table.version})


@never_cache
@require_safe
def outbox_worker(request: HttpRequest) -> FileResponse:
    """The service worker, at an address above all pages: a worker controls only what is below its own."""
    script_path = finders.find("tournaments/outbox_worker.js")
    return FileResponse(Path(str(script_path)).open("rb"), content_type="text/javascript")
