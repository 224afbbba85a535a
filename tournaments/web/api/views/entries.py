"""Who takes part in a tournament: the list of the check-in desk, entering by name, and the deeds of the desk.

Rules: docs/reference/api.md, "An evening". The same commands as the desk's pages call, so that both may work at once.
"""

import hashlib
import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.facts import reading, wire
from tournaments import log
from tournaments.entries.commands.check_in import DESK_ACTS, StandIn, act_at_desk, substitute
from tournaments.entries.commands.enter import enter_list, known_names
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.substitute import undo_substitution
from tournaments.entries.queries import EntryLine, entries
from tournaments.log.context import Order
from tournaments.models import Tournament
from tournaments.people.permissions import Deed
from tournaments.people.players import without_mark
from tournaments.web.api.base.bodies import read_body
from tournaments.web.api.base.doors import ApiView, tag_of, unless_known
from tournaments.web.api.base.schema import KEY, describes
from tournaments.web.api.shapes.answers import event_answer
from tournaments.web.api.shapes.evenings import (
    DeskAnswer,
    DeskBody,
    EntriesAnswer,
    EntriesBody,
    EntryAnswer,
    SubstituteBody,
    UndoSubstituteBody,
)
from tournaments.web.api.views.clubs import created, find_tournament

MOST_TOLD = 50


class DeskView(ApiView):
    """A view of the check-in desk, for everybody who works there."""

    what = "The tournament"
    tournament: Tournament | None = None

    def home(self, tournament_id: UUID) -> Tournament:
        """The tournament, if this request may do its deed there."""
        self.tournament = find_tournament(self, tournament_id)
        return self.tournament

    def order_of(self, body: EntriesBody | DeskBody | SubstituteBody | UndoSubstituteBody) -> Order:
        """The order of a deed: a resend of it is known by everything that was asked."""
        request = json.dumps([self.request.path, self.request.data], sort_keys=True)
        asked = hashlib.sha256(request.encode()).hexdigest()
        return replace(self.order(), asked=asked, seen=body.expected_version)

    def events_after(self, version: int) -> list[Any] | None:
        """What was stored in the evening since its writer looked."""
        if self.tournament is None:
            return None
        return [event_answer(event, is_member=True) for event in log.read(self.tournament.pk, version)[:MOST_TOLD]]


class Entries(DeskView):
    """A tournament's entries, for those who work at the desk."""

    deeds = {"GET": Deed.TAKE_ENTRY, "POST": Deed.CHECK_IN}

    @describes("list_entries", EntriesAnswer, has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """Everybody who entered, A to Z, with what is paid and what is due."""
        tournament = self.home(tournament_id)
        shown = entries(tournament)
        return unless_known(
            request,
            tag_of(shown.evening.version, "entries", tournament_id, shown.tag()),
            lambda: EntriesAnswer(
                tournament=tournament.pk,
                version=shown.evening.version,
                entry_minor=tournament.entry_minor,
                currency=tournament.currency,
                items=[_entry(line) for line in shown.lines],
            ),
            is_shared=False,
        )

    @describes("enter_players", DeskAnswer, body=EntriesBody, parameters=[KEY])
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """By name, all or none. Whoever has entered already stays as they are."""
        tournament = self.home(tournament_id)
        body = read_body(EntriesBody, request.data)
        if any(entry.is_paid or entry.rate or entry.pots for entry in body.entries):
            self.need(tournament.club, deed=Deed.TAKE_ENTRY)
        rows = [
            EntryRow(
                number=number,
                name=entry.name,
                is_paid=entry.is_paid,
                is_standby=entry.is_standby,
                rate=entry.rate,
                pots=tuple(entry.pots),
            )
            for number, entry in enumerate(body.entries, start=1)
        ]
        recorded = enter_list(tournament.pk, rows, order=self.order_of(body), adds_new=body.adds_new)
        known = known_names(tournament.club)
        names = [without_mark(" ".join(row.name.split())) for row in rows]
        entered = [str(one) for name, is_new in names for one, _ in known.found(name)[: None if is_new else 1]]
        return _done(tournament, entered, is_replay=recorded.is_replay)


class Desk(DeskView):
    """The deeds of the check-in desk."""

    deeds = {"POST": Deed.TAKE_ENTRY}

    @describes("act_at_desk", DeskAnswer, body=DeskBody, parameters=[KEY])
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """One deed for one player. Done already, it stores nothing and says so by `Idempotency-Replayed`."""
        tournament = self.home(tournament_id)
        body = read_body(DeskBody, request.data)
        act = DESK_ACTS[body.act]
        self.need(tournament.club, deed=act.deed)
        done = act_at_desk(tournament.pk, act, str(body.player), order=self.order_of(body))
        return _done(tournament, [str(body.player)], is_replay=done.is_replay, undo=done.undo)


class Substitute(DeskView):
    """Somebody who plays on in another's place."""

    deeds = {"POST": Deed.CHECK_IN}

    @describes("substitute_player", DeskAnswer, body=SubstituteBody, parameters=[KEY])
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """The plan says to whom the points belong."""
        tournament = self.home(tournament_id)
        body = read_body(SubstituteBody, request.data)
        wanted = StandIn(player=str(body.player), by=body.by, reason=_kept(body.reason), adds_new=body.adds_new)
        recorded = substitute(tournament.pk, wanted, order=self.order_of(body))
        by = recorded.evening.entrants[str(body.player)].replaced_by
        return _done(tournament, [str(body.player), by or ""], is_replay=recorded.is_replay)


class UndoSubstitute(DeskView):
    """A substitution taken back."""

    deeds = {"POST": Deed.CHECK_IN}

    @describes("undo_substitution", DeskAnswer, body=UndoSubstituteBody, parameters=[KEY])
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Until a deal was recorded with the substitute. A table opened with them is opened again, and has a new id."""
        tournament = self.home(tournament_id)
        body = read_body(UndoSubstituteBody, request.data)
        player = str(body.player)
        done = undo_substitution(tournament.pk, player, reason=_kept(body.reason), order=self.order_of(body))
        return _done(tournament, [player], is_replay=done.is_replay)


def _kept(reason: str) -> str:
    """A reason as the log keeps it: on one line, without characters that only machines use."""
    told = {"kind": wire.SubstitutionUndone.kind, "player": "-", "reason": reason}
    return str(getattr(reading.read_tournament_fact(told), "reason", ""))


def _done(tournament: Tournament, players: Collection[str], *, is_replay: bool, undo: str = "") -> Response:
    """The entries of some players as they stand now."""
    shown = entries(tournament)
    answer = DeskAnswer(
        tournament=tournament.pk,
        version=shown.evening.version,
        items=[_entry(line) for line in shown.lines if line.player in players],
        undo=undo,
    )
    return created(answer, is_replay=is_replay)


def _entry(line: EntryLine) -> EntryAnswer:
    entrant = line.entrant
    return EntryAnswer(
        player=line.player,
        name=line.name,
        standing=entrant.standing.value,
        is_checked_in=entrant.is_checked_in,
        paid_minor=entrant.paid_minor,
        due_minor=line.due_minor,
        plays_for=entrant.plays_for,
        replaced_by=entrant.replaced_by,
        reentries=list(entrant.reentries),
        rate=entrant.rate,
        pots=list(entrant.pots),
    )
