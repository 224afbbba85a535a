"""Seating by standings."""

import time
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.builders.rooms import places, repeated_meetings, room_of, sizes_in, tables_of, wishes_of
from tests.builders.samples import RUN, each
from tournaments.draw import Apart, FixedTable, Player, SeatedRound, SeatingConstraints, SeatingRejected, round_of
from tournaments.draw.by_standings import snake, top_together

EIGHT = tuple(f"P{place}" for place in range(1, 9))


def tables(seated):
    return [table.seats for table in seated.tables]


def test_the_best_sit_together_at_table_one_and_a_snake_turns_at_the_last():
    assert tables(top_together(EIGHT, room_of(8))) == [EIGHT[:4], EIGHT[4:]]
    assert tables(snake(EIGHT, room_of(8))) == [("P1", "P4", "P5", "P8"), ("P2", "P3", "P6", "P7")]
    # It fills the larger table where sizes differ.
    assert tables(snake(EIGHT[:7], room_of(7))) == [("P1", "P4", "P5", "P7"), ("P2", "P3", "P6")]


def test_a_player_who_has_dealt_first_before_does_not_again():
    past = round_of({1: EIGHT[:4], 2: EIGHT[4:]})
    seated = top_together(EIGHT, room_of(8), history=[past])
    assert {table.dealer for table in seated.tables}.isdisjoint({"P1", "P5"})


def test_the_last_of_the_standing_sits_out_and_next_time_the_one_before():
    room = room_of(8, sizes=tables_of(7))
    first = top_together(EIGHT, room)
    assert first.sits_out == ("P8",)
    assert top_together(EIGHT, room, history=[first]).sits_out == ("P7",)


def test_a_standing_of_other_players_is_refused_with_everybody_named():
    with pytest.raises(SeatingRejected) as refusal:
        snake(("Asha", "Bo", "Bo", "Dev"), wishes_of("Asha", "Bo", "Cy"))
    assert [problem.text() for problem in refusal.value.problems] == [
        "Cy is on the list, but not in the standings",
        "Dev is in the standings, but not on the list",
        "Bo is in the standings 2 times",
    ]


METHODS = [top_together, snake]


def night_of(method, room, *, rounds: int) -> list[SeatedRound]:
    """Rounds after each of which the standings have changed a little: whoever sat in seat 1 has won."""
    standing = [player.key for player in room.players]
    night: list[SeatedRound] = []
    for _ in range(rounds):
        night.append(method(standing, room, history=night))
        for dealer in [table.dealer for table in night[-1].tables]:
            at = standing.index(dealer)
            standing.insert(max(0, at - 5), standing.pop(at))
    return night


def splits(players: Sequence[str], sizes: Sequence[int]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to seat the players at tables of these sizes."""
    if not sizes:
        yield []
        return
    for group in combinations(players, sizes[0]):
        for rest in splits([key for key in players if key not in group], sizes[1:]):
            yield [group, *rest]


def disorder(groups: Sequence[Sequence[str]], ideal: Sequence[Sequence[str]]) -> int:
    """How many places the players of each table are away from those who would sit there by the standings alone."""
    return sum(
        abs(EIGHT.index(one) - EIGHT.index(other))
        for group, best in zip(groups, ideal, strict=True)
        for one, other in zip(sorted(group), sorted(best), strict=True)
    )


class TestRestrictionsAndMeetings:
    """Planted faults: restrictions left to the director; meetings repeated that need not be; an order given up where
    it need not be; the nearest change of places not taken.
    """

    @pytest.mark.parametrize("method", METHODS)
    def test_restrictions_are_kept_and_nobody_else_moves_far(self, method):
        first, _ = tables(method(EIGHT, room_of(8)))
        pair = Apart(one=first[0], other=first[1])
        parted = tables(method(EIGHT, room_of(8, apart=(pair,))))
        assert not any({pair.one, pair.other} <= {*group} for group in parted)
        assert len({*first} & {*parted[0]}) == 3
        fixed = (FixedTable(player="P1", table=3), FixedTable(player="P12", table=1))
        seated = method(tuple(f"P{number}" for number in range(1, 13)), room_of(12, fixed=fixed))
        assert (seated.table_of["P1"].number, seated.table_of["P12"].number) == (3, 1)
        players = tuple(Player(key=key, club="Rivertown" if key in ("P1", "P4") else "") for key in EIGHT)
        seated = method(EIGHT, SeatingConstraints(players=players, sizes=tables_of(4), clubs_apart=True))
        assert seated.table_of["P1"] is not seated.table_of["P4"]
        everybody = tuple(Apart(one=one, other=other) for one, other in combinations(EIGHT[:3], 2))
        with pytest.raises(SeatingRejected, match="3 players are all kept apart from one another"):
            method(EIGHT, room_of(8, apart=everybody))

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.slow
    @pytest.mark.parametrize(("players", "most"), [(8, 60), (16, 54), (24, 20), (40, 0)])
    def test_a_night_by_standings_repeats_about_as_few_meetings_as_a_draw(self, method, players, most):
        """A night of 16 by standings once repeated 12 meetings of its second round, with a pair never together."""
        pair = Apart(one="P1", other="P2")
        night = night_of(method, room_of(players, apart=(pair,)), rounds=7)
        assert repeated_meetings(night) <= most
        assert all(set(places(seated).values()) == {1} for seated in night)
        assert not any({"P1", "P2"} <= {*table.seats} for seated in night for table in seated.tables)

    @settings(max_examples=15)
    @given(
        played=st.lists(st.permutations(EIGHT), min_size=0, max_size=2),
        pair=st.sampled_from(list(combinations(EIGHT, 2))),
        method=st.sampled_from(METHODS),
    )
    def test_no_seating_of_a_small_room_is_better(self, played, pair, method):
        """Better: fewer repeated meetings, or as few in an order nearer to the standings."""
        history = [round_of({1: row[:4], 2: row[4:]}) for row in played]
        room = room_of(8, apart=(Apart(one=pair[0], other=pair[1]),))
        ideal = tables(method(EIGHT, room_of(8)))
        allowed = [groups for groups in splits(EIGHT, (4, 4)) if not any({*pair} <= {*group} for group in groups)]
        found = tables(method(EIGHT, room, history=history))

        def worth(groups: Sequence[Sequence[str]]) -> tuple[int, int]:
            after = [*history, round_of(dict(enumerate(groups, start=1)))]
            return repeated_meetings(after), disorder(groups, ideal)

        assert worth(found) == min(worth(groups) for groups in allowed)

    @pytest.mark.parametrize("method", each(*METHODS))
    def test_two_hundred_players_meet_nobody_twice_in_seven_rounds_within_two_seconds(self, method):
        apart = tuple(Apart(one=f"P{number}", other=f"P{number + 1}") for number in range(1, 200, 20))
        began = time.process_time()
        night = night_of(method, room_of(200, apart=apart), rounds=7)
        # Promised on a quiet machine; beside other tests a processor takes up to three times as long.
        assert time.process_time() - began < (2.0 if RUN == "long" else 6.0)
        assert repeated_meetings(night) == 0
        assert all(sizes_in(seated) == [4] * 50 for seated in night)

    def test_the_same_standings_give_the_same_seats(self):
        past = night_of(snake, room_of(20), rounds=3)
        order = tuple(f"P{number}" for number in range(1, 21))
        assert snake(order, room_of(20), history=past) == snake(order, room_of(20), history=past)
