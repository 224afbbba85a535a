"""An evening of four games, through its tables, pages, files and the public verifier.

Planted faults these catch: the tournament's game asked where a stage's is meant, at the table, on the board, in what a
season counts, in what is shown, printed or downloaded.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from copy import deepcopy
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring.sheets.snapshots import load_table
from tests.builders.mixed_stages import played_and_published
from tests.builders.random_tournaments import broken
from tests.builders.routes import route
from tournaments.boards import board
from tournaments.checker import ADDRESS
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Scoresheet
from tournaments.printing.report import tournament_report
from tournaments.rehearsal.simulation import SimulatedTournament
from tournaments.rendering.pdf import Facts, Table
from tournaments.seasons.results import current_results

pytestmark = pytest.mark.django_db
SCRIPT = Path(settings.STATICFILES_DIRS[0]) / ADDRESS


@pytest.fixture(scope="module")
def played_once(recorded: Callable[..., AbstractContextManager[SimulatedTournament]]) -> Iterator[SimulatedTournament]:
    with recorded(played_and_published) as night:
        yield night


@pytest.fixture
def night(played_once: SimulatedTournament) -> SimulatedTournament:
    return deepcopy(played_once)


def get(night: SimulatedTournament, name: str, query: str = "", **words: Any) -> str:
    found = night.tournament
    address = reverse(route(name), kwargs={"club_slug": found.club.slug, "slug": found.slug, **words})
    answer = Client().get(address + query)
    assert answer.status_code == 200, address
    return b"".join(answer).decode()


@pytest.mark.slow
def test_every_table_plays_the_game_and_the_stake_of_its_stage(night: SimulatedTournament):
    found: dict[int, set[tuple[str, int]]] = {}
    for sheet in Scoresheet.objects.filter(table__tournament=night.tournament).select_related("table"):
        table = load_table(sheet.state)
        found.setdefault(sheet.table.round, set()).add((table.rules.name, table.setup.stakes.point_value_minor))
    assert found == {
        1: {("pool", 100)},
        2: {("pool", 100)},
        3: {("points", 250)},
        4: {("deals", 0)},
        5: {("gin", 0)},
    }
    assert broken(night) == []
    assert rebuild_differences() == []
    call_command("rebuild", "--check", stdout=StringIO())
    call_command("verify_log", stdout=StringIO())
    call_command("check_ledger", stdout=StringIO())


def test_the_board_has_the_number_of_each_stages_game_and_its_name_beside_it(night: SimulatedTournament):
    shown = json.loads(get(night, "board_json"))
    assert (shown["variant"], shown["ranked_by"]) == ("pool", "total")
    by_stage: dict[int, list[dict[str, Any]]] = {}
    for row in shown["standings"]:
        by_stage.setdefault(row["stage"], []).append(row)
    games = {stage: rows[0].get("variant") for stage, rows in by_stage.items()}
    assert games == {4: "gin", 3: "deals", 2: "points", 1: None}
    assert {stage: len(rows) for stage, rows in by_stage.items()} == {4: 2, 3: 2, 2: 4, 1: len(by_stage[1])}
    for stage, number in ((4, "total"), (3, "chips"), (2, "net_points")):
        assert [str(row[number]) for row in by_stage[stage]] == [row["score"] for row in by_stage[stage]]
    page = get(night, "tournament")
    assert "Pool 101 · Points rummy · Best of 2 deals · Gin rummy, to 100" in page
    groups = re.findall(r'<h3 id="group-[0-9]">([^<]*)</h3>', page)
    assert groups == [
        "Stage 4: Last two · Gin rummy, to 100",
        "Stage 3: Final · Best of 2 deals",
        "Stage 2: Cash · Points rummy",
        "Stage 1: Heats",
    ]
    tables = re.findall(r'<table class="standings.*?</table>', page, re.DOTALL)
    assert [table.count("<tr data-key=") for table in tables] == [len(by_stage[stage]) for stage in (4, 3, 2, 1)]
    assert all(heading in table for heading, table in zip(("Total", "Chips", "Net points"), tables, strict=False))


def test_rounds_rules_room_and_explanations_name_the_game_of_each_stage(night: SimulatedTournament):
    rounds = get(night, "rounds")
    for said in ("Cash · Points rummy", "Final · Best of 2 deals", "Last two · Gin rummy, to 100"):
        assert said in rounds
    assert "Heats · " not in rounds
    rules = get(night, "house_rules")
    assert all(f"docs/rules/{name}.md" in rules for name in ("pool", "points", "deals", "gin"))
    assert "Value of a point" in rules
    out_of_pool, out_of_points = (
        next(row.line.player for row in board(night.tournament).rows if row.stage == stage) for stage in (1, 2)
    )
    assert "Stage 2: Cash · Points rummy" in get(night, "explanation", player=out_of_points)
    assert "Points rummy" not in get(night, "explanation", player=out_of_pool).split("<h1")[1].split("<footer")[0]
    assert get(night, "prizes").count("₹") > 2


@pytest.mark.slow
def test_earlier_boards_are_told_in_the_game_that_was_played_then(night: SimulatedTournament):
    last_of_points = Scoresheet.objects.filter(table__tournament=night.tournament, table__round=3)
    position = max(last_of_points.values_list("last_position", flat=True))
    then = json.loads(get(night, "board_json", f"?at={position}"))
    assert then["ranked_by"] == "net_points"
    assert {row["stage"] for row in then["standings"]} == {1, 2}
    assert "Net points" in get(night, "tournament", f"?at={position}")


@pytest.mark.slow
def test_files_hold_every_row_and_the_public_script_finds_the_log_whole(night: SimulatedTournament, tmp_path: Path):
    rows = get(night, "board_csv").splitlines()
    assert len(rows) == 1 + len(board(night.tournament).rows)
    log = tmp_path / "night.jsonl"
    log.write_text(get(night, "log"))
    noted = json.loads(get(night, "board_json"))["fingerprint"]
    done = subprocess.run([sys.executable, SCRIPT, log, noted], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_season_counts_the_points_of_the_tournaments_own_game(night: SimulatedTournament):
    came = current_results([night.tournament])[night.tournament.id].came
    pooled: dict[str, int] = {}
    for sheet in Scoresheet.objects.filter(table__tournament=night.tournament, table__round__lte=2, is_cancelled=False):
        table = load_table(sheet.state)
        for seat, view in table.seats().items():
            pooled[table.players[seat]] = pooled.get(table.players[seat], 0) - (view.total or 0)
    assert {one.player: one.score for one in came} == {one.player: pooled.get(one.player, 0) for one in came}


def test_the_report_names_every_game_and_has_a_table_for_each_stage(night: SimulatedTournament):
    """Planted faults: points for places of the heats under the heading of the final's chips; the heats' game alone."""
    report = tournament_report(night.tournament)
    facts = dict(next(part for part in report.parts if isinstance(part, Facts)).pairs)
    assert facts["Game"] == "Pool 101 · Points rummy · Best of 2 deals · Gin rummy, to 100"
    tables = [part for part in report.parts if isinstance(part, Table) and "Stage" in part.title]
    assert [(table.title, table.columns[2].title) for table in tables] == [
        ("Places · Stage 4: Last two · Gin rummy, to 100", "Total"),
        ("Stage 3: Final · Best of 2 deals", "Chips"),
        ("Stage 2: Cash · Points rummy", "Points"),
        ("Stage 1: Heats", "Points for places"),
    ]
    assert [len(table.rows) for table in tables[:3]] == [2, 2, 4]
