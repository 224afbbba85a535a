"""Cash-up: tills are counted blind, differences have a reason, and a closed cash book is final."""

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.builders.admin_tables import evening_at
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.page_text import html, refusal_of
from tournaments.models import CashBook, Club, Player, PlayerCredit, Role
from tournaments.models.log import Event
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(club: Club) -> list[Player]:
    return add_players(club, ("Asha", "Bo"))


@pytest.fixture
def desk(club: Club, players: list[Player]) -> CashDesk:
    """Cora, a cashier, with a till that holds 700.00 of which 200.00 are change."""
    return at_the_desk(club, Role.CASHIER, "cora").opens("200").takes("500", "Asha")


@pytest.fixture
def dita(club: Club, players: list[Player]) -> CashDesk:
    """Dita directs."""
    return at_the_desk(club, Role.DIRECTOR, "dita")


def owes(desk: CashDesk, dita: CashDesk, name: str, amount: str) -> None:
    """A player was paid on credit that was then undone."""
    owed = max(0, -dita.has(name)) // 100 + int(amount)
    dita.sends(dita.player(name), "credit", amount=str(owed), reason="pays on Friday")
    desk.sends(desk.player(name), "pay_out", amount=str(dita.has(name) // 100 + owed))
    dita.sends(dita.player(name), "credit", amount="0", reason="no more")


def test_a_till_is_counted_blind_in_pieces_that_are_numbers_of_any_value(desk: CashDesk):
    for path in ("", desk.count_page, "night/"):
        assert "700.00" not in desk.page(path), path
    typed = {"piece-50000": "1", "piece-100": "7"}
    page = desk.sends(desk.count_page, "sum", status=200, **typed).content.decode()
    assert "₹507.00" in page
    assert 'value="7"' in page
    assert "Expected</dt>" not in page
    typed = {"piece-50000": "one", "piece-20000": "-1"}
    page = html(desk.sends(desk.count_page, "count", status=422, **typed)).replace("&#x27;", "'")
    assert "₹500.00: 'one' is not a number of notes or coins" in page
    assert "₹200.00: '-1' is not a number of notes or coins" in page
    assert 'value="one"' in page
    desk.sends(desk.count_page, "count", other="25", others="8", **dict[str, Any]({"piece-50000": "1"}))
    page = desk.page(desk.count_page)
    for shown in ("Counted</dt><dd>₹700.00", "Expected</dt><dd>₹700.00", "Difference</dt><dd>₹0.00"):
        assert shown in page
    desk.takes("100", "Asha")
    page = desk.page(desk.count_page)
    assert ("Difference</dt><dd>−₹100.00" in page, "Close the till" in page) == (True, False)


def test_a_sheet_without_a_number_is_no_count_and_shows_nothing_of_what_is_expected(desk: CashDesk):
    for typed in ({}, {"piece-50000": " ", "others": ""}):
        answer = desk.sends(desk.count_page, "count", status=422, **dict[str, Any](typed))
        assert "enter how many there are of each, or 0 for an empty till" in refusal_of(answer)
        page = desk.page(desk.count_page)
        assert ("Expected</dt>" in page, "700.00" in page) == (False, False)
    desk.counts(p100=0)
    assert "Counted</dt><dd>₹0.00" in desk.page(desk.count_page)


@pytest.mark.slow
def test_a_till_that_differs_is_closed_by_nobody_before_a_director_says_why(desk: CashDesk, dita: CashDesk):
    """The reason is for the number that was seen."""
    desk.counts(p50000=1)
    page = desk.page(desk.count_page)
    assert "Recount below. If it still differs, a director saves the difference with a reason." in page
    assert "Close the till" not in page
    assert "enter a reason" in dita.sends(desk.count_page, "difference", status=422).content.decode()
    seen = {**dita.form(desk.count_page, "difference"), "reason": "lost"}
    other = dita.client.post(dita.url(desk.count_page), {**seen, "difference": "-10000"})
    assert "the difference is −₹200.00 now, not −₹100.00" in refusal_of(other)
    sent = {**desk.form(desk.count_page, "count"), "do": "difference", "difference": "-20000", "reason": "lost"}
    assert desk.client.post(desk.url(desk.count_page), sent).status_code == 403
    desk.counts(p50000=1, p10000=1)
    dita.sends(desk.count_page, "difference", reason="a note of 100 is missing")
    desk.sends(desk.count_page, "close", target="bank")
    assert (desk.holds(desk.till), desk.holds("bank")) == (0, 60_000)


@pytest.mark.slow
def test_each_problem_with_closing_links_to_where_it_can_be_fixed(desk: CashDesk, dita: CashDesk, club: Club):
    owes(desk, dita, "Bo", "50")
    table = evening_at(club, names=("Cy", "Dev"))
    for number in (1, 2):
        table.deal(number, show="1", s2=80)
    table.record({"kind": "table_closed"})
    page = dita.page("night/")
    assert '<a href="#tills">a till is still open' in page
    assert f'<a href="{dita.url(dita.player("Bo"))}">Bo owes ₹50.00' in page
    assert '<a href="#waiting">Friday, ' in page
    assert f"/admin/tournaments/tournament/{table.tournament.pk}/money/" in page
    assert "a till is still open" in dita.sends("night/", "close", status=422).content.decode()


def test_money_is_moved_from_the_desk_and_to_no_place_twice_and_by_a_cashier_through_the_own_till(
    desk: CashDesk, dita: CashDesk
):
    dita.opens("100")
    dita.sends("night/", "move", source=dita.till, target="desk", amount="40")
    assert '<a href="#move">₹40.00 were taken without a till' in dita.page("night/")
    dita.sends("night/", "move", source="desk", target="bank", reason="to the bank")
    assert (dita.holds("desk"), dita.holds("bank")) == (0, 4_000)
    page = dita.sends("night/", "move", status=422, source="bank", target="bank", amount="1").content.decode()
    assert "the money is there already" in page
    page = desk.sends("night/", "move", status=422, source="owner", target="bank", amount="5").content.decode()
    assert "one side must be your own till: other transfers need a director" in page
    desk.sends("night/", "move", source="owner", target=desk.till, amount="5")
    assert desk.holds(desk.till) == 70_500


def test_a_night_is_closed_by_a_director_and_stands_for_ever(desk: CashDesk, dita: CashDesk):
    desk.counts(p50000=1, p20000=1)
    desk.sends(desk.count_page, "close", target="bank")
    sent = {**desk.form("night/", "move"), "do": "close"}
    assert desk.client.post(desk.url("night/"), sent).status_code == 403
    answer = dita.sends("night/", "close")
    page = dita.page(answer.url)
    assert ". It cannot be changed." in page
    assert "<form" not in page.partition('id="content"')[2]
    assert "₹500.00</th>" in page
    rows = LexborHTMLParser(page).css("[aria-labelledby=entries] tbody tr")
    told = [tuple(cell.text(strip=True) for cell in row.css("td")) for row in rows]
    assert told[:4] == [
        ("Cash:Cora", "200.00", ""),
        ("owner", "", "200.00"),
        ("Cash:Cora", "500.00", ""),
        ("player:Asha", "", "500.00"),
    ]
    assert "Cash book 1" in dita.page("nights/")


@pytest.mark.slow
def test_a_form_of_a_night_that_was_closed_meanwhile_writes_nothing(desk: CashDesk, dita: CashDesk):
    sent = {**desk.form(desk.player("Bo"), "take"), "amount": "5"}
    desk.counts(p50000=1, p20000=1)
    desk.sends(desk.count_page, "close", target="bank")
    dita.sends("night/", "close")
    before = Event.objects.count()
    page = desk.client.post(desk.url(desk.player("Bo")), sent).content.decode()
    assert "this cash book is closed: write it in the next one, with a note" in page
    assert Event.objects.count() == before
    assert CashBook.objects.count() == 1


@pytest.mark.slow
def test_an_auditor_looks_at_everything_and_changes_nothing(desk: CashDesk, club: Club):
    auditor = at_the_desk(club, Role.AUDITOR, "amira")
    for path in ("night/", "nights/", "balances/", f"nights/{desk.book}/"):
        page = auditor.page(path).partition('id="content"')[2]
        assert "<form" not in page.replace('<form method="get"', ""), path
    assert auditor.client.get(auditor.url()).status_code == 403
    assert auditor.client.post(auditor.url("night/"), {"do": "close", "book": str(desk.book)}).status_code == 403


def test_several_may_owe_what_they_owe_by_one_action_with_a_reason(
    desk: CashDesk, dita: CashDesk, players: list[Player]
):
    """Planted faults: the reason taken from another form of the page; no player ticked when the page opens."""
    owes(desk, dita, "Asha", "20")
    owes(desk, dita, "Bo", "50")
    assert "enter a reason" in dita.sends("night/", "let_owe", status=422).content.decode()
    assert not PlayerCredit.objects.exists()
    dita.sends("night/", "let_owe", credit_reason="pay on Friday")
    granted = PlayerCredit.objects.values_list("player__name", "limit_minor")
    assert dict(granted) == {"Asha": 2_000, "Bo": 5_000}
    assert "over the credit limit" not in dita.page("night/")


@pytest.mark.slow
def test_many_debtors_are_in_pages_and_let_owe_a_page_at_a_time(
    desk: CashDesk, dita: CashDesk, players: list[Player], monkeypatch: Any
):
    """After a night of points half of the players owe. Planted fault: all of them listed, twice, on every page."""
    owes(desk, dita, "Asha", "20")
    owes(desk, dita, "Bo", "50")
    monkeypatch.setattr("tournaments.web.admin.cash.book.PLAYERS_A_PAGE", 1)

    def look(asked: str) -> tuple[list[str], list[str], list[str | None]]:
        page = LexborHTMLParser(dita.page(f"night/?{asked}"))
        lists = (".cash-rows bdi", ".cash-ticks bdi")
        named, ticked = ([each.text() for each in page.css(where)] for where in lists)
        return named, ticked, [each.attributes["href"] for each in page.css(".pager a")]

    first, second = look("currency=INR"), look("debts=2&currency=INR")
    assert (first[2], second[2]) == (["?debts=2&currency=INR#debts"], ["?debts=1&currency=INR#debts"])
    assert first[0] == first[1] != second[0] == second[1]
    assert {*first[0], *second[0]} == {"Asha", "Bo"}


@pytest.mark.slow
def test_nobody_is_let_owe_more_than_the_page_showed_or_by_a_cashier(
    desk: CashDesk, dita: CashDesk, players: list[Player]
):
    """Planted fault: the present debt granted instead of the one that the page showed."""
    owes(desk, dita, "Bo", "50")
    typed = dita.form("night/", "let_owe")
    owes(desk, dita, "Bo", "20")
    assert "balances have changed: check and try again" in refusal_of(
        dita.client.post(dita.url("night/"), {**typed, "credit_reason": "pays on Friday"})
    )
    assert not PlayerCredit.objects.exists()
    assert "Allow credit for several" not in desk.page("night/")
    typed = {**dita.form("night/", "let_owe"), "credit_reason": "pays on Friday"}
    assert desk.client.post(desk.url("night/"), typed).status_code == 403
