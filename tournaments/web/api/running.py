"""What a director does with a tournament while it runs, from its plan to its prizes.

Rules: docs/reference/api.md, "A tournament from plan to prizes". The same commands as the pages call.
"""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.events import reading, wire
from scoring.events.wire import Event
from scoring.messages import Message
from scoring.problems import Problem
from scoring.tournament import TournamentState
from tournaments import log
from tournaments.entries.commands.given_events import GivenEvent, record_given_event
from tournaments.models import Tournament
from tournaments.models.bounds import MOST_COUNT
from tournaments.people.permissions import EVENT_PERMISSIONS, Permission, may
from tournaments.people.players import named
from tournaments.running.commands.record import tournament_state
from tournaments.seating import questions_about, questions_of_joining
from tournaments.web.api import running_shapes as shapes
from tournaments.web.api.answers import event_answer, shaped
from tournaments.web.api.bodies import BodyRejected, read_body
from tournaments.web.api.clubs import created
from tournaments.web.api.desks import DeskView
from tournaments.web.api.doors import limit_of, tag_of, unless_known, whole_number
from tournaments.web.api.evening_shapes import RecordedEvent
from tournaments.web.api.problems import parts_of
from tournaments.web.api.schema import AFTER, EXAMPLE_PLAYERS, KEY, PAGING, describes

MOST_EVENTS = 500
# The server's time is that of these.
TIMED = {wire.ClockStarted.kind, wire.ClockPaused.kind, wire.LastDealCalled.kind}
BRINGS_IN = (wire.PlayerEntered, wire.PlayerReturned, wire.PlayerReentered, wire.CheckedIn)


class TournamentEvents(DeskView):
    """What happened in a tournament outside its tables."""

    permissions = {"GET": Permission.SEE, "POST": Permission.SEE}

    @describes("list_tournament_events", shapes.TournamentEventsAnswer, parameters=[AFTER, PAGING[0]], has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The events of the tournament after a version, in order. Those of its tables: `read_events`."""
        tournament = self.home(tournament_id)
        after = whole_number(request, "after", default=0, most=MOST_COUNT)
        limit = limit_of(request, most=MOST_EVENTS)
        shows_money = any(
            may(self.actor, permission, tournament.club) for permission in (Permission.SEE_MONEY, Permission.TAKE_ENTRY)
        )
        version = tournament_state(tournament).version
        return unless_known(
            request,
            tag_of(version, "events", tournament.pk, after, limit, shows_money),
            lambda: _events(tournament, after, limit, shows_money=shows_money),
            is_shared=False,
        )

    @describes(
        "record_tournament_event",
        RecordedEvent,
        body=shapes.TournamentEventBody,
        parameters=[KEY],
        example={"expected_version": 6, "event": {"kind": "player_entered", "player": EXAMPLE_PLAYERS[4]}},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Stores an event with all that follows from it, or refuses it with every problem.

        A round that is seated opens its tables, a cut must be that of the results, and a plan is tried. The moments of
        a clock are the server's.
        """
        tournament = self.home(tournament_id)
        body = read_body(shapes.TournamentEventBody, request.data)
        kind = body.event.get("kind")
        self.need(tournament.club, permission=EVENT_PERMISSIONS.get(str(kind), Permission.DIRECT))
        event = _read_event(body.event)
        given = GivenEvent(event=event, actor=self.actor, anyway=body.anyway, plan_for=body.players)
        state = tournament_state(tournament)
        recorded = record_given_event(tournament, given, context=self.context_of(body))
        questions = _questions(tournament, state, event)
        answer = shaped(
            RecordedEvent,
            event_answer(recorded.stored, is_member=True),
            warnings=parts_of(named(tournament.club_id, questions)),
        )
        return created(answer, is_replay=recorded.is_replay)


def _read_event(raw: Mapping[str, Any]) -> Event:
    """An event as it was sent. Raises EventRejected, BodyRejected with every problem."""
    if raw.get("kind") not in TIMED:
        return reading.read_tournament_event(raw)
    if "at" in raw:
        detail = Message("leave out at: the server's time counts")
        raise BodyRejected([Problem("unknown_field", detail, field="at")])
    return reading.read_tournament_event({**raw, "at": 0})


def _questions(tournament: Tournament, state: TournamentState, event: Event) -> list[Problem]:
    """What a page would have asked before it seated or took in these players."""
    if isinstance(event, wire.RoundSeated):
        return questions_about(tournament, state, _seated(event))
    player = event.by if isinstance(event, wire.PlayerSubstituted) else getattr(event, "player", "")
    if player and isinstance(event, (*BRINGS_IN, wire.PlayerSubstituted)):
        return questions_of_joining(tournament, state, player)
    return []


def _seated(event: wire.RoundSeated) -> Collection[str]:
    return [player for _, players in event.tables for player in players]


def _events(tournament: Tournament, after: int, limit: int, *, shows_money: bool) -> shapes.TournamentEventsAnswer:
    stored_events = log.read(tournament.club_id, tournament.pk, after)
    answers = [event_answer(event, is_member=True, shows_money=shows_money) for event in stored_events[:limit]]
    return shapes.TournamentEventsAnswer(
        tournament=tournament.pk,
        version=stored_events[-1].version if stored_events else tournament_state(tournament).version,
        events=answers,
        next_after=answers[-1].version if len(stored_events) > limit else None,
    )
