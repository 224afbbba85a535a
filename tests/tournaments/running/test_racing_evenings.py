"""Two directors and a scorer at once in a planned evening: one action succeeds, the others are refused, no deadlock.

On SQLite the single writer hides the deadlocks; PostgreSQL shows them.
"""

from functools import partial

import pytest

from scoring.events import wire
from scoring.problems import RummyError, StaleTable
from tests.builders.playing import Playing, context, deal, loses, out, show
from tests.builders.racing import at_once
from tests.builders.stages import SIX, Night, pool_won_in, short_tables, together
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import EveningSheet, Standing, Table
from tournaments.models.log import Event
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.cut import make_cut
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.running.commands.settle import settle_tournament
from tournaments.seating.commands.seat import move_players, record_and_redraw, seat_round, undo_move, withdraw_seating

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
THREADS = 5
ROOM = {"stages": [{"smallest_table": 2}]}
HEATS = {"stages": [{"smallest_table": 2, "per_table": 1}, {"smallest_table": 2}]}
PAYS = {"entry_minor": 10_000, "fee_bp": 1_000}


def refused(answers):
    return [answer for answer in answers if isinstance(answer, RummyError)]


def test_a_round_that_many_publish_is_seated_once():
    """Planted fault it catches: reading the next round's number before holding the lock."""
    night = Night(HEATS)
    tables = ((1, tuple(night.players[:2])), (2, tuple(night.players[2:])))
    seating = wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", seed="s")
    answers = at_once([lambda: seat_round(night.tournament.id, seating, context=context())] * THREADS)
    assert len(refused(answers)) == THREADS - 1
    assert Table.objects.count() == 2


def test_a_round_published_by_many_taps_of_one_button_is_answered_alike():
    night = Night(HEATS)
    tables = ((1, tuple(night.players[:2])), (2, tuple(night.players[2:])))
    seating = wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", seed="s")
    answers = at_once([lambda: seat_round(night.tournament.id, seating, context=context(key="publish"))] * THREADS)
    assert sorted(answer.is_replay for answer in answers) == [False, *[True] * (THREADS - 1)]
    assert {tuple(table.id for table in answer.tables) for answer in answers} == {
        tuple(Table.objects.order_by("number").values_list("id", flat=True))
    }


@pytest.mark.slow
def test_a_stage_that_many_cut_is_cut_once():
    night = Night(HEATS)
    for table in night.seat((0, 1), (2, 3)):
        pool_won_in(table, 2)
    answers = at_once([lambda: make_cut(night.tournament.id, context=context())] * THREADS)
    assert len(refused(answers)) == THREADS - 1
    assert Event.objects.filter(kind="cut_made").count() == 1


def test_tables_that_two_break_up_at_once_are_broken_up_once():
    night, _ = short_tables()
    moves = [together(night.players, number) for number in range(3, 3 + THREADS)]
    answers = at_once([partial(move_players, night.tournament.id, move, context=context()) for move in moves])
    assert len(refused(answers)) == THREADS - 1
    assert Table.objects.count() == 3
    assert rebuild_differences() == []


def test_a_move_beside_a_deal_takes_its_totals_along_or_comes_first():
    """Planted fault it catches: players moved with the totals from before a deal that was being stored."""
    for _ in range(3):
        night, (first, _) = short_tables()

        move = partial(move_players, night.tournament.id, together(night.players), context=context())
        answers = at_once([partial(first.deal, 3, show, loses(3), out), move])
        sheet, brought = first.sheet, tournament_state(night.tournament).moves
        # Either the deal is refused, or the move takes its totals along.
        assert sheet.deals == (2 if isinstance(answers[0], RummyError) else 3)
        moved = Table.objects.filter(tournament=night.tournament, number=3).first()
        assert (moved is not None) == bool(brought) == sheet.has_moved_on
        if moved is not None:
            stood = dict(Standing.objects.filter(table=first.row).values_list("player_id", "total"))
            carried = dict(Standing.objects.filter(table=moved).values_list("player_id", "total"))
            assert {player: stood[player] for player in carried if player in stood} == {
                player: total for player, total in carried.items() if player in stood
            }
    assert rebuild_differences() == []


