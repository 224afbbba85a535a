"""Refusals of plans, rounds, entries, cuts, seasons and screens are translated into the language of the page."""

from typing import Any

import pytest
from django.utils import translation
from syrupy.assertion import SnapshotAssertion

from scoring.events import wire
from scoring.events.table import Event
from scoring.messages import say
from scoring.problems import OptionsRejected, Problem
from scoring.tournament import read_plan
from scoring.tournament.checks import problems_with
from tests.builders.plans import Night
from tests.builders.untranslated import left_in_english
from tournaments.models import Scoresheet, Table
from tournaments.people.players import name_problems
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.commands.table_tokens import still_open

NAMES = {"asha": "Asha Rao", "bo": "Bo 7", "cy": "Cy", "dev": "Dev: the younger", "eve": "Eve"}


@pytest.fixture
def begun() -> Night:
    """One round of two stages is played; Asha has left since, and for Cy a substitute came in."""
    night = Night({"stages": [{"smallest_table": 2, "advancing": 2}, {"smallest_table": 2}]})
    night.play({"asha": 10, "bo": 20}, {"cy": 30, "dev": 40})
    return night.then(wire.PlayerLeft(player="asha"), wire.PlayerSubstituted(player="cy", by="eve", reason="x"))


@pytest.mark.parametrize(
    "event",
    [
        wire.PlayerEntered(player="asha"),
        wire.PlayerEntered(player="new"),
        wire.EntryWithdrawn(player="cy", reason="x"),
        wire.EntryWithdrawn(player="dev", reason="x"),
        wire.CheckedIn(player="asha"),
        wire.PlayerReentered(player="asha", stage=1),
        wire.PlanMade(plan={"stages": [{}]}),
        wire.ClockPaused(round=1, at=1),
        wire.TimeAdded(round=1, seconds=60, table=7, reason="x"),
        wire.CutMade(stage=2, advancing=("bo", "bo")),
        wire.RoundSeated(stage=1, round=3, tables=((1, ("asha", "asha")), (1, ("bo",))), method="draw"),
    ],
    ids=str,
)
def test_what_an_evening_refuses_has_its_form(begun: Night, event: Event, snapshot: SnapshotAssertion) -> None:
    problems = problems_with(begun.state, event)
    assert [problem.text(NAMES) for problem in problems] == snapshot
    assert left_in_english((problem.message for problem in problems), NAMES) == set()


@pytest.mark.parametrize(
    "stages",
    [
        [{"smallest_table": 5, "largest_table": 4, "carries": "score"}, {"per_table": 1, "advancing": 1}],
        [{}] * 60,
    ],
    ids=["two", "sixty"],
)
def test_what_a_plan_is_refused_for_has_its_form(stages: list[dict[str, Any]], snapshot: SnapshotAssertion) -> None:
    with pytest.raises(OptionsRejected) as found:
        read_plan({"stages": stages})
    assert [problem.text() for problem in found.value.problems] == snapshot
    assert left_in_english(problem.message for problem in found.value.problems) == set()


def of_table(name: str, deals: int) -> Problem:
    return still_open(Scoresheet(table=Table(name=name, number=1, round=2), deals=deals))


@pytest.mark.parametrize(
    ("found", "german"),
    [
        (lambda: of_table("", 1), "Tisch 1 (Runde 2) ist nach 1 Deal noch offen"),
        (lambda: of_table("", 0), "Tisch 1 (Runde 2) ist nach 0 Deals noch offen"),
        (lambda: of_table("Winners", 0), "Winners (Runde 2) ist nach 0 Deals noch offen"),
        (lambda: name_problems("", "name", say("name"))[0], "Name: Ein Name fehlt"),
    ],
)
def test_a_table_goes_by_its_number_in_the_language_of_the_page_and_by_its_name_as_it_is(found, german: str) -> None:
    """Planted fault: a table called "Winners" shown as "Gewinner"."""
    with translation.override("de"):
        assert translate(found().message) == german
