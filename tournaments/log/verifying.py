"""Verifies the log as an auditor would, and reports the positions at which something is wrong.

The rule: positions of a club and versions of a stream have no gap; each hash follows from its predecessor and from
every column; each note matches its digest; seals are chained and their roots match; heads name the true ends. After a
fault that stream is not checked further, and the others are checked to the end.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec

from scoring.events.hashes import (
    FINGERPRINT_DIGITS,
    MerkleTree,
    content_digest,
    event_hash,
    event_id,
    genesis,
    note_digest,
    seal_hash,
)
from scoring.storage.bounds import MOST_POSITION
from tournaments.log import raw
from tournaments.log.parts import one_snapshot
from tournaments.log.raw import RawEvent, RawSeal
from tournaments.log.rows import RECIPES
from tournaments.log.seals import FIRST_PREVIOUS

# Up to this length a whole check takes seconds, so sealed history is always checked as well.
ALWAYS_WHOLE = 200_000
# The number of events in a part, and the most held at a time.
MOST_AT_ONCE = 20_000


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is not as it was written, and the stream that is not checked further because of it."""

    position: int
    said: str
    stream: str = ""


# Receives the rows whose hashes are right.
Examine = Callable[[Sequence[RawEvent]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result for one club. `faults` are in order of position; empty if all is well."""

    club: str
    from_position: int
    events: int
    faults: tuple[Fault, ...]


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a club's log: the events after `start`, up to `end`; the last part has no `end`.

    `size` is the number of its positions, as far as is known.
    """

    club: str
    start: int
    end: int | None
    size: int


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one part: where it ended, its faults, and faults at the ends of streams."""

    start: int
    end: int
    faults: tuple[Fault, ...] = ()
    ends: tuple[Fault, ...] = ()


def verify_club(club: str, *, is_full: bool, examine: Examine) -> Verdict:
    """Check a club's log, given its id as hex digits: whole, or after its last seal if it is long."""
    return verdict_of(club, [walk(stretch, examine) for stretch in stretches(club, is_full=is_full)])


def stretches(club: str, *, is_full: bool) -> list[Stretch]:
    """The parts to check. No seal lies in two of them; without a fault they can be checked independently.

    The hash of an event follows from the stored one of its predecessor, which another part compares with its own.
    """
    seals, last = raw.seals_of(club), raw.last_position(club)
    is_whole = is_full or last <= ALWAYS_WHOLE or bool(list(_seal_faults(club, seals)))
    start = 0 if is_whole or not seals else seals[-1].end
    parts: list[Stretch] = []
    for end in _cuts(seals, start, last):
        parts.append(Stretch(club=club, start=start, end=end, size=end - start))
        start = end
    return [*parts, Stretch(club=club, start=start, end=None, size=max(0, last - start))]


def _cuts(seals: Sequence[RawSeal], start: int, last: int) -> Iterator[int]:
    """The ends of all parts but the last: at the end of a seal if one covers the place."""
    while (end := start + MOST_AT_ONCE) < last:
        for seal in seals:
            if seal.start <= end < seal.end:
                end = seal.end
        if end >= last:
            return
        yield end
        start = end


def walk(stretch: Stretch, examine: Examine) -> Walked:
    """Check a part. The last one reads the log in one snapshot, with all of its ends."""
    if stretch.end is not None:
        return _walked(stretch, examine)
    with one_snapshot():
        return _walked(stretch, examine)


def _walked(stretch: Stretch, examine: Examine) -> Walked:
    seals = raw.seals_of(stretch.club)
    ahead = [seal for seal in seals if seal.start > stretch.start and seal.end <= (stretch.end or seal.end)]
    walk = _Walk(club=stretch.club, start=stretch.start, end=stretch.end, position=stretch.start, seals=ahead)
    faults = tuple(walk.faults(examine))
    ends: tuple[Fault, ...] = ()
    if stretch.end is None:
        ends = tuple(_end_faults(stretch.club, walk.position, seals, is_whole=not faults))
    return Walked(start=stretch.start, end=walk.position, faults=faults, ends=ends)


def verdict_of(club: str, walked: Sequence[Walked]) -> Verdict:
    """The combined results: later parts do not report a broken stream again, and a gap is reported at its beginning."""
    faults: list[Fault] = []
    broken: set[str] = set()
    come_to = 0
    for part in walked:
        faults += [fault for fault in part.faults if fault.position > come_to and fault.stream not in broken]
        broken.update(fault.stream for fault in part.faults if fault.stream)
        come_to = part.end
    # If the end was cut off or an event moved, streams do not match their heads either; that would hide the place.
    faults += [end for end in walked[-1].ends if not (faults and end.stream)]
    faults += _seal_faults(club, raw.seals_of(club))
    faults.sort(key=lambda fault: fault.position)
    start = walked[0].start
    return Verdict(club=club, from_position=start, events=walked[-1].end - start, faults=tuple(faults))


@dataclass(slots=True, kw_only=True)
class _Walk:
    """One pass over a part of a club's events: the current position, and the last version of each stream.

    `broken` are the streams with a faulty row; `is_torn`: hashes are missing under the next seal.
    """

    club: str
    start: int
    end: int | None
    position: int
    seals: list[RawSeal]
    heads: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    leaves: MerkleTree = field(default_factory=MerkleTree)
    kinds: dict[bytes, bytes] = field(default_factory=dict)
    broken: set[bytes] = field(default_factory=set)
    is_torn: bool = False

    def faults(self, examine: Examine) -> Iterator[Fault]:
        """All faults up to the end."""
        while (later := raw.next_position(self.club, self.position)) is not None:
            if later > self.position + 1:
                yield self._torn(later)
            if self.end is not None and later > self.end:
                return
            good: list[RawEvent] = []
            rows = raw.events_after(self.club, self.position, self.end)
            new_streams = {row.stream for row in rows} - self.kinds.keys()
            self.kinds |= raw.streams_of(self.club, new_streams)
            if self.start:
                self.heads |= raw.heads_at(self.club, new_streams, self.start)
            for row in rows:
                yield from self._passed(row, good)
            examine(good)
            if self.position == self.end:
                return

    def _passed(self, row: RawEvent, good: list[RawEvent]) -> Iterator[Fault]:
        """Check one row; append it to `good` if neither it nor its stream has a fault."""
        if row.position <= self.position:
            yield Fault(position=self.position, said="more than one event stands here")
            return
        if row.position > self.position + 1:
            yield self._torn(row.position)
        self.position += 1
        problem = "" if row.stream in self.broken else self._fault_in(row)
        if problem:
            self.broken.add(row.stream)
            yield Fault(position=self.position, said=problem, stream=row.stream.decode(errors="replace"))
        if row.stream not in self.broken:
            good.append(row)
        elif self.seals:
            self.leaves.add(row.hash if isinstance(row.hash, bytes) else b"")
        if problem := self._root_fault():
            yield Fault(position=self.position, said=problem)

    def _torn(self, later: int) -> Fault:
        """The fault for missing events; the seal over them cannot be checked either."""
        first_missing, self.position = self.position + 1, later - 1
        self.seals, self.leaves = [seal for seal in self.seals if seal.end > self.position], MerkleTree()
        self.is_torn = bool(self.seals) and self.seals[0].start <= self.position
        return Fault(position=first_missing, said=f"nothing stands here; the next event is at position {later}")

    def _fault_in(self, row: RawEvent) -> str:
        try:
            return self._what_is_wrong(row)
        except (TypeError, ValueError) as error:
            return f"the row cannot be read: {error}"

    def _what_is_wrong(self, row: RawEvent) -> str:
        """What is wrong with the row; empty if it is right, and then its stream moves on."""
        if row.stream not in self.kinds:
            return f"its stream {row.stream.decode(errors='replace')} is not there"
        version, previous = self.heads.get(row.stream) or self._birth_of(row)
        if row.version != version + 1:
            return f"version {row.version} of its stream stands where {version + 1} must follow"
        if row.fields[0] not in RECIPES:
            return f"hashed by an unknown recipe {row.fields[0].decode(errors='replace')}"
        digest = event_hash(previous, self.position, content_digest(row.fields))
        problem = _hash_fault(row, digest) or _note_fault(row)
        if not problem:
            self.heads[row.stream] = (version + 1, digest)
            # After the last seal no root is compared.
            if self.seals:
                self.leaves.add(digest)
        return problem

    def _birth_of(self, row: RawEvent) -> tuple[int, bytes]:
        """The version and hash of a stream before its first event."""
        return 0, genesis(self.club.encode(), row.stream, self.kinds[row.stream])

    def _root_fault(self) -> str:
        """Compare a seal's root after its last event; empty if it matches."""
        if not self.seals or self.position != self.seals[0].end:
            return ""
        seal, self.seals = self.seals[0], self.seals[1:]
        leaves, self.leaves = self.leaves, MerkleTree()
        was_torn, self.is_torn = self.is_torn, False
        if was_torn or leaves.root() == seal.root:
            return ""
        return f"the seal over {seal.start} to {seal.end} has another root"


def _hash_fault(row: RawEvent, digest: bytes) -> str:
    if row.hash != digest:
        return "the hash does not fit: a column of this event, or of one before it in its stream, was changed"
    if row.id != event_id(row.position, digest).hex().encode():
        return "the id does not fit the hash"
    return ""


def _note_fault(row: RawEvent) -> str:
    """A note may be erased; an existing one must match its digest."""
    if row.note is None:
        return ""
    if not row.note_digest or note_digest(row.salt or b"", row.note) != row.note_digest:
        return "the note beside it is not the one that was written"
    return ""


def _seal_faults(club: str, seals: Sequence[RawSeal]) -> Iterator[Fault]:
    """Faults in the chain of seals: each must follow the one before without a gap and name its hash."""
    end, previous = 0, FIRST_PREVIOUS
    for seal in seals:
        digest = seal_hash(club.encode(), (seal.start, seal.end), seal.root, seal.previous, seal.sealed_at)
        if seal.start != end + 1 or seal.previous != previous:
            yield Fault(position=end + 1, said="a seal is missing or does not follow the one before")
            return
        if seal.hash != digest or seal.id != digest[:16].hex().encode():
            yield Fault(position=seal.start, said=f"the seal over {seal.start} to {seal.end} was changed")
            return
        end, previous = seal.end, digest


def _end_faults(club: str, end: int, seals: Sequence[RawSeal], *, is_whole: bool) -> Iterator[Fault]:
    """Faults at the end: events cut off after the last one, and streams whose row names another end."""
    head = raw.head_position(club) or 0
    if head != end:
        yield Fault(position=end + 1, said=f"the log ends here, the club's head says {head}")
    elif seals and seals[-1].end > end:
        yield Fault(position=end + 1, said=f"the log ends here, a seal covers it up to {seals[-1].end}")
    elif is_whole:
        for stream, position in raw.streams_off_their_head(club):
            name = stream.decode(errors="replace")
            yield Fault(position=position, said=f"stream {name} does not end where its own row says", stream=name)


def missing_fingerprint(noted: str) -> str:
    """An error message for a noted fingerprint that is not in the log; empty if a seal or an event has it."""
    number, _, groups = noted.strip().partition("-")
    try:
        at, prefix = int(number), bytes.fromhex(groups.replace("-", ""))
    except ValueError:
        return f"{noted!r} is no fingerprint"
    # Databases fail on a number that exceeds their columns.
    is_ours = 0 <= at <= MOST_POSITION and len(prefix) * 2 == FINGERPRINT_DIGITS
    if not (is_ours and raw.knows_fingerprint(at, prefix)):
        return f"nothing in the log has the fingerprint {noted}: history was changed or its end cut off"
    return ""
