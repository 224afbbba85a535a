"""Is the log as it was written, and can everything still be read from it?

Hashes, order and seals are `tournaments.log`'s business; this adds what the facts must say: each one decodes, and
every table, evening and cash book follows from its own. What cannot be read is told from what was changed, and what a
director has left out is named.
"""

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter

from tournaments import log
from tournaments.log.evidence.fingerprints import is_of_a_board
from tournaments.log.evidence.unreadable import LeftOut, StreamReader
from tournaments.log.raw import clubs, stray_notes
from tournaments.models import Club


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something wrong with one club's log. `is_unreadable`: it is as it was written, and cannot be read."""

    club: str
    position: int
    said: str
    is_unreadable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What came out: how many events were gone through, how many sealed ones not, what is wrong, what is left out."""

    events: int
    skipped: int
    findings: tuple[Finding, ...]
    left_out: tuple[LeftOut, ...] = ()


def verify_log(*, slug: str = "", is_full: bool = False) -> Audit:
    """Check the log of every club, or of one."""
    names = {club.id.hex: club.slug for club in Club.objects.only("id", "slug")}
    found = clubs()
    wanted = [club for club in found if club in names and slug in ("", names[club])]
    readers = {club: StreamReader(club=club, name=names[club]) for club in wanted}
    with _without_collector():
        verdicts = [log.verify_club(club, is_full=is_full, examine=readers[club]) for club in wanted]
    findings = [finding for verdict in verdicts for finding in _findings(verdict, readers[verdict.club])]
    if not slug:
        findings += _strays(set(found) - set(names))
    return Audit(
        events=sum(verdict.events for verdict in verdicts),
        skipped=sum(verdict.from_position for verdict in verdicts),
        findings=tuple(findings),
        left_out=tuple(one for reader in readers.values() for one in reader.left_out()),
    )


def _findings(verdict: log.Verdict, reader: StreamReader) -> list[Finding]:
    """What is wrong with one club's log, in order of position."""
    changed = [Finding(club=reader.name, position=fault.position, said=fault.said) for fault in verdict.faults]
    unread = [
        Finding(club=reader.name, position=one.position, said=one.said, is_unreadable=True)
        for one in reader.unreadable()
    ]
    return sorted([*changed, *unread], key=attrgetter("position"))


@contextmanager
def _without_collector() -> Iterator[None]:
    """Facts and tables hold no cycles; to look for some in all that was read so far cost a quarter of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def missing_fingerprint(noted: str) -> str:
    """What to say of a noted fingerprint that nothing has: no event, no seal and no board. Empty where one has it."""
    said = log.missing_fingerprint(noted)
    return "" if said and is_of_a_board(noted) else said


def _strays(unknown: Iterable[str]) -> Iterator[Finding]:
    """What belongs to nobody: it was taken from where it belonged, or put there."""
    for club in sorted(unknown):
        yield Finding(club="", position=0, said=f"parts of the log belong to {club}, which is no club here")
    notes = stray_notes()
    if notes:
        yield Finding(club="", position=0, said=f"{notes} notes belong to no event")
