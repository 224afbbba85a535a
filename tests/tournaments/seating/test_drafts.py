"""A draft that a director changes by hand: the result of the change, and its warnings."""

import pytest

from tests.builders.rooms import CAST, check_rounds, room_of, tables_of, wishes_of
from tournaments.draw import (
    Apart,
    FixedTable,
    Player,
    SeatedRound,
    SeatedTable,
    SeatingConstraints,
    SeatingRejected,
    move,
    round_of,
    sit_out,
    swap,
)
from tournaments.draw.checking import check

SIX = ("P1", "P2", "P3", "P4", "P5", "P6")
DRAFT = round_of({1: SIX[:3], 2: SIX[3:]})
FAR_APART = round_of({1: ("P1", "P4"), 2: ("P2", "P5"), 3: ("P3", "P6")})


def six(**firm):
    return room_of(6, sizes=tables_of(3), **firm)


def errors(draft, wishes):
    return {problem.code: problem.text() for problem in check(draft, wishes).errors}


def warnings(draft, wishes, *history):
    return {problem.code: problem.text() for problem in check(draft, wishes, history).warnings}


def test_two_players_change_places_seat_for_seat():
    assert swap(DRAFT, "P1", "P5") == round_of({1: ("P5", "P2", "P3"), 2: ("P4", "P1", "P6")})


def test_a_swap_taken_back_is_the_draft_again():
    assert swap(swap(DRAFT, "P1", "P5"), "P1", "P5") == DRAFT


def test_a_player_comes_in_for_one_who_sits_out():
    draft = round_of({1: SIX[:3]}, sits_out=["P4"])
    assert swap(draft, "P2", "P4") == round_of({1: ("P1", "P4", "P3")}, sits_out=["P2"])


def test_a_player_moves_to_the_seat_named():
    assert move(DRAFT, "P1", table=2, seat=2) == round_of({1: ("P2", "P3"), 2: ("P4", "P1", "P5", "P6")})


def test_a_table_is_opened_by_a_move_and_closed_by_the_last_one_leaving():
    opened = move(DRAFT, "P1", table=3)
    assert opened.table_of["P1"] == SeatedTable(number=3, seats=("P1",))
    assert move(opened, "P1", table=1, seat=1) == DRAFT


def test_a_player_who_sits_out_loses_the_seat_and_can_be_moved_back():
    without = sit_out(DRAFT, "P3")
    assert without == round_of({1: ("P1", "P2"), 2: SIX[3:]}, sits_out=["P3"])
    assert move(without, "P3", table=1) == DRAFT


def test_nobody_can_be_moved_who_is_not_in_the_round():
    with pytest.raises(SeatingRejected, match="Zed is neither seated nor sitting out"):
        swap(DRAFT, "P1", "Zed")


def test_there_is_no_table_nought_to_move_to():
    with pytest.raises(SeatingRejected, match="there is no table 0"):
        move(DRAFT, "P1", table=0)


def test_a_good_draft_has_nothing_against_it():
    findings = check(DRAFT, six())
    assert (findings.errors, findings.warnings) == ((), ())


def test_a_player_without_a_seat_and_one_with_two_are_errors():
    found = errors(round_of({1: SIX[:3], 2: ("P4", "P5", "P1")}), six())
    assert found["not_seated"] == "P6 has no seat and does not sit out"
    assert found["seated_twice"] == "P1 has 2 places in this round"


def test_somebody_who_is_not_on_the_list_is_an_error():
    assert "player_unknown" in errors(round_of({1: SIX[:3], 2: ("P4", "P5", "Zed")}), six())


def test_a_table_number_given_twice_is_an_error():
    twice = SeatedRound(tables=(SeatedTable(number=1, seats=SIX[:3]), SeatedTable(number=1, seats=SIX[3:])))
    assert errors(twice, six())["table_twice"] == "there are 2 tables with the number 1"


def test_a_size_that_is_not_allowed_and_too_many_tables_are_errors():
    found = errors(FAR_APART, room_of(6, sizes=tables_of(3, most_tables=2)))
    assert found["size_not_allowed"] == "table 3 has 2 players; allowed are 3"
    assert found["room_too_small"] == "3 tables are in use, but the room has 2"


def test_firm_wishes_that_a_draft_breaks_are_errors():
    wishes = six(apart=(Apart(one="P1", other="P2"),), fixed=(FixedTable(player="P6", table=1),))
    found = errors(DRAFT, wishes)
    assert found["kept_apart"] == "P1 and P2 are to be kept apart, but both sit at table 1"
    assert found["fixed_table"] == "P6 needs table 1, but sits at table 2"


def test_uneven_tables_and_a_table_of_two_are_warnings():
    found = warnings(move(DRAFT, "P1", table=2), room_of(6))
    assert found["sizes_uneven"] == "tables have 2 to 4 players; they should differ by one at most"
    assert found["table_of_two"] == "table 1 has only 2 players"


def test_a_pair_that_meets_again_is_a_warning_with_how_often():
    again = warnings(DRAFT, six(), round_of({1: ("P1", "P2")}), round_of({1: ("P1", "P2")}))
    assert again["met_before"] == "P1 and P2 meet again at table 1; they have met twice before"


def test_players_of_the_only_table_are_not_told_that_they_have_met():
    """Planted fault: a warning for each pair of a final."""
    final, before = round_of({1: ("P1", "P2", "P3")}), round_of({1: ("P1", "P2"), 2: ("P3", "P4")})
    assert "met_before" not in warnings(final, room_of(3), before)


def test_club_mates_at_one_table_are_a_warning_only_where_clubs_are_kept_apart():
    players = (*(Player(key=key, club="Pune") for key in CAST[:2]), Player(key="Cy"))
    draft = round_of({1: ("Asha", "Bo", "Cy")})
    told = warnings(draft, SeatingConstraints(players=players, clubs_apart=True))
    assert told["club_mates"] == "Asha and Bo, both of Pune, meet at table 1"
    assert "club_mates" not in warnings(draft, SeatingConstraints(players=players))


def test_a_third_visit_to_a_table_is_a_warning_unless_the_table_is_needed():
    found = warnings(DRAFT, six(), FAR_APART, FAR_APART)
    assert found["table_again"] == "P5 has sat twice at table 2 before"
    needed = (FixedTable(player="P1", table=1), FixedTable(player="P5", table=2))
    assert "table_again" not in warnings(DRAFT, six(fixed=needed), FAR_APART, FAR_APART)


def test_sitting_out_again_before_others_have_is_a_warning():
    draft = round_of({1: ("Asha", "Bo", "Cy")}, sits_out=["Dev"])
    found = warnings(draft, wishes_of(*CAST, sizes=tables_of(3)), draft)
    assert found["sits_out_again"] == "Dev has sat out once, somebody else never"


def test_dealing_first_twice_more_than_somebody_is_a_warning():
    assert warnings(DRAFT, six(), DRAFT)["deals_again"] == "P4 would have dealt first twice, somebody else never"


def test_each_round_of_a_prepared_plan_is_checked_against_the_rounds_before():
    first, second = check_rounds([DRAFT, DRAFT], six())
    assert first.warnings == ()
    assert "met_before" in {problem.code for problem in second.warnings}
