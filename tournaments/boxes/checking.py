"""Opens a box and reads every line of it without trusting anything, before a row of it is stored.

A problem names its place: the part, the line, the field. Nothing is unpacked to the disk: the names of the parts are
known, and any other is refused. No line, no part and no manifest is read beyond the length that it may have.
"""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import IO, Any, NamedTuple, cast
from uuid import UUID

import msgspec

from scoring.ledger.carrying import POSTINGS
from scoring.messages import Message, say
from scoring.problems import Problem, RuleError, shown
from scoring.storage.row_lines import Misfit
from tournaments.boxes.contents import CARRIED, CLUB, ENTRY, EVENT, PARTS, Kind
from tournaments.boxes.manifest import (
    DIGEST_SIGNS,
    END,
    FORMAT,
    MANIFEST,
    SIGNATURE,
    Format,
    Manifest,
    code_of,
    digest_up_to,
    is_code,
    is_signed_here,
    migrations,
)
from tournaments.boxes.packing import ROW
from tournaments.log.carrying import NOTES

MOST_PROBLEMS = 20
# What problems of no part are about.
BOX = "box"
MOST_MANIFEST, MOST_SIGNATURE = 200_000, 100
# A seating draft of four million signs, each written as an escape of six.
MOST_LINE = 32_000_000
# Text of the same few words is packed a hundredfold; deflate itself could do a thousandfold.
MOST_PACKED, PACKED_FREELY = 300, 1_000_000
# The fixed end of a zip file, before its comment: the end of a box.
_END_OF_ZIP = 22
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)
_KINDS = {kind.name: (number, kind) for number, kind in enumerate(CARRIED)}
# The kinds of streams whose id is that of a row.
_ROW_OF_STREAM = {"table": "tournaments.table", "tournament": "tournaments.tournament"}


class BoxRefused(RuleError):
    """The box cannot be brought in, or not into this installation: nothing was stored."""

    code = "box_refused"


class Row(NamedTuple):
    """One row of a box: where it is, its kind, and its values by column."""

    line: int
    kind: Kind
    values: dict[str, Any]


@dataclass
class Problems:
    """What is wrong with a box, each with its place: up to `most`, as many as a person reads."""

    most: int = MOST_PROBLEMS
    found: list[Problem] = field(default_factory=list)

    def add(self, why: Message, *, part: str, line: int = 0, column: str = "", code: str = "damaged") -> None:
        """Add a problem. Raises BoxRefused with the last one that is listed."""
        if line and column:
            text = say("{part}, line {number}, {field}: {why}", part=part, number=line, field=column, why=why)
        elif line:
            text = say("{part}, line {number}: {why}", part=part, number=line, why=why)
        else:
            text = say("{part}: {why}", part=part, why=why)
        place = ":".join(str(piece) for piece in (part, line or "", column) if piece)
        self.found.append(Problem(code, text, field=place))
        if len(self.found) >= self.most:
            self.refuse()

    def refuse(self) -> None:
        """Raise BoxRefused if there are any."""
        if self.found:
            raise BoxRefused(self.found)


@dataclass(frozen=True)
class Box:
    """An open box whose manifest is trusted. `is_damaged`: the file is not as it was written, wherever that is."""

    archive: zipfile.ZipFile
    manifest: Manifest
    code: str
    is_damaged: bool

    def rows(self, part: str, problems: Problems) -> Iterator[Row]:
        """The rows of a part that can be read; what cannot is a problem."""
        stated = self.manifest.parts[part]
        digest, size, order, number = hashlib.sha256(), 0, 0, 0
        decoder = msgspec.json.Decoder()
        for number, line in _lines(self.archive, part, problems):
            digest.update(line)
            size += len(line)
            if size > stated.bytes:
                problems.add(say("longer than the manifest says"), part=part, line=number)
                return
            try:
                record = decoder.decode(line)
                place, kind = _KINDS[record.pop(ROW)]
            except (msgspec.DecodeError, ValueError, RecursionError, LookupError, TypeError, AttributeError):
                problems.add(say("cannot be read"), part=part, line=number)
                continue
            if kind.part != part or place < order:
                problems.add(say("this row is not at its place"), part=part, line=number)
                continue
            order = place
            misfits: list[Misfit] = []
            values = _values(kind, record, misfits)
            for name, why in misfits:
                problems.add(why, part=part, line=number, column=name)
            if not misfits:
                yield Row(number, kind, values)
        if digest.hexdigest() != stated.sha256 or number != stated.lines:
            problems.add(say("not as it was written: its digest is another one"), part=part)


