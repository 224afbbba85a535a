"""Standings of past tournaments come in: as events of the club, counted in a season by its rules, and undone.

Planted faults these catch: points of the club that the formula replaces, a merged player who is two, a row without its
event, an imported tournament that a closed season loses.
"""

from datetime import date, timedelta
from fractions import Fraction
from io import StringIO
from pathlib import Path
from time import process_time
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command

from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.boxes import moved, packed
from tests.builders.playing import context, new_club
from tests.builders.seasons import LATER, caught_up, played, player, season, shown, standings
from tests.builders.spreadsheets import draft_of, imported, workbook_of
from tournaments.importing import ImportRejected, Outcome
from tournaments.importing.run import preview_import, undo_import
from tournaments.integrity.rebuild import rebuild, rebuild_differences
from tournaments.merging import merge_players, merges_of, undo_merge
from tournaments.models import Club, Import, ImportKind, PastTournament, Player, Season
from tournaments.people.players import add_players
from tournaments.privacy import erase_player, what_is_known
from tournaments.seasons.commands import SeasonDraft, change_season, close_season, has_begun
from tournaments.seasons.queries import season_view
from tournaments.spreadsheets import read_spreadsheet

pytestmark = pytest.mark.django_db
STANDINGS = ImportKind.STANDINGS
LONG = (
    "Datum;Turnier;Spieler;Platz;Punkte\n"
    "04.01.2026;Neujahr;Asha;1;25\n04.01.2026;Neujahr;Bo;2;16,5\n04.01.2026;Neujahr;Cy;2;16,5\n"
    "2026-01-11;;Bo;1;25\n2026-01-11;;Asha;2;18\n"
)


@pytest.fixture
def club() -> Club:
    club = new_club(locale="de_DE", currency="EUR")
    add_players(club, ["Asha", "Bo", "Cy"])
    return club


@pytest.fixture
def spring(club: Club) -> Season:
    return season(club)


def prove() -> None:
    call_command("verify_log", full=True, stdout=StringIO())
    assert rebuild_differences() == []


def problems_of(club: Club, cells: str, spring: Season) -> dict[str | None, str]:
    with pytest.raises(ImportRejected) as rejected:
        imported(club, cells, STANDINGS, season=spring)
    return {problem.field: problem.code for problem in rejected.value.problems}


def test_imported_tournaments_count_beside_those_that_are_played(club: Club, spring: Season):
    played(club, "Cy", "Asha")
    imported(club, LONG, STANDINGS, season=spring)
    caught_up(club)
    assert shown(spring) == ["1 Asha 49", "2 Bo 83/2", "3 Cy 53/2"]
    (table,) = standings(spring).tables
    assert table.fields == (3, 2, 2)
    names = [(past.name, past.day) for past in season_view(spring).past.values()]
    assert names == [("Neujahr", date(2026, 1, 4)), ("", date(2026, 1, 11))]
    prove()


def test_places_alone_are_worth_what_the_formula_gives(club: Club, spring: Season):
    imported(club, "Name;Date;Place\nAsha;2026-01-04;1\nBo;2026-01-04;2\nCy;2026-01-04;2\n", STANDINGS, season=spring)
    caught_up(club)
    assert sorted(shown(spring)) == ["1 Asha 10", "2 Bo 9/2", "2 Cy 9/2"]
    prove()


def test_points_alone_give_the_places_and_the_worst_result_is_dropped(club: Club):
    spring = season(club, formula={"drop_worst": 1, "tie_breaks": ["most_wins"]})
    cells = "Name;Date;Points\n" + "".join(
        f"{name};2026-01-{day:02};{points}\n"
        for day, row in ((4, (9, 4, 4)), (11, (2, 8, 7)), (18, (6, 5, 5)))
        for name, points in zip(("Asha", "Bo", "Cy"), row, strict=True)
    )
    imported(club, cells, STANDINGS, season=spring)
    caught_up(club)
    assert shown(spring) == ["1 Asha 15", "2 Bo 13", "3 Cy 12"]
    assert [night.place for night in standings(spring).tables[0].rows[2].nights] == [2, 2, 2]


def test_a_column_for_each_tournament_is_read_by_the_day_in_its_heading(club: Club, spring: Season):
    """Planted fault: the total and the place of the season are read as those of a tournament."""
    rows = [
        ["Place", "Player", "Points", date(2026, 1, 4), "Cup (11.01.2026)", "3 2026-01-18"],
        [1, "Asha", 30, 10, 20, "-"],
        [2, "Bo", 25, 15, None, 10],
    ]
    draft = draft_of(club, read_spreadsheet(workbook_of(rows)), STANDINGS, season=spring)
    columns, preview = preview_import(draft)
    assert columns.fields == {1: "name", 3: "evening", 4: "evening", 5: "evening"}
    assert preview.counts == {Outcome.CHANGED: 4}
    imported(club, draft.worksheet, STANDINGS, season=spring)
    assert list(PastTournament.objects.order_by("day").values_list("name", flat=True)) == ["", "Cup", ""]
    caught_up(club)
    assert shown(spring) == ["1 Asha 30", "2 Bo 25"]


