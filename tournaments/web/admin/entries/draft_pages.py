"""The seating draft of a round on the director's page: made, changed seat by seat, undone, published.

Rules: docs/how-to/seating.md, section 8. Every form sends the version of the draft that it showed. For HTMX only the
part of the page that changes is sent.
"""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.messages import say
from scoring.problems import EventNotAllowed, KeyReused, Problem, RuleError, StaleTable
from scoring.tournament.steps import seating_message
from tournaments.draw import SeatingRejected
from tournaments.draw.search import seed_as_read, seed_from
from tournaments.models import Tournament
from tournaments.models.people import search_key
from tournaments.rendering.i18n.translating import translate
from tournaments.seating.commands.draft import (
    MOST_ROUNDS_AT_ONCE,
    Confirmed,
    Wanted,
    change_draft,
    make_draft,
    publish_draft,
)
from tournaments.seating.commands.seat import withdraw_seating
from tournaments.seating.drafts import Draft, Method, fitted, placed
from tournaments.seating.queries.draft import Room, _row_of_draft, open_tables_of, room_of, standing_order, wall_list
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import FormToken, command_context, go_on, page_url, tournament_page
from tournaments.web.admin.base.scoping import page_status
from tournaments.web.admin.entries.draft_forms import DraftForm, Reader, Sent, constraint_texts, plan_text, sent_draft

SEED_BYTES = 8

METHODS: tuple[tuple[Method, str], ...] = (
    ("draw", gettext_noop("By draw")),
    ("standing", gettext_noop("By standings, top players together")),
    ("snake", gettext_noop("Snake seeding by standings")),
)

HOW: dict[str, str] = {
    "draw": gettext_noop("drawn"),
    "standing": gettext_noop("by standings, top players together"),
    "snake": gettext_noop("snake seeding by standings"),
    "prepared": gettext_noop("as prepared"),
    "by_hand": gettext_noop("changed manually"),
}


def draft_page(
    request: HttpRequest,
    room: Room,
    *,
    sent: Sent | None = None,
    problems: Sequence[Problem] = (),
    stale: str = "",
) -> TemplateResponse:
    """The current draft, below the restrictions as they were typed; where `part` was sent, only the part that changes.

    `sent` is given where the restrictions were part of the form.
    """
    pressed = sent_draft(request)
    context = {
        "tournament": room.tournament,
        "title": f"{translate(seating_message(room.state))}: {room.tournament.name}",
        "room": room,
        "stage": room.state.current,
        "texts": sent or constraint_texts(room.constraints, room.field),
        "sizes": [str(size) for size in room.terms.rules.seats_allowed],
        "methods": [(method, gettext(title)) for method, title in METHODS],
        "method": pressed["method"] or _planned_method(room),
        "draws_all": min(room.rounds_left, MOST_ROUNDS_AT_ONCE),
        "prepared": pressed["plan"] if pressed["do"] == "prepared" else "",
        "problems": problems,
        "typed_reason": pressed["reason"],
        "stale": stale,
        "envelope": FormToken(version=room.row.version if room.row else 0),
        "still_playing": open_tables_of(room),
        **_shown_draft(room),
    }
    if pressed["part"] == "1":
        status = page_status(context, refused=problems, stale=stale)
        return TemplateResponse(request, "admin/tournaments/tournament/seating_part.html", context, status=status)
    return tournament_page(request, room.tournament, "seating", context, refused=problems, stale=stale)