@dataclass
class _Seen:
    """The keys of all rows but events, and what refers to keys that were not there yet."""

    keys: dict[str, set[Any]] = field(default_factory=dict)
    pending: list[tuple[str, str, int, str, Any]] = field(default_factory=list)
    position: int = 0
    clubs: set[UUID] = field(default_factory=set)

    def misfits(self, row: Row) -> Iterator[tuple[Message, str]]:
        """What is wrong with a row in its place among the others, and the column."""
        kind, values = row.kind, row.values
        if kind.name == EVENT:
            if values["position"] != self.position + 1:
                yield say("position {number} must follow", number=self.position + 1), "position"
            self.position = values["position"]
        else:
            keys = self.keys.setdefault(kind.name, set())
            key = itemgetter(*kind.key)(values)
            if key in keys:
                yield say("{typed} is in the box twice", typed=shown(_text(key))), kind.key[0]
            keys.add(key)
        if kind.name == "tournaments.club":
            self.clubs.add(values["id"])
        for column, target in kind.refers.items():
            self._refer(row, column, target, values.get(column))
        if kind.name == "tournaments.stream" and values["kind"] in _ROW_OF_STREAM:
            self._refer(row, "id", _ROW_OF_STREAM[values["kind"]], values["id"])
        for posting in values.get("postings", ()):
            self._refer(row, "postings", "scoring.account", posting["account_id"])

    def missing(self) -> Iterator[tuple[str, int, str, Any]]:
        """The places that refer to a row that is not in the box, with its key."""
        for target, part, line, column, value in self.pending:
            if value not in self.keys.get(target, ()):
                yield part, line, column, _text(value)

    def _refer(self, row: Row, column: str, target: str, value: Any) -> None:
        if value is not None and value not in self.keys.get(target, ()):
            self.pending.append((target, row.kind.part, row.line, column, value))


@dataclass
class CheckedRows:
    """The rows of an open box, each checked in its place among the others as it is read: part by part, in order."""

    box: Box
    problems: Problems
    seen: _Seen = field(default_factory=_Seen)

    def of(self, part: str) -> Iterator[Row]:
        """The rows of a part that can be read. What is wrong with one is a problem before it is yielded."""
        for row in self.box.rows(part, self.problems):
            for why, column in self.seen.misfits(row):
                self.problems.add(why, part=part, line=row.line, column=column, code="inconsistent")
            yield row
        if part == CLUB and self.seen.clubs != {self.box.manifest.club}:
            self.problems.add(say("it has another club than the manifest"), part=part, code="inconsistent")

    def finish(self) -> None:
        """After all parts: check what only the whole box can tell. Raises BoxRefused if anything is wrong."""
        problems, seen = self.problems, self.seen
        # What refers to a row that could not be read says nothing new.
        for part, line, column, value in () if problems.found else seen.missing():
            why = say("{typed} is not in the box", typed=shown(value))
            problems.add(why, part=part, line=line, column=column, code="inconsistent")
        if seen.position != self.box.manifest.position:
            why = say("the log ends at {number}", number=seen.position)
            problems.add(why, part=MANIFEST, column="position", code="inconsistent")
        if self.box.is_damaged and not problems.found:
            problems.add(say("changed or damaged since it was written, outside its parts"), part=BOX)
        problems.refuse()


def check(box: Box) -> None:
    """Read every line. Raises BoxRefused with every problem, up to some twenty."""
    rows = CheckedRows(box, Problems())
    for part in PARTS:
        for _ in rows.of(part):
            pass
    rows.finish()


def _text(key: Any) -> str:
    return ", ".join(map(_text, key)) if isinstance(key, tuple) else key.hex if isinstance(key, UUID) else str(key)


def _values(kind: Kind, record: dict[str, Any], misfits: list[Misfit]) -> dict[str, Any]:
    """The values of a row by column, with the note of an event and the postings of an entry."""
    note = record.pop("note", None) if kind.name == EVENT else None
    postings = record.pop("postings", None) if kind.name == ENTRY else None
    values = kind.format.values(record, misfits)
    if isinstance(note, dict):
        values["note"] = NOTES.values(note, misfits)
    elif note is not None:
        misfits.append(_unread("note"))
    if kind.name == ENTRY:
        if isinstance(postings, list) and all(isinstance(posting, dict) for posting in postings):
            values["postings"] = [POSTINGS.values(posting, misfits) for posting in postings]
        else:
            misfits.append(_unread("postings"))
    if not misfits:
        kind.clean(values, misfits)
    return values


def _unread(name: str) -> Misfit:
    return name, say("cannot be read")


@contextmanager
def opened(path: Path, *, code: str = "") -> Iterator[Box]:
    """Open a box that this installation signed, or whose `code` the sender gave. Raises BoxRefused."""
    problems = Problems()
    try:
        file = path.open("rb")
    except OSError as error:
        raise BoxRefused([Problem("no_file", say("{why}", why=error.strerror or str(error)), field="file")]) from error
    with file:
        box = _open(file, code, problems)
        problems.refuse()
        if box is not None:
            yield box


