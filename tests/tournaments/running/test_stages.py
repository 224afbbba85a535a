"""A planned evening at its tables: the board by stages, cuts and what blocks them, ties, and the parts of a score."""

from fractions import Fraction

import pytest
from django.utils import translation

from scoring.events import wire
from scoring.problems import EventNotAllowed, KeyReused, StaleTable
from tests.builders.playing import NOW, Playing, context, loses, show
from tests.builders.stages import Night, pool_won_in
from tests.builders.there import there
from tournaments.boards import board
from tournaments.boards.clubs import club_page
from tournaments.boards.explaining import explained
from tournaments.boards.past import board_at
from tournaments.draw.search import lots
from tournaments.models import LateSheet, Tournament
from tournaments.printing.exports import board_json
from tournaments.printing.lists import places_tables
from tournaments.rendering.pdf import Table
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.cut import (
    make_cut,
    settle_by_extra_deal,
    settle_by_high_card,
    settle_by_lots,
    withdraw_cut,
)
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.running.queries.stages import cut_proposal
from tournaments.seating.commands.seat import move_players
from tournaments.web.public.boards.standings import board_columns, board_rows

pytestmark = pytest.mark.django_db

HEATS = {"stages": [{"smallest_table": 2, "per_table": 1, "name": "Heats"}, {"smallest_table": 2, "name": "Final"}]}
ROUNDS = {"stages": [{"smallest_table": 2, "rounds": 2}]}


@pytest.fixture
def heats():
    """Both heats are played: Asha beat Bo in two deals, Dev beat Cy in two; Bo and Cy went out with 110 each."""
    night = Night(HEATS)
    one, two = night.seat((0, 1), (2, 3))
    pool_won_in(one, 2)
    pool_won_in(two, 2, first=False)
    return night


@pytest.mark.slow
def test_the_first_of_each_table_go_on_and_stand_before_those_who_were_cut(heats):
    assert heats.board.table_winners == frozenset()
    evening = heats.cut()
    assert [heats.names[player] for player in evening.cuts[0].advancing] == ["Asha", "Dev"]
    assert heats.shown() == [(1, "Asha"), (1, "Dev"), (3, "Bo"), (3, "Cy")]
    (final,) = heats.seat((0, 3))
    assert heats.shown() == [(1, "Asha"), (1, "Dev"), (3, "Bo"), (3, "Cy")]
    # Who is not in the stage is not explained in it.
    assert heats.line(1) is None
    assert there(heats.line(1, stage=1)).place == 3
    pool_won_in(final, 2, first=False)
    assert heats.shown() == [(1, "Dev"), (2, "Asha"), (3, "Bo"), (3, "Cy")]
    assert [row.stage for row in heats.board.rows] == [2, 2, 1, 1]
    # Only the first of the last stage has won.
    assert heats.board.table_winners == {heats.players[3]}


def test_time_ends_a_round_of_pool_and_the_lower_total_goes_on():
    night = Night({"stages": [{**HEATS["stages"][0], "length": "minutes", "minutes": 45}, HEATS["stages"][1]]})
    one, two = night.seat((0, 1), (2, 3))
    one.deal(1, show, loses(30))
    two.deal(1, loses(12), show)
    for table in (one, two):
        table.record({"kind": "table_closed", "time_called": True})
    assert [night.names[player] for player in night.cut().cuts[0].advancing] == ["Asha", "Dev"]
    assert night.shown() == [(1, "Asha"), (1, "Dev"), (3, "Cy"), (4, "Bo")]


def test_a_cut_is_refused_with_every_table_that_is_open():
    night = Night(HEATS)
    one, _ = night.seat((0, 1), (2, 3))
    one.deal(1, show, loses(20))
    with pytest.raises(EventNotAllowed) as refused:
        night.cut()
    assert [problem.text() for problem in refused.value.problems] == [
        "Table 1 (round 1) is still open after 1 deal",
        "Table 2 (round 1) is still open after 0 deals",
    ]


