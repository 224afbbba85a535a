"""Actions of an official on a table's whole sheet: enter a deal a second time, or swap two players.

Rules: docs/how-to/evening.md, "Confirmation" and "Corrections". The page of a second entry shows the table before the
deal, so that no total reveals the first entry; only differences are shown and decided, and if there are none, the
deal is confirmed. A refused swap keeps what was chosen. The effects are shown before anything is stored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib.messages import INFO, WARNING
from django.http import Http404, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.events.wire import DealEvent
from scoring.problems import KeyReused, Problem, RuleError, StaleTable
from scoring.rules.table.admission import considered
from scoring.rules.table.previews import preview, preview_all
from scoring.rules.table.table import before_deal
from tournaments.tables.commands.exchange import Exchange, exchange_events, exchange_problems, exchange_seats
from tournaments.tables.commands.record import record_all
from tournaments.tables.queries.sheets import StoredLine, written_since
from tournaments.web.admin.base.command_fields import ReadForm, TicksField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, pressed, words_in
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import FormToken, TableVisit
from tournaments.web.admin.sheets.comparing import Difference, TwoEntries, decided, differences
from tournaments.web.admin.sheets.consequence_pages import consequence_context
from tournaments.web.admin.sheets.deal_forms import (
    CORRECTED,
    RECORDED,
    AnyTyped,
    DealForm,
    correction_form,
    sheet_context,
    translated_preview,
)
from tournaments.web.admin.tables.acts import ANY_REASON, context
from tournaments.web.admin.tables.deal_pages import SETTLES, dispute_context, redraw, wants_redraw, with_dispute_settled

FIRST, SECOND = "first", "second"
PICK = "pick-"
OWN_WORDS = frozenset({"csrfmiddlewaretoken", "version", "key", "do", SETTLES})


@dataclass(frozen=True, slots=True, kw_only=True)
class Keying:
    """The second entry of one deal. `blind` is the same visit with the table's state before the deal."""

    visit: TableVisit
    blind: TableVisit
    deal: int
    form: DealForm
    typed: AnyTyped
    envelope: FormToken


class PicksForm(ReadForm):
    """For each difference, which entry was right."""

    def __init__(self, data: QueryDict, found: Sequence[Difference]) -> None:
        super().__init__(data)
        self.fields |= {
            f"{PICK}{difference.key}": forms.ChoiceField(choices=((FIRST, ""), (SECOND, ""))) for difference in found
        }

    @property
    def picks(self) -> dict[str, str]:
        """By seat or field; empty where none is chosen yet."""
        return {name.removeprefix(PICK): self.read.get(name, "") for name in self.fields}


@purpose(gettext_noop("Enter the deal a second time; both entries must agree."))
def keying(visit: TableVisit) -> HttpResponse:
    """Deal after deal: enter it again, look at the differences, choose which entry was right."""
    live = visit.seen.table.live_deals
    if not live:
        return visit.page("keying.html", {"live": (), "conflicts": ()})
    now = _keying(visit, _deal_asked_for(visit, live))
    if visit.request.method != "POST":
        return _form_page(now)
    second, problems = _read(now)
    if problems or second is None:
        return _form_page(now, problems)
    entry_differences = differences(second, visit.seen.names)
    form = PicksForm(visit.request.POST, entry_differences)
    picks = form.picks
    if entry_differences and not (pressed(visit.request.POST) == "settle" and form.is_valid()):
        return _difference_page(now, second, entry_differences, picks)
    return _settle(now, second, [key for key, pick in picks.items() if pick == SECOND])


def _keying(visit: TableVisit, deal: int) -> Keying:
    form = replace(correction_form(visit.seen.table, deal), kind=RECORDED, before=None)
    blind = replace(visit, seen=replace(visit.seen, table=before_deal(visit.seen.table, deal)))
    envelope = visit.sent_envelope() if visit.request.method == "POST" else visit.fresh_envelope()
    typed_deal = form.typed(visit.request.POST, blind.seen.table).over({"kind": RECORDED, "deal": str(deal)})
    return Keying(visit=visit, blind=blind, deal=deal, form=form, typed=typed_deal, envelope=envelope)


