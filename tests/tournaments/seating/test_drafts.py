"""A draft that a director changes by hand: the result of the change, and its warnings."""

from typing import Any

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


# What a director does to a draft, and the draft that it leaves.
CHANGES = {
    "two players change places seat for seat": (
        lambda: swap(DRAFT, "P1", "P5"),
        round_of({1: ("P5", "P2", "P3"), 2: ("P4", "P1", "P6")}),
    ),
    "a swap taken back": (lambda: swap(swap(DRAFT, "P1", "P5"), "P1", "P5"), DRAFT),
    "a player comes in for one who sits out": (
        lambda: swap(round_of({1: SIX[:3]}, sits_out=["P4"]), "P2", "P4"),
        round_of({1: ("P1", "P4", "P3")}, sits_out=["P2"]),
    ),
    "a player moves to the seat named": (
        lambda: move(DRAFT, "P1", table=2, seat=2),
        round_of({1: ("P2", "P3"), 2: ("P4", "P1", "P5", "P6")}),
    ),
    "a table is opened by a move": (
        lambda: move(DRAFT, "P1", table=3),
        round_of({1: ("P2", "P3"), 2: SIX[3:], 3: ("P1",)}),
    ),
    "and closed by the last one leaving": (
        lambda: move(move(DRAFT, "P1", table=3), "P1", table=1, seat=1),
        DRAFT,
    ),
    "a player sits out": (lambda: sit_out(DRAFT, "P3"), round_of({1: ("P1", "P2"), 2: SIX[3:]}, sits_out=["P3"])),
    "and comes back": (lambda: move(sit_out(DRAFT, "P3"), "P3", table=1), DRAFT),
}


def test_a_change_by_hand_leaves_everybody_else_where_they_sat():
    assert {said: change() for said, (change, _) in CHANGES.items()} == {
        said: left for said, (_, left) in CHANGES.items()
    }


def test_nobody_is_moved_who_is_not_in_the_round_or_to_a_table_that_cannot_be():
    with pytest.raises(SeatingRejected, match="Zed is neither seated nor sitting out"):
        swap(DRAFT, "P1", "Zed")
    with pytest.raises(SeatingRejected, match="there is no table 0"):
        move(DRAFT, "P1", table=0)


TWICE = SeatedRound(tables=(SeatedTable(number=1, seats=SIX[:3]), SeatedTable(number=1, seats=SIX[3:])))
ERRORS = [
    (
        round_of({1: SIX[:3], 2: ("P4", "P5", "P1")}),
        six(),
        {"not_seated": "P6 has no seat and does not sit out", "seated_twice": "P1 has 2 places in this round"},
    ),
    (
        round_of({1: SIX[:3], 2: ("P4", "P5", "Zed")}),
        six(),
        {
            "player_unknown": "Zed is seated but not on the list of players",
            "not_seated": "P6 has no seat and does not sit out",
        },
    ),
    (TWICE, six(), {"table_twice": "there are 2 tables with the number 1"}),
    (
        FAR_APART,
        room_of(6, sizes=tables_of(3, most_tables=2)),
        {
            "size_not_allowed": "table 3 has 2 players; allowed are 3",
            "room_too_small": "3 tables are in use, but the room has 2",
        },
    ),
    (
        DRAFT,
        six(apart=(Apart(one="P1", other="P2"),), fixed=(FixedTable(player="P6", table=1),)),
        {
            "kept_apart": "P1 and P2 are to be kept apart, but both sit at table 1",
            "fixed_table": "P6 needs table 1, but sits at table 2",
        },
    ),
]


def test_what_keeps_a_draft_from_being_published_is_said():
    assert check(DRAFT, six()).errors == ()
    for draft, wishes, errors in ERRORS:
        assert {problem.code: problem.text() for problem in check(draft, wishes).errors} == errors


PUNE = (*(Player(key=key, club="Pune") for key in CAST[:2]), Player(key="Cy"))
NEEDED = (FixedTable(player="P1", table=1), FixedTable(player="P5", table=2))
PAIR = round_of({1: ("P1", "P2")})
SAT_OUT = round_of({1: ("Asha", "Bo", "Cy")}, sits_out=["Dev"])
# A draft, its wishes and the rounds before, and what is said of it; None: no warning of this kind.
WARNINGS: list[tuple[Any, dict[str, str | None]]] = [
    (
        (move(DRAFT, "P1", table=2), room_of(6)),
        {
            "sizes_uneven": "tables have 2 to 4 players; they should differ by one at most",
            "table_of_two": "table 1 has only 2 players",
        },
    ),
    (
        (DRAFT, six(), (PAIR, PAIR)),
        {"met_before": "P1 and P2 meet again at table 1; they have met twice before"},
    ),
    # Planted fault: a warning for each pair of a final.
    (
        (round_of({1: ("P1", "P2", "P3")}), room_of(3), (round_of({1: ("P1", "P2"), 2: ("P3", "P4")}),)),
        {"met_before": None},
    ),
    (
        (round_of({1: ("Asha", "Bo", "Cy")}), SeatingConstraints(players=PUNE, clubs_apart=True)),
        {"club_mates": "Asha and Bo, both of Pune, meet at table 1"},
    ),
    ((round_of({1: ("Asha", "Bo", "Cy")}), SeatingConstraints(players=PUNE)), {"club_mates": None}),
    ((DRAFT, six(), (FAR_APART, FAR_APART)), {"table_again": "P5 has sat twice at table 2 before"}),
    ((DRAFT, six(fixed=NEEDED), (FAR_APART, FAR_APART)), {"table_again": None}),
    (
        (SAT_OUT, wishes_of(*CAST, sizes=tables_of(3)), (SAT_OUT,)),
        {"sits_out_again": "Dev has sat out once, somebody else never"},
    ),
    ((DRAFT, six(), (DRAFT,)), {"deals_again": "P4 would have dealt first twice, somebody else never"}),
]


def test_what_a_director_may_want_to_change_is_a_warning():
    assert check(DRAFT, six()).warnings == ()
    for drafted, warnings in WARNINGS:
        found = {problem.code: problem.text() for problem in check(*drafted).warnings}
        assert {code: found.get(code) for code in warnings} == warnings


def test_each_round_of_a_prepared_plan_is_checked_against_the_rounds_before():
    first, second = check_rounds([DRAFT, DRAFT], six())
    assert first.warnings == ()
    assert "met_before" in {problem.code for problem in second.warnings}
