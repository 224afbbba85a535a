"""The rules on the command line: one case per line in, one answer per line out, no database and no framework.

Rules: docs/events.md, "Replay" and "Refusals". A refused line is answered with its problems and the run continues; the
exit status is 1 when any line was refused.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Protocol, cast

from scoring.lines import MOST_BYTES, Answer, answered, described_variants, hand_line, replay_line, show_line

CHUNK = 65_536
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ALL_ACCEPTED, SOME_REFUSED = 0, 1

LINE_COMMANDS: dict[str, Callable[[Any], Answer]] = {
    "hand": hand_line,
    "show": show_line,
    "replay": replay_line,
}

HELP = {
    "variants": "every variant with its house options",
    "hand": "count losing hands",
    "show": "judge shows",
    "replay": "fold the events of tables",
}


class Source(Protocol):
    """A source of bytes: returns what is there already, or waits for more."""

    def read1(self, size: int, /) -> bytes: ...


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command on the standard streams."""
    parser = argparse.ArgumentParser(prog="python -m scoring", description="The rules of rummy, without a database.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, text in HELP.items():
        commands.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    command = parser.parse_args(arguments).command
    if command == "variants":
        _write(sys.stdout.buffer, described_variants())
        return ALL_ACCEPTED
    return run_lines(LINE_COMMANDS[command], cast(Source, sys.stdin.buffer), sys.stdout.buffer)


def run_lines(command: Callable[[Any], Answer], source: Source, sink: BinaryIO) -> int:
    """Answer every line that is not blank, in order; 1 when any was refused.

    Answers are flushed before we wait for more input: an interactive reader gets them at once, and a long file is not
    written in small pieces.
    """
    status = ALL_ACCEPTED
    for line in _lines(source, before_waiting=sink.flush):
        answer = answered(command, line)
        if answer.keys() == {"problems"}:
            status = SOME_REFUSED
        _write(sink, answer)
    sink.flush()
    return status


def _lines(source: Source, *, before_waiting: Callable[[], None]) -> Iterator[bytes]:
    """Lines without their ends, blank ones skipped. One that is too long to read is still too long."""
    mark = BYTE_ORDER_MARK
    for line in _pieces(source, before_waiting):
        stripped, mark = line.removeprefix(mark).strip(), b""
        if len(line) > MOST_BYTES:
            yield line
        elif stripped:
            yield stripped


def _pieces(source: Source, before_waiting: Callable[[], None]) -> Iterator[bytes]:
    """The text between line ends. Of an overlong line no more is kept than shows that it is one."""
    line = bytearray()
    while chunk := source.read1(CHUNK):
        *ended, begun = chunk.split(b"\n")
        for part in ended:
            line += part[: MOST_BYTES + 1 - len(line)]
            yield bytes(line)
            line.clear()
        line += begun[: MOST_BYTES + 1 - len(line)]
        before_waiting()
    yield bytes(line)


def _write(sink: BinaryIO, answer: object) -> None:
    sink.write(WRITER.encode(answer).encode() + b"\n")


# Made once: a writer for each line would cost more than the line.
WRITER = json.JSONEncoder(separators=(",", ":"))
