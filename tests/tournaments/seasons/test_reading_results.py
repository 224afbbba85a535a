"""Seasons and ratings follow the log: which nights count, what a correction changes, and concurrent workers."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rummy_site.worker.periodic import READ_EVERY_SECONDS
from scoring.seasons.formula import TournamentResult, load_result
from tests.builders.playing import context, loses, new_club, new_tournament, show
from tests.builders.seasons import LATER, caught_up, finish, played, player, season, seated, shown, standings
from tournaments.integrity.rebuild import rebuild, rebuild_differences
from tournaments.models import Club, ClubReadings, NightResult, PlayerRating, SeasonTable, Tournament
from tournaments.privacy import erase_player
from tournaments.running.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament, make_plan
from tournaments.seasons import results
from tournaments.seasons.commands import update
from tournaments.seasons.commands.update import BEAT, LEASE, UpdateResult, bring_up, clubs_to_read
from tournaments.tasks import read_results, sweep_readings

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return new_club()


class Slow:
    """A clock that only moves when it is told to."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.now = seconds, 0.0

    def __call__(self) -> float:
        return self.now

    def runs(self) -> None:
        self.now += self.seconds

    @property
    def since(self) -> timedelta:
        return timedelta(seconds=self.now)


def corrected(table: Any) -> None:
    """A correction: Bo wins the second deal, and with it the pool."""
    for number in (1, 2):
        table.correct(number, loses(70), show, loses(63), actor="user:dita")


def test_a_night_counts_once_it_is_closed_and_leaves_the_season_while_it_is_reopened(club: Club):
    spring = season(club)
    night = played(club, "Asha", "Bo", "Cy", is_closed=False)
    caught_up(club)
    assert shown(spring) == []
    close_tournament(night.row.tournament_id, context=context())
    caught_up(club)
    assert shown(spring) == ["1 Asha 10", "2 Bo 6", "3 Cy 3"]
    reopen_tournament(night.row.tournament_id, reason="a table was forgotten", context=context())
    caught_up(club)
    assert shown(spring) == []
    assert not PlayerRating.objects.exists()
    close_tournament(night.row.tournament_id, context=context())
    caught_up(club)
    assert shown(spring) == ["1 Asha 10", "2 Bo 6", "3 Cy 3"]
    assert NightResult.objects.get().corrected_at is not None


def test_only_nights_between_the_two_days_count_by_the_clubs_own_clock():
    """Planted fault: with days of UTC the night at half past twelve in India belongs to the day before."""
    club = new_club(timezone="Asia/Kolkata")
    midnight = datetime(2026, 5, 31, 18, 30, tzinfo=UTC)
    spring = season(club)
    for starts_at, names in ((midnight, ("Bo", "Asha")), (midnight - timedelta(minutes=1), ("Asha", "Bo"))):
        tournament = new_tournament(club, starts_at=starts_at)
        finish(seated(tournament, *names), 2)
        close_tournament(tournament.id, context=context())
    caught_up(club)
    assert shown(spring) == ["1 Asha 10", "2 Bo 6"]


def test_a_night_that_is_no_longer_published_leaves_the_season(club: Club):
    spring = season(club)
    night = played(club, "Asha", "Bo").row.tournament
    caught_up(club)
    draft = TournamentDraft(name=night.name, preset=night.preset, starts_at=night.starts_at, is_published=False)
    change_tournament(night, draft, context=context())
    caught_up(club)
    assert shown(spring) == []


