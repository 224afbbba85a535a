"""Where entry money goes that somebody takes at the desk, and where it comes from when it is given back.

Rules: docs/how-to/evening.md, "Entries in the books"; docs/how-to/books.md, "Entries and tills". A fact that names its
place keeps it. Asked under the club's turn.
"""

from collections.abc import Iterable, Sequence

import msgspec

from scoring import ledger
from scoring.cash.entries import account_at
from scoring.evening import Evening
from scoring.evening.prizes.entry_plan import ACCOUNT
from scoring.evening.state.fees import is_booked
from scoring.facts.wire import EntryPaid, EntryRefunded, Fact
from scoring.messages import say
from scoring.money import format_minor
from scoring.problems import FactRejected, Problem
from tournaments.cash.commands import till_of
from tournaments.log.context import Order
from tournaments.models import CashBook, Tournament


def placed(tournament: Tournament, evening: Evening, facts: Iterable[Fact], *, order: Order) -> list[Fact]:
    """Facts about entry money with the place where none was named: the till of whoever takes it, or gives it back.

    The till is opened if it is not; where no cash book is open it is the desk, which is nobody's. Raises FactRejected
    where that till was closed tonight, or the money to be given back is not there.
    """
    told = list(facts)
    bare = [fact for fact in told if isinstance(fact, EntryPaid | EntryRefunded) and not fact.place]
    if not bare or not is_booked(evening):
        return told
    books = CashBook.objects.filter(club_id=tournament.club_id, currency=tournament.currency)
    place = (
        till_of(tournament.club_id, tournament.currency, order=order) if books.filter(is_closed=False).exists() else ""
    )
    if books.exists():
        _refuse_what_is_not_there(tournament, place, bare)
    return [msgspec.structs.replace(fact, place=place) if fact in bare else fact for fact in told]


def _refuse_what_is_not_there(tournament: Tournament, place: str, facts: Sequence[EntryPaid | EntryRefunded]) -> None:
    """A till gives back no more than it holds, and does not say how much: it is counted blind.

    Nor does the desk, where a book that is closed has the money.
    """
    given = sum(fact.amount_minor for fact in facts if isinstance(fact, EntryRefunded))
    account = account_at(place or "desk")
    held = -ledger.balances(tournament.club_id, tournament.currency, [account])[account] if given else 0
    if given > held:
        said, asked = format_minor(held, tournament.currency), format_minor(given, tournament.currency)
        detail = (
            say("{asked} are not in your till: add change, or refund from another till", asked=asked)
            if place
            else say(
                "the desk holds {sum}: {asked} cannot be refunded from it; open a till at the cash desk first",
                sum=said,
                asked=asked,
            )
        )
        raise FactRejected([Problem(code="not_enough", field="amount_minor", detail=detail)])


def refunds(evening: Evening, player: str, reason: str) -> list[Fact]:
    """Everything that a player has paid, given back: to the balance what came from there, the rest in money."""
    entrant = evening.entrants[player]
    from_balance = max(0, min(entrant.paid_minor, entrant.paid_elsewhere.get(ACCOUNT, 0)))
    amounts = {ACCOUNT: from_balance, "": entrant.paid_minor - from_balance}
    return [
        EntryRefunded(player=player, amount_minor=amount, reason=reason, place=place)
        for place, amount in amounts.items()
        if amount
    ]
