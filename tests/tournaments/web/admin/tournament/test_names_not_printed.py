"""A name with a letter that no font has is said on every page that prints it, before it is printed."""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.builders.admin_tables import evening_at
from tests.builders.cash_desk import at_the_desk
from tournaments.models import Club, Player, Role, Table
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db

TOURNAMENT = "/admin/tournaments/tournament/{tournament}/"
PAGES = (
    f"{TOURNAMENT}paper/",
    f"{TOURNAMENT}cards/",
    f"{TOURNAMENT}money/",
    "/admin/tournaments/table/{table}/cards/",
    "/admin/tournaments/player/{player}/statement/",
    "/admin/tournaments/club/{club}/books/",
)
WARNING = "1 name has letters that no font has: 王 Wei. They are printed as empty boxes."


@pytest.mark.parametrize("page", PAGES)
def test_a_name_with_a_letter_that_no_font_has_is_said_before_it_is_printed(
    page: str, club: Club, signed_in: Callable[..., Client]
):
    """Planted fault: empty boxes instead of letters, on paper only, without a word."""
    owner, evening = signed_in(Role.OWNER), evening_at(club, preset="pool_101", names=("Asha", "王 Wei"))
    player = Player.objects.get(name="王 Wei")
    table = Table.objects.get(tournament=evening.tournament)
    path = page.format(tournament=evening.tournament.pk, player=player.pk, club=club.pk, table=table.pk)
    assert WARNING in owner.get(path).content.decode()
    player.name = "Wei"
    player.save()
    assert "letters that no font has" not in owner.get(path).content.decode()


def test_names_for_the_wall_are_looked_at_too_and_those_of_tables(club: Club, signed_in: Callable[..., Client]):
    owner, evening = signed_in(Role.OWNER), evening_at(club, preset="pool_101", names=("Asha", "Bo"))
    player = Player.objects.get(name="Bo")
    player.naming, player.pseudonym = "pseudonym", "狐"
    player.save()
    path = TOURNAMENT.format(tournament=evening.tournament.pk) + "paper/"
    assert "letters that no font has" not in owner.get(path).content.decode()
    assert "1 name has letters that no font has: 狐." in owner.get(f"{path}?names=public").content.decode()
    Table.objects.filter(tournament=evening.tournament).update(name="♠ Spades")
    assert "1 name has letters that no font has: ♠ Spades." in owner.get(path).content.decode()


def test_a_name_on_a_receipt_is_said_beside_the_button_that_prints_it(club: Club):
    add_players(club, ("Asha", "王 Wei"))
    desk = at_the_desk(club, Role.OWNER, "cora").opens()
    assert WARNING not in desk.page(desk.sends(desk.player("Asha"), "take", amount="50").url)
    assert WARNING in desk.page(desk.sends(desk.player("王 Wei"), "take", amount="50").url)
    assert WARNING not in desk.page()
    assert WARNING in desk.page(f"nights/{desk.book}/")


def test_more_than_ten_names_are_counted(club: Club, signed_in: Callable[..., Client]):
    owner = signed_in(Role.OWNER)
    Player.objects.bulk_create([Player(club=club, name=f"王 {number:02}") for number in range(12)])
    page = owner.get(f"/admin/tournaments/club/{club.pk}/books/").content.decode()
    assert "12 names have letters that no font has: " in page
    assert page.count("王") == 10