def test_a_cut_waits_for_the_late_sheets_of_its_stage(heats):
    table = heats.tournament.tables.get(number=2)
    of_it = {"club": heats.tournament.club, "digest": "0" * 64, "body": "{}", "actor": "user:1", "sent_at": NOW}
    LateSheet.objects.create(table=table, key="late", **of_it)
    with pytest.raises(EventNotAllowed, match=r"Table 2 .round 1. has 1 late sheet: accept or refuse it first"):
        heats.cut()
    LateSheet.objects.update(answer=LateSheet.Answer.REFUSED, answered_at=NOW)
    assert len(heats.cut().cuts) == 1


def test_a_cut_waits_for_the_word_of_a_second_seat():
    night = Night(HEATS | {"confirmation": "second_seat"})
    night.seat((0, 1), (2, 3))[0].deal(1, show, loses(20))
    with pytest.raises(EventNotAllowed, match=r"Table 1 .round 1. has 1 deal that nobody else has confirmed"):
        night.cut()


def test_a_stage_with_rounds_left_is_not_cut():
    plan = {"stages": [{"smallest_table": 2, "rounds": 2, "advancing": 2}, {"smallest_table": 2}]}
    night = Night(plan)
    for table in night.seat((0, 1), (2, 3)):
        pool_won_in(table, 2)
    with pytest.raises(EventNotAllowed, match="1 of 2 rounds of stage 1 are seated"):
        night.cut()


@pytest.fixture
def level():
    """Two qualify over both tables: Asha and Dev have won, tied; Bo and Cy are out, tied too. Three places."""
    night = Night(
        {"stages": [{"smallest_table": 2, "advancing": 3}, {"smallest_table": 2}], "tie_breaks": ["deals_won"]}
    )
    one, two = night.seat((0, 1), (2, 3))
    pool_won_in(one, 2)
    pool_won_in(two, 2, first=False)
    return night


def test_a_tie_at_the_cut_is_named_until_the_higher_card_goes_on_and_the_board_tells_both(level):
    with pytest.raises(EventNotAllowed) as refused:
        level.cut()
    (problem,) = refused.value.problems
    assert problem.code == "tie_to_settle"
    assert problem.text() == (
        "Bo and Cy are tied at the cut (best 3 over all tables), and 1 of them qualifies: break the tie "
        "by extra deal or by high card or by lots"
    )
    asha, bo, cy, _ = level.players
    with pytest.raises(EventNotAllowed) as refused:
        settle_by_high_card(level.tournament.id, {asha: "KS", bo: "KS", cy: "PJ"}, context=context())
    assert [problem.text() for problem in refused.value.problems] == [
        "Bo: KS was drawn already, and there is one in the pack",
        "Cy draws one card, and a joker has no height: 'PJ'",
    ]
    assert tournament_state(level.tournament).cuts == ()
    settle_by_high_card(level.tournament.id, {bo: "k♥", cy: "KS"}, context=context())
    assert [level.names[player] for player in level.cut().cuts[0].advancing] == ["Asha", "Dev", "Cy"]
    rows = {level.names[row.line.player]: row for row in level.board.rows}
    assert str(rows["Cy"].decided) == "KS drawn against KH"


def test_lots_can_be_drawn_again_from_the_seed_that_was_stored(level):
    tied = [level.players[1], level.players[2]]
    settle_by_lots(level.tournament.id, tied, seed="k7qf 2m9x", context=context())
    (tie,) = tournament_state(level.tournament).ties
    assert tie.seed == "K7QF-2M9X"
    assert tie.order == lots(tie.seed, tied)
    assert level.cut().cuts[0].advancing[2] == tie.order[0]


@pytest.mark.slow
def test_the_same_order_again_cuts_once_and_another_key_or_an_older_evening_cuts_nothing(heats):
    seen, entered = tournament_state(heats.tournament).version, context()
    record_in_tournament(heats.tournament.id, wire.CheckedIn(player=heats.players[0]), context=entered)
    with pytest.raises(KeyReused):
        make_cut(heats.tournament.id, context=entered)
    with pytest.raises(StaleTable):
        make_cut(heats.tournament.id, context=context(), expected=seen)
    same = context()
    first, again = (make_cut(heats.tournament.id, context=same) for _ in range(2))
    assert (first.is_replay, again.is_replay) == (False, True)
    assert again.state.version == first.state.version


