"""A club that rounds cash: said before and after a payout, in the books, on statement, receipt and cash book."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring import ledger
from scoring.events import cash as events
from scoring.ledger import ledger_problems, trial_balance
from tests.builders.admin_tables import person
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.flat import flat
from tests.builders.pdf_text import pages
from tests.builders.playing import context, new_club
from tests.builders.prize_evening import Evening
from tournaments.cash.commands import open_book, write_in_book
from tournaments.integrity.audit import compare_books
from tournaments.models import CashRounding, Club, Role, Tournament
from tournaments.people.players import add_players
from tournaments.printing.payouts import payout_list
from tournaments.printing.report import tournament_report
from tournaments.rendering.pdf import pdf_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(db: None) -> Club:
    club = new_club()
    Club.objects.filter(pk=club.pk).update(smallest_cash={"INR": 100})
    add_players(club, ("Asha", "Bo"))
    return Club.objects.get()


@pytest.fixture
def dita(club: Club) -> CashDesk:
    """A director with 2,000.00 in her till; the bank has brought Asha 1,116.46."""
    dita = at_the_desk(club, Role.DIRECTOR, "dita").opens("2000")
    return dita.takes("1116.46", place="bank")


def held(club: Club) -> dict[str, int]:
    return {line.kind.value: line.balance_minor for line in trial_balance(club.pk) if line.balance_minor}


@pytest.mark.postgres
def test_a_payout_leaves_the_till_with_what_can_be_counted(dita: CashDesk, club: Club):
    dita.sends(dita.player("Asha"), "pay_out", amount="1116.46")
    assert (dita.holds(dita.till), dita.has("Asha")) == (88_400, 0)
    assert held(club) == {"cash": -88_400, "bank": -111_646, "owner": 200_000, "rounding": 46}
    assert (compare_books().faults, ledger_problems()) == ((), [])
    answer: Any = dita.client.get(dita.url(f"nights/{dita.book}/file/?kind=csv"))
    rows = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig")))
    assert [int(row["amount_minor"]) for row in rows if row["place"].startswith("till")] == [200_000, -111_600]
    lines = ledger.player_statement(club.pk, [dita.player("Asha").split("/")[1]])
    assert [(line.purpose, line.amount_minor, line.balance_minor) for line in lines] == [
        ("cash", 111_646, 111_646),
        ("rounding", -46, 111_600),
        ("cash", -111_600, 0),
    ]


def test_a_payout_says_before_and_after_what_is_cash_and_what_is_rounding(dita: CashDesk):
    assert "₹1,116.46: ₹1,116.00 in cash, ₹0.46 rounding" in dita.page(dita.player("Asha"))
    assert "Cash is rounded to ₹1.00." in dita.page(dita.player("Bo"))
    answer = dita.sends(dita.player("Asha"), "pay_out", amount="1116.46")
    assert "₹1,116.00 in cash, ₹0.46 rounding" in dita.page(answer.url)


def test_a_debt_says_what_to_take(dita: CashDesk):
    dita.sends(dita.player("Bo"), "credit", amount="5000", reason="a friend")
    dita.sends(dita.player("Bo"), "transfer", to="Asha", amount="200.30", reason="a bet")
    assert "₹200.30: ₹200.00 in cash, ₹0.30 rounding" in dita.page(dita.player("Bo"))
    dita.takes("200.30", "Bo")
    assert (dita.has("Bo"), dita.holds(dita.till)) == (0, 220_000)


def test_a_transfer_to_the_bank_is_exact(dita: CashDesk, club: Club):
    dita.sends(dita.player("Asha"), "pay_out", amount="1116.46", place="bank")
    assert held(club) == {"cash": -200_000, "owner": 200_000}


def test_a_club_that_sets_nothing_pays_exactly():
    club = new_club()
    add_players(club, ("Asha",))
    dita = at_the_desk(club, Role.DIRECTOR, "dita").opens("2000").takes("1116.46", place="bank")
    assert "rounded" not in dita.page(dita.player("Asha"))
    dita.sends(dita.player("Asha"), "pay_out", amount="1116.46")
    assert dita.holds(dita.till) == 88_354


def test_what_was_rounded_stays_when_the_settings_change(dita: CashDesk, club: Club):
    Club.objects.update(cash_rounding=CashRounding.PLAYER)
    dita.sends(dita.player("Asha"), "pay_out", amount="1116.46")
    assert (dita.holds(dita.till), held(club)["rounding"]) == (88_300, -54), "in the player's favour"
    Club.objects.update(smallest_cash={})
    assert compare_books().faults == ()
    dita.sends("lines/4/", "undo", reason="a slip")
    assert (dita.has("Asha"), dita.holds(dita.till), "rounding" in held(club)) == (111_646, 200_000, False)
    assert compare_books().faults == ()


def test_a_resend_is_recognized_after_the_settings_have_changed(dita: CashDesk):
    form = {**dita.form(dita.player("Asha"), "pay_out"), "amount": "500.30"}
    for pieces in ({"INR": 100}, {"INR": 500}):
        Club.objects.update(smallest_cash=pieces)
        dita.client.post(dita.url(dita.player("Asha")), form)
    assert dita.holds(dita.till) == 150_000


def statement(dita: CashDesk, club: Club) -> str:
    player = dita.player("Asha").split("/")[1]
    return flat(dita.client.get(reverse("admin:tournaments_player_statement", args=[player])).content.decode())


def receipt(dita: CashDesk, club: Club) -> str:
    return paper(dita.client.get(dita.url(f"receipts/{dita.book}/4/")))


def paper(answer: Any) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return " ".join(pages(content))


def book(dita: CashDesk, club: Club) -> str:
    return dita.page(f"nights/{dita.book}/")


def night(dita: CashDesk, club: Club) -> str:
    return dita.page("night/")


def page_to_sign(dita: CashDesk, club: Club) -> str:
    return paper(dita.client.get(dita.url(f"nights/{dita.book}/file/?kind=pdf")))


def test_every_page_and_paper_says_what_was_rounded(dita: CashDesk, club: Club):
    dita.sends(dita.player("Asha"), "pay_out", amount="1116.46")
    for door, text in (
        (statement, r"Cash rounding.*−₹0\.46.*1,116\.00.*Cash.*−₹1,116\.00.*0\.00"),
        (receipt, r"₹1,116\.46.*₹1,116\.00 in cash, ₹0\.46 rounding"),
        (book, r"Cash rounding: ₹0\.46.*₹1,116\.00 in cash, ₹0\.46 rounding.*cash rounding.*0\.46"),
        (night, r"Cash rounding: ₹0\.46"),
        (page_to_sign, r"Cash rounding\s+0\.46.*2,000\.00 0\.00 1,116\.00 884\.00"),
    ):
        shown = door(dita, club)
        assert re.search(text, shown, re.DOTALL), shown


def test_the_payouts_of_a_tournament_and_its_report_say_what_is_cash():
    evening = Evening().paid().closed()
    evening.settle()
    Club.objects.update(smallest_cash={"INR": 1_000})
    book_id = open_book(evening.club.pk, "INR", context=context())
    _, bo, _ = evening.players
    for event in (
        events.TillOpened(till="user:7", float_minor=50_000),
        events.MoneyPaidOut(player=bo, amount_minor=8_100, place="till:user:7"),
    ):
        write_in_book(book_id, event, context=context())
    tournament = Tournament.objects.get()
    [listed] = pages(pdf_of(payout_list(tournament)))
    assert "Amount In cash" in listed
    assert "₹189.00 ₹190.00" in listed
    assert "Cash rounding, cash book 1 ₹1.00" in " ".join(pages(pdf_of(tournament_report(tournament))))


# The club's settings.


class Settings:
    """The owner at the page of the club."""

    def __init__(self, club: Club) -> None:
        self.client = Client()
        self.client.force_login(person("olga", Role.OWNER, club))
        self.url = reverse("admin:tournaments_club_change", args=[club.pk])

    def sends(self, **typed: str) -> Any:
        page = self.client.get(self.url)
        form = page.context["adminform"].form
        values = {name: form[name].value() for name in form.fields}
        values = {name: value for name, value in values.items() if value not in (None, False)}
        for formset in page.context["inline_admin_formsets"]:
            values |= {f"{formset.formset.prefix}-{name}": "0" for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
        return self.client.post(self.url, {**values, **typed})


def test_the_owner_sets_a_smallest_note_or_coin_for_each_currency(club: Club):
    owner = Settings(club)
    for typed, stored in (("5", {"INR": 500}), ("inr 1; EUR 0.05", {"INR": 100, "EUR": 5}), ("", {})):
        assert owner.sends(smallest_cash=typed).status_code == 302
        assert Club.objects.get().smallest_cash == stored


def test_a_smallest_note_or_coin_that_is_none_is_refused_at_its_field(club: Club):
    owner = Settings(club)
    for typed in ("INR", "INR zero", "INR 0", "XYZ 1", "INR 99999999", "INR 0.001"):
        answer = owner.sends(smallest_cash=typed)
        assert "smallest_cash" in answer.context["adminform"].form.errors, typed
    assert Club.objects.get().smallest_cash == {"INR": 100}
