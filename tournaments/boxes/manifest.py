"""The manifest of a box: what is in it, by whom it was made, and by what a changed one is found.

The manifest has the SHA-256 of each part. Its own bytes are signed with the installation's key (HMAC), which only that
installation can check; to another one the sender reads out the box's code, the beginning of the manifest's SHA-256. The
file ends with the SHA-256 of everything before it, so that damage is found even where no part is hit.
"""

import hashlib
import socket
from functools import cache
from hmac import compare_digest
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import IO
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils.crypto import salted_hmac

from scoring.events.hashes import short_form

FORMAT = 1
MANIFEST, SIGNATURE = "manifest.json", "signature"
END, DIGEST_SIGNS = b"rummybox ", 64
CHUNK = 1 << 20
# Applications whose tables are in a box.
APPS = ("scoring", "tournaments")


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of the box: how long it is, its digest, and how many rows of each kind it has."""

    lines: int
    bytes: int
    sha256: str
    rows: dict[str, int]


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is in the box: the club, the end of its log, and its parts. `schema` is the last migration of each app."""

    format: int
    program: str
    schema: dict[str, str]
    club: UUID
    name: str
    slug: str
    made_at: str
    made_by: str
    position: int
    head: str
    fingerprint: str
    parts: dict[str, Part]

    def rows(self, kind: str) -> int:
        """How many rows of a kind are in the box."""
        return sum(part.rows.get(kind, 0) for part in self.parts.values())


class Format(msgspec.Struct, frozen=True):
    """What every manifest says, of whatever release."""

    format: int


def signature_of(manifest: bytes, key: str = "") -> str:
    """What this installation signs a manifest with, in hex."""
    return salted_hmac("rummy box", manifest, secret=key or settings.SECRET_KEY, algorithm="sha256").hexdigest()


def is_signed_here(manifest: bytes, signature: str) -> bool:
    """Whether this installation has signed a manifest, with its key or an earlier one."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(compare_digest(signature_of(manifest, key).encode(), signature.encode()) for key in keys)


def code_of(manifest: bytes) -> str:
    """The code by which another installation knows the box, as `3F9A-11C0-77AB-02DE`."""
    return short_form(hashlib.sha256(manifest).digest())


def is_code(manifest: bytes, code: str) -> bool:
    """Whether a typed code is that of a manifest."""
    typed = "".join(sign for sign in code.upper() if sign.isalnum())
    return compare_digest(code_of(manifest).replace("-", "").encode(), typed.encode())


@cache
def schema() -> dict[str, str]:
    """The last migration of each application that this code knows."""
    return {app: max(migrations(app)) for app in APPS}


@cache
def migrations(app: str) -> frozenset[str]:
    """The names of all migrations of an application that this code knows."""
    folder = Path(import_module(f"{app}.migrations").__path__[0])
    return frozenset(name for _, name, _ in iter_modules([str(folder)]) if name[0].isdigit())


def installation() -> str:
    """The name of this installation: where its public pages are, else the machine."""
    return settings.PUBLISH_SITE or socket.gethostname()


def finish(file: IO[bytes]) -> None:
    """Write the digest of the whole file into its end, for which the digest's place was kept."""
    file.seek(-DIGEST_SIGNS, 2)
    end = file.tell()
    digest = digest_up_to(file, end)
    file.seek(end)
    file.write(digest.encode())


def digest_up_to(file: IO[bytes], end: int) -> str:
    """The SHA-256 of the first bytes of a file, in hex."""
    digest, left = hashlib.sha256(), end
    file.seek(0)
    while left and (chunk := file.read(min(CHUNK, left))):
        digest.update(chunk)
        left -= len(chunk)
    return digest.hexdigest()
