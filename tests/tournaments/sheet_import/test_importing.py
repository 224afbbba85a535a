"""Importing a sheet: all of it or nothing, checked by the rules, safe to repeat.

Planted faults these catch: a tournament or player left behind by a refused sheet, a repeated sheet that doubles its
deals, a changed line that is taken for a new one.
"""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.builders.playing import NOW, deal, loses, new_club, show
from tournaments import log
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.log.context import CommandContext
from tournaments.models import Club, Player, Standing, Table, Tournament
from tournaments.models.log import Event
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.run import import_sheet
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db

SHEET = """Club,Asha's club
Tournament,Saturday
Date,17/01/2026 19:30
Table,1
Game,Pool 101
Entry,Rs 1000
Fee,12 %
Deal,Asha,Bo,Cy,Note
1,show,34,D
2,MD,show,F
Total,40,34,100
"""


@pytest.fixture
def club():
    return new_club()


def take_over(text: str = SHEET):
    return import_sheet(text.encode(), now=NOW)


def refused(text: str) -> dict[str, str]:
    """The problems of a sheet, by code; and nothing of it was stored."""
    before = (Event.objects.count(), Player.objects.count(), Tournament.objects.count(), Table.objects.count())
    with pytest.raises(SheetRejected) as told:
        take_over(text)
    after = (Event.objects.count(), Player.objects.count(), Tournament.objects.count(), Table.objects.count())
    assert before == after
    return {problem.code: problem.text() for problem in told.value.problems}


def totals() -> dict[str, int | None]:
    return dict(Standing.objects.values_list("player__name", "total"))


def test_a_sheet_becomes_a_tournament_a_table_and_its_deals_once_and_further_lines_go_on(club):
    imported = take_over()
    tournament = Tournament.objects.get()
    assert (tournament.preset, tournament.entry_minor, tournament.fee_bp) == ("pool_101", 100_000, 1_200)
    assert tournament.starts_at.isoformat() == "2026-01-17T14:00:00+00:00"
    assert (imported.stored, imported.repeated) == (2, 0)
    events = log.read(imported.table.tournament.club_id, imported.table.id)
    assert {event.actor for event in events} == {"command:import_sheet"}
    again = take_over()
    assert (again.stored, again.repeated) == (0, 2)
    assert totals() == {"Asha": 40, "Bo": 34, "Cy": 100}
    assert Player.objects.count() == 3
    assert rebuild_differences() == []
    more = take_over(SHEET + "3,5,show,0\n")
    assert (more.stored, more.repeated) == (1, 2)
    assert totals()["Asha"] == 45


def test_a_sheet_that_says_otherwise_than_what_was_taken_over_changes_nothing(club):
    take_over()
    for changes, code, said in (
        ({"1,show,34,D": "1,show,33,D", "Total,40,34": "Total,40,33"}, "line_changed", "row 9"),
        (
            {"Table,1": "Table,2", "Rs 1000": "Rs 500", "Asha,Bo,Cy": "D,E,G"},
            "differs_from_tournament",
            " has “Entry fee” 1000.00 INR; the sheet says 500.00 INR",
        ),
        ({"Bo": "Dev"}, "other_player", "Dev"),
    ):
        text = SHEET
        for old, new in changes.items():
            text = text.replace(old, new)
        assert said in refused(text)[code]


def test_a_table_that_went_on_by_another_door_is_not_written_over(club):
    table = take_over().table
    event = deal(3, show, loses(0), loses(0))
    record_wire_event(table.id, event, expected=3, context=CommandContext(actor="user:sam", now=NOW))
    assert take_over().repeated == 2
    assert "table_moved_on" in refused(SHEET + "3,5,show,0\n")


def test_a_second_table_of_the_tournament_knows_the_players_by_name(club):
    take_over()
    take_over(SHEET.replace("Table,1", "Table,1\nRound,2").replace("Asha,Bo", "ASHA,Dev"))
    assert (Player.objects.count(), Tournament.objects.count(), Table.objects.count()) == (4, 1, 2)


