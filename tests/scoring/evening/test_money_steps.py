"""The money lines of the checklist: what each counts, what it waits for, when it is done, and when it is absent."""

from dataclasses import replace

import pytest

from scoring.evening import Evening, fold_evening
from scoring.evening.next_step import next_step
from scoring.evening.steps import Room, RoomMoney, Step, TableSummary
from scoring.facts import wire

PLAN = {"stages": [{"smallest_table": 2}]}
TABLE = TableSummary(key="t1", round=1, number=1, title="Table 1", is_finished=True, is_over=True, is_settled=True)
MONEY = RoomMoney(places=2, unpaid=2)
TILL = RoomMoney(places=2, has_book=True, tills=2)
MONEY_LINES = ["till", "fees", "pay_out", "count_tills", "close_tills"]


def after(*facts):
    here = [kind(player=player) for player in ("asha", "bo") for kind in (wire.PlayerEntered, wire.CheckedIn)]
    return fold_evening(Evening(), enumerate([wire.PlanMade(plan=PLAN), *here, *facts], 1))


def seated(*facts):
    return after(wire.RoundSeated(stage=1, round=1, tables=((1, ("asha", "bo")),), method="draw", seed="s"), *facts)


def closed():
    return seated(wire.TournamentClosed())


def lines(evening: Evening, money: RoomMoney | None, **room) -> dict[str, Step]:
    tables = (TABLE,) if evening.is_started else ()
    return {step.name: step for step in next_step(evening, Room(money=money, tables=tables, **room)).steps}


def suggested(evening: Evening, money: RoomMoney | None, **room) -> str:
    tables = (TABLE,) if evening.is_started else ()
    return next_step(evening, Room(money=money, tables=tables, **room)).suggested.name


def test_an_evening_without_money_has_no_money_lines():
    for evening in (after(), seated(), closed()):
        assert not set(MONEY_LINES) & set(lines(evening, None))


@pytest.mark.parametrize(
    ("money", "is_done", "said"),
    [
        (MONEY, False, "no till open"),
        (replace(MONEY, has_book=True, tills=1), True, "1 till opened"),
        (replace(MONEY, is_without_till=True), True, "no till: money stays at check-in"),
        (replace(MONEY, is_without_till=True, tills=2), True, "2 tills opened"),
    ],
)
def test_the_till_is_open_or_somebody_chose_to_do_without(money, is_done, said):
    step = lines(after(), money)["till"]
    assert (step.is_done, str(step.progress)) == (is_done, said)


def test_checking_in_asks_where_the_money_goes_so_that_the_till_is_never_the_next_step():
    assert suggested(after(), replace(MONEY, unpaid=0)) == "seat"


def test_entry_fees_are_counted_and_taken_before_the_first_seat():
    step = lines(after(), replace(MONEY, unpaid=1))["fees"]
    assert (str(step.progress), str(step.button)) == ("1 of 2 paid", "Take 1 entry fee")
    assert suggested(after(), replace(MONEY, unpaid=1)) == "fees"
    assert lines(after(), replace(MONEY, unpaid=0))["fees"].is_done


def test_a_fee_that_is_still_to_be_paid_never_holds_up_a_round_that_is_played():
    assert not lines(seated(), replace(MONEY, unpaid=1))["fees"].is_done
    assert suggested(seated(), replace(MONEY, unpaid=1)) == "close"


def test_where_nobody_pays_an_entry_there_is_no_line_for_it():
    assert "fees" not in lines(after(), RoomMoney())


def test_paying_out_and_counting_wait_for_the_end_and_for_the_prizes():
    before = lines(seated(), TILL)
    assert {str(before[name].waits_for) for name in MONEY_LINES[2:]} == {"close the tournament first"}
    unsettled = lines(closed(), TILL, prizes_open=True)
    assert {str(unsettled[name].waits_for) for name in MONEY_LINES[2:]} == {"settle the prizes first"}


def test_players_are_paid_out_then_the_tills_are_counted_then_closed():
    step = lines(closed(), replace(TILL, to_collect=3))["pay_out"]
    assert (str(step.button), str(step.progress)) == ("Pay out 3 players", "3 players with money to collect")
    assert suggested(closed(), replace(TILL, to_collect=3)) == "pay_out"
    assert suggested(closed(), TILL) == "count_tills"
    counted = lines(closed(), replace(TILL, counted=1))
    assert (str(counted["count_tills"].progress), str(counted["count_tills"].button)) == (
        "1 of 2 counted",
        "Count 1 till",
    )
    assert str(counted["close_tills"].waits_for) == "count the tills first"
    assert suggested(closed(), replace(TILL, counted=2)) == "close_tills"


def test_the_last_line_of_the_till_closes_the_book():
    step = lines(closed(), replace(TILL, counted=2, closed=1))["close_tills"]
    assert (str(step.progress), str(step.button)) == ("1 of 2 closed", "Close the tills")
    assert str(lines(closed(), replace(TILL, counted=2, closed=2))["close_tills"].button) == "Close cash book"


def test_what_is_not_collected_when_the_book_is_closed_stays_a_balance():
    """Planted fault: a balance that a player keeps in the club blocked the checklist for ever."""
    done = RoomMoney(places=2, to_collect=1, is_cashed_up=True)
    assert all(lines(closed(), done)[name].is_done for name in MONEY_LINES if name != "fees")
    assert suggested(closed(), done) == "over"


def test_where_no_till_was_opened_nobody_is_sent_to_count_one():
    found = lines(closed(), RoomMoney(places=2, to_collect=1, is_without_till=True))
    assert "count_tills" not in found
    assert suggested(closed(), RoomMoney(places=2, to_collect=1, is_without_till=True)) == "over"


def test_the_report_waits_for_the_end_and_is_never_the_next_step():
    assert str(lines(seated(), None)["report"].waits_for) == "close the tournament first"
    assert str(lines(closed(), None)["report"].button) == "Print report"
    assert suggested(closed(), None) == "over"


def test_an_abandoned_tournament_pays_back_what_lies_in_its_tills():
    evening = after(wire.TournamentCancelled(reason="the lights went out"))
    assert suggested(evening, TILL, prizes_open=True) == "settle"
    assert suggested(evening, replace(TILL, to_collect=2)) == "over"
    assert str(lines(evening, replace(TILL, to_collect=2))["pay_out"].button) == "Pay out 2 players"
