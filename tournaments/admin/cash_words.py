"""Lines, tills and balances of a cash book in the words of the desk's pages.

Rules: docs/books.md, "The cash desk". Names stay apart from the sentences, so that a page can set each in its own
direction. Knows nothing of requests beyond how a club writes amounts.
"""

from collections.abc import Sequence
from typing import Any

from scoring.rules import cash_facts as facts
from scoring.rules.facts import Fact
from tournaments.admin.cash_visits import CashVisit
from tournaments.queries.cash_desk import CashDesk, CashLine, PlayerMoney, TillTonight

SAID = {
    "cash_book_opened": "The night began",
    "money_received": "Taken from",
    "money_paid_out": "Paid out to",
    "money_transferred": "Paid by",
    "debt_written_off": "Written off for",
    "credit_granted": "Credit for",
    "cash_book_closed": "The night was closed",
}
RECEIPTS = (facts.MoneyReceived, facts.MoneyPaidOut)


def line_rows(visit: CashVisit, desk: CashDesk, lines: Sequence[CashLine]) -> list[dict[str, Any]]:
    """Lines for a page, each with its two players apart."""
    return [line_row(visit, desk, line) for line in lines]


def line_row(visit: CashVisit, desk: CashDesk, line: CashLine) -> dict[str, Any]:
    """One line: what was done, to whom, how much, by whom."""
    player, other = getattr(line.fact, "player", ""), _other(line.fact)
    return {
        "line": line,
        "said": SAID.get(line.fact.kind) or _said(desk, line.fact),
        "player": player,
        "name": desk.players.get(player, ""),
        "joined": _joined(line.fact) if other else "",
        "other": desk.players.get(other, ""),
        "where": _where(desk, line.fact),
        "amount": "" if line.amount_minor is None else visit.figure(line.amount_minor),
        "money": "" if line.amount_minor is None else visit.money(abs(line.amount_minor)),
        "has_receipt": isinstance(line.fact, RECEIPTS) and not line.is_undone,
        "may_undo": line.may_be_undone and _may_undo(visit, line.fact),
    }


def till_row(visit: CashVisit, till: TillTonight) -> dict[str, Any]:
    """One till. What it should hold is shown to whoever directs, and to everybody once it was counted."""
    counted, difference = till.till.counted_minor, till.difference_minor
    may_know = visit.directs or counted is not None
    return {
        "till": till,
        "state": _state(till),
        "is_mine": till.name == visit.actor.name,
        "float": visit.figure(till.till.float_minor),
        "counted": "" if counted is None else visit.figure(counted),
        "should": visit.figure(till.held_minor) if may_know and till.till.is_open else "",
        "should_money": visit.money(till.held_minor) if may_know and till.till.is_open else "",
        "difference": visit.figure(difference) if difference else "",
        "booked": visit.figure(till.till.difference_minor) if till.till.difference_minor else "",
    }


def _state(till: TillTonight) -> str:
    if not till.till.is_open:
        return "closed"
    return "open" if till.till.counted_minor is None else "counted"


def player_row(visit: CashVisit, held: PlayerMoney) -> dict[str, Any]:
    """What a player has, in the club's way of writing it."""
    return {
        "held": held,
        "balance": visit.money(held.balance_minor),
        "owes": visit.money(-held.balance_minor) if held.balance_minor < 0 else "",
        "credit": visit.money(held.credit_minor) if held.credit_minor else "",
        "room": visit.money(held.room_minor),
    }


def _may_undo(visit: CashVisit, fact: Fact) -> bool:
    """Whether it is worth offering; the command has the last word."""
    places = {getattr(fact, name, "") for name in ("place", "source", "target")} - {""}
    is_own = not places or f"till:{visit.actor.name}" in places
    return visit.directs or (is_own and not isinstance(fact, facts.DebtWrittenOff))


def _other(fact: Fact) -> str:
    match fact:
        case facts.MoneyReceived():
            return fact.payer or ""
        case facts.MoneyTransferred():
            return fact.to
        case _:
            return ""


def _joined(fact: Fact) -> str:
    return "for" if isinstance(fact, facts.MoneyTransferred) else "paid by"


def _said(desk: CashDesk, fact: Fact) -> str:
    """Sentences about tills and lines, which name no player."""
    match fact:
        case facts.TillOpened():
            given = f", change from {desk.place(fact.source)}" if fact.float_minor else ""
            return f"{_till(desk, fact.till)} was opened{given}"
        case facts.TillCounted():
            return f"{_till(desk, fact.till)} was counted"
        case facts.TillDifferenceBooked():
            return f"{_till(desk, fact.till)} differs"
        case facts.TillClosed():
            return f"{_till(desk, fact.till)} was closed, the money went to {desk.place(fact.target)}"
        case facts.MoneyMoved():
            return f"Moved from {desk.place(fact.source)} to {desk.place(fact.target)}"
        case facts.CashDeedUndone():
            return f"Line {fact.version} was taken back"
        case _:
            return fact.kind.replace("_", " ")


def _till(desk: CashDesk, name: str) -> str:
    said = desk.place(f"till:{name}")
    return said[0].upper() + said[1:]


def _where(desk: CashDesk, fact: Fact) -> str:
    match fact:
        case facts.MoneyReceived():
            return f"into {desk.place(fact.place)}"
        case facts.MoneyPaidOut():
            return f"out of {desk.place(fact.place)}"
        case _:
            return ""