def _open(file: IO[bytes], code: str, problems: Problems) -> Box | None:
    end = file.seek(0, 2) - DIGEST_SIGNS
    start_of_end = end - len(END) - _END_OF_ZIP
    tail = b""
    if start_of_end >= 0:
        file.seek(start_of_end)
        tail = file.read()
    if not (tail.startswith(b"PK\x05\x06") and tail[_END_OF_ZIP:].startswith(END)):
        problems.add(say("this is not a box, or its end was cut off"), part=BOX)
        return None
    is_damaged = digest_up_to(file, end).encode() != tail[-DIGEST_SIGNS:]
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN:
        problems.add(say("the list of its parts cannot be read"), part=BOX)
        return None
    _check_names(archive, problems)
    if problems.found:
        return None
    text = _bounded(archive, MANIFEST, MOST_MANIFEST, problems)
    signature = _bounded(archive, SIGNATURE, MOST_SIGNATURE, problems)
    if problems.found:
        return None
    manifest = _manifest(text, problems)
    if manifest is None:
        return None
    is_signed = not code and is_signed_here(text, signature.decode(errors="replace"))
    if not (is_signed or is_code(text, code)):
        why, reason = _why_not_trusted(manifest, code, is_damaged=is_damaged)
        problems.add(why, part=MANIFEST, code=reason)
    _check_parts(archive, manifest, problems)
    return Box(archive=archive, manifest=manifest, code=code_of(text), is_damaged=is_damaged)


def _check_names(archive: zipfile.ZipFile, problems: Problems) -> None:
    """Exactly the known parts are there, each once, and each a plain file."""
    expected, names = {MANIFEST, SIGNATURE, *PARTS}, [entry.filename for entry in archive.infolist()]
    for entry in archive.infolist():
        name, mode = entry.orig_filename, entry.external_attr >> 16
        where = str(shown(name))
        if name.startswith(("/", "\\")) or name[1:2] == ":":
            problems.add(say("{name} is an absolute name", name=where), part=BOX, code="unsafe_name")
        elif ".." in name.replace("\\", "/").split("/"):
            problems.add(say("{name} leads out of the box", name=where), part=BOX, code="unsafe_name")
        elif mode and mode & 0o170000 not in (0, 0o100000):
            problems.add(say("{name} is a link or no file", name=where), part=BOX, code="unsafe_name")
        elif name not in expected:
            problems.add(say("{name} belongs to no box", name=where), part=BOX, code="unsafe_name")
        elif entry.flag_bits & 1 or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            problems.add(say("{name} is packed in an unknown way", name=where), part=BOX)
    for name in sorted(expected):
        if names.count(name) != 1:
            why = say("missing") if name not in names else say("is in the box twice")
            problems.add(why, part=name)


def _manifest(text: bytes, problems: Problems) -> Manifest | None:
    try:
        found = msgspec.json.decode(text, type=Format).format
        if found > FORMAT:
            why = say("format {number}; this version reads up to {most}: update first", number=found, most=FORMAT)
            problems.add(why, part=MANIFEST, code="too_new")
            return None
        manifest = msgspec.json.decode(text, type=Manifest)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        problems.add(say("cannot be read: {why}", why=str(error)[:200]), part=MANIFEST)
        return None
    for app, name in manifest.schema.items():
        if app not in ("scoring", "tournaments") or name not in migrations(app):
            why = say("made by a newer version, which has {name}: update first", name=str(shown(f"{app} {name}")))
            problems.add(why, part=MANIFEST, column="schema", code="too_new")
    return manifest


def _why_not_trusted(manifest: Manifest, code: str, *, is_damaged: bool) -> tuple[Message, str]:
    """Why a manifest that is not signed here does not count, and the code of the problem."""
    if is_damaged:
        return say("changed or damaged since it was written"), "damaged"
    if code:
        return say("the code is another one: it is not that box, or it was changed"), "code"
    made_by = str(shown(manifest.made_by))
    return say("not signed here, but by {name}: enter the code that was shown with the box", name=made_by), "code"


def _check_parts(archive: zipfile.ZipFile, manifest: Manifest, problems: Problems) -> None:
    """Each part is as long as the manifest says, and not packed more than text can be."""
    if set(manifest.parts) != set(PARTS):
        problems.add(say("lists other parts"), part=MANIFEST, code="inconsistent")
        return
    for name, part in manifest.parts.items():
        entry = archive.getinfo(name)
        if entry.file_size != part.bytes:
            why = say("{number} bytes long; the manifest says {most}", number=entry.file_size, most=part.bytes)
            problems.add(why, part=name)
        if entry.file_size > PACKED_FREELY and entry.file_size > MOST_PACKED * entry.compress_size:
            problems.add(say("far larger than it is packed"), part=name, code="too_large")


def _bounded(archive: zipfile.ZipFile, name: str, most: int, problems: Problems) -> bytes:
    try:
        with archive.open(name) as file:
            text = file.read(most + 1)
    except _BROKEN:
        problems.add(say("cannot be read"), part=name)
        return b""
    if len(text) > most:
        problems.add(say("longer than {most} bytes", most=most), part=name, code="too_large")
    return text


def _lines(archive: zipfile.ZipFile, part: str, problems: Problems) -> Iterator[tuple[int, bytes]]:
    """The lines of a part with their numbers, as far as they can be unpacked."""
    number = 0
    try:
        with archive.open(part) as packed, io.BufferedReader(cast("Any", packed), 1 << 18) as file:
            for number in count(1):
                line = file.readline(MOST_LINE)
                if not line:
                    return
                if not line.endswith(b"\n"):
                    problems.add(say("the line is cut off, or too long"), part=part, line=number)
                    return
                yield number, line
    except _BROKEN:
        problems.add(say("cannot be unpacked"), part=part, line=number)
