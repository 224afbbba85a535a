"""Writers of the log for tests: a club, a table, and short helpers for what is written."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from scoring.events import reading, wire
from scoring.rules.variants import opening, variant
from tournaments import log
from tournaments.models import Club

START = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
SEATS = ("1", "2", "3")


def new_club(name: str = "Asha's club") -> Club:
    """A club of its own for each test."""
    return Club.objects.create(name=name, slug=f"club-{uuid.uuid4().hex[:12]}")


def an_event(body: str = '{"deal":1}', *, kind: str = "deal_recorded", note: str = "") -> log.NewEvent:
    """An event to store; the log does not interpret it."""
    return log.NewEvent(kind=kind, schema=1, body=body, occurred_at=START, note=note)


def request(key: str = "", *, digest: str = "ab" * 32, at: datetime = START) -> log.Request:
    """A request of Sam's, from the phone at the table."""
    return log.Request(key=key or uuid.uuid4().hex, digest=digest, actor="user:sam", device="phone 3", received_at=at)


def nothing(stored: log.StoredEvent) -> None:
    """A projection that writes no boards."""


class Writer:
    """One stream of one club, and what may be written to it."""

    def __init__(self, club: Club, stream_id: uuid.UUID | None = None) -> None:
        self.club = club
        self.stream_id = stream_id or uuid.uuid4()

    def place(self, expected: int) -> log.StreamVersion:
        """The position after a version."""
        return log.StreamVersion(club_id=self.club.id, stream_id=self.stream_id, expected=expected)

    def opens(self, new: log.NewEvent | None = None, *, key: str = "", digest: str = "ab" * 32) -> log.Appended:
        """The stream's first event."""
        asked = request(key, digest=digest)
        return log.open_stream(self.place(0), "table", new or an_event(), request=asked, on_append=nothing)

    def writes(self, after: int, new: log.NewEvent | None = None, **asked: Any) -> log.Appended:
        """The event after a version."""
        return log.append(self.place(after), new or an_event(), request=request(**asked), on_append=nothing)

    def versions(self) -> list[int]:
        """The stored versions, in order."""
        return [event.version for event in log.read(self.club.id, self.stream_id)]


def open_table(club: Club) -> Writer:
    """A table with its first event."""
    writer = Writer(club)
    writer.opens()
    return writer


def play_night(club: Club, *, tables: int = 2, deals: int = 5) -> list[Writer]:
    """A small club night of points rummy, with real events and some notes; tables are written by turns."""
    writers = [Writer(club) for _ in range(tables)]
    for number, writer in enumerate(writers):
        stakes = {"currency": "INR", "point_value_minor": 200}
        players = {seat: str(uuid.UUID(int=10 * number + int(seat))) for seat in SEATS}
        writer.opens(_stored(opening("points", options={}, stakes=stakes, seats=players)))
    for deal in range(1, deals + 1):
        for number, writer in enumerate(writers):
            moment = START + timedelta(minutes=5 * deal, microseconds=number + 1)
            log.append(writer.place(deal), _deal(deal), request=request(at=moment), on_append=nothing)
    for writer in writers:
        writer.writes(deals + 1, _correction())
    return writers


def _deal(deal: int) -> log.NewEvent:
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 10 + deal}, "3": {"how": "first_drop"}}
    return _read({"kind": "deal_recorded", "deal": deal, "outcomes": outcomes})


def _correction() -> log.NewEvent:
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 34}, "3": {"how": "middle_drop"}}
    return _read({"kind": "deal_corrected", "deal": 1, "outcomes": outcomes, "reason": "Bo counted his joker"})


def _read(raw: dict[str, object]) -> log.NewEvent:
    return _stored(reading.read_event(raw, variant("points"), SEATS))


def _stored(told: wire.Event) -> log.NewEvent:
    form = wire.encode(told)
    return log.NewEvent(kind=form.kind, schema=form.schema, body=form.body, occurred_at=START, note=form.note)
