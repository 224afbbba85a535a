"""Every format makes a plan that can be read, and whose numbers fit its players from the first table to the last."""

import pytest

from scoring.messages import Message
from scoring.tournament import Plan, read_plan
from scoring.tournament.plans import Stage
from scoring.tournament.plans.formats import every_format, format_for, format_named
from tests.builders.there import there
from tournaments.draw import Sizes, table_sizes

EVERY = [pytest.param(known, id=known.name) for known in every_format()]


@pytest.mark.parametrize("known", EVERY)
def test_each_reader_is_told_the_name_of_a_stage_in_their_language_if_a_format_gave_it(known):
    """Planted fault: a format with a new name of a stage, which every German reads in English."""
    stages = read_plan(known.plan(known.players[-1])).stages
    assert [stage.called for stage in stages if not isinstance(stage.called, Message)] == []
    assert [str(stage.called) for stage in stages] == [stage.name for stage in stages]
    assert Stage(name="Finale bei Oma").called == "Finale bei Oma"


def plan_of(name: str, players: int) -> Plan:
    return read_plan(there(format_named(name)).plan(players))


def through(stage, players):
    """The players of the next stage: as many as the plan lets qualify from the tables that are seated."""
    sizes = Sizes(allowed=stage.sizes, preferred=stage.preferred_table)
    split = table_sizes(players, sizes)
    assert split.sit_outs == 0
    if stage.advancing:
        return stage.advancing
    return sum(min(stage.per_table, size) for size in split.sizes) + stage.wild_cards


@pytest.mark.parametrize("known", [p for p in EVERY if p.id != "chips_levels"])
def test_everybody_has_a_seat_in_every_stage_and_the_last_one_is_one_table_where_there_was_a_cut(known):
    for players in known.players:
        stages, field = read_plan(known.plan(players)).stages, players
        for stage in stages[:-1]:
            field, before = through(stage, field), field
            assert 0 < field < before
        if len(stages) > 1:
            last = stages[-1]
            assert len(table_sizes(field, Sizes(allowed=last.sizes, preferred=last.preferred_table)).sizes) == 1
        else:
            through(stages[0], field)


def test_48_become_24_and_then_6():
    first, second, last = plan_of("48_24_6", 48).stages
    assert (through(first, 48), through(second, 24)) == (24, 6)
    assert not last.cuts


def test_levels_ask_for_more_each_time_and_let_players_back_in_before_the_final():
    for players in there(format_named("chips_levels")).players:
        stages = plan_of("chips_levels", players).stages
        assert [stage.at_least for stage in stages] == [-200, -100, 0, None]
        assert [stage.reentry_until_round for stage in stages] == [0, 3, 5, 0]
        assert [stage.carries for stage in stages] == ["nothing", "score", "score", "score"]


def test_formats_are_offered_that_suit_the_field_and_the_game():
    assert [known.name for known in format_for(5, "pool")] == ["single_table"]
    assert "48_24_6" in {known.name for known in format_for(48, "pool")}
    assert "chips_levels" not in {known.name for known in format_for(48, "pool")}
    assert "points_session" in {known.name for known in format_for(48, "points")}


def test_there_is_a_format_for_every_field():
    assert [players for players in range(2, 201) if not format_for(players, "pool")] == []