def test_a_cut_can_be_taken_back_until_the_next_stage_is_seated(heats):
    heats.cut()
    assert withdraw_cut(heats.tournament.id, 1, reason="A sheet was read wrongly", context=context()).cuts == ()
    heats.cut()
    heats.seat((0, 3))
    with pytest.raises(EventNotAllowed, match="seated already"):
        withdraw_cut(heats.tournament.id, 1, reason="Too late", context=context())


def test_a_player_who_left_makes_room_for_the_next(heats):
    record_in_tournament(heats.tournament.id, wire.PlayerLeft(player=heats.players[0]), context=context())
    proposal = cut_proposal(heats.tournament, tournament_state(heats.tournament))
    assert [heats.names[player] for player in proposal.advancing] == ["Dev", "Bo"]


@pytest.fixture
def points():
    """Points rummy over two rounds at tables of two, the first one played, and its first table still open."""
    night = Night(ROUNDS, preset="points_session", point_value_minor=100)
    one, two = night.seat((0, 1), (2, 3))
    one.deal(1, show, loses(30))
    two.deal(1, show, loses(50))
    two.close()
    return night, one


def test_rounds_of_a_stage_are_added_on_the_board(points):
    night, first = points
    first.close()
    one, two = night.seat((0, 2), (1, 3))
    one.deal(1, show, loses(25))
    two.deal(1, show, loses(10))
    scored = {night.names[row.line.player]: (row.place, row.line.net_points, row.score) for row in night.board.rows}
    assert scored == {"Asha": (1, 55, "55"), "Cy": (2, 25, "25"), "Bo": (3, -20, "-20"), "Dev": (4, -60, "-60")}


def test_a_number_on_the_board_is_made_of_the_deals_behind_it(points):
    night, table = points
    table.correct(1, show, loses(40))
    table.record({"kind": "penalty_given", "seat": "1", "points": 10, "reason": "Late to the table"})
    table.close()
    night.seat((0, 2), (1, 3))[0].deal(1, show, loses(5))
    found = there(explained(night.tournament, night.players[0]))
    lines = [line for each in found.tables for line in each.reckoning.lines]
    changes = [(line.kind, line.corrected_at > 0, line.changes["net_points"]) for line in lines]
    assert changes == [("deal_recorded", True, 40), ("penalty_given", False, -10), ("deal_recorded", False, 5)]
    (stage,) = found.stages
    assert sum((part.amount for part in stage.parts), Fraction()) == stage.row.result.score == Fraction(35)


def test_the_last_deal_decides_where_the_plan_says_so():
    night = Night(ROUNDS | {"tie_breaks": ["last_deal"]}, preset="points_session", point_value_minor=100)
    one, two = night.seat((0, 1), (2, 3))
    one.deal(1, show, loses(30))
    one.deal(2, show, loses(10))
    two.deal(1, show, loses(10))
    two.deal(2, show, loses(30))
    assert night.shown() == [(1, "Cy"), (2, "Asha"), (3, "Bo"), (4, "Dev")]
    assert str(night.board.rows[0].decided) == "30 in the last deal against 10"


@pytest.mark.slow
def test_the_board_of_the_past_is_that_of_its_stage(heats):
    before = heats.board
    heats.cut()
    (final,) = heats.seat((0, 3))
    pool_won_in(final, 2)
    tournament = Tournament.objects.select_related("club").get(id=heats.tournament.id)
    then = board_at(tournament, before.position)
    assert (then.rows, then.position, then.fingerprint) == (before.rows, before.position, before.fingerprint)
    now = board_at(tournament, tournament.board_position)
    assert (now.rows, now.position) == (heats.board.rows, heats.board.position)


def test_a_planned_board_takes_no_more_queries(heats, django_assert_num_queries):
    tournament = Tournament.objects.select_related("club").get(id=heats.tournament.id)
    with django_assert_num_queries(3):
        assert len(board(tournament).rows) == 4


