"""People who enter by themselves, for devices of the desk and for a club's own website, which asks with its token.

Rules: docs/reference/api.md, "Entering by themselves". The form of the public pages has no operation: what keeps
machines out of it is the form itself, and a club's own site keeps them out by its own means.
"""

from datetime import UTC
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.messages import Message, english
from scoring.problems import Problem
from tournaments.entries.commands.self_entry import (
    SelfEntrySettings,
    Sender,
    Wish,
    accept_request,
    change_self_entry,
    refuse_request,
    refuse_unconfirmed,
    request_entry,
)
from tournaments.entries.confirming_mail import mail_is_configured, send_confirmation
from tournaments.entries.self_entry import (
    WaitingRequest,
    entries_end,
    places_of,
    state_of,
    waiting_requests,
    waiting_rows,
    why_closed,
)
from tournaments.models import EntryRequest, Tournament
from tournaments.people.known_names import Known
from tournaments.people.permissions import Permission, may
from tournaments.web.api import tournament_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.bodies import BodyRejected, read_body
from tournaments.web.api.clubs import created
from tournaments.web.api.desks import DeskView
from tournaments.web.api.schema import KEY, describes

MOST_LISTED = 500


class SelfEntry(DeskView):
    """How players enter a tournament by themselves."""

    permissions = {"GET": Permission.CHECK_IN, "POST": Permission.DIRECT}

    @describes("read_self_entry", shapes.SelfEntryAnswer)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The settings, and whether anybody can enter now."""
        return Response(_settings(self.home(tournament_id)))

    @describes(
        "set_self_entry",
        shapes.SelfEntryAnswer,
        body=shapes.SelfEntryBody,
        parameters=[KEY],
        example={"takes_entries": True},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Replaces all settings. They are no event: nothing of them is in the log."""
        tournament = self.home(tournament_id)
        self.command_context()
        body = read_body(shapes.SelfEntryBody, request.data)
        if body.until is not None and body.until.tzinfo is None:
            raise BodyRejected([Problem("not_a_moment", Message("a moment needs its offset"), field="until")])
        settings = SelfEntrySettings(
            takes_entries=body.takes_entries,
            until=body.until,
            places=body.places,
            shows=body.shows,
            asks_email=body.asks_email,
            asks_phone=body.asks_phone,
        )
        return created(_settings(change_self_entry(tournament.pk, settings)), is_replay=False)


def _settings(tournament: Tournament) -> shapes.SelfEntryAnswer:
    closed = why_closed(tournament, state_of(tournament), now=now())
    return shaped(
        shapes.SelfEntryAnswer,
        tournament,
        tournament=tournament.pk,
        until=entries_end(tournament).astimezone(UTC),
        shows=tournament.shows_entrants,
        why_closed=". ".join(english(reason) for reason in closed),
    )


class EntryRequests(DeskView):
    """Who wants to enter a tournament."""

    permissions = {"GET": Permission.CHECK_IN, "POST": Permission.CHECK_IN}

    @describes("list_entry_requests", shapes.EntryRequestsAnswer)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The requests that wait for the desk, each with the players of the club who may have sent it."""
        tournament = self.home(tournament_id)
        places = places_of(tournament, state_of(tournament))
        rows = list(waiting_rows(tournament)[:MOST_LISTED])
        return Response(
            shapes.EntryRequestsAnswer(
                tournament=tournament.pk,
                places=places.total,
                playing=places.playing,
                standby=places.standby,
                items=[_waiting(waiting) for waiting in waiting_requests(tournament, rows)],
            )
        )

    @describes(
        "request_entry",
        shapes.EntryRequestMade,
        body=shapes.EntryRequestBody,
        parameters=[KEY],
        example={"name": "Zoya"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Sends a request for somebody, as a club's own website does. It is decided as one from the public pages."""
        tournament = self.home(tournament_id)
        body, context = read_body(shapes.EntryRequestBody, request.data), self.command_context()
        wish = Wish(name=body.name, email=body.email, phone=body.phone, wants_mail=body.wants_mail, note=body.note)
        ticket = f"{tournament.pk} {context.actor} {context.key}"
        sender = Sender(network=context.actor, ticket=ticket, is_proven=True)
        sent = request_entry(tournament.pk, wish, sender, mails=mail_is_configured(), now=context.now)
        url = request.build_absolute_uri(reverse("pages:entry_status", args=[tournament.club.slug, tournament.slug]))
        is_mailed = bool(sent.row.confirm_digest)
        if sent.mail_secret:
            is_mailed = send_confirmation(sent.row, tournament, url=f"{url}#{sent.mail_secret}")
        answer = shapes.EntryRequestMade(
            request=_request(sent.row), status_url=f"{url}#{sent.secret}", is_mailed=is_mailed
        )
        return created(answer, is_replay=sent.is_replay)


class Decide(DeskView):
    """Decisions about requests."""

    permissions = {"POST": Permission.CHECK_IN}

    @describes(
        "decide_entry_request",
        shapes.DecisionAnswer,
        body=shapes.DecisionBody,
        parameters=[KEY],
        example={"act": "refuse_unconfirmed"},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Decides about one request, or refuses all that are unconfirmed. A decision that was made already is marked.

        Where all places are taken, the player goes to the standby list.
        """
        tournament = self.home(tournament_id)
        body, context = read_body(shapes.DecisionBody, request.data), self.command_context()
        if body.act == "refuse_unconfirmed":
            number = refuse_unconfirmed(tournament.pk, context=context)
            answer = shapes.DecisionAnswer(request=None, refused=number, is_standby=False)
            return created(answer, is_replay=not number)
        missing = [("request", body.request is None), ("player", body.act == "enter_as" and body.player is None)]
        if problems := [
            Problem("missing_field", Message("this act needs it"), field=field) for field, is_gone in missing if is_gone
        ]:
            raise BodyRejected(problems)
        rows = EntryRequest.objects.filter(tournament=tournament)
        row = rows.filter(pk=body.request).first() if body.request is not None else None
        if row is None:
            raise Http404
        if body.act == "refuse":
            row = refuse_request(row.pk, reason=body.reason, context=context)
        else:
            player = body.player if body.act == "enter_as" else None
            directs = may(self.actor, Permission.DIRECT, tournament.club_id)
            row = accept_request(row.pk, player=player, seen=body.seen, keeps_contact=directs, context=context)
        entrant = state_of(tournament).entrants.get(str(row.player_id))
        answer = shapes.DecisionAnswer(
            request=_request(row), refused=0, is_standby=entrant is not None and entrant.standing == "standby"
        )
        return created(answer, is_replay=row.decided_at != context.now)


def _request(row: EntryRequest) -> shapes.EntryRequestAnswer:
    """A request without the players who may be meant."""
    return shaped(
        shapes.EntryRequestAnswer,
        row,
        made_at=row.made_at.astimezone(UTC),
        player=row.player_id,
        same=[],
        similar=[],
        seen="",
    )


def _waiting(waiting: WaitingRequest) -> shapes.EntryRequestAnswer:
    return shaped(
        shapes.EntryRequestAnswer,
        waiting.row,
        made_at=waiting.row.made_at.astimezone(UTC),
        player=waiting.row.player_id,
        same=_people(waiting.same),
        similar=_people(waiting.near),
        seen=waiting.seen,
    )


def _people(players: tuple[Known, ...]) -> list[shapes.PersonAnswer]:
    return [shapes.PersonAnswer(player=str(player), name=name) for player, name in players]
