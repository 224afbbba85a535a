"""The scorer's page: the next deal, a correction of an earlier one, and the preview of either.

Rules: docs/how-to/evening.md, "Scoring". A page says "saved" only after the log has stored the event; a refused form
keeps everything that was typed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from uuid import uuid4

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.utils.translation import gettext, gettext_noop

from scoring.events import wire
from scoring.problems import KeyReused, Problem, RuleError, StaleTable
from scoring.rules.table import previews
from scoring.rules.table.table import before_deal
from tournaments.models import LateSheet
from tournaments.people.permissions import permission_for
from tournaments.rendering.i18n.translating import translate
from tournaments.seating.commands.seat import Redrawn, record_and_redraw
from tournaments.tables.commands.record import RecordedEvent, is_of_device, record_all, record_from_page
from tournaments.tables.commands.without_network import TooManyLateSheets, keep_late_sheet
from tournaments.tables.queries.sheets import StoredLine, written, written_since
from tournaments.web.admin.base.command_forms import CommandForm, pressed, words_in
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import FormToken, TableVisit
from tournaments.web.admin.base.scoping import page_status
from tournaments.web.admin.sheets.comparing import comparison
from tournaments.web.admin.sheets.consequence_pages import CHANGES, may_redraw
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
from tournaments.web.admin.tables.acts import DISPUTE, SETTLE_DISPUTE, VOID
from tournaments.web.admin.tables.confirmation_pages import confirmation_context, writers_of

F = TypeVar("F", bound=CommandForm)
REDRAW = "redraw"
# A director needs a while for twenty sheets; the device asks again once a minute at most.
LATE_AGAIN_SECONDS = 60

# Cards judged while they are typed: a fragment that the scorer's page fetches.


class HandForm(CommandForm):
    """Selects the cards to judge: those of a seat, or of a hand that no seat has alone."""

    seat = forms.ChoiceField()


@purpose(gettext_noop("Count a hand from its cards."))
def hand(visit: TableVisit) -> HttpResponse:
    """The ruling on cards of the current form."""
    if visit.request.method != "POST":
        raise Http404
    kind = words_in(visit.request.POST, "kind")["kind"]
    visit.require_to_record(kind if kind in DEAL_KINDS else RECORDED)
    form, table, hand_form = _form_of(visit, kind), visit.seen.table, HandForm(visit.request.POST)
    hand_form.offer("seat", [(key, key) for key in hand_keys(table, form)])
    seat_hand = (
        hand_of(table, form, _typed(visit, form), hand_form.cleaned_data["seat"]) if hand_form.is_valid() else None
    )
    if seat_hand is None:
        raise Http404
    return visit.fragment("seat_hand.html", {"hand": seat_hand})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One answer of the page: the form, its values, and its problems."""

    form: DealForm | None
    typed: AnyTyped | None
    envelope: FormToken
    problems: Sequence[Problem] = ()
    stale: dict[str, Any] | None = None
    shows_preview: bool = False


@purpose(gettext_noop("Enter each deal when it was played; the result of the table follows."))
def score(visit: TableVisit) -> HttpResponse:
    """The next deal: typed, checked, stored. Where none is due, the result and the actions still possible.

    On a phone of a seat that has to enter a deal already entered by another seat, that deal comes first.
    """
    due = due_kind(visit.seen.table)
    if visit.request.method == "POST":
        kind_text = words_in(visit.request.POST, "kind")["kind"]
        kind = kind_text if kind_text in (RECORDED, TIEBREAK) else due or RECORDED
        if visit.is_over and pressed(visit.request.POST) == "save":
            return _late(visit, deal_form(visit.seen.table, kind))
        visit.require_to_record(kind)
        return _answer(visit, _form_of(visit, kind))
    if (deal := next(deals_to_enter(visit), 0)) and (form := own_form(visit, deal)):
        return _first_page(visit, form)
    if not due or not visit.may_record(due):
        return _page(visit, Sheet(form=None, typed=None, envelope=visit.fresh_envelope()))
    return _first_page(visit, deal_form(visit.seen.table, due))


