"""The moments at which a board changed: what its slider stops at.

Rules: docs/publishing.md, "The past". A large night has thousands of deals: then the last deal of each minute stands
for the others of that minute. Corrections, rounds and cuts always have their own stop.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

import msgspec

from scoring.facts import wire
from tournaments.models import Event, Tournament

MOST_STEPS = 400
DEAL = wire.DealRecorded.kind
CHANGES = (wire.DealCorrected.kind, wire.DealVoided.kind, wire.FactWithdrawn.kind)
AT_TABLES = (
    *(DEAL, *CHANGES),
    *(wire.TableOpened.kind, wire.TableClosed.kind, wire.TableCancelled.kind, wire.TableMovedOn.kind),
    *(wire.TiebreakRecorded.kind, wire.Rejoined.kind, wire.BoughtIn.kind),
    *(wire.SplitAgreed.kind, wire.SeatLeft.kind, wire.PenaltyGiven.kind),
)
OF_THE_EVENING = (
    *(wire.RoundSeated.kind, wire.SeatingWithdrawn.kind, wire.PlayersMoved.kind, wire.MoveUndone.kind),
    *(wire.CutMade.kind, wire.CutWithdrawn.kind, wire.TieSettled.kind, wire.PlayerReentered.kind),
    *(wire.PlayerLeft.kind, wire.PlayerReturned.kind, wire.PlayerSubstituted.kind),
    *(wire.SubstitutionUndone.kind, wire.ReentryUndone.kind),
    *(wire.TournamentClosed.kind, wire.TournamentCancelled.kind, wire.TournamentReopened.kind),
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
