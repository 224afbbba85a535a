"""A tournament's own events: entries, a published round with its tables, undoing it, and the proof from the log."""

from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from scoring.problems import EventNotAllowed, OptionsRejected, StaleTable
from tests.builders.playing import CAST, Playing, context, loses, new_club, new_table, new_tournament, show
from tests.builders.stages import Night
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import EveningSheet, Table
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament, tournament_state
from tournaments.seating.commands.seat import seat_round, withdraw_seating
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db

PLAN = {"stages": [{"smallest_table": 2, "per_table": 1, "name": "Heats"}, {"smallest_table": 2, "name": "Final"}]}


@pytest.fixture
def evening():
    """A tournament with a plan and the whole cast entered; the players' ids as text, in the order of the cast."""
    night = Night(PLAN, entry_minor=10_000)
    return night.tournament, night.players


def heats(players, **extra):
    tables = ((1, (players[0], players[1])), (2, (players[2], players[3])))
    return wire.RoundSeated(**{"stage": 1, "round": 1, "tables": tables, "method": "draw", "seed": "abc", **extra})


def test_a_published_round_opens_its_tables_once_in_seat_order_without_a_pot_and_is_proved_from_the_log(evening):
    tournament, players = evening
    same = context()
    opened = seat_round(tournament.id, heats(players), context=same)
    assert [table.number for table in opened.tables] == [1, 2]
    seats = opened.tables[1].seats.order_by("number").values_list("player_id", flat=True)
    assert [str(player) for player in seats] == players[2:]
    assert opened.state.rounds[0].tables[0].players == tuple(players[:2])
    assert '"entry_minor":0' in Event.objects.get(stream_id=opened.tables[0].id, version=1).body
    assert seat_round(tournament.id, heats(players), context=same).is_replay
    assert Table.objects.filter(tournament=tournament).count() == 2
    assert rebuild_differences() == []
    EveningSheet.objects.filter(tournament=tournament).update(version=2)
    assert any("evening of tournament" in difference for difference in rebuild_differences())


ONE_STAGE = {"stages": [{"smallest_table": 2}]}


def test_who_was_not_seen_is_not_seated_in_a_final_for_money_without_a_question(evening):
    """Planted faults: the question never asked; or asked in rounds that are not the last stage's."""
    tournament, players = evening
    asha, bo, cy, dev = players
    record_in_tournament(tournament.id, wire.PlanMade(plan=ONE_STAGE), context=context())
    seen = [wire.EntryPaid(player=asha, amount_minor=10_000), *(wire.CheckedIn(player=one) for one in (asha, bo, cy))]
    record_all_in_tournament(tournament.id, seen, context=context())
    with pytest.raises(EventNotAllowed) as refused:
        seat_round(tournament.id, heats(players), context=context())
    assert [(problem.code, problem.seat) for problem in refused.value.problems] == [("not_here", dev)]
    assert "Dev is not checked in" in refused.value.problems[0].text()
    assert not Table.objects.filter(tournament=tournament).exists()
    seat_round(tournament.id, heats(players), context=context(), seats_absent=True)
    assert Table.objects.filter(tournament=tournament).count() == 2


def test_nobody_is_asked_about_before_the_last_stage_or_where_nobody_is_checked_in(evening):
    tournament, players = evening
    seen = [wire.EntryPaid(player=players[0], amount_minor=10_000), wire.CheckedIn(player=players[0])]
    record_all_in_tournament(tournament.id, seen, context=context())
    assert len(seat_round(tournament.id, heats(players), context=context()).tables) == 2


def test_only_the_log_asks_more_of_the_database_for_more_tables():
    night = Night(PLAN, names=[f"Player {number}" for number in range(40)], entry_minor=10_000)
    tournament, players = night.tournament, night.players
    pairs = tuple((table, (players[2 * table - 2], players[2 * table - 1])) for table in range(1, 21))
    with CaptureQueriesContext(connection) as asked:
        seat_round(tournament.id, heats(players, tables=pairs), context=context())
    of_the_log = ("SAVEPOINT", "tournaments_clubhead", "INTO tournaments_stream")
    rest = [query["sql"] for query in asked.captured_queries if not any(words in query["sql"] for words in of_the_log)]
    assert len(rest) < 20
    assert rebuild_differences() == []


def test_a_number_in_use_is_reported_with_its_table_and_nothing_is_opened():
    club = new_club()
    tournament = new_tournament(club)
    seats = [
        SeatedPlayer(number=place, player=one.id) for place, one in enumerate(add_players(club, ["Eve", "Fay"]), 1)
    ]
    open_table(tournament, TableDraft(number=2, seats=seats), context=context())
    players = [str(player.id) for player in add_players(club, CAST)]
    record_all_in_tournament(
        tournament.id, [wire.PlayerEntered(player=player) for player in players], context=context()
    )
    with pytest.raises(OptionsRejected) as refused:
        seat_round(tournament.id, heats(players), context=context())
    assert [problem.text() for problem in refused.value.problems] == ["table 2: round 1 has a table 2 already"]
    assert Table.objects.filter(tournament=tournament).count() == 1


def test_a_player_without_a_seat_is_named_and_nothing_is_opened(evening):
    tournament, players = evening
    tables = ((1, (players[0], players[1], players[2])),)
    with pytest.raises(EventNotAllowed) as refused:
        seat_round(tournament.id, heats(players, tables=tables), context=context())
    assert [problem.text() for problem in refused.value.problems] == ["Dev has no seat and does not sit out"]
    assert not Table.objects.filter(tournament=tournament).exists()


