"""Who qualifies: from each table, over all tables, by a score; and no tie at a cut is broken silently."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events import wire
from tests.builders.plans import HIGH, LOW, POOL, Night, field_of, heats, nights

TABLES = {"asha": 20, "bo": 40, "cy": 60}, {"dev": 70, "sam": 75, "dita": 99}
SIX = ("asha", "bo", "cy", "dev", "sam", "dita")


def cut_of(*tables, players=SIX, game=None, plan=None, **stage):
    made = heats(**stage) | (plan or {})
    return Night(made, players, *([game] if game else [])).play(*(tables or TABLES))


@pytest.mark.parametrize(
    ("stage", "game", "advancing"),
    [
        ({"per_table": 1}, LOW, ("asha", "dev")),
        ({"per_table": 1, "wild_cards": 2}, LOW, ("asha", "bo", "cy", "dev")),
        ({"advancing": 4}, LOW, ("asha", "bo", "cy", "dev")),
        ({"at_least": 60}, LOW, ("asha", "bo", "cy")),
        ({"at_least": 75}, HIGH, ("dita", "sam")),
        # A player who has the score takes no wild card from others.
        ({"at_least": 20, "wild_cards": 1}, LOW, ("asha", "bo")),
    ],
)
def test_those_who_qualify_go_on_seeded_by_their_standing(stage, game, advancing):
    assert cut_of(game=game, **stage).proposal().advancing == advancing


def test_each_player_who_goes_on_is_told_why():
    reasons = cut_of(per_table=1, wild_cards=2).proposal().reasons
    assert (str(reasons["cy"]), str(reasons["dev"])) == ("extra qualifier", "best 1 of table 2")


def test_unequal_tables_are_compared_by_what_a_place_is_worth():
    tables = {"asha": 1, "bo": 2}, {"cy": 50, "dev": 60, "sam": 70, "dita": 80}
    by_score = cut_of(*tables, per_table=1, wild_cards=1).proposal()
    by_points = cut_of(*tables, per_table=1, wild_cards=1, compares="rank_points").proposal()
    assert by_score.advancing == ("asha", "bo", "cy")
    assert set(by_points.advancing[:2]) == {"asha", "cy"}
    assert by_points.tasks[0].players == ("bo", "dev")


def test_a_player_who_left_does_not_go_on_and_the_next_one_does():
    night = cut_of(per_table=1)
    night.then(wire.PlayerLeft(player="asha"))
    assert night.proposal().advancing == ("bo", "dev")


def test_a_tie_at_the_cut_is_a_task_and_nobody_of_it_goes_on_by_chance():
    night = cut_of({"asha": 20, "bo": 40, "cy": 40}, TABLES[1], per_table=2)
    (task,) = night.proposal().tasks
    assert (task.players, task.places, str(task.where)) == (("bo", "cy"), 1, "best 2 of table 1")
    assert task.methods == ("high_card",)
    assert night.proposal().advancing == ("asha", "dev", "sam")
    any_way = cut_of({"asha": 20, "bo": 40, "cy": 40}, TABLES[1], per_table=2, plan={"tie_breaks": []})
    assert any_way.proposal().tasks[0].methods == ("extra_deal", "high_card", "lots")
    not_at_the_cut = cut_of({"asha": 20, "bo": 20, "cy": 40}, TABLES[1], per_table=2)
    assert not_at_the_cut.proposal().tasks == ()


def test_the_chain_is_asked_before_anybody_draws_a_card():
    night = Night(heats(per_table=2), SIX)
    night.play({"asha": 20, "bo": 40, "cy": 40}, TABLES[1], deals_won={"cy": 2})
    assert night.proposal().tasks == ()
    assert "cy" in night.proposal().advancing


def test_an_extra_deal_in_the_chain_comes_before_what_stands_behind_it():
    chain = {"tie_breaks": ["extra_deal", "deals_won", "lots"]}
    night = Night(heats(per_table=2) | chain, SIX)
    night.play({"asha": 20, "bo": 40, "cy": 40}, TABLES[1], deals_won={"cy": 2})
    assert [task.methods for task in night.proposal().tasks] == [("extra_deal", "lots")]


def test_a_settled_tie_lets_the_cut_be_made():
    night = cut_of({"asha": 20, "bo": 40, "cy": 40}, TABLES[1], per_table=2)
    night.then(wire.TieSettled(stage=1, order=("cy", "bo"), method="high_card", cards={"cy": "AS", "bo": "2C"}))
    assert night.proposal().tasks == ()
    assert night.proposal().advancing == ("asha", "cy", "dev", "sam")


def test_a_tie_at_a_table_is_settled_there_although_others_elsewhere_are_level_too():
    night = cut_of({"asha": 20, "bo": 20, "cy": 40}, {"dev": 20, "sam": 20, "dita": 99}, per_table=1)
    for order in (("bo", "asha"), ("sam", "dev")):
        night.then(wire.TieSettled(stage=1, order=order, method="high_card"))
    assert night.proposal().tasks == ()
    assert set(night.proposal().advancing) == {"bo", "sam"}


def test_a_tie_for_a_wild_card_is_settled_among_those_who_need_it():
    night = cut_of({"asha": 20, "bo": 20, "cy": 60}, {"sam": 10, "dev": 20, "dita": 99}, per_table=1, wild_cards=1)
    for order in (("asha", "bo"), ("dev", "bo")):
        night.then(wire.TieSettled(stage=1, order=order, method="extra_deal"))
    assert night.proposal().tasks == ()
    assert set(night.proposal().advancing) == {"sam", "asha", "dev"}


def test_wild_cards_wait_until_the_tables_are_settled():
    night = cut_of({"asha": 20, "bo": 20, "cy": 40}, TABLES[1], per_table=1, wild_cards=1)
    assert [str(task.where) for task in night.proposal().tasks] == ["best 1 of table 1"]
    night.then(wire.TieSettled(stage=1, order=("bo", "asha"), method="extra_deal"))
    assert str(night.proposal().reasons["asha"]) == "extra qualifier"


@pytest.mark.parametrize(("game", "carried"), [(HIGH, 16), (LOW, 17)])
def test_what_is_carried_is_rounded_against_the_player(game, carried):
    first = {"rounds": 3, "smallest_table": 2, "advancing": 3}
    night = Night({"stages": [first, {"smallest_table": 2, "carries": "score"}]}, ("asha", "bo", "cy"), game)
    night.play({"asha": 10, "bo": 20, "cy": 5}).play({"asha": 11, "bo": 7, "cy": 6})
    night.play({"bo": 0, "asha": 0}, out=["cy"])
    assert night.results()["cy"].score == Fraction(33, 2)
    assert night.proposal().carried["cy"] == carried


def test_a_player_who_has_not_sat_down_yet_goes_nowhere():
    night = cut_of(advancing=4, players=(*SIX, "late"))
    assert len(night.results()) == 7
    assert "late" not in night.proposal().advancing


def test_a_pool_table_sends_on_whoever_went_out_last():
    night = Night(heats(per_table=2), SIX, POOL)
    night.play(
        {"asha": 50, "bo": 110, "cy": 101},
        {"dev": 120, "sam": 105, "dita": 10},
        out_in_deal={"bo": 9, "cy": 4, "dev": 6, "sam": 2},
    )
    assert night.proposal().advancing == ("dita", "asha", "bo", "dev")


def test_a_player_who_was_out_before_a_move_belongs_to_the_table_that_took_the_others_over():
    night = Night(heats(per_table=2), ("asha", "bo", "cy", "dev"), POOL)
    night.play({"asha": 50, "bo": 110}, {"cy": 60, "dev": 102}, out_in_deal={"bo": 6, "dev": 3})
    night.then(wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, ("asha", "cy")),)))
    night.played += Night(heats(per_table=2), game=POOL).play({}, {}, {"asha": 70, "cy": 80}).played
    assert night.proposal().advancing == ("asha", "cy")


@pytest.mark.parametrize("many", [48, 47, 40])
def test_the_numbers_of_a_cut_are_kept_whatever_is_level(many):
    players = field_of(many)
    tables = [dict.fromkeys(players[start : start + 6], 20) for start in range(0, many, 6)]
    night = Night(heats(per_table=3), players).play(*tables)
    assert sum(task.places for task in night.proposal().tasks) == 3 * len(tables)


@given(nights(), st.integers(min_value=1, max_value=7))
def test_those_who_go_on_and_those_who_must_be_settled_fill_the_places(night, places):
    stage = night.plan["stages"][0] | {"advancing": places}
    plan = night.plan | {"stages": [stage, {"smallest_table": 2}]}
    made = Night(plan, night.players, night.game)
    made.events += [event for event in night.events if isinstance(event, wire.RoundSeated)]
    made.played = night.played
    proposal = made.proposal()
    assert len(proposal.advancing) + sum(task.places for task in proposal.tasks) == places
    assert all(len(task.players) > task.places for task in proposal.tasks)
