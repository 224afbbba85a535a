"""A club that keeps limits seats no player without the money for it; one that keeps none seats any player."""

from typing import Any

import pytest

from scoring.events import wire
from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.cash_limits import brings, pays_out, sit, with_money
from tests.builders.playing import (
    CAST,
    NOW,
    Playing,
    context,
    loses,
    new_club,
    new_table,
    new_tournament,
    show,
)
from tests.builders.untranslated import left_in_english
from tournaments.books.commands import settle_table
from tournaments.models import Club, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament
from tournaments.seating.commands.seat import seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def strict(db: None) -> Club:
    return new_club(keeps_limits=True)


def planned(home: Tournament, *players: str, **stage: Any) -> None:
    """A plan of one stage, and entries of these players."""
    plan = wire.PlanMade(plan={"stages": [{"smallest_table": 2, **stage}]})
    entered = [wire.PlayerEntered(player=player) for player in players]
    record_all_in_tournament(home.id, [plan, *entered], context=context())


def table_of(*players: str) -> wire.RoundSeated:
    return wire.RoundSeated(stage=1, round=1, tables=((1, players),), method="draw", seed="s")


@pytest.mark.parametrize(
    ("terms", "needed"),
    [({"entry_minor": 30_000}, 30_000), ({"preset": "points", "point_value_minor": 200}, 16_000)],
)
def test_a_seat_needs_the_entry_fee_or_at_points_rummy_a_full_count(
    strict: Club, terms: dict[str, Any], needed: int
) -> None:
    home = new_tournament(strict, **terms)
    asha, bo = add_players(strict, ["Asha", "Bo"])
    brings(asha, needed)
    brings(bo, needed - 1)
    with pytest.raises(OptionsRejected) as refused:
        sit(home, [asha, bo])
    [problem] = refused.value.problems
    assert (problem.code, problem.seat) == ("balance_too_low", "2")
    assert problem.text().startswith(f"seat 2: Bo: {needed // 100}.00 INR needed, {needed // 100 - 1}.99 INR available")
    brings(bo, 1)
    sit(home, [asha, bo])


def test_a_seat_of_a_stage_that_costs_more_asks_for_what_its_own_tables_cost(strict: Club) -> None:
    """Planted fault: every seat costs what the tournament says, whatever its stage says."""
    home = new_tournament(strict, preset="points", point_value_minor=100)
    asha, bo = add_players(strict, ["Asha", "Bo"])
    brings(asha, 16_000)
    brings(bo, 15_999)
    ids = (str(asha.id), str(bo.id))
    planned(home, *ids, options={"cap": 80, "wrong_show": 160})
    with pytest.raises(OptionsRejected, match=r"Bo: 160\.00 INR needed, 159\.99 INR available") as refused:
        seat_round(home.id, table_of(*ids), context=context())
    assert [problem.code for problem in refused.value.problems] == ["balance_too_low"]


def test_nobody_is_seated_on_an_entry_that_is_not_paid(strict: Club) -> None:
    """Planted fault: Cy plays in the place of Bo, who never paid."""
    home = new_tournament(strict, entry_minor=30_000)
    asha, bo, cy = (str(player.id) for player in add_players(strict, ["Asha", "Bo", "Cy"]))
    planned(home, asha, bo)
    ill = wire.PlayerSubstituted(player=bo, by=cy, reason="ill")
    paid = wire.EntryPaid(player=asha, amount_minor=29_999, place="bank")
    record_all_in_tournament(home.id, [paid, ill, wire.CheckedIn(player=asha)], context=context())
    seating = table_of(asha, cy)
    with pytest.raises(EventNotAllowed) as refused:
        seat_round(home.id, seating, context=context())
    said = [problem.text() for problem in refused.value.problems]
    assert said == [
        "Asha must pay 0.01 INR of the entry fee at the desk first",
        "Cy must pay 300.00 INR of the entry fee at the desk first",
    ]
    assert left_in_english(problem.message for problem in refused.value.problems) == set()
    rest = [wire.EntryPaid(player=asha, amount_minor=1, place="bank")]
    rest += [wire.EntryPaid(player=bo, amount_minor=30_000, place="bank")]
    record_all_in_tournament(home.id, rest, context=context())
    assert len(seat_round(home.id, seating, context=context()).tables) == 1


def test_a_club_without_limits_seats_whoever_pays_later_and_holds_nothing_back(db: None) -> None:
    home = new_tournament(new_club(), entry_minor=30_000)
    asha, bo = with_money(home.club, 30_000)
    ids = (str(asha.id), str(bo.id))
    planned(home, *ids)
    assert len(seat_round(home.id, table_of(*ids), context=context()).tables) == 1
    pays_out(asha, 30_000)