def test_a_user_who_looked_at_an_older_evening_is_told(evening):
    tournament, players = evening
    seen = tournament_state(tournament).version
    record_in_tournament(tournament.id, wire.CheckedIn(player=players[0]), context=context())
    with pytest.raises(StaleTable):
        seat_round(tournament.id, heats(players), context=context(), expected=seen)


def test_a_seating_that_is_taken_back_leaves_its_numbers_to_the_next(evening):
    tournament, players = evening
    seat_round(tournament.id, heats(players), context=context())
    withdraw_seating(tournament.id, 1, reason="Two cards were mixed up", context=context())
    opened = seat_round(tournament.id, heats(players[::-1]), context=context())
    assert [table.number for table in opened.tables] == [1, 2]
    assert tournament_state(tournament).rounds[0].tables[0].players == (players[3], players[2])


@pytest.mark.slow
def test_a_round_can_be_seated_and_taken_back_many_times(evening):
    """Planted fault it catches: abandoned tables numbered beyond the limit of the column."""
    tournament, players = evening
    for _ in range(34):
        seat_round(tournament.id, heats(players), context=context())
        withdraw_seating(tournament.id, 1, reason="Drawn again", context=context())
    assert len({table.number for table in Table.objects.all()}) == 68
    assert max(table.number for table in Table.objects.all()) < 2_000


def test_a_seating_stands_once_a_deal_was_played(evening):
    tournament, players = evening
    first, _ = seat_round(tournament.id, heats(players), context=context()).tables
    Playing(row=first).deal(1, show, loses(12))
    with pytest.raises(EventNotAllowed, match="deal on its sheet: cancel it first, or correct seats one by one"):
        withdraw_seating(tournament.id, 1, reason="Wrong draw", context=context())


@pytest.fixture
def late(evening):
    """Two rounds at tables of two; in the first table 1 is over, and Cy and Dev still play at table 2."""
    tournament, players = evening
    plan = {"stages": [{"smallest_table": 2, "rounds": 2}]}
    record_in_tournament(tournament.id, wire.PlanMade(plan=plan), context=context())
    first, second = (Playing(row=row) for row in seat_round(tournament.id, heats(players), context=context()).tables)
    first.deal(1, show, loses(80))
    first.deal(2, show, loses(80))
    second.deal(1, show, loses(80))
    return tournament, players, second


def test_nobody_is_given_a_seat_who_still_plays_in_an_earlier_round_and_their_table_goes_on_beside_the_next(late):
    """Planted fault it catches: published too early, so that players are called to two tables at once."""
    tournament, players, second = late
    with pytest.raises(EventNotAllowed) as refused:
        seat_round(tournament.id, heats(players, round=2), context=context())
    assert [problem.text() for problem in refused.value.problems] == [
        f"{name} still plays at table 2 of round 1: finish that table first, or let them sit out" for name in CAST[2:]
    ]
    assert tournament_state(tournament).next_round == 2
    free = heats(players, round=2, tables=((1, tuple(players[:2])),), sitting_out=tuple(players[2:]))
    assert len(seat_round(tournament.id, free, context=context()).tables) == 1
    second.deal(2, show, loses(80))
    assert second.sheet.is_finished


def test_a_closed_table_whose_events_contradict_each_other_is_named_as_what_it_is(late):
    """Planted fault: its players told to finish a table that is finished."""
    tournament, players, second = late
    second.deal(2, show, loses(80))
    second.close()
    second.correct(2, show, loses(3))
    assert second.sheet.has_conflict
    with pytest.raises(EventNotAllowed) as refused:
        seat_round(tournament.id, heats(players, round=2), context=context())
    assert [(problem.code, problem.text()) for problem in refused.value.problems] == [
        ("open_conflict", "Table 2 (round 1) has conflicting records")
    ]
    free = heats(players, round=2, tables=((1, tuple(players[:2])),), sitting_out=tuple(players[2:]))
    assert len(seat_round(tournament.id, free, context=context()).tables) == 1


def test_a_substitute_plays_on_where_the_player_sat(late):
    tournament, players, _ = late
    eve = str(add_players(tournament.club, ["Eve"])[0].id)
    record_all_in_tournament(
        tournament.id,
        [
            wire.PlayerEntered(player=eve, is_standby=True),
            wire.PlayerSubstituted(player=players[2], by=eve, reason="Went home"),
        ],
        context=context(),
    )
    field = [players[0], players[1], eve, players[3]]
    with pytest.raises(EventNotAllowed, match="Eve still plays at table 2 of round 1"):
        seat_round(tournament.id, heats(field, round=2), context=context())


def test_a_table_of_a_planned_evening_is_opened_by_seating_a_round(evening):
    """Planted fault it catches: players who paid at the desk pay again into a pot of the table."""
    tournament, players = evening
    seats = [SeatedPlayer(number=place, player=UUID(player)) for place, player in enumerate(players, start=1)]
    with pytest.raises(OptionsRejected) as refused:
        open_table(tournament, TableDraft(number=1, seats=seats), context=context())
    assert [problem.code for problem in refused.value.problems] == ["has_a_plan"]


def test_a_plan_comes_before_the_first_table_that_counts_by_itself():
    table = new_table(new_tournament(entry_minor=10_000))
    home = table.row.tournament_id
    with pytest.raises(EventNotAllowed, match="tables were opened without a plan: make another tournament to plan one"):
        record_in_tournament(home, wire.PlanMade(plan=PLAN), context=context())
    table.record({"kind": "table_cancelled", "reason": "there is a plan after all"})
    assert record_in_tournament(home, wire.PlanMade(plan=PLAN), context=context()).state.plan is not None
