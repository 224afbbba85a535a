"""Random histories of a club's books: settlements, corrections, payments and refunds."""

import uuid
from collections import Counter
from typing import Any

from django.db import connection
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule

from scoring.ledger import ledger_problems, trial_balance
from scoring.money import plan_entries
from scoring.money.payouts import Payout, divide, house_fee
from tests.builders.ledger import holdings, moved, settled

CAST = {"1": "asha", "2": "bo", "3": "cy", "4": "dev"}
TABLES = ("table:one", "table:two")


@st.composite
def sheets(draw: st.DrawFn) -> tuple[Payout, ...]:
    """What a table pays, deal by deal; some deals were cancelled, some moved nothing."""
    return tuple(draw(deals(number)) for number in draw(st.sets(st.integers(1, 4), max_size=4)))


@st.composite
def deals(draw: st.DrawFn, number: int) -> Payout:
    winner = draw(st.sampled_from(sorted(CAST)))
    losses = draw(st.dictionaries(st.sampled_from(sorted(set(CAST) - {winner})), st.integers(0, 16_000)))
    gross = sum(losses.values())
    fee = house_fee(gross, draw(st.sampled_from([0, 250, 1_000])))
    return Payout(slot=f"deal:{number}", charges=losses, awards=divide(gross - fee, [winner]), fee=fee)


class Evening(RuleBasedStateMachine):
    """The books of one club, and a model that only knows the balance of each player."""

    payments = Bundle("payments")

    def __init__(self) -> None:
        super().__init__()
        self.club = uuid.uuid4()
        self.version = dict.fromkeys(TABLES, 0)
        self.paid: dict[str, tuple[Payout, ...]] = dict.fromkeys(TABLES, ())
        self.desk: Counter[str] = Counter()

    @rule(table=st.sampled_from(TABLES), sheet=sheets())
    def settle_or_correct(self, table: str, sheet: tuple[Payout, ...]) -> None:
        self.version[table] += 3
        self.paid[table] = sheet
        self._settle(table, sheet, self.version[table])

    @rule(table=st.sampled_from(TABLES))
    def void_everything(self, table: str) -> None:
        self.settle_or_correct(table, ())

    @rule(table=st.sampled_from(TABLES))
    def settle_again(self, table: str) -> None:
        if self.version[table]:
            assert self._settle(table, self.paid[table], self.version[table]) == 0

    @rule(table=st.sampled_from(TABLES), sheet=sheets(), late=st.integers(1, 2))
    def settle_late(self, table: str, sheet: tuple[Payout, ...], late: int) -> None:
        if self.version[table]:
            assert self._settle(table, sheet, self.version[table] - late) == 0

    @rule(target=payments, player=st.sampled_from(sorted(CAST.values())), amount=st.integers(1, 50_000))
    def buy_in(self, player: str, amount: int) -> tuple[str, str, int]:
        payment = f"cash:{uuid.uuid4()}"
        settled(1, moved("table", **dict[str, Any]({player: amount, "cash": -amount})), cause=payment, club=self.club)
        self.desk.update({player: amount, "cash": -amount})
        return payment, player, amount

    @rule(payment=payments)
    def refund(self, payment: tuple[str, str, int]) -> None:
        cause, player, amount = payment
        if settled(2, cause=cause, club=self.club).reversed:
            self.desk.update({player: -amount, "cash": amount})

    @invariant()
    def books_balance_and_hold_what_they_should(self) -> None:
        assert sum(line.balance_minor for line in trial_balance(self.club)) == 0
        assert holdings(self.club) == self._expected()

    def teardown(self) -> None:
        assert ledger_problems(self.club) == []
        if connection.vendor == "postgresql":
            connection.check_constraints()

    def _settle(self, table: str, sheet: tuple[Payout, ...], version: int) -> int:
        plan = plan_entries(sheet, players=CAST, currency="INR")
        result = settled(version, *plan, cause=table, club=self.club)
        return len(result.posted) + len(result.reversed)

    def _expected(self) -> dict[str, int]:
        held = Counter(self.desk)
        for payout in (payout for sheet in self.paid.values() for payout in sheet):
            held["house"] += payout.fee
            held.update({CAST[seat]: amount for seat, amount in payout.awards.items()})
            held.subtract({CAST[seat]: amount for seat, amount in payout.charges.items()})
        return {owner: amount for owner, amount in held.items() if amount}
