"""Goes through the log as an auditor would, and names the positions at which something is wrong.

The rule: positions of a club and versions of a stream have no gap; each hash follows from its predecessor and
from every column; each note fits its digest; seals chain and their roots fit; heads name the true ends. After a fault
nothing of that stream is judged any more, and the others are gone through to the end.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from scoring.ledger.triggers.definitions import MOST_POSITION
from tournaments.log import raw
from tournaments.log.raw import RawEvent, RawSeal
from tournaments.log.rows import FINGERPRINT_DIGITS, RECIPES, content_digest, event_hash, event_id, genesis, note_digest
from tournaments.log.seals import FIRST_PREVIOUS, merkle_root, seal_hash

# Up to here a whole check takes seconds, so sealed history is gone through as well without being asked for.
ALWAYS_WHOLE = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something that is not as it was written down."""

    position: int
    said: str


# Is shown the rows whose hashes are right.
Examine = Callable[[Sequence[RawEvent]], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What came out for one club. `faults` are in order of position; empty when all is well."""

    club: str
    from_position: int
    events: int
    faults: tuple[Fault, ...]


def verify_club(club: str, *, is_full: bool, examine: Examine) -> Verdict:
    """Check a club's log, given its id as hex digits: whole, or after its last seal where that one is long."""
    seals = raw.seals_of(club)
    faults = list(_seal_faults(club, seals))
    whole = is_full or bool(faults) or raw.last_position(club) <= ALWAYS_WHOLE
    start = 0 if whole or not seals else seals[-1].end
    walk = _Walk(club=club, position=start, seals=[seal for seal in seals if seal.start > start])
    found = list(walk.faults(examine))
    faults += [*found, *_end_faults(club, walk.position, seals, is_whole=not found)]
    faults.sort(key=lambda fault: fault.position)
    return Verdict(club=club, from_position=start, events=walk.position - start, faults=tuple(faults))


@dataclass(slots=True, kw_only=True)
class _Walk:
    """One pass over a club's events: where it stands, and where each stream stood when it came by.

    `broken` are the streams of which a row was not right; `is_torn` tells that hashes are missing under the next seal.
    """

    club: str
    position: int
    seals: list[RawSeal]
    heads: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)
    leaves: list[bytes] = field(default_factory=list)
    kinds: dict[bytes, bytes] = field(default_factory=dict)
    broken: set[bytes] = field(default_factory=set)
    is_torn: bool = False

    def faults(self, examine: Examine) -> Iterator[Fault]:
        """Everything that is wrong up to the end of the log."""
        self.kinds = raw.streams_of(self.club)
        while (later := raw.next_position(self.club, self.position)) is not None:
            if later > self.position + 1:
                yield self._torn(later)
            good: list[RawEvent] = []
            for row in raw.events_after(self.club, self.position):
                yield from self._passed(row, good)
            examine(good)

    def _passed(self, row: RawEvent, good: list[RawEvent]) -> Iterator[Fault]:
        """Go past one row; into `good` where nothing is wrong with it or with its stream before."""
        if row.position <= self.position:
            yield Fault(position=self.position, said="more than one event stands here")
            return
        if row.position > self.position + 1:
            yield self._torn(row.position)
        self.position += 1
        said = "" if row.stream in self.broken else self._said_of(row)
        if said:
            self.broken.add(row.stream)
            yield Fault(position=self.position, said=said)
        if row.stream not in self.broken:
            good.append(row)
        elif self.seals:
            self.leaves.append(row.hash if isinstance(row.hash, bytes) else b"")
        if said := self._root_fault():
            yield Fault(position=self.position, said=said)

    def _torn(self, later: int) -> Fault:
        """What is missing cannot be judged, and neither can the seal over it."""
        wanted, self.position = self.position + 1, later - 1
        self.seals, self.leaves = [seal for seal in self.seals if seal.end > self.position], []
        self.is_torn = bool(self.seals) and self.seals[0].start <= self.position
        return Fault(position=wanted, said=f"nothing stands here; the next event is at position {later}")

    def _said_of(self, row: RawEvent) -> str:
        try:
            return self._what_is_wrong(row)
        except (TypeError, ValueError) as error:
            return f"the row cannot be read: {error}"

    def _what_is_wrong(self, row: RawEvent) -> str:
        """Empty when the row is what must stand at this position; then its stream has moved on."""
        if row.stream not in self.kinds:
            return f"its stream {row.stream.decode(errors='replace')} is not there"
        version, previous = self.heads.get(row.stream) or self._start_of(row)
        if row.version != version + 1:
            return f"version {row.version} of its stream stands where {version + 1} must follow"
        if row.fields[0] not in RECIPES:
            return f"hashed by an unknown recipe {row.fields[0].decode(errors='replace')}"
        digest = event_hash(previous, self.position, content_digest(row.fields))
        said = _hash_fault(row, digest) or _note_fault(row)
        if not said:
            self.heads[row.stream] = (version + 1, digest)
            # Behind the last seal no root is compared.
            if self.seals:
                self.leaves.append(digest)
        return said

    def _start_of(self, row: RawEvent) -> tuple[int, bytes]:
        """Where a stream stood before the walk first met it: at its birth, or where a trusted seal covers it."""
        if row.version == 1:
            return 0, genesis(self.club.encode(), row.stream, self.kinds[row.stream])
        before = raw.hash_at(self.club, row.stream, row.version - 1) if self.position else None
        return (row.version - 1, before) if before else (0, b"")

    def _root_fault(self) -> str:
        """Compare a seal's root once its last event has come by."""
        if not self.seals or self.position != self.seals[0].end:
            return ""
        seal, self.seals = self.seals[0], self.seals[1:]
        leaves, self.leaves = self.leaves, []
        was_torn, self.is_torn = self.is_torn, False
        if was_torn or merkle_root(leaves) == seal.root:
            return ""
        return f"the seal over {seal.start} to {seal.end} has another root"


