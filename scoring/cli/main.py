"""The rules on the command line: one case a line in, one answer a line out, no database and no framework.

Rules: docs/events.md, "Replay" and "Refusals". A refused line answers with its problems and the run goes on; the
exit status tells whether any line was refused.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, Protocol, cast

from scoring.cli.cli_judge import hand_line, show_line
from scoring.cli.replay import replay_line
from scoring.json_text import without_repeats
from scoring.options import describe_options
from scoring.problems import Problem, RuleError
from scoring.rules.variants import VARIANTS

MOST_BYTES = 10_000_000
CHUNK = 65_536
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
ALL_ACCEPTED, SOME_REFUSED = 0, 1

LINE_COMMANDS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "hand": hand_line,
    "show": show_line,
    "replay": replay_line,
}
HELP = {
    "variants": "every variant with its house options",
    "hand": "count losing hands",
    "show": "judge shows",
    "replay": "fold the facts of tables",
}


class Source(Protocol):
    """Bytes as they come: what is there already, or what comes next."""

    def read1(self, size: int, /) -> bytes: ...


class LineRejected(RuleError):
    """A line that holds no JSON value we can read."""

    code = "line_rejected"


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


def run_lines(command: Callable[[Any], dict[str, Any]], source: Source, sink: BinaryIO) -> int:
    """Answer every line that says something, in order; 1 when any was refused.

    Answers are out before we wait for more: whoever reads along gets them, and a long file is not written in drops.
    """
    status = ALL_ACCEPTED
    for line in _lines(source, before_waiting=sink.flush):
        answer = _answer(command, line)
        if answer.keys() == {"problems"}:
            status = SOME_REFUSED
        _write(sink, answer)
    sink.flush()
    return status


def described_variants() -> list[dict[str, Any]]:
    """Every variant: its name, title, seats, presets and options, each with type, default, range or choices, help."""
    return [
        {
            "name": rules.name,
            "title": rules.title,
            "summary": rules.summary,
            "seats": [rules.seats_allowed[0], rules.seats_allowed[-1]],
            "options": [
                _with_range(option)
                for option in describe_options(rules.options_type, rules.defaults({}, rules.seats_allowed[0]))
            ],
            "presets": [
                {"name": preset.name, "title": preset.title, "options": preset.options, "note": preset.note}
                for preset in rules.presets
            ],
        }
        for rules in VARIANTS.values()
    ]


def _answer(command: Callable[[Any], dict[str, Any]], line: bytes | None) -> dict[str, Any]:
    """What one line is answered: an answer, or nothing but its problems."""
    try:
        return command(_value(line))
    except RuleError as refused:
        return {"problems": [problem.as_json() for problem in refused.problems]}
    except RecursionError:
        return {"problems": [_line_problem("too_deep", "the JSON is nested too deeply").as_json()]}


def _with_range(option: dict[str, Any]) -> dict[str, Any]:
    """An option always says what it may be."""
    if option["type"] == "boolean":
        return {**option, "choices": [False, True]}
    return {**option, "range": [option["min"], option["max"]]} if "min" in option else option


def _lines(source: Source, *, before_waiting: Callable[[], None]) -> Iterator[bytes | None]:
    """Lines without their ends, blank ones left out; None for a line that is longer than we read."""
    mark = BYTE_ORDER_MARK
    for line in _pieces(source, before_waiting):
        stripped, mark = line.removeprefix(mark).strip(), b""
        if len(line) > MOST_BYTES:
            yield None
        elif stripped:
            yield stripped


def _pieces(source: Source, before_waiting: Callable[[], None]) -> Iterator[bytes]:
    """What stands between line ends. Of an overlong line no more is kept than shows that it is one."""
    kept = bytearray()
    while chunk := source.read1(CHUNK):
        *ended, begun = chunk.split(b"\n")
        for part in ended:
            kept += part[: MOST_BYTES + 1 - len(kept)]
            yield bytes(kept)
            kept.clear()
        kept += begun[: MOST_BYTES + 1 - len(kept)]
        before_waiting()
    yield bytes(kept)


def _value(line: bytes | None) -> Any:
    """The JSON value of a line. Raises LineRejected."""
    if line is None:
        raise LineRejected([_line_problem("line_too_long", f"a line has at most {MOST_BYTES} bytes")])
    try:
        return READER.decode(line.decode())
    except UnicodeDecodeError as error:
        raise LineRejected([_line_problem("not_utf8", f"the line is not UTF-8: {error.reason}")]) from error
    except ValueError as error:
        raise LineRejected([_line_problem("not_json", f"the line is not JSON: {error}")]) from error


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _line_problem(code: str, detail: str) -> Problem:
    return Problem(code=code, detail=detail)


def _write(sink: BinaryIO, answer: object) -> None:
    sink.write(WRITER.encode(answer).encode() + b"\n")


# Made once: a reader and a writer for each line would cost more than the line.
READER = json.JSONDecoder(object_pairs_hook=without_repeats, parse_constant=_no_number)
WRITER = json.JSONEncoder(separators=(",", ":"))
