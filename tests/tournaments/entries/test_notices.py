"""What players say with their links: it changes nothing by itself, and waits until the tournament answers it."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from scoring.events import wire
from scoring.problems import ClubMoved, EventNotAllowed
from tests.builders.player_links import player_called, tonight
from tests.builders.playing import context, new_club
from tournaments import log
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.entries.commands.notices import (
    cannot_come,
    delete_old_notices,
    dismiss_notice,
    say_notice,
)
from tournaments.entries.commands.self_entry import KEPT
from tournaments.entries.notices import Kind, said_notices, waiting_in, waiting_notice_counts
from tournaments.models import Player, PlayerNotice, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return tonight("Asha", "Bo")


def says(tournament, name, kind=Kind.HERE, **words):
    return say_notice(tournament.pk, player_called(name), kind, now=now(), **words)


def waiting(tournament):
    """Who waits, and the action that answers."""
    state = tournament_state(tournament)
    return [(notice.notice.player.name, notice.act) for notice in waiting_in(state, said_notices([tournament.pk]))]


def act(tournament, name, what):
    act_at_desk(tournament.pk, DESK_ACTS[what], str(player_called(name).pk), context=context(now=now()))


def test_a_notice_waits_until_the_player_is_checked_in_by_whatever_way(tournament):
    before = log.read(tournament.club_id, tournament.pk)
    says(tournament, "Asha")
    says(tournament, "Bo", Kind.LATE, comes_at=now() + timedelta(minutes=20))
    assert log.read(tournament.club_id, tournament.pk) == before, "a link changes no version"
    assert waiting(tournament) == [("Asha", "check_in"), ("Bo", "check_in")]
    assert waiting_notice_counts([tournament.pk]) == {tournament.pk: 2}
    act(tournament, "Asha", "check_in")
    assert waiting(tournament) == [("Bo", "check_in")]
    act(tournament, "Bo", "absent")
    assert waiting(tournament) == [("Bo", "arrived")]


def test_said_twice_is_said_once_and_the_last_word_counts(tournament):
    first = says(tournament, "Asha")
    assert says(tournament, "Asha") == first
    says(tournament, "Asha", Kind.LATE, comes_at=now() + timedelta(minutes=20))
    (notice,) = PlayerNotice.objects.all()
    assert notice.kind == "late"


def test_the_desk_dismisses_what_it_has_seen_and_not_what_was_said_since(tournament):
    seen = says(tournament, "Asha")
    dismiss_notice(tournament.pk, seen.player_id, said_at=seen.said_at, context=context(now=now()))
    assert waiting(tournament) == []
    again = says(tournament, "Asha")
    assert again.said_at > seen.said_at
    dismiss_notice(tournament.pk, seen.player_id, said_at=seen.said_at, context=context(now=now()))
    assert waiting(tournament) == [("Asha", "check_in")]


def test_who_has_not_entered_is_shown_to_the_desk_with_no_action(tournament):
    says(tournament, "Cy")
    (notice,) = waiting_in(tournament_state(tournament), said_notices([tournament.pk]))
    assert (notice.act, notice.is_entered) == ("", False)


@pytest.mark.parametrize(
    "fields",
    [
        {"starts_at": now() + timedelta(days=3)},
        {"is_published": False},
        {"closed_at": now()},
        {"is_cancelled": True},
    ],
)
def test_nothing_is_said_about_a_tournament_that_is_far_off_hidden_or_over(tournament, fields):
    Tournament.objects.update(**fields)
    with pytest.raises(EventNotAllowed):
        says(tournament, "Asha")


def test_nothing_is_said_by_a_player_of_another_club_nor_in_a_moved_one(tournament):
    add_players(new_club("Other"), ["Zoya"])
    with pytest.raises(EventNotAllowed):
        say_notice(tournament.pk, Player.objects.get(name="Zoya"), Kind.HERE, now=now())
    log.move_club(tournament.club_id, "rummy.example.org")
    with pytest.raises(ClubMoved):
        says(tournament, "Asha")


def test_who_cannot_come_withdraws_or_tells_the_desk_where_money_is_to_be_returned(tournament):
    says(tournament, "Asha", Kind.LATE, comes_at=now())
    assert cannot_come(tournament.pk, player_called("Asha"), now=now()) is True
    asha = player_called("Asha")
    assert tournament_state(tournament).entrants[str(asha.pk)].standing == "withdrawn"
    assert cannot_come(tournament.pk, asha, now=now()) is True, "twice changes nothing"
    assert waiting(tournament) == [], "nobody comes late who has withdrawn"
    bo = player_called("Bo")
    paid = wire.EntryPaid(player=str(bo.pk), amount_minor=10_000)
    record_in_tournament(tournament.pk, paid, context=context(now=now()))
    assert cannot_come(tournament.pk, bo, now=now()) is False
    says(tournament, "Bo")
    assert waiting(tournament) == [("Bo", "withdraw"), ("Bo", "check_in")], "who was passed the link unsays nothing"
    act(tournament, "Bo", "withdraw")
    assert waiting(tournament) == [("Bo", "enter")]
    act(tournament, "Bo", "enter")
    assert waiting(tournament) == [("Bo", "check_in")], "what the desk has answered does not wait again"


def test_nobody_withdraws_from_a_tournament_that_they_are_not_in(tournament):
    with pytest.raises(EventNotAllowed):
        cannot_come(tournament.pk, player_called("Cy"), now=now())


def test_notices_are_deleted_some_days_after_the_end(tournament):
    says(tournament, "Asha")
    Tournament.objects.update(closed_at=now())
    assert delete_old_notices(now=now()) == 0
    assert delete_old_notices(now=now() + KEPT) == 1