def test_every_row_that_cannot_be_read_is_named(club: Club, spring: Season):
    cells = (
        "Name;Datum;Turnier;Platz;Punkte\n"
        "Asha;2026-02-30;;1;5\nBo;2025-12-31;;1;5\nCy;2026-01-04;;erster;5\nAsha;2026-01-04;;1;viele\n"
        "Bo;2026-01-04;;;5\nBo;2026-01-04;;2;\n"
    )
    assert problems_of(club, cells, spring) == {
        "row 2, column B": "not_a_day",
        "row 3, column B": "outside_season",
        "row 4, column D": "not_a_number",
        "row 5, column E": "not_a_number",
        "row 6, column D": "missing_field",
        "row 7, column A": "listed_twice",
        "row 7, column E": "missing_field",
    }
    assert problems_of(club, "Name;Punkte\nAsha;5\n", spring) == {"date": "missing_column"}
    assert problems_of(club, "Name;Datum\nAsha;2026-01-04\n", spring) == {"points": "missing_column"}
    assert not PastTournament.objects.exists()


def test_a_season_of_scores_needs_points(club: Club):
    spring = season(club, formula={"points": "score"})
    cells = "Name;Date;Place\nAsha;2026-01-04;1\n"
    assert problems_of(club, cells, spring) == {"row 2": "missing_field"}


def test_a_list_that_grew_adds_what_is_new_and_refuses_what_differs(club: Club, spring: Season):
    imported(club, LONG, STANDINGS, season=spring)
    longer = LONG + "18.01.2026;;Cy;1;25\n"
    _, preview = preview_import(draft_of(club, longer, STANDINGS, season=spring))
    assert preview.counts == {Outcome.CHANGED: 1, Outcome.SAME: 5}
    imported(club, longer, STANDINGS, season=spring)
    assert PastTournament.objects.count() == 3
    assert problems_of(club, LONG.replace("16,5", "16"), spring) == {
        "row 3, column A": "imported_already",
        "row 4, column A": "imported_already",
    }


def test_a_similar_name_is_asked_once_and_a_new_player_is_added_once(club: Club, spring: Season):
    add_players(club, ["Devika Rao"])
    cells = "Name;2026-01-04;2026-01-11\nDevika Roa;5;6\nEsha;4;4\n"
    _, preview = preview_import(draft_of(club, cells, STANDINGS, season=spring))
    assert [problem.code for problem in preview.refusals] == ["choose_player"]
    devika = Player.objects.get(name="Devika Rao")
    imported(club, cells, STANDINGS, season=spring, choices={2: str(devika.pk)})
    assert Player.objects.filter(club=club).count() == 5
    caught_up(club)
    assert shown(spring) == ["1 Devika Rao 11", "2 Esha 8"]


def test_a_new_player_in_two_spellings_is_one_and_a_number_is_of_one(club: Club, spring: Season):
    """Planted fault: new players are told apart by the letters of the cell."""
    cells = "Name;Number;Date;Points\nEsha Rao;7;2026-01-04;5\nRao Esha;7;2026-01-11;4\n"
    imported(club, cells, STANDINGS, season=spring)
    caught_up(club)
    assert shown(spring) == ["1 Esha Rao 9"] or shown(spring) == ["1 Rao Esha 9"]
    two = "Name;Number;Date;Points\nFarid;8;2026-01-18;5\nGita;8;2026-01-18;4\n"
    assert problems_of(club, two, spring) == {"row 3, column B": "listed_twice"}


def test_undoing_takes_all_tournaments_back_and_a_second_time_changes_nothing(club: Club, spring: Season):
    saved = imported(club, LONG, STANDINGS, season=spring, key="once")
    assert imported(club, LONG, STANDINGS, season=spring, key="once").is_replay
    assert has_begun(spring)
    for _ in range(2):
        undo_import(saved.made, context=context())
    assert not PastTournament.objects.exists()
    assert merges_of(club.id).past == {}
    assert not has_begun(spring)
    caught_up(club)
    assert shown(spring) == []
    prove()
    imported(club, LONG, STANDINGS, season=spring)
    prove()


def test_two_rows_of_one_person_are_one_in_an_imported_tournament(club: Club, spring: Season):
    saved = imported(club, LONG, STANDINGS, season=spring)
    asha, bo = player(club, "Asha"), player(club, "Bo")
    with pytest.raises(EventNotAllowed, match="both in Neujahr"):
        merge_players(bo, asha, context=context())
    undo_import(saved.made, context=context())
    imported(club, "Name;Date;Points\nAsha;2026-01-04;5\nCy;2026-01-04;4\n", STANDINGS, season=spring)
    merge_players(asha, bo, context=context())
    caught_up(club)
    assert shown(spring) == ["1 Bo 5", "2 Cy 4"]
    prove()
    assert problems_of(club, "Name;Date;Points\nAsha;2026-01-11;5\nBo;2026-01-11;4\n", spring) == {
        "row 3, column A": "listed_twice"
    }
    undo_merge(Player.objects.get(pk=asha.pk), context=context())
    caught_up(club)
    assert shown(spring) == ["1 Asha 5", "2 Cy 4"]