@purpose(gettext_noop("Replace a saved deal, with a reason."))
def correct(visit: TableVisit, deal: int) -> HttpResponse:
    """Correct a recorded deal, with a reason. Input brought along from another form is kept."""
    visit.require_to_record(CORRECTED)
    form = own_form(visit, deal) or correction_form(visit.seen.table, deal)
    if visit.request.method != "POST":
        return _first_page(visit, form)
    if pressed(visit.request.POST) == "adopt":
        typed_deal = _typed(visit, form).over({"reason": gettext("Compared with the other entry")})
        return _page(visit, Sheet(form=form, typed=typed_deal, envelope=visit.fresh_envelope(), shows_preview=True))
    return _answer(visit, form)


def preview(visit: TableVisit) -> HttpResponse:
    """A preview of saving the current form: a fragment that the page fetches while the user types."""
    if visit.request.method != "POST":
        raise Http404
    kind = words_in(visit.request.POST, "kind")["kind"]
    form = _form_of(visit, kind)
    visit.require_to_record(form.kind)
    context = preview_context(as_entered(visit, form), form, _typed(visit, form))
    return visit.fragment("preview.html", {**context, "deal_form": form})


def _first_page(visit: TableVisit, form: DealForm) -> HttpResponse:
    typed_deal = form.blank(as_entered(visit, form).seen.table)
    if form.kind == CORRECTED and visit.seen.table.second_entry(form.number):
        typed_deal = typed_deal.over({"reason": gettext("Compared with the other entry")})
    return _page(visit, Sheet(form=form, typed=typed_deal, envelope=visit.fresh_envelope()))


def _form_of(visit: TableVisit, kind: str) -> DealForm:
    deal_text = words_in(visit.request.POST, "deal")["deal"]
    number = int(deal_text) if deal_text.isdecimal() and len(deal_text) < 5 else 0
    if kind == CORRECTED:
        return correction_form(visit.seen.table, number)
    form = own_form(visit, number) if kind == RECORDED else None
    return form or deal_form(visit.seen.table, kind)


def _typed(visit: TableVisit, form: DealForm) -> AnyTyped:
    """The input, for the deal that the form is for."""
    typed_deal = form.typed(visit.request.POST, visit.seen.table)
    # A correction takes its deal from the page, not from the input.
    deal = typed_deal.read["deal"] if form.kind != CORRECTED else ""
    return typed_deal.over({"kind": form.kind, "deal": deal or str(form.number)})


def _is_from_outbox(visit: TableVisit) -> bool:
    """Whether the device's offline outbox sent this: it expects JSON instead of a page."""
    return visit.request.headers.get("Accept") == "application/json"


def _answer(visit: TableVisit, form: DealForm) -> HttpResponse:
    """Check or store the input."""
    typed_deal, envelope = _typed(visit, form), visit.sent_envelope()
    sheet = Sheet(form=form, typed=typed_deal, envelope=envelope)
    if pressed(visit.request.POST) not in ("save", REDRAW):
        return _page(visit, replace(sheet, shows_preview=True))
    entered = as_entered(visit, form)
    entry = form.entry(typed_deal, entered.seen.table)
    if entry.unread and (envelope.version == visit.seen.table.version or entered is not visit):
        return _page(visit, replace(sheet, problems=entry.problems(entered.seen.table)))
    try:
        recorded = record_change(visit, entry.raw, envelope)
    except RuleError as refused:
        return _page(visit, replace(sheet, problems=refused.problems))
    except (StaleTable, KeyReused):
        return _stale_page(visit.refreshed(), form, typed_deal, envelope.version)
    return _stored(visit, recorded)