@pytest.mark.slow
def test_who_buys_back_in_needs_the_money_for_it_beside_the_entry(strict: Club) -> None:
    """Planted fault: the entry, which is booked at the end only, spent again for the rejoin."""
    home = new_tournament(strict, entry_minor=30_000)
    players = with_money(strict, 30_000, CAST)
    table = Playing(row=sit(home, players))
    table.deal(1, show, loses(2), loses(2), loses(80))
    table.deal(2, show, loses(2), loses(2), loses(30))
    brings(players[3], 29_999)
    with pytest.raises(EventNotAllowed) as refused:
        table.record({"kind": "rejoined", "seat": "4"})
    assert [problem.code for problem in refused.value.problems] == ["balance_too_low"]
    assert (
        "300.00 INR needed, 299.99 INR available, 300.00 INR held for open tables" in refused.value.problems[0].text()
    )
    brings(players[3], 1)
    table.record({"kind": "rejoined", "seat": "4"})


def test_who_comes_back_to_a_table_that_was_decided_needs_one_entry_more(strict: Club) -> None:
    """Planted fault: the entry that is lost already checked once more."""
    home = new_tournament(strict, entry_minor=30_000, options={"rejoin_when_one_left": True})
    players = with_money(strict, 60_000)
    table = Playing(row=sit(home, players))
    table.deal(1, show, loses(80))
    table.deal(2, show, loses(30))
    pays_out(players[1], 1)
    with pytest.raises(
        EventNotAllowed, match=r"300\.00 INR needed, 299\.99 INR available, 300\.00 INR held for open tables"
    ):
        table.record({"kind": "rejoined", "seat": "2"})
    brings(players[1], 1)
    table.record({"kind": "rejoined", "seat": "2"})


def test_a_table_that_was_given_up_goes_on_only_with_the_money_for_it(strict: Club) -> None:
    """Planted fault: abandoning a table, paying out, and undoing that."""
    players = with_money(strict, 30_000)
    table = Playing(row=sit(new_tournament(strict, entry_minor=30_000), players))
    given_up = table.record({"kind": "table_cancelled", "reason": "the lights went out"}).stored.version
    pays_out(players[1], 1)
    back = {"kind": "fact_withdrawn", "version": given_up, "reason": "they are on again"}
    with pytest.raises(EventNotAllowed) as refused:
        table.record(back)
    assert [(problem.code, problem.seat) for problem in refused.value.problems] == [("balance_too_low", "2")]
    brings(players[1], 1)
    table.record(back)
    assert not table.sheet.is_cancelled


def test_what_was_lost_at_a_table_that_was_given_up_is_asked_for_with_what_may_be_lost(strict: Club) -> None:
    players = with_money(strict, 20_000)
    table = Playing(row=sit(new_tournament(strict, preset="points", point_value_minor=100), players))
    table.deal(1, show, loses(30))
    given_up = table.record({"kind": "table_cancelled", "reason": "the lights went out"}).stored.version
    pays_out(players[1], 9_001)
    back = {"kind": "fact_withdrawn", "version": given_up, "reason": "they are on again"}
    with pytest.raises(EventNotAllowed, match=r"110\.00 INR needed, 109\.99 INR available"):
        table.record(back)


def test_what_is_at_stake_pays_for_no_second_table_and_cannot_be_paid_out(strict: Club) -> None:
    players = with_money(strict, 50_000)
    sit(new_tournament(strict, entry_minor=30_000, name="Early"), players)
    with pytest.raises(OptionsRejected) as refused:
        sit(new_tournament(strict, entry_minor=30_000, name="Late"), players)
    assert [problem.seat for problem in refused.value.problems] == ["1", "2"]
    with pytest.raises(EventNotAllowed) as too_much:
        pays_out(players[0], 20_001)
    assert "300.00 INR of it held for open tables" in too_much.value.problems[0].text()
    sit(new_tournament(strict, entry_minor=20_000, name="Late"), players)


def test_what_was_lost_at_a_table_that_is_not_settled_cannot_be_spent_again(strict: Club) -> None:
    """A session of points rummy is booked when its table closes; until then its losses are owed all the same."""
    home = new_tournament(strict, preset="points", point_value_minor=100, options={"settle": "per_session"})
    asha, bo = with_money(strict, 16_000)
    table = Playing(row=sit(home, [asha, bo]))
    table.deal(1, show, loses(30))
    pays_out(asha, 8_000)
    with pytest.raises(EventNotAllowed):
        pays_out(bo, 5_001)
    pays_out(bo, 5_000)


def test_a_deal_that_is_booked_at_once_leaves_a_full_count_at_stake(strict: Club) -> None:
    home = new_tournament(strict, preset="points", point_value_minor=100)
    asha, bo = with_money(strict, 16_000)
    table = Playing(row=sit(home, [asha, bo]))
    table.deal(1, show, loses(30))
    settle_table(table.row.id, now=NOW)
    with pytest.raises(EventNotAllowed):
        pays_out(bo, 5_001)
    pays_out(bo, 5_000)
    table.close()
    settle_table(table.row.id, now=NOW)
    pays_out(bo, 8_000)


def test_a_table_for_nothing_asks_for_nothing(strict: Club) -> None:
    table = new_table(new_tournament(strict))
    table.deal(1, show, loses(60), loses(70), loses(80))
    assert table.sheet.version == 2
