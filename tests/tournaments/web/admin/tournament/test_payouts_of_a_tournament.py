"""Payouts and report of a tournament: each row and each sum can be redone from the page or paper that has it."""

import re
from typing import Any

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import NOW
from tests.builders.admin_tournaments import Night, a_night, at, play_out, record
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.page_text import text_of
from tests.builders.paper_files import text
from tournaments.merging import merge_players
from tournaments.models import Club, Player, Role
from tournaments.people.players import add_players
from tournaments.printing.payouts import payout_list
from tournaments.printing.report import tournament_report
from tournaments.rendering.pdf import Document, Row, Table
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.settle import settle_tournament

pytestmark = pytest.mark.django_db

PLAN = {
    "stages": [{"smallest_table": 2}],
    "prizes_bp": [7_000, 3_000],
    "guaranteed_minor": 60_000,
}


@pytest.fixture
def night(club: Club) -> Night:
    """Four enter for 100.00, 600.00 are guaranteed: Dev does not come, Cy does not pay; Asha wins before Bo."""
    night = a_night(club, PLAN, entry_minor=10_000, fee_bp=1_000, is_published=True)
    asha, bo, cy, dev = night.enter("Asha", "Bo", "Cy", "Dev", is_here=False)
    night.record(*(wire.CheckedIn(player=player) for player in (asha, bo, cy)))
    night.record(*(wire.EntryPaid(player=player, amount_minor=10_000) for player in (asha, bo)))
    night.record(wire.MarkedAbsent(player=dev))
    return night


def over(night: Night) -> Night:
    [table] = night.seat(size=3)
    for number in (1, 2):
        outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 51}, "3": {"how": "loss", "count": 60}}
        record(table, {"kind": "deal_recorded", "deal": number, "outcomes": outcomes})
    record(table, {"kind": "table_closed"})
    close_tournament(night.tournament.pk, context=at())
    settle_tournament(night.tournament.pk, now=NOW)
    night.tournament.refresh_from_db()
    return night


@pytest.fixture
def desk(club: Club) -> CashDesk:
    return at_the_desk(club, Role.DIRECTOR, "cora")


def minor(text: str) -> int:
    return int(re.sub(r"[^0-9]", "", text) or 0) * (-1 if "−" in text else 1)


def table_of(document: Document, title: str) -> Table:
    return next(part for part in document.parts if isinstance(part, Table) and part.title == title)


def amounts(row: Row) -> list[int]:
    return [minor(cell) for cell in row.cells[1:6]]


def balances(client: Client, night: Night, query: str = "") -> dict[str, list[int]]:
    """The amounts of each row of "Who must pay whom"; an owed amount is above 0, a debt below."""
    page = LexborHTMLParser(client.get(night.url("money") + query).content.decode())
    rows = page.css("section[aria-labelledby=balances] tbody tr")
    found = {}
    for row in rows:
        name, *cells = (cell.text(strip=True) for cell in row.css("th, td"))
        found[name] = [minor(cell) * (-1 if "owes" in cell else 1) for cell in cells]
    return found


def pays(desk: CashDesk, night: Night, *names: str) -> Any:
    page = f"balances/?tournament={night.tournament.pk}"
    boxes = LexborHTMLParser(desk.page(page)).css("input[name=payees]")
    ticked = [box.attributes["value"] for box in boxes if (box.attributes["aria-label"] or "").split()[-1] in names]
    return desk.sends(page, "pay_out", payees=ticked)


def test_each_row_of_the_payout_list_adds_up_on_the_page_and_on_paper(night: Night, dita: Client):
    over(night)
    sheet = payout_list(night.tournament)
    paid, owed = table_of(sheet, "To be paid out"), table_of(sheet, "Still owed to the club")
    assert [(row.cells[0], *amounts(row)) for row in paid.rows] == [
        ("Asha", -10_000, 10_000, 42_000, 0, 42_000),
        ("Bo", -10_000, 10_000, 18_000, 0, 18_000),
        ("Sum", -20_000, 20_000, 60_000, 0, 60_000),
    ]
    assert (owed.rows[0].cells[0], *amounts(owed.rows[0])) == ("Cy", -10_000, 0, 0, 0, -10_000)
    shown = balances(dita, night)
    assert shown.keys() == {"Asha", "Bo", "Cy"}
    assert all(sum(row[:-1]) == row[-1] for row in shown.values())


