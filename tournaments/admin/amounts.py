"""Amounts and percentages as people type them, read exactly into whole minor units and basis points."""

import re
from decimal import Decimal

from scoring.rules.problems import Problem, shown
from scoring.settlement.amounts import decimals

AMOUNT = re.compile(r"[0-9]{1,13}([.,][0-9]{1,4})?")
BP_DECIMALS = 2


def read_amount(text: str, currency: str, field: str, problems: list[Problem]) -> int:
    """`12.50` of INR is 1250. What is no amount, or finer than the minor unit, is added to `problems`."""
    minor = _scaled(text, decimals(currency))
    if minor is not None:
        return minor
    detail = f"{shown(text)} is not an amount of {currency} with at most {decimals(currency)} decimals"
    problems.append(Problem(code="not_an_amount", field=field, detail=detail))
    return 0


def read_percent(text: str, field: str, problems: list[Problem]) -> int:
    """`12.5` percent is 1250 basis points."""
    points = _scaled(text, BP_DECIMALS)
    if points is not None:
        return points
    detail = f"{shown(text)} is not a percentage with at most {BP_DECIMALS} decimals"
    problems.append(Problem(code="not_a_number", field=field, detail=detail))
    return 0


def _scaled(text: str, places: int) -> int | None:
    if not AMOUNT.fullmatch(text):
        return None
    scaled = Decimal(text.replace(",", ".")).scaleb(places)
    return int(scaled) if scaled == scaled.to_integral_value() else None
