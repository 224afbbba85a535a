"""Table moves while a round is played: short tables, proposals carried out by one button, and open rejoins.

Rules: docs/how-to/seating.md, section 9. A move can be undone until the next deal at one of its tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.messages import say
from scoring.problems import KeyReused, Problem, RuleError, StaleTable
from tournaments.draw import SeatingRejected
from tournaments.draw.balance import Proposal
from tournaments.models import Tournament
from tournaments.rendering.i18n.filters import called
from tournaments.rendering.i18n.formatting import listed
from tournaments.seating.commands.seat import move_players, undo_move
from tournaments.seating.queries.balance import MovingRoom, move_digest, moving_room, planned_move
from tournaments.web.admin.base.command_fields import MOST_REASON, CarriedNumber, WordField
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import FormToken, command_context, page_url, tournament_page

STALE = say("Nobody was moved: the room has changed. Check and try again.")


class MoveForm(CommandForm):
    """The fields that any button of the page sends."""

    do = WordField()
    told = WordField()
    player = WordField()
    reason = WordField(max_length=MOST_REASON)
    version = CarriedNumber()
    move = CarriedNumber()
    table = CarriedNumber()
    to = CarriedNumber()


@purpose(gettext_noop("Move players to other tables during a round."))
def moves(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The tables in play; a button moves players, closes a table or undoes the last move."""
    room, form = moving_room(tournament), MoveForm(request.POST)
    if request.method != "POST" or room is None:
        return _page(request, form, tournament, room)
    try:
        _act(request, form, room)
    except RuleError as refused:
        return _page(request, form, tournament, moving_room(tournament), refused.problems)
    except (StaleTable, KeyReused):
        stale = Problem(code="stale", detail=STALE)
        return _page(request, form, tournament, moving_room(tournament), [stale])
    return HttpResponseRedirect(page_url("moves", tournament))


def _act(request: HttpRequest, form: MoveForm, room: MovingRoom) -> None:
    values = form.read
    if values["do"] == "undo":
        reason = form.read["reason"] or "Taken back by the director"
        undo_move(room.tournament.pk, form.read["move"], reason=reason, context=command_context(request))
        messages.success(request, gettext("Move undone: the tables continue as before."))
        return
    is_free = values["do"] == "one"
    proposal = _one(values, room) if is_free else _chosen(values, room)
    planned = planned_move(room, proposal)
    if not is_free and values["told"] != move_digest(planned):
        raise StaleTable(expected=0, current=room.state.version)
    opened = move_players(
        room.tournament.pk,
        planned.event,
        context=form.command_context(request),
        expected=room.state.version,
        titles=planned.titles,
    )
    tables = listed([called(table) for table in opened.tables])
    messages.success(
        request,
        gettext("{count} moved. Now playing on: {listed}.").format(count=_players(len(proposal.moves)), listed=tables),
    )


def _chosen(sent: Mapping[str, Any], room: MovingRoom) -> Proposal:
    """The proposal whose button was pressed, made again from the current state. Raises StaleTable if it is gone."""
    if sent["do"] == "close":
        return room.breaking_up(sent["table"])
    chosen_proposal = next(
        (proposal for proposal in room.proposals if move_digest(planned_move(room, proposal)) == sent["told"]), None
    )
    if chosen_proposal is None:
        raise StaleTable(expected=0, current=room.state.version)
    return chosen_proposal


def _one(sent: Mapping[str, Any], room: MovingRoom) -> Proposal:
    """A move of one player, picked by the director. Raises StaleTable if the tournament has changed since."""
    if sent["version"] != room.state.version:
        raise StaleTable(expected=sent["version"], current=room.state.version)
    return room.moving(sent["player"], sent["to"])


def _page(
    request: HttpRequest,
    form: MoveForm,
    tournament: Tournament,
    room: MovingRoom | None,
    problems: Sequence[Problem] = (),
) -> TemplateResponse:
    context = {
        "title": gettext("Moves: {name}").format(name=tournament.name),
        "room": room,
        "problems": problems,
        "picked": {name: form[name].value() for name in ("player", "to")},
        **(_shown(room) if room is not None else {}),
    }
    return tournament_page(request, tournament, "moves", context, refused=problems)


def _shown(room: MovingRoom) -> dict[str, Any]:
    """Tables with names and scores, and each proposal as a list of moves."""
    unfit: Sequence[Problem] = ()
    try:
        offered = room.proposals
    except SeatingRejected as refused:
        offered, unfit = (), refused.problems
    closable = {number: move_digest(planned_move(room, room.breaking_up(number))) for number in room.closable()}
    return {
        "key": FormToken(version=0).key,
        "tables": [
            {
                "table": table,
                "title": called(table.sheet.table),
                "closing": closable.get(table.number, ""),
                "players": [
                    {
                        "key": key,
                        "name": room.names.get(key, key),
                        "score": table.scores.get(key),
                        "is_next": key == table.running.next_dealer,
                    }
                    for key in table.running.seats
                ],
            }
            for table in room.tables
        ],
        "proposals": [
            dict(_proposal(room, proposal), told=move_digest(planned_move(room, proposal))) for proposal in offered
        ],
        "unfit": unfit,
        "version": room.state.version,
        "last_move": room.state.moves[-1] if room.may_undo else None,
    }


def _proposal(room: MovingRoom, proposal: Proposal) -> Iterator[tuple[str, Any]]:
    """A proposal as text. Tables are named by their place in the room, not by their number on the sheet."""
    places, broken = room.places, {*proposal.closes, *(step.from_table for step in proposal.moves)}
    broken |= {step.to_table for step in proposal.moves}
    yield "closes", [places[number] for number in proposal.closes]
    yield "summary", _players(len(proposal.moves))
    yield (
        "moves",
        [
            {
                "name": room.names.get(step.player, step.player),
                "from": places[step.from_table],
                "to": places[step.to_table],
                "after": room.names.get(step.after, step.after),
            }
            for step in proposal.moves
        ],
    )
    yield "sizes", sorted((len(table.seats) for table in proposal.tables), reverse=True)
    yield "waiting", [window.name for window in room.windows if window.sheet.table.number in broken]


def _players(count: int) -> str:
    return ngettext("{count} player", "{count} players", count).format(count=count)
