"""Several events of one action: all or none, once, and with one update of the read models."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from scoring.problems import KeyReused
from tests.builders.playing import context, new_club, new_tournament
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament, tournament_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return new_tournament(new_club(), entry_minor=10_000)


def entries(tournament, count):
    players = add_players(tournament.club, [f"Player {number}" for number in range(count)])
    return [wire.PlayerEntered(player=str(player.id)) for player in players]


def test_the_evening_is_read_and_written_once_for_any_number_of_events(tournament):
    events = entries(tournament, 40)
    with CaptureQueriesContext(connection) as asked:
        record_all_in_tournament(tournament.id, events, context=context())
    rest = [query["sql"] for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]]
    assert len(rest) < 15
    assert len(tournament_state(tournament).entrants) == 40
    assert rebuild_differences() == []


def paid(event):
    return wire.EntryPaid(player=event.player, amount_minor=10_000)


def test_an_action_whose_first_event_had_happened_already_is_stored_once_when_it_is_sent_twice(tournament):
    asha, bo = entries(tournament, 2)
    record_all_in_tournament(tournament.id, [asha], context=context())
    same = context()
    record_all_in_tournament(tournament.id, [asha, bo, paid(asha)], context=same)
    again = record_all_in_tournament(tournament.id, [asha, bo, paid(asha)], context=same)
    assert again.is_replay
    assert tournament_state(tournament).entrants[asha.player].paid_minor == 10_000
    assert rebuild_differences() == []


def test_a_key_that_comes_back_in_the_middle_of_another_action_stores_none_of_it(tournament):
    asha, bo = entries(tournament, 2)
    record_all_in_tournament(tournament.id, [asha], context=context())
    same = context()
    record_all_in_tournament(tournament.id, [asha, paid(asha)], context=same)
    before = Event.objects.count()
    with pytest.raises(KeyReused):
        record_all_in_tournament(tournament.id, [bo, paid(asha)], context=same)
    assert Event.objects.count() == before
