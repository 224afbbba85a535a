"""What plans, rounds, entries, cuts, seasons and screens refuse is said again in the language of the page."""

from collections.abc import Iterable
from typing import Any

import pytest
from django.utils import translation

from scoring.evening import read_plan
from scoring.evening.checks.admission import problems_with
from scoring.facts import wire
from scoring.facts.table import Fact
from scoring.messages import Message, say
from scoring.problems import OptionsRejected, Problem
from scoring.seasons.formula import read_formula
from tests.scoring.evening.nights import Night
from tournaments.evenings.commands.create import plan_of_format
from tournaments.models import Scoresheet, Table
from tournaments.people.players import name_problems
from tournaments.rendering.i18n.translating import is_known, told, translate
from tournaments.tables.commands.table_tokens import still_open

NAMES = {"asha": "Asha Rao", "bo": "Bo 7", "cy": "Cy", "dev": "Dev: the younger", "eve": "Eve"}


def unknown(said: Iterable[str | Message]) -> set[str | Message]:
    """What has no form; telling it breaks in no language."""
    for language in ("de", "hi"):
        with translation.override(language):
            assert all(told(one) for one in said)
    return {one for one in said if not is_known(one)}


def refused(night: Night, fact: Fact) -> set[str]:
    return {problem.said(NAMES) for problem in problems_with(night.evening, fact)}


@pytest.fixture
def begun() -> Night:
    """One round of two stages is played; Asha has left since, and for Cy a substitute came in."""
    night = Night({"stages": [{"smallest_table": 2, "advancing": 2}, {"smallest_table": 2}]})
    night.play({"asha": 10, "bo": 20}, {"cy": 30, "dev": 40})
    return night.then(wire.PlayerLeft(player="asha"), wire.PlayerSubstituted(player="cy", by="eve", reason="x"))


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (wire.PlayerEntered(player="asha"), "Asha Rao has left: let them return instead"),
        (wire.PlayerEntered(player="new"), "new is too late: entries were taken up to round 1, and round 2 is next"),
        (
            wire.EntryWithdrawn(player="cy", reason="x"),
            "Cy was replaced by a substitute: withdraw the substitute first",
        ),
        (
            wire.EntryWithdrawn(player="dev", reason="x"),
            "Dev: the younger has been seated already: say that they left",
        ),
        (wire.CheckedIn(player="asha"), "Asha Rao has left"),
        (wire.PlayerReentered(player="asha", stage=1), "stage 1 takes no re-entries"),
        (wire.PlanMade(plan={"stages": [{}]}), "the tournament has begun: say why the plan changes"),
        (wire.ClockPaused(round=1, at=1), "the clock of round 1 is not running"),
        (wire.TimeAdded(round=1, seconds=60, table=7, reason="x"), "table 7 is not running in round 1"),
        (wire.CutMade(stage=2, advancing=("bo", "bo")), "stage 1 is being played, not stage 2"),
        (
            wire.RoundSeated(stage=1, round=3, tables=((1, ("asha", "asha")), (1, ("bo",))), method="draw"),
            "table 1 has 1 player; 2 to 10 sit",
        ),
    ],
)
def test_what_an_evening_refuses_has_its_form(begun: Night, fact: Fact, expected: str) -> None:
    """Planted: a refusal of the evening reworded without its form."""
    said = refused(begun, fact)
    assert expected in said
    assert unknown(said) == set()


@pytest.mark.parametrize(
    ("stages", "expected"),
    [
        (
            [{"smallest_table": 5, "largest_table": 4, "carries": "score"}, {"per_table": 1, "advancing": 1}],
            {
                "stage 1: tables of 6 are preferred, but 5 to 4 are allowed",
                "stage 1 is the first one: there is no score to bring",
                "stage 1 does not say who goes on to the next stage",
                "stage 2 is the last one: its players do not go on anywhere",
                "stage 2: either 1 goes on altogether, or so many of each table and wild cards",
            },
        ),
        ([{}] * 60, {"a plan has 1 to 12 stages, not 60"}),
    ],
)
def test_what_a_plan_is_refused_for_has_its_form(stages: list[dict[str, Any]], expected: set[str]) -> None:
    with pytest.raises(OptionsRejected) as found:
        read_plan({"stages": stages})
    said = {problem.said() for problem in found.value.problems}
    assert expected <= said
    assert unknown(said) == set()


def test_what_names_formats_and_formulas_are_refused_for_has_its_form() -> None:
    said: set[str | Message] = set()
    for name in ("one_table", "nine_tables"):
        with pytest.raises(OptionsRejected) as found:
            plan_of_format(name, 900)
        said |= {problem.message for problem in found.value.problems}
    with pytest.raises(OptionsRejected) as found:
        read_formula({"place_points": [1, 2], "categories": [{"name": "Pool: late"}, {"name": "Pool: late"}]})
    said |= {problem.said() for problem in found.value.problems}
    assert "Pool: late: say which games count here" in said
    assert unknown(said) == set()


@pytest.mark.parametrize(
    "said",
    [
        "row 3: Asha Rao has left: let them return instead",
        "row 3: Asha Rao is too late: entries were taken up to round 1, and round 2 is next",
        "0 of 1 round of stage 1 are seated",
        "−12, and 20 or fewer were asked for",
        "Asha Rao: 'x' is not a whole number",
    ],
)
def test_what_follows_names_and_prefixes_has_its_form(said: str) -> None:
    assert unknown({said}) == set()


@pytest.mark.parametrize(
    ("said", "german"),
    [
        (
            "row 3: Asha Rao has left: let them return instead",
            "Zeile 3: Asha Rao ist gegangen: Lass die Person stattdessen zurückkommen",
        ),
    ],
)
def test_every_part_that_is_words_is_said_in_german(said: str, german: str) -> None:
    with translation.override("de"):
        assert told(said) == german


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
    """Planted: a table called "Winners" told as "Gewinner"."""
    with translation.override("de"):
        assert translate(found().message) == german
