"""A client that is generated from the description has every operation, and plays a tournament.

Planted faults these catch: a schema that the generator does not understand, so that it leaves an operation out; a body
that may be left out; an answer that the client cannot read.
"""

import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.core.handlers.wsgi import WSGIHandler

from tests.builders.api_clients import Device, kept_connection
from tests.builders.api_operations import OPERATIONS
from tests.builders.playing import new_club
from tournaments.models import Role, Tournament
from tournaments.web.api.imports import FILES
from tournaments.web.api.openapi import description

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

PACKAGE = "rummy_client"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The generated client, imported."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_bytes(description("json"))
    # Its own formatting is of no use here, and the command of that name may be missing.
    # A spreadsheet is sent as the bytes that it is.
    files = "".join(f"  {kind}: application/octet-stream\n" for kind in FILES)
    (folder / "config.yaml").write_text(f"post_hooks: []\ncontent_type_overrides:\n{files}")
    arguments = ["--path", "openapi.json", "--config", "config.yaml", "--meta", "none", "--output-path", PACKAGE]
    subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", *arguments, "--fail-on-warning"],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    sys.path.insert(0, str(folder))
    yield importlib.import_module(PACKAGE)
    sys.path.remove(str(folder))


class Program:
    """What a program does with the generated client; each operation is called by its name."""

    def __init__(self, package: ModuleType, device: Device) -> None:
        client: Any = package.AuthenticatedClient(
            base_url="http://testserver",
            token=device.secret,
            httpx_args={"transport": httpx.WSGITransport(app=WSGIHandler())},
        )
        self.client, self.club = client, device.token.club_id
        self.models: Any = importlib.import_module(f"{PACKAGE}.models")
        self.functions: dict[str, Any] = functions_of()

    def reads(self, operation: str, *ids: Any, **parameters: Any) -> Any:
        return self._answer(self.functions[operation].sync_detailed(*ids, client=self.client, **parameters))

    def writes(self, operation: str, *ids: Any, body: Any, **parameters: Any) -> Any:
        key = uuid4().hex
        return self.reads(operation, *ids, body=body, idempotency_key=key, **parameters)

    def body(self, kind: str, **fields: Any) -> Any:
        """A body of a type of the client, from JSON."""
        return getattr(self.models, kind).from_dict(fields)

    def _answer(self, response: Any) -> Any:
        assert response.status_code in (200, 201), response.content
        return response.parsed


def functions_of() -> dict[str, ModuleType]:
    """The modules of the client's operations by name."""
    found = pkgutil.walk_packages(importlib.import_module(f"{PACKAGE}.api").__path__, f"{PACKAGE}.api.")
    return {
        module.name.rpartition(".")[2]: importlib.import_module(module.name) for module in found if not module.ispkg
    }


@pytest.fixture
def program(package: ModuleType, db: None) -> Iterator[Program]:
    device = Device(new_club(), Role.DIRECTOR)
    with kept_connection():
        yield Program(package, device)


@pytest.mark.usefixtures("package")
def test_every_operation_and_every_schema_is_generated():
    functions = functions_of()
    assert functions.keys() == OPERATIONS.keys()
    models = importlib.import_module(f"{PACKAGE}.models")
    assert {"EventBody", "GinRummy", "GinRummyASingleHand", "PenaltyGiven", "TournamentAnswer"} <= set(dir(models))


# The steps of a tournament, in order; each finds in `known` what those before it have put there.
Known = dict[str, Any]


def make_tournament(program: Any, known: Known) -> None:
    body = program.body(
        "TournamentBody", name="Sunday", preset="pool_101", starts_at="2026-01-18T19:00:00+05:30", entry_minor=30_000
    )
    known["tournament"] = program.writes("create_tournament", program.club, body=body).id


def enter_players(program: Any, known: Known) -> None:
    names = [f"Player {number}" for number in range(1, 9)]
    entries = [{"name": name, "is_paid": True} for name in names]
    body = program.body("EntriesBody", entries=entries, adds_new=True)
    answer = program.writes("enter_players", known["tournament"], body=body)
    known["players"] = [str(entry.player) for entry in answer.items]
    listed = program.reads("list_players", program.club, q="player 3")
    assert [player.name for player in listed.items] == ["Player 3"]


def open_tables(program: Any, known: Known) -> None:
    known["tables"] = []
    for number, first in ((1, 0), (2, 4)):
        seats = [{"number": seat, "player": known["players"][first + seat - 1]} for seat in range(1, 5)]
        body = program.body("TableBody", number=number, seats=seats)
        known["tables"].append(program.writes("open_table", known["tournament"], body=body).id)


def play(program: Any, known: Known) -> None:
    for table in known["tables"]:
        for number in (1, 2):
            outcomes = {"1": {"how": "show"}} | {str(seat): {"how": "loss", "count": 60} for seat in (2, 3, 4)}
            event = {"kind": "deal_recorded", "deal": number, "outcomes": outcomes}
            body = program.body("EventBody", expected_version=number, event=event)
            assert program.writes("record_event", table, body=body).version == number + 1
        body = program.body("EventBody", expected_version=3, event={"kind": "table_closed"})
        program.writes("record_event", table, body=body)


def read_results(program: Any, known: Known) -> None:
    board = program.reads("read_leaderboard", known["tournament"])
    assert [row.name for row in board.rows if row.place == 1] == ["Player 1", "Player 5"]
    tables = program.reads("list_tables", known["tournament"], limit=1)
    assert (len(tables.items), tables.next_offset) == (1, 1)
    assert all(program.reads("read_table", table).status.value == "closed" for table in known["tables"])


STEPS: list[Callable[[Any, Known], None]] = [make_tournament, enter_players, open_tables, play, read_results]


def test_a_tournament_is_played_by_the_generated_client(program: Program, settings: Any):
    settings.ALLOWED_HOSTS = ["*"]
    known: Known = {}
    for step in STEPS:
        step(program, known)
    assert Tournament.objects.get().pk == known["tournament"]


def test_a_refusal_is_read_by_the_generated_client(program: Program, settings: Any):
    settings.ALLOWED_HOSTS = ["*"]
    response = program.functions["list_players"].sync_detailed(program.club, client=program.client, limit=0)
    assert response.status_code == 400
    assert [(problem.code, problem.field) for problem in response.parsed.problems] == [("bad_parameter", "limit")]