def _late(visit: TableVisit, form: DealForm) -> HttpResponse:
    """A deal of a closed table, kept for a director to accept or refuse; a resend of a stored deal counts as stored."""
    visit.require(permission_for(form.kind, is_over=False))
    typed_deal, envelope = _typed(visit, form), visit.sent_envelope()
    sheet, entry = Sheet(form=form, typed=typed_deal, envelope=envelope), form.entry(typed_deal, visit.seen.table)
    if entry.unread:
        return _page(visit, replace(sheet, problems=entry.problems(visit.seen.table)))
    try:
        late_sheet = keep_late_sheet(
            visit.seen.row.id, entry.raw, expected=envelope.version, context=visit.command_context(envelope)
        )
    except TooManyLateSheets as full:
        answer = _page(visit, replace(sheet, problems=full.problems))
        if _is_from_outbox(visit):
            answer = JsonResponse({"state": "busy", "problems": [translate(full.message)]})
        answer.status_code, answer.headers["Retry-After"] = 429, str(LATE_AGAIN_SECONDS)
        return answer
    except RuleError as refused:
        return _page(visit, replace(sheet, problems=refused.problems))
    except KeyReused:
        return _stale_page(visit.refreshed(), form, typed_deal, envelope.version)
    if isinstance(late_sheet, RecordedEvent):
        return _stored(visit, late_sheet)
    is_refused = late_sheet.answer == LateSheet.Answer.REFUSED
    text = (
        gettext("The director has refused deal {deal}. It does not count.")
        if is_refused
        else gettext("The table is closed. The director decides whether deal {deal} counts.")
    )
    visit.add_message(text.format(deal=typed_deal.read["deal"]), messages.WARNING)
    if _is_from_outbox(visit):
        state = "declined" if is_refused else "late"
        return JsonResponse({"state": state, "version": envelope.version + 1, "url": visit.url("score")})
    return visit.go()


def _stored(visit: TableVisit, recorded: RecordedEvent) -> HttpResponse:
    """Redirect to the next deal, with messages about exactly what the log holds."""
    if visit.request.headers.get("Prefer") != "return=minimal":
        _add_messages(visit, recorded)
    if _is_from_outbox(visit):
        state = "differs" if recorded.stored.kind == DISPUTE.kind else "stored"
        return JsonResponse({"state": state, "version": recorded.stored.version, "url": visit.url("score")})
    return visit.go()


def _add_messages(visit: TableVisit, recorded: RecordedEvent) -> None:
    """Messages for the next page: what was stored, and what followed from it."""
    stored_line = add_saved_message(visit, recorded)
    if not recorded.is_replay and recorded.table is not None and stored_line.event.kind in (RECORDED, TIEBREAK):
        for line in story_of(visit.seen, visit.seen.table, stored_line.event, recorded.table):
            visit.add_message(line, messages.INFO)


def _stale_page(visit: TableVisit, form: DealForm, typed: AnyTyped, version: int) -> HttpResponse:
    """Another user has changed the table since: their deal beside the one typed here."""
    since, deal = written_since(visit.seen, version), typed.read["deal"]
    same_deal = [line for line in since if not form.is_extra and _is_deal(line, deal)]
    theirs = same_deal[-1] if same_deal else None
    rows = comparison(visit.seen, form, theirs.event.sheet, typed) if theirs is not None else []  # type: ignore[attr-defined]
    now_form = form if form.kind == CORRECTED else deal_form(visit.seen.table, form.kind)
    stale = {
        "since": since,
        "theirs": theirs,
        "rows": rows,
        "is_same": bool(rows) and not any(row["differs"] for row in rows),
        "correct_url": visit.url("correct", deal) if theirs is not None and form.kind != CORRECTED else "",
    }
    return _page(visit, Sheet(form=now_form, typed=typed, envelope=visit.fresh_envelope(), stale=stale))


def _is_deal(line: StoredLine, deal: str) -> bool:
    return isinstance(line.event, wire.DealRecorded | wire.DealCorrected) and str(line.event.deal) == deal


