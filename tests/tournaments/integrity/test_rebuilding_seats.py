"""Seats and table numbers are compared with the log: a name on a board depends on nothing else.

Planted fault: with the rows of seats left out, two swapped players had each other's result on every page.
"""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F, Model

from tests.builders.playing import NOW, context, finished_pool, new_club, new_table, new_tournament
from tests.builders.tampering import undone
from tournaments import log
from tournaments.integrity.rebuild import rebuild, rebuild_differences
from tournaments.log.context import CommandContext
from tournaments.models import Club, Player, PlayerCredit, Scoresheet, Seat, Table, Tournament
from tournaments.models.log import EventNote
from tournaments.people.players import add_players
from tournaments.privacy import erase_player
from tournaments.tables.commands import open_tables
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.queries.sheets import history

pytestmark = pytest.mark.django_db


@pytest.fixture
def before(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From then on tables are opened as by the previous release, whose events did not name the table."""
    opening_of = open_tables._opening_of

    def plain(*asked):
        return msgspec.structs.replace(opening_of(*asked), tournament="", round=0, table=0)

    return lambda: monkeypatch.setattr(open_tables, "_opening_of", plain)


def swap_seats() -> None:
    """Swap the players of seats 1 and 2 of a table."""
    one, two = Seat.objects.filter(number__in=(1, 2)).order_by("number")
    first, second = one.player_id, two.player_id
    Seat.objects.filter(id=two.id).update(player=Player.objects.create(club=two.player.club, name="Nobody"))
    Seat.objects.filter(id=one.id).update(player=second)
    Seat.objects.filter(id=two.id).update(player=first)


def swap_tables() -> None:
    """Swap the numbers of tables 1 and 2."""
    Table.objects.filter(number=1).update(number=99)
    Table.objects.filter(number=2).update(number=1)
    Table.objects.filter(number=99).update(number=2)


def test_swapped_players_a_seat_that_nobody_was_given_and_a_table_put_into_another_tournament_are_found():
    table = finished_pool()
    assert rebuild_differences() == []
    with undone():
        swap_seats()
        assert [said.partition(":")[0] for said in rebuild_differences()] == [
            f"seat {number} of table {table.row.id}" for number in (1, 2)
        ]
    with undone():
        Seat.objects.filter(number=4).update(number=5)
        gone, new = rebuild_differences()
        assert f"seat 4 of table {table.row.id}: player is 'nobody'" in gone
        assert "seat 5" in new
        assert "the log says 'nobody'" in new
    other = new_tournament(table.row.club, name="Sunday")
    Table.objects.update(tournament=other)
    said = f"table {table.row.id} is of tournament {other.id}, the log says"
    assert any(said in difference for difference in rebuild_differences())


@pytest.mark.parametrize("is_old", [False, True])
def test_tables_whose_numbers_were_swapped_or_that_were_put_into_another_round_are_found(before, is_old):
    """The previous release stored the number in the digest of the request, and nowhere else."""
    if is_old:
        before()
    tournament = new_tournament()
    one, two = new_table(tournament), new_table(tournament, number=2)
    assert rebuild_differences() == []
    swap_tables()
    assert sorted(rebuild_differences()) == sorted(
        f"table {table.row.id} is round 1, table {number}, the log says round 1, table {3 - number}"
        for table, number in ((one, 2), (two, 1))
    )
    swap_tables()
    Table.objects.filter(pk=one.row.pk).update(round=3)
    assert f"table {one.row.id} is round 3, table 1, the log says round 1, table 1" in rebuild_differences()


def test_a_table_of_an_old_release_that_was_opened_for_another_request_is_taken_at_its_word(before):
    """A round that was published in one step: the digest is of more than one table."""
    before()
    table_of_two(number=7, context=context(asked="ab" * 32))
    assert rebuild_differences() == []


def table_of_two(context: CommandContext, **draft: Any) -> Table:
    home = new_tournament()
    players = add_players(home.club, ["Asha", "Bo"])
    seats = [SeatedPlayer(number=seat, player=player.id) for seat, player in enumerate(players, start=1)]
    return open_table(home, TableDraft(seats=seats, **draft), context=context)


def named_table(name: str, actor: str = "user:sam") -> Table:
    """A table with a name instead of a number."""
    return table_of_two(context(actor=actor), number=1, name=name)


@pytest.mark.parametrize("name", ["Window", ""])
def test_another_name_of_a_table_is_found_and_is_no_reason_in_its_history(name: str):
    table = named_table(name, actor="desk")
    assert log.read(table.tournament.club_id, table.id)[0].note == name
    assert [line.reason for line in history(table.tournament.club_id, table.id)] == [""]
    assert rebuild_differences() == []
    Table.objects.update(name="Door")
    assert rebuild_differences() == [f"table {table.id} is called 'Door', the log says '{name}'"]


def test_a_table_called_after_somebody_who_is_erased_has_its_number_only():
    named_table("Asha’s corner")
    erase_player(Player.objects.get(name="Asha"), now=NOW, with_balance=True)
    assert not EventNote.objects.exists()
    assert Table.objects.get().name == ""
    assert rebuild_differences() == []


@pytest.mark.parametrize("change", [1, -1])
def test_a_board_that_names_a_position_its_events_never_had_is_found_and_one_too_early_is_fixed(change: int):
    tournament = new_table().row.tournament
    Tournament.objects.update(board_position=F("board_position") + change)
    assert rebuild_differences() == [f"board of tournament {tournament.id} names position {2 + change}, not 2"]
    rebuild()
    assert (rebuild_differences() == []) is (change < 0)


def put_into(club: Club, model: type[Model]) -> None:
    with transaction.atomic():
        model._default_manager.update(club=club)
        connection.check_constraints()


@pytest.mark.postgres
def test_rows_of_another_club_are_found_and_on_postgresql_refused():
    table = new_table()
    players = Player.objects.values_list("id", flat=True)
    PlayerCredit.objects.create(club=table.row.club, player_id=players[0], currency="INR", limit_minor=1)
    other = new_club()
    told = {
        Scoresheet: f"score sheet of table {table.row.id}: club_id",
        Table: f"table {table.row.id} is of another club than its tournament",
        PlayerCredit: f"a credit of player {players[0]} is of another club",
    }
    for model, said in told.items():
        if connection.vendor == "postgresql":
            with pytest.raises(IntegrityError):
                put_into(other, model)
        else:
            put_into(other, model)
            assert [line for line in rebuild_differences() if said in line]