def test_money_of_the_cash_desk_stands_in_a_column_of_its_own(night: Night, desk: CashDesk):
    over(night)
    desk.opens("5000").takes("50", "Asha")
    desk.sends(desk.player("Bo"), "pay_out", amount="30")
    rows = [amounts(row) for row in table_of(payout_list(night.tournament), "To be paid out").rows]
    assert rows[:2] == [[-10_000, 10_000, 42_000, 5_000, 47_000], [-10_000, 10_000, 18_000, -3_000, 15_000]]
    assert all(sum(row[:-1]) == row[-1] for row in rows)


def test_whoever_was_paid_is_listed_with_amount_time_till_and_cashier(night: Night, desk: CashDesk, dita: Client):
    over(night)
    desk.opens("5000")
    pays(desk, night, "Asha", "Bo")
    sheet = table_of(payout_list(night.tournament), "Paid out")
    assert [(row.cells[0], row.cells[1], *row.cells[3:]) for row in sheet.rows] == [
        ("Asha", "₹420.00", "the till of Cora", "Cora"),
        ("Bo", "₹180.00", "the till of Cora", "Cora"),
        ("Sum", "₹600.00", "", ""),
    ]
    printed = text(dita.get(night.url("money/payouts")))
    assert "Nobody" not in printed
    assert "To be paid out" not in printed
    assert "Paid out Player Amount When From By Asha ₹420.00" in text_of(dita.get(night.url("money")))


def test_a_payout_that_was_undone_or_is_of_another_tournament_is_not_listed(night: Night, desk: CashDesk, club: Club):
    over(night)
    desk.opens("5000")
    pays(desk, night, "Asha")
    desk.sends("lines/3/", "undo", reason="wrong player")
    pays(desk, night, "Asha")
    assert [row.cells[0] for row in table_of(payout_list(night.tournament), "Paid out").rows] == ["Asha", "Sum"]
    desk.takes("70", "Asha")
    desk.sends(desk.player("Asha"), "pay_out", amount="70")
    assert [row.cells[0] for row in table_of(payout_list(night.tournament), "Paid out").rows] == ["Asha", "Sum"]


def test_a_player_who_was_merged_since_is_listed_and_paid_under_the_other_name(
    night: Night, desk: CashDesk, dita: Client, club: Club
):
    """Planted fault: pages of money that look for the row of the entry, which has no balance any more."""
    over(night)
    [twin] = add_players(club, ("Asha Rao",))
    merge_players(Player.objects.get(name="Asha"), twin, context=at())
    for query in ("", "?q=asha"):
        assert balances(dita, night, query)["Asha Rao"] == [-10_000, 10_000, 42_000, 0, 42_000]
    desk.opens("5000")
    pays(desk, night, "Rao", "Bo")
    assert balances(dita, night).keys() == {"Cy"}


@pytest.mark.slow
def test_seventeen_are_paid_on_one_page_and_sign_one_list(club: Club, desk: CashDesk):
    """Planted fault: a page for each payout. Nothing is paid if one of them cannot be."""
    night = a_night(club, {**PLAN, "prizes_bp": [1_000] * 10, "paid_share_bp": 0}, entry_minor=10_000)
    players = night.enter(*(f"Player {number}" for number in range(17)))
    night.record(*(wire.EntryPaid(player=player, amount_minor=10_000 + 100) for player in players))
    night.record(*(wire.PlayerLeft(player=player) for player in players[2:]))
    [table] = night.seat(players[:2])
    play_out(table)
    record(table, {"kind": "table_closed"})
    close_tournament(night.tournament.pk, context=at())
    settle_tournament(night.tournament.pk, now=NOW)
    desk.opens("5000")
    page = f"balances/?tournament={night.tournament.pk}"
    for payees in ([], [f"{players[2]}:100", f"{players[3]}:999"], ["nobody:100"]):
        assert desk.client.post(desk.url(page), {**desk.form(page, "pay_out"), "payees": payees}).status_code == 422
    assert desk.has("Player 2") == 100
    names = [f"{number}" for number in range(17)]
    pays(desk, night, *names)
    assert "17 payouts saved" in desk.page(page)
    assert len(table_of(payout_list(night.tournament), "Paid out").rows) == 18


