"""What a player of an evening owes the desk: the entry, and a fee for each re-entry.

Rules: docs/evening.md, "Entries and the desk". Whoever withdrew owes nothing; a substitute plays on an entry that is
somebody else's to pay. Knows nothing of pots, accounts or currencies.
"""

from scoring.evening.state import Entrant, Evening, Standing


def owed_minor(evening: Evening, entrant: Entrant, entry_minor: int) -> int:
    """Everything that this player is to pay, paid or not."""
    stages = evening.plan.stages if evening.plan else ()
    again = sum(stages[stage - 1].reentry_minor for stage in entrant.reentries if stage <= len(stages))
    is_free = entrant.standing is Standing.WITHDRAWN or entrant.plays_for is not None
    return again + (0 if is_free else entry_minor)


def due_minor(evening: Evening, entrant: Entrant, entry_minor: int) -> int:
    """What is still to be paid. Whoever has paid more is owed nothing here: that is a refund of its own."""
    return max(0, owed_minor(evening, entrant, entry_minor) - entrant.paid_minor)
