"""Clients that are generated from the description have every operation, and play a tournament from plan to prizes.

Planted faults these catch: a schema that a generator does not understand, so that it leaves an operation out; a body
that may be left out; an object that may hold anything, described as one that is empty; an answer that a client cannot
read; a step for which a program needs more writes than a director needs clicks.
"""

import importlib
import json
import pkgutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.core.handlers.wsgi import WSGIHandler

from tests.builders.api_clients import Device, kept_connection
from tests.builders.api_operations import OPERATIONS
from tests.builders.node import install, run
from tests.builders.playing import new_club
from tests.builders.served_site import Site, serving
from tests.builders.there import there
from tournaments.models import Club, Role, Tournament
from tournaments.printing.files import FileKind
from tournaments.running.commands.record import tournament_state
from tournaments.web.api.downloads import media_types
from tournaments.web.api.imports import FILES
from tournaments.web.api.openapi import description

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

PACKAGE = "rummy_client"
PLAY = Path(__file__).parents[3] / "data" / "clients" / "play.ts"
MOST_WRITES = 30
PRIZES = [115_200, 172_800]
NAMES = "Asha Bo Cy Dev Eli Fay Gul Hari Ida Jai Kim Lal Mia Nur Om Pia"
FOURS = {"smallest_table": 4, "largest_table": 4, "preferred_table": 4}
PLAN = {
    "prizes_bp": [6_000, 4_000],
    "stages": [{"name": "Qualifying", "per_table": 1, **FOURS}, {"name": "Final", **FOURS}],
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    """The generated client, imported."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "openapi.json").write_bytes(description("json"))
    # Its own formatting is of no use here, and the command of that name may be missing.
    # A spreadsheet is sent as the bytes that it is.
    files = "".join(f"  {kind}: application/octet-stream\n" for kind in dict.fromkeys(FILES + media_types(*FileKind)))
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

    def __init__(self, package: ModuleType, device: Device, *, address: str = "", **httpx_args: Any) -> None:
        self.client: Any = package.AuthenticatedClient(
            base_url=address or "http://testserver",
            token=device.secret,
            httpx_args={"event_hooks": {"request": [self._count]}, **httpx_args},
        )
        self.models: Any = importlib.import_module(f"{PACKAGE}.models")
        self.functions: dict[str, Any] = functions_of()
        self.methods: Counter[str] = Counter()

    def reads(self, operation: str, *ids: Any, **parameters: Any) -> Any:
        response = self.functions[operation].sync_detailed(*ids, client=self.client, **parameters)
        assert response.status_code in (200, 201), response.content
        return response.parsed

    def writes(self, operation: str, *ids: Any, body: str, **fields: Any) -> Any:
        """Send a body of a type of the client, from JSON."""
        whole = getattr(self.models, body).from_dict(fields)
        return self.reads(operation, *ids, body=whole, idempotency_key=uuid4().hex)

    def _count(self, request: httpx.Request) -> None:
        self.methods[request.method] += 1


def functions_of() -> dict[str, ModuleType]:
    """The modules of the client's operations by name."""
    found = pkgutil.walk_packages(importlib.import_module(f"{PACKAGE}.api").__path__, f"{PACKAGE}.api.")
    return {
        module.name.rpartition(".")[2]: importlib.import_module(module.name) for module in found if not module.ispkg
    }


@pytest.mark.usefixtures("package")
def test_every_operation_and_every_schema_is_generated():
    functions = functions_of()
    assert functions.keys() == OPERATIONS.keys()
    models = importlib.import_module(f"{PACKAGE}.models")
    assert {"EventBody", "GinRummy", "GinRummyASingleHand", "PenaltyGiven", "TournamentAnswer"} <= set(dir(models))


@pytest.fixture
def site(site_environment: dict[str, str], tmp_path: Path) -> Iterator[Site]:
    with serving({**site_environment, "LOG_LEVEL": "WARNING"}, tmp_path) as site:
        yield site


@pytest.fixture
def club(db: None) -> Club:
    return new_club()


def play(program: Program) -> dict[str, Any]:
    """A tournament of sixteen, from its plan to prizes paid in cash; `play.ts` takes the same steps."""
    me = program.reads("read_me")
    club, till = me.roles[0].club, f"token:{me.token.id}"
    program.writes("write_cash_line", club, body="CashLineBody", event={"kind": "till_opened", "till": till})
    draft: dict[str, Any] = {"name": "Sunday pool", "preset": "pool_101", "starts_at": "2026-01-18T19:00:00+05:30"}
    draft |= {"entry_minor": 20_000, "fee_bp": 1_000, "expected": 16, "plan": PLAN, "names": NAMES.split()}
    tournament = program.writes("set_up_tournament", club, body="SetUpBody", **draft).id
    all_at_once(program, tournament, "check_in")
    play_round(program, tournament)
    cut = program.reads("read_cut", tournament)
    assert (cut.problems, cut.ties) == ([], [])
    program.writes("make_cut", tournament, body="VersionBody")
    play_round(program, tournament)
    program.writes("close_tournament", tournament, body="VersionBody")
    program.writes("settle_tournament", tournament, body="VersionBody")
    amounts = {prize.player: prize.amount_minor for prize in program.reads("read_prizes", tournament).prizes}
    program.writes("pay_players", club, body="PayoutsBody", amounts=amounts)
    (winner,) = [row.player for row in program.reads("read_leaderboard", tournament).rows if row.place == 1]
    return {"tournament": str(tournament), "writes": program.methods["POST"], "amounts": amounts, "winner": winner}


def all_at_once(program: Program, tournament: Any, act: str) -> None:
    many = program.writes("act_for_many", tournament, body="ManyBody", act=act)
    assert (bool(many.done), many.left_out) == (True, [])


def play_round(program: Program, tournament: Any) -> None:
    """Draw the next round as the plan says, and play every deal: seat 1 wins before seat 2, the others are out."""
    draft = program.writes("make_draft", tournament, body="DraftBody", seed="K7QF-2M9X")
    seated = program.writes("publish_draft", tournament, body="PublishBody", expected_version=draft.version)
    counts = [{"2": 40, "3": 60, "4": 70}, {"2": 40, "3": 60, "4": 70}, {"2": 40}]
    deals = [
        {
            "kind": "deal_recorded",
            "deal": number,
            "outcomes": {"1": {"how": "show"}, **{seat: {"how": "loss", "count": lost[seat]} for seat in lost}},
        }
        for number, lost in enumerate(counts, start=1)
    ]
    for table in seated.tables:
        recorded = {"expected_version": table.version, "events": deals}
        program.writes("record_events", table.id, body="EventsBody", **recorded)
    all_at_once(program, tournament, "close_tables")


def check_played(played: dict[str, Any], device: Device) -> None:
    """The tournament is closed, its winner has the first prize, and nobody has or owes money."""
    tournament = Tournament.objects.get()
    assert (str(tournament.pk), tournament_state(tournament).is_closed) == (played["tournament"], True)
    assert sorted(played["amounts"].values()) == PRIZES
    assert played["amounts"][played["winner"]] == PRIZES[-1]
    assert tournament.tables.count() == 5
    assert device.get(f"/api/v1/clubs/{tournament.club_id}/cash/balances/").json()["items"] == []
    assert played["writes"] <= MOST_WRITES


def test_the_client_for_python_plays_a_tournament_from_plan_to_prizes(package: ModuleType, club: Club, site: Site):
    device = Device(club, Role.DIRECTOR)
    check_played(play(Program(package, device, address=f"http://127.0.0.1:{site.port}")), device)


def test_the_client_for_typescript_plays_a_tournament_from_plan_to_prizes(club: Club, site: Site, tmp_path: Path):
    install(tmp_path, "openapi-typescript@7", "openapi-fetch@0.17", "typescript@5")
    (tmp_path / "openapi.json").write_bytes(description("json"))
    generate = ["openapi.json", "--default-non-nullable=false", "--output", "openapi.ts"]
    run(tmp_path, "node_modules/.bin/openapi-typescript", *generate)
    (tmp_path / PLAY.name).write_bytes(PLAY.read_bytes())
    compile_strictly = ["--strict", "--target", "es2022", "--module", "nodenext", PLAY.name, "openapi.ts"]
    run(tmp_path, "node_modules/.bin/tsc", *compile_strictly)
    device = Device(club, Role.DIRECTOR)
    output = run(tmp_path, "node", "play.js", f"http://127.0.0.1:{site.port}", there(device.secret))
    check_played(json.loads(output), device)


def test_a_refusal_is_read_by_the_generated_client(package: ModuleType, club: Club, settings: Any):
    settings.ALLOWED_HOSTS = ["*"]
    program = Program(package, Device(club, Role.DIRECTOR), transport=httpx.WSGITransport(app=WSGIHandler()))
    with kept_connection():
        response = program.functions["list_players"].sync_detailed(club.pk, client=program.client, limit=0)
    assert response.status_code == 400
    assert [(problem.code, problem.field) for problem in response.parsed.problems] == [("bad_parameter", "limit")]