@pytest.mark.slow
def test_a_move_taken_back_while_its_table_deals_keeps_the_deal_or_the_move_is_gone():
    for _ in range(3):
        night, _ = short_tables()
        moved = move_players(night.tournament.id, together(night.players), context=context())
        table = Playing(row=moved.tables[0])
        undo = partial(undo_move, night.tournament.id, moved.state.version, reason="too early", context=context())
        at_once([partial(table.deal, 1, show, loses(1), loses(2), loses(3)), undo])
        sheet = table.sheet
        assert sheet.is_cancelled != bool(sheet.deals)
        assert bool(tournament_state(night.tournament).moves) == bool(sheet.deals)
    assert rebuild_differences() == []


@pytest.mark.slow
def test_a_seating_taken_back_while_a_table_deals_keeps_the_deal_or_is_gone():
    for _ in range(3):
        night = Night(HEATS)
        first, _ = night.seat((0, 1), (2, 3))
        at_once(
            [
                partial(first.deal, 1, show, loses(20)),
                partial(withdraw_seating, night.tournament.id, 1, reason="wrong draw", context=context()),
            ]
        )
        assert first.sheet.is_cancelled != bool(first.sheet.deals)
        assert bool(tournament_state(night.tournament).rounds) == bool(first.sheet.deals)
    assert rebuild_differences() == []


@pytest.mark.slow
def test_scorers_and_directors_of_one_evening_lock_nobody_up():
    """Planted fault it catches: the evening's row taken before the club's head."""
    night = Night(HEATS, names=SIX, **PAYS)
    one, two = night.seat((0, 1), (2, 3, 4, 5))
    for table in (one, two):
        table.deal(1, *[show, loses(20), loses(21), loses(22)][: len(table.totals())])

    def correct(table) -> None:
        for count in range(12):
            table.correct(1, show, loses(20 + count), *([loses(21), loses(22)] if table is two else []))

    def pay() -> None:
        for player in night.players * 3:
            paid = wire.EntryPaid(player=player, amount_minor=100)
            record_in_tournament(night.tournament.id, paid, context=context())

    assert at_once([lambda: correct(one), lambda: correct(two), pay, pay]) == [None] * 4
    assert {entrant.paid_minor for entrant in tournament_state(night.tournament).entrants.values()} == {600}
    assert rebuild_differences() == []


@pytest.mark.slow
def test_prizes_corrections_closing_and_opening_again_end_with_books_that_agree():
    """Planted fault it catches: a correction that is stored between the closing and its settlement, and is not owed."""
    night = Night(ROOM, **PAYS)
    (table,) = night.seat((0, 1, 2, 3))
    table.deal(1, show, loses(60), loses(70), loses(80))
    table.deal(2, show, loses(60), loses(70), loses(80))
    table.close()
    home = night.tournament.id

    def correct() -> None:
        for count in range(8):
            table.correct(1, show, loses(59 - count), loses(70), loses(80))

    def close() -> None:
        for _ in range(5):
            close_tournament(home, context=context())
            reopen_tournament(home, reason="too early", context=context())
        close_tournament(home, context=context())

    def settle() -> None:
        for _ in range(8):
            settle_tournament(home, now=night.tournament.starts_at)

    assert at_once([correct, close, settle, settle]) == [None] * 4
    settle()
    sheet = EveningSheet.objects.get(tournament=home)
    assert sheet.settled_position == sheet.due_position
    assert compare_books().faults == ()
    assert rebuild_differences() == []


@pytest.mark.slow
def test_a_correction_with_redraw_and_a_deal_of_the_next_round_do_not_both_happen():
    for _ in range(3):
        night = Night(HEATS)
        one, two = night.seat((0, 1), (2, 3))
        for table in (one, two):
            pool_won_in(table, 2)
        night.cut()
        (final,) = night.seat((0, 2))
        right = deal(2, show, loses(31), kind="deal_corrected", reason="miscounted")
        answers = at_once(
            [
                partial(record_and_redraw, one.row.id, [right], expected=one.seen, context=context()),
                partial(final.deal, 1, show, loses(12)),
            ]
        )
        assert len(refused(answers)) == 1
        assert final.sheet.is_cancelled != bool(final.sheet.deals)
        if final.sheet.deals:
            assert one.sheet.version == one.seen
        else:
            assert isinstance(answers[1], StaleTable | RummyError)
    assert rebuild_differences() == []
