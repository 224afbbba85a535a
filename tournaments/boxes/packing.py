"""Writes a box while the club plays on: everything as of one position of its log, with little memory."""

import hashlib
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO
from uuid import UUID

import msgspec

from tournaments import log
from tournaments.boxes.contents import CARRIED, Kind
from tournaments.boxes.manifest import (
    DIGEST_SIGNS,
    END,
    FORMAT,
    MANIFEST,
    SIGNATURE,
    Manifest,
    Part,
    code_of,
    finish,
    installation,
    schema,
    signature_of,
)
from tournaments.log.carrying import end_of
from tournaments.log.parts import one_snapshot
from tournaments.models import Club
from tournaments.release import release_stamp
from tournaments.transient_errors import written_below

ROW = "row"
# A fixed moment: two boxes of one state differ in their manifests alone.
ZERO = (1980, 1, 1, 0, 0, 0)
LEVEL = 6
# How many rows are written.
Report = Callable[[int], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A box that was written: its manifest, and the code by which another installation knows it."""

    manifest: Manifest
    code: str


def pack(club_id: UUID, file: IO[bytes], *, now: datetime, report: Report = lambda rows: None) -> Packed:
    """Write a club's box to an empty file that can be read and written at any place. The log is sealed before.

    Everything is read in one snapshot: what is saved meanwhile is not in it, and nobody waits.
    """
    log.seal_club(club_id, now)
    with one_snapshot():
        club = Club.objects.get(pk=club_id)
        position, head = end_of(club_id)
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
            parts = {
                name: _write_part(archive, name, club_id, list(kinds), report)
                for name, kinds in groupby(CARRIED, key=lambda kind: kind.part)
            }
            manifest = Manifest(
                format=FORMAT,
                program=release_stamp(),
                schema=schema(),
                club=club_id,
                name=club.name,
                slug=club.slug,
                made_at=now.isoformat(),
                made_by=installation(),
                position=position,
                head=head,
                fingerprint=log.club_fingerprint(club_id),
                parts=parts,
            )
            text = msgspec.json.format(msgspec.json.encode(manifest), indent=1)
            archive.writestr(_entry(MANIFEST), text)
            archive.writestr(_entry(SIGNATURE), signature_of(text))
            archive.comment = END + b"0" * DIGEST_SIGNS
    finish(file)
    return Packed(manifest=manifest, code=code_of(text))


def _write_part(archive: zipfile.ZipFile, name: str, club_id: UUID, kinds: list[Kind], report: Report) -> Part:
    encoder, digest, size = msgspec.json.Encoder(), hashlib.sha256(), 0
    counts = dict.fromkeys((kind.name for kind in kinds), 0)
    with archive.open(_entry(name), "w", force_zip64=True) as part:
        for kind in kinds:
            for number, record in enumerate(kind.records(club_id), start=1):
                line = encoder.encode({ROW: kind.name, **record}) + b"\n"
                part.write(line)
                digest.update(line)
                size += len(line)
                counts[kind.name] = number
            report(counts[kind.name])
    return Part(lines=sum(counts.values()), bytes=size, sha256=digest.hexdigest(), rows=counts)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, ZERO)
    entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, 0o600 << 16, 3
    return entry


def file_name(club: Club, now: datetime) -> str:
    """The name of a box: the club and the moment, in UTC."""
    return f"{club.slug}-{now:%Y%m%dT%H%M%SZ}.rummybox"


@contextmanager
def box_file(out: Path) -> Iterator[IO[bytes]]:
    """A new file for a box, which its owner alone can read; it has its name only once it is whole and on the disk."""
    with (
        written_below(out.parent),
        NamedTemporaryFile(dir=out.parent, prefix=f".{out.name}-", delete=False) as file,
    ):
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(file.name, out)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
