"""The scorer's page: the next deal, a correction of an earlier one, and the preview of either.

Rules: docs/how-to/evening.md, "Scoring". A page that says stored has been answered by the log; a page that was told no
still holds everything that was typed.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.utils.translation import gettext, gettext_noop

from scoring.facts import wire
from scoring.problems import KeyReused, Problem, RuleError, StaleTable
from scoring.rules.table.timeline import DealCheck
from tournaments import log
from tournaments.people.permissions import deed_for
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.commands.late_sheets import keep_late_sheet
from tournaments.tables.commands.record import Recorded, is_official
from tournaments.tables.queries.sheets import Written, written_since
from tournaments.web.admin.base.command_forms import CommandForm, pressed, words_in
from tournaments.web.admin.base.request import Envelope, Visit
from tournaments.web.admin.sheets.comparing import comparison
from tournaments.web.admin.sheets.consequence_pages import REDRAW, record_change, tell_recorded
from tournaments.web.admin.sheets.deal_forms import (
    CORRECTED,
    DEAL_KINDS,
    RECORDED,
    TIEBREAK,
    AnyTyped,
    DealForm,
    correction_form,
    deal_form,
    due_kind,
    hand_keys,
    hand_of,
    preview_context,
    sheet_context,
    story_of,
)
from tournaments.web.admin.tables import acts
from tournaments.web.admin.tables.acts import CONFIRM, DISPUTE, SETTLE_DISPUTE

# Deals that wait for somebody else's word, and deals that are disputed: who may say what, with the buttons for it.

WHO_CONFIRMS = {
    "at_once": "",
    "second_seat": gettext_noop("Another seat of the table, or an official, reads the deal and confirms it."),
    "second_official": gettext_noop("A second official signs in, reads the deal and confirms it."),
}

BUTTONS = {
    "at_once": "",
    "second_seat": gettext_noop("Second seat: confirm deal {deal}"),
    "second_official": gettext_noop("Second official: confirm deal {deal}"),
}


def words_context(visit: Visit) -> dict[str, Any]:
    """Every deal that waits for a word or for the director; no query where none does."""
    table = visit.seen.table
    return {
        "waiting": _waiting(visit),
        "disputes": _disputes(visit) if table.disputed else [],
        "who_confirms": gettext(who) if (who := WHO_CONFIRMS[table.setup.confirmation]) else "",
    }


def _waiting(visit: Visit) -> list[dict[str, Any]]:
    """Deals that count but wait for a word. Whoever wrote one down is told that it is not theirs to confirm."""
    table = visit.seen.table
    entries = {deal: table.deal_entry(deal) for deal in table.unconfirmed if deal not in table.disputed}
    versions = {deal: entry.corrected_at or entry.version for deal, entry in entries.items() if entry is not None}
    writers = log.actors_of(visit.seen.row.pk, list(versions.values()))
    may_speak = visit.may_record(CONFIRM.kind)
    is_wanted = table.setup.confirmation != "second_official" or is_official(visit.actor.name)
    return [
        {
            "deal": deal,
            "what": visit.seen.said(entry.fact),
            "is_own": writers.get(versions[deal]) == visit.actor.name,
            "may_confirm": may_speak and is_wanted and writers.get(versions[deal]) != visit.actor.name,
            "button": gettext(BUTTONS[table.setup.confirmation]).format(deal=deal),
            "confirm_url": visit.url(CONFIRM.page, deal),
            "dispute_url": visit.url(DISPUTE.page, deal) if visit.may_record(DISPUTE.kind) else "",
            "envelope": visit.fresh_envelope(),
        }
        for deal, entry in entries.items()
        if entry is not None
    ]


def _disputes(visit: Visit) -> list[dict[str, Any]]:
    """Deals that are locked, with who disputes them and why, and what a director may do about it."""
    table = visit.seen.table
    accept = gettext("Accept deal")
    at = {deal: table.checks.get(str(deal), DealCheck()).disputed_at for deal in table.disputed}
    said = {line.event.version: line for line in written_since(visit.seen, min(at.values()) - 1)}
    return [
        {
            "deal": deal,
            "line": said.get(version),
            "what": _what(visit, deal),
            "links": acts.correcting(visit, deal) + acts.allowed(visit, SETTLE_DISPUTE, accept, deal),
        }
        for deal, version in at.items()
    ]


def _what(visit: Visit, deal: int) -> str:
    entry = visit.seen.table.deal_entry(deal)
    return visit.seen.said(entry.fact) if entry is not None else ""


# Cards judged while they are typed: the fragment that the scorer's page fetches.


class HandForm(CommandForm):
    """Whose cards are to be judged: a seat's, or those of a hand between two."""

    seat = forms.ChoiceField()