def _read(now: Keying) -> tuple[TwoEntries | None, Sequence[Problem]]:
    """Both entries, or the problems with the second one."""
    table = now.blind.seen.table
    entry = now.form.entry(now.typed, table)
    event, problems = considered(table, entry.raw)
    if entry.unread or problems or not isinstance(event, DealEvent):
        return None, entry.problems(table)
    first_entry = now.visit.seen.table.deal_entry(now.deal)
    assert first_entry is not None  # noqa: S101 - the deal is one of those that stand
    both = TwoEntries(
        table=now.visit.seen.table, deal=now.deal, form=now.form, first=first_entry.event.sheet, second=event.sheet
    )
    return both, ()


def _settle(now: Keying, both: TwoEntries, second: Sequence[str]) -> HttpResponse:
    """Store a correction if the second entry was right anywhere; otherwise confirm the first, if it waits for that."""
    visit, raw = now.visit, None
    if second:
        raw = decided(both, second)
    elif now.deal in visit.seen.table.unconfirmed:
        raw = {"kind": "deal_confirmed", "deal": now.deal}
    try:
        if raw is not None:
            raws, command = with_dispute_settled(visit, raw), visit.command_context(now.envelope)
            record_all(visit.seen.row.pk, raws, expected=now.envelope.version, context=command)
    except RuleError as refused:
        return _form_page(now, refused.problems)
    except (StaleTable, KeyReused):
        visit.add_message(
            gettext("Someone else changed this table: enter deal {deal} again.").format(deal=now.deal), WARNING
        )
        return _go_on(visit, now.deal)
    visit.add_message(_done_message(now.deal, raw, second), INFO if raw is None else 25)
    return _go_on(visit, next((deal for deal in visit.seen.table.live_deals if deal > now.deal), 0))


def _done_message(deal: int, raw: dict[str, Any] | None, second: Sequence[str]) -> str:
    if second:
        return gettext("Deal {deal} was corrected from the second entry.").format(deal=deal)
    return gettext("Deal {deal}: the first entry was kept").format(deal=deal) + (
        gettext(", and is confirmed by the second.") if raw else "."
    )


def _form_page(now: Keying, problems: Sequence[Problem] = ()) -> TemplateResponse:
    """The empty form, or the typed one with all of its problems."""
    context = {
        **sheet_context(now.blind, now.form, now.typed, problems),
        **_frame(now),
        "problem_count": len(problems),
    }
    return now.blind.page("keying.html", context, refused=problems)


def _difference_page(
    now: Keying, both: TwoEntries, found: Sequence[Difference], picks: dict[str, str]
) -> TemplateResponse:
    """Only the differences, each with its two buttons; and a preview once all are decided."""
    second = [key for key, pick in picks.items() if pick == SECOND]
    previewed: dict[str, Any] = {}
    if second and all(picks.values()):
        correction_preview = preview(now.visit.seen.table, decided(both, second))
        previewed = translated_preview(now.visit.seen, correction_preview) | consequence_context(
            now.visit, CORRECTED, correction_preview.after
        )
    context = {
        **previewed,
        **_frame(now),
        **dispute_context(now.visit, now.deal),
        "settles_is_ticked": not any(picks.values()) or SETTLES in now.visit.request.POST,
        "deal_form": None,
        "may_redraw": False,
        "differences": [
            {"one": difference, "pick": picks[difference.key], "name": f"{PICK}{difference.key}"}
            for difference in found
        ],
        "sent": _sent(now),
    }
    return now.visit.page("keying_differences.html", context)


def _frame(now: Keying) -> dict[str, Any]:
    live = now.visit.seen.table.live_deals
    return {
        "live": [{"deal": deal, "url": f"{now.visit.url('keying')}?deal={deal}"} for deal in live],
        "deal": now.deal,
        "deal_form": now.form,
        "typed": now.typed.read,
        "envelope": now.envelope,
        "conflicts": (),
    }


def _sent(now: Keying) -> list[tuple[str, str]]:
    """The typed values, to be sent again with the decision."""
    return [
        (name, value)
        for name, values in now.visit.request.POST.lists()
        if name not in OWN_WORDS and not name.startswith(PICK)
        for value in values
    ]


def _deal_asked_for(visit: TableVisit, live: Sequence[int]) -> int:
    """The deal named in the form or the address; else the first unconfirmed one, or the first of all."""
    text = words_in(visit.request.POST, "deal")["deal"] or visit.request.GET.get("deal", "")
    if not text:
        return next((deal for deal in live if deal in visit.seen.table.unconfirmed), live[0])
    deal = int(text) if text.isdecimal() and len(text) < 5 else 0
    if deal not in live:
        raise Http404
    return deal


