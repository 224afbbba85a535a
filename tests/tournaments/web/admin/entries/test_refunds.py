"""A refund says how much is handed out in cash and how much goes to the balance, in whichever way it is given."""

import pytest
from django.test import Client

from scoring.events import cash as events
from scoring.events import wire
from tests.builders.admin_tables import person
from tests.builders.buttons import form_that
from tests.builders.page_text import text_of
from tests.builders.tills import ENTRY, NOW, Door
from tournaments.cash.commands import till_of, write_in_book
from tournaments.entries.commands.check_in import take_or_give
from tournaments.evenings.commands.record import evening_of
from tournaments.log.context import CommandContext
from tournaments.models import Role

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
        paid = evening_of(self.door.tournament).entrants[self.door.asha].paid_minor
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


def test_more_than_was_paid_or_without_a_reason_nothing_is_refunded(counter: Counter):
    assert "₹100.01 are not in your till" in counter.presses("give", amount="100.01", reason="asked")
    assert counter.presses("give_back").count("enter a reason") == 1
    assert counter.stands() == (10_000, 0, ENTRY)
