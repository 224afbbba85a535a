"""One page for every act at a table: what to fill in, what will follow, and the button that stores it.

Rules: docs/how-to/evening.md, "Between deals". The page of a refused act holds what was typed and says why.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext

from scoring.problems import KeyReused, Problem, RuleError, StaleTable, shown
from scoring.rules.table.dealing import acts as acts_of
from scoring.rules.table.entering import WHOLE_NUMBER
from scoring.rules.table.previews import preview
from tournaments.rendering.i18n.translating import told
from tournaments.tables.commands.record import Recorded, record_wire_event
from tournaments.tables.queries.sheets import Written, written, written_since
from tournaments.web.admin.base.command_forms import pressed, words_in
from tournaments.web.admin.base.fields import read_amount
from tournaments.web.admin.base.request import Envelope, Visit, said
from tournaments.web.admin.sheets.consequence_pages import CHANGES, consequence_context, redraw, wants_redraw
from tournaments.web.admin.sheets.deal_forms import told_preview
from tournaments.web.admin.tables.acts import ANY_REASON, BY_PAGE, Act, context, seats_for

MOST_TYPED = 1_000
OPTIONAL = ("reason", "said_by")


@dataclass(frozen=True, slots=True, kw_only=True)
class ActForm:
    """An act as it stands in the form."""

    act: Act
    values: dict[str, str]
    fixed: dict[str, int]
    envelope: Envelope
    problems: Sequence[Problem] = ()
    since: tuple[Written, ...] = ()


def act_page(visit: Visit, page: str, number: int | None = None) -> HttpResponse:
    """Ask, then store. `number` is the deal to void or the version to withdraw."""
    act = BY_PAGE[page]
    visit.require_to_record(act.kind)
    fixed = _fixed(visit, act, number)
    if visit.request.method != "POST":
        seats = seats_for(visit.seen.table, act)
        wanted = visit.request.GET.get("seat", "")
        values = {"seat": wanted if wanted in seats else seats[0] if len(seats) == 1 else ""}
        return _page(visit, ActForm(act=act, values=values, fixed=fixed, envelope=visit.fresh_envelope()))
    values = words_in(visit.request.POST, *act.fields, max_length=MOST_TYPED)
    form = ActForm(act=act, values=values, fixed=fixed, envelope=visit.sent_envelope())
    return _page(visit, form) if pressed(visit.request.POST) == "check" else _answer(visit, form)


def _answer(visit: Visit, form: ActForm) -> HttpResponse:
    raw, unread = _raw(visit, form)
    if unread and form.envelope.version == visit.seen.table.version:
        return _page(visit, replace(form, problems=(*unread, *_others(visit, raw, unread))))
    try:
        recorded = _recorded(visit, form, raw)
    except RuleError as refused:
        return _page(visit, replace(form, problems=refused.problems))
    except (StaleTable, KeyReused):
        now = visit.refreshed()
        since = written_since(now.seen, form.envelope.version)
        return _page(now, replace(form, envelope=now.fresh_envelope(), since=since))
    stored = written(visit.seen, recorded.stored)
    if recorded.is_replay:
        visit.tell(
            gettext("Sent twice, stored once (version {version}): {said}").format(
                version=stored.event.version, said=told(stored.said)
            ),
            messages.INFO,
        )
    else:
        visit.tell(
            gettext("Stored as version {version}: {said}").format(version=stored.event.version, said=told(stored.said))
        )
    return visit.go()


def _recorded(visit: Visit, form: ActForm, raw: dict[str, Any]) -> Recorded:
    """What was stored; with a change of the past, also what was seated on it is taken back where that is wanted."""
    if form.act.kind in CHANGES and wants_redraw(visit):
        return redraw(visit, [raw], form.envelope).recorded[0]
    return record_wire_event(visit.seen.row.id, raw, expected=form.envelope.version, order=visit.order(form.envelope))


def _page(visit: Visit, form: ActForm) -> TemplateResponse:
    """The act's form with everything as it was typed."""
    act, seen = form.act, visit.seen
    raw, unread = _raw(visit, form, assumes_reason=True)
    is_complete = not unread and all(form.values.get(name) for name in act.fields if name not in OPTIONAL)
    ahead: dict[str, Any] = _told(visit, form, raw) if is_complete else {"preview": None}
    own = {p.field for p in form.problems if p.field in act.fields}
    problems = [said(problem, seen.names) for problem in form.problems]
    page = {
        **context(visit),
        **ahead,
        "form": form,
        "act": act,
        "envelope": form.envelope,
        "what": _what(visit, form),
        "seats": [(seat, seen.names.get(seat, seat)) for seat in _offered(visit, form)],
        "speakers": list(seen.names.items()),
        "problems_by_field": {name: [p for p in problems if p.field == name] for name in act.fields},
        "top_problems": [p for p in problems if p.field not in own],
        "problem_count": len(problems),
        "needs_money": "amount_minor" in act.fields,
    }
    return visit.page("act.html", page, status=409 if form.since else 422 if problems else 200)


