"""The rules on the command line: one case per line in, one answer per line out, no database and no framework.

Rules: docs/events.md, "Replay" and "Refusals". A refused line is answered with its problems and the run continues; the
exit status is 1 when any line was refused.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, BinaryIO, Protocol, TypeVar, cast

from scoring.cli.replay import replay_line
from scoring.json_text import without_repeats
from scoring.messages import Message
from scoring.options import describe_options, read_options
from scoring.problems import OptionsRejected, Problem, RuleError, shown
from scoring.rules.arrangements import HandOptions
from scoring.rules.cards import Card, parse_cards, parse_wild
from scoring.rules.hands import LaidDown, count_hand, hand_problems, judge_show
from scoring.rules.variants import VARIANTS

# The judge on the command line: one hand to count, or one show to rule on, as decoded JSON in and out.

Answer = dict[str, Any]
Read = TypeVar("Read")
MOST_GROUPS = 60
PLAIN_OPTIONS = HandOptions()


def hand_line(case: object) -> Answer:
    """Answer one case of `hand`: the count, and the cheapest arrangement of the 13 cards."""
    return _answered(_count_hand, case)


def show_line(case: object) -> Answer:
    """Answer one case of `show`: whether it is valid, what each group is, and every problem."""
    return _answered(_rule_on_show, case)


def _answered(judge: Callable[[Mapping[str, Any]], Answer], case: object) -> Answer:
    if not isinstance(case, dict):
        detail = Message(f"a case is an object, not {shown(case)}")
        return {"problems": [Problem("not_an_object", detail).as_json()]}
    try:
        return judge(case)
    except RuleError as refusal:
        return {"problems": [problem.as_json() for problem in refusal.problems]}


class Reading:
    """Reads the parts of a case and collects the problems with each, so that all can be reported together."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.problems: list[Problem] = []
        self.options = self.tried(lambda: _options(case.get("options")), PLAIN_OPTIONS)
        house = self.options.printed_as_wild
        self.wild = self.tried(lambda: parse_wild(case.get("wild"), printed_as_wild=house), None)

    def tried(self, read: Callable[[], Read], otherwise: Read) -> Read:
        """The result of reading, or a stand-in where it was refused."""
        try:
            return read()
        except RuleError as refusal:
            self.problems.extend(refusal.problems)
            return otherwise

    def cards(self, written: object, field: str) -> tuple[Card, ...] | None:
        """Cards as text or as a list; None where they could not be read."""
        return self.tried(lambda: parse_cards(written, field), None)

    def groups(self, written: object) -> tuple[tuple[Card, ...], ...]:
        """The groups of a show, each as text or as a list."""
        if not isinstance(written, list) or len(written) > MOST_GROUPS:
            found = f"{len(written)} of them" if isinstance(written, list) else shown(written)
            detail = Message(f"groups must be a list of at most {MOST_GROUPS} groups, not {found}")
            self.problems.append(Problem("wrong_type", detail, field="groups"))
            return ()
        return tuple([self.cards(group, f"groups[{index}]") or () for index, group in enumerate(written)])

    def refuse(self) -> None:
        """Raise with all collected problems."""
        if self.problems:
            raise RuleError(self.problems)


def _count_hand(case: Mapping[str, Any]) -> Answer:
    reading = Reading(case)
    cards = reading.cards(case.get("cards"), "cards")
    if reading.problems or cards is None:
        reading.problems += hand_problems(cards, reading.options, field="cards") if cards is not None else ()
        raise RuleError(reading.problems)
    counted = count_hand(cards, reading.wild, reading.options)
    best = counted.arrangement
    return {
        "count": counted.count,
        "uncapped": best.points,
        "declarable": best.is_declarable,
        "groups": [{"kind": group.kind.value, "cards": [card.text for card in group.cards]} for group in best.groups],
        "loose": [card.text for card in best.loose],
    }


def _rule_on_show(case: Mapping[str, Any]) -> Answer:
    reading = Reading(case)
    groups = reading.groups(case.get("groups"))
    loose, hand = (
        reading.cards(written, field) if (written := case.get(field)) is not None else None
        for field in ("loose", "hand")
    )
    reading.refuse()
    laid = LaidDown(groups, loose or (), hand)
    ruling = judge_show(laid, wild=reading.wild, options=reading.options)
    return {
        "valid_show": ruling.valid_show,
        "kinds": [None if kind is None else kind.value for kind in ruling.kinds],
        "count_if_loser": ruling.count_if_loser,
        "problems": [problem.as_json() for problem in ruling.problems],
    }


def _options(given: object) -> HandOptions:
    """The house options that were sent; the defaults where none were."""
    if not given and (given is None or isinstance(given, dict)):
        return PLAIN_OPTIONS
    if not isinstance(given, dict):
        detail = Message(f"options must be an object, not {shown(given)}")
        raise OptionsRejected([Problem("wrong_type", detail, field="options")])
    try:
        # The type is part of the key, because 1 and true would be the same otherwise.
        return _known_options(tuple([(name, type(value), value) for name, value in given.items()]))
    except TypeError:
        return read_options(HandOptions, given)


@lru_cache(maxsize=256)
def _known_options(given: tuple[tuple[str, type, Any], ...]) -> HandOptions:
    return read_options(HandOptions, {name: value for name, _, value in given})


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
    """A source of bytes: returns what is there already, or waits for more."""

    def read1(self, size: int, /) -> bytes: ...


class LineRejected(RuleError):
    """A line without a JSON value that we can read."""

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
    """Answer every line that is not blank, in order; 1 when any was refused.

    Answers are flushed before we wait for more input: an interactive reader gets them at once, and a long file is not
    written in small pieces.
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
    """The answer to one line: a result, or nothing but its problems."""
    try:
        return command(_value(line))
    except RuleError as refused:
        return {"problems": [problem.as_json() for problem in refused.problems]}
    except RecursionError:
        return {"problems": [_line_problem("too_deep", "the JSON is nested too deeply").as_json()]}


def _with_range(option: dict[str, Any]) -> dict[str, Any]:
    """An option always lists its allowed values; the range of a text is its length."""
    if option["type"] == "boolean":
        return {**option, "choices": [False, True]}
    if "longest" in option:
        return {**option, "range": [1, option["longest"]]}
    return {**option, "range": [option["min"], option["max"]]} if "min" in option else option


def _lines(source: Source, *, before_waiting: Callable[[], None]) -> Iterator[bytes | None]:
    """Lines without their ends, blank ones skipped; None for a line that is too long to read."""
    mark = BYTE_ORDER_MARK
    for line in _pieces(source, before_waiting):
        stripped, mark = line.removeprefix(mark).strip(), b""
        if len(line) > MOST_BYTES:
            yield None
        elif stripped:
            yield stripped


def _pieces(source: Source, before_waiting: Callable[[], None]) -> Iterator[bytes]:
    """The text between line ends. Of an overlong line no more is kept than shows that it is one."""
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
    return Problem(code, Message(detail))


def _write(sink: BinaryIO, answer: object) -> None:
    sink.write(WRITER.encode(answer).encode() + b"\n")


# Made once: a reader and a writer for each line would cost more than the line.
READER = json.JSONDecoder(object_pairs_hook=without_repeats, parse_constant=_no_number)
WRITER = json.JSONEncoder(separators=(",", ":"))
