"""Two players sat in each other's seats for some deals: one page, one button, and what follows is told before.

Rules: docs/how-to/evening.md, "Corrections". The page of a refused exchange holds what was chosen and says why.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import ngettext

from scoring.problems import KeyReused, Problem, RuleError, StaleTable
from scoring.rules.table.previews import preview_all
from scoring.rules.table.table import Table
from tournaments.tables.commands.record import Exchange, exchange_events, exchange_problems, exchange_seats
from tournaments.tables.queries.sheets import Written, written_since
from tournaments.web.admin.base.command_fields import TicksField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, pressed
from tournaments.web.admin.base.request import Envelope, Visit, said
from tournaments.web.admin.sheets.consequence_pages import consequence_context, redraw, wants_redraw
from tournaments.web.admin.sheets.deal_forms import told_preview
from tournaments.web.admin.tables.acts import ANY_REASON, context

MOST_TYPED = 500
MOST_SEAT = 10
MOST_DEAL_DIGITS = 4


class ExchangeForm(CommandForm):
    """Two seats, and the deals in which they were taken for each other."""

    one = WordField(max_length=MOST_SEAT)
    other = WordField(max_length=MOST_SEAT)
    deal = TicksField()
    reason = WordField(max_length=MOST_TYPED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of the page: what was chosen, and what is said about it."""

    wanted: Exchange
    envelope: Envelope
    problems: Sequence[Problem] = ()
    since: tuple[Written, ...] = ()


def exchange(visit: Visit) -> HttpResponse:
    """Choose two seats and the deals, look at what follows, store it."""
    if visit.request.method != "POST":
        return _page(visit, Answer(wanted=_chosen(visit), envelope=visit.fresh_envelope()))
    answer = Answer(wanted=_chosen(visit), envelope=visit.sent_envelope())
    if pressed(visit.request.POST) == "check":
        return _page(visit, answer)
    try:
        _store(visit, answer)
    except RuleError as refused:
        return _page(visit, replace(answer, problems=refused.problems))
    except (StaleTable, KeyReused):
        now = visit.refreshed()
        since = written_since(now.seen, answer.envelope.version)
        return _page(now, replace(answer, envelope=now.fresh_envelope(), since=since))
    visit.tell(
        ngettext(
            "{count} deal swapped: each player has the score of the other.",
            "{count} deals swapped: each player has the scores of the other.",
            len(answer.wanted.deals),
        ).format(count=len(answer.wanted.deals))
    )
    return visit.go("sheet")


def _store(visit: Visit, answer: Answer) -> None:
    table, wanted = visit.seen.table, answer.wanted
    if wants_redraw(visit) and not exchange_problems(table, wanted):
        redraw(visit, exchange_events(table, wanted), answer.envelope)
        return
    exchange_seats(visit.seen.row.pk, wanted, order=visit.order(answer.envelope), expected=answer.envelope.version)


def _page(visit: Visit, answer: Answer) -> TemplateResponse:
    """The form with everything as it was chosen, and what would follow from it where that can be told."""
    names, wanted = visit.seen.names, answer.wanted
    page: dict[str, Any] = {
        **context(visit),
        **_told(visit, wanted),
        "wanted": wanted,
        "envelope": answer.envelope,
        "since": answer.since,
        "problem_count": len(answer.problems),
        "problems": [said(problem, names) for problem in answer.problems],
        "seats": list(names.items()),
        "deals": [
            {"number": deal, "said": text, "is_chosen": deal in wanted.deals}
            for deal, text in _deals(visit, visit.seen.table)
        ],
    }
    return visit.page("exchange.html", page, status=409 if answer.since else 422 if answer.problems else 200)


def _told(visit: Visit, wanted: Exchange) -> dict[str, Any]:
    """What the exchange does at the table and in the tournament; nothing while it is not chosen yet."""
    table, assumed = visit.seen.table, replace(wanted, reason=wanted.reason or ANY_REASON)
    if exchange_problems(table, assumed):
        return {"preview": None}
    found = preview_all(table, exchange_events(table, assumed))
    return told_preview(visit.seen, found) | consequence_context(visit, "deal_corrected", found.after)


def _deals(visit: Visit, table: Table) -> list[tuple[int, str]]:
    live = [entry.fact for entry in table.timeline if entry.fact.kind == "deal_recorded" and not entry.is_void]
    return [(fact.deal, visit.seen.said(fact)) for fact in live]


def _chosen(visit: Visit) -> Exchange:
    """What was chosen; what is no number of a deal is left out."""
    chosen = ExchangeForm(visit.request.POST).read
    deals = sorted({int(text) for text in chosen["deal"] if text.isdecimal() and len(text) <= MOST_DEAL_DIGITS})
    return Exchange(seats=(chosen["one"], chosen["other"]), deals=tuple(deals), reason=chosen["reason"])
