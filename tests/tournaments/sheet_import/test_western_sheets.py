"""Paper sheets of the Western games: the examples, the worked sheets of the docs, and common mistakes.

Planted faults these catch: a deal without a mark taken for one that nobody won, a first name that finds one of two
players, a refusal that stops at the first cell, a dry run that leaves a player behind.
"""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from scoring.rules.variants import PRESETS
from tests.builders.playing import NOW, new_club
from tests.builders.there import there
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Player, Scoresheet, Standing, Table, Tournament
from tournaments.models.log import Event
from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.forms import Played, deal_forms
from tournaments.sheet_import.run import import_sheet
from tournaments.sheet_import.sheets import PaperSheet, open_paper, read_paper

ROOT = Path(__file__).parents[3]
CLUB = "Marine Drive Card Club"


def blocks(text: str) -> list[str]:
    """The sheets that a page of the docs shows: its indented parts."""
    shown, sheet = [], []
    for line in [*text.splitlines(), ""]:
        if line.startswith("    "):
            sheet.append(line[4:])
        elif sheet and not line:
            shown.append("\n".join(sheet))
            sheet = []
    return [sheet for sheet in shown if "Club," in sheet]


WORKED = blocks((ROOT / "docs" / "how-to" / "importing.md").read_text())
assert WORKED, "the docs show no sheet"


def sheet(game: str, head: str, *lines: str) -> str:
    return "\n".join(["Club,Asha's club", "Tournament,Any", "Table,1", *game.split("; "), f"Deal,{head}", *lines])


def read(text: str) -> PaperSheet:
    draft = open_paper(text.encode())
    return read_paper(draft, draft.heading.played)


def event(game: str, head: str, line: str) -> dict[str, Any]:
    """The fields of one deal, without its kind and number."""
    (found,) = read(sheet(game, head, line)).lines[0].events
    return {name: value for name, value in found.items() if name not in ("kind", "deal")}


def refused(text: str) -> list[str]:
    with pytest.raises(SheetRejected) as told:
        read(text)
    return [problem.text() for problem in told.value.problems]


@pytest.mark.django_db
@pytest.mark.parametrize("game", ["rum", "block", "romme", "rummy500", "gin", "rummy-royal"])
def test_every_example_is_taken_over_once_and_adds_up(game):
    new_club(CLUB)
    data = (ROOT / "examples" / "western" / f"{game}.csv").read_bytes()
    stored = import_sheet(data, now=NOW).stored
    again = import_sheet(data, now=NOW)
    assert (again.stored, again.repeated) == (0, stored)
    assert Scoresheet.objects.get().is_finished
    assert rebuild_differences() == []


@pytest.mark.django_db
@pytest.mark.parametrize("text", WORKED, ids=lambda text: text.splitlines()[2])
def test_every_worked_sheet_of_the_docs_adds_up_as_it_is_printed(text):
    """Planted fault: the first sheet of the page cancelled a deal that it did not have."""
    new_club(CLUB)
    assert "\nTotal," in text
    events = [line for line in text.splitlines() if line[:1].isdigit() or line.startswith(("Void ", "Close"))]
    assert import_sheet(text.encode(), now=NOW).stored == len(events)


