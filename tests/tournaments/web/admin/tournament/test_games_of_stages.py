"""The game of a stage in the admin: picked in the plan's form, named where it differs, printed."""

from typing import Any

import pytest
from django.test import Client
from msgspec import UNSET

from scoring.events import wire
from scoring.problems import OptionsRejected
from scoring.rules.variants import PRESETS
from scoring.tournament.plans import as_stored, read_plan
from tests.builders.admin_tournaments import HEATS, a_night, at
from tests.builders.mixed_stages import played, tables_of
from tests.builders.paper_files import file
from tests.builders.pdf_text import pages
from tests.builders.playing import NOW
from tests.builders.typed_plans import typed
from tournaments.log.context import CommandContext
from tournaments.models import Club
from tournaments.projections.terms import terms_of
from tournaments.running.commands.create import make_plan, whole_plan

pytestmark = pytest.mark.django_db
OWN = {"stage-2-preset": "deals_best_of_2", "stage-2-point_value_minor": "2.50", "stage-2-options": "first_drop=15"}


def test_the_game_of_a_stage_is_picked_and_comes_back_from_its_form(dita: Client, club: Club):
    night = a_night(club)
    assert dita.post(night.url("plan"), typed(HEATS, **OWN)).status_code == 302
    plan = night.plan
    final = plan.stages[1]
    assert (final.preset, final.variant, final.point_value_minor) == ("deals_best_of_2", "deals", 250)
    assert final.options == {**PRESETS["deals_best_of_2"][1].options, "first_drop": 15}
    form = dita.get(night.url("plan")).context["form"]
    stage = form.stage_forms[1]
    shown = {one.name: one.text for one in (*stage.first, *stage.more)}
    assert (shown["preset"], shown["options"]) == ("deals_best_of_2", "first_drop=15")
    assert "Game of this stage: Best of 2 deals" in form.stage_forms[1].summary
    assert as_stored(read_plan(form.raw()), plan) == plan


def test_a_game_without_a_preset_comes_back_from_its_form(dita: Client, club: Club):
    night = a_night(club)
    stages = [HEATS["stages"][0], {**HEATS["stages"][1], **tables_of(2, 2, 2), "variant": "gin"}]
    make_plan(night.tournament.pk, {**HEATS, "stages": stages}, context=CommandContext(actor="user:0", now=NOW))
    form = dita.get(night.url("plan")).context["form"]
    assert "Game of this stage: Gin rummy" in form.stage_forms[1].summary
    assert as_stored(read_plan(form.raw()), night.state.plan) == night.state.plan


def value_of_the_final(club: Club, final: dict[str, Any], **draft: Any) -> object:
    """The value of a point in the final of a new plan; the tournament plays points rummy at 1.00 a point."""
    night = a_night(club, **{"preset": "points", "point_value_minor": 100, **draft})
    heats = {"smallest_table": 2, "advancing": 2}
    make_plan(night.tournament.pk, {"stages": [heats, {**tables_of(2, 2, 2), **final}]}, context=at())
    tables = terms_of(night.tournament).of(night.plan.stages[1])
    assert tables.stakes["point_value_minor"] == (night.plan.stages[1].point_value_minor or 0)
    return night.plan.stages[1].point_value_minor


def test_a_stage_of_another_game_costs_nothing_a_point_unless_its_value_is_given(club: Club):
    """Planted fault: a gin final pays its points at the value of points rummy, and two players lose 1,240.00 each."""
    assert value_of_the_final(club, {"variant": "gin"}) == 0
    assert value_of_the_final(club, {"variant": "gin", "point_value_minor": None}) == 0
    assert value_of_the_final(club, {"variant": "gin", "point_value_minor": 250}) == 250


def test_a_points_stage_of_another_game_asks_for_its_value(club: Club):
    with pytest.raises(OptionsRejected) as refused:
        value_of_the_final(club, {"preset": "points"}, preset="pool_101")
    assert [problem.field for problem in refused.value.problems] == ["stage 2, point_value_minor"]


def test_a_stage_that_was_stored_without_a_value_keeps_that_of_the_tournament(club: Club):
    night = a_night(club, preset="points", point_value_minor=100)
    heats = {"smallest_table": 2, "advancing": 2}
    raw = {"stages": [heats, {**tables_of(2, 2, 2), "variant": "gin"}]}
    night.record(wire.PlanMade(plan=whole_plan(as_stored(read_plan(raw), None))))
    make_plan(night.tournament.pk, raw | {"late_until_round": 1}, context=at())
    assert night.plan.stages[1].point_value_minor is UNSET


def test_a_score_that_another_game_cannot_take_is_refused_at_its_field(dita: Client, club: Club):
    night = a_night(club)
    answer = dita.post(
        night.url("plan"), typed(HEATS, **{"stage-2-preset": "deals_best_of_2", "stage-2-carries": "score"})
    )
    assert answer.status_code == 422
    assert "stage-2-carries" in answer.context["form"].by_input
    assert "carry over nothing, or rank both by points for places" in answer.content.decode()
    assert night.state.plan is None


def test_the_dashboard_names_a_game_that_is_not_the_tournaments(dita: Client, club: Club):
    night = a_night(club)
    own = typed(HEATS, **{"stage-1-preset": "gin", "stage-1-smallest_table": "2", "stage-1-largest_table": "2"})
    one = dita.get(night.url()).content.decode()
    assert dita.post(night.url("plan"), own | {"stage-1-preferred_table": "2"}).status_code == 302
    other = dita.get(night.url()).content.decode()
    seating = dita.get(night.url("seating")).content.decode()
    assert "Gin rummy, to 100" not in one
    assert "Gin rummy, to 100" in other
    assert "Gin rummy, to 100" in seating


@pytest.mark.slow
def test_sheets_and_standings_are_printed_in_the_game_of_their_stage(dita: Client, club: Club):
    night = played(club)
    paper = f"/admin/tournaments/tournament/{night.tournament.pk}/paper/"
    for number, game in ((1, "Pool 101"), (3, "Points rummy"), (4, "Best of 2 deals"), (5, "Gin rummy, to 100")):
        front = pages(file(dita.get(f"{paper}sheets/?round={number}")))[0]
        assert game in front, front
    (standings, *_) = pages(file(dita.get(f"{paper}standings/")))
    assert "Pool 101 · Points rummy · Best of 2 deals · Gin rummy, to 100" in standings
