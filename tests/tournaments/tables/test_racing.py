"""Two directors at once: checks still hold when the result is written, and there is no deadlock.

On SQLite the single writer hides the deadlocks; PostgreSQL shows them.
"""

from collections.abc import Sequence
from functools import partial

import pytest

from scoring.problems import RuleError
from tests.builders.playing import CAST, NOW, context, deal, finished_pool, loses, new_club, new_tournament, show
from tests.builders.racing import at_once
from tournaments.models import Player, Scoresheet, Seat, Table, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.create import TournamentDraft, change_tournament, create_tournament
from tournaments.sheet_import.run import import_sheet
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
THREADS = 6


def draft_of(tournament: Tournament, *, number: int = 1, names: tuple[str, ...] = CAST) -> TableDraft:
    """Players of the tournament's club at a table; the same names are other players each time."""
    players = add_players(tournament.club, names)
    seats = [SeatedPlayer(number=seat, player=player.id) for seat, player in enumerate(players, start=1)]
    return TableDraft(number=number, seats=seats)


def codes(answers: Sequence[object]) -> list[str]:
    """The codes of the refusals."""
    return [problem.code for answer in answers if isinstance(answer, RuleError) for problem in answer.problems]


def test_a_table_opened_by_many_taps_on_one_button_is_opened_once():
    """Planted fault it catches: looking the key up before the transaction only."""
    home = new_tournament()
    draft = draft_of(home)
    answers = at_once([lambda: open_table(home, draft, context=context(key="open"))] * THREADS)
    assert {answer.id for answer in answers} == {Table.objects.get().id}


def test_of_many_who_open_the_same_number_one_does_and_the_others_are_told():
    home = new_tournament()
    drafts = [draft_of(home) for _ in range(THREADS)]
    answers = at_once([partial(open_table, home, draft, context=context()) for draft in drafts])
    assert codes(answers) == ["table_exists"] * (THREADS - 1)
    assert Scoresheet.objects.count() == 1


def test_a_player_seated_at_two_tables_at_once_sits_at_one():
    """Planted fault it catches: checking who sits where before the transaction only."""
    home = new_tournament()
    seats = draft_of(home).seats
    drafts = [TableDraft(number=number, seats=seats) for number in range(1, THREADS + 1)]
    answers = at_once([partial(open_table, home, draft, context=context()) for draft in drafts])
    assert set(codes(answers)) == {"player_seated_elsewhere"}
    assert Seat.objects.count() == len(seats)


def test_no_table_is_open_in_a_closed_tournament():
    """Planted fault it catches: a tournament closed while a table of it is being opened."""
    for _ in range(5):
        home = new_tournament()
        draft = draft_of(home)
        at_once(
            [partial(open_table, home, draft, context=context()), partial(close_tournament, home.id, context=context())]
        )
        home.refresh_from_db()
        assert home.closed_at is None or not home.tables.exists()


@pytest.mark.slow
def test_a_table_opened_while_the_options_change_has_those_of_its_tournament():
    """Planted fault it catches: opening a table with the tournament as the page had read it."""
    for _ in range(5):
        home = new_tournament()
        draft = draft_of(home)
        other = TournamentDraft(name="Saturday", preset="pool_101", starts_at=NOW, entry_minor=5_000)
        at_once(
            [
                partial(open_table, home, draft, context=context()),
                partial(change_tournament, home, other, context=context()),
            ]
        )
        home.refresh_from_db()
        state = Scoresheet.objects.get(table__tournament=home).state
        assert f'"entry_minor":{home.entry_minor},' in state


def test_tournaments_of_one_name_made_at_once_have_addresses_of_their_own():
    club = new_club()
    draft = TournamentDraft(name="Saturday", preset="pool_101", starts_at=NOW)
    made = at_once([lambda: create_tournament(club, draft, context=context())] * THREADS)
    assert len({tournament.slug for tournament in made}) == THREADS


@pytest.mark.slow
def test_sheets_of_one_evening_taken_over_at_once_share_tournament_and_players():
    """Planted fault it catches: the tournament looked up before the club's head is locked."""
    club = new_club()
    heading = f"Club,{club.slug}\nTournament,Saturday\nDate,17/01/2026 19:30\nGame,Pool 101\n"
    sheets = [f"{heading}Round,{number}\nTable,1\nDeal,Asha,Bo\n1,show,34\n".encode() for number in range(1, 5)]
    taken = at_once([partial(import_sheet, sheet, now=NOW) for sheet in sheets])
    assert [imported.stored for imported in taken] == [1] * len(sheets)
    assert Tournament.objects.count() == 1
    assert Player.objects.count() == 2


@pytest.mark.slow
def test_closing_a_tournament_while_deals_are_corrected_locks_nobody_up():
    """Planted fault it catches: the tournament's row locked before the club's head."""
    table = finished_pool()
    table.close()
    home = table.row.tournament

    def correct() -> None:
        for count in range(18):
            right = deal(1, show, loses(59 - count), loses(70), loses(80), kind="deal_corrected", reason="miscounted")
            table.record(right)

    def close() -> None:
        for _ in range(15):
            close_tournament(home.id, context=context())
            reopen_tournament(home.id, reason="too early", context=context())

    assert at_once([correct, close]) == [None, None]
