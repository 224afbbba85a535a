"""The prints of a night: any user who may see money prints them, and they agree with the books."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from scoring.ledger import settle
from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose
from tests.builders.admin_tables import NOW, Evening
from tests.builders.admin_tournaments import HEATS, a_night
from tests.builders.cash_desk import at_the_desk
from tests.builders.paper_files import file, text
from tests.builders.pdf_text import pages, size
from tournaments.books.commands import settle_table
from tournaments.models import Club, Player, Role
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(pool: Evening) -> Evening:
    """Asha shows until everybody else is out: 1,200.00 for her, 300.00 from each."""
    for number in (1, 2):
        pool.deal(number, show="1", s2=80, s3=80, s4=80)
    pool.record({"kind": "table_closed"})
    settle_table(pool.table.pk, now=NOW)
    return pool


def money_page(evening: Evening, page: str) -> str:
    return f"/admin/tournaments/tournament/{evening.tournament.pk}/money/{page}"


def statement_of(name: str) -> str:
    return f"/admin/tournaments/player/{Player.objects.get(name=name).pk}/statement/file/?kind=pdf"


def test_the_payout_list_says_what_is_not_settled_yet(pool: Evening, dita: Client):
    pool.deal(1, show="1", s2=80, s3=80, s4=80)
    assert "Table 1, Round 1 is not settled: open." in text(dita.get(money_page(pool, "payouts/")))


def test_amounts_are_written_as_the_club_writes_them(night: Evening, dita: Client, club: Club):
    Club.objects.filter(pk=club.pk).update(locale="de_DE")
    assert "1.200,00" in text(dita.get(statement_of("Asha")))


@pytest.mark.slow
def test_receipts_are_printed_on_the_paper_chosen_for_everything_and_as_the_club_writes_amounts(club: Club):
    add_players(club, ["Asha"])
    desk = at_the_desk(club, Role.DIRECTOR, "cora").opens().takes("1,500")
    receipt = desk.url(f"receipts/{desk.book}/3/")
    assert f'href="{receipt}?paper=a4"' in desk.page()
    desk.client.get(desk.url("?paper=letter"))
    assert f'href="{receipt}?paper=letter"' in desk.page()
    sizes = {
        asked: size(desk.client.get(f"{receipt}?{asked}").content) for asked in ("", "paper=letter", "size=letter")
    }
    assert sizes == {"": (595.28, 841.89), "paper=letter": (612, 792), "size=letter": (612, 792)}
    Club.objects.filter(pk=club.pk).update(locale="de_DE")
    assert "1.500,00 ₹ Received from Asha" in pages(desk.client.get(desk.url(f"receipts/{desk.book}/3/")).content)[0]


def test_a_name_is_text_on_paper_too(night: Evening, dita: Client):
    Player.objects.filter(name="Bo").update(name="<b>&amp;\u202e")
    assert "<b>&amp; −₹300.00 ₹0.00 ₹0.00 ₹0.00 −₹300.00" in text(dita.get(money_page(night, "payouts/")))


def test_an_entry_paid_at_the_desk_stands_in_the_tournaments_journal_and_prizes_are_still_to_come(
    dita: Client, club: Club
):
    """Planted fault: a journal that reads the tables and the tournament only."""
    night = a_night(club, HEATS, entry_minor=30_000)
    [asha] = night.enter("Asha")
    night.record(wire.EntryPaid(player=asha, amount_minor=30_000))
    assert "Tournament not closed: prizes are not included." in text(dita.get(night.url("money/payouts")))
    shown = text(dita.get(f"{night.url('money/journal')}?kind=pdf"))
    assert "Asha" in shown
    assert "₹300.00" in shown


@pytest.mark.slow
@pytest.mark.parametrize("page", ["payouts/", "summary/", "journal/?kind=pdf"])
def test_more_players_take_no_more_queries(page: str, night: Evening, dita: Client):
    """Planted fault: a name or a balance queried player by player."""

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            file(dita.get(money_page(night, page)))
        return len(asked)

    players = add_players(night.club, [f"Player {number}" for number in range(30)])
    entries = [paid(f"deal:{at}", str(player.pk), str(players[0].pk)) for at, player in enumerate(players[1:])]
    cause = f"tournament:{night.tournament.pk}"
    settle(night.club.pk, cause, version=1, entries=entries[:1], now=NOW)
    few = queries()
    settle(night.club.pk, cause, version=2, entries=entries, now=NOW)
    assert "Player 7" in text(dita.get(money_page(night, "payouts/")))
    assert queries() == few


def paid(slot: str, loser: str, winner: str) -> PlannedEntry:
    postings = tuple(
        PlannedPosting(account=AccountRef(kind=AccountKind.PLAYER, owner=owner), amount_minor=amount, purpose=purpose)
        for owner, amount, purpose in ((loser, -5, Purpose.CHARGE), (winner, 5, Purpose.AWARD))
    )
    return PlannedEntry(slot=slot, currency="INR", postings=postings)
