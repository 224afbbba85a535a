"""Opening balances come in: as events of the club, in the books against an account of their own, and undone.

Planted faults these catch: a sign that is read away, an amount of another place, a reversal without its event.
"""

from io import StringIO

import pytest
from django.core.management import call_command

from scoring import ledger
from scoring.events.club import OpeningBalancesImported
from scoring.money import AccountKind, AccountRef
from tests.builders.playing import context, new_club
from tests.builders.spreadsheets import imported, workbook_of
from tournaments.importing import ImportRejected
from tournaments.importing.run import undo_import
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.merging import merge_players, merges_of, player_balances
from tournaments.models import Club, ImportKind, Player
from tournaments.people.players import add_players
from tournaments.spreadsheets import Row, Worksheet, read_spreadsheet

pytestmark = pytest.mark.django_db
BALANCES = ImportKind.BALANCES


@pytest.fixture
def club() -> Club:
    club = new_club(locale="de_DE", currency="EUR")
    add_players(club, ["Asha", "Bo", "Cy"])
    return club


def held(club: Club) -> dict[str, dict[str, int]]:
    players = Player.objects.filter(club=club)
    return {player.name: player_balances(club.id, str(player.id)) for player in players}


def prove() -> None:
    call_command("check_ledger", stdout=StringIO())
    call_command("verify_log", full=True, stdout=StringIO())
    assert compare_books().faults == ()
    assert rebuild_differences() == []


def test_balances_are_read_as_the_clubs_place_writes_them_and_the_books_balance(club: Club):
    cells = "Spieler;Guthaben;Datum\nAsha;1.234,50 €;31.12.2025\nBo;-12,50;2025-12-31\nCy;0;\n"
    imported(club, cells, BALANCES)
    assert held(club) == {"Asha": {"EUR": 123_450}, "Bo": {"EUR": -1_250}, "Cy": {}}
    (opened,) = merges_of(club.id).opened.values()
    assert isinstance(opened, OpeningBalancesImported)
    assert opened.day == "2025-12-31"
    other_side = AccountRef(kind=AccountKind.OPENING)
    assert ledger.balances(club.id, "EUR", [other_side]) == {other_side: -122_200}
    prove()


def test_numbers_of_a_workbook_are_taken_as_they_are(club: Club):
    file = workbook_of([["Name", "Amount", "Currency"], ["Asha", 1234.5, "EUR"], ["Bo", 7, "USD"]])
    imported(club, read_spreadsheet(file), BALANCES)
    assert held(club)["Asha"] == {"EUR": 123_450}
    assert held(club)["Bo"] == {"USD": 700}


def test_a_number_that_is_none_is_a_problem_of_its_cell(club: Club):
    with pytest.raises(ImportRejected) as rejected:
        imported(club, Worksheet(rows=(Row(1, ("Name", "Amount")), Row(2, ("Asha", "nan")))), BALANCES)
    assert [(problem.field, problem.code) for problem in rejected.value.problems] == [
        ("row 2, column B", "not_an_amount")
    ]


def test_every_row_that_cannot_be_read_is_named(club: Club):
    imported(club, "Name;Amount\nCy;1,00\n", BALANCES)
    with pytest.raises(ImportRejected) as rejected:
        imported(
            club,
            "Name;Amount;Currency;Date\nAsha;12.5;;\nAsha;1;XXY;\nBo;1;;31.02.2025\nBo;1;;1.1.2190\nCy;1;;\nDev;1;;\n",
            BALANCES,
        )
    assert {problem.field: problem.code for problem in rejected.value.problems} == {
        "row 2, column B": "not_an_amount",
        "row 3, column C": "not_a_choice",
        "row 4, column D": "not_a_day",
        "row 5, column A": "listed_twice",
        "row 5, column D": "not_a_day",
        "row 6, column A": "opened_already",
        "row 7, column A": "unknown_player",
    }
    assert held(club)["Asha"] == {}


def test_opening_balances_are_reversed_when_undone_and_follow_a_merge(club: Club):
    saved = imported(club, "Name;Amount\nAsha;50,00\nBo;-20,00\n", BALANCES)
    undo_import(saved.made, context=context())
    assert {amounts.get("EUR", 0) for amounts in held(club).values()} == {0}
    assert merges_of(club.id).opened == {}
    prove()
    imported(club, "Name;Amount\nAsha;50,00\nBo;-20,00\n", BALANCES)
    asha, bo = Player.objects.get(name="Asha"), Player.objects.get(name="Bo")
    merge_players(bo, asha, context=context())
    assert player_balances(club.id, str(asha.id)) == {"EUR": 3_000}
    prove()


def test_a_balance_that_was_spent_cannot_be_undone(club: Club):
    saved = imported(club, "Name;Amount\nAsha;50,00\n", BALANCES)
    asha, bo = Player.objects.get(name="Asha"), Player.objects.get(name="Bo")
    merge_players(asha, bo, context=context())
    with pytest.raises(ImportRejected, match="left of"):
        undo_import(saved.made, context=context())
    assert player_balances(club.id, str(bo.id)) == {"EUR": 5_000}


def test_a_balance_is_opened_once_for_a_person_with_two_rows(club: Club):
    imported(club, "Name;Amount\nAsha;50,00\n", BALANCES)
    asha, bo = (Player.objects.get(name=name) for name in ("Asha", "Bo"))
    merge_players(asha, bo, context=context())
    with pytest.raises(ImportRejected, match="has an opening balance already"):
        imported(club, "Name;Amount\nBo;50,00\n", BALANCES)
