"""Where entry money goes that somebody takes at the desk, and where it comes from when it is given back.

Rules: docs/evening.md, "Entries in the books". A fact that names its place keeps it.
"""

from collections.abc import Iterable, Iterator

import msgspec

from scoring.evening import Evening
from scoring.rules.events import EntryPaid, EntryRefunded, Fact
from scoring.settlement.entry_money import ACCOUNT
from tournaments.models import Tournament


def place_for(actor: str, tournament: Tournament) -> str:
    """Where whoever takes money puts it: the desk, which is nobody's till."""
    return ""


def placed(facts: Iterable[Fact], place: str) -> Iterator[Fact]:
    """Facts about entry money with the place where none was named."""
    for fact in facts:
        is_money = isinstance(fact, EntryPaid | EntryRefunded)
        yield msgspec.structs.replace(fact, place=place) if is_money and not fact.place and place else fact


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