def _go_on(visit: TableVisit, deal: int) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{visit.url('keying')}?deal={deal}") if deal else visit.go("sheet")


# Two players sat in each other's seats for some deals: one page, one button.

MOST_TYPED = 500
MOST_SEAT = 10
MOST_DEAL_DIGITS = 4


class ExchangeForm(CommandForm):
    """Two seats, and the deals in which their players were swapped."""

    one = WordField(max_length=MOST_SEAT)
    other = WordField(max_length=MOST_SEAT)
    deal = TicksField()
    reason = WordField(max_length=MOST_TYPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of the page: what was chosen, and its problems."""

    wanted: Exchange
    envelope: FormToken
    problems: Sequence[Problem] = ()
    since: tuple[StoredLine, ...] = ()


@purpose(gettext_noop("Two players sat in each other's seats: swap their deals."))
def exchange(visit: TableVisit) -> HttpResponse:
    """Choose two seats and the deals, preview the effects, store it."""
    if visit.request.method != "POST":
        return _exchange_page(visit, Answer(wanted=_chosen(visit), envelope=visit.fresh_envelope()))
    answer = Answer(wanted=_chosen(visit), envelope=visit.sent_envelope())
    if pressed(visit.request.POST) == "check":
        return _exchange_page(visit, answer)
    try:
        _store(visit, answer)
    except RuleError as refused:
        return _exchange_page(visit, replace(answer, problems=refused.problems))
    except (StaleTable, KeyReused):
        now = visit.refreshed()
        since = written_since(now.seen, answer.envelope.version)
        return _exchange_page(now, replace(answer, envelope=now.fresh_envelope(), since=since))
    visit.add_message(
        ngettext(
            "{count} deal swapped: each player has the score of the other.",
            "{count} deals swapped: each player has the scores of the other.",
            len(answer.wanted.deals),
        ).format(count=len(answer.wanted.deals))
    )
    return visit.go("sheet")


def _store(visit: TableVisit, answer: Answer) -> None:
    table, seat_exchange = visit.seen.table, answer.wanted
    if wants_redraw(visit) and not exchange_problems(table, seat_exchange):
        redraw(visit, exchange_events(table, seat_exchange), answer.envelope)
        return
    exchange_seats(
        visit.seen.row.pk,
        seat_exchange,
        context=visit.command_context(answer.envelope),
        expected=answer.envelope.version,
    )


def _exchange_page(visit: TableVisit, answer: Answer) -> TemplateResponse:
    """The form with everything as it was chosen, and a preview if possible."""
    names, seat_exchange = visit.seen.names, answer.wanted
    page: dict[str, Any] = {
        **context(visit),
        **_exchange_preview(visit, seat_exchange),
        "wanted": seat_exchange,
        "envelope": answer.envelope,
        "since": answer.since,
        "problem_count": len(answer.problems),
        "problems": [problem.named(names) for problem in answer.problems],
        "seats": list(names.items()),
        "deals": [
            {
                "number": entry.event.deal,
                "text": visit.seen.event_text(entry.event),
                "is_chosen": entry.event.deal in seat_exchange.deals,
            }
            for entry in visit.seen.table.timeline
            if entry.event.kind == RECORDED and not entry.is_void
        ],
    }
    return visit.page("exchange.html", page, refused=answer.problems, stale=answer.since)


def _exchange_preview(visit: TableVisit, wanted: Exchange) -> dict[str, Any]:
    """The effects of the swap at the table and in the tournament; none until the choice is complete."""
    table, assumed = visit.seen.table, replace(wanted, reason=wanted.reason or ANY_REASON)
    if exchange_problems(table, assumed):
        return {"preview": None}
    exchange_preview = preview_all(table, exchange_events(table, assumed))
    return {
        **translated_preview(visit.seen, exchange_preview),
        **consequence_context(visit, CORRECTED, exchange_preview.after),
        "preview_needs_reason": not wanted.reason,
    }


def _chosen(visit: TableVisit) -> Exchange:
    """The typed swap; texts that are no deal numbers are left out."""
    chosen = ExchangeForm(visit.request.POST).read
    deals = sorted({int(text) for text in chosen["deal"] if text.isdecimal() and len(text) <= MOST_DEAL_DIGITS})
    return Exchange(seats=(chosen["one"], chosen["other"]), deals=tuple(deals), reason=chosen["reason"])
