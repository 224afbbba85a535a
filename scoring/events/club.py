"""The events of a club itself: merging two rows of players that are one person, and what was before the log: opening
balances, and tournaments of a season.

Rules: docs/events.md, "Clubs" lists every kind. A kind is never renamed. Players are UUIDs as text, amounts whole minor
units by currency. Knows nothing of what follows from an event.
"""

from typing import Annotated, ClassVar

from msgspec import Meta

from scoring.events.cash import END, PlayerId
from scoring.events.table import Event
from scoring.money.payouts import MOST_SUM

Currency = Annotated[str, Meta(pattern=rf"^[A-Z]{{3}}{END}")]


class PlayersMerged(Event, frozen=True, kw_only=True):
    """The row `player` is the same person as `into` from now on; `moved` is the balance moved with it, by currency."""

    kind: ClassVar[str] = "players_merged"
    player: PlayerId
    into: PlayerId
    moved: dict[Currency, Annotated[int, Meta(ge=-MOST_SUM, le=MOST_SUM)]] = {}


class MergeUndone(Event, frozen=True, kw_only=True):
    """A merge was undone: `player` is a separate player again, and the balance is moved back."""

    kind: ClassVar[str] = "merge_undone"
    player: PlayerId


MOST_OPENED = 500
BatchId = Annotated[str, Meta(pattern=rf"^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}{END}")]
DayText = Annotated[str, Meta(pattern=rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{END}")]


class OpeningBalancesImported(Event, frozen=True, kw_only=True):
    """Balances from before the books, as of a day: above 0 the club owes the player."""

    kind: ClassVar[str] = "opening_balances_imported"
    batch: BatchId
    day: DayText
    currency: Currency
    balances: Annotated[
        dict[PlayerId, Annotated[int, Meta(ge=-MOST_SUM, le=MOST_SUM)]], Meta(min_length=1, max_length=MOST_OPENED)
    ]


class OpeningBalancesTakenBack(Event, frozen=True, kw_only=True):
    """A batch of opening balances was undone."""

    kind: ClassVar[str] = "opening_balances_taken_back"
    batch: BatchId


# Players of one tournament, the last place, and points in hundredths.
MOST_CAME, LAST_PLACE, MOST_HUNDREDTHS = 1_000, 100_000, 10**9


class PastTournamentImported(Event, frozen=True, kw_only=True):
    """The standings of a tournament that was played without this service, for one season.

    `places` are by player, the same for players who share one. `points` are those that the club counted, in hundredths
    of a point of the season; empty where they follow from the places by the season's formula.
    """

    kind: ClassVar[str] = "past_tournament_imported"
    tournament: BatchId
    season: BatchId
    day: DayText
    places: Annotated[
        dict[PlayerId, Annotated[int, Meta(ge=1, le=LAST_PLACE)]], Meta(min_length=1, max_length=MOST_CAME)
    ]
    points: Annotated[
        dict[PlayerId, Annotated[int, Meta(ge=-MOST_HUNDREDTHS, le=MOST_HUNDREDTHS)]], Meta(max_length=MOST_CAME)
    ] = {}


class PastTournamentTakenBack(Event, frozen=True, kw_only=True):
    """An imported tournament was undone."""

    kind: ClassVar[str] = "past_tournament_taken_back"
    tournament: BatchId


CLUB_EVENTS: tuple[type[Event], ...] = (
    PlayersMerged,
    MergeUndone,
    OpeningBalancesImported,
    OpeningBalancesTakenBack,
    PastTournamentImported,
    PastTournamentTakenBack,
)