@pytest.mark.slow
def test_an_old_night_corrected_is_in_the_season_and_in_the_ratings_after_one_refresh(club: Club):
    """Planted fault: with the mark left out of the event's transaction the old night is never read again."""
    spring = season(club)
    old = played(club, "Asha", "Bo", "Cy")
    played(club, "Asha", "Bo", "Cy", day=7)
    caught_up(club)
    before = dict(PlayerRating.objects.values_list("player__name", "mu"))
    assert shown(spring) == ["1 Asha 20", "2 Bo 12", "3 Cy 6"]
    corrected(old)
    assert clubs_to_read() == [club.id]
    read_results(str(club.id))
    after = dict(PlayerRating.objects.values_list("player__name", "mu"))
    assert shown(spring) == ["1 Bo 16", "2 Asha 13", "3 Cy 9"]
    assert after["Bo"] > before["Bo"]
    assert NightResult.objects.get(tournament=old.row.tournament).corrected_at is not None
    assert clubs_to_read() == []


@pytest.mark.slow
def test_only_the_night_that_changed_is_read_again(club: Club):
    season(club)
    nights = [played(club, "Asha", "Bo", "Cy", day=day) for day in range(3)]
    assert bring_up(club.id, now=LATER).tournaments == 3
    corrected(nights[1])
    brought = bring_up(club.id, now=LATER)
    assert (brought.tournaments, brought.seasons, brought.ratings) == (1, 1, 3)


@pytest.mark.slow
def test_many_nights_are_read_in_as_many_queries_as_few(club: Club):
    """Planted fault: one query for each night."""
    season(club)
    played(club, "Asha", "Bo")
    with CaptureQueriesContext(connection) as one:
        caught_up(club)
    for day in range(1, 9):
        played(club, "Asha", "Bo", day=day)
    with CaptureQueriesContext(connection) as eight:
        caught_up(club)
    assert len(eight) == len(one)


@pytest.mark.slow
def test_rehearsals_trainings_unpublished_and_given_up_nights_count_nothing(club: Club):
    spring = season(club)
    rehearsal = new_tournament(club, name="Rehearsal", is_published=False)
    make_plan(rehearsal.id, {"is_rehearsal": True}, context=context())
    given_up = new_tournament(club, name="Given up")
    make_plan(given_up.id, {}, context=context())
    cancel_tournament(given_up.id, reason="too few came", context=context())
    played(club, "Asha", "Bo", is_published=False)
    counted = played(club, "Bo", "Asha", day=1)
    training = played(club, "Asha", "Bo", day=2)
    Tournament.objects.filter(id=training.row.tournament_id).update(options={"training": True})
    caught_up(club)
    assert list(NightResult.objects.values_list("tournament_id", flat=True)) == [counted.row.tournament_id]
    assert shown(spring) == ["1 Bo 10", "2 Asha 6"]


def test_a_second_worker_leaves_alone_what_another_is_at_until_that_one_is_taken_for_dead(club: Club):
    """Planted fault: with the lease left out, both work on the same club."""
    season(club)
    played(club, "Asha", "Bo")
    ClubReadings.objects.update(begun_at=LATER, beat_at=LATER)
    assert bring_up(club.id, now=LATER).tournaments == 0
    assert bring_up(club.id, now=LATER + LEASE + timedelta(seconds=1)).tournaments == 1


def test_a_club_waits_for_a_worker_that_was_killed_half_a_minute_at_most():
    """Planted fault: with a lease of five minutes, a club sees old standings for as long."""
    sweep = timedelta(seconds=READ_EVERY_SECONDS)
    assert LEASE + sweep <= timedelta(seconds=30)
    assert 5 * BEAT <= LEASE


def test_a_worker_that_was_killed_leaves_its_work_to_the_next_one(club: Club):
    """Killed by the system: no cleanup runs."""
    spring = season(club)
    played(club, "Asha", "Bo")

    class Killed(BaseException):
        """Not an Exception, so no handler catches it."""

    tidy = patch.object(update, "_let_go")
    with tidy, patch.object(update, "rate", side_effect=Killed), pytest.raises(Killed):
        bring_up(club.id, now=LATER)
    assert bring_up(club.id, now=LATER + timedelta(seconds=1)).ratings == 0
    assert bring_up(club.id, now=LATER + LEASE + timedelta(seconds=1)).ratings == 2
    assert shown(spring) == ["1 Asha 10", "2 Bo 6"]


