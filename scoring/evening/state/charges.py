"""What of a player's money is in the prize pool while the evening runs: what is owed, as far as it is paid.

Rules: docs/evening.md, "Entries in the books". At the end whoever has paid too little is short of it
(scoring.evening.state.fees). Knows nothing of accounts or currencies.
"""

from scoring.evening.state.fees import owed_minor
from scoring.evening.state.state import Entrant, Evening


def is_booked(evening: Evening) -> bool:
    """Whether what is paid at this evening's desk stands in the books: it has a plan, and is no rehearsal."""
    return evening.plan is not None and not evening.plan.is_rehearsal


def charge_so_far(evening: Evening, entrant: Entrant, entry_minor: int) -> int:
    """What of a player's money is in the pool as the evening stands; nothing once it was given up."""
    if not is_booked(evening) or evening.is_cancelled:
        return 0
    return min(owed_minor(evening, entrant, entry_minor), entrant.paid_minor)


def any_money_in(evening: Evening) -> bool:
    """Whether somebody's entry is paid, wherever that money lies."""
    return any(entrant.paid_minor or entrant.paid_elsewhere for entrant in evening.entrants.values())
