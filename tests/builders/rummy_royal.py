"""Deals of Rummy Royal in the words of the game."""

from typing import Any

from scoring.rules.variants.western.rummy_royal.options import HEARTS
from tests.builders.rules import CAST, Evening, sit


def royal(*, seats=3, entry=0, value=0, fee_bp=0, **options) -> Evening:
    stakes = {"entry_minor": entry, "point_value_minor": value, "fee_bp": fee_bp}
    return sit("rummy_royal", CAST[:seats], stakes, options)


def deal(dealer: str, out: str | None, boxes: dict[str, Any] | None = None, **left: int) -> dict[str, Any]:
    return {"dealer": dealer, "out": out, "boxes": boxes or {}, "cards_left": left}


def last(*seats: str) -> dict[str, Any]:
    """The last deal: who is dealt ten, jack, queen, king and ace of hearts."""
    return {"last_hearts": dict(zip(HEARTS, seats, strict=True))}
