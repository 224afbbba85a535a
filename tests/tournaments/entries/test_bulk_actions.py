"""Closing tables, confirming deals, taking entries and marking no-shows for many at once: all that is possible, once.

Planted faults these catch: a table that still plays is closed, one refusal stops the others, a second press stores
again, an undo that reverts what was done since, a query for each table or player.
"""

from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from scoring.problems import EventNotAllowed, KeyReused
from scoring.tournament.state import Standing
from tests.builders.admin_tournaments import HEATS, a_night, at, play_out, record
from tests.builders.playing import new_club
from tournaments.books.commands import settle_table
from tournaments.entries.commands.bulk import BULK_ACTIONS
from tournaments.models import Scoresheet
from tournaments.models.log import Event
from tournaments.running.commands.bulk import looked_at, run_bulk, undo_bulk, undoing_of
from tournaments.running.commands.close import close_tournament

pytestmark = pytest.mark.django_db
CAST = ("Asha", "Bo", "Cy", "Dev")
FEE = 10_000


@pytest.fixture
def club():
    return new_club()


def keyed(**more):
    return at(key=str(uuid4()), **more)


def press(night, name, context=None, **how):
    return run_bulk(night.tournament.pk, BULK_ACTIONS[name], context=context or keyed(), **how)


def undo(night, name, context, **more):
    return undo_bulk(night.tournament.pk, BULK_ACTIONS[name], context.key, context=keyed(**more), reason="asked")


def played(club, tables, *, finished=None, **draft):
    """A tournament with this many tables of two, of which the first are played to their end."""
    night = a_night(club, HEATS, **draft)
    night.enter(*(f"Player {number}" for number in range(2 * tables)))
    rows = night.seat()
    for row in rows[: tables if finished is None else finished]:
        play_out(row)
    return night, rows


def closed(night):
    return list(
        Scoresheet.objects.filter(table__tournament=night.tournament, is_closed=True)
        .order_by("table__number")
        .values_list("table__number", flat=True)
    )


def test_finished_tables_are_closed_and_those_that_play_are_left_out_with_the_reason(club):
    night, rows = played(club, 3, finished=2)
    told = looked_at(night.tournament, BULK_ACTIONS["close_tables"], context=at())
    done = press(night, "close_tables")
    assert [one.key for one in told.done] == [one.key for one in done.done] == [str(row.pk) for row in rows[:2]]
    assert [(one.key, str(one.why_not)) for one in done.left_out] == [(str(rows[2].pk), "still being played")]
    assert closed(night) == [1, 2]


@pytest.mark.slow
def test_chosen_tables_are_closed_in_their_order(club):
    """Planted fault: in the order of their keys. They are chosen by keys in any order."""
    night, rows = played(club, 5)
    keys = [str(row.pk) for row in rows]
    done = press(night, "close_tables", only={*keys, "gone"})
    assert [one.key for one in done.done] == keys
    assert [one.key for one in done.left_out] == ["gone"]


def test_closed_at_once_tables_owe_and_stand_as_if_closed_one_by_one(club):
    night, rows = played(club, 2, entry_minor=FEE)
    play = a_night(club, HEATS, name="Other", entry_minor=FEE)
    play.enter("Eli", "Fay")
    (alone,) = play.seat()
    play_out(alone)
    record(alone, {"kind": "table_closed"})
    press(night, "close_tables")
    names = ("version", "is_closed", "is_finished", "due_version", "unconfirmed", "deals")
    one = Scoresheet.objects.filter(table=alone).values(*names).get()
    assert list(Scoresheet.objects.filter(table__in=rows).values(*names)) == [one, one]
    assert not settle_table(rows[0].pk, now=at().now).problem


@pytest.mark.slow
def test_the_same_press_again_stores_nothing_and_another_choice_under_its_key_is_refused(club):
    night, rows = played(club, 2)
    context = keyed()
    press(night, "close_tables", context, only={str(rows[0].pk)})
    stored = Event.objects.count()
    assert press(night, "close_tables", context, only={str(rows[0].pk)}).is_replay
    assert Event.objects.count() == stored
    with pytest.raises(KeyReused):
        press(night, "close_tables", context)
    assert closed(night) == [1]


def test_a_table_that_somebody_closed_meanwhile_is_told_and_undoing_opens_exactly_the_others_again_once(club):
    night, rows = played(club, 3)
    record(rows[0], {"kind": "table_closed"})
    context = keyed()
    done = press(night, "close_tables", context, only={str(row.pk) for row in rows})
    assert {one.key for one in done.done} == {str(row.pk) for row in rows[1:]}
    assert [str(one.why_not) for one in done.left_out] == ["already done or changed by someone else"]
    assert undoing_of(night.tournament, BULK_ACTIONS["close_tables"], context.key, context=context)
    assert len(undo(night, "close_tables", context).done) == 2
    assert closed(night) == [1]
    assert not undoing_of(night.tournament, BULK_ACTIONS["close_tables"], context.key, context=context)
    assert undo(night, "close_tables", context).is_replay


