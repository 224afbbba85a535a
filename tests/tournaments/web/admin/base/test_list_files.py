"""Each list of the back office goes out as a file: its columns, all of its rows, as they are filtered and sorted."""

import csv
import io

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from tests.builders.admin_tables import person
from tests.builders.playing import NOW, new_club, new_tournament
from tests.builders.receivers import new_receiver
from tests.builders.spreadsheets import imported
from tournaments.models import Club, ImportKind, Player, Role
from tournaments.outbox.receivers import send_test
from tournaments.people.players import add_players
from tournaments.web.admin.base import list_files

pytestmark = pytest.mark.django_db
LISTS = (
    *("tournaments_player", "tournaments_tournament", "tournaments_table", "tournaments_season", "tournaments_event"),
    *("tournaments_club", "tournaments_apitoken", "scoring_journalentry", "scoring_account"),
)


@pytest.fixture
def club() -> Club:
    return new_club(locale="de_DE", currency="EUR")


@pytest.fixture
def owner(club: Club, client: Client) -> Client:
    client.force_login(person("owner", Role.OWNER, club))
    return client


def read(text: bytes, separator: str = ";") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.decode("utf-8-sig")), delimiter=separator))


def test_all_pages_of_a_list_are_in_its_file(owner: Client, club: Club):
    """Planted fault: the file has the rows of the first page."""
    add_players(club, [f"Asha {number:03}" for number in range(130)])
    address = reverse("admin:tournaments_player_changelist")
    heading, *rows = read(owner.get(address, {"file": "csv", "p": "2"}).content)
    assert heading[:2] == ["Name", "Member of the club"]
    assert sorted(row[0] for row in rows) == [f"Asha {number:03}" for number in range(130)]
    found = read(owner.get(address, {"file": "csv", "q": "007"}).content)
    assert [row[0] for row in found[1:]] == ["Asha 007"]


def test_a_name_that_is_a_formula_stays_text(owner: Client, club: Club):
    (player,) = add_players(club, ["Asha"])
    Player.objects.filter(pk=player.pk).update(name="=1+1 <b>&")
    address = reverse("admin:tournaments_player_changelist")
    assert read(owner.get(address, {"file": "csv"}).content)[1][0] == "'=1+1 <b>&"
    page = openpyxl.load_workbook(io.BytesIO(owner.get(address, {"file": "xlsx"}).content)).active
    assert page is not None
    assert (page["A2"].value, page["A2"].data_type) == ("=1+1 <b>&", "s")


def test_another_clubs_rows_are_in_no_file(owner: Client):
    add_players(new_club(), ["Bo"])
    assert len(read(owner.get(reverse("admin:tournaments_player_changelist"), {"file": "csv"}).content)) == 1


@pytest.mark.parametrize(
    ("name", "headings"),
    [
        ("club", ["Name", "Currency", "Time zone", "Amounts as in", "Published"]),
        ("tournament", ["Tournament", "Plays", "Begins", "Published", "Closed at"]),
        ("season", ["Season", "First day", "Last day", "Published", "Closed at"]),
        ("apitoken", ["Device", "Role", "Made by", "Created at", "Last used at", "Ends", "Revoked"]),
    ],
)
def test_columns_have_the_words_of_the_form(owner: Client, name: str, headings: list[str]):
    """Planted fault: a column is headed by the name of its field in the database, such as Timezone."""
    page = owner.get(reverse(f"admin:tournaments_{name}_changelist"), {"file": "csv"})
    assert read(page.content)[0] == headings


@pytest.mark.parametrize("name", LISTS)
def test_each_list_offers_its_files(owner: Client, club: Club, name: str):
    for kind in ("csv", "xlsx"):
        answer = owner.get(reverse(f"admin:{name}_changelist"), {"file": kind})
        assert answer.status_code == 200
        assert f'.{kind}"' in answer.headers["Content-Disposition"]


@pytest.mark.parametrize("name", LISTS)
def test_whoever_may_not_see_a_list_gets_no_file(client: Client, name: str):
    client.force_login(person("nobody"))
    assert client.get(reverse(f"admin:{name}_changelist"), {"file": "csv"}).status_code in (302, 403)


def test_balances_are_written_as_the_clubs_place_writes_amounts(owner: Client, club: Club):
    """Planted fault: cells of amounts with a decimal comma, parted by commas."""
    add_players(club, ["Asha", "Bo"])
    imported(club, "Name;Amount\nAsha;1.234,50\nBo;-7,00\n", ImportKind.BALANCES)
    page = f"/admin/tournaments/club/{club.pk}/cash/balances/"
    assert "?kind=balances" in owner.get(page).content.decode()
    rows = read(owner.get(page, {"file": "csv"}).content)
    assert sorted(rows[1:]) == [["Asha", "1234,50", "0,00", "EUR"], ["Bo", "-7,00", "0,00", "EUR"]]


def test_the_entries_of_a_tournament_are_a_file_with_who_has_paid(owner: Client, club: Club):
    tournament = new_tournament(club, entry_minor=2_000)
    imported(club, "Name;Paid\nAsha;yes\nBo;\n", ImportKind.ENTRIES, tournament=tournament)
    address = reverse("admin:tournaments_tournament_entries", args=[tournament.pk])
    rows = read(owner.get(address, {"file": "csv"}).content)
    assert [(row[0], *row[3:]) for row in rows[1:]] == [
        ("Asha", "20,00", "0,00", "EUR"),
        ("Bo", "0,00", "20,00", "EUR"),
    ]


def test_the_people_of_a_club_are_a_file(owner: Client, club: Club):
    """Planted fault: a person whose login has no name has none in the file, though the page shows the login's."""
    person("Sam", Role.SCORER, club)
    rows = read(owner.get(reverse("admin:tournaments_club_people", args=[club.pk]), {"file": "csv"}).content)
    assert [row[:3] for row in rows[1:]] == [["owner", "owner", "Owner"], ["Sam", "Sam", "Scorer"]]


def test_what_was_sent_to_a_receiver_is_a_file_and_another_clubs_is_not(owner: Client, club: Club):
    receiver, other = (new_receiver(of) for of in (club, new_club()))
    send_test(receiver, now=NOW)
    address = reverse("admin:tournaments_club_messages", args=[club.pk])
    rows = read(owner.get(address, {"file": "csv", "receiver": str(receiver.pk)}).content)
    assert [row[1:4] for row in rows[1:]] == [["Test message", "Waiting", "0"]]
    for asked in (str(other.pk), "x", ""):
        assert owner.get(address, {"file": "xlsx", "receiver": asked}).status_code == 404


def test_a_list_that_is_too_long_is_refused_with_what_to_do(owner: Client, club: Club, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tournaments.web.admin.base.scoping.MOST_ROWS", 1)
    add_players(club, ["Asha", "Bo"])
    answer = owner.get(reverse("admin:tournaments_player_changelist"), {"file": "csv"}, follow=True)
    assert "filter it, then download" in answer.content.decode()
    assert list_files.MOST_ROWS == 10_000
