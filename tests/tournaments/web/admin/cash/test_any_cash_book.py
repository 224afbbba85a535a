"""Random cash books: each page and paper of a till is the sum of its vouchers, which the test keeps by itself."""

import csv
import io
import re
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from selectolax.lexbor import LexborHTMLParser

from scoring import ledger
from scoring.events import cash as events
from scoring.events import wire
from scoring.events.table import Event
from scoring.ledger.readings import Scope, account_balances
from scoring.problems import EventNotAllowed
from tests.builders.cash_desk import at_the_desk
from tests.builders.pdf_text import pages
from tests.builders.playing import context, new_club, new_tournament
from tests.builders.samples import tries
from tests.builders.state_machines import run_machine
from tournaments.cash.commands import open_book, write_in_book
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk, take_or_give
from tournaments.log.context import CommandContext
from tournaments.models import Role
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament, tournament_state

pytestmark = pytest.mark.django_db
ENTRY = 10_000
# Their logins have these names, so that pages and papers show them as the log does.
CASHIERS = ("user:700001", "user:700002")
cashiers = st.sampled_from(CASHIERS)
people = st.integers(0, 2)
amounts = st.sampled_from([1, 500, 1_046, 3_000, 10_000])
# The club's smallest coin: what the cash desk takes and pays out is rounded to it, entry fees and moved money are not.
COIN = 100


