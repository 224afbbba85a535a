"""Names of a tournament's players: read once, and again when a name of their club has changed."""

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders.admin_tables import person
from tests.builders.admin_tournaments import HEATS, a_night
from tests.builders.playing import new_club, rename
from tournaments.models import Club, Player, Role
from tournaments.models.public_names import Names
from tournaments.people.players import add_players
from tournaments.running.remembered_names import names_of_players

pytestmark = pytest.mark.django_db(transaction=True)


def now(club: Club) -> Club:
    return Club.objects.select_related("shown_version").get(pk=club.pk)


def named(club: Club, players: list[Player], names: Names = Names.REAL) -> tuple[list[str], int]:
    """The names of these players, and how many queries they took."""
    with_version = now(club)
    with CaptureQueriesContext(connection) as asked:
        found = names_of_players(with_version, [str(player.pk) for player in players], names)
    return [one.name for one in found.values()], len(asked)


@pytest.mark.parametrize("names", Names)
def test_names_are_read_again_when_one_has_changed_and_only_then(names: Names):
    """Planted fault: names that are remembered whatever happens."""
    club = new_club()
    players = add_players(club, ["Asha", "Bo"])
    assert named(club, players, names) == (["Asha", "Bo"], 1)
    assert named(club, players, names) == (["Asha", "Bo"], 0)
    rename("Bo", "Bodil")
    assert named(club, players, names) == (["Asha", "Bodil"], 1)


def test_of_known_players_and_a_new_one_only_the_new_one_is_read():
    club = new_club()
    players = add_players(club, ["Asha", "Bo"])
    named(club, players)
    more = add_players(club, ["Cy"])
    with CaptureQueriesContext(connection) as asked:
        assert named(club, [*more, *players])[0] == ["Cy", "Asha", "Bo"]
    (question,) = [each["sql"] for each in asked if "tournaments_player" in each["sql"]]
    assert players[0].pk.hex not in question.replace("-", "").lower()


def test_a_player_of_another_club_has_no_name_here():
    club, other = new_club(), new_club("Other")
    assert named(club, add_players(other, ["Asha"]))[0] == []


@pytest.mark.postgres
def test_a_name_that_was_rolled_back_is_not_remembered():
    """Planted fault: a name read within a transaction, shown after it had failed."""
    club = new_club()
    players = add_players(club, ["Asha"])
    with transaction.atomic():
        rename("Asha", "Uma")
        assert named(club, players)[0] == ["Uma"]
        transaction.set_rollback(True)
    rename("Asha", "Asha Rao")
    assert named(club, players)[0] == ["Asha Rao"]


@pytest.mark.slow
def test_the_dashboard_does_not_read_the_names_of_all_who_entered_for_each_look():
    """Planted fault: all names of a tournament of 5,000 read every three seconds, to tell that none has changed."""
    club = new_club()
    night, client = a_night(club, HEATS), Client()
    client.force_login(person("owner", Role.OWNER, club))
    night.enter("Asha", "Bo", "Cy", is_here=False)

    def look() -> tuple[str, int]:
        with CaptureQueriesContext(connection) as asked:
            page = client.get(night.url("night/part")).content.decode()
        return page, sum('"tournaments_player"."id" IN' in each["sql"] for each in asked)

    assert look()[1] == 1
    assert look()[1] == 0
    rename("Bo", "Bodil")
    page, asked = look()
    assert (asked, "Bodil" in page) == (1, True)
