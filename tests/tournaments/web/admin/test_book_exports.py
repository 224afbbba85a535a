"""Exports of a night's books: pages and files for users who may see money, and a command for the rest."""

import csv
import io
import tracemalloc
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from scoring.ledger import readings, settle, trial_balance
from scoring.models import Account
from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose
from tests.builders.admin_tables import NOW, Evening
from tests.builders.export_files import held_by_beancount, transactions, workbook_rows
from tests.builders.page_text import refusal_of, text_of
from tests.builders.paper_files import text as paper_text
from tournaments.books.commands import settle_table
from tournaments.books.queries import BookScope
from tournaments.models import Club, Player
from tournaments.printing import files as book_pages
from tournaments.printing.files import FileKind, write_journal
from tournaments.privacy import erase_player

pytestmark = pytest.mark.django_db

LATE = datetime(2026, 3, 14, 20, 0, tzinfo=UTC)  # 01:30 on the 15th in Kolkata


@pytest.fixture
def night(pool: Evening) -> Evening:
    """Asha shows until all others are out; the table is closed and settled."""
    for number in (1, 2):
        pool.deal(number, show="1", s2=80, s3=80, s4=80)
    pool.record({"kind": "table_closed"})
    settle_table(pool.table.pk, now=LATE)
    return pool


@pytest.fixture
def books(club: Club) -> str:
    return f"/admin/tournaments/club/{club.pk}/books/"


def body(answer: Any) -> bytes:
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)


def text(answer: Any) -> str:
    return body(answer).decode()


def table_of(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(answer).removeprefix("\ufeff"))))


def printed(*words: str) -> str:
    out = io.StringIO()
    call_command("export_books", *words, stdout=out)
    return out.getvalue()


def sums(text: str) -> dict[str, Decimal]:
    """The balance in beancount for each kind of account, with our signs."""
    found: dict[str, Decimal] = {}
    for (account, _currency), held in held_by_beancount(text).items():
        kind = AccountKind.PLAYER if ":Players:" in account else AccountKind.CLUB_FEE
        found[kind] = found.get(kind, Decimal()) - held
    return {kind: held for kind, held in found.items() if held}


def test_beancount_computes_the_trial_balance_of_an_exported_night(night: Evening):
    told = {line.kind: Decimal(line.balance_minor) / 100 for line in trial_balance(night.club.pk) if line.balance_minor}
    assert sums(printed("--club", "asha", "--format", "beancount")) == told


def test_the_journal_tells_a_period_on_the_clubs_clock_its_sides_are_equal_and_its_names_inert(
    night: Evening, dita: Client, books: str
):
    Player.objects.filter(name="Asha").update(name="=cmd()|'/c calc'!A0")
    assert len(table_of(dita.get(f"{books}journal/?last=2026-03-14"))) == 0
    rows = table_of(dita.get(f"{books}journal/?first=2026-03-15&last=2026-03-15"))
    assert {(row["date"], row["time"]) for row in rows} == {("2026-03-15", "01:30:00")}
    rows = table_of(dita.get(f"{books}journal/"))
    debit, credit = (sum(Decimal(row[side] or 0) for row in rows) for side in ("debit", "credit"))
    assert debit == credit == Decimal("1200.00")
    assert sum(int(row["amount_minor"]) for row in rows) == 0
    assert "'=cmd()|'/c calc'!A0" in {row["name"] for row in rows}


def test_the_workbook_has_the_journal_and_the_balances(night: Evening, dita: Client, books: str):
    answer = dita.get(f"{books}journal/?kind=xlsx")
    assert answer["Content-Disposition"] == 'attachment; filename="asha.xlsx"'
    file = body(answer)
    assert len(workbook_rows(file, "Journal")) == 6
    assert {row[6] for row in workbook_rows(file, "Balances")[1:]} == {900, -300}


def test_a_month_that_begins_in_the_middle_brings_the_balances_forward(night: Evening, dita: Client, books: str):
    file = text(dita.get(f"{books}journal/?kind=beancount&first=2026-04-01"))
    [brought] = transactions(file)
    assert brought.tags == {"brought-forward"}
    assert sorted(held_by_beancount(file).values()) == [-900, 300, 300, 300]


def test_a_tournaments_journal_holds_nothing_of_another(night: Evening, dita: Client):
    settle(night.club.pk, "table:elsewhere", version=1, entries=[entry("deal:1", "x", "y")], now=LATE)
    rows = table_of(dita.get(f"/admin/tournaments/tournament/{night.tournament.pk}/money/journal/"))
    assert {row["cause"] for row in rows} == {f"table:{night.table.pk}"}


def test_a_statement_can_be_had_whole_and_its_page_has_the_clock_of_its_file(night: Evening, dita: Client):
    """Planted fault: the page says 20:00 of the day before, where its own file says 01:30."""
    asha = Player.objects.get(name="Asha")
    rows = table_of(dita.get(f"/admin/tournaments/player/{asha.pk}/statement/file/"))
    assert [(row["amount"], row["balance"]) for row in rows] == [("-300.00", "-300.00"), ("1200.00", "900.00")]
    page = f"/admin/tournaments/player/{asha.pk}/statement/"
    account = Account.objects.get(club=night.club.pk, owner=str(asha.pk))
    rows = table_of(dita.get(f"{page}file/"))
    assert {(row["date"], row["time"]) for row in rows} == {("2026-03-15", "01:30:00")}
    told = " ".join(dita.get(page).content.decode().split())
    assert "(Asia/Kolkata)" in told
    assert ", 01:30<" in told
    assert ", 01:30</td>" in dita.get(f"/admin/scoring/account/{account.pk}/change/").content.decode()


