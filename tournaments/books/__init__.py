"""The books of a club: what is settled, the balance a seat needs, and the causes that entries are posted under."""

from uuid import UUID

# The first word of the causes of all entry fees.
ENTRIES = "entry:"


def entry_cause(tournament_id: UUID, player: str) -> str:
    """The cause under which a player's entry fee is posted."""
    return f"{entry_causes(tournament_id)}{UUID(player).hex}"


def entry_causes(tournament_id: UUID) -> str:
    """The prefix of the causes of all entries of a tournament."""
    return f"{ENTRIES}{tournament_id.hex}:"


def prize_cause(tournament_id: UUID) -> str:
    """The cause under which the prizes of a tournament are posted."""
    return f"tournament:{tournament_id}"
