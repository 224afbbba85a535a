"""Points of a season as people read them: kept as exact fractions, printed with two decimals where they are no whole.

Rules: docs/seasons.md, "Standings". Knows nothing of formulas.
"""

from fractions import Fraction

from scoring.evening.state.played import said
from tournaments.rendering.i18n import places


def number_said(text: str) -> str:
    """A number that is kept as an exact fraction, as the language writes it."""
    exact = Fraction(text)
    return places.number(exact.numerator) if exact.denominator == 1 else places.decimal(said(exact))
