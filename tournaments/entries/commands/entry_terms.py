"""On which terms a row of a list enters a player: what it says, or the members' rate of whoever is one.

Rules: docs/rules/tournaments.md, "Fees". Knows nothing of how a list was typed, nor of what was paid.
"""

from collections.abc import Iterator

from scoring.evening import Entrant, Evening
from scoring.facts import wire
from tournaments.entries.commands.lists import EntryRow


def terms_of_row(evening: Evening, entrant: Entrant, row: EntryRow, *, is_member: bool) -> wire.EntryTermsSet | None:
    """What the row sets; nothing where the player's terms are those already. `is_member` counts where no rate is said.

    Pots are added to those that were joined before, by the names of the plan whatever the capitals.
    """
    has_rate = evening.plan is not None and evening.plan.member_minor is not None
    by_itself = "member" if is_member and has_rate else entrant.rate
    pots = tuple(dict.fromkeys((*entrant.pots, *_called(evening, row))))
    fact = wire.EntryTermsSet(player=entrant.player, rate=row.rate or by_itself, pots=pots)
    return None if (fact.rate, fact.pots) == (entrant.rate, entrant.pots) else fact


def _called(evening: Evening, row: EntryRow) -> Iterator[str]:
    known = {pot.name.casefold(): pot.name for pot in (evening.plan.side_pots if evening.plan else ())}
    return (known.get(pot.casefold(), pot) for pot in row.pots)
