"""The money of a tournament step by step: till, entry fees, prizes, paying out, cashing up, and the report.

Rules: docs/how-to/evening.md, "The dashboard". A tournament without money has only the last of these steps. Knows
nothing of where money is: the number of tills is passed in.
"""

from collections.abc import Iterator

from scoring.messages import Words, say, say_many
from scoring.tournament.state import TournamentState
from scoring.tournament.steps import Room, RoomMoney, Step, Target, not_settled, players_message


def entry_steps(state: TournamentState, money: RoomMoney) -> Iterator[Step]:
    """Before the first seat: open a till, and collect what is not paid yet. Check-in needs both as well."""
    without = money.is_without_till and not money.tills
    yield Step(
        name="till",
        title=say("Open the till"),
        target=Target.TILL,
        button=say("Open my till"),
        is_done=money.tills > 0 or without or money.is_cashed_up or state.is_closed,
        progress=say("no till: money stays at check-in") if without else _tills_text(state, money),
        is_offered=True,
    )
    if money.entries:
        yield Step(
            name="fees",
            title=say("Take entry fees"),
            target=Target.TAKE_ENTRIES,
            button=say_many("Take {count} entry fee", "Take {count} entry fees", count=money.unpaid),
            # An entry that is unpaid when the tournament is closed is a debt on the player's balance.
            is_done=not money.unpaid or state.is_closed,
            progress=say("{number} of {of} paid", number=money.entries - money.unpaid, of=money.entries),
            is_offered=state.is_started,
        )


def settling_steps(state: TournamentState, room: Room) -> Iterator[Step]:
    """After the end: post prizes to the books, pay money out of the tills, and hand over what goes to the owner."""
    waiting = sum(not table.is_settled for table in room.tables if table.is_over)
    waits_for: Words = "" if state.is_closed else say("close the tournament first")
    is_settled = state.is_closed and not waiting and not room.prizes_open
    yield Step(
        name="settle",
        title=say("Settle prizes"),
        target=Target.MONEY,
        button=say("Settle prizes"),
        is_done=is_settled,
        progress=not_settled(waiting) if state.is_closed and waiting else "",
        waits_for=waits_for,
    )
    if room.money is not None:
        yield from cash_steps(room.money, "" if is_settled else waits_for or say("settle the prizes first"))
    yield Step(
        name="report",
        title=say("Report"),
        target=Target.REPORT,
        button=say("Print report"),
        progress=say("winners, tables, corrections, money"),
        waits_for=waits_for,
        is_offered=True,
    )


def cash_steps(money: RoomMoney, waits_for: Words) -> Iterator[Step]:
    """Pay out money that players have to collect, then close the tills. The rest stays in the players' balances."""
    yield Step(
        name="pay_out",
        title=say("Pay out"),
        target=Target.PAY_OUT,
        button=say_many("Pay out {count} player", "Pay out {count} players", count=money.to_collect),
        is_done=not waits_for and (not money.to_collect or money.is_cashed_up),
        progress=say("{who} with money to collect", who=players_message(money.to_collect)) if not waits_for else "",
        waits_for=waits_for,
        is_offered=not money.tills and not money.came_into_tills,
    )
    if not (money.has_book or money.is_cashed_up):
        return
    uncounted_tills = money.tills - money.counted
    yield Step(
        name="count_tills",
        title=say("Count the tills"),
        target=Target.CASH_UP,
        button=say_many("Count {count} till", "Count {count} tills", count=uncounted_tills),
        is_done=not waits_for and not uncounted_tills,
        progress=say("{number} of {of} counted", number=money.counted, of=money.tills) if money.tills else "",
        waits_for=waits_for,
    )
    yield Step(
        name="close_tills",
        title=say("Close the tills and the cash book"),
        target=Target.CASH_UP,
        button=say("Close cash book") if money.tills == money.closed else say("Close the tills"),
        is_done=money.is_cashed_up and not money.has_book,
        progress=say("{number} of {of} closed", number=money.closed, of=money.tills) if money.tills else "",
        waits_for=waits_for or (say("count the tills first") if uncounted_tills else ""),
    )


def _tills_text(state: TournamentState, money: RoomMoney) -> Words:
    """How many tills are open; nothing once it does not matter any more."""
    if money.tills:
        return say_many("{count} till opened", "{count} tills opened", count=money.tills)
    return "" if state.is_closed or money.is_cashed_up else say("no till open")
