"""A list of players comes in: who is new, who changes, who may be meant, and how it is undone.

Planted faults these catch: an empty cell that clears a field, a name that is found under another number, half a list.
"""

import time
from typing import Any

import pytest

from scoring.problems import KeyReused
from tests.builders.playing import context, new_club, new_tournament
from tests.builders.spreadsheets import draft_of, imported, workbook_of
from tournaments.importing import ImportRejected, Outcome
from tournaments.importing.run import preview_import, save_import, undo_import
from tournaments.models import Club, EntryRequest, Import, ImportColumns, ImportedPlayer, Player
from tournaments.people.players import add_players
from tournaments.privacy import erase_player
from tournaments.spreadsheets import Worksheet, read_spreadsheet
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return new_club(locale="de_DE", currency="EUR")


def outcomes(club: Club, cells: str, **how: Any) -> dict[int, Outcome]:
    _, preview = preview_import(draft_of(club, cells, **how))
    return {row.number: row.outcome for row in preview.rows}


def refusals(club: Club, cells: str | Worksheet, **how: Any) -> dict[str, str]:
    with pytest.raises(ImportRejected) as rejected:
        imported(club, cells, **how)
    return {problem.field or "": problem.code for problem in rejected.value.problems}


def names(club: Club) -> list[str]:
    return list(Player.objects.filter(club=club).order_by("search_key").values_list("name", flat=True))


@pytest.mark.parametrize(
    "heading",
    [
        "Name;Number;E-mail;Phone;Member;Note",
        "Spieler;Mitgliedsnummer;Mail;Handy;Mitglied;Bemerkung",
        "नाम;सदस्य संख्या;ईमेल;मोबाइल;सदस्य;नोट",
    ],
)
def test_columns_are_guessed_in_each_language(club: Club, heading: str):
    imported(club, f"{heading}\nAsha Rao;00042;asha@example.org;98200 12345;ja;plays on Fridays\n")
    player = Player.objects.get(club=club)
    assert (player.name, player.member_number, player.email) == ("Asha Rao", "00042", "asha@example.org")
    assert (player.phone, player.is_member, player.note) == ("98200 12345", True, "plays on Fridays")


def test_each_row_is_new_changed_similar_the_same_or_refused(club: Club):
    asha, bo, _, mohammed = add_players(club, ["Asha Rao", "Bo Fernandes", "Cy D'Souza", "Mohammed Khan"])
    Player.objects.filter(pk=bo.pk).update(member_number="7", email="bo@example.org")
    _, preview = preview_import(
        draft_of(
            club,
            "Name;Number;Mail\nasha rao;3;\nBo Fernandez;7;bo@example.net\nCy D'Souza;;\nMuhamed Khan;;\n"
            "Esha;9;\nDev;;no address\n;;\n;88;\n",
        )
    )
    assert {row.number: row.outcome for row in preview.rows} == {
        2: Outcome.CHANGED,
        3: Outcome.CHANGED,
        4: Outcome.SAME,
        5: Outcome.SIMILAR,
        6: Outcome.NEW,
        7: Outcome.REFUSED,
        9: Outcome.REFUSED,
    }
    by_number = {row.number: row for row in preview.rows}
    assert [(change.name, change.before, change.after) for change in by_number[3].changes] == [
        ("name", "Bo Fernandes", "Bo Fernandez"),
        ("email", "bo@example.org", "bo@example.net"),
    ]
    assert [player for player, _ in by_number[5].candidates] == [mohammed.id]
    assert by_number[2].player == str(asha.id)
    assert {problem.field for problem in preview.refusals} == {"row 5", "row 7, column C", "row 9, column B"}
    assert preview.counts[Outcome.CHANGED] == 2


def test_a_list_is_saved_whole_or_not_at_all_with_every_problem(club: Club):
    assert refusals(club, "Name;Number;Mail\nAsha;1;\nasha;;\nBo;1;\nCy;1.0E+15;\n98200 12345;;\nDev;;dev@\n") == {
        "row 3, column A": "listed_twice",
        "row 4, column B": "listed_twice",
        "row 5, column B": "lost_digits",
        "row 6, column A": "contact_in_name",
        "row 7, column C": "not_an_address",
    }
    assert not Player.objects.exists()
    assert not Import.objects.exists()


