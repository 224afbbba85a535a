"""Lines, tills and balances of a cash book in the words of the desk's pages.

Rules: docs/how-to/books.md, "The cash desk". Names stay apart from the sentences, so that a page can set each in its
own direction. Knows nothing of requests beyond how a club writes amounts.
"""

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop

from scoring.facts import cash as facts
from scoring.facts.stored import Unreadable
from scoring.facts.table import Fact, FactLeftOut
from scoring.messages import words
from tournaments.cash.queries import CashDesk, CashLine, PlayerMoney, TillTonight
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.cash.request import CashVisit

SAID = {
    "cash_book_opened": gettext_noop("Cash book opened"),
    "money_received": gettext_noop("Taken from"),
    "money_paid_out": gettext_noop("Paid out to"),
    "money_transferred": gettext_noop("Paid by"),
    "debt_written_off": gettext_noop("Written off for"),
    "credit_granted": gettext_noop("Credit for"),
    "cash_book_closed": gettext_noop("Cash book closed"),
}
RECEIPTS = (facts.MoneyReceived, facts.MoneyPaidOut)


def line_rows(visit: CashVisit, desk: CashDesk, lines: Sequence[CashLine]) -> list[dict[str, object]]:
    """Lines for a page, each with its two players apart."""
    return [line_row(visit, desk, line) for line in lines]


def line_row(visit: CashVisit, desk: CashDesk, line: CashLine) -> dict[str, object]:
    """One line: what was done, to whom, how much, by whom."""
    player, other = getattr(line.fact, "player", ""), _other(line.fact)
    return {
        "line": line,
        "said": _of_people(line.fact) or _said(desk, line.fact),
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


def till_row(visit: CashVisit, till: TillTonight) -> dict[str, object]:
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
        return words("closed")
    return words("open") if till.till.counted_minor is None else words("counted")


def player_row(visit: CashVisit, held: PlayerMoney) -> dict[str, object]:
    """What a player has, in the club's way of writing it."""
    return {
        "held": held,
        "balance": visit.money(held.balance_minor),
        "owes": visit.money(-held.balance_minor) if held.balance_minor < 0 else "",
        "credit": visit.money(held.credit_minor) if held.credit_minor else "",
        "staked": visit.money(held.staked_minor) if held.staked_minor else "",
        "room": visit.money(held.room_minor),
    }


def _may_undo(visit: CashVisit, fact: Fact) -> bool:
    """Whether it is worth offering; the command has the last word."""
    places = {getattr(fact, name, "") for name in ("place", "source", "target")} - {""}
    is_own = not places or f"till:{visit.actor.name}" in places
    return visit.directs or (is_own and not isinstance(fact, facts.DebtWrittenOff))


def _of_people(fact: Fact) -> str:
    """What stands before a player's name; nothing for what is said of tills."""
    return gettext(SAID[fact.kind]) if fact.kind in SAID else ""


def _other(fact: Fact) -> str:
    match fact:
        case facts.MoneyReceived():
            return fact.payer or ""
        case facts.MoneyTransferred():
            return fact.to
        case _:
            return ""


def _joined(fact: Fact) -> str:
    return gettext("for") if isinstance(fact, facts.MoneyTransferred) else gettext("paid by")


def _said(desk: CashDesk, fact: Fact) -> str:
    """Sentences about tills and lines, which name no player."""
    match fact:
        case facts.TillOpened():
            with_change = gettext("{till} was opened, change from {source}")
            said = with_change if fact.float_minor else gettext("{till} was opened")
            return said.format(till=_till(desk, fact.till), source=_place(desk, fact.source))
        case facts.TillCounted():
            return gettext("{till} was counted").format(till=_till(desk, fact.till))
        case facts.TillDifferenceBooked():
            return gettext("{till}: difference").format(till=_till(desk, fact.till))
        case facts.TillClosed():
            return gettext("{till} was closed, the money went to {target}").format(
                till=_till(desk, fact.till), target=_place(desk, fact.target)
            )
        case facts.MoneyMoved():
            return gettext("Moved from {source} to {target}").format(
                source=_place(desk, fact.source), target=_place(desk, fact.target)
            )
        case facts.CashDeedUndone():
            return gettext("Entry {version} undone").format(version=fact.version)
        case Unreadable():
            return gettext("A line that cannot be read")
        case FactLeftOut():
            return gettext("Entry {version} was left out").format(version=fact.version)
        case _:
            return fact.kind.replace("_", " ")


def _till(desk: CashDesk, name: str) -> str:
    said = _place(desk, f"till:{name}")
    return said if said.startswith(desk.people.get(name, name)) else said[0].upper() + said[1:]


def _where(desk: CashDesk, fact: Fact) -> str:
    match fact:
        case facts.MoneyReceived():
            return gettext("into {place}").format(place=_place(desk, fact.place))
        case facts.MoneyPaidOut():
            return gettext("out of {place}").format(place=_place(desk, fact.place))
        case _:
            return ""


def _place(desk: CashDesk, place: str) -> str:
    return translate(desk.place(place))