def test_a_closed_tournament_keeps_its_tables_closed(club):
    night, _ = played(club, 2)
    context = keyed()
    press(night, "close_tables", context)
    close_tournament(night.tournament.pk, context=at())
    done = undo(night, "close_tables", context)
    assert {str(one.why_not) for one in done.left_out} == {"the tournament is closed: reopen it before its tables"}
    assert not done.done
    assert closed(night) == [1, 2]


def test_tables_are_closed_once_all_deals_are_confirmed_by_somebody_else_than_their_recorder(club):
    """Two tables with two deals each that user:0 has recorded, and a second user must confirm."""
    night = a_night(club, {**HEATS, "confirmation": "second_official"})
    night.enter(*CAST)
    for row in night.seat():
        play_out(row)
    too_early = press(night, "close_tables")
    assert not too_early.done
    assert "2 deals that nobody else has confirmed" in str(too_early.left_out[0].why_not)
    own = press(night, "confirm_deals")
    assert {str(one.why_not) for one in own.left_out} == {
        f"you recorded deal {deal}: someone else must confirm it" for deal in (1, 2)
    }
    context = keyed(actor="user:1")
    assert len(press(night, "confirm_deals", context).done) == 4
    assert set(Scoresheet.objects.values_list("unconfirmed", flat=True)) == {0}
    assert not undoing_of(night.tournament, BULK_ACTIONS["confirm_deals"], context.key, context=context)
    with pytest.raises(EventNotAllowed, match="cannot be undone"):
        undo(night, "confirm_deals", context, actor="user:1")


def test_every_entry_of_whoever_is_here_is_taken_once_and_refunded_at_once(club):
    night = a_night(club, HEATS, entry_minor=FEE)
    here = night.enter("Asha", "Bo")
    (cy,) = night.enter("Cy", is_here=False)
    night.record(wire.EntryPaid(player=here[0], amount_minor=FEE))
    context = keyed()
    done = press(night, "take_entries", context)
    assert [(one.key, one.amount_minor) for one in done.done] == [(here[1], FEE)]
    assert [(one.key, str(one.why_not)) for one in done.left_out] == [(cy, "not checked in")]
    assert press(night, "take_entries", context).is_replay
    assert undo(night, "take_entries", context).done
    paid = {player: one.paid_minor for player, one in night.state.entrants.items()}
    assert paid == {here[0]: FEE, here[1]: 0, cy: 0}


def test_money_that_was_given_back_since_is_not_given_back_again(club):
    night = a_night(club, HEATS, entry_minor=FEE)
    asha, bo = night.enter("Asha", "Bo")
    context = keyed()
    press(night, "take_entries", context)
    night.record(wire.EntryRefunded(player=asha, amount_minor=FEE, reason="goes home"))
    done = undo(night, "take_entries", context)
    assert [one.key for one in done.done] == [bo]
    assert "has paid less" in str(done.left_out[0].why_not)


def test_the_rest_is_marked_absent_only_once_somebody_is_here_and_may_be_expected_again(club):
    night = a_night(club, HEATS)
    players = night.enter(*CAST, is_here=False)
    assert "nobody is checked in yet" in str(press(night, "mark_absent").left_out[0].why_not)
    night.record(wire.CheckedIn(player=players[0]))
    context = keyed()
    assert {one.key for one in press(night, "mark_absent", context).done} == set(players[1:])
    standings = {one.standing for player, one in night.state.entrants.items() if player != players[0]}
    assert standings == {Standing.ABSENT}
    undo(night, "mark_absent", context)
    assert all(one.plays for one in night.state.entrants.values())
    assert [one.is_checked_in for one in night.state.entrants.values()] == [True, False, False, False]


def test_a_player_who_has_had_a_seat_is_not_marked_absent(club):
    night = a_night(club, HEATS)
    players = night.enter(*CAST)
    night.seat()
    night.record(wire.CheckInUndone(player=players[3]))
    assert [str(one.why_not) for one in press(night, "mark_absent").left_out] == ["has had a seat"]


def statements(night, name):
    with CaptureQueriesContext(connection) as asked:
        assert press(night, name).done
    return len(asked)


@pytest.mark.slow
def test_the_number_of_queries_does_not_follow_the_tables(club):
    few, _ = played(club, 2)
    many, _ = played(club, 8, name="Many")
    assert statements(few, "close_tables") == statements(many, "close_tables")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("take_entries", 20), ("mark_absent", 18)])
def test_two_hundred_players_take_as_many_queries_as_two(club, name, most):
    counts = []
    for number in (2, 200):
        night = a_night(club, HEATS, name=f"With {number}", entry_minor=FEE)
        night.enter(*(f"{number} {each}" for each in range(number)), is_here=name == "take_entries")
        night.enter(f"{number} here")
        counts.append(statements(night, name))
    assert counts[0] == counts[1] <= most