def test_a_worker_that_takes_longer_than_the_lease_and_is_heard_of_keeps_its_work(club: Club):
    """Planted fault: with the heartbeat left out of the ratings, a second worker does the same work."""
    season(club)
    for day in range(6):
        played(club, "Asha", "Bo", day=day)
    clock = Slow(seconds=LEASE.total_seconds() / 3)
    meanwhile: list[UpdateResult] = []

    def slow(state: str) -> TournamentResult:
        """Each night takes a third of the lease, and the other worker checks every time."""
        clock.runs()
        meanwhile.append(bring_up(club.id, now=LATER + clock.since))
        return load_result(state)

    with patch.object(update, "monotonic", clock), patch.object(update, "load_result", slow):
        brought = bring_up(club.id, now=LATER)
    assert clock.since > LEASE
    assert meanwhile == [UpdateResult()] * 6
    assert (brought.tournaments, brought.ratings) == (6, 2)


@pytest.mark.slow
def test_a_worker_that_was_taken_for_dead_stops_when_it_wakes_up(club: Club):
    """Planted fault: if the lease is not checked, both process every night that is left."""
    spring = season(club)
    for day in range(3):
        played(club, "Asha", "Bo", day=day)
    honest, read, other = results.read_results, [], []

    def asleep(nights: Any) -> Any:
        found = honest(nights)
        read.append(len(found))
        if len(read) == 1:
            other.append(bring_up(club.id, now=LATER + LEASE + timedelta(seconds=1)))
        return found

    with patch.object(update, "BATCH", 1), patch.object(update, "read_results", asleep):
        assert bring_up(club.id, now=LATER) == UpdateResult()
    assert other == [UpdateResult(tournaments=3, seasons=1, ratings=2)]
    assert len(read) == 1 + 3
    assert shown(spring) == ["1 Asha 30", "2 Bo 18"]
    assert rebuild_differences() == []


def test_a_worker_who_comes_late_does_not_write_older_numbers_over_newer_ones(club: Club):
    """The first reads, and before it writes, a correction is made and processed by a second.

    Planted fault: with the comparison of `done` and `due` left out, the first one's season is kept.
    """
    spring = season(club)
    old = played(club, "Asha", "Bo", "Cy")
    raced: list[int] = []
    honest = update.rate

    def slow(kept: Any, **how: Any) -> Any:
        if not raced:
            raced.append(1)
            corrected(old)
            ClubReadings.objects.update(begun_at=None)
            bring_up(club.id, now=LATER + timedelta(seconds=5))
        return honest(kept, **how)

    with patch.object(update, "rate", slow):
        bring_up(club.id, now=LATER)
    assert shown(spring)[0] == "1 Bo 10"
    assert rebuild_differences() == []


def test_a_night_that_left_meanwhile_is_not_brought_back_by_a_worker_who_comes_late(club: Club):
    """Planted fault: with `due` not checked where nights are written, the first one keeps a night that was reopened."""
    spring = season(club)
    night = played(club, "Asha", "Bo")
    raced: list[int] = []
    honest = results.read_results

    def slow(nights: Any) -> Any:
        found = honest(nights)
        if not raced:
            raced.append(1)
            reopen_tournament(night.row.tournament_id, reason="a table was forgotten", context=context())
            ClubReadings.objects.update(begun_at=None)
            bring_up(club.id, now=LATER + timedelta(seconds=5))
        return found

    with patch.object(update, "read_results", slow):
        bring_up(club.id, now=LATER)
    assert not NightResult.objects.exists()
    assert shown(spring) == []
    assert rebuild_differences() == []


