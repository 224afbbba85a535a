"""The requests of docs/reference/api.md, "A tournament from plan to prizes", as they stand there.

Planted faults these catch: a documented request that is refused, more writes than a program should need, prizes that
are in no book, a fee that is paid twice.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.builders.api_clients import Device
from tests.builders.playing import new_club
from tournaments.models import Player, Role, Table, Tournament
from tournaments.running.commands.record import tournament_state

pytestmark = pytest.mark.django_db
PAGE = Path("docs/reference/api.md")
REQUEST = re.compile(r"^    (GET|POST) (\S+)\n((?:    .+\n)*)", re.MULTILINE)
MOST_WRITES = 30


def requests() -> Iterator[tuple[str, str, str]]:
    """Method, address and body of each request of the section, in order."""
    section = PAGE.read_text().split("\n## A tournament from plan to prizes\n")[1].split("\n## ")[0]
    yield from REQUEST.findall(section)


class Program:
    """A program that sends the documented requests, with the ids that the answers have given."""

    def __init__(self) -> None:
        self.club = new_club()
        self.client = Device(self.club, Role.DIRECTOR)
        self.names = {"CLUB": str(self.club.pk), "TILL": f"token:{self.client.token.pk}"}
        self.tables: list[str] = []
        self.writes = 0

    def send(self, method: str, path: str, text: str, table: str = "") -> Any:
        for name, value in {**self.names, "TABLE": table}.items():
            path, text = path.replace(name, value), text.replace(f'"{name}"', f'"{value}"')
        address = f"/api/v1/{path}"
        answer = self.client.get(address) if method == "GET" else self.client.send(address, json.loads(text))
        assert answer.status_code in (200, 201), (method, path, answer.content)
        self.writes += method == "POST"
        return answer.json()


def learned(program: Program, step: str, answer: Any) -> None:
    """What the page says of an answer, and what the next requests take from it."""
    match step:
        case "POST set-up":
            program.names["TOURNAMENT"] = answer["id"]
            assert answer["entered"] == 16
        case "POST publish":
            program.tables = [row["id"] for row in answer["tables"]]
        case "POST all":
            assert (bool(answer["done"]), answer["left_out"]) == (True, [])
        case "GET cut":
            assert (answer["problems"], answer["ties"]) == ([], [])
            assert len([one for one in answer["players"] if one["reason"]]) == 4
        case "GET close":
            assert answer["problems"] == []
        case "GET prizes":
            assert [(one["first"], one["amount_minor"]) for one in answer["prizes"]] == [(1, 172_800), (2, 115_200)]
            program.names |= {"FIRST": answer["prizes"][0]["player"], "SECOND": answer["prizes"][1]["player"]}


def test_sixteen_players_are_taken_from_the_plan_to_paid_prizes_by_the_documented_requests():
    program = Program()
    for method, path, text in requests():
        for table in program.tables if "TABLE" in path else [""]:
            answer = program.send(method, path, text, table)
        learned(program, f"{method} {path.rstrip('/').rpartition('/')[2]}", answer)
    assert program.writes <= MOST_WRITES
    tournament = Tournament.objects.get(pk=program.names["TOURNAMENT"])
    assert tournament_state(tournament).is_closed
    assert Table.objects.filter(tournament=tournament).count() == 5
    assert Player.objects.filter(club=program.club).count() == 16
    balances = program.client.get(f"/api/v1/clubs/{program.club.pk}/cash/balances/").json()
    assert balances["items"] == []
