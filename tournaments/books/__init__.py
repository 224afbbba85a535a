"""The books of a club: what is settled, what backs a seat, what a cause is called."""

from uuid import UUID


def entry_cause(tournament_id: UUID, player: str) -> str:
    """What a player's entry is booked under."""
    return f"{entry_causes(tournament_id)}{UUID(player).hex}"


def entry_causes(tournament_id: UUID) -> str:
    """How the name of every entry of a tournament begins."""
    return f"entry:{tournament_id.hex}:"


def prize_cause(tournament_id: UUID) -> str:
    """What the prizes of an evening are booked under."""
    return f"tournament:{tournament_id}"
