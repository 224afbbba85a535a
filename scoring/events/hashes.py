"""How events and seals are hashed, so that a change to any byte is noticed. Stored hashes must verify for ever.

Used wherever something is hashed or verified, also by the script that visitors download (`tournaments.checker`): so
this is Python 3.9 with only the standard library. docs/decisions/0003-log-hash-covers-every-column.md has the reasons.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Sequence

# Key, request digest, actor and device, among the fields of an event: who wrote it is not published.
WHO = slice(6, 10)
FINGERPRINT_DIGITS = 16


def genesis(club: bytes, stream: bytes, kind: bytes) -> bytes:
    """The hash before a stream's first event: it binds the stream to its club and kind."""
    return framed_digest([b"rummy stream", club, stream, kind])


def content_digest(fields: Sequence[bytes]) -> bytes:
    """The digest of all fields of an event but its position, by the recipe that its first field names.

    All lengths first, then all fields: no two different events have the same bytes.
    """
    if fields[0] == b"2":
        return shown_digest([*fields[: WHO.start], framed_digest(fields[WHO]), *fields[WHO.stop :]])
    return hashlib.sha256(struct.pack(">14I", *map(len, fields)) + b"".join(fields)).digest()


def shown_digest(fields: Sequence[bytes]) -> bytes:
    """The digest of recipe 2, from the public fields: who wrote the event is replaced by a digest."""
    return hashlib.sha256(struct.pack(">11I", *map(len, fields)) + b"".join(fields)).digest()


def event_hash(previous: bytes, position: int, content: bytes) -> bytes:
    """An event's hash: over its predecessor in the stream, its position in the club, and its content."""
    return hashlib.sha256(previous + struct.pack(">q", position) + content).digest()


def event_id(position: int, digest: bytes) -> bytes:
    """An event's id: its position and the beginning of its hash. So ids have the same order as events."""
    return struct.pack(">q", position) + digest[:8]


def note_digest(salt: bytes, text: bytes) -> bytes:
    """The digest of a note in the log. The salt keeps a short erased note from being guessed."""
    return hashlib.sha256(salt + text).digest()


def seal_hash(club: bytes, covers: tuple[int, int], root: bytes, previous: bytes, sealed_at: bytes) -> bytes:
    """A seal's own hash, over every column of it; it covers the positions from the first to the second."""
    return framed_digest([b"rummy seal", club, b"%d" % covers[0], b"%d" % covers[1], root, previous, sealed_at])


def framed_digest(fields: Sequence[bytes]) -> bytes:
    """SHA-256 over any number of fields, each with its length in front."""
    return hashlib.sha256(b"".join(struct.pack(">I", len(field)) + field for field in fields)).digest()


def merkle_root(leaves: Iterable[bytes]) -> bytes:
    """The root of RFC 6962 over these leaves; empty bytes without leaves, which no seal has."""
    tree = MerkleTree()
    for leaf in leaves:
        tree.add(leaf)
    return tree.root()


class MerkleTree:
    """The tree of RFC 6962, built leaf by leaf. Holds only the roots of its complete subtrees, never all leaves."""

    __slots__ = ("_halves",)

    def __init__(self) -> None:
        self._halves: list[tuple[int, bytes]] = []

    def add(self, leaf: bytes) -> None:
        """Add a leaf."""
        size, digest, halves = 1, hashlib.sha256(b"\x00" + leaf).digest(), self._halves
        while halves and halves[-1][0] == size:
            size, digest = size * 2, hashlib.sha256(b"\x01" + halves.pop()[1] + digest).digest()
        halves.append((size, digest))

    def root(self) -> bytes:
        """The root over all leaves so far; empty bytes without leaves."""
        digest = b""
        for _, half in reversed(self._halves):
            digest = hashlib.sha256(b"\x01" + half + digest).digest() if digest else half
        return digest


def short_form(digest: bytes) -> str:
    """The first 64 bits, in four groups that can be read aloud."""
    digits = digest.hex().upper()[:FINGERPRINT_DIGITS]
    return "-".join(digits[at : at + 4] for at in range(0, FINGERPRINT_DIGITS, 4))
