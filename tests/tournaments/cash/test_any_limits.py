"""Random histories of a club that keeps limits: no player can spend what is at stake, and none ends in debt."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from scoring.events import cash as events
from scoring.problems import RuleError
from scoring.rules.table.table import Table
from scoring.sheets.snapshots import load_table
from tests.builders.cash_limits import brings, pays_out, sit, with_money
from tests.builders.playing import CAST, NOW, context, loses, new_club, new_tournament, show
from tests.builders.samples import tries
from tests.builders.state_machines import run_machine
from tournaments.books import player_balances as means
from tournaments.books.commands import settle_table
from tournaments.cash.commands import open_book, write_in_book
from tournaments.integrity.audit import compare_books
from tournaments.models import Scoresheet
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db
people = st.integers(0, 3)
tables = st.integers(0, 7)
POOL: dict[str, Any] = {"entry_minor": 10_000, "fee_bp": 1_000, "options": {"rejoin_when_one_left": True}}


class Club(RuleBasedStateMachine):
    """Pools whose players rejoin, split, leave; tables are abandoned and restored. A refusal changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.club = new_club(keeps_limits=True)
        self.players = with_money(self.club, 40_000, CAST)

    @initialize()
    def play(self) -> None:
        self.sit_down(4, 0)

    @rule(seats=st.integers(2, 4), first=people)
    def sit_down(self, seats: int, first: int) -> None:
        order_of_seats = [*self.players[first:], *self.players[:first]]
        self.tried(lambda: sit(new_tournament(self.club, **POOL), order_of_seats[:seats]))

    @rule(table=tables, winner=people, count=st.sampled_from([10, 40, 80]))
    def deal(self, table: int, winner: int, count: int) -> None:
        def said(at: Table) -> dict[str, object]:
            shows = at.in_play[winner % len(at.in_play)] if at.in_play else ""
            hands = {seat: show if seat == shows else loses(count) for seat in at.in_play}
            return {"kind": "deal_recorded", "deal": at.next_deal, "outcomes": hands}

        self.tell(table, said)

    @rule(table=tables, seat=st.sampled_from("1234"))
    def rejoin(self, table: int, seat: str) -> None:
        self.tell(table, lambda at: {"kind": "rejoined", "seat": seat})

    @rule(table=tables, kind=st.sampled_from(["split_agreed", "table_closed"]))
    def end(self, table: int, kind: str) -> None:
        self.tell(table, lambda at: {"kind": kind})

    @rule(table=tables)
    def give_up(self, table: int) -> None:
        self.tell(table, lambda at: {"kind": "table_cancelled", "reason": "no light"})

    @rule(table=tables)
    def go_on(self, table: int) -> None:
        """Planted fault: an abandoned table is restored although its money was paid out."""
        back = {"kind": "fact_withdrawn", "reason": "light"}
        self.tell(table, lambda at: {**back, "version": at.version}, is_cancelled=True)

    @rule(player=people)
    def take_home(self, player: int) -> None:
        free = self.means()[player].room_minor
        with pytest.raises(RuleError):
            pays_out(self.players[player], free + 1)
        if free:
            pays_out(self.players[player], free)

    @rule(player=people, to=people)
    def give_away(self, player: int, to: int) -> None:
        book, amount = open_book(self.club.pk, "INR", context=context()), max(1, self.means()[player].room_minor)
        from_, to_ = str(self.players[player].pk), str(self.players[to].pk)
        event = events.MoneyTransferred(player=from_, to=to_, amount_minor=amount, reason="a friend")
        self.tried(lambda: write_in_book(book, event, context=context()))

    @rule(player=people)
    def bring(self, player: int) -> None:
        brings(self.players[player], 15_000)

    @rule()
    def settle(self) -> None:
        for table in Scoresheet.objects.filter(club_id=self.club.pk).values_list("table_id", flat=True):
            before = self.means()
            settle_table(table, now=NOW)
            assert all(now.room_minor >= was.room_minor for was, now in zip(before, self.means(), strict=True))

    @invariant()
    def nobody_has_less_than_is_at_stake(self) -> None:
        assert [has for has in self.means() if has.balance_minor < 0 or has.room_minor < 0] == []

    def teardown(self) -> None:
        self.settle()
        self.nobody_has_less_than_is_at_stake()
        assert compare_books(self.club.pk).faults == ()

    def means(self) -> list[means.PlayerBalance]:
        ids = [str(player.pk) for player in self.players]
        found = means.means_of(self.club.pk, "INR", ids)
        return [found[player] for player in ids]

    def tell(self, number: int, said: Callable[[Table], dict[str, object]], *, is_cancelled: bool = False) -> None:
        """Record an event of one of the tables that are open, or were abandoned."""
        rows = list(Scoresheet.objects.filter(club_id=self.club.pk, is_closed=False, is_cancelled=is_cancelled))
        if rows:
            sheet = rows[number % len(rows)]
            raw = said(load_table(sheet.state))
            self.tried(lambda: record_wire_event(UUID(str(sheet.pk)), raw, expected=sheet.version, context=context()))

    def tried(self, deed: Callable[[], object]) -> None:
        with suppress(RuleError):
            deed()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("examples", "steps"), [(4, 20), pytest.param(tries(200), 60, marks=pytest.mark.slow(long=True))]
)
def test_any_order_of_actions_leaves_nobody_with_less_than_is_at_stake(examples: int, steps: int) -> None:
    run_machine(Club, examples=examples, steps=steps)
    assert connection.is_usable()
