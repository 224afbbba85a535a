"""Random histories between cash desk and prizes: the books balance, equal the log, and no pool keeps money."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from scoring.events import wire
from scoring.ledger import ledger_problems, trial_balance
from scoring.models import Posting
from scoring.problems import EventNotAllowed
from tests.builders.playing import NOW, Playing, context, loses, new_club, new_tournament, show
from tests.builders.samples import tries
from tests.builders.state_machines import run_machine
from tournaments.integrity.audit import compare_books
from tournaments.models import EveningSheet
from tournaments.people.players import add_players
from tournaments.running.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament, tournament_state
from tournaments.running.commands.settle import settle_tournament
from tournaments.seating.commands.seat import seat_round

pytestmark = pytest.mark.django_db
NAMES = ("Asha", "Bo", "Cy", "Dev")
STAGE = {"smallest_table": 2, "reentry_minor": 3_000, "reentry_until_round": 9}
PLAN = {"stages": [STAGE], "prizes_bp": [7_000, 3_000], "levy_bp": 300, "member_minor": 7_001, "late_until_round": 9}
people = st.integers(0, 3)
amounts = st.sampled_from([1, 3_000, 9_999, 10_000, 25_000])
places = st.sampled_from(["", "till:user:sam", "bank", "account"])


class Night(RuleBasedStateMachine):
    """Asha and Bo play at the only table, Cy and Dev come and go. A refusal changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.club = new_club()
        self.tournament = new_tournament(self.club, entry_minor=10_000, fee_bp=1_000)
        self.home = self.tournament.id
        self.players = [str(player.id) for player in add_players(self.club, NAMES)]
        entered = [wire.PlayerEntered(player=player) for player in self.players]
        record_all_in_tournament(self.home, [wire.PlanMade(plan=PLAN), *entered], context=context())
        tables, out = ((1, tuple(self.players[:2])),), tuple(self.players[2:])
        seating = wire.RoundSeated(stage=1, round=1, tables=tables, method="draw", seed="s", sitting_out=out)
        (row,) = seat_round(self.home, seating, context=context()).tables
        self.table = Playing(row=row)
        self.table.deal(1, show, loses(80))
        self.table.deal(2, show, loses(30))
        self.table.close()

    @rule(player=people, amount=amounts, place=places)
    def pay(self, player: int, amount: int, place: str) -> None:
        self.tell(wire.EntryPaid(player=self.players[player], amount_minor=amount, place=place))

    @rule(player=people, amount=amounts, place=places)
    def refund(self, player: int, amount: int, place: str) -> None:
        event = wire.EntryRefunded(player=self.players[player], amount_minor=amount, place=place, reason="asked")
        self.tell(event)

    @rule(player=people)
    def withdraw(self, player: int) -> None:
        self.tell(wire.EntryWithdrawn(player=self.players[player]))

    @rule(player=people, is_standby=st.booleans())
    def enter(self, player: int, is_standby: bool) -> None:
        self.tell(wire.PlayerEntered(player=self.players[player], is_standby=is_standby))

    @rule(player=people)
    def mark_absent(self, player: int) -> None:
        self.tell(wire.MarkedAbsent(player=self.players[player]))

    @rule(player=people)
    def come_after_all(self, player: int) -> None:
        self.tell(wire.PlayerReturned(player=self.players[player]))

    @rule(player=people, by=people)
    def substitute(self, player: int, by: int) -> None:
        self.tell(wire.PlayerSubstituted(player=self.players[player], by=self.players[by], reason="ill"))

    @rule(player=people)
    def buy_back(self, player: int) -> None:
        self.tell(wire.PlayerReentered(player=self.players[player], stage=1))

    @rule(player=people, rate=st.sampled_from(["full", "member", "free"]))
    def set_the_rate(self, player: int, rate: Any) -> None:
        self.tell(wire.EntryTermsSet(player=self.players[player], rate=rate, reason="asked"))

    @rule(fee=st.sampled_from([0, 500]))
    def plan_anew(self, fee: int) -> None:
        self.tell(wire.PlanMade(plan={**PLAN, "levy_bp": fee}, reason="the levy"))

    @rule()
    def close(self) -> None:
        self.tried(lambda: close_tournament(self.home, context=context()))

    @rule()
    def reopen(self) -> None:
        self.tried(lambda: reopen_tournament(self.home, reason="not yet", context=context()))

    @rule()
    def give_up(self) -> None:
        self.tried(lambda: cancel_tournament(self.home, reason="the lights went out", context=context()))

    @rule(winner=st.sampled_from(["1", "2"]))
    def correct(self, winner: str) -> None:
        """Both deals to the same player, so that the table stays decided; in between it contradicts itself."""
        for deal, count in ((1, 80), (2, 30)):
            self.table.correct(deal, *(show if seat == winner else loses(count) for seat in "12"))

    @rule()
    def settle(self) -> None:
        settled = settle_tournament(self.home, now=NOW)
        assert settled.problem is None
        sheet = EveningSheet.objects.get(tournament=self.home)
        assert sheet.due_position <= sheet.settled_position
        if tournament_state(self.tournament).is_closed:
            pool = Posting.objects.filter(account__kind="prize_pool", account__club=self.club.id)
            assert sum(pool.values_list("amount_minor", flat=True)) == 0

    @invariant()
    def the_trial_balance_is_nought(self) -> None:
        assert sum(line.balance_minor for line in trial_balance(self.club.id)) == 0

    @invariant()
    def the_books_say_what_the_log_says(self) -> None:
        assert compare_books(self.club.id).faults == ()

    def teardown(self) -> None:
        """Every night ends, so that every pool is checked to be empty."""
        self.close()
        self.settle()
        assert compare_books(self.club.id).faults == ()
        assert ledger_problems(self.club.id) == []

    def tell(self, event: wire.Event) -> None:
        self.tried(lambda: record_in_tournament(self.home, event, context=context()))

    def tried(self, deed: Callable[[], object]) -> None:
        with suppress(EventNotAllowed):
            deed()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("examples", "steps"), [(4, 12), pytest.param(tries(200), 40, marks=pytest.mark.slow(long=True))]
)
def test_any_order_of_payments_and_ends_leaves_books_that_agree_and_empty_pools(examples: int, steps: int):
    run_machine(Night, examples=examples, steps=steps)
    assert connection.is_usable()
