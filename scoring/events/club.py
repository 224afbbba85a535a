"""The events of a club itself: merging two rows of players that are one person.

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


CLUB_EVENTS: tuple[type[Event], ...] = (PlayersMerged, MergeUndone)