ROYAL, GIN = "Variant,rummy_royal", "Variant,gin"
OF_HANDS = "Asha,Bo,Cy,Dev,Hand 1 Knocked,Hand 1 Against,Hand 1 knocker deadwood,Hand 2 Knocked"
OLDER = "Asha,Bo,Knocked,Knocker deadwood,Defender deadwood"
READ: dict[str, list[tuple[str, str, str, dict[str, Any]]]] = {
    "who went out is marked beside the number": [
        ("Variant,Rummy 500", "Asha,Bo", f"1,{cell},20/10", {"out": "1", "melded": {"1": 45, "2": 20}})
        for cell in ("45/out", "45 / OUT", "out 45", "45 out", "out/45", "45|out")
    ],
    "two numbers of a player share a cell": [
        ("Variant,Rummy 500", "Asha,Bo", f"1,5/out,{cell}", {"in_hand": {"2": 10}})
        for cell in ("20/10", "20 10", "20|10", " 20 / 10 ")
    ],
    "cards stand where the count would": [
        ("Variant,rum", "Asha,Bo,Cy", "1,out,9h KD,10♥ 10S", {"out": "1", "hands": {"2": "9h KD", "3": "10♥ 10S"}})
    ],
    "a player goes by name, first name or seat": [
        ("Variant,rum", "Asha Rao,Bo Fernandes,Dealer", f"1,out,12,{name}", {"dealer": "2"})
        for name in ("Bo Fernandes", "bo", "2", "Seat 2")
    ],
    "boxes have a column each or one together": [
        (ROYAL, f"Asha,Bo,Dealer,{head}", f"1,out,3,Bo,{line}", {"boxes": {"AH": "1", "678": "2", "KH": "1"}})
        for head, line in (
            ("Boxes", '"AH Asha, 678 Bo, KH 1"'),
            ("boxes", "AH Asha; 6 7 8 Bo; KH seat 1"),
            ("AH,6 7 8,KH", "Asha,2,Asha"),
            ("boxes AH,678,Boxes won KH", "1,Bo,1"),
        )
    ],
    "a shared box names all who share it": [
        (
            f"{ROYAL}; Options,sequence claim = shared",
            "Asha,Bo,Cy,Dealer,Boxes",
            '1,out,3,4,Bo,"678 Asha, 678 Cy"',
            {"boxes": {"678": ["1", "3"]}},
        )
    ],
    "rare numbers of single players stand in a column": [
        (ROYAL, "Asha Rao,Bo,Dealer,Chips bought", '1,out,3,Bo,"Asha Rao 20, Bo 5"', {"bought": {"1": 20, "2": 5}})
    ],
    "partners of gin have the columns of each hand": [
        (
            GIN,
            OF_HANDS,
            "1,,,,,Asha,Dev,3,nobody",
            {"hands": [{"knocker": "1", "defender": "4", "knocker_deadwood": 3}, {"knocker": None}]},
        )
    ],
    # Planted fault: a field renamed on the page; the column of an older file is then read as a player.
    "columns keep the names that clubs wrote above them": [
        (
            GIN,
            f"{OLDER},{heading}",
            "1,,,Bo,3,9,2",
            {"hands": [{"knocker": "2", "knocker_deadwood": 3, "defender_deadwood": 9, "extra_boxes": 2}]},
        )
        for heading in ("Extra boxes", "Further boxes", "further boxes")
    ],
}


@pytest.mark.parametrize("cases", READ.values(), ids=READ)
def test_a_deal_is_read_however_a_club_writes_it(cases: list[tuple[str, str, str, dict[str, Any]]]):
    for game, head, line, fields in cases:
        read_back = event(game, head, line)
        assert {name: read_back[name] for name in fields} == fields, (head, line)


def test_the_game_may_be_a_preset_or_the_bare_name_on_either_line():
    for line in ("Game,rummy500", "Variant,Rummy 500", "Preset,Rummy 500", "Variant,RUMMY500"):
        assert there(read(sheet(line, "Asha,Bo")).heading.played).variant == "rummy500"
    assert read(sheet("Variant,Pool 101", "Asha,Bo")).heading.preset == "pool_101"
    assert "is not gin" in refused(sheet("Game,Pool 101; Variant,gin", "Asha,Bo"))[0]


def test_what_cannot_be_read_is_reported_with_row_player_and_field():
    for game, head, line, said in (
        ("rum", "Asha,Bo,Cy", "1,out,zz,9", "row 6: Bo: 'zz' is not a mark; write hand points / cards / out"),
        ("rum", "Asha,Bo,Cy", "1,out,out,9", "row 6: Bo is a second answer to “Went out”; the first is Asha"),
        ("rum", "Asha,Bo,Cy", "1,5,4,9", "row 6: nobody is marked “out”: mark the player"),
        ("block", "Asha,Bo,Cy", "1,5,4,9", "or write “nobody” in the column Went out"),
        ("rum", "Asha,Bo,Cy", "1,out,3/4,9", "row 6: Bo: '3/4' cannot be read"),
        ("rum", "Asha,Bo,Went rummy", "1,out,3,maybe", "row 6: Went rummy: 'maybe' is neither yes nor no"),
        ("rum", "Asha,Bo,Dealer", "1,out,3,Cy", "row 6: Dealer: 'Cy' is none of Asha and Bo"),
        ("rum", "Asha Rao,Asha Iyer,Dealer", "1,out,3,Asha", "row 6: Dealer: 'Asha' is none of Asha Rao and Asha Iyer"),
        ("rum", "Asha,Bo,Dealer,Wnet out", "1,out,3,Bo", "column 5 'Wnet out' is not one of Went out"),
        ("rum", "Asha,Bo,Dealer,dealer", "1,out,3,Bo", "'Dealer' has 2 columns"),
        ("rum", "Asha,Bo", "1,out,99999999", "row 6: Bo, Hand points: '99999999' is not a whole number"),
        (
            "gin",
            "Asha,Bo,Knocked",
            "1,4,,Bo",
            "row 6: Asha: '4' cannot be read; write nothing here, but in the columns",
        ),
        ("gin", "Asha,Bo,Knocked,How", "1,,,Bo,won", "row 6: How: 'won' is none of Knock and Gin"),
        ("gin", "Asha,Bo,Hand 2 Knocked", "1,,,Bo", "column 4 'Hand 2 Knocked' has no place at a table of 2"),
        ("gin", "Asha,Bo,Cy,Dev,Dealer,Knocked", "1,,,,,Bo,Asha", "column 7 'Knocked' has no place at a table of 4"),
        ("gin", "Asha,Bo,Cy,Dev,Dealer,Knocked", "1,,,,,Bo,Asha", "the columns are Hand 1 Knocked, Hand 1 How"),
        ("rummy_royal", "Asha,Bo,Dealer,Boxes", "1,out,3,Bo,2H Asha", "row 6: boxes: '2H Asha' is none of 10H, JH"),
        ("rummy_royal", "Asha,Bo,Dealer,Bought", "1,out,3,Bo,20", "row 6: Chips bought: '20' is not a player's name"),
    ):
        assert any(said in detail for detail in refused(sheet(f"Variant,{game}", head, line))), said


