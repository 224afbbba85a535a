"""Results of the tables of a tournament, as far as its standings need them, and the parts of a score.

Rules: docs/rules/tournaments.md, "Scores". Knows nothing of places, cuts or the log.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from scoring.messages import Message
from scoring.rules.table.standing import SeatStanding

# Exact, and an integer wherever it is whole and nothing was divided: integers are added many times as fast.
Score = Fraction | int


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """How the game counts. `adds_up`: a player's tables are added, else only the latest one counts."""

    adds_up: bool
    low_is_good: bool

    def worse(self, one: Score, other: Score) -> Score:
        """The worse of two scores."""
        return max(one, other) if self.low_is_good else min(one, other)

    def signed(self, score: Score) -> Score:
        """The score as a number, lower is better."""
        return score if self.low_is_good else -score


class SeatPlayed(SeatStanding, frozen=True, kw_only=True):
    """One seat of one table: its round and table, its deciding number, and its place.

    `score` includes what was brought to the table. `last_deal` is the change by the last deal; None where it was not
    asked for.
    """

    player: str
    round: int
    table: int
    score: int
    place: int
    deals: int = 0
    is_finished: bool = False
    last_deal: int | None = None

    @property
    def deals_taken_part(self) -> int:
        """The deals until this seat went out, or all of them."""
        return self.deals if self.out_in_deal is None else min(self.deals, self.out_in_deal)


class PartKind(StrEnum):
    """The kinds of parts that make a score."""

    CARRIED = "carried"
    REENTRY = "reentry"
    TABLE = "table"
    SIT_OUT = "sit_out"
    LATE = "late"
    LEAVING = "leaving"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of a score. All amounts of a player add up to the score; `points` is what it is calculated from.

    `tables` are the tables of a round that the part is read from, in the order in which they were played.
    """

    what: PartKind
    amount: Score
    points: Score
    text: Message
    round: int | None = None
    tables: tuple[int, ...] = ()


def score_text(number: Score) -> str:
    """A score as it is printed: whole, or rounded to two decimals."""
    if isinstance(number, int):
        return str(number)
    exact = Fraction(number)
    if exact.denominator == 1:
        return str(exact.numerator)
    hundredths = abs(exact) * 100
    whole = (2 * hundredths.numerator + hundredths.denominator) // (2 * hundredths.denominator)
    return f"{'-' if exact < 0 else ''}{whole // 100}.{whole % 100:02d}"


def average(numbers: Sequence[Score]) -> Score:
    """The exact mean; zero where there are no numbers."""
    return Fraction(sum(numbers)) / len(numbers) if numbers else 0