@pytest.mark.parametrize(
    ("name", "paid_out", "said"),
    [
        ("Asha", 0, "The club owes the player: ₹900.00"),
        ("Bo", 0, "The player owes the club: ₹300.00"),
        ("Asha", 90_000, "Balance: ₹0.00"),
    ],
)
def test_a_statement_says_in_words_who_owes_whom(night: Evening, dita: Client, name: str, paid_out: int, said: str):
    """Planted fault: "The balance is −300.00. Positive: the club owes the player.", with nothing about below 0."""
    player = Player.objects.get(name=name)
    account = Account.objects.get(club=night.club.pk, owner=str(player.pk))
    settle(night.club.pk, "paid", version=1, entries=[payout(str(player.pk), paid_out)] if paid_out else [], now=LATE)
    statement, signs = f"/admin/tournaments/player/{player.pk}/statement/", "Balance above 0: the club owes the player."
    for address in (statement, f"/admin/scoring/account/{account.pk}/change/"):
        shown = text_of(dita.get(address))
        assert said in shown
        assert f"{signs} Below 0: the player owes the club." in shown
    printed = paper_text(dita.get(f"{statement}file/?kind=pdf"))
    assert said.replace(":", "") in printed
    assert signs in printed


def test_an_erased_player_has_amounts_and_no_name_where_the_club_keeps_none(night: Evening, dita: Client, books: str):
    Club.objects.update(keep_names_years=0)
    asha = Player.objects.get(name="Asha")
    erase_player(asha, now=NOW, with_balance=True)
    for kind in ("csv", "beancount"):
        file = text(dita.get(f"{books}journal/?kind={kind}")).replace("Asha's club", "")
        assert "Asha" not in file
        assert str(asha.pk) in file


def test_a_period_that_ends_before_it_begins_is_refused(night: Evening, dita: Client, books: str):
    for page in ("", "journal/", "balances/"):
        assert "is before" in refusal_of(dita.get(f"{books}{page}?first=2026-03-15&last=2026-03-01"))


def test_a_journal_too_long_for_a_page_is_the_commands_to_write(
    night: Evening, dita: Client, books: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(book_pages, "MOST_POSTINGS", dict.fromkeys(book_pages.MOST_POSTINGS, 4))
    for page in (f"{books}journal/", f"/admin/tournaments/tournament/{night.tournament.pk}/money/journal/"):
        assert "per download. Choose a shorter period, or run manage.py export_books on the server." in refusal_of(
            dita.get(page)
        )
    assert printed("--club", "asha", "--format", "csv").count("table:") == 10


def test_a_longer_journal_takes_no_more_queries(
    club: Club, dita: Client, books: str, django_assert_max_num_queries: Callable[..., Any]
):
    """Planted fault: an account or a name queried posting by posting."""
    longer(club, 40)
    for kind in ("csv", "xlsx", "beancount"):
        with django_assert_max_num_queries(9):
            body(dita.get(f"{books}journal/?kind={kind}"))


@pytest.mark.slow
def test_a_journal_four_times_as_long_takes_no_more_memory(club: Club, monkeypatch: pytest.MonkeyPatch):
    """Planted faults: the journal as one list before the first line is written; a query that reads all rows at once."""
    monkeypatch.setattr(readings, "CHUNK", 100)
    with TemporaryFile() as file:

        def peak() -> int:
            tracemalloc.start()
            write_journal(file, BookScope(club=club), FileKind.CSV)
            used = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            return used

        longer(club, 500)
        peak()
        short = peak()
        longer(club, 1_500, cause="table:more")
        # As a list, these entries would take two megabytes more.
        assert peak() - short < 400_000


def test_the_command_writes_the_same_file_as_the_page(night: Evening, dita: Client, books: str, tmp_path: Path):
    call_command(
        "export_books", "--club", "asha", "--format", "beancount", "--out", tmp_path / "b", stdout=io.StringIO()
    )
    assert (tmp_path / "b").read_bytes() == body(dita.get(f"{books}journal/?kind=beancount"))
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_the_command_says_what_it_cannot_do(club: Club):
    for words, told in (
        ("--club nobody --format csv", "no club 'nobody'"),
        ("--club asha --format xlsx", "say --out"),
        ("--club asha --format csv --from 2026-02-01 --to 2026-01-01", "is before"),
        ("--club asha --format csv --out /nowhere/at/all", "cannot be written"),
    ):
        with pytest.raises(CommandError, match=told):
            printed(*words.split())


def longer(club: Club, entries: int, cause: str = "table:long") -> None:
    """Many small entries, in the books within one settlement."""
    plans = [entry(f"deal:{number}", f"p{number % 50}", "bo") for number in range(entries)]
    settle(club.pk, cause, version=1, entries=plans, now=LATE + timedelta(days=1))


def entry(slot: str, loser: str, winner: str) -> PlannedEntry:
    postings = tuple(
        PlannedPosting(account=AccountRef(kind=AccountKind.PLAYER, owner=owner), amount_minor=amount, purpose=purpose)
        for owner, amount, purpose in ((loser, -5, Purpose.CHARGE), (winner, 5, Purpose.AWARD))
    )
    return PlannedEntry(slot=slot, currency="INR", postings=postings)


def payout(player: str, amount_minor: int) -> PlannedEntry:
    """Paid out from the bank."""
    postings = tuple(
        PlannedPosting(account=account, amount_minor=amount, purpose=Purpose.CASH)
        for account, amount in (
            (AccountRef(kind=AccountKind.PLAYER, owner=player), -amount_minor),
            (AccountRef(kind=AccountKind.BANK, owner=""), amount_minor),
        )
    )
    return PlannedEntry(slot="payout", currency="INR", postings=postings)