def test_a_failure_is_kept_for_the_director_and_tried_again(club: Club):
    spring = season(club)
    played(club, "Asha", "Bo")
    with (
        patch("tournaments.seasons.commands.update.rate", side_effect=ZeroDivisionError("no")),
        pytest.raises(ZeroDivisionError),
    ):
        read_results(str(club.id))
    assert str(ClubReadings.objects.get().why_behind) == "ZeroDivisionError: no"
    assert sweep_readings() == 1
    assert ClubReadings.objects.get().problem == ""
    assert shown(spring) == ["1 Asha 10", "2 Bo 6"]
    assert sweep_readings() == 0


@pytest.mark.slow
def test_a_reading_that_was_tampered_with_or_is_lost_is_found_by_the_check_and_fixed_by_a_rebuild(club: Club):
    spring = season(club)
    played(club, "Asha", "Bo")
    caught_up(club)
    assert rebuild_differences() == []
    tampered: list[tuple[Any, dict[str, Any], str]] = [
        (NightResult, {"state": '{"came":[],"tables":[]}'}, "night of tournament"),
        (SeasonTable, {"state": '{"tables":[]}'}, "table of season"),
        (PlayerRating, {"mu": 99_999}, "rating of player"),
    ]
    for model, change, said in tampered:
        model.objects.update(**change)
        assert any(difference.startswith(said) for difference in rebuild_differences())
        rebuild()
        assert rebuild_differences() == []
    for model in (PlayerRating, SeasonTable, NightResult):
        model.objects.all().delete()
    assert all(line.endswith("is missing") for line in rebuild_differences())
    rebuild()
    assert shown(spring) == ["1 Asha 10", "2 Bo 6"]


@pytest.mark.slow
def test_readings_hold_no_name_so_an_erased_player_is_gone_from_them(club: Club):
    season(club)
    played(club, "Asha", "Bo")
    caught_up(club)
    erase_player(player(club, "Asha"), now=LATER, with_balance=True)
    kept = [*NightResult.objects.values_list("state", flat=True), *SeasonTable.objects.values_list("state", flat=True)]
    assert "Asha" not in json.dumps([*kept, *PlayerRating.objects.values_list("history", flat=True)])
    assert rebuild_differences() == []


def test_a_table_that_was_given_up_counts_for_nobody(club: Club):
    tournament = new_tournament(club)
    finish(seated(tournament, "Asha", "Bo"), 2)
    seated(tournament, "Cy", "Dev", number=2).record({"kind": "table_cancelled", "reason": "nobody stayed"})
    close_tournament(tournament.id, context=context())
    caught_up(club)
    night = load_result(NightResult.objects.get().state)
    assert [(came.place, came.sharing) for came in night.came] == [(1, 1), (2, 1)]
    assert len(night.tables) == 1
    assert PlayerRating.objects.count() == 2


@pytest.mark.slow
def test_a_night_of_which_nothing_counts_is_missed_by_nobody(club: Club):
    """Planted fault: a night whose tables were all abandoned is kept, and counts as each player's worst."""
    spring = season(club, formula={"drop_worst": 1})
    played(club, "Asha", "Bo")
    played(club, "Bo", "Asha", day=1)
    nothing = new_tournament(club, name="Nothing played")
    seated(nothing, "Asha", "Bo").record({"kind": "table_cancelled", "reason": "fire alarm"})
    close_tournament(nothing.id, context=context())
    caught_up(club)
    assert sorted(shown(spring)) == ["1 Asha 10", "1 Bo 10"]
    assert len(standings(spring).tables[0].nights) == 2
    assert rebuild_differences() == []


def test_a_club_whose_seasons_cannot_be_worked_out_keeps_no_other_from_the_sweep(club: Club):
    """Planted fault: clubs came in the order of their last attempt, and a failing one is always first."""
    other = new_club()
    for each in (club, other):
        season(each)
    for stuck, waits in ((club, other), (other, club)):
        ClubReadings.objects.update(problem="")
        ClubReadings.objects.filter(club=stuck).update(problem="ZeroDivisionError")
        assert clubs_to_read(limit=1) == [waits.id]
