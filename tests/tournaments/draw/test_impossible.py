"""Seating restrictions that cannot be met are refused with the ones in conflict."""

from dataclasses import replace

import pytest
from django.utils import translation

from tests.builders.impossible_rooms import apart, at
from tests.builders.rooms import room_of, tables_of, wishes_of
from tournaments.draw import Apart, Player, SeatingConstraints, SeatingRejected
from tournaments.draw.constraints import constraint_problems, tangles
from tournaments.draw.drawing import draw, draw_rounds
from tournaments.rendering.i18n.translating import translate


def only_problem(wishes):
    (problem,) = constraint_problems(wishes)
    return problem


@pytest.mark.parametrize(
    ("wishes", "code", "text"),
    [
        (
            room_of(12, apart=apart("P1", "P2", "P3", "P4")),
            "apart_beyond_tables",
            "4 players are all kept apart from one another, but there are 3 tables: P1, P2, P3 and P4",
        ),
        (
            wishes_of("Asha", "Bo", "Cy", "Dev", "Eva", "Fay", apart=apart("Asha", "Bo"), fixed=at(2, "Asha", "Bo")),
            "apart_at_one_table",
            "Asha and Bo are to be kept apart, but both are fixed to table 2",
        ),
        (
            room_of(12, fixed=at(7, "P5")),
            "no_such_table",
            "P5 is fixed to table 7, but there are tables 1 to 3 only",
        ),
        (
            room_of(8, fixed=at(1, "P1", "P2", "P3", "P4", "P5")),
            "fixed_table_full",
            "5 players are fixed to table 1, which has 4 seats: P1, P2, P3, P4 and P5",
        ),
        (room_of(8, fixed=(*at(1, "P1"), *at(2, "P1"))), "fixed_twice", "P1 is fixed to table 1 and to table 2"),
        (
            room_of(8, apart=(Apart(one="P1", other="P1"),)),
            "apart_from_oneself",
            "P1 cannot be kept apart from themselves",
        ),
        (
            room_of(8, apart=apart("P1", "Zed")),
            "player_unknown",
            "Zed has a restriction but is not on the list of players",
        ),
        (
            SeatingConstraints(
                players=(Player(key="1", name="Asha"), Player(key="1", name="Asha"), Player(key="2", name="Bo"))
            ),
            "player_twice",
            "Asha is on the list 2 times",
        ),
    ],
)
def test_a_wish_that_cannot_be_granted_is_named_and_nothing_is_drawn(wishes, code, text):
    problem = only_problem(wishes)
    assert (problem.code, problem.text()) == (code, text)
    assert code != "no_such_table" or (problem.seat, problem.field) == ("P5", "fixed")
    with pytest.raises(SeatingRejected) as refusal:
        draw(wishes, seed="A")
    assert refusal.value.problems == (problem,)


def test_wishes_that_only_together_are_impossible_are_told_as_a_whole():
    room = room_of(8, apart=apart("P1", "P2", "P3")[1:], fixed=(*at(1, "P1"), *at(2, "P2")))
    problem = only_problem(room)
    assert problem.code == "wishes_tangled"
    assert problem.text().endswith(
        ": to keep P1 apart from P3; and to keep P2 apart from P3; and to seat P1 at table 1; and to seat P2 at table 2"
    )


@pytest.mark.parametrize(
    ("players", "more"), [(13, "1 more restriction"), (15, "3 more restrictions"), (61, "49 more restrictions")]
)
def test_of_many_wishes_the_first_twelve_are_told_and_how_many_more_there_are(players, more):
    """An odd ring of players kept from the next: two tables cannot satisfy it, and none of them can be left out.

    Planted fault: every restriction named, which makes sixty sentences in one.
    """
    ring = [f"P{number + 1}" for number in range(players)]
    wishes = tuple(Apart(one=one, other=other) for one, other in zip(ring, [*ring[1:], ring[0]], strict=True))
    (problem,) = tangles(room_of(players, apart=wishes), ring, [players // 2, players - players // 2])
    assert problem.text().count("to keep ") == 12
    assert problem.text().endswith(f"to keep P12 apart from P13; and {more}")
    with translation.override("de"):
        assert "without any one of them" not in translate(problem.message)


def test_wishes_beside_a_contradiction_are_not_blamed_for_it():
    room = room_of(12, apart=(*apart("P1", "P2", "P3", "P4"), *apart("P7", "P8")), fixed=at(1, "P9"))
    assert "P7" not in only_problem(room).text()


def test_all_contradictions_are_reported_at_once():
    room = room_of(
        12,
        apart=(*apart("P1", "P2", "P3", "P4"), *apart("P5", "P6", "P7", "P8"), *apart("P9", "P10")),
        fixed=(*at(9, "P1"), *at(2, "P9", "P10")),
    )
    assert [problem.code for problem in constraint_problems(room)] == [
        "no_such_table",
        "apart_at_one_table",
        "apart_beyond_tables",
        "apart_beyond_tables",
    ]


@pytest.mark.slow
def test_as_many_kept_apart_as_there_are_tables_is_possible():
    room = room_of(12, apart=apart("P1", "P2", "P3"))
    assert constraint_problems(room) == ()
    for seated in draw_rounds(room, seed="A", rounds=3):
        assert len({seated.table_of[key].number for key in ("P1", "P2", "P3")}) == 3


def test_a_room_split_into_rivals_is_seated_all_the_same():
    houses = [[f"P{number}" for number in range(start, 24, 6)] for start in range(1, 6)]
    room = room_of(24, apart=tuple(wish for house in houses for wish in apart(*house)))
    assert draw(room, seed="A", planned=1).tables


def test_a_sit_out_that_leaves_an_impossible_round_is_refused_with_the_wish():
    room = replace(room_of(9, sizes=tables_of(4)), apart=apart("P1", "P2", "P3", "P4", "P5"))
    with pytest.raises(SeatingRejected, match="kept apart"):
        draw(room, seed="A")
