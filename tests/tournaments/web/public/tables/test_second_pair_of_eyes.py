"""How the public pages show deals that wait for confirmation, disputes, and corrections."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders.playing import Playing, context, deal, loses, new_club, new_tournament, show
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """A published table whose deals a second seat confirms; one deal is played."""
    tournament = new_tournament(new_club(is_published=True))
    players = add_players(tournament.club, ("Asha", "Bo", "Cy", "Dev"))
    seats = [SeatedPlayer(number=place, player=player.id) for place, player in enumerate(players, start=1)]
    draft = TableDraft(number=2, seats=seats, confirmation="second_seat")
    table = Playing(row=open_table(tournament, draft, context=context()))
    table.deal(1, show, loses(30), loses(10), loses(20))
    return table


def board_and_sheet(table):
    home = table.row.tournament
    board = reverse("pages:tournament", args=[home.club.slug, home.slug])
    return [Client().get(address).content.decode() for address in (board, f"{board}r1/table-2/")]


def test_a_deal_that_waits_is_marked_on_board_and_sheet(table):
    board, sheet = board_and_sheet(table)
    assert "1 unconfirmed" in board
    assert "A deal of this table is disputed or unconfirmed: its numbers count, but may still change." in board
    assert ">unconfirmed</span>" in sheet
    assert (
        "Unconfirmed: only the scorer has seen the deal. Disputed: the director resolves it. Both "
        "count for now and may change." in sheet
    )


def test_a_confirmed_deal_bears_no_mark(table):
    table.record({"kind": "deal_confirmed", "deal": 1, "seat": "2"}, actor="user:bo")
    board, sheet = board_and_sheet(table)
    assert "unconfirmed" not in board
    assert "unconfirmed" not in sheet.lower()


def test_a_dispute_is_marked_on_board_and_sheet(table):
    table.record({"kind": "deal_disputed", "deal": 1, "reason": "I held 24"})
    board, sheet = board_and_sheet(table)
    assert "Disputed" in board
    assert ">disputed</span>" in sheet
    assert "I held 24" not in board + sheet


def test_a_correction_leaves_a_note_with_its_time_on_both_pages(table):
    table.record(deal(1, show, loses(3), loses(10), loses(20), kind="deal_corrected", reason="30 was 3"))
    board, sheet = board_and_sheet(table)
    assert "Deal 1 of table 2 was corrected at " in board
    assert "Deal 1 was corrected at " in sheet
    assert "30 was 3" not in board + sheet


def test_a_voided_deal_is_noted_as_voided(table):
    table.record({"kind": "deal_voided", "deal": 1, "reason": "misdeal"})
    board, sheet = board_and_sheet(table)
    assert "Deal 1 of table 2 was cancelled at " in board
    assert "Deal 1 was cancelled at " in sheet
