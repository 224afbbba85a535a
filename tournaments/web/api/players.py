"""One player of a club: read, changed, merged and separated again, removed, erased, and told what is known of them.

Rules: docs/reference/api.md, "Players, people and the club". The same commands as the pages call.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.timezone import now
from msgspec import UNSET
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.messages import Message
from scoring.problems import Problem, refuse_if
from tournaments import log
from tournaments.changing import change_player
from tournaments.merging import merge_players, merge_problems, moving, undo_merge
from tournaments.models import Player
from tournaments.people.permissions import Permission
from tournaments.privacy import (
    SOURCES,
    Mention,
    balance_problems,
    erase_player,
    mentions_of,
    name_kept_until,
    remove_player,
    what_is_known,
)
from tournaments.web.api import player_shapes as shapes
from tournaments.web.api.answers import player_answer, shaped
from tournaments.web.api.bodies import BodyRejected, given_fields, read_body
from tournaments.web.api.clubs import created, find_club
from tournaments.web.api.doors import ApiView
from tournaments.web.api.problems import parts_of
from tournaments.web.api.schema import EXAMPLE_PLAYERS, KEY, describes
from tournaments.web.api.table_shapes import PlayerAnswer


class PlayerView(ApiView):
    """A view of one player."""

    def player(self, club_id: UUID, player_id: UUID) -> Player:
        """The player with the club, if this request may do its deed there."""
        club = find_club(self, club_id)
        return get_object_or_404(Player.objects.select_related("club"), club=club, pk=player_id)


class PlayerById(PlayerView):
    """One player."""

    permissions = {"GET": Permission.SEE}

    @describes("read_player", shapes.PlayerDetails)
    def get(self, request: Request, club_id: UUID, player_id: UUID) -> HttpResponseBase:
        """Name, number, contact, and how the public reads the name. A merged player has the name of who stays."""
        return Response(details(self.player(club_id, player_id)))


class ChangePlayer(PlayerView):
    """A player's fields."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "change_player",
        shapes.PlayerDetails,
        body=shapes.PlayerChangeBody,
        parameters=[KEY],
        example={"member_number": "1042", "email": "asha@example.org", "expected": {"email": ""}},
    )
    def post(self, request: Request, club_id: UUID, player_id: UUID) -> Response:
        """Changes what is given. A name that another player has gets a mark, which the answer shows.

        It is no event and has no version: sent twice, it sets the same values. `expected` saves you from changing what
        somebody else has changed since you read it.
        """
        player = self.player(club_id, player_id)
        self.command_context()
        body = read_body(shapes.PlayerChangeBody, request.data)
        changes = given_fields(body, shapes.PlayerFields)
        expected = {} if body.expected is UNSET else given_fields(body.expected, shapes.PlayerFields)
        return created(details(change_player(player.pk, changes, expected=expected)), is_replay=False)


class RemovePlayer(PlayerView):
    """A player who was added by mistake."""

    permissions = {"POST": Permission.DIRECT}

    @describes("remove_player", PlayerAnswer, body=shapes.RemovePlayerBody, parameters=[KEY], example={})
    def post(self, request: Request, club_id: UUID, player_id: UUID) -> Response:
        """Removes a player whom no record of the club names; otherwise merge or erase. If sent again, it is 404."""
        player = self.player(club_id, player_id)
        self.command_context()
        read_body(shapes.RemovePlayerBody, request.data)
        answer = player_answer(player)
        remove_player(player)
        return created(answer, is_replay=False)


class Merge(PlayerView):
    """Two players who are one person."""

    permissions = {"POST": Permission.DIRECT}

    @describes(
        "merge_player",
        shapes.MergeAnswer,
        body=shapes.MergeBody,
        parameters=[KEY],
        example={"into": EXAMPLE_PLAYERS[4], "dry_run": True},
    )
    def post(self, request: Request, club_id: UUID, player_id: UUID) -> Response:
        """Merges this player into the one who stays, balance and results included. `undo_merge` separates them."""
        player = self.player(club_id, player_id)
        context = self.command_context()
        body = read_body(shapes.MergeBody, request.data)
        into = Player.objects.filter(club=club_id, pk=body.into).first()
        if into is None:
            detail = Message("there is no such player in the club")
            raise BodyRejected([Problem("not_a_choice", detail, field="into")])
        is_replay = not body.dry_run and log.find(club=club_id, keys=[context.key]).exists()
        moved = None if player.merged_into_id else moving(player)
        problems: Sequence[Problem] = ()
        if body.dry_run:
            problems = list(merge_problems(player, into))
        else:
            merge_players(player, into, context=context)
            player.refresh_from_db()
        answer = shapes.MergeAnswer(
            player=details(player),
            into=into.pk,
            tournaments=list(moved.tournaments) if moved else [],
            seasons=list(moved.seasons) if moved else [],
            moved_minor=dict(moved.moved) if moved else {},
            lost_credit_minor=dict(moved.lost_credit) if moved else {},
            problems=parts_of(problems),
        )
        return created(answer, is_replay=is_replay)


