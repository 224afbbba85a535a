"""A club at play: its tournament, its players, a token for its phones, and what a phone sends."""

import random
import uuid
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User

from tests.builders.playing import CAST, context, new_club, new_tournament
from tournaments.models import Club, Membership, Player, Role, Table, Tournament
from tournaments.people.access import issue_token
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table


@dataclass
class Evening:
    """A published points tournament of four players, and the secret of a director's phone."""

    club: Club
    tournament: Tournament
    players: list[Player]
    secret: str
    rounds: int = 0

    def new_table(self) -> Table:
        """The same four at a table of the next round."""
        self.rounds += 1
        draft = TableDraft(number=1, round=self.rounds, seats=self.seats())
        return open_table(self.tournament, draft, context=context())

    def beside(self) -> "Evening":
        """Another tournament of the same club, with the same players and phone."""
        draft = {"point_value_minor": 200, "is_published": True}
        return replace(self, tournament=new_tournament(self.club, self.tournament.preset, **draft), rounds=0)

    def seats(self) -> list[SeatedPlayer]:
        return [SeatedPlayer(number=seat, player=player.id) for seat, player in enumerate(self.players, start=1)]

    @property
    def board_path(self) -> str:
        return f"/api/v1/tournaments/{self.tournament.id}/leaderboard/"


def new_evening(preset: str = "points", *, club: Club | None = None) -> Evening:
    """A club with everything a phone needs to write."""
    club = club or new_club(is_published=True)
    user = User.objects.create_user(f"dita-{uuid.uuid4().hex[:8]}", password=uuid.uuid4().hex)
    Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
    _, secret = issue_token(uuid.uuid4(), club, user_id=user.pk, role=Role.DIRECTOR, name="phone 3")
    assert secret
    tournament = new_tournament(club, preset, point_value_minor=200, is_published=True)
    return Evening(club=club, tournament=tournament, players=add_players(club, CAST), secret=secret)


@dataclass(frozen=True)
class Write:
    """One request as a phone sends it, and sends it again: same path, same key, same body."""

    path: str
    body: dict[str, Any]
    key: str = field(default_factory=lambda: str(uuid.uuid4()))


def deal(table_id: object, number: int, chance: random.Random) -> Write:
    """Deal `number` of a table that no one else writes to: its version is known without asking."""
    counts = {str(seat): {"how": "loss", "count": chance.randint(2, 80)} for seat in range(2, 5)}
    event = {"kind": "deal_recorded", "deal": number, "outcomes": {"1": {"how": "show"}, **counts}}
    return _event(table_id, number, event)


def close(table_id: object, deals: int) -> Write:
    """Close the table after this many deals."""
    return _event(table_id, deals + 1, {"kind": "table_closed"})


def opening(evening: Evening, round_number: int) -> Write:
    """Open a table of the four in a round of its own."""
    seats = [{"number": seat.number, "player": str(seat.player)} for seat in evening.seats()]
    body = {"number": 1, "round": round_number, "seats": seats}
    return Write(path=f"/api/v1/tournaments/{evening.tournament.id}/tables/", body=body)


def _event(table_id: object, expected: int, event: dict[str, Any]) -> Write:
    return Write(path=f"/api/v1/tables/{table_id}/events/", body={"expected_version": expected, "event": event})
