"""A club with its people and a table or two, made by the same commands that the pages call."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.contrib.auth import get_user_model

from tournaments.log.context import CommandContext
from tournaments.models import Club, Membership, Role, Scoresheet, Table, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

NOW = datetime(2026, 3, 14, 19, 30, tzinfo=UTC)
CAST = ("Asha", "Bo", "Cy", "Dev")


@dataclass(frozen=True)
class Evening:
    """One club on one evening."""

    club: Club
    tournament: Tournament
    table: Table
    now: datetime = NOW

    @property
    def score_url(self) -> str:
        return f"/admin/tournaments/table/{self.table.pk}/score/"

    def page(self, name: str) -> str:
        return f"/admin/tournaments/table/{self.table.pk}/{name}/"

    @property
    def version(self) -> int:
        return Scoresheet.objects.get(table=self.table).version

    def record(self, raw: dict[str, Any], *, actor: str = "user:0") -> None:
        record_wire_event(self.table.pk, raw, expected=self.version, context=CommandContext(actor=actor, now=self.now))

    def deal(self, number: int, *, show: str, actor: str = "user:0", **losses: int) -> None:
        """A deal in seat numbers: `deal(1, show="1", s2=30)`."""
        outcomes: dict[str, Any] = {seat[1:]: {"how": "loss", "count": count} for seat, count in losses.items()}
        outcomes[show] = {"how": "show"}
        self.record({"kind": "deal_recorded", "deal": number, "outcomes": outcomes}, actor=actor)


def club_called(name: str, slug: str, **more: Any) -> Club:
    return Club.objects.create(name=name, slug=slug, is_published=True, **more)


def evening_at(
    club: Club,
    *,
    preset: str = "pool_101",
    names: tuple[str, ...] = CAST,
    entry_minor: int = 30_000,
    now: datetime = NOW,
    **draft: Any,
) -> Evening:
    """A tournament with one open table."""
    context = CommandContext(actor="user:0", now=now)
    wanted = TournamentDraft(
        **{"name": "Friday", "preset": preset, "starts_at": now, "entry_minor": entry_minor, **draft}
    )
    tournament = create_tournament(club, wanted, context=context)
    players = add_players(club, names)
    seats = [SeatedPlayer(number=place, player=player.pk) for place, player in enumerate(players, start=1)]
    table = open_table(tournament, TableDraft(number=1, seats=seats), context=CommandContext(actor="user:0", now=now))
    return Evening(club=club, tournament=tournament, table=table, now=now)


def person(login: str, role: Role | None = None, club: Club | None = None, **more: Any) -> Any:
    """A user who can sign in to the admin, with a role in a club."""
    user = get_user_model().objects.create_user(login, password="a long pass phrase", is_staff=True, **more)
    if role is not None and club is not None:
        Membership.objects.create(user=user, club=club, role=role)
    return user


def sheet(version: int, *, deal: int = 1, key: str = "0" * 32, **typed: str) -> dict[str, str]:
    """The scorer's form: `s1="show"` is an ending, `c2="30"` a count."""
    names = {"s": "how", "c": "count"}
    seats = {f"{names[field[0]]}-{field[1:]}": value for field, value in typed.items() if field[1:].isdigit()}
    rest = {field: value for field, value in typed.items() if not field[1:].isdigit()}
    return {"version": str(version), "key": key, "deal": str(deal), "do": "save", **seats, **rest}
