"""Every refusal of the draw, of wishes about seats, and of moves."""

import pytest

from scoring.problems import Problem
from tests.builders.draw_tables import table
from tests.builders.impossible_rooms import apart, at
from tests.builders.rooms import room_of, tables_of, wishes_of
from tournaments.draw import SeatingRejected, round_of
from tournaments.draw.balance import break_up, move_one, proposals
from tournaments.draw.checking import check
from tournaments.draw.constraints import constraint_problems


def refused(deed, *args, **more) -> list[Problem]:
    with pytest.raises(SeatingRejected) as found:
        deed(*args, **more)
    return list(found.value.problems)


def findings() -> list[Problem]:
    """The findings on a night with nearly every warning and many errors."""
    wishes = wishes_of(
        *("Asha", "Bo", "Cy", "Dev", "Eva"),
        sizes=tables_of(3, 4, most_tables=1),
        apart=apart("Asha", "Bo"),
        fixed=at(9, "Cy"),
    )
    past = [round_of({1: ("Asha", "Bo"), 2: ("Dev",)}, sits_out=["Eva"]) for _ in range(3)]
    found = check(round_of({1: ("Asha", "Bo", "Zed"), 2: ("Cy",)}, sits_out=["Eva"]), wishes, past)
    return [*found.errors, *found.warnings]


def wishes() -> list[Problem]:
    """Impossible seating restrictions: alone, together, and by the sizes of tables."""
    rooms = (
        room_of(12, apart=apart("P1", "P2", "P3", "P4")),
        room_of(4, apart=apart("P1", "P2"), fixed=at(3, "P3"), sizes=tables_of(4)),
        room_of(
            8, apart=(*apart("P1", "P2"), *apart("P3", "P2")), fixed=(*at(1, "P1"), *at(2, "P3")), sizes=tables_of(4)
        ),
        room_of(8, fixed=at(1, "P1", "P2", "P3", "P4", "P5")),
        room_of(1),
        room_of(7, sizes=tables_of(4, 5, may_sit_out=False)),
        room_of(7, sizes=tables_of(4, 6, most_tables=1, may_sit_out=False)),
        room_of(5, sizes=tables_of(4, 6, most_tables=1, may_sit_out=False)),
        room_of(5, sizes=tables_of(11, 4, preferred=5, most_tables=0)),
    )
    return [problem for room in rooms for problem in constraint_problems(room)]


def moves() -> list[Problem]:
    room = [table(1, "AB"), table(2, "CDEF")]
    return [
        *refused(move_one, room, "A", 2, most=4),
        *refused(move_one, room, "C", 7, most=4),
        *refused(move_one, [table(1, "A"), room[1]], "A", 2, most=6),
        *refused(break_up, room, 1, tables_of(4)),
        *refused(proposals, [table(1, "ABC"), table(2, "DE")], tables_of(4)),
    ]