class CashBook(RuleBasedStateMachine):
    """Two cashiers, three players who entered for 100.00, and a director who looks at everything.

    `vouchers` are the amounts that went through each till in order, kept here alone; a refusal changes nothing.
    """

    def __init__(self) -> None:
        super().__init__()
        for cashier in CASHIERS:
            get_user_model().objects.get_or_create(pk=cashier.removeprefix("user:"), defaults={"username": cashier})
        self.club = new_club()
        self.club.smallest_cash = {"INR": COIN}
        self.club.save()
        self.tournament = new_tournament(self.club, entry_minor=ENTRY)
        self.players = [str(player.id) for player in add_players(self.club, ("Asha", "Bo", "Cy"))]
        made = wire.PlanMade(plan={"stages": [{"smallest_table": 2}]})
        entered = [wire.PlayerEntered(player=player) for player in self.players]
        record_all_in_tournament(self.tournament.id, [made, *entered], context=context())
        self.book = open_book(self.club.id, "INR", context=context())
        # Histories share a database, in which a login is unique.
        self.dita = at_the_desk(self.club, Role.DIRECTOR, uuid4().hex)
        self.floats: dict[str, int] = {}
        self.vouchers: dict[str, list[int]] = {}
        # What was over, what was short and what was handed over when a till was closed.
        self.beside: dict[str, tuple[int, int, int]] = {}
        self.undoable: dict[int, list[tuple[str, int]]] = {}
        self.in_cash = dict.fromkeys(self.players, 0)

    @rule(cashier=cashiers, float_minor=st.sampled_from([0, 20_000]))
    def open_till(self, cashier: str, float_minor: int) -> None:
        if self.write(events.TillOpened(till=cashier, float_minor=float_minor)):
            self.floats[cashier], self.vouchers[cashier] = float_minor, []

    @rule(cashier=cashiers, player=people, amount=amounts)
    def take(self, cashier: str, player: int, amount: int) -> None:
        event = events.MoneyReceived(player=self.players[player], amount_minor=amount, place=f"till:{cashier}")
        self.book_it(event, [(cashier, in_cash(amount))])

    @rule(cashier=cashiers, player=people, amount=amounts)
    def pay_out(self, cashier: str, player: int, amount: int) -> None:
        event = events.MoneyPaidOut(player=self.players[player], amount_minor=amount, place=f"till:{cashier}")
        self.book_it(event, [(cashier, -in_cash(amount))])

    @rule(way=st.permutations([*CASHIERS, "bank"]), amount=amounts)
    def move(self, way: list[str], amount: int) -> None:
        places = [f"till:{each}" if each in CASHIERS else each for each in way]
        moves = [(way[0], -amount), (way[1], amount)]
        event = events.MoneyMoved(source=places[0], target=places[1], amount_minor=amount)
        self.book_it(event, [each for each in moves if each[0] in CASHIERS])

    @rule(data=st.data())
    def undo(self, data: st.DataObject) -> None:
        if self.undoable:
            line = data.draw(st.sampled_from(sorted(self.undoable)))
            if self.write(events.CashEntryUndone(version=line, reason="a slip")):
                for cashier, amount in self.undoable.pop(line):
                    self.vouchers[cashier].append(-amount)

    @rule(cashier=cashiers, player=people, act=st.sampled_from(["pay", "give_back"]))
    def tap(self, cashier: str, player: int, act: str) -> None:
        named = self.players[player]
        self.at_the_desk(
            cashier, named, lambda acting: act_at_desk(self.tournament.id, DESK_ACTS[act], named, context=acting)
        )

    @rule(cashier=cashiers, player=people, amount=amounts, kind=st.sampled_from([wire.EntryPaid, wire.EntryRefunded]))
    def take_or_refund_part(self, cashier: str, player: int, amount: int, kind: Any) -> None:
        named = self.players[player]
        more = {"reason": "asked"} if kind is wire.EntryRefunded else {}
        event = kind(player=named, amount_minor=amount, **more)
        seen = self.in_cash[named]
        self.at_the_desk(
            cashier, named, lambda acting: take_or_give(self.tournament.id, event, seen_minor=seen, context=acting)
        )

    @rule(cashier=cashiers, surplus=st.sampled_from([0, 0, 1, -1]))
    def count_and_close(self, cashier: str, surplus: int) -> None:
        counted = self.expected(cashier) + surplus
        if cashier not in self.vouchers or counted < 0:
            return
        pieces = {"1": counted % 10_000, "10000": counted // 10_000}
        if not self.write(events.TillCounted(till=cashier, pieces=pieces)):
            return
        self.shown_at_the_count(cashier, counted)
        if surplus:
            self.write(events.TillDifferenceBooked(till=cashier, amount_minor=surplus, reason="nobody knows"))
        assert self.write(events.TillClosed(till=cashier))
        self.beside[cashier] = (max(0, surplus), max(0, -surplus), counted)

    @invariant()
    def each_account_has_turned_over_what_went_through_its_till(self) -> None:
        """Planted fault: an entry fee that is posted whole again at each payment."""
        cash = {each.owner: each for each in account_balances(Scope(club=self.club.id)) if each.kind == "cash"}
        for cashier, vouchers in self.vouchers.items():
            turned = (cash[cashier].debit_minor, cash[cashier].credit_minor) if cashier in cash else (0, 0)
            came, went = (sum(max(0, sign * amount) for amount in vouchers) for sign in (1, -1))
            over, short, given = self.beside.get(cashier, (0, 0, 0))
            assert turned == (self.floats[cashier] + came + over, went + short + given)

    @invariant()
    def each_till_holds_its_float_and_its_vouchers(self) -> None:
        held = ledger.balances_of_kind(self.club.id, "INR", "cash")  # type: ignore[arg-type]
        for cashier in CASHIERS:
            assert -held.get(cashier, 0) in (0, self.expected(cashier))

    def teardown(self) -> None:
        """Planted faults: entry fees left out of the lines; a line that was undone left out instead of its undoing."""
        page = self.dita.page(f"nights/{self.book}/")
        tills = [events_of(each) for each in LexborHTMLParser(page).css(".cash-tills > li") if each.css("dl")]
        rows, paper = self.files()
        for shown, cashier in zip(tills, self.vouchers, strict=True):
            vouchers = self.vouchers[cashier]
            assert minor(shown["Opening float"]) == self.floats[cashier]
            assert minor(shown["Expected"]) == self.expected(cashier)
            assert sum(minor(amount) for name, amount in shown.items() if re.match(r"\d|Moved", name)) == sum(vouchers)
            own = [row for row in rows if row["place"] == f"till:{cashier}"]
            worked = [int(row["amount_minor"]) for row in own if row["what"] not in {"float", "difference", "closed"}]
            assert worked == vouchers
            is_closed = any(row["what"] == "closed" for row in own)
            assert sum(int(row["amount_minor"]) for row in own) == (0 if is_closed else self.expected(cashier))
            assert not own or int(own[-1]["balance_minor"]) == (0 if is_closed else self.expected(cashier))
            came = sum(amount for amount in vouchers if amount > 0)
            figures = (self.floats[cashier], came, came - sum(vouchers), self.expected(cashier))
            assert " ".join((cashier, *map(figure, figures))) in paper

    def expected(self, cashier: str) -> int:
        return self.floats.get(cashier, 0) + sum(self.vouchers.get(cashier, []))

    def book_it(self, event: Event, moved: list[tuple[str, int]]) -> None:
        if line := self.write(event):
            self.undoable[line] = moved
            for cashier, amount in moved:
                self.vouchers[cashier].append(amount)

    def write(self, event: Event) -> int:
        """The number of the written line; 0 where it was refused."""
        try:
            done = write_in_book(self.book, event, context=context())
        except EventNotAllowed:
            return 0
        return 0 if done.is_replay else done.line

    def at_the_desk(self, cashier: str, player: str, act: Any) -> None:
        """What a cashier does for an entry: all of it in cash, in a till that is opened by it."""
        try:
            act(CommandContext(actor=cashier, now=context().now))
        except EventNotAllowed:
            return
        paid = tournament_state(self.tournament).entrants[player].paid_minor
        if moved := paid - self.in_cash[player]:
            self.floats.setdefault(cashier, 0)
            self.vouchers.setdefault(cashier, []).append(moved)
        self.in_cash[player] = paid

    def shown_at_the_count(self, cashier: str, counted: int) -> None:
        """The count page of the cashier's till, for a director."""
        shown = events_of(LexborHTMLParser(self.dita.page(f"tills/{cashier}/")).css("[aria-labelledby=held]")[0])
        assert (minor(shown["Expected"]), minor(shown["Counted"])) == (self.expected(cashier), counted)
        assert minor(shown["Difference"]) == counted - self.expected(cashier)
        listed = [minor(amount) for name, amount in shown.items() if re.match(r"\d|Moved|Opening", name)]
        assert sum(listed) == self.expected(cashier)

    def files(self) -> tuple[list[dict[str, str]], str]:
        """The rows of the book's CSV, and the text of its page to sign."""
        read = {}
        for kind in ("csv", "pdf"):
            answer: Any = self.dita.client.get(self.dita.url(f"nights/{self.book}/file/?kind={kind}"))
            read[kind] = b"".join(answer.streaming_content)
        [paper] = pages(read["pdf"])
        return list(csv.DictReader(io.StringIO(read["csv"].decode("utf-8-sig")))), paper


def events_of(node: Any) -> dict[str, str]:
    pairs = node.css(".cash-facts > div")
    return {each.css("dt")[0].text(strip=True): each.css("dd")[0].text(strip=True) for each in pairs}


def in_cash(amount_minor: int) -> int:
    """To the nearest coin, half of one up."""
    return (amount_minor + COIN // 2) // COIN * COIN


def minor(shown: str) -> int:
    """An amount of a page in paise."""
    return int(re.sub(r"[^0-9-]", "", shown.replace("−", "-")))


def figure(amount_minor: int) -> str:
    """Paise as India writes rupees below a lakh."""
    return f"{amount_minor / 100:,.2f}".replace("-", "−")


def test_every_page_and_paper_of_a_till_is_the_sum_of_its_vouchers() -> None:
    run_machine(CashBook, examples=6, steps=14)


@pytest.mark.slow(long=True)
@pytest.mark.parametrize("part", range(20))
def test_every_page_and_paper_of_a_till_is_the_sum_of_its_vouchers_in_many_books(part: int) -> None:
    if part >= tries(20):
        pytest.skip("tried with more TIMES, or on SQLite")
    run_machine(CashBook, examples=20, steps=25)
