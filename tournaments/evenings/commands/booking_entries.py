"""What a fact of an evening means for its entries in the books, in the transaction of the fact.

Rules: docs/decisions/0017-entries-in-the-books.md. A fact about one player books that player's entry at once; one that
touches everybody (a plan, an end, another fee) leaves it to a worker, in one go. Whoever calls holds the club's turn.
"""

from collections.abc import Sequence

from scoring import ledger
from scoring.evening import Evening
from scoring.evening.state.charges import any_money_in, is_booked
from scoring.facts import wire
from scoring.facts.wire import Fact
from tournaments import log
from tournaments.evenings.prize_money import changed_entries
from tournaments.models import Tournament

ENDS = (wire.TournamentClosed, wire.TournamentCancelled, wire.TournamentReopened)
TERMS = (wire.PlanMade, wire.TournamentChanged)


def touches_everybody(before: Evening, after: Evening, facts: Sequence[Fact]) -> bool:
    """Whether the money of the whole evening is to be looked at: it ended, goes on, or costs something else now."""
    if not (is_booked(before) or is_booked(after)):
        return False
    if any(isinstance(fact, ENDS) for fact in facts) or (after.is_closed and not after.is_cancelled):
        return True
    return any_money_in(after) and any(isinstance(fact, TERMS) for fact in facts)


def book_entries(tournament: Tournament, before: Evening, after: Evening, stored: log.StoredEvent) -> None:
    """Bring the entries of players whom facts have touched to what they are now: few statements, however many.

    Versions are positions in the club's log, as those of the prizes are: entries follow from tables too, once the
    evening is over.
    """
    changed = changed_entries(tournament, before, after)
    if not changed:
        return
    wanted = [
        ledger.Obligation(cause=cause, version=stored.position, entries=entries) for cause, entries in changed.items()
    ]
    ledger.settle_many(tournament.club_id, wanted, now=stored.recorded_at)