def test_the_sums_of_the_report_can_be_redone_from_it(night: Night, desk: CashDesk):
    over(night)
    desk.opens("5000")
    pays(desk, night, "Asha")
    report = tournament_report(night.tournament)
    prizes = table_of(report, "Prizes")
    assert [row.cells for row in prizes.rows] == [
        ("1", "Asha", "₹420.00"),
        ("2", "Bo", "₹180.00"),
        ("Sum", "", "₹600.00"),
    ]
    fees = {row.cells[0]: minor(row.cells[1]) for row in table_of(report, "Entry fees").rows}
    assert fees == {"Paid in cash": 20_000, "Paid": 20_000, "Not paid": 10_000, "Due": 30_000}
    *lines, sums = [[minor(cell) for cell in row.cells[1:]] for row in table_of(report, "Money").rows]
    assert [sum(column) for column in zip(*lines, strict=True)] == sums
    assert sums[0] == sums[1] == 63_000
    result = {row.cells[0]: minor(row.cells[1]) for row in table_of(report, "Result for the club").rows}
    assert result.pop("Result") == sum(result.values()) == 3_000 - 33_000
    now = {row.cells[0]: minor(row.cells[1]) for row in table_of(report, "Balances and tills now").rows}
    assert now == {"To be paid out": 18_000, "Still owed to the club": 10_000, "Held in all tills": 478_000}


def test_the_report_says_who_did_not_come_came_late_was_replaced_rejoined_or_shared(club: Club):
    night = a_night(club, {"stages": [{"smallest_table": 2}], "late_until_round": 2})
    asha, bo, cy, dev = night.enter("Asha", "Bo", "Cy", "Dev")
    night.record(wire.MarkedAbsent(player=dev))
    [table] = night.seat([asha, bo, cy], size=3)
    deals: list[dict[str, Any]] = [
        {"1": {"how": "show"}, "2": {"how": "loss", "count": 30}, "3": {"how": "loss", "count": 80}},
        {"1": {"how": "show"}, "2": {"how": "loss", "count": 30}, "3": {"how": "loss", "count": 80}},
    ]
    for number, outcomes in enumerate(deals, 1):
        record(table, {"kind": "deal_recorded", "deal": number, "outcomes": outcomes})
    record(table, {"kind": "rejoined", "seat": "3"})
    [eli] = add_players(club, ["Eli"])
    night.record(wire.PlayerSubstituted(player=bo, by=str(eli.pk), reason="ill"))
    rows = {
        row.cells[0]: row.cells[1] for row in table_of(tournament_report(night.tournament), "Entries and changes").rows
    }
    assert rows == {
        "No-shows": "Dev",
        "Substitutes": "Eli for Bo",
        "Rejoins": "Cy",
    }
    night.enter("Fay")
    rows = {
        row.cells[0]: row.cells[1] for row in table_of(tournament_report(night.tournament), "Entries and changes").rows
    }
    assert rows["Late entries"] == "Fay"


def test_tables_of_one_number_are_named_with_their_rounds(club: Club, dita: Client):
    night = a_night(club, {"stages": [{"rounds": 2, "smallest_table": 2}]})
    night.enter("Asha", "Bo")
    night.play_round()
    night.seat()
    shown = text(dita.get(night.url("money/summary")))
    assert [shown.count(f"Table 1, Round {number} is not settled") for number in (1, 2)] == [1, 1]
    assert shown.count("is not settled") == 2
    assert "Most deals won, all rounds" in shown
    assert "No money has moved." in shown