def _page(visit: TableVisit, sheet: Sheet) -> HttpResponse:
    """The page with everything as it was typed."""
    form, typed_deal, problems = sheet.form, sheet.typed, sheet.problems
    if _is_from_outbox(visit) and (sheet.stale or problems):
        texts = [translate(problem.named(visit.seen.names).message) for problem in problems]
        status = page_status({}, refused=problems, stale=sheet.stale)
        return JsonResponse({"state": "refused", "problems": texts}, status=status)
    context: dict[str, Any] = {
        "typed": typed_deal.read if typed_deal else {},
        "is_blank": typed_deal is None or typed_deal.is_blank,
        "envelope": sheet.envelope,
        "answered_key": visit.sent_envelope().key if problems or sheet.stale else "",
        "deal_form": form,
        "is_correction": form is not None and form.kind == CORRECTED,
        "goes_on": form is not None and form.kind == RECORDED and visit.request.path == visit.url("score"),
        "stale": sheet.stale,
        "problem_count": len(problems),
        "preview": None,
        **acts.context(visit),
        **confirmation_context(visit),
    }
    if form is not None and typed_deal is not None:
        entered = as_entered(visit, form)
        context |= sheet_context(entered, form, typed_deal, problems)
        if form.kind == CORRECTED:
            context |= dispute_context(visit, form.number)
        if sheet.shows_preview:
            context |= preview_context(entered, form, typed_deal)
    return visit.page("score.html", context, refused=problems, stale=sheet.stale)


# The form of a second seat, for a deal that another seat has entered; it does not show that entry.


def deals_to_enter(visit: TableVisit) -> Iterator[int]:
    """Deals entered by another seat that this one has to enter too, in order; none for a login or a table's card."""
    table, command = visit.seen.table, visit.command_context(visit.fresh_envelope())
    if not table.setup.two_seats_enter or not visit.actor.seats:
        return
    waiting = tuple(deal for deal in table.unconfirmed if deal not in table.disputed)
    for deal, writer in writers_of(visit, waiting).items():
        if not is_of_device(writer, command):
            yield deal


def own_form(visit: TableVisit, deal: int) -> DealForm | None:
    """The form in which a seat enters a deal that another seat has entered; None unless it has to."""
    table = visit.seen.table
    if not table.setup.two_seats_enter or not visit.actor.seats or deal not in table.live_deals:
        return None
    if is_of_device(writers_of(visit, (deal,))[deal], visit.command_context(visit.fresh_envelope())):
        return None
    second = table.second_entry(deal)
    is_own = second is not None and second[0] in visit.actor.seats
    return replace(correction_form(table, deal), kind=RECORDED, before=second[1] if second and is_own else None)


def as_entered(visit: TableVisit, form: DealForm | None) -> TableVisit:
    """The table for which the form is: in its state before the deal, if another seat has entered that."""
    table = visit.seen.table
    if form is None or form.kind != RECORDED or form.number not in table.live_deals:
        return visit
    return replace(visit, seen=replace(visit.seen, table=before_deal(table, form.number)))


# Storing at a table, used by all of its pages; after a change of the past, seatings based on it can be redrawn.


def wants_redraw(visit: TableVisit) -> bool:
    """Whether the button was pressed that also undoes seatings based on the old scores, and the user may do it."""
    return pressed(visit.request.POST) == REDRAW and may_redraw(visit)


def redraw(visit: TableVisit, raws: Sequence[Mapping[str, object]], envelope: FormToken) -> Redrawn:
    """Store the change, undo the seating and cut that depend on it, and add messages about what to do next."""
    done = record_and_redraw(
        visit.seen.row.pk, raws, expected=envelope.version, context=visit.command_context(envelope)
    )
    if done.round is not None:
        visit.add_message(gettext("Seating of round {round} undone: seat the round again.").format(round=done.round))
    if done.cut is not None:
        visit.add_message(
            gettext("The cut of stage {cut} was recalculated from the corrected sheets.").format(cut=done.cut)
        )
    for problem in done.open_problems:
        visit.add_message(
            gettext("Cut undone, waiting: {detail}").format(detail=translate(problem.message)), messages.WARNING
        )
    return done