def test_an_erased_player_keeps_the_points_and_loses_a_tournament_named_for_them(club: Club, spring: Season):
    imported(club, LONG.replace("Neujahr", "Cup of Asha"), STANDINGS, season=spring)
    asha = player(club, "Asha")
    told = what_is_known(asha, now=LATER)
    assert told["imported_tournaments"] == ["Cup of Asha"]
    assert [result["points_in_hundredths"] for result in told["imported_results"]] == [2500, 1800]
    erase_player(asha, now=LATER)
    assert "Asha" not in PastTournament.objects.earliest("day").name
    caught_up(club)
    assert Fraction(standings(spring).tables[0].rows[0].total) == 43
    prove()


def test_the_formula_and_the_days_of_imported_tournaments_are_locked(club: Club, spring: Season):
    imported(club, LONG, STANDINGS, season=spring)
    days = {"starts_on": spring.starts_on, "ends_on": spring.ends_on}
    changes: list[dict[str, Any]] = [{"formula": {"place_points": [3]}}, {"ends_on": date(2026, 1, 10)}]
    for change in changes:
        draft: dict[str, Any] = {"name": "Spring", "formula": {"place_points": [10, 6, 3]}, **days, **change}
        with pytest.raises(OptionsRejected, match=r"locked|already counts"):
            change_season(spring, SeasonDraft(**draft))


def test_a_closed_season_takes_nothing_in_and_gives_nothing_back(club: Club, spring: Season):
    saved = imported(club, LONG, STANDINGS, season=spring)
    caught_up(club)
    closed = close_season(spring, now=LATER)
    view = season_view(closed)
    assert [view.day_of(night) for night in view.standings.tables[0].nights] == [date(2026, 1, 4), date(2026, 1, 11)]
    assert view.left == ()
    with pytest.raises(ImportRejected, match="stays as published"):
        undo_import(saved.made, context=context())
    with pytest.raises(ImportRejected, match="stays as published"):
        imported(club, LONG + "18.01.2026;;Cy;1;25\n", STANDINGS, season=spring)
    prove()


def test_another_clubs_season_is_refused(club: Club):
    with pytest.raises(ImportRejected, match="choose the season"):
        imported(club, LONG, STANDINGS, season=season(new_club()))


@pytest.mark.parametrize("change", [{"day": date(2026, 1, 5)}, {"state": '{"places":{}}'}, {"position": 7}])
def test_a_row_that_was_changed_is_found_and_written_again(club: Club, spring: Season, change: dict[str, object]):
    imported(club, LONG, STANDINGS, season=spring)
    caught_up(club)
    first = PastTournament.objects.earliest("day")
    PastTournament.objects.filter(pk=first.pk).update(**change)
    assert any(str(first.pk) in line for line in rebuild_differences())
    rebuild()
    assert rebuild_differences() == []
    assert PastTournament.objects.get(pk=first.pk).name == "Neujahr"


def test_a_row_without_its_event_is_found_and_a_lost_one_comes_back(club: Club, spring: Season):
    imported(club, LONG, STANDINGS, season=spring)
    caught_up(club)
    first = PastTournament.objects.earliest("day")
    PastTournament.objects.filter(pk=first.pk).update(id=UUID(int=7))
    lines = rebuild_differences()
    assert any("has no event" in line for line in lines)
    assert any("is missing" in line for line in lines)
    rebuild()
    assert rebuild_differences() == []


def test_ten_thousand_rows_are_previewed_and_saved_in_five_seconds():
    """Planted fault: the club's stream is read again for each of 250 tournaments. It takes processor time alone."""
    club = new_club()
    year = season(club, ends_on=date(2026, 10, 31))
    days = [date(2026, 1, 1) + timedelta(days=day) for day in range(250)]
    names = [f"Asha {chr(65 + number // 26)}{chr(97 + number % 26)}x" for number in range(40)]
    rows: list[list[Any]] = [["Date", "Player", "Place", "Points"]]
    rows += [[day, name, place, 41 - place] for day in days for place, name in enumerate(names, 1)]
    worksheet = read_spreadsheet(workbook_of(rows))
    began = process_time()
    draft = draft_of(club, worksheet, STANDINGS, season=year, others="new")
    preview_import(draft)
    imported(club, worksheet, STANDINGS, season=year, others="new")
    assert process_time() - began < 5
    assert PastTournament.objects.count() == 250


def test_a_box_brings_imports_along_and_they_are_undone_where_the_club_came_to(
    club: Club, spring: Season, tmp_path: Path
):
    """Planted faults: an import that stays behind; one that comes without the players that it added."""
    imported(club, "Name\nDil\n")
    imported(club, LONG, STANDINGS, season=spring)
    caught_up(club)
    before = shown(spring)
    packed(club, tmp_path / "club.zip", now=LATER)
    moved(tmp_path / "club.zip", now=LATER)
    assert shown(spring) == before
    prove()
    for made in Import.objects.all():
        undo_import(made, context=context())
    caught_up(club)
    assert (shown(spring), PastTournament.objects.exists(), Player.objects.filter(name="Dil").exists()) == (
        [],
        False,
        False,
    )
    prove()
