"""Every amount that a till should hold is the sum of lines that are listed: payments, entry fees and refunds."""

import csv
import io

import pytest
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import NOW
from tests.builders.admin_tournaments import HEATS, a_night
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.pdf_text import pages
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk, take_or_give
from tournaments.log.context import CommandContext
from tournaments.models import CashBook, Club, Role

pytestmark = pytest.mark.django_db
NAMES = ("Asha", "Bo", "Cy", "Dev")


@pytest.fixture
def dita(club: Club) -> CashDesk:
    return at_the_desk(club, Role.DIRECTOR, "dita")


@pytest.fixture
def cora(dita: CashDesk) -> CashDesk:
    """Cora has a till with 200.00 of change, four entry fees of 100.00, one of which she refunded, and 50.00 of Bo."""
    cora = at_the_desk(dita.club, Role.CASHIER, "cora")
    night = a_night(dita.club, HEATS, entry_minor=10_000)
    players = night.enter(*NAMES)
    cora.opens("200")
    context = CommandContext(actor=f"user:{cora.user.pk}", now=NOW)
    for number, player in enumerate(players):
        paid = CommandContext(actor=context.actor, now=NOW, key=f"paid {number}")
        act_at_desk(night.tournament.pk, DESK_ACTS["pay"], player, context=paid)
    refund = wire.EntryRefunded(player=players[3], amount_minor=4_000, reason="came late")
    take_or_give(night.tournament.pk, refund, seen_minor=10_000, context=context)
    cora.takes("50", "Bo")
    return cora


def events_of(page: str, where: str = ".cash-facts") -> dict[str, str]:
    found = LexborHTMLParser(page).css(f"{where} > div")
    return {each.css("dt")[0].text(strip=True): each.css("dd")[0].text(strip=True) for each in found}


def file_of(desk: CashDesk, kind: str) -> bytes:
    answer = desk.client.get(desk.url(f"nights/{CashBook.objects.get().pk}/file/?kind={kind}"))
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def lines_of(page: str) -> list[str]:
    return [" ".join(each.text().split()) for each in LexborHTMLParser(page).css(".cash-lines > li")]


def test_a_cashier_who_counts_blind_reads_no_sum_and_no_file_of_an_open_book(cora: CashDesk, dita: CashDesk):
    """Planted fault: the folded sum shown to everybody: with no float it is what the till should hold."""
    mine, directed = "; ".join(lines_of(cora.page())), "; ".join(lines_of(dita.page()))
    assert "; 4 payments of entry fees into the till of Cora" in mine
    assert "; 4 payments of entry fees 400.00" in directed
    assert "; Entry fee refunded to Dev −40.00" in mine
    path = f"nights/{CashBook.objects.get().pk}/"
    for page in (path, f"{path}file/"):
        assert cora.client.get(cora.url(page)).status_code == 403
    assert "610.00" in dita.page(path)
    cora.counts(p50000=1, p10000=1)
    assert cora.client.get(cora.url(f"{path}file/")).status_code == 200


def test_the_count_page_a_closed_book_its_file_and_its_page_to_sign_add_up(cora: CashDesk, dita: CashDesk):
    cora.counts(p50000=1, p10000=1)
    page = cora.page(cora.count_page)
    shown = events_of(page)
    assert list(shown.items())[:5] == [
        ("Opening float", "200.00"),
        ("4 payments of entry fees", "400.00"),
        ("1 payment from a player", "50.00"),
        ("1 refund of an entry fee", "−40.00"),
        ("Expected", "₹610.00"),
    ]
    assert (shown["Counted"], shown["Difference"]) == ("₹600.00", "−₹10.00")
    assert any("4 payments of entry fees" in line for line in lines_of(page))
    assert not any(" , " in line for line in lines_of(page))
    dita.sends(cora.count_page, "difference", reason="change")
    shown = events_of(cora.page(cora.count_page))
    assert [shown[name] for name in ("Expected", "Saved difference", "Counted", "Difference")] == [
        "₹610.00",
        "−₹10.00",
        "₹600.00",
        "₹0.00",
    ]
    cora.sends(cora.count_page, "close", target="bank")
    dita.sends("night/", "close")
    page = dita.page(f"nights/{CashBook.objects.get().pk}/")
    assert events_of(page) == {
        "Opening float": "200.00",
        "4 payments of entry fees": "400.00",
        "1 payment from a player": "50.00",
        "1 refund of an entry fee": "−40.00",
        "Expected": "610.00",
        "Counted": "600.00",
        "Difference": "−10.00",
    }
    rows = list(csv.DictReader(io.StringIO(file_of(dita, "csv").decode("utf-8-sig"))))
    assert [(row["what"], row["amount"], row["balance"]) for row in rows] == [
        ("float", "200.00", "200.00"),
        *(("entry_fee", "100.00", f"{held}.00") for held in (300, 400, 500, 600)),
        ("entry_fee", "-40.00", "560.00"),
        ("received", "50.00", "610.00"),
        ("difference", "-10.00", "600.00"),
        ("closed", "-600.00", "0.00"),
    ]
    assert {row["player"] for row in rows if row["what"] == "entry_fee"} == set(NAMES)
    [paper] = pages(file_of(dita, "pdf"))
    assert "Cora 200.00 450.00 40.00 610.00 600.00 −10.00" in paper
    assert "4 payments of entry fees 400.00" in paper
    assert "Sum 450.00 40.00" in paper
    assert "Cashier" in paper
    assert "Checked by" in paper