class Unmerge(PlayerView):
    """A merged player."""

    permissions = {"POST": Permission.DIRECT}

    @describes("undo_merge", shapes.PlayerDetails, body=shapes.UnmergeBody, parameters=[KEY], example={})
    def post(self, request: Request, club_id: UUID, player_id: UUID) -> Response:
        """Makes this merged player one of their own again, with the own name, results and balance."""
        player = self.player(club_id, player_id)
        context = self.command_context()
        read_body(shapes.UnmergeBody, request.data)
        is_replay = log.find(club=club_id, keys=[context.key]).exists()
        undo_merge(player, context=context)
        player.refresh_from_db()
        return created(details(player), is_replay=is_replay)


class Erase(PlayerView):
    """A player who asks to be forgotten."""

    permissions = {"POST": Permission.MANAGE}

    @describes("erase_player", shapes.EraseAnswer, body=shapes.EraseBody, parameters=[KEY], example={"dry_run": True})
    def post(self, request: Request, club_id: UUID, player_id: UUID) -> Response:
        """Erases a player for ever: name, contact and notes go, scores and money stay under a number.

        Send a `dry_run` first: it lists what goes, what stays and why, and the texts that may name the player. A player
        who was erased before is erased once.
        """
        player = self.player(club_id, player_id)
        self.command_context()
        body = read_body(shapes.EraseBody, request.data)
        if player.erased_at is not None:
            return _private(created(shapes.EraseAnswer(player=details(player)), is_replay=True))
        mentions = mentions_of(player)
        known = what_is_known(player, now=now())
        sources = [
            shapes.ErasedSource(
                name=source.name,
                entries=len(known[source.name]),
                is_erased=source.forget is not None,
                stays=source.stays,
            )
            for source in SOURCES
        ]
        kept_until = name_kept_until(player, now=now())
        problems: Sequence[Problem] = ()
        if body.dry_run:
            problems = () if body.with_balance else balance_problems(player)
        else:
            keys = {mention.key for mention in mentions if mention.row is None}
            detail = Message("no text of the club has this key: read them again with dry_run")
            unknown = [at for at, key in enumerate(body.also) if key not in keys]
            refuse_if([Problem("not_a_choice", detail, field=f"also[{at}]") for at in unknown], BodyRejected)
            erase_player(player, now=now(), with_balance=body.with_balance, also=body.also)
            player.refresh_from_db()
        answer = shapes.EraseAnswer(
            player=details(player),
            kept_until=kept_until,
            sources=sources,
            mentions=[_mention(mention) for mention in mentions],
            problems=parts_of(problems),
        )
        return _private(created(answer, is_replay=False))


class PlayerData(PlayerView):
    """What is known of a player."""

    permissions = {"GET": Permission.MANAGE}

    @describes("read_player_data", shapes.PlayerDataAnswer)
    def get(self, request: Request, club_id: UUID, player_id: UUID) -> HttpResponseBase:
        """Everything that the club's records have about this person, to give to the person who asks."""
        player = self.player(club_id, player_id)
        moment = now()
        known = what_is_known(player, now=moment)
        sources = {source.name: known[source.name] for source in SOURCES}
        answer = shapes.PlayerDataAnswer(player=player.pk, club=player.club.name, made_at=moment, sources=sources)
        return _private(Response(answer))


def details(player: Player) -> shapes.PlayerDetails:
    """A player with everything that their page has."""
    short = player_answer(player)
    return shaped(shapes.PlayerDetails, player, is_erased=short.is_erased, merged_into=short.merged_into)


def _mention(mention: Mention) -> shapes.MentionAnswer:
    row = mention.row
    if row is None:
        return shapes.MentionAnswer(text=mention.text, key=mention.key)
    kind: Any = row._meta.model_name
    return shapes.MentionAnswer(text=mention.text, key=None, kind=kind, id=row.pk)


def _private(response: Response) -> Response:
    """No cache keeps what is known about a person."""
    response["Cache-Control"] = "no-store"
    return response
