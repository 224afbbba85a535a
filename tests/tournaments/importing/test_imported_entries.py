"""A list of entries comes in: by name or number, with fees, previewed as at the desk, and undone."""

import pytest

from scoring.events import wire
from scoring.problems import Problem
from tests.builders.playing import context, new_club, new_tournament
from tests.builders.spreadsheets import draft_of, imported
from tournaments.importing import ImportRejected, Outcome
from tournaments.importing.run import permissions_of, preview_import, undo_import
from tournaments.models import Club, ImportKind, Player, Tournament
from tournaments.people.permissions import Permission
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db
ENTRIES = ImportKind.ENTRIES


@pytest.fixture
def club() -> Club:
    return new_club()


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return new_tournament(club, entry_minor=30_000)


def entered(tournament: Tournament) -> dict[str, bool]:
    state = tournament_state(tournament)
    names = {str(player.id): player.name for player in Player.objects.all()}
    return {names[player]: entrant.plays for player, entrant in state.entrants.items()}


def test_entries_come_in_by_number_and_by_name_with_fees(club: Club, tournament: Tournament):
    imported(club, "Name;Number\nAsha;00042\n")
    cells = "Nummer;Spieler;bezahlt;Warteliste\n00042;;ja;\n;Bo;nein;\n;Cy;;ja\n"
    draft = draft_of(club, cells, ENTRIES, tournament=tournament)
    assert permissions_of(draft) == [Permission.CHECK_IN, Permission.TAKE_ENTRY]
    _, preview = preview_import(draft)
    assert [row.outcome for row in preview.rows] == [Outcome.CHANGED, Outcome.NEW, Outcome.NEW]
    saved = imported(club, cells, ENTRIES, tournament=tournament)
    assert entered(tournament) == {"Asha": True, "Bo": True, "Cy": False}
    assert saved.made.last_position >= saved.made.first_position > 0


def test_an_import_of_entries_is_undone_and_who_is_here_stays(club: Club, tournament: Tournament):
    saved = imported(club, "Name;Paid\nAsha;yes\nBo;yes\nCy;\n", ENTRIES, tournament=tournament)
    bo = Player.objects.get(name="Bo")
    record_in_tournament(tournament.id, wire.CheckedIn(player=str(bo.id)), context=context())
    assert [stays.name for stays in undo_import(saved.made, context=context())] == ["Bo"]
    assert entered(tournament) == {"Asha": False, "Bo": True, "Cy": False}


def test_who_was_an_entrant_before_an_import_stays_when_it_is_undone(club: Club, tournament: Tournament):
    imported(club, "Name;Warteliste\nAsha;ja\nBo;\nCy;\nDev;\n", ENTRIES, tournament=tournament)
    dev = str(Player.objects.get(name="Dev").id)
    record_in_tournament(tournament.id, wire.EntryWithdrawn(player=dev), context=context())
    cells = "Name;Fee type;Paid;Reason\nAsha;;;\nBo;free;;helps\nCy;;yes;\nDev;;;\nEsha;free;;helps\n"
    saved = imported(club, cells, ENTRIES, tournament=tournament)
    assert [stays.name for stays in undo_import(saved.made, context=context())] == ["Asha", "Bo"]
    assert entered(tournament) == {"Asha": True, "Bo": True, "Cy": True, "Dev": False, "Esha": False}
    assert {entrant.paid_minor for entrant in tournament_state(tournament).entrants.values()} == {0}


def test_every_problem_of_a_list_of_entries_is_named(club: Club, tournament: Tournament):
    with pytest.raises(ImportRejected) as rejected:
        imported(club, "Name;Number;Paid\nAsha;;perhaps\nasha;;\n;99;\n", ENTRIES, tournament=tournament)
    problems: list[Problem] = list(rejected.value.problems)
    assert {(problem.field or "").partition(",")[0] for problem in problems} == {"row 2", "row 3", "row 4"}
    assert entered(tournament) == {}


def test_a_tournament_of_another_club_is_refused(club: Club):
    with pytest.raises(ImportRejected, match="choose the tournament"):
        imported(club, "Name\nAsha\n", ENTRIES, tournament=new_tournament(new_club()))