def test_every_problem_of_a_sheet_comes_at_once():
    lines = ("1,out,zz,Eve,", "2,3,x/y,Bo,perhaps", "Penalty,much")
    details = refused(sheet("Variant,rum", "Asha,Bo,Dealer,Went rummy", *lines))
    assert [detail.partition(":")[0] for detail in details] == ["row 6", "row 6", "row 7", "row 7", "row 8"]


@pytest.mark.django_db
def test_the_rules_speak_with_rows_and_names_and_nothing_is_stored():
    new_club()
    text = sheet("Variant,rum", "Asha,Bo,Cy", "1,out,34,0", "2,out,900,9", "Rejoin,x", "Total,1,2,3")
    with pytest.raises(SheetRejected) as told:
        import_sheet(text.encode(), now=NOW)
    said = [(problem.code, problem.text().partition(":")[0]) for problem in told.value.problems]
    assert list(dict.fromkeys(said)) == [
        ("count_is_zero", "row 6"),
        ("count_over_cap", "row 7"),
        ("not_in_this_variant", "row 8"),
        ("total_differs", "row 9"),
    ]
    assert "Cy has 0" in told.value.problems[0].text()
    assert (Player.objects.count(), Tournament.objects.count(), Table.objects.count()) == (0, 0, 0)


@pytest.mark.django_db
def test_a_later_table_needs_not_say_what_is_played():
    new_club()
    import_sheet(sheet("Variant,rum", "Asha,Bo", "1,out,34").encode(), now=NOW)
    second = sheet("Round,2", "Bo,Cy,Dealer", "1,out,12,Cy").replace("Round,2", "Round,2\nEntry,0")
    assert import_sheet(second.encode(), now=NOW).stored == 1
    assert (Tournament.objects.get().variant, Tournament.objects.get().preset) == ("rum", "")


@pytest.mark.django_db
def test_time_called_ends_a_table_before_its_game():
    new_club()
    import_sheet(sheet("Variant,rum", "Asha,Bo", "1,out,34", "Time called").encode(), now=NOW)
    assert Scoresheet.objects.get().is_closed


@pytest.mark.django_db
def test_a_dry_run_says_what_would_be_new_and_stores_nothing(tmp_path: Path):
    new_club()
    path = tmp_path / "sheet.csv"
    path.write_text(sheet("Variant,rum", "Asha,Bo", "1,out,34"))
    said = StringIO()
    call_command("import_sheet", path, dry_run=True, stdout=said)
    assert said.getvalue() == (
        "sheet.csv: Any, round 1, table 1: 1 events stored "
        "(a new tournament; new players Asha, Bo; nothing was stored: this was a dry run)\n"
    )
    assert (Event.objects.count(), Player.objects.count(), Tournament.objects.count()) == (0, 0, 0)
    call_command("import_sheet", path, stdout=StringIO())
    assert Standing.objects.get(player__name="Bo").total == 34


@pytest.mark.slow
def test_everything_that_a_game_asks_for_has_a_place_on_paper():
    for preset, (rules, house) in PRESETS.items():
        for form in deal_forms(Played(variant=rules.name, options=house.options)).values():
            columns = {field for column in form.columns.values() if not column.is_list for field in column.fields}
            assert columns | set(form.in_cells) == set(form.plain_fields), preset
