"""Ratings: how strong each player of a club is, as far as the tables tell, and how sure that is.

Rules: docs/how-to/seasons.md, "Ratings"; why by openskill, table by table: docs/decisions/0020-seasons-and-ratings.md.
Floats are used here alone: results are whole thousandths. Knows nothing of names, dates or storage.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from openskill.models import PlackettLuce, PlackettLuceRating

from scoring.seasons.formula import TablePlayed

THOUSANDTHS = 1000
# How far the displayed number is below the estimate: three deviations, so that few are really weaker than shown.
CAUTION = 3

# The estimate and its deviation after a tournament, in thousandths.
Step = tuple[str, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A player's rating in thousandths, from how many tables and tournaments, and after each tournament."""

    player: str
    mu: int
    sigma: int
    tables: int
    history: tuple[Step, ...]

    @property
    def nights(self) -> int:
        return len(self.history)


@dataclass(slots=True)
class Rater:
    """Takes tournaments in the order of the log and updates all players' ratings."""

    _model: PlackettLuce = field(default_factory=PlackettLuce)
    _ratings: dict[str, PlackettLuceRating] = field(default_factory=dict)
    _tables: dict[str, int] = field(default_factory=dict)
    _history: dict[str, list[Step]] = field(default_factory=dict)

    def take(self, tournament: str, tables: Sequence[TablePlayed]) -> None:
        """Rate one tournament: every table changes its players' ratings, and the next one starts from the new ones."""
        played = dict.fromkeys(player for table in tables for player in self._take_table(table))
        for player in played:
            now = self._ratings[player]
            self._history.setdefault(player, []).append((tournament, _whole(now.mu), _whole(now.sigma)))

    def ratings(self) -> tuple[Rated, ...]:
        """All players who sat at a table that counted, the strongest first."""
        rated_players = [
            Rated(player=player, mu=steps[-1][1], sigma=steps[-1][2], tables=self._tables[player], history=tuple(steps))
            for player, steps in self._history.items()
        ]
        return tuple(sorted(rated_players, key=lambda rated: (-cautious(rated.mu, rated.sigma), rated.player)))

    def _take_table(self, table: TablePlayed) -> Iterator[str]:
        if len(table.players) < 2:
            return
        teams = [[self._ratings.get(player) or self._model.rating()] for player in table.players]
        after = self._model.rate(teams, ranks=[float(place) for place in table.places])
        for player, (rating,) in zip(table.players, after, strict=True):
            self._ratings[player] = rating
            self._tables[player] = self._tables.get(player, 0) + 1
            yield player


def rated(tournaments: Iterable[tuple[str, Sequence[TablePlayed]]]) -> tuple[Rated, ...]:
    """All players' ratings after these tournaments, in the order of the log."""
    rater = Rater()
    for tournament, tables in tournaments:
        rater.take(tournament, tables)
    return rater.ratings()


def cautious(mu: int, sigma: int) -> int:
    """The rating that is shown: what a player is almost certainly worth."""
    return mu - CAUTION * sigma


def _whole(number: float) -> int:
    return round(number * THOUSANDTHS)