def _hash_fault(row: RawEvent, digest: bytes) -> str:
    if row.hash != digest:
        return "the hash does not fit: a column of this event, or of one before it in its stream, was changed"
    if row.id != event_id(row.position, digest).hex().encode():
        return "the id does not fit the hash"
    return ""


def _note_fault(row: RawEvent) -> str:
    """A note may be gone; one that is there must be the one that was written."""
    if row.note is None:
        return ""
    if not row.note_digest or note_digest(row.salt or b"", row.note) != row.note_digest:
        return "the note beside it is not the one that was written"
    return ""


def _seal_faults(club: str, seals: Sequence[RawSeal]) -> Iterator[Fault]:
    """Seals follow each other without a gap, each naming the hash of the one before."""
    end, previous = 0, FIRST_PREVIOUS
    for seal in seals:
        content = (seal.start, seal.end, seal.root, seal.previous, seal.sealed_at.decode(errors="replace"))
        digest = seal_hash(club.encode(), content)
        if seal.start != end + 1 or seal.previous != previous:
            yield Fault(position=end + 1, said="a seal is missing or does not follow the one before")
            return
        if seal.hash != digest or seal.id != digest[:16].hex().encode():
            yield Fault(position=seal.start, said=f"the seal over {seal.start} to {seal.end} was changed")
            return
        end, previous = seal.end, digest


def _end_faults(club: str, end: int, seals: Sequence[RawSeal], *, is_whole: bool) -> Iterator[Fault]:
    """Nothing may be cut off behind the last event, and no stream may name another end than it has."""
    head = raw.head_position(club) or 0
    if head != end:
        yield Fault(position=end + 1, said=f"the log ends here, the club's head says {head}")
    elif seals and seals[-1].end > end:
        yield Fault(position=end + 1, said=f"the log ends here, a seal covers it up to {seals[-1].end}")
    elif is_whole:
        # Only now: with a tail cut off or a fact moved, streams are off their heads too, and would hide where.
        for stream, position in raw.streams_off_their_head(club):
            name = stream.decode(errors="replace")
            yield Fault(position=position, said=f"stream {name} does not end where its own row says")


def missing_fingerprint(noted: str) -> str:
    """What to say of a noted fingerprint that nothing in the log has; empty where a seal or an event has it."""
    number, _, groups = noted.strip().partition("-")
    try:
        at, prefix = int(number), bytes.fromhex(groups.replace("-", ""))
    except ValueError:
        return f"{noted!r} is no fingerprint"
    # Databases fail over a number that is wider than their columns.
    is_ours = 0 <= at <= MOST_POSITION and len(prefix) * 2 == FINGERPRINT_DIGITS
    if not (is_ours and raw.knows_fingerprint(at, prefix)):
        return f"nothing in the log has the fingerprint {noted}: history was changed or its end cut off"
    return ""
