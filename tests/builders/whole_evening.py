"""A tournament from the first deal to the books, through the commands."""

from io import StringIO
from typing import Any

from django.core.management import call_command
from django.test import Client

from tests.builders.api_clients import Device
from tests.builders.playing import new_club
from tournaments.models import Role


class Evening:
    """A club that publishes, a director's device and a scorer's."""

    def __init__(self) -> None:
        self.club = new_club(is_published=True)
        self.director, self.scorer = Device(self.club, Role.DIRECTOR), Device(self.club)

    def made(self, path: str, body: Any, client: Device | None = None) -> dict[str, Any]:
        """The answer to a write that must succeed."""
        answer = (client or self.director).send(f"/api/v1/{path}", body)
        assert answer.status_code == 201, answer.content
        made: dict[str, Any] = answer.json()
        return made

    def tournament(self, name: str, preset: str, **stakes: Any) -> str:
        body = {"name": name, "preset": preset, "starts_at": "2026-01-17T19:30:00+05:30", **stakes}
        return str(self.made(f"clubs/{self.club.id}/tournaments/", body)["id"])

    def table(self, tournament: str, *names: str) -> str:
        players = self.made(f"clubs/{self.club.id}/players/", {"names": names})["items"]
        seats = [{"number": seat, "player": player["id"]} for seat, player in enumerate(players, start=1)]
        return str(self.made(f"tournaments/{tournament}/tables/", {"number": 1, "seats": seats})["id"])

    def write(self, table: str, *events: dict[str, Any], client: Device | None = None) -> None:
        for event in events:
            version = Client().get(f"/api/v1/tables/{table}/").json()["version"]
            body = {"expected_version": version, "event": event}
            self.made(f"tables/{table}/events/", body, client or self.scorer)

    def board(self, tournament: str) -> dict[str, tuple[int, int]]:
        rows = Client().get(f"/api/v1/tournaments/{tournament}/leaderboard/").json()["rows"]
        return {row["name"]: (row["place"], row.get("total", row.get("chips"))) for row in rows}


def proved() -> None:
    """Log, boards and books agree."""
    for command in ("verify_log", "check_ledger"):
        call_command(command, stdout=StringIO())
    call_command("rebuild", check=True, stdout=StringIO())