def test_a_table_that_was_broken_up_counts_with_the_one_that_went_on():
    night = Night({"stages": [{"smallest_table": 2}]}, preset="pool_201")
    one, two = night.seat((0, 1), (2, 3))
    one.deal(1, show, loses(30))
    two.deal(1, show, loses(50))
    moved = wire.PlayersMoved(round=1, instead_of=(1, 2), tables=((3, tuple(night.players)),))
    (table,) = move_players(night.tournament.id, moved, context=context()).tables
    Playing(row=table).deal(1, loses(5), loses(5), show, loses(10))
    shown = {night.names[row.line.player]: (row.line.total, row.line.deals_won) for row in night.board.rows}
    assert shown == {"Cy": (0, 2), "Asha": (5, 1), "Bo": (35, 0), "Dev": (60, 0)}
    found = there(explained(night.tournament, night.players[3]))
    assert [part.tables for part in found.stages[0].parts] == [(2, 3)]
    assert [[line.changes["total"] for line in each.reckoning.lines] for each in found.tables] == [[50], [10]]


@pytest.mark.slow
def test_the_clubs_page_names_whoever_leads_the_stage_in_force_and_it_runs_until_it_is_closed(heats):
    heats.cut()
    page = club_page(heats.tournament.club, with_hidden=True)
    assert ([card.tournament for card in page.running], page.results) == ([heats.tournament], ())
    (final,) = heats.seat((0, 3))
    pool_won_in(final, 2, first=False)
    (card,) = club_page(heats.tournament.club, with_hidden=True).running
    assert card.first == ("Dev",)
    close_tournament(heats.tournament.id, context=context())
    page = club_page(heats.tournament.club, with_hidden=True)
    assert (page.running, [card.tournament for card in page.results]) == ((), [heats.tournament])


def test_an_extra_deal_settles_it_and_a_board_in_json_tells_the_stage_the_score_and_what_decided(level):
    settle_by_extra_deal(level.tournament.id, [level.players[2], level.players[1]], context=context())
    entries = {entry["name"]: entry for entry in board_json(level.board)["standings"]}
    assert entries["Cy"]["decided"] == "ahead in the extra deal"
    assert (entries["Cy"]["stage"], entries["Cy"]["score"], entries["Cy"]["place"]) == (1, "110", 3)
    assert [level.names[player] for player in level.cut().cuts[0].advancing] == ["Asha", "Dev", "Cy"]


def test_points_for_places_are_printed_where_they_are_compared():
    night = Night({"stages": [{"smallest_table": 2, "compares": "rank_points", "rank_points": [3, 2]}]}, preset="rum")
    for table in night.seat((0, 1), (2, 3)):
        table.record({"kind": "deal_recorded", "deal": 1, "out": "1", "counts": {"2": 20}})
    columns = board_columns(night.board, 1)
    assert (columns.main_title, columns.direction) == ("Points for places", "Points for places: the most lead")
    assert [row.main for row in board_rows(night.board, columns, night.board.rows)] == ["3", "3", "2", "2"]


def test_one_score_with_decimals_gives_them_to_the_whole_column():
    """Planted fault: 7.50 beside 7 in one column, and 7.50 on paper where the language writes 7,50."""
    plan = {"stages": [{"smallest_table": 2, "compares": "rank_points", "rank_points": [4, 2, 1]}]}
    night = Night(plan, names=("Asha", "Bo", "Cy"), preset="rum")
    (table,) = night.seat((0, 1, 2))
    table.record({"kind": "deal_recorded", "deal": 1, "out": "1", "counts": {"2": 20, "3": 20}})

    columns = board_columns(night.board, 1)
    assert [row.main for row in board_rows(night.board, columns, night.board.rows)][:3] == ["4.00", "1.50", "1.50"]
    with translation.override("de"):
        (places,) = [part for part in places_tables(night.board) if isinstance(part, Table)]
        assert [row.cells[2] for row in places.rows][:3] == ["4,00", "1,50", "1,50"]
