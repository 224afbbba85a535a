"""Side pots: what is in each, who has it, and what is carried to the next night.

Rules: docs/rules/tournaments.md, "Side pots". Who has won is what the director said. Knows nothing of accounts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.evening.plans.prizes import SidePot
from scoring.evening.prizes.reasons import PotLeft, PotMade, PotWon
from scoring.evening.state.fees import Entries
from scoring.money.payouts import divide
from scoring.money.reasons import Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PotSheet:
    """One side pot. What was paid in and carried here is won, added to the prizes, or carried on."""

    name: str
    paid_minor: int
    brought_minor: int
    awards: Mapping[str, int]
    to_prizes_minor: int
    because: tuple[Reason, ...]

    @property
    def total_minor(self) -> int:
        return self.paid_minor + self.brought_minor

    @property
    def carried_minor(self) -> int:
        """What is in it after the night."""
        return self.total_minor - sum(self.awards.values()) - self.to_prizes_minor

    @property
    def is_won(self) -> bool:
        return bool(self.awards)


def pot_sheets(pots: Sequence[SidePot], entries: Entries, won: Mapping[str, tuple[str, ...]]) -> tuple[PotSheet, ...]:
    """Every side pot of a plan. Several winners divide it; a unit left over goes to the one named first."""
    return tuple(_sheet(pot, entries.paid_into(pot.name), won.get(pot.name, ())) for pot in pots)


def _sheet(pot: SidePot, paid: Sequence[int], winners: Sequence[str]) -> PotSheet:
    total = sum(paid) + pot.carried_minor
    awards = {player: part for player, part in divide(total, winners).items() if part} if winners else {}
    goes_in = total if pot.unwon == "prizes" and not winners else 0
    because: list[Reason] = [PotMade(pot.name, len(paid), sum(paid), pot.carried_minor)]
    if winners:
        because.append(PotWon(pot.name, total, len(winners)))
    elif total:
        because.append(PotLeft(pot.name, total, bool(goes_in)))
    return PotSheet(
        name=pot.name,
        paid_minor=sum(paid),
        brought_minor=pot.carried_minor,
        awards=awards,
        to_prizes_minor=goes_in,
        because=tuple(because),
    )
