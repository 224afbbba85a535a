"""The books by a program: accounts, journal, trial balance, statements, cash books, and the files of the pages.

Planted faults these catch: an entry of a neighbour, a page of the journal without an entry, books that a cashier reads
before every till is counted, a file that differs from the page's.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.builders.api_clients import Device, person
from tests.builders.ledger import deal, settled
from tests.builders.playing import NOW, new_club
from tests.builders.prize_evening import Evening
from tournaments.books.commands import settle_table
from tournaments.models import CashBook, Role
from tournaments.printing import files

pytestmark = pytest.mark.django_db


@pytest.fixture
def night():
    """Asha has won 172.00 less her fee, nothing is paid out."""
    night = Evening(new_club(is_published=True)).paid().closed()
    night.settle()
    settle_table(night.table.row.pk, now=NOW)
    return night


@pytest.fixture
def auditor(night):
    return Device(night.club, Role.AUDITOR)


def path(night, *more: object) -> str:
    return "/".join(map(str, ("/api/v1/clubs", night.club.pk, *more, "")))


def pages(device: Device, url: str) -> list[Any]:
    """All items, by following `next` alone."""
    items: list[Any] = []
    while url:
        answer = device.get(url)
        assert answer.status_code == 200, answer.content
        items, url = items + answer.json()["items"], answer.json()["next"]
    return items


def fields(answer: Any) -> set[str]:
    assert answer.status_code == 400, answer.content
    return {problem["field"] for problem in answer.json()["problems"]}


def test_accounts_and_journal_are_the_books_and_add_up(night, auditor):
    accounts = pages(auditor, f"{path(night, 'books', 'accounts')}?limit=2")
    assert sum(account["balance_minor"] for account in accounts) == 0
    players = [account for account in accounts if account["kind"] == "player"]
    assert sorted(account["name"] for account in players) == ["Asha", "Bo", "Cy"]
    assert auditor.get(path(night, "books", "accounts"), {"kind": "player"}).json()["items"] == players
    entries = pages(auditor, f"{path(night, 'books', 'journal')}?limit=1")
    assert entries == auditor.get(path(night, "books", "journal")).json()["items"]
    assert all(sum(posting["amount_minor"] for posting in entry["postings"]) == 0 for entry in entries)
    held: dict[str, int] = {}
    for posting in (posting for entry in entries for posting in entry["postings"]):
        held[posting["account"]] = held.get(posting["account"], 0) + posting["amount_minor"]
    assert held == {account["id"]: account["balance_minor"] for account in accounts if account["balance_minor"]} | {
        account["id"]: 0 for account in accounts if not account["balance_minor"]
    }


def test_the_journal_is_filtered(night, auditor):
    journal, asha = path(night, "books", "journal"), night.players[0]
    every = auditor.get(journal).json()["items"]
    own = auditor.get(journal, {"player": asha}).json()["items"]
    assert 0 < len(own) < len(every)
    assert all(asha in [posting["owner"] for posting in entry["postings"]] for entry in own)
    assert auditor.get(journal, {"tournament": str(night.tournament.pk)}).json()["items"] == every
    assert auditor.get(journal, {"from": "2099-01-01"}).json()["items"] == []
    assert auditor.get(journal, {"to": "2099-01-01", "currency": "INR"}).json()["items"] == every
    assert auditor.get(journal, {"cause": every[0]["cause"]}).json()["items"]
    other = new_club("Dita's club")
    wrong = {"from": "soon", "tournament": str(other.pk), "player": "x", "kind": "player"}
    assert fields(auditor.get(journal, wrong)) >= {"kind"}
    del wrong["kind"]
    assert fields(auditor.get(journal, wrong)) == {"from", "tournament", "player"}


def test_a_trial_balance_has_both_sides_before_in_and_after_a_period(night, auditor):
    whole = auditor.get(path(night, "books")).json()
    assert whole["is_balanced"] is True
    assert sum(line["debit_minor"] - line["credit_minor"] for line in whole["lines"]) == 0
    later = auditor.get(path(night, "books"), {"from": "2098-01-01", "to": "2099-01-01"}).json()
    assert [line["opening_credit_minor"] for line in later["lines"]] == [
        line["closing_credit_minor"] for line in whole["lines"]
    ]
    assert not any(line["debit_minor"] or line["credit_minor"] for line in later["lines"])
    assert fields(auditor.get(path(night, "books"), {"from": "2026-02-01", "to": "2026-01-01"})) == {"to"}
    assert fields(auditor.get(path(night, "books"), {"from": "", "to": "x"})) == {"from", "to"}


def test_a_statement_runs_to_the_balance(night, auditor):
    statement = path(night, "books", "statements", night.players[0])
    lines = pages(auditor, f"{statement}?limit=1")
    assert [line["number"] for line in lines] == list(range(1, len(lines) + 1))
    assert sum(line["amount_minor"] for line in lines) == lines[-1]["balance_minor"]
    balances = auditor.get(path(night, "cash", "balances")).json()["items"]
    assert lines[-1]["balance_minor"] == next(
        item["balance_minor"] for item in balances if item["player"] == night.players[0]
    )
    assert auditor.get(path(night, "books", "statements", night.club.pk)).status_code == 404
    assert Device(night.club, Role.SCORER).get(statement).status_code == 403


def test_a_row_that_is_posted_late_shifts_no_page_of_a_statement(night, auditor):
    """Planted fault: a cursor that is the number of a line."""
    asha, bo = night.players[:2]
    statement = path(night, "books", "statements", asha)
    references = [line["reference"] for line in auditor.get(statement).json()["items"]]
    first = auditor.get(f"{statement}?limit=1").json()
    amounts: dict[str, Any] = {asha: -5, bo: 5}
    late = deal(1, **amounts)
    settled(1, late, cause="table:late", club=night.club.pk, at=NOW - timedelta(days=1))
    rest = [line["reference"] for line in pages(auditor, first["next"])]
    assert [first["items"][0]["reference"], *rest] == references
    assert len(auditor.get(statement).json()["items"]) == len(references) + 1


def test_files_are_those_of_the_pages(night, auditor):
    browser = Client()
    browser.force_login(person(night.club, Role.AUDITOR, is_staff=True))
    office, asha = f"/admin/tournaments/club/{night.club.pk}/books", night.players[0]
    for ours, theirs in (
        (f"{path(night, 'books', 'journal', 'file')}?kind=csv", f"{office}/journal/?kind=csv"),
        (f"{path(night, 'books', 'journal', 'file')}?kind=beancount", f"{office}/journal/?kind=beancount"),
        (path(night, "books", "balances", "file"), f"{office}/balances/?kind=csv"),
        (
            path(night, "books", "statements", asha, "file"),
            f"/admin/tournaments/player/{asha}/statement/file/?kind=csv",
        ),
    ):
        answer = auditor.get(ours)
        assert answer.status_code == 200, answer.content
        assert answer.getvalue() == browser.get(theirs).getvalue(), ours
    for url in ("journal/file/?kind=pdf&paper=letter", "balances/file/?kind=pdf", f"statements/{asha}/file/?kind=pdf"):
        answer = auditor.get(f"{path(night, 'books')}{url}")
        assert (answer["Content-Type"], answer.getvalue()[:4]) == ("application/pdf", b"%PDF"), url
    journal = path(night, "books", "journal", "file")
    wrong = {"kind": "ods", "paper": "a5"}
    assert fields(auditor.get(journal, wrong)) == {"kind"}
    both = {"tournament": str(night.tournament.pk), "from": "2026-01-01"}
    assert fields(auditor.get(journal, both)) == {"tournament"}


def test_a_journal_too_long_for_a_file_is_refused(night, auditor, monkeypatch):
    monkeypatch.setattr(files, "MOST_POSTINGS", dict.fromkeys(files.MOST_POSTINGS, 4))
    refused = auditor.get(path(night, "books", "journal", "file"))
    assert (refused.status_code, refused.json()["problems"][0]["code"]) == (422, "too_long")


def test_who_counts_blind_reads_the_books_only_after_every_count(night):
    """Planted fault: SEE_MONEY for the books, which tell what an uncounted till should hold."""
    cashier = Device(night.club, Role.CASHIER)
    cash, till = path(night, "cash"), f"token:{cashier.token.pk}"
    cashier.send(cash, {"event": {"kind": "till_opened", "till": till, "float_minor": 500}})
    closed = [path(night, "books", *more) for more in ((), ("accounts",), ("journal",), ("journal", "file"))]
    closed.append(f"/api/v1/tournaments/{night.tournament.pk}/report/")
    for url in closed:
        refused = cashier.get(url)
        assert (refused.status_code, "Count every till first" in refused.json()["detail"]) == (403, True), url
    book = CashBook.objects.get(club=night.club)
    assert cashier.get(path(night, "cash", "books", book.pk)).status_code == 403
    assert cashier.get(path(night, "cash", "close")).json()["places"].keys() <= {"desk"}
    counted = {"kind": "till_counted", "till": till, "pieces": {"500": 1}}
    assert cashier.send(cash, {"event": counted}).status_code == 201
    assert [cashier.get(url).status_code for url in closed] == [200] * len(closed)


def test_a_cash_book_says_what_prevents_its_closing_and_is_read_when_it_is_closed(night):
    director = Device(night.club, Role.DIRECTOR)
    cash, till = path(night, "cash"), f"token:{director.token.pk}"
    opened = director.send(cash, {"event": {"kind": "till_opened", "till": till, "float_minor": 500}})
    assert opened.status_code == 201, opened.content
    up = director.get(path(night, "cash", "close")).json()
    assert (up["ready"], up["waiting"]) == (False, [])
    assert "till_open" in [problem["code"] for problem in up["problems"]]
    # The entry fees were taken at check-in, into no till; the owners put in the float.
    assert up["places"] == {"desk": 30_000, "owner": -500}
    moved = {"kind": "money_moved", "source": "desk", "target": "bank", "amount_minor": 30_000}
    assert director.send(cash, {"event": moved}).status_code == 201
    director.send(cash, {"event": {"kind": "till_counted", "till": till, "pieces": {"500": 1}}})
    director.send(cash, {"event": {"kind": "till_closed", "till": till}})
    assert director.get(path(night, "cash", "close")).json()["ready"] is True
    assert director.send(cash, {"event": {"kind": "cash_book_closed"}}).status_code == 201
    (listed,) = director.get(path(night, "cash", "books")).json()["items"]
    auditor = Device(night.club, Role.AUDITOR)
    whole = auditor.get(path(night, "cash", "books", listed["id"])).json()
    assert whole.items() >= listed.items()
    assert [(row["float_minor"], row["counted_minor"]) for row in whole["tills"]] == [(500, 500)]
    assert whole["lines"][-1]["event"]["kind"] == "cash_book_closed"
    csv = auditor.get(path(night, "cash", "books", listed["id"], "file")).getvalue().decode()
    assert "amount_minor" in csv.splitlines()[0]
    pdf = auditor.get(f"{path(night, 'cash', 'books', listed['id'], 'file')}?kind=pdf")
    assert pdf.getvalue()[:4] == b"%PDF"
