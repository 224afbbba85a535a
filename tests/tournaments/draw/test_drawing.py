"""The draw of a round and of a night: the seating is valid whatever the room and the restrictions."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.rooms import (
    check_rounds,
    dealt_first,
    places,
    repeated_meetings,
    room_of,
    seat_counts,
    sizes_in,
    tables_of,
    wishes_of,
)
from tournaments.draw import Apart, FixedTable, Player, SeatingConstraints, SeatingRejected
from tournaments.draw.checking import check
from tournaments.draw.constraints import constraint_problems
from tournaments.draw.drawing import draw, draw_rounds

A_FEW = settings(max_examples=12)


@st.composite
def wishful_rooms(draw_from):
    """A room of 2 to 40 players with some firm restrictions, which may or may not be possible."""
    room = room_of(draw_from(st.integers(2, 40)))
    keys = st.sampled_from(room.keys)
    apart = draw_from(st.lists(st.builds(lambda one, other: Apart(one=one, other=other), keys, keys), max_size=4))
    fixed = draw_from(
        st.lists(st.builds(lambda key, table: FixedTable(player=key, table=table), keys, st.integers(1, 4)), max_size=3)
    )
    return replace(room, apart=tuple(apart), fixed=tuple(fixed))


@pytest.mark.slow
@A_FEW
@given(room=wishful_rooms(), rounds=st.integers(1, 2))
def test_every_firm_wish_holds_in_every_round_or_the_draw_is_refused(room, rounds):
    if constraint_problems(room):
        with pytest.raises(SeatingRejected):
            draw_rounds(room, seed="A", rounds=rounds)
        return
    night = draw_rounds(room, seed="A", rounds=rounds)
    assert [findings.errors for findings in check_rounds(night, room)] == [()] * rounds


@pytest.mark.slow
@A_FEW
@given(players=st.integers(2, 60), allowed=st.sets(st.integers(2, 10), min_size=1), rounds=st.integers(1, 2))
def test_everybody_sits_once_or_is_a_recorded_sit_out(players, allowed, rounds):
    if players < min(allowed):
        return
    room = room_of(players, sizes=tables_of(*sorted(allowed)))
    for seated in draw_rounds(room, seed="A", rounds=rounds):
        assert places(seated) == Counter(room.keys)
        assert set(sizes_in(seated)) <= allowed
        assert max(sizes_in(seated)) - min(sizes_in(seated)) <= 1


@pytest.mark.slow
@A_FEW
@given(order=st.permutations(range(1, 14)), seed=st.text(max_size=8))
def test_the_order_in_which_players_are_listed_changes_nothing(order, seed):
    room = room_of(13, sizes=tables_of(4, 5))
    shuffled = wishes_of(*(f"P{number}" for number in order), sizes=room.sizes)
    assert draw_rounds(shuffled, seed=seed, rounds=1) == draw_rounds(room, seed=seed, rounds=1)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_night_and_another_seed_another():
    room = room_of(17)
    night = draw_rounds(room, seed="K7QF-2M9X", rounds=3)
    assert draw_rounds(room, seed="K7QF-2M9X", rounds=3) == night
    assert draw_rounds(room, seed="K7QF-2M9Y", rounds=3) != night


def test_a_seed_gives_what_it_has_always_given():
    night = draw_rounds(wishes_of("Asha", "Bo", "Cy", "Dev", "Eva", "Fay", "Gil"), seed="K7QF-2M9X", rounds=1)
    assert [table.seats for table in night[0].tables] == [("Bo", "Gil", "Fay", "Dev"), ("Eva", "Cy", "Asha")]


def test_names_and_clubs_do_not_change_the_draw():
    room = room_of(12)
    named = tuple(Player(key=key, name=f"Player {key}", club="Pune") for key in room.keys)
    assert draw(replace(room, players=named), seed="A", planned=1) == draw(room, seed="A", planned=1)


def test_rounds_drawn_one_by_one_are_those_of_the_whole_night():
    room = room_of(16)
    night = draw_rounds(room, seed="A", rounds=3)
    assert draw(room, seed="A", history=night[:2], planned=3) == night[2]


def test_a_round_after_a_changed_one_still_avoids_those_who_met():
    room = room_of(40)
    first = draw(room, seed="A", planned=1)
    second = draw(room, seed="B", history=[first], planned=2)
    assert repeated_meetings([first, second]) == 0


def test_a_late_player_is_drawn_in_without_meeting_anybody_twice():
    past = draw_rounds(room_of(40), seed="A", rounds=2)
    third = draw(room_of(41), seed="A", history=past, planned=2)
    assert places(third)["P41"] == 1
    assert repeated_meetings([*past, third]) == 0


@pytest.mark.slow
def test_nobody_sits_out_twice_before_everybody_has_once():
    night = draw_rounds(room_of(9, sizes=tables_of(4)), seed="A", rounds=9)
    assert Counter(key for seated in night for key in seated.sits_out) == Counter(room_of(9).keys)


@pytest.mark.slow
def test_dealers_and_seats_are_within_one_with_tables_of_two_sizes():
    room = room_of(17, sizes=tables_of(3, 4, 5, 6, preferred=3))
    night = draw_rounds(room, seed="A", rounds=5)
    dealt = dealt_first(night)
    assert max(dealt.values()) - min(dealt[key] for key in room.keys) <= 1
    shared = min(size for seated in night for size in sizes_in(seated))
    others = [counts[1:] for counts in seat_counts(night, shared).values()]
    assert all(max(counts) - min(counts) <= 1 for counts in others)


def test_club_mates_meet_only_where_there_is_no_other_way_and_that_is_a_warning():
    players = tuple(Player(key=f"P{number}", club=f"C{number % 4}") for number in range(16))
    room = SeatingConstraints(players=players, sizes=tables_of(4), clubs_apart=True)
    assert check(draw(room, seed="A", planned=1), room).warnings == ()
    mates = tuple(Player(key=key, club="Pune") for key in ("Asha", "Bo", "Cy"))
    room = SeatingConstraints(players=mates, clubs_apart=True)
    assert {problem.code for problem in check(draw(room, seed="A", planned=1), room).warnings} == {"club_mates"}


def test_a_night_of_no_rounds_is_refused():
    with pytest.raises(SeatingRejected, match="0 rounds are asked for"):
        draw_rounds(room_of(8), seed="A", rounds=0)
