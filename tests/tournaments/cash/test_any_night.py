"""Random histories of a cash desk and tables: the books balance, and no player gives what is not there."""

import pytest
from django.db import connection
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from scoring import ledger
from scoring.cash import account_at, load_book
from scoring.events import cash as events
from scoring.events.table import Event
from scoring.money import AccountKind
from scoring.problems import EventNotAllowed
from tests.builders.playing import CAST, NOW, context, loses, new_club, new_table, new_tournament, show
from tests.builders.samples import tries
from tests.builders.state_machines import run_machine
from tournaments.books.commands import settle_table
from tournaments.books.player_balances import credits_of
from tournaments.cash.commands import open_book, write_in_book
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild_readings import cash_differences
from tournaments.models import CashBook, Player

pytestmark = pytest.mark.django_db
SAM = "user:sam"
PRESET = "points"
TILL = f"till:{SAM}"
PARTS = 100
amounts = st.sampled_from([1, 500, 5_000, 20_000])
places = st.sampled_from([TILL, "bank"])
everywhere = st.sampled_from([TILL, "bank", "owner", "levy", "till:nobody"])
people = st.integers(0, 2)


class Night(RuleBasedStateMachine):
    """A club with one points table, and Sam with the till. A refusal changes nothing."""

    lines = Bundle("lines")

    def __init__(self) -> None:
        super().__init__()
        self.club = new_club()
        home = new_tournament(self.club, preset=PRESET, fee_bp=1_000, point_value_minor=100)
        self.table = new_table(home, CAST[:3])
        self.players = [str(player) for player in Player.objects.filter(club=self.club).values_list("id", flat=True)]
        self.deals = 0
        self.book_id = open_book(self.club.id, "INR", context=context())

    @rule(target=lines, player=people, amount=amounts, place=places)
    def take(self, player: int, amount: int, place: str) -> int:
        return self.write(events.MoneyReceived(player=self.players[player], amount_minor=amount, place=place))

    @rule(target=lines, player=people, amount=amounts, place=places)
    def pay_out(self, player: int, amount: int, place: str) -> int:
        line = self.write(events.MoneyPaidOut(player=self.players[player], amount_minor=amount, place=place))
        return self.within_credit(line, player)

    @rule(target=lines, player=people, to=people, amount=amounts)
    def pay_for_a_friend(self, player: int, to: int, amount: int) -> int:
        event = events.MoneyTransferred(
            player=self.players[player], to=self.players[to], amount_minor=amount, reason="a friend"
        )
        return self.within_credit(self.write(event), player)

    @rule(target=lines, way=st.tuples(everywhere, everywhere), amount=amounts)
    def move(self, way: tuple[str, str], amount: int) -> int:
        return self.write(events.MoneyMoved(source=way[0], target=way[1], amount_minor=amount))

    @rule(target=lines, player=people, amount=amounts)
    def write_off(self, player: int, amount: int) -> int:
        return self.write(events.DebtWrittenOff(player=self.players[player], amount_minor=amount, reason="moved away"))

    @rule(player=people, limit=st.sampled_from([0, 5_000]))
    def grant(self, player: int, limit: int) -> None:
        self.write(events.CreditGranted(player=self.players[player], limit_minor=limit, reason="pays on Friday"))

    @rule(line=lines)
    def take_back(self, line: int) -> None:
        if line:
            self.write(events.CashEntryUndone(version=line, reason="a slip"))

    @rule(float_minor=st.sampled_from([0, 20_000]))
    def open_till(self, float_minor: int) -> None:
        self.write(events.TillOpened(till=SAM, float_minor=float_minor))

    @rule(surplus=st.sampled_from([0, 0, 1, -1]))
    def count_and_close_till(self, surplus: int) -> None:
        held = -ledger.balances(self.club.id, "INR", [account_at(TILL)])[account_at(TILL)] + surplus
        if held < 0:
            return
        self.write(events.TillCounted(till=SAM, pieces={"1": min(held, 100_000), "100000": 0}))
        if surplus:
            self.write(events.TillDifferenceBooked(till=SAM, amount_minor=surplus, reason="nobody knows"))
        self.write(events.TillClosed(till=SAM))

    @rule()
    def close_the_night(self) -> None:
        if self.write(events.CashBookClosed()):
            self.book_id = open_book(self.club.id, "INR", context=context())

    @rule(counts=st.tuples(st.integers(2, 80), st.integers(2, 80)), winner=st.integers(1, 2))
    def play_a_deal(self, counts: tuple[int, int], winner: int) -> None:
        self.deals += 1
        self.table.record(self.deal("deal_recorded", self.deals, counts, winner))

    @rule(counts=st.tuples(st.integers(2, 80), st.integers(2, 80)), winner=st.integers(1, 2))
    def correct_the_last_deal(self, counts: tuple[int, int], winner: int) -> None:
        if self.deals:
            self.table.record(
                self.deal("deal_corrected", self.deals, counts, winner) | {"reason": "read the wrong line"}
            )

    @rule()
    def settle(self) -> None:
        assert settle_table(self.table.row.id, now=NOW).problem is None

    @invariant()
    def books_balance(self) -> None:
        assert sum(line.balance_minor for line in ledger.trial_balance(self.club.id)) == 0

    @invariant()
    def no_place_holds_less_than_nothing(self) -> None:
        for kind, sign in ((AccountKind.CASH, -1), (AccountKind.BANK, -1), (AccountKind.LEVY, 1)):
            held = ledger.balances_of_kind(self.club.id, "INR", kind)
            assert all(sign * balance >= 0 for balance in held.values())

    @invariant()
    def a_closed_till_is_empty(self) -> None:
        held = ledger.balances_of_kind(self.club.id, "INR", AccountKind.CASH)
        book = load_book(CashBook.objects.get(id=self.book_id).state)
        assert SAM not in held or book.open_till(SAM)

    def teardown(self) -> None:
        assert ledger.ledger_problems(self.club.id) == []
        assert compare_books(self.club.id).faults == ()
        assert list(cash_differences(self.club.id)) == []
        if connection.vendor == "postgresql":
            connection.check_constraints()

    def write(self, event: Event) -> int:
        """The number of the written line; 0 where it was refused."""
        before = ledger.trial_balance(self.club.id)
        try:
            done = write_in_book(self.book_id, event, context=context())
        except EventNotAllowed:
            assert ledger.trial_balance(self.club.id) == before
            return 0
        return 0 if done.is_replay else done.line

    def within_credit(self, line: int, player: int) -> int:
        """No player has exceeded their credit by giving money away."""
        if line:
            owner = self.players[player]
            held = ledger.balances_of_kind(self.club.id, "INR", AccountKind.PLAYER).get(owner, 0)
            assert held >= -credits_of("INR", [owner]).get(owner, 0)
        return line

    def deal(self, kind: str, number: int, counts: tuple[int, int], winner: int) -> dict[str, object]:
        others = [str(seat) for seat in range(1, 4) if seat != winner]
        outcomes = {str(winner): show} | {seat: loses(count) for seat, count in zip(others, counts, strict=True)}
        return {"kind": kind, "deal": number, "outcomes": outcomes}


def run_nights(count: int) -> None:
    run_machine(Night, examples=count, steps=12)


def test_books_balance_after_any_night() -> None:
    """Planted fault: a payment out without a check of the balance."""
    run_nights(10)


# In parts: each night in one transaction is slower than the one before, and so is what Hypothesis keeps.
@pytest.mark.slow(long=True)
@pytest.mark.parametrize("part", range(PARTS))
def test_books_balance_after_ten_thousand_nights(part: int) -> None:
    if part >= tries(PARTS):
        pytest.skip("tried with more TIMES, or on SQLite")
    run_nights(100)
