"""What a tournament came to, by a program: its report, what waits to be paid, and the files of its pages.

Planted faults these catch: an amount that differs from the books, a report for who may not read the books, a
leaderboard file with real names for strangers.
"""

import pytest
from django.test import Client
from django.urls import reverse

from tests.builders.api_clients import Device, person
from tests.builders.playing import NOW, context, new_club
from tests.builders.prize_evening import Evening
from tournaments.books.commands import settle_table
from tournaments.models import Role
from tournaments.printing.report import report_figures
from tournaments.running.commands.close import close_tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    return Evening(new_club(is_published=True)).paid(2).played()


def of(night, *more: object) -> str:
    return "/".join(map(str, ("/api/v1/tournaments", night.tournament.pk, *more, "")))


def finished(night):
    """Closed and settled: 100.00 each less 10 %, Asha gets 70 % of 270.00, Bo the rest; Cy has not paid."""
    close_tournament(night.tournament.id, context=context())
    night.settle()
    settle_table(night.table.row.pk, now=NOW)
    return night


def test_a_report_has_the_numbers_of_the_paper(night):
    night.table.correct(1, {"how": "show"}, {"how": "loss", "count": 61}, {"how": "loss", "count": 80})
    finished(night)
    auditor = Device(night.club, Role.AUDITOR)
    report = auditor.get(of(night, "report")).json()
    figures = report_figures(type(night.tournament).objects.get(pk=night.tournament.pk))
    for name in ("players", "tables", "deals", "corrected_deals", "result_minor"):
        assert report[name] == getattr(figures, name), name
    asha = night.players[0]
    assert (report["winners"], report["names"][asha], report["unsettled"]) == ([asha], "Asha", [])
    assert report["entry_fees"] == {
        "cash_minor": 20_000,
        "bank_minor": 0,
        "balances_minor": 0,
        "unpaid_minor": 10_000,
        "beyond_minor": 0,
    }
    assert (report["booked_minor"]["club_fee"], report["result_minor"]) == (3_000, 3_000)
    assert (report["charged_minor"], report["won_minor"]) == (30_000, 27_000)
    assert (report["to_pay_out_minor"], report["owed_minor"]) == (27_000, 10_000)
    assert [(change["kind"], change["deal"]) for change in report["changes"]] == [("deal_corrected", 1)]
    assert Device(night.club, Role.SCORER).get(of(night, "report")).status_code == 403
    paper = auditor.get(of(night, "report", "file"))
    assert (paper["Content-Type"], paper.getvalue()[:4]) == ("application/pdf", b"%PDF")


def test_what_waits_to_be_paid_is_read_and_says_what_is_not_settled(night):
    auditor = Device(night.club, Role.AUDITOR)
    before = auditor.get(of(night, "money")).json()
    assert {settlement["state"] for settlement in before["settlements"]} <= {"open", "closed", "settling", "settled"}
    finished(night)
    money = auditor.get(of(night, "money")).json()
    assert [(share["name"], share["balance_minor"]) for share in money["players"]] == [
        ("Asha", 18_900),
        ("Bo", 8_100),
        ("Cy", -10_000),
    ]
    assert all(
        share["share_minor"] == share["paid_in_minor"] + share["won_minor"] - share["charged_minor"]
        for share in money["players"]
    )
    assert (money["settlements"][0]["state"], money["paid_out"]) == ("settled", [])
    cashier = Device(night.club, Role.CASHIER)
    cash, till = f"/api/v1/clubs/{night.club.pk}/cash/", f"token:{cashier.token.pk}"
    opened = {"kind": "till_opened", "till": till, "float_minor": 50_000}
    assert cashier.send(cash, {"event": opened}).status_code == 201
    paid = cashier.send(f"{cash}payouts/", {"amounts": {night.players[0]: 18_900}})
    assert paid.status_code == 201, paid.content
    (payout,) = cashier.get(of(night, "money")).json()["paid_out"]
    assert (payout["player"], payout["amount_minor"]) == (night.players[0], 18_900)
    assert cashier.get(of(night, "payouts", "file")).getvalue()[:4] == b"%PDF"
    assert Device(night.club, Role.SCORER).get(of(night, "money")).status_code == 403


def test_a_leaderboard_file_has_the_names_that_its_reader_may_read(night):
    night.club.players.filter(pk=night.players[0]).update(name="Asha Rao", public_name="A.R.")
    files = f"{of(night, 'leaderboard', 'file')}?kind="
    public = Client().get(f"{files}csv").getvalue().decode()
    assert ("A.R." in public, "Asha Rao" in public) == (True, False)
    page = reverse("files:board_csv", args=[night.club.slug, night.tournament.slug])
    assert Client().get(f"{files}csv").getvalue() == Client().get(page).content
    assert "Asha Rao" in Device(night.club, Role.SCORER).get(f"{files}csv").getvalue().decode()
    assert Client().get(f"{files}xlsx").getvalue()[:2] == b"PK"
    type(night.tournament).objects.filter(pk=night.tournament.pk).update(is_published=False)
    assert Client().get(f"{files}csv").status_code == 404
    member = Client()
    member.force_login(person(night.club, Role.DISPLAY))
    assert "A.R." in member.get(f"{files}csv").getvalue().decode()
