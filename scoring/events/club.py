"""The events of a club itself: merging two rows of players that are one person, and balances from before the books.

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


class OpeningBalancesImported(Event, frozen=True, kw_only=True):
    """Balances from before the books, as of a day: above 0 the club owes the player."""

    kind: ClassVar[str] = "opening_balances_imported"
    batch: BatchId
    day: Annotated[str, Meta(pattern=rf"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{END}")]
    currency: Currency
    balances: Annotated[
        dict[PlayerId, Annotated[int, Meta(ge=-MOST_SUM, le=MOST_SUM)]], Meta(min_length=1, max_length=MOST_OPENED)
    ]


class OpeningBalancesTakenBack(Event, frozen=True, kw_only=True):
    """A batch of opening balances was undone."""

    kind: ClassVar[str] = "opening_balances_taken_back"
    batch: BatchId


CLUB_EVENTS: tuple[type[Event], ...] = (
    PlayersMerged,
    MergeUndone,
    OpeningBalancesImported,
    OpeningBalancesTakenBack,
)
