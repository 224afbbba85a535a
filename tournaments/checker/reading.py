"""Checks a night's log that a club gave away: on your own computer, with nothing but Python 3.9 or a later one.

    python3 verify.py night.jsonl
    python3 verify.py night.jsonl 17-3F9A-11C0-77AB-02DE

It says whether the log hangs together, whether it has the fingerprints that you noted, and what it counts at each
table. It ends with 0 where all is well, 1 where something does not match, 2 where there was nothing to check. It takes
no file at its word: what is too long, too deep or no text is named, and nothing of it moves your terminal.
"""

from __future__ import annotations

import json
import os
import struct
import sys
from collections import Counter
from typing import Any

from scoring.events.hashes import FINGERPRINT_DIGITS

MOST_PRINTED, MOST_DIGITS = 300, 19
MOST_BYTES, MOST_IN_A_LINE, MOST_LINES, MOST_BRACKETS, MOST_BROKEN = 2**28, 2**25, 1_000_000, 20_000, 1_000
HEX = frozenset("0123456789abcdef")
BROKEN = (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError, struct.error)


class Unusable(Exception):
    """The file contains nothing that could be checked."""


class LogFile:
    """What was read of a log, and everything in it that does not match."""

    def __init__(self) -> None:
        self.read = 0
        self.head: dict[str, Any] = {}
        self.lines: list[tuple[int, dict[str, Any]]] = []
        self.tables: dict[str, str] = {}
        self.places: dict[str, tuple[int, int]] = {}
        self.taken: set[tuple[int, int]] = set()
        self.boards: set[str] = set()
        self.unplaced = 0
        self.faults: list[str] = []
        self.events: dict[str, list[dict[str, Any]]] = {}
        self.hashes: dict[int, bytes] = {}
        self.positions: list[int] = []
        self.seals: list[dict[str, Any]] = []
        self.hidden: Counter[str] = Counter()

    def of(self, kind: str) -> list[tuple[int, dict[str, Any]]]:
        """The lines of one kind, with their numbers in the file."""
        return [(number, line) for number, line in self.lines if line.get("line") == kind]

    def name(self, stream: str) -> str:
        """The name of a stream for people."""
        return self.tables.get(stream, "the tournament's own list")

    @property
    def last(self) -> int:
        """The position of the last event."""
        return max(self.hashes, default=0)


def read(path: str) -> LogFile:
    """The lines of a log. A line that cannot be read is a fault; a file that is not a log raises Unusable."""
    log_file = LogFile()
    try:
        with open(path, "rb", opener=_opener) as file:
            _read_lines(log_file, path, file)
    except (OSError, ValueError) as error:
        raise Unusable(f"{path} cannot be read ({getattr(error, 'strerror', None) or error})") from error
    heads = [line for _, line in log_file.lines if line["line"] in ("log", "seals")]
    if len(heads) != 1 or not is_id(heads[0].get("club")):
        raise Unusable(
            f"{path} is no log of a tournament and no list of seals, or not a whole one: its head is missing"
        )
    log_file.head = heads[0]
    if log_file.head.get("format") != 1:
        raise Unusable(f"{path} is of the format {log_file.head.get('format')!r}; this script knows format 1")
    return log_file


def _opener(path: str, flags: int) -> int:
    """Open a file. A pipe without a writer is read as empty instead of blocking."""
    waits_for_nobody = getattr(os, "O_NONBLOCK", 0)
    number = os.open(path, flags | waits_for_nobody)
    if waits_for_nobody:
        os.set_blocking(number, True)
    return number


def _read_lines(log_file: LogFile, path: str, file: Any) -> None:
    """Read line by line, with a limit on each line's length."""
    bytes_left = MOST_BYTES
    for _ in range(MOST_LINES):
        raw = file.readline(min(bytes_left, MOST_IN_A_LINE) + 1)
        if not raw:
            return
        bytes_left -= len(raw)
        if bytes_left < 0 or len(raw) > MOST_IN_A_LINE:
            raise Unusable(f"{path} is no log: it, or line {log_file.read + 1} of it, is longer than that of any night")
        if raw.strip():
            log_file.read += 1
            _read_line(log_file, raw)
        if len(log_file.faults) > MOST_BROKEN:
            raise Unusable(f"{path} is no log: {MOST_BROKEN} lines of it cannot be read")
    raise Unusable(f"{path} is no log: it has more than {MOST_LINES} lines")


def _read_line(log_file: LogFile, raw: bytes) -> None:
    try:
        if raw.count(b"[") + raw.count(b"{") > MOST_BRACKETS:
            raise ValueError
        line = parsed(raw.decode())
        leaves = line.get("leaves", [])
        if type(line["line"]) is not str or any(type(leaf) is not str or len(leaf) != 64 for leaf in leaves):
            raise ValueError
        log_file.lines.append((log_file.read, line))
    except BROKEN:
        log_file.faults.append(f"line {log_file.read} of the file cannot be read: it was changed or cut")


def parsed(text: str) -> Any:
    """JSON without duplicate names or oversized numbers."""
    return json.loads(text, object_pairs_hook=_once, parse_int=_whole, parse_float=_none, parse_constant=_none)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name comes twice")
    return fields


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number is too long")
    return int(digits)


def _none(text: str) -> Any:
    raise ValueError("a log has whole numbers only")


def is_id(value: Any) -> bool:
    return type(value) is str and len(value) == 32 and set(value) <= HEX


def fingerprint_of(text: str) -> tuple[int, bytes]:
    """A fingerprint as it was typed: its number, and the first 64 bits of a hash."""
    number, _, letters = "".join(text.split()).replace("\u2013", "-").partition("-")
    try:
        at, prefix = _whole(number), bytes.fromhex(letters.replace("-", ""))
    except ValueError:
        at, prefix = 0, b""
    if len(prefix) * 2 != FINGERPRINT_DIGITS:
        raise Unusable(f"{text!r} is no fingerprint; one looks like 17-3F9A-11C0-77AB-02DE")
    return at, prefix


def print_line(text: str) -> None:
    """Print a line of plain letters.

    Text from a file must not control the terminal, and a letter that the terminal lacks must not end the script.
    """
    printable = "".join(sign if sign.isprintable() else "?" for sign in text[:MOST_PRINTED])
    letters = sys.stdout.encoding or "ascii"
    sys.stdout.write(
        printable.encode(letters, "replace").decode(letters) + ("...\n" if len(text) > MOST_PRINTED else "\n")
    )