def hand(visit: Visit) -> HttpResponse:
    """What is said of cards, as the form stands."""
    if visit.request.method != "POST":
        raise Http404
    kind = words_in(visit.request.POST, "kind")["kind"]
    visit.require_to_record(kind if kind in DEAL_KINDS else RECORDED)
    deal, table, wanted = _form_of(visit, kind), visit.seen.table, HandForm(visit.request.POST)
    wanted.offer("seat", [(key, key) for key in hand_keys(table, deal)])
    found = hand_of(table, deal, _typed(visit, deal), wanted.cleaned_data["seat"]) if wanted.is_valid() else None
    if found is None:
        raise Http404
    return visit.fragment("seat_hand.html", {"hand": found})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One answer of the page: the form, what stands in it, and what is said about it."""

    form: DealForm | None
    typed: AnyTyped | None
    envelope: Envelope
    problems: Sequence[Problem] = ()
    stale: dict[str, Any] | None = None
    shows_preview: bool = False


def score(visit: Visit) -> HttpResponse:
    """The next deal: typed, checked, stored. Where none is due, the result and what may still be done."""
    due = due_kind(visit.seen.table)
    if visit.request.method == "POST":
        wanted = words_in(visit.request.POST, "kind")["kind"]
        kind = wanted if wanted in (RECORDED, TIEBREAK) else due or RECORDED
        if visit.is_over and pressed(visit.request.POST) == "save":
            return _late(visit, deal_form(visit.seen.table, kind))
        visit.require_to_record(kind)
        return _answer(visit, deal_form(visit.seen.table, kind))
    if not due or not visit.may_record(due):
        return _page(visit, Sheet(form=None, typed=None, envelope=visit.fresh_envelope()))
    form = deal_form(visit.seen.table, due)
    return _first_page(visit, form)


def correct(visit: Visit, deal: int) -> HttpResponse:
    """A deal that was written down wrongly, with a reason. Typing brought along from another form is kept."""
    visit.require_to_record(CORRECTED)
    form = correction_form(visit.seen.table, deal)
    if visit.request.method != "POST":
        return _first_page(visit, form)
    if pressed(visit.request.POST) == "adopt":
        typed = _typed(visit, form)
        return _page(visit, Sheet(form=form, typed=typed, envelope=visit.fresh_envelope(), shows_preview=True))
    return _answer(visit, form)


def preview(visit: Visit) -> HttpResponse:
    """What saving the form as it stands would do: the fragment that the page fetches while somebody types."""
    if visit.request.method != "POST":
        raise Http404
    kind = words_in(visit.request.POST, "kind")["kind"]
    form = _form_of(visit, kind)
    visit.require_to_record(form.kind)
    context = preview_context(visit, form, _typed(visit, form))
    return visit.fragment("preview.html", {**context, "deal_form": form})


def _first_page(visit: Visit, form: DealForm) -> HttpResponse:
    return _page(visit, Sheet(form=form, typed=form.blank(visit.seen.table), envelope=visit.fresh_envelope()))


def _form_of(visit: Visit, kind: str) -> DealForm:
    if kind != CORRECTED:
        return deal_form(visit.seen.table, kind)
    number = words_in(visit.request.POST, "deal")["deal"]
    return correction_form(visit.seen.table, int(number) if number.isdecimal() and len(number) < 5 else 0)


def _typed(visit: Visit, form: DealForm) -> AnyTyped:
    """What was typed, for the deal that the form is for."""
    typed = form.typed(visit.request.POST, visit.seen.table)
    # A deal that is corrected is the one whose page it is.
    deal = typed.read["deal"] if form.kind != CORRECTED else ""
    return typed.over({"kind": form.kind, "deal": deal or str(form.number)})


def _is_from_outbox(visit: Visit) -> bool:
    """A device sends what it kept, and wants to be told what became of it instead of being shown a page."""
    return visit.request.headers.get("Accept") == "application/json"


def _answer(visit: Visit, form: DealForm) -> HttpResponse:
    """Check or store what was typed."""
    typed, envelope = _typed(visit, form), visit.sent_envelope()
    sheet = Sheet(form=form, typed=typed, envelope=envelope)
    if pressed(visit.request.POST) not in ("save", REDRAW):
        return _page(visit, replace(sheet, shows_preview=True))
    entry = form.entry(typed, visit.seen.table)
    if entry.unread and envelope.version == visit.seen.table.version:
        return _page(visit, replace(sheet, problems=entry.problems(visit.seen.table)))
    try:
        recorded = record_change(visit, entry.raw, envelope)
    except RuleError as refused:
        return _page(visit, replace(sheet, problems=refused.problems))
    except (StaleTable, KeyReused):
        return _stale_page(visit.refreshed(), form, typed, envelope.version)
    return _stored(visit, recorded)


def _late(visit: Visit, form: DealForm) -> HttpResponse:
    """A deal of a table that is over: a director accepts or refuses it. One that was stored before that is stored."""
    visit.require(deed_for(form.kind, is_over=False))
    typed, envelope = _typed(visit, form), visit.sent_envelope()
    sheet, entry = Sheet(form=form, typed=typed, envelope=envelope), form.entry(typed, visit.seen.table)
    if entry.unread:
        return _page(visit, replace(sheet, problems=entry.problems(visit.seen.table)))
    try:
        kept = keep_late_sheet(visit.seen.row.id, entry.raw, expected=envelope.version, order=visit.order(envelope))
    except RuleError as refused:
        return _page(visit, replace(sheet, problems=refused.problems))
    except KeyReused:
        return _stale_page(visit.refreshed(), form, typed, envelope.version)
    if isinstance(kept, Recorded):
        return _stored(visit, kept)
    said = gettext("The table is closed. The director decides whether deal {deal} counts.")
    visit.tell(said.format(deal=typed.read["deal"]), messages.WARNING)
    if _is_from_outbox(visit):
        return JsonResponse({"state": "late", "version": envelope.version + 1, "url": visit.url("score")})
    return visit.go()


def _stored(visit: Visit, recorded: Recorded) -> HttpResponse:
    """On to the next deal, with exactly what the log holds."""
    if visit.request.headers.get("Prefer") != "return=minimal":
        _tell(visit, recorded)
    if _is_from_outbox(visit):
        return JsonResponse({"state": "stored", "version": recorded.stored.version, "url": visit.url("score")})
    return visit.go()


def _tell(visit: Visit, recorded: Recorded) -> None:
    """What was stored, and what followed from it, on the next page."""
    stored = tell_recorded(visit, recorded)
    if not recorded.is_replay and recorded.table is not None and stored.fact.kind != CORRECTED:
        for line in story_of(visit.seen, visit.seen.table, stored.fact, recorded.table):
            visit.tell(line, messages.INFO)


def _stale_page(visit: Visit, form: DealForm, typed: AnyTyped, version: int) -> HttpResponse:
    """Somebody was faster: what they wrote, beside what was typed here."""
    since, deal = written_since(visit.seen, version), typed.read["deal"]
    same_deal = [line for line in since if not form.is_extra and _is_deal(line, deal)]
    theirs = same_deal[-1] if same_deal else None
    rows = comparison(visit.seen, form, theirs.fact.sheet, typed) if theirs is not None else []  # type: ignore[attr-defined]
    now_form = form if form.kind == CORRECTED else deal_form(visit.seen.table, form.kind)
    stale = {
        "since": since,
        "theirs": theirs,
        "rows": rows,
        "is_same": bool(rows) and not any(row["differs"] for row in rows),
        "correct_url": visit.url("correct", deal) if theirs is not None and form.kind != CORRECTED else "",
    }
    return _page(visit, Sheet(form=now_form, typed=typed, envelope=visit.fresh_envelope(), stale=stale))


def _is_deal(line: Written, deal: str) -> bool:
    return isinstance(line.fact, wire.DealRecorded | wire.DealCorrected) and str(line.fact.deal) == deal


def _page(visit: Visit, sheet: Sheet) -> HttpResponse:
    """The page with everything as it was typed."""
    form, typed, problems = sheet.form, sheet.typed, sheet.problems
    status = 409 if sheet.stale else 422 if problems else 200
    if _is_from_outbox(visit) and status != 200:
        said = [translate(problem.named(visit.seen.names).message) for problem in problems]
        return JsonResponse({"state": "refused", "problems": said}, status=status)
    context: dict[str, Any] = {
        "typed": typed.read if typed else {},
        "is_blank": typed is None or typed.is_blank,
        "envelope": sheet.envelope,
        "answered_key": visit.sent_envelope().key if problems or sheet.stale else "",
        "deal_form": form,
        "is_correction": form is not None and form.kind == CORRECTED,
        "stale": sheet.stale,
        "problem_count": len(problems),
        "preview": None,
        **acts.context(visit),
        **words_context(visit),
    }
    if form is not None and typed is not None:
        context |= sheet_context(visit, form, typed, problems)
        if sheet.shows_preview:
            context |= preview_context(visit, form, typed)
    return visit.page("score.html", context, status=status)