def test_a_sheet_that_cannot_be_is_refused_with_its_row_and_nothing_is_stored(club):
    for old, new, code, said in (
        ("1,show,34,D", "1,show,show,D", "two_winners", "row 9: Bo"),
        ("1,show,34,D", "1,3,34,D", "no_winner", "row 9"),
        ("1,show,34,D", "1,show,81,D", "count_over_cap", "row 9: Bo has 81"),
        ("1,show,34,D", "1,show,-4,D", "negative_count", "row 9: Bo has -4"),
        ("1,show,34,D", "1,show,34,", "missing_seat", "row 9: Cy"),
        ("2,MD,show,F", "3,MD,show,F", "deal_number_jumps", "row 10"),
        ("Total,40,34,100", "Total,40,43,100", "total_differs", "row 11: Bo has 43 on paper"),
        ("Fee,12 %", "Fee,120 %", "out_of_range", "fee_bp"),
        ("Fee,12 %", "Fee,12 %\nOptions,jokers = 3", "unknown_option", "jokers"),
        ("Club,Asha's club", "Club,Dita's club", "unknown_club", "Dita's club"),
        ("Game,Pool 101", "Game,Bridge", "wrong_value", "Bridge"),
        ("Date,17/01/2026 19:30", "Date,yesterday", "wrong_value", "yesterday"),
        ("Game,Pool 101\n", "", "missing_line", "what is played"),
        ("0,34,100\n", "0,34,100\n3,2,show,5\n4,2,show,5\n", "seat_is_out", "row 13: Cy is already out"),
    ):
        assert said in refused(SHEET.replace(old, new))[code]


def test_every_problem_comes_at_once(club):
    problems = refused(SHEET.replace("1,show,34,D", "1,show,show,-9").replace("Total,40,34", "Total,1,2"))
    assert {"two_winners", "negative_count", "total_differs"} <= problems.keys()


def test_two_players_of_one_name_are_not_told_apart_by_guess(club):
    Player.objects.create(club=club, name="Bo")
    Player.objects.create(club=club, name="BO")
    assert "2 players are called Bo: " in refused(SHEET)["ambiguous_player"]


def test_the_command_says_every_problem_and_fails(club, tmp_path: Path):
    sheet = tmp_path / "sheet.csv"
    sheet.write_text(SHEET.replace("1,show,34,D", "1,show,show,-9"))
    said = StringIO()
    with pytest.raises(CommandError, match=r"nothing was stored from sheet\.csv"):
        call_command("import_sheet", sheet, stderr=said)
    assert "row 9: Bo is a second winner" in said.getvalue()
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_sheet", tmp_path / "none.csv")
    sheet.write_text(SHEET)
    out = StringIO()
    call_command("import_sheet", sheet, stdout=out)
    call_command("import_sheet", sheet, stdout=out)
    assert out.getvalue().splitlines() == [
        "sheet.csv: Saturday, round 1, table 1: 2 events stored",
        "sheet.csv: Saturday, round 1, table 1: 0 events stored, 2 were there already",
    ]


def test_names_stay_as_they_are_written(club):
    strange = "<script>Ä😀"
    take_over(SHEET.replace("Bo", strange).replace("Cy", "'=cmd()"))
    assert {"Asha", strange, "=cmd()"} == set(Player.objects.values_list("name", flat=True))
    assert Club.objects.count() == 1


def test_amounts_of_a_sheet_without_a_currency_are_in_the_clubs():
    """Planted fault: a buy-in of 5,000 yen read as 500,000, because rupees have decimals and yen have none."""
    new_club("Kobe", currency="JPY")
    heading = "Club,Kobe\nTournament,Friday\nTable,1\nGame,Points rummy\nPoint value,10\n"
    take_over(f"{heading}Deal,Asha,Bo\nBuy-in,5000\n1,show,34\n")
    table = Table.objects.get()
    bought = [event.body for event in log.read(table.tournament.club_id, table.id) if event.kind == "bought_in"]
    assert ['"amount_minor":5000' in body for body in bought] == [True]
    assert table.tournament.currency == "JPY"