def test_a_similar_row_is_somebody_new_a_known_player_or_left_out(club: Club):
    (known,) = add_players(club, ["Mohammed Khan"])
    cells = "Name;Phone\nMuhamed Khan;98200 12345\n"
    assert refusals(club, cells) == {"row 2": "choose_player"}
    assert outcomes(club, cells, choices={2: str(known.id)}) == {2: Outcome.CHANGED}
    assert outcomes(club, cells, choices={2: "skip"}) == {2: Outcome.LEFT_OUT}
    assert outcomes(club, cells, others="skip") == {2: Outcome.LEFT_OUT}
    (other,) = add_players(new_club(), ["Muhamed Khan"])
    assert refusals(club, cells, choices={2: str(other.id)}) == {"row 2, column A": "unknown_player"}
    imported(club, cells, choices={2: "new"})
    assert names(club) == ["Mohammed Khan", "Muhamed Khan"]


def test_a_name_with_another_number_may_be_another_person(club: Club):
    imported(club, "Name;Number\nAsha;1\n")
    assert outcomes(club, "Name;Number\nAsha;2\n") == {2: Outcome.SIMILAR}
    assert outcomes(club, "Name;Number\nAsha;1\n") == {2: Outcome.SAME}


def test_an_empty_cell_changes_nothing(club: Club):
    imported(club, "Name;Phone;Member\nAsha;98200 12345;yes\n")
    assert outcomes(club, "Name;Phone;Member\nAsha;;\n") == {2: Outcome.SAME}


def test_what_was_seen_is_what_is_saved(club: Club):
    draft = draft_of(club, "Name\nAsha\nBo\n")
    _, preview = preview_import(draft)
    add_players(club, ["Asha"])
    with pytest.raises(ImportRejected, match="data changed"):
        save_import(draft, context=context(), shown=preview.fingerprint)
    save_import(draft, context=context(), shown=preview_import(draft)[1].fingerprint)
    assert names(club) == ["Asha", "Bo"]


def test_the_same_key_again_saves_nothing_and_another_list_under_it_is_refused(club: Club):
    first = imported(club, "Name\nAsha\n", key="k" * 20)
    again = imported(club, "Name\nAsha\n", key="k" * 20)
    assert (first.is_replay, again.is_replay, again.made) == (False, True, first.made)
    with pytest.raises(KeyReused):
        imported(club, "Name\nBo\n", key="k" * 20)
    assert names(club) == ["Asha"]


def test_columns_may_be_set_by_hand_and_are_remembered_for_the_next_file(club: Club):
    cells = "Wer;Was;Kontakt\nAsha;A;asha@example.org\n"
    assert refusals(club, cells) == {"name": "missing_column"}
    imported(club, cells, columns={0: "name", 2: "email"}, has_heading=True)
    imported(club, cells.replace("sha", "ditya"))
    assert list(Player.objects.values_list("email", flat=True).order_by("email")) == [
        "aditya@example.org",
        "asha@example.org",
    ]
    assert ImportColumns.objects.get().headings == {"wer": "name", "was": "", "kontakt": "email"}
    assert refusals(club, "Name;Spieler\nAsha;Bo\n") == {"name": "column_twice"}


def test_a_title_above_the_headings_and_a_merged_cell_do_no_harm(club: Club):
    file = workbook_of(
        [["Members 2025", None, None], [None, None, None], ["Vorname", "Name", "Nummer"], ["Asha", "Rao", "00042"]],
        merged=["A1:C1"],
    )
    imported(club, read_spreadsheet(file))
    assert list(Player.objects.values_list("name", "member_number")) == [("Asha Rao", "00042")]


def test_a_nul_in_a_workbook_is_a_problem_of_its_cell(club: Club):
    file = workbook_of([["Name", "Phone"], ["Asha", "12_x0000_34"]])
    assert refusals(club, read_spreadsheet(file)) == {"row 2, column B": "not_text"}


