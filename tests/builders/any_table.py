"""What the standings of a table say, as plain values to compare."""

from typing import Any

from scoring.rules.table.table import Table


def standing(table: Table) -> dict[str, Any]:
    """Everything that a table reports, except the events that led to it."""
    return {
        "game": table.game,
        "status": table.status,
        "deals": table.deals,
        "seats": table.seats(),
        "winners": table.winners(),
        "payouts": table.payouts(),
        "conflicts": [(conflict.code, conflict.seat) for conflict in table.conflicts],
    }