def draw_as_planned(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draft the next round in one step, by the plan's seating method. An existing draft is kept."""
    room = room_of(tournament)
    method = _sent_method({"do": "", "method": _planned_method(room)})
    standing = standing_order(room) if method != "draw" else ()
    seed = seed_from(secrets.token_bytes(SEED_BYTES)) if method == "draw" else ""
    seating_request = Wanted(method=method, constraints=room.constraints, seed=seed, standing=standing)
    if room.row is None:
        make_draft(tournament, seating_request, context=command_context(request), expected=0)
    return _go(tournament)


def make(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Make a draft: by draw, by standings, or from a typed seating."""
    room, values = room_of(tournament), sent_draft(request)
    reader = Reader(room.field)
    constraints = reader.constraints(values)
    prepared = reader.plan(values["plan"]) if values["do"] == "prepared" else None
    method = _sent_method(values)
    rounds = room.rounds_left if values["all_rounds"] and method == "draw" else 1
    seating_request = Wanted(
        method=method,
        constraints=constraints,
        seed=_seed(values) if method == "draw" else "",
        rounds=max(1, rounds),
        standing=standing_order(room) if method in ("standing", "snake") else (),
        prepared=prepared,
    )
    if reader.problems:
        raise SeatingRejected(reader.problems)
    make_draft(tournament, seating_request, context=command_context(request), expected=values["version"])
    return _go(tournament)


def change(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Move one player, fit the draft to the current players, or undo or redo a change."""
    room, values = room_of(tournament), sent_draft(request)
    changed: Callable[[Draft], Draft] | None = {
        "undo": Draft.undone,
        "redo": Draft.redone,
        "fit": lambda draft: draft.changed(lambda plan: fitted(plan, room.field, draft.wishes.sizes)),
    }.get(values["do"])
    draft_change = changed or (
        lambda draft: draft.changed(lambda plan: placed(plan, room.field, values["player"], values["to"]))
    )
    change_draft(tournament.pk, room.round, draft_change, context=command_context(request), expected=values["version"])
    return draft_page(request, room_of(tournament)) if values["part"] == "1" else _go(tournament)


def publish(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Publish the draft as the seating of the round, and open its tables."""
    room, form = room_of(tournament), DraftForm(request.POST)
    values = form.read
    number = room.round if values["round"] is None else values["round"]
    opened = publish_draft(
        tournament.pk,
        number,
        Confirmed(seats_absent=values["seats_absent"], reason=values["reason"]),
        context=form.command_context(request),
        expected=values["version"],
    )
    text = ngettext(
        "Round {number} is seated: {count} table is open.",
        "Round {number} is seated: {count} tables are open.",
        len(opened.tables),
    ).format(number=number, count=len(opened.tables))
    return go_on(request, f"{page_url('seating', tournament)}?round={number}", text)


# Warnings about a seating of the program's own, which has as few of them as it could find.
NOT_AVOIDED: dict[str, Callable[[int], str]] = {
    "met_before": lambda count: ngettext("{count} repeated meeting", "{count} repeated meetings", count),
    "club_mates": lambda count: ngettext(
        "{count} pair of one group together", "{count} pairs of a group together", count
    ),
    "table_again": lambda count: ngettext(
        "{count} player at a table for the third time", "{count} players at a table for the third time", count
    ),
    "sits_out_again": lambda count: ngettext(
        "{count} player sits out more often than others", "{count} players sit out more often than others", count
    ),
    "deals_again": lambda count: ngettext(
        "{count} player deals first more often than others", "{count} players deal first more often than others", count
    ),
    "table_of_two": lambda count: ngettext("{count} table of two", "{count} tables of two", count),
    "sizes_uneven": lambda count: ngettext("{count} difference in size", "{count} differences in size", count),
}

REDRAWN = "drawn again"
STALE = gettext_noop("Not saved: seating changed")
QUESTIONS = {
    "not_here": gettext_noop("Not checked in"),
    "not_paid": gettext_noop("Not paid"),
    "suspended": gettext_noop("Suspended"),
    "same_name": gettext_noop("Same name, perhaps entered twice"),
    "recorded_before": gettext_noop("No seat now: a penalty or buy-in before the first deal will not count"),
}


def _shown_draft(room: Room) -> dict[str, Any]:
    """The tables of the draft with names, each seat marked if it has an error or a warning."""
    if room.draft is None:
        return {"draft": None}
    plan, names = room.draft.now.round, room.names
    is_own = room.draft.now.method in {method for method, _ in METHODS}
    not_avoided = [problem for problem in room.findings.warnings if is_own and problem.code in NOT_AVOIDED]
    warnings = [problem for problem in room.findings.warnings if problem not in not_avoided]
    wrong = {problem.seat for problem in room.findings.errors}
    warned = {problem.seat for problem in warnings}

    def seat(key: str) -> dict[str, Any]:
        return {
            "key": key,
            "name": names.get(key, gettext("no longer here")),
            "is_gone": key not in room.field,
            "is_wrong": key in wrong,
            "is_warned": key in warned,
            "group": room.constraints.groups.get(key, ""),
        }

    here = {*plan.table_of, *plan.sits_out}
    return {
        "draft": room.draft,
        "how": gettext(HOW[room.draft.now.method]),
        "tables": [{"number": table.number, "seats": [seat(key) for key in table.seats]} for table in plan.tables],
        "sits_out": [seat(key) for key in plan.sits_out],
        "unseated": [seat(key) for key in room.field if key not in here],
        "everybody": sorted(((name, key) for key, name in room.field.items()), key=lambda one: search_key(one[0])),
        "next_table": max((table.number for table in plan.tables), default=0) + 1,
        "errors": _named(room.findings.blocking, names),
        "broken": _named(room.findings.broken, names),
        "warnings": _named(warnings, names),
        "not_avoided": _named(not_avoided, names),
        "not_avoided_counts": [
            NOT_AVOIDED[code](count).format(count=count)
            for code, count in Counter(problem.code for problem in not_avoided).items()
        ],
        "plan_text": plan_text(plan, names),
        "has_changed_field": not room.field.keys() >= here or not here >= room.field.keys(),
        "questions": [(gettext(QUESTIONS[code]), names) for code, names in room.questions.items()],
        "later": [number for number in room.rows if number > room.round],
    }


def _named(problems: Sequence[Problem], names: Mapping[str, str]) -> list[Problem]:
    """The same problems with names in place of ids."""
    return [problem.named(names) for problem in problems]


def _planned_method(room: Room) -> str:
    stage = room.state.current
    return "draw" if stage is None or stage.seating == "prepared" else stage.seating


def _sent_method(sent: Sent) -> Method:
    method_name = "draw" if sent["do"] == "again" else sent["method"]
    return next((method for method, _ in METHODS if method == method_name), "draw")


def _seed(sent: Sent) -> str:
    """The draw code as typed, or a new one. Raises SeatingRejected where it cannot be read."""
    if sent["seed"] and sent["do"] != "again":
        return seed_as_read(sent["seed"])
    return seed_from(secrets.token_bytes(SEED_BYTES))


def _go(tournament: Tournament) -> HttpResponseRedirect:
    return HttpResponseRedirect(f"{page_url('seating', tournament)}#draft")


# Seating a round: the draft until it is published, then the seating lists, and undoing the seating.


@purpose(gettext_noop("Seat the round, look it over, then publish it."))
def seating(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The next round's draft, or with `?round=` the lists of a published one."""
    if request.method == "POST":
        return _act(request, tournament)
    round_text = request.GET.get("round", "")
    if round_text:
        return _wall(request, tournament, int(round_text) if round_text.isdecimal() and len(round_text) < 4 else 0)
    room = room_of(tournament)
    if room.rounds_left == 0 and room.state.last_round is not None:
        return _wall(request, tournament, room.state.last_round.round)
    return draft_page(request, room)


def _act(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What the pressed button does. A refusal shows the draft again; where it was being made, with what was typed."""
    values = sent_draft(request)
    action = ACTIONS.get(values["do"], make)
    sent = values if action is make else None
    try:
        return action(request, tournament)
    except RuleError as refused:
        room = room_of(tournament)
        return draft_page(request, room, sent=sent, problems=_named(refused.problems, room.names))
    except (StaleTable, KeyReused):
        return draft_page(request, room_of(tournament), sent=sent, stale=gettext(STALE))


def withdraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Undo a published seating, with a reason; its draft is kept as it was, or drawn again at once."""
    values = sent_draft(request)
    redraws = values["do"] == "redraw"
    number, reason = values["round"] or 0, values["reason"] or (REDRAWN if redraws else "")
    if not reason:
        problem = Problem(code="missing_field", field="reason", detail=say("enter a reason for undoing the seating"))
        return _wall(request, tournament, number, [problem])
    try:
        withdraw_seating(tournament.pk, number, reason=reason, context=command_context(request))
    except EventNotAllowed as refused:
        return _wall(request, tournament, number, refused.problems)
    if redraws:
        return _redraw(request, tournament)
    text = gettext("Seating of round {number} undone. The draft is kept.").format(number=number)
    return go_on(request, page_url("seating", tournament), text)


def _redraw(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Draw again with the draft's restrictions; *Undo* restores the seating that was published."""
    room = room_of(tournament)
    seating_request = Wanted(
        method="draw", constraints=room.constraints, seed=seed_from(secrets.token_bytes(SEED_BYTES))
    )
    version = room.row.version if room.row else 0
    make_draft(tournament, seating_request, context=command_context(request), expected=version)
    text = gettext("Seating of round {number} undone, and drawn again: publish it.").format(number=room.round)
    return go_on(request, f"{page_url('seating', tournament)}#draft", text)


# By the value of the button; any other one makes a draft.
ACTIONS: dict[str, Callable[[HttpRequest, Tournament], HttpResponse]] = {
    "planned": draw_as_planned,
    "publish": publish,
    "withdraw": withdraw,
    "redraw": withdraw,
    **dict.fromkeys(("place", "undo", "redo", "fit"), change),
}


def _wall(
    request: HttpRequest, tournament: Tournament, number: int, problems: Sequence[Problem] = ()
) -> TemplateResponse:
    """A published seating by table and from A to Z."""
    state = _row_of_draft(tournament)
    wall = wall_list(tournament, state, number)
    if wall is None:
        raise Http404
    room = Room(tournament=tournament, state=state, names={}, rows={})
    context = {
        "title": gettext("Round {number}: {name}").format(number=number, name=tournament.name),
        "wall": wall,
        "how": gettext(HOW[wall.method]),
        "rounds": [seated.round for seated in state.rounds],
        "next_seating": translate(seating_message(room.state)) if room.rounds_left else "",
        "is_open": tournament.closed_at is None,
        "problems": problems,
        "typed_reason": sent_draft(request)["reason"],
    }
    return tournament_page(request, tournament, "seating_published", context, refused=problems)