def test_an_import_is_undone_and_what_something_was_built_on_stays(club: Club):
    (known,) = add_players(club, ["Bo"])
    Player.objects.filter(pk=known.pk).update(phone="1234567")
    saved = imported(club, "Name;Phone;Note\nAsha;;\nBo;98200 12345;left-handed\nCy;;\nDev;;\n")
    Player.objects.filter(name="Bo").update(note="right-handed")
    draft = TableDraft(
        number=1,
        seats=[
            SeatedPlayer(number=seat, player=Player.objects.get(name=name).id)
            for seat, name in enumerate(("Cy", "Dev"), start=1)
        ],
    )
    open_table(new_tournament(club), draft, context=context())
    staying = undo_import(saved.made, context=context())
    assert {stays.name: str(stays.why) for stays in staying} == {
        "Bo": "someone else changed this",
        "Cy": "is in the records of the club",
        "Dev": "is in the records of the club",
    }
    assert names(club) == ["Bo", "Cy", "Dev"]
    assert list(Player.objects.filter(name="Bo").values_list("phone", "note")) == [("1234567", "right-handed")]
    assert undo_import(saved.made, context=context()) == []
    saved.made.refresh_from_db()
    assert saved.made.undone_at is not None
    assert not ImportedPlayer.objects.exclude(before={}, after={}).exists()


def test_a_new_player_who_was_changed_or_asked_to_enter_since_stays(club: Club):
    saved = imported(club, "Name;Note\nAsha;\nBo;\nCy;\n")
    Player.objects.filter(name="Asha").update(phone="1234567")
    EntryRequest.objects.create(
        club=club,
        tournament=new_tournament(club),
        name="Bo",
        player=Player.objects.get(name="Bo"),
        state="entered",
        code="1",
        digest="1" * 64,
        made_at=context().now,
        expires_at=context().now,
    )
    assert {stays.name: str(stays.why) for stays in undo_import(saved.made, context=context())} == {
        "Asha": "someone else changed this",
        "Bo": "is in the records of the club",
    }
    assert names(club) == ["Asha", "Bo"]


def test_headings_are_remembered_within_bounds_and_forgotten_with_the_player(club: Club):
    long = [str(number) + "\N{GRINNING FACE}" * 190 for number in range(50)]
    cells = f"Wer;Zubeida paid;{';'.join(long)}\nZubeida;;\n"
    imported(club, cells, columns={0: "name"}, has_heading=True)
    assert max(map(len, ImportColumns.objects.get().headings)) <= 60
    imported(club, "Name;Zubeida owes;Phone\nZubeida;1;98200 12345\n")
    headings = ImportColumns.objects.get().headings
    assert headings["phone"] == "phone"
    assert "zubeida owes" not in headings, "only what means a field, or was left out by hand"
    imported(club, "Name;Zubeida paid\nZubeida;\n", columns={0: "name"}, has_heading=True)
    erase_player(Player.objects.get(), now=context().now)
    assert "zubeida" not in repr(ImportColumns.objects.get().headings)


def test_erasing_a_player_empties_what_an_import_keeps_of_them(club: Club):
    imported(club, "Name;Phone\nZubeida;1234567\n")
    imported(club, "Name;Phone\nZubeida;98200 12345\n", file_name="zubeida.csv")
    erase_player(Player.objects.get(), now=context().now)
    assert "98200" not in repr(list(ImportedPlayer.objects.values()))
    assert list(Import.objects.exclude(file_name="").values_list("file_name")) == []


@pytest.mark.slow
def test_ten_thousand_rows_are_previewed_in_five_seconds(club: Club):
    rows = [
        f"Player{number:05} {word};{number:05};p{number}@example.org"
        for number in range(2_500)
        for word in ("Rao", "Khan", "Mehta", "Iyer")
    ]
    cells = "Name;Note;Mail\n" + "\n".join(rows)
    started = time.process_time()
    saved = imported(club, cells)
    assert time.process_time() - started < 10
    started = time.process_time()
    _, preview = preview_import(draft_of(club, cells.replace("@example.org", "@example.net")))
    assert time.process_time() - started < 5
    assert preview.counts == {Outcome.CHANGED: 10_000}
    undo_import(saved.made, context=context())
    assert not Player.objects.exists()
