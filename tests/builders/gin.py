"""Deals of gin in the words of the game."""

from typing import Any

from tests.builders.rules import CAST, Evening, sit

DEAD: dict[str, Any] = {"knocker": None}


def gin(*, seats=2, entry=0, value=0, fee_bp=0, **options) -> Evening:
    stakes = {"entry_minor": entry, "point_value_minor": value, "fee_bp": fee_bp}
    return sit("gin", CAST[:seats], stakes, options)


def knocks(seat: str, deadwood: int, held: Any, **more: Any) -> dict[str, Any]:
    return {"knocker": seat, "knocker_deadwood": deadwood, "defender_deadwood": held, **more}


def goes_gin(seat: str, held: int, ending: str = "gin", **more: Any) -> dict[str, Any]:
    return {"knocker": seat, "ending": ending, "defender_deadwood": held, **more}