def _told(visit: Visit, form: ActForm, raw: dict[str, Any]) -> dict[str, Any]:
    """What the act does at the table, and what that moves in the tournament."""
    found = preview(visit.seen.table, raw)
    ahead = told_preview(visit.seen, found)
    return ahead if found.problems else ahead | consequence_context(visit, form.act.kind, found.after)


def _offered(visit: Visit, form: ActForm) -> list[str]:
    """Seats to choose from; what was chosen stays on the list even where it is refused."""
    offered = list(seats_for(visit.seen.table, form.act))
    chosen = form.values.get("seat", "")
    return [*offered, chosen] if chosen in visit.seen.names and chosen not in offered else offered


def _fixed(visit: Visit, act: Act, number: int | None) -> dict[str, int]:
    """The deal or the act that the page is about; 404 where there is none."""
    table = visit.seen.table
    if not act.about or number is None:
        return {}
    deals, versions = table.deal_entry(number), {entry.version for entry in acts_of(table)}
    is_there = deals is not None if act.about == "deal" else number in versions
    # A resend of a withdrawal finds its act gone already; the log knows whether it was this one.
    if is_there or visit.request.method == "POST":
        return {act.about: number}
    raise Http404


def _what(visit: Visit, form: ActForm) -> str:
    """The stored fact that the act is about, in words."""
    table = visit.seen.table
    if "deal" in form.fixed:
        entry = table.deal_entry(form.fixed["deal"])
    else:
        entry = next((entry for entry in table.timeline if entry.version == form.fixed.get("version")), None)
    return visit.seen.said(entry.fact) if entry else ""


def _raw(visit: Visit, form: ActForm, *, assumes_reason: bool = False) -> tuple[dict[str, Any], list[Problem]]:
    """The event as the form says it, and what could not be read."""
    raw: dict[str, Any] = {**form.act.says, **form.fixed}
    problems: list[Problem] = []
    for name in form.act.fields:
        text = form.values.get(name, "")
        if name == "points":
            raw[name] = _whole(text, problems)
        elif name == "amount_minor":
            raw[name] = read_amount(text, visit.seen.notation, name, problems)
        elif name == "said_by":
            raw |= {"seat": text} if text else {}
        else:
            raw[name] = text
    if assumes_reason and "reason" in raw and not raw["reason"]:
        raw["reason"] = ANY_REASON
    return raw, problems


def _others(visit: Visit, raw: dict[str, Any], unread: Sequence[Problem]) -> list[Problem]:
    """What the rules say besides; fields that could not be read are told once."""
    fields = {problem.field for problem in unread}
    return [problem for problem in preview(visit.seen.table, raw).problems if problem.field not in fields]


def _whole(text: str, problems: list[Problem]) -> int:
    if not WHOLE_NUMBER.fullmatch(text):
        detail = gettext("points: {text} is not a whole number").format(text=shown(text))
    elif int(text) < 1:
        detail = gettext("{name} is a whole number from 1").format(name=gettext("Points"))
    else:
        return int(text)
    problems.append(Problem(code="not_a_number", field="points", detail=detail))
    return 0
