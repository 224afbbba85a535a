"""A refund says how much is handed out in cash and how much goes to the balance, in whichever way it is given."""

import re
from typing import Any

import pytest
from django.test import Client

from scoring.events import cash as events
from scoring.events import wire
from tests.builders.admin_tables import person
from tests.builders.buttons import form_that
from tests.builders.page_text import html, text_of
from tests.builders.there import there
from tests.builders.tills import ENTRY, NOW, Door
from tournaments.cash.commands import till_of, write_in_book
from tournaments.entries.commands.check_in import take_or_give
from tournaments.log.context import CommandContext
from tournaments.models import Role
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db


class Counter:
    """Dita at the desk: of Asha's entry of 100.00, 60.00 came from the balance and 40.00 in cash, into Dita's till."""

    def __init__(self) -> None:
        self.door = Door()
        self.user = person("dita", Role.DIRECTOR, self.door.club)
        self.client = Client()
        self.client.force_login(self.user)
        self.till = f"till:user:{self.user.pk}"
        book = self.door.opens_a_book()
        till_of(self.door.club.pk, "INR", context=self.context())
        brought = events.MoneyReceived(player=self.door.asha, amount_minor=6_000, place=self.till)
        write_in_book(book, brought, context=self.context())
        self.pays(6_000, seen=0, place="account")
        self.pays(4_000, seen=6_000)
        assert self.stands() == (10_000, 0, ENTRY)

    def context(self) -> CommandContext:
        return CommandContext(actor=f"user:{self.user.pk}", now=NOW)

    def pays(self, amount_minor: int, *, seen: int, place: str = "") -> None:
        event = wire.EntryPaid(player=self.door.asha, amount_minor=amount_minor, place=place)
        take_or_give(self.door.tournament.pk, event, seen_minor=seen, context=self.context())

    def stands(self) -> tuple[int, int, int]:
        """What is in the till, on Asha's balance, and paid for the entry."""
        paid = tournament_state(self.door.tournament).entrants[self.door.asha].paid_minor
        return self.door.holds(self.till), self.door.has(self.door.asha), paid

    def url(self, page: str) -> str:
        return f"/admin/tournaments/tournament/{self.door.tournament.pk}/{page}"

    @property
    def page(self) -> str:
        return self.client.get(self.url(f"desk/{self.door.asha}/")).content.decode()

    def presses(self, button: str, **typed: str) -> str:
        form = form_that(self.page, button).values
        answer = self.client.post(self.url(f"desk/{self.door.asha}/"), {**form, "do": button, **typed}, follow=True)
        return text_of(answer)


@pytest.fixture
def counter(db: None) -> Counter:
    return Counter()


def test_the_button_and_the_answer_say_what_goes_where(counter: Counter):
    """Planted fault: one sum on the button, and "has not paid" as the answer."""
    assert "Refund all payments ₹40.00 in cash, ₹60.00 to the balance" in " ".join(counter.page.split())
    assert "Asha was refunded ₹40.00 in cash, ₹60.00 to the balance." in counter.presses("give_back", reason="asked")
    assert counter.stands() == (6_000, 6_000, 0)


def test_an_amount_is_refunded_as_everything_is_the_cash_first(counter: Counter):
    """Planted fault: an amount is refunded in cash, wherever it came from."""
    answer = counter.presses("give", amount="70", reason="asked")
    assert "Asha was refunded ₹40.00 in cash, ₹30.00 to the balance." in answer
    assert counter.stands() == (6_000, 3_000, 3_000)
    assert "Asha was refunded ₹30.00 to the balance." in counter.presses("give", amount="30", reason="asked")
    assert counter.stands() == (6_000, 6_000, 0)


def test_a_tick_in_the_list_says_it_too(counter: Counter):
    typed = {"do": f"give_back.{counter.door.asha}", "version": "3", "reason": "asked"}
    said = text_of(counter.client.post(counter.url("desk/"), typed, follow=True))
    assert "Asha was refunded ₹40.00 in cash, ₹60.00 to the balance." in said
    assert counter.stands() == (6_000, 6_000, 0)


class Till:
    """Sam takes Asha's fee of 100.00 and then 10.00 for a side pot, each by a tap in the list."""

    def __init__(self) -> None:
        pot = {"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"}
        self.door = Door(side_pots=[pot])
        self.client = Client()
        self.client.force_login(person("dita", Role.DIRECTOR, self.door.club))
        self.url = f"/admin/tournaments/tournament/{self.door.tournament.pk}/"
        self.client.post(f"{self.url}till/", {"do": "none"})

    @property
    def paid(self) -> int:
        return tournament_state(self.door.tournament).entrants[self.door.asha].paid_minor

    def taps(self, do: str, *, reason: str = "", **how: str) -> Any:
        version = str(tournament_state(self.door.tournament).version)
        typed = {"do": do, "version": version, "reason": reason}
        return self.client.post(f"{self.url}desk/", typed, follow=True, headers=how)

    def joins(self) -> None:
        terms = wire.EntryTermsSet(player=self.door.asha, pots=("Jackpot",))
        record_in_tournament(self.door.tournament.pk, terms, context=self.door.context())


@pytest.mark.parametrize("how", [{}, {"HX-Request": "true"}], ids=["page", "part"])
def test_undoing_a_payment_refunds_it_alone_and_says_so_before(db: None, how: dict[str, str]):
    """Planted fault: *Undo* after 10.00 for the side pot refunded the entry fee too, 110.00."""
    till = Till()
    till.taps(f"pay.{till.door.asha}")
    till.joins()
    shown = till.taps(f"pay.{till.door.asha}", **how)
    assert till.paid == 11_000
    undo = there(re.search(r'id="undo"[^>]*value="([^"]+)"[^>]*>([^<]*)<', html(shown)))
    assert undo[2].strip() == "Refund ₹10.00 in cash"
    refunded = till.taps(undo[1], reason="wrong player", **how)
    assert "was refunded ₹10.00 in cash" in text_of(refunded)
    assert till.paid == ENTRY
    # What an undone refund takes is said too.
    if how:
        assert "Take ₹10.00 in cash" in text_of(refunded)


def test_a_payment_without_its_amount_is_not_offered_to_be_undone(db: None):
    till = Till()
    till.taps(f"pay.{till.door.asha}")
    for last in (f"pay.{till.door.asha}", f"pay.{till.door.asha}.99999999999999999999", f"pay.{till.door.asha}.10001"):
        assert 'id="undo"' not in html(till.client.get(f"{till.url}desk/", {"last": last}))


def test_more_than_was_paid_or_without_a_reason_nothing_is_refunded(counter: Counter):
    assert "₹100.01 are not in your till" in counter.presses("give", amount="100.01", reason="asked")
    assert counter.presses("give_back").count("enter a reason") == 1
    assert counter.stands() == (10_000, 0, ENTRY)
