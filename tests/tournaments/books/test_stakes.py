"""Money at stake at tables cannot be spent a second time: in every game, and whatever happens to a table."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from django.db import connection, connections

from scoring import ledger
from scoring.cash import account_of_player
from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.cash_limits import brings, grants, pays_out, sit, with_money
from tests.builders.playing import CAST, NOW, Playing, loses, new_club, new_tournament, show, wrong_show
from tests.builders.there import there
from tournaments.books import player_balances
from tournaments.books.commands import cover_problems, settle_table
from tournaments.models import Club, Player, Table, Tournament
from tournaments.people.players import add_players
from tournaments.tables.commands import record

pytestmark = pytest.mark.django_db

BROUGHT = 50_000


class Watched(Playing):
    """A table of a club that keeps limits, at which every player has brought the same amount."""

    players: list[Player]

    def __init__(self, names: tuple[str, ...] = ("Asha", "Bo"), **terms: Any) -> None:
        club = new_club(keeps_limits=True)
        self.players = with_money(club, BROUGHT, names)
        super().__init__(row=sit(new_tournament(club, **terms), self.players))

    @property
    def staked(self) -> list[int]:
        owners = [str(player.pk) for player in self.players]
        found = player_balances.stakes_of(self.row.tournament.club_id, "INR", owners)
        return [found.get(owner, 0) for owner in owners]

    @property
    def held(self) -> list[int]:
        refs = [account_of_player(str(player.pk)) for player in self.players]
        balances = ledger.balances(self.row.tournament.club_id, "INR", refs)
        return [balances[ref] for ref in refs]

    @property
    def room(self) -> list[int]:
        return [held - staked for held, staked in zip(self.held, self.staked, strict=True)]

    def settle(self) -> None:
        """Settle as a worker: what was free stays free."""
        before = self.room
        settle_table(self.row.id, now=NOW)
        assert all(now >= was for was, now in zip(before, self.room, strict=True)), (before, self.room)

    def end(self) -> None:
        """The table is over and settled: nothing is at stake, and no player owes who took out only what was free."""
        self.close()
        self.settle()
        assert self.staked == [0] * len(self.players)
        assert min(self.held) >= 0


def all_that_is_free(table: Watched, seat: int) -> None:
    """A player takes out all that is free, to the unit."""
    free = table.room[seat - 1]
    with pytest.raises(EventNotAllowed):
        pays_out(table.players[seat - 1], free + 1)
    pays_out(table.players[seat - 1], free)


def test_a_booked_win_does_not_hide_a_loss_that_is_not() -> None:
    table = Watched(preset="points", point_value_minor=100)
    for number in (1, 2, 3):
        table.deal(number, show, loses(80))
    table.settle()
    for number in (4, 5, 6):
        table.deal(number, loses(80), show)
    assert table.staked == [8_000 + 24_000, 0]
    all_that_is_free(table, 1)
    table.end()


def test_a_booked_loss_is_not_at_stake_again_when_the_next_deal_waits() -> None:
    table = Watched(preset="points", point_value_minor=100)
    for number in range(1, 5):
        table.deal(number, show, loses(80))
    table.settle()
    table.deal(5, show, loses(2))
    assert table.staked[1] == 8_000 + 200


def test_a_win_of_a_table_that_is_given_up_cannot_be_taken_out() -> None:
    table = Watched(preset="points", point_value_minor=100)
    for number in range(1, 6):
        table.deal(number, show, loses(80))
    table.settle()
    table.record({"kind": "table_cancelled", "reason": "mixed up"})
    all_that_is_free(table, 1)
    table.settle()
    assert table.held == [0, BROUGHT]


def test_a_prize_whose_table_was_opened_again_cannot_be_taken_out() -> None:
    table = Watched(entry_minor=30_000)
    table.deal(1, show, loses(80))
    table.deal(2, show, loses(80))
    closing = table.close()
    table.settle()
    table.record({"kind": "fact_withdrawn", "version": closing.stored.version, "reason": "misread"})
    all_that_is_free(table, 1)
    table.settle()
    assert table.held[0] == table.staked[0] == 30_000


def test_a_rejoin_stays_at_stake_while_a_correction_contradicts_it() -> None:
    table = Watched(("Asha", "Bo", "Cy"), entry_minor=10_000)
    table.deal(1, show, loses(10), loses(80))
    table.deal(2, show, loses(10), loses(30))
    table.record({"kind": "rejoined", "seat": "3"})
    table.correct(2, show, loses(10), loses(3))
    assert table.sheet.has_conflict
    assert table.staked == [10_000, 10_000, 20_000]


def test_a_wrong_show_that_costs_more_than_a_full_count_is_asked_for() -> None:
    club = new_club(keeps_limits=True)
    home = new_tournament(club, preset="points", point_value_minor=100, options={"wrong_show": 160})
    players = with_money(club, 15_999, ("Asha", "Bo", "Cy"))
    with pytest.raises(OptionsRejected) as refused:
        sit(home, players)
    assert [problem.seat for problem in refused.value.problems] == ["1", "2", "3"]
    for player in players:
        brings(player, 1)
    table = Playing(row=sit(home, players))
    table.deal(1, wrong_show, show, loses(2))


def test_what_a_table_that_is_paid_at_its_end_would_cost_now_is_at_stake() -> None:
    table = Watched(
        preset="", variant="rummy500", point_value_minor=100, options={"settlement": "pay_difference", "target": 300}
    )
    went_out = {"out": "1", "melded": {"1": 100, "2": 0}, "in_hand": {"2": 20}}
    table.record({"kind": "deal_recorded", "deal": 1, **went_out})
    assert table.staked == [8_000, 8_000 + 12_000]
    all_that_is_free(table, 2)


def test_points_behind_at_gin_are_at_stake() -> None:
    table = Watched(preset="gin", point_value_minor=100)
    table.record({"kind": "deal_recorded", "deal": 1, "knocker": "1", "ending": "gin", "defender_deadwood": 49})
    assert table.staked[0] == 8_000
    assert table.staked[1] > 8_000 + 4_900


def test_chips_that_are_owed_are_at_stake_at_rummy_royal() -> None:
    table = Watched(preset="rummy_royal", point_value_minor=100, options={"cannot_pay": "owe", "start_chips": 20})
    assert table.staked == [2_000, 2_000]
    for number in (1, 2, 3):
        left = {"dealer": "1", "out": "1", "boxes": {}, "cards_left": {"2": 9}}
        table.record({"kind": "deal_recorded", "deal": number, **left})
    stack = there(table.row.standings.get(seat_number=2).chips)
    assert stack < 0
    assert table.staked[1] == 2_000 - 100 * stack
    all_that_is_free(table, 2)
    hearts = dict.fromkeys(("AH", "KH", "QH", "JH", "10H"), "1")
    table.record({"kind": "deal_recorded", "deal": 4, "last_hearts": hearts})
    table.end()


def test_credit_that_is_at_stake_is_not_taken_back() -> None:
    club = new_club(keeps_limits=True)
    home = new_tournament(club, entry_minor=30_000)
    players = add_players(club, ["Asha", "Bo"])
    for player in players:
        grants(player, 40_000)
    sit(home, players)
    with pytest.raises(EventNotAllowed) as refused:
        grants(players[0], 29_999)
    assert "300.00 INR held for open tables" in refused.value.problems[0].text()
    grants(players[0], 30_000)


def test_stakes_take_three_queries_however_many_tables(django_assert_num_queries: Any) -> None:
    club = new_club(keeps_limits=True)
    players = with_money(club, BROUGHT, CAST)
    for number in range(5):
        sit(new_tournament(club, entry_minor=100, name=f"Night {number}"), players)
    with django_assert_num_queries(3):
        found = player_balances.stakes_of(club.pk, "INR", [str(player.pk) for player in players])
    assert set(found.values()) == {500}


class Race:
    """A club that keeps limits, and another user who acts at the same time over a connection of their own."""

    def __init__(self, names: tuple[str, ...], brought: int) -> None:
        self.club: Club = new_club(keeps_limits=True)
        self.home: Tournament = new_tournament(self.club, entry_minor=30_000)
        self.players = with_money(self.club, brought, names)
        self.row: Table = sit(self.home, self.players)
        self.table = Playing(row=self.row)
        self.meanwhile: list[Thread] = []

    def start(self, deed: Callable[[], object]) -> None:
        """Start the concurrent action, which has a second to finish."""

        def run() -> None:
            try:
                deed()
            except EventNotAllowed:
                pass
            finally:
                connections.close_all()

        self.meanwhile.append(Thread(target=run))
        self.meanwhile[-1].start()
        self.meanwhile[-1].join(1)

    def held(self, seat: int) -> int:
        for thread in self.meanwhile:
            thread.join(30)
        ref = account_of_player(str(self.players[seat - 1].pk))
        return ledger.balances(self.club.pk, "INR", [ref])[ref]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_worker_between_two_looks_frees_nothing_that_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: the balance read before the worker, what is at stake after it."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one write at a time")
    race = Race(("Asha", "Bo"), 30_000)
    race.table.deal(1, show, loses(80))
    race.table.deal(2, show, loses(80))
    race.table.close()
    balances = ledger.balances

    def late(*wanted: Any) -> Any:
        monkeypatch.setattr(ledger, "balances", balances)
        found = balances(*wanted)
        race.start(lambda: settle_table(race.row.id, now=NOW))
        return found

    monkeypatch.setattr(ledger, "balances", late)
    with pytest.raises(EventNotAllowed):
        pays_out(race.players[1], 30_000)
    assert race.held(2) == 0


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_money_that_is_paid_out_at_the_same_moment_buys_nobody_back_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted fault: a rejoin checked its money before it held the lock."""
    if connection.vendor == "sqlite":
        pytest.skip("SQLite lets one write at a time")
    race = Race(CAST, 60_000)
    race.table.deal(1, show, loses(2), loses(2), loses(80))
    race.table.deal(2, show, loses(2), loses(2), loses(30))
    asked = cover_problems

    def slow(*about: Any) -> Any:
        found = asked(*about)
        race.start(lambda: pays_out(race.players[3], 30_000))
        return found

    monkeypatch.setattr(record, "cover_problems", slow)
    race.table.record({"kind": "rejoined", "seat": "4"})
    assert race.held(4) == 60_000
