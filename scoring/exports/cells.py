"""What a cell of a spreadsheet may hold: text, a number, a day, or an amount that is a number.

Rules: docs/books.md, "Spreadsheets". An amount is an exact decimal with the places of its currency; no float.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from scoring.money import format_minor
from scoring.money.amounts import decimals


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency."""

    amount_minor: int
    currency: str

    @property
    def exact(self) -> Decimal:
        return Decimal(format_minor(self.amount_minor, self.currency))

    @property
    def picture(self) -> str:
        """How a spreadsheet shows it."""
        places = decimals(self.currency)
        return f"0.{'0' * places}" if places else "0"

    def __str__(self) -> str:
        return format_minor(self.amount_minor, self.currency)


Cell = str | int | Decimal | date | Money | None