def record_change(visit: TableVisit, raw: Mapping[str, object], envelope: FormToken) -> RecordedEvent:
    """Store the event, with the end of the dispute about its deal where that is ticked.

    If it changes the past and this is wanted, also undo the seatings based on it.
    """
    raws, context = with_dispute_settled(visit, raw), visit.command_context(envelope)
    if raw["kind"] in CHANGES and wants_redraw(visit):
        return redraw(visit, raws, envelope).recorded[raws.index(raw)]
    if len(raws) == 1:
        return record_from_page(visit.seen.row.id, raw, expected=envelope.version, context=context)
    return record_all(visit.seen.row.id, raws, expected=envelope.version, context=context)[raws.index(raw)]


def record_form(
    visit: TableVisit,
    form: F,
    raw: Mapping[str, object],
    envelope: FormToken,
    page: Callable[[TableVisit, F, tuple[StoredLine, ...]], HttpResponse],
) -> HttpResponse:
    """Store the event of a form. If it is refused, the page again, with the errors or with what was stored since."""
    try:
        recorded = record_change(visit, raw, envelope)
    except RuleError as refused:
        form.refuse(refused.problems, visit.seen.names)
        return page(visit, form, ())
    except (StaleTable, KeyReused):
        now = visit.refreshed()
        form.put(version=str(now.seen.table.version), key=str(uuid4()))
        return page(now, form, written_since(now.seen, envelope.version))
    add_saved_message(visit, recorded)
    return visit.go()


SETTLES = "settles"


def dispute_context(visit: TableVisit, deal: int) -> dict[str, bool]:
    """Whether the page of a change offers to resolve the dispute about the deal with it, and whether that is ticked."""
    may_settle = deal in visit.seen.table.disputed and visit.may_record(SETTLE_DISPUTE.kind)
    post = visit.request.POST
    is_sent = visit.request.method == "POST" and pressed(post) != "adopt"
    return {"settles_dispute": may_settle, "settles_is_ticked": not is_sent or SETTLES in post}


def with_dispute_settled(visit: TableVisit, raw: Mapping[str, object]) -> list[Mapping[str, object]]:
    """The events to store: a change of a disputed deal, and the end of the dispute with the same reason, if ticked.

    A corrected deal counts as resolved, so the correction comes first; a dispute about a cancelled deal could not be
    resolved any more. Entries that agree after the correction need no more.
    """
    deal = raw.get("deal")
    is_change = raw["kind"] in (CORRECTED, VOID.kind)
    if not (is_change and isinstance(deal, int) and SETTLES in visit.request.POST):
        return [raw]
    if not dispute_context(visit, deal)["settles_dispute"]:
        return [raw]
    settled = {"kind": SETTLE_DISPUTE.kind, "deal": deal, "reason": raw.get("reason", "")}
    if raw["kind"] == VOID.kind:
        return [settled, raw]
    after = previews.preview(visit.seen.table, raw).after
    return [raw, settled] if after is not None and deal in after.disputed else [raw]


def add_saved_message(visit: TableVisit, recorded: RecordedEvent) -> StoredLine:
    """Add a message about the stored event, or that it was stored before."""
    stored_line = written(visit.seen, recorded.stored)
    said = stored_line.text
    if isinstance(stored_line.event, wire.EventWithdrawn):
        # A version says nothing to a scorer, who does not see the log. At the table the action is gone when it is sent
        # a second time.
        undone = written_since(visit.seen, stored_line.event.version - 1)[0]
        said = gettext("Undone: {said}").format(said=undone.text)
    text, level = gettext("Saved. {said}"), messages.SUCCESS
    if recorded.is_replay:
        text, level = gettext("Sent twice, saved once. {said}"), messages.INFO
    visit.add_message(text.format(said=said), level)
    return stored_line
