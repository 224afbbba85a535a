"""Parses `?at=`, and finds the version of a table or position of a board at a moment of the past.

Rules: docs/how-to/publishing.md, "The past". An answer about the past has a tag, so that it is known to be unchanged
before anything is folded. An event counts as recorded by a moment only if every event before it does: a clock set back
leaves no gap in the history.
"""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from uuid import UUID

from tournaments import log
from tournaments.models import Table, Tournament
from tournaments.models.bounds import is_moment_in_the_calendar
from tournaments.rendering.i18n.formatting import local_time

# SQLite compares moments as texts, and a whole second is written shorter: so never query for "later than".
NEXT = timedelta(microseconds=1)
MOST_AT = 50
NUMBER = re.compile(r"[0-9]{1,10}")
ROUND = re.compile(r"round:([0-9]{1,4})")
# An unescaped plus sign arrives as a blank.
LOST_PLUS = re.compile(r" (?=\d\d:?\d\d$)")
KNOWN = "known:"


@dataclass(frozen=True, slots=True, kw_only=True)
class WithCorrections:
    """Up to a log position or a moment, with later corrections applied."""

    by: int | datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AfterRound:
    """After a round, with later corrections applied."""

    number: int


# A bare number or moment means what was shown then.
At = int | datetime | WithCorrections | AfterRound


def read_at(text: str, zone: tzinfo | None) -> At | None:
    """Parse `?at=`: `17`, a time, `known:` before either, or `round:3`. None where it is none of these.

    A time without an offset is on the clock of `zone`; without a zone it is refused.
    """
    if len(text) > MOST_AT:
        return None
    if match := ROUND.fullmatch(text):
        return AfterRound(number=int(match[1]))
    if text.startswith(KNOWN):
        by = _number_or_moment(text.removeprefix(KNOWN), zone)
        return None if by is None else WithCorrections(by=by)
    return _number_or_moment(text, zone)


def readings_of(text: str, zone: tzinfo) -> list[str]:
    """Return the meanings, as `?at=` takes them, of a time that the clock of `zone` skips or shows twice; else []."""
    start = KNOWN if text.startswith(KNOWN) else ""
    try:
        when = datetime.fromisoformat(text.removeprefix(KNOWN)[:MOST_AT])
        clock_time = local_time(when.replace(tzinfo=zone)) if when.tzinfo is None else None
    except (ValueError, OverflowError):
        return []
    return (
        []
        if clock_time is None or clock_time.is_clear
        else [f"{start}{moment.isoformat()}" for moment in clock_time.readings]
    )


def version_at(club_id: UUID, table_id: UUID, moment: datetime, *, current: int) -> int:
    """Return the version a table had at a moment; 0 before it was opened."""
    later = log.find(club=club_id, streams=[table_id], since=moment + NEXT).first()
    return current if later is None else later.version - 1


def position_at(tournament: Tournament, moment: datetime, *, current: int) -> int:
    """Return the log position that a tournament's board showed at a moment; 0 before its first event."""
    tables = Table.objects.filter(tournament=tournament).values_list("id", flat=True)
    later = log.find(club=tournament.club_id, streams=[tournament.pk, *tables], since=moment + NEXT).first()
    return current if later is None else later.position - 1


def recorded_at(club_id: UUID, position: int) -> datetime | None:
    """Return when the event at a position of a club's log was recorded; None where there is none."""
    event = log.find(club=club_id, positions=[position]).first()
    return event.recorded_at if event else None


def _number_or_moment(text: str, zone: tzinfo | None) -> int | datetime | None:
    if NUMBER.fullmatch(text):
        return int(text)
    try:
        when = datetime.fromisoformat(LOST_PLUS.sub("+", text))
        if when.tzinfo is None and zone is None:
            return None
        if when.tzinfo is None and zone is not None:
            clock_time = local_time(when.replace(tzinfo=zone))
            if not clock_time.is_clear:
                return None
            when = clock_time.readings[0]
        when = when.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return when if is_moment_in_the_calendar(when) else None
