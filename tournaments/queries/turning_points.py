"""The moments at which a board changed: what its slider stops at.

Rules: docs/publishing.md, "The past". A large night has thousands of deals: then the last deal of each minute stands
for the others of that minute. Corrections, rounds and cuts always have their own stop.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import msgspec

from scoring.rules import events
from tournaments.models import Event, Tournament

MOST_STEPS = 400
DEAL = events.DealRecorded.kind
CHANGES = (events.DealCorrected.kind, events.DealVoided.kind, events.FactWithdrawn.kind)
AT_TABLES = (
    *(DEAL, *CHANGES),
    *(events.TableOpened.kind, events.TableClosed.kind, events.TableCancelled.kind, events.TableMovedOn.kind),
    *(events.TiebreakRecorded.kind, events.Rejoined.kind, events.BoughtIn.kind),
    *(events.SplitAgreed.kind, events.SeatLeft.kind, events.PenaltyGiven.kind),
)
OF_THE_EVENING = (
    *(events.RoundSeated.kind, events.SeatingWithdrawn.kind, events.PlayersMoved.kind, events.MoveUndone.kind),
    *(events.CutMade.kind, events.CutWithdrawn.kind, events.TieSettled.kind, events.PlayerReentered.kind),
    *(events.PlayerLeft.kind, events.PlayerReturned.kind, events.PlayerSubstituted.kind),
    *(events.SubstitutionUndone.kind, events.ReentryUndone.kind),
    *(events.TournamentClosed.kind, events.TournamentCancelled.kind, events.TournamentReopened.kind),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """One fact that a board shows. `table` is its number, None for facts of the whole evening; so is `deal`."""

    position: int
    recorded_at: datetime
    kind: str
    round: int | None = None
    table: int | None = None
    deal: int | None = None

    @property
    def is_change(self) -> bool:
        """Something written earlier was corrected, voided or taken back."""
        return self.kind in CHANGES


class _Told(msgspec.Struct):
    """The few numbers of a fact's body that a stop is named by."""

    deal: int | None = None
    round: int | None = None


def turning_points(tournament: Tournament) -> tuple[TurningPoint, ...]:
    """Everything that changed the board, in the order of the log, in two queries."""
    places = tournament.tables.values_list("id", "round", "number")
    tables = {table: (table_round, number) for table, table_round, number in places}
    facts = (
        Event.objects.filter(stream_id__in=[tournament.id, *tables], kind__in=(*AT_TABLES, *OF_THE_EVENING))
        .order_by("position")
        .values_list("position", "recorded_at", "kind", "stream_id", "body")
    )
    points = []
    for position, recorded_at, kind, stream, body in facts:
        told = _DECODER.decode(body)
        table_round, number = tables.get(stream, (told.round, None))
        points.append(
            TurningPoint(
                position=position,
                recorded_at=recorded_at,
                kind=kind,
                round=table_round,
                table=number,
                deal=told.deal,
            )
        )
    return tuple(points) if len(points) <= MOST_STEPS else tuple(thinned(points))


def thinned(points: Sequence[TurningPoint]) -> Iterator[TurningPoint]:
    """Without the deals that another one follows within the same minute."""
    for point, following in pairwise(points):
        if not (point.kind == following.kind == DEAL and _minute(point) == _minute(following)):
            yield point
    yield points[-1]


def _minute(point: TurningPoint) -> datetime:
    return point.recorded_at.replace(second=0, microsecond=0)


_DECODER = msgspec.json.Decoder(_Told)
