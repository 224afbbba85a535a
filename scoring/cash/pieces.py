"""The notes and coins that a till is counted in, largest first, in minor units of their currency.

Rules: docs/books.md, "Counting a till". Where we do not know a currency's pieces, steps of 1, 2 and 5 stand for them:
whatever else lies in a till can be typed beside them.
"""

from scoring.money.amounts import decimals

# What passes over a counter today; what was withdrawn is typed as another piece.
_PIECES: dict[str, tuple[int, ...]] = {
    "INR": (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "EUR": (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1),
    "GBP": (5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1),
    "USD": (10000, 5000, 2000, 1000, 500, 200, 100, 50, 25, 10, 5, 1),
    "CHF": (100000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5),
    "JPY": (10000, 5000, 2000, 1000, 500, 100, 50, 10, 5, 1),
    "KWD": (20000, 10000, 5000, 1000, 500, 250, 100, 50, 20, 10, 5),
    "AED": (100000, 50000, 20000, 10000, 5000, 2000, 1000, 500, 100, 50, 25),
    "AUD": (10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5),
    "BDT": (100000, 50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "CAD": (10000, 5000, 2000, 1000, 500, 200, 100, 25, 10, 5),
    "LKR": (500000, 100000, 50000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "NPR": (100000, 50000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "PKR": (500000, 100000, 50000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "SGD": (100000, 10000, 5000, 1000, 500, 200, 100, 50, 20, 10, 5),
}
# A thousand of the currency's units is the largest step of a currency that is not in the list.
_STEPS_ABOVE_ONE = 3


def pieces_of(currency: str) -> tuple[int, ...]:
    """The denominations to count, the largest first."""
    return _PIECES.get(currency) or _steps(decimals(currency))


def _steps(places: int) -> tuple[int, ...]:
    """1, 2, 5, 10 and so on, from one minor unit up to a thousand units."""
    steps = [lead * 10**power for power in range(places + _STEPS_ABOVE_ONE) for lead in (1, 2, 5)]
    return (10 ** (places + _STEPS_ABOVE_ONE), *reversed(steps))
