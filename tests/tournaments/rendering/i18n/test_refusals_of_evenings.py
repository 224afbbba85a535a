"""What plans, rounds, entries, cuts, seasons and screens refuse is said again in the language of the page."""

from typing import Any

import pytest
from django.utils import translation

from scoring.evening import read_plan
from scoring.evening.checks.admission import problems_with
from scoring.facts import wire
from scoring.facts.table import Fact
from scoring.problems import OptionsRejected
from scoring.seasons.formula import read_formula
from tests.scoring.evening.nights import Night
from tournaments.evenings.commands.create import plan_of_format
from tournaments.people.players import name_problems
from tournaments.rendering.i18n.translating import is_known, told

NAMES = {"asha": "Asha Rao", "bo": "Bo 7", "cy": "Cy", "dev": "Dev: the younger", "eve": "Eve"}


def unknown(said: set[str]) -> set[str]:
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
    said = {problem.said() for where in ("name", "line 3", "row 12") for problem in name_problems("x" * 900, where)}
    said |= {problem.said() for name in ("", "a\x00") for problem in name_problems(name, "row 1")}
    for name in ("one_table", "nine_tables"):
        with pytest.raises(OptionsRejected) as found:
            plan_of_format(name, 900)
        said |= {problem.said() for problem in found.value.problems}
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
        "row 3: 2 players are called Asha; write Asha (0a1b) or Asha (0a2c)",
        "2 players are called Asha; write Asha (0a1b) or Asha (0a2c)",
        "Table 1 (round 1) is still open after 1 deal",
        "Window 2 (round 12) has 3 deals that nobody else has confirmed",
        "0 of 1 round of stage 1 are seated",
        "A, B are level at the cut (best 3 over all tables), and 1 of them goes on: settle it by extra deal or by lots",
        "Bo, Cy, Dev are level at the cut (wild card), and 2 of them go on: settle it by high card",
        "−12, and 20 or fewer were asked for",
        "Rehearsal 7: Pool 101 is closed: reopen it first, if it is to be given up",
        "Monsoon goes on until 2026-11-30: let it end earlier first, if it should",
        "standings: from 3 to 600 seconds, not 2",
        "table 120: tables are numbered from 1 to 99",
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
        (
            "A, B are level at the cut (wild card), and 1 of them goes on: settle it by extra deal or by lots",
            (
                "A, B sind am Schnitt gleichauf (Wildcard), und 1 davon kommt weiter: "
                "Entscheide es durch Zusatzdeal oder Los"
            ),
        ),
        ("Table 1 (round 2) is still open after 1 deal", "Tisch 1 (Runde 2) ist nach 1 Deal noch offen"),
        ("Table 1 (round 2) is still open after 0 deals", "Tisch 1 (Runde 2) ist nach 0 Deals noch offen"),
        ("Final (round 9) has a disputed deal", "Final (Runde 9): Ein Deal ist strittig"),
        ("One table is for 2 to 10 players, not 11", "Ein Tisch ist für 2 bis 10 Spieler, nicht für 11"),
        ("row 12: a name is needed", "Zeile 12: Ein Name fehlt"),
    ],
)
def test_every_part_that_is_words_is_said_in_german(said: str, german: str) -> None:
    """Planted: methods joined by a bare `or`, which a form of amounts takes for names."""
    with translation.override("de"):
        assert told(said) == german
