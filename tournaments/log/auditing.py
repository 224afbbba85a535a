"""Audits the log: whether it is as it was written, and whether everything can still be read from it.

Hashes, order and seals are checked by `tournaments.log`; this adds the content: each event can be decoded, and every
table, tournament and cash book can be folded. An event may be intact and still be unreadable, or not fit into the fold,
and a director may have left it out.

Rules: docs/decisions/0026-events-that-read-back.md. Reads whole streams, as the proofs do. A stream with such an event
is reported with its club and position and not checked further, and the next one is checked. Such a line has a type of
its own, so that users of a proof can tell it from a line about something that was changed.
"""

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from operator import attrgetter

import msgspec

from scoring.events.reading import UNREADABLE
from tournaments import log
from tournaments.log.following import LeftOut, Readings, StreamReader, unreadable_events
from tournaments.log.parts import InTurn, Report
from tournaments.log.raw import RawEvent, clubs, stray_notes
from tournaments.log.seals import is_of_a_board
from tournaments.log.verifying import Stretch, Walked, stretches, verdict_of, walk
from tournaments.models import Club


class CannotBeRead(str):
    """A line of a proof about an event that is intact but unreadable. Every other line is a fault."""

    __slots__ = ()


def are_faults(lines: Iterable[str]) -> bool:
    """Whether a proof has found anything other than unreadable events."""
    return not all(isinstance(line, CannotBeRead) for line in lines)


def not_judged(what: str, stored: Sequence[log.StoredEvent], versions: Collection[int]) -> list[str]:
    """One line for each event of a stream that is unreadable and not left out."""
    return [
        CannotBeRead(
            f"{what} of club {event.club_id}: position {event.position} cannot be read (event {event.version}, "
            f"{event.kind}), so it is not judged"
        )
        for event in stored
        if event.version in versions
    ]


def as_far_as_it_goes(what: str, judge: Callable[[], Iterable[str]]) -> Iterator[str]:
    """The lines of a proof of one stream; if it cannot be folded, a line that it cannot be judged."""
    try:
        yield from judge()
    except UNREADABLE as error:
        yield f"{what} cannot be judged ({type(error).__name__}: {error})"


def unreadable_lines(clubs: Iterable[Club]) -> list[str]:
    """The unreadable events of some clubs, a line each. A club whose log cannot be followed has a line that says so."""
    return [line for club in clubs for line in as_far_as_it_goes(f"the log of {club.slug}", partial(_unreadable, club))]


def _unreadable(club: Club) -> list[str]:
    return [f"{club.slug}: position {event.position}: {event.text}" for event in unreadable_events(club.pk)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something wrong with one club's log. `is_unreadable`: the event is intact, but cannot be read."""

    club: str
    position: int
    text: str
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The result: the number of events checked and of sealed ones skipped, the findings, and what was left out."""

    events: int
    skipped: int
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...] = ()


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a part of a club's log."""

    walked: Walked
    read: Readings

    @property
    def events(self) -> int:
        return self.walked.end - self.walked.start


def verify_log(*, slug: str = "", is_full: bool = False, run: InTurn | None = None) -> Audit:
    """Check the log of every club, or of one, part by part. Progress counts positions."""
    names = {club.id.hex: club.slug for club in Club.objects.only("id", "slug")}
    club_ids = clubs()
    checked_clubs = [club for club in club_ids if club in names and slug in ("", names[club])]
    parts = [stretch for club in checked_clubs for stretch in stretches(club, is_full=is_full)]
    by_club: dict[str, list[Examined]] = {club: [] for club in checked_clubs}
    for part, examined in zip(parts, (run or InTurn())("Events", examine, parts, Examined), strict=True):
        by_club[part.club].append(examined)
    audits = [_audit_of(club, names[club], examined) for club, examined in by_club.items()]
    strays = [] if slug else list(_strays(set(club_ids) - set(names)))
    return Audit(
        events=sum(audit.events for audit in audits),
        skipped=sum(audit.skipped for audit in audits),
        findings=tuple(finding for findings in (*(audit.findings for audit in audits), strays) for finding in findings),
        left_out=tuple(left_out_event for audit in audits for left_out_event in audit.left_out),
    )


def examine(part: Stretch, report: Report) -> Examined:
    """Check one part, and read its events."""
    reader = StreamReader(club=part.club, name=Club.objects.values_list("slug", flat=True).get(id=part.club))

    def read(rows: Sequence[RawEvent]) -> None:
        reader(rows)
        if rows:
            report(rows[-1].position - part.start)

    with _without_collector():
        return Examined(walked=walk(part, read), read=reader.read)


def _audit_of(club: str, name: str, parts: Sequence[Examined]) -> Audit:
    """The findings of one club's log, in order of position."""
    verdict, readings, broken = verdict_of(club, [part.walked for part in parts]), Readings(), set[str]()
    for part in parts:
        readings.add(part.read, unless=broken)
        broken.update(fault.stream for fault in part.walked.faults)
    changed = [Finding(club=name, position=fault.position, text=fault.said) for fault in verdict.faults]
    unread = [
        Finding(club=name, position=event.position, text=event.text, is_unreadable=True)
        for event in readings.unreadable()
    ]
    findings = tuple(sorted([*changed, *unread], key=attrgetter("position")))
    return Audit(
        events=verdict.events, skipped=verdict.from_position, findings=findings, left_out=tuple(readings.left_out())
    )


@contextmanager
def _without_collector() -> Iterator[None]:
    """Disable garbage collection: events and tables have no cycles, and looking for some took a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def missing_fingerprint(noted: str) -> str:
    """An error message for a noted fingerprint that no event, seal or board has; empty if one has it."""
    problem = log.missing_fingerprint(noted)
    return "" if problem and is_of_a_board(noted) else problem


def _strays(unknown: Iterable[str]) -> Iterator[Finding]:
    """Parts of the log without a club, and notes without an event: they were moved, or inserted."""
    for club in sorted(unknown):
        yield Finding(club="", position=0, text=f"parts of the log belong to {club}, which is no club here")
    notes = stray_notes()
    if notes:
        yield Finding(club="", position=0, text=f"{notes} notes belong to no event")
