"""A practice: the same seed plays the same night, nothing of it is published or settled, and everything is proved.

Planted faults these catch: randomness that is not the seed's, a practice that pays, one that is published in two steps.
"""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.events import wire
from scoring.ledger import trial_balance
from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.playing import NOW, context, new_club, new_table, new_tournament
from tournaments.boards.clubs import club_page
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild, rebuild_differences
from tournaments.models import Club, Membership, Player, Role, Scoresheet, Tournament
from tournaments.models.log import Event
from tournaments.rehearsal import rehearsal_club
from tournaments.rehearsal.simulation import SimulationDraft, simulate_tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament
from tournaments.running.commands.record import record_in_tournament

pytestmark = pytest.mark.django_db
PLAN = {"stages": [{}], "is_rehearsal": True}


def night(club: Club | None = None, **extra):
    draft = {"players": 8, "preset": "pool_51", "seed": "Asha", "format": "two_go_on", **extra}
    return simulate_tournament(club or rehearsal_club(), SimulationDraft(**draft), now=NOW)


def events_of(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """The stored events of a night, in their order; the night's own number left out."""
    streams = {tournament.id, *tournament.tables.values_list("id", flat=True)}
    rows = Event.objects.filter(stream_id__in=streams).order_by("position")
    for kind, body in rows.values_list("kind", "body"):
        yield kind, body.replace(str(tournament.id), "")


@pytest.mark.slow
def test_a_night_ends_with_one_winner_and_is_proved():
    played = night()
    assert len(played.winners) == 1
    assert played.tournament.closed_at is not None
    assert not Scoresheet.objects.filter(is_closed=False, is_cancelled=False).exists()
    assert rebuild_differences() == []
    for command in ("verify_log", "check_ledger"):
        call_command(command, stdout=StringIO())


def test_nobody_made_up_is_left_among_real_players():
    """Planted fault: a practice in a club that plays, whose made-up players are then in its lists."""
    club = Club.objects.create(name="Thursday club", slug="thursday")
    real = Player.objects.create(club=club, name="Asha Rao", name_key="asha rao")
    with pytest.raises(OptionsRejected, match="Thursday club has 1 player of its own"):
        night(club)
    assert list(Player.objects.filter(club=club)) == [real]
    assert not Tournament.objects.filter(club=club).exists()


@pytest.mark.slow
def test_the_same_seed_plays_the_same_night_and_another_one_another():
    first, again, other = night(), night(), night(seed="Bo")
    assert list(events_of(first.tournament)) == list(events_of(again.tournament))
    assert list(events_of(first.tournament)) != list(events_of(other.tournament))
    assert Player.objects.count() == 12


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["points", "pool_51"])
def test_nothing_of_a_rehearsal_is_paid_though_its_tables_have_payouts(preset):
    played = night(preset=preset)
    for table in played.tournament.tables.all():
        settle_table(table.id, now=NOW)
    assert tables_to_settle() == []
    assert list(trial_balance(played.tournament.club_id)) == []
    rebuild()
    assert tables_to_settle() == []
    assert compare_books().faults == ()


def test_a_rehearsal_is_never_published_nor_settled_though_a_table_says_that_it_owes():
    played = night(preset="points")
    sheets = Scoresheet.objects.filter(table__tournament=played.tournament)
    sheets.update(due_version=99)
    assert tables_to_settle() == []
    assert "practice table" in str(settle_table(sheets[0].table_id, now=NOW).problem)
    assert not played.tournament.is_published
    draft = TournamentDraft(name="Out", preset="pool_51", starts_at=NOW, is_published=True)
    with pytest.raises(OptionsRejected, match="never published"):
        change_tournament(played.tournament, draft, context=context())
    Tournament.objects.update(is_published=True)
    page = club_page(played.tournament.club, with_hidden=False)
    assert (page.running, page.coming, page.results) == ((), (), ())


def test_what_is_published_or_counts_already_does_not_become_a_rehearsal():
    tournament = new_tournament(is_published=True)
    new_table(tournament)
    with pytest.raises(EventNotAllowed) as refused:
        record_in_tournament(tournament.id, wire.PlanMade(plan=PLAN), context=context())
    assert [problem.code for problem in refused.value.problems] == ["is_published", "already_played"]


@pytest.mark.slow
def test_a_night_that_counts_is_published_settled_and_adds_up():
    played = night(new_club(), is_real=True)
    lines = trial_balance(played.tournament.club_id)
    assert played.tournament.is_published
    assert {line.kind.value for line in lines} >= {"player", "club_fee"}
    assert sum(line.balance_minor for line in lines) == 0
    assert compare_books().faults == ()


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ({"preset": "whist"}, "no preset 'whist'"),
        ({"players": 1}, "2 to"),
        ({"format": "waltz"}, "no format 'waltz'"),
        ({"preset": "gin", "format": "two_go_on"}, "cannot be played"),
        ({"real": True}, "say in which club"),
    ],
)
def test_what_cannot_be_played_is_said(wanted, why):
    with pytest.raises(CommandError, match=why):
        call_command("simulate_night", **{"players": 8, "preset": "pool_51", "seed": "1", **wanted})
    assert not Tournament.objects.exists()


def test_a_night_that_counts_is_not_played_where_people_work(django_user_model):
    club = new_club()
    user = django_user_model.objects.create(username="dita")
    Membership.objects.create(user=user, club=club, role=Role.DIRECTOR)
    with pytest.raises(CommandError, match="people work at"):
        call_command("simulate_night", players=8, preset="pool_51", seed="1", club=club.slug, real=True)
