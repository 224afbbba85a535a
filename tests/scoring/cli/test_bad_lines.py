"""Bad lines on the command line: each is refused at its line, with card and field, and the run continues."""

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from scoring.cli import LINE_COMMANDS, run_lines
from scoring.lines import MOST_BYTES
from tests.builders.patience import PATIENCE

HAND = "7H 8H 9H TH 2S 3S 4S PJ PJ KS QH 5D AC"
GROUPS = ["7H 8H 9H TH", "2S 3S 4S", "KS KD KC", "9D 9S 9C"]
HUGE = 10**300
TABLE: dict[str, Any] = {"variant": "pool", "seats": ["Asha", "Bo"], "events": []}
GOOD: dict[str, dict[str, Any]] = {"hand": {"cards": HAND}, "show": {"groups": GROUPS}, "replay": TABLE}


def answers(command: str, data: bytes) -> list[dict[str, Any]]:
    """The command's output, line for line; every answer is whole JSON of moderate size."""
    sink = io.BytesIO()
    run_lines(LINE_COMMANDS[command], io.BytesIO(data), sink)
    lines = sink.getvalue().splitlines()
    assert max(map(len, lines)) < 2_000
    return [json.loads(line) for line in lines]


def is_refused(answer: dict[str, Any]) -> bool:
    return answer.keys() == {"problems"} and bool(answer["problems"])


def refusals(command: str, line: Any) -> list[dict[str, Any]]:
    """The problems of a bad line between two good ones, which are answered."""
    good = json.dumps(GOOD[command]).encode()
    bad = line if isinstance(line, bytes) else json.dumps(line).encode()
    first, refused, last = answers(command, b"\n".join([good, bad, good]))
    assert first == last
    assert not is_refused(first)
    assert is_refused(refused)
    problems: list[dict[str, Any]] = refused["problems"]
    return problems


def lost_with(cards: str, **more: Any) -> dict[str, Any]:
    """A table at which Bo lost a deal and laid down these cards."""
    held = {"how": "loss", "groups": [cards], "loose": ""}
    return {**TABLE, "events": [deal_of(held, **more)]}


def deal_of(outcome: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"kind": "deal_recorded", "deal": 1, "outcomes": {"Asha": {"how": "show"}, "Bo": outcome}} | more


IMPOSSIBLE_CARDS = [
    ("7H " * 13, "impossible_card_count", "7H is there 13 times"),
    (HAND + " 2C", "not_13_cards", "14 cards"),
    (HAND[3:], "not_13_cards", "12 cards"),
    (HAND.replace("AC", "XC"), "unknown_card", "'XC'"),
    (HAND.replace("AC", "A\0"), "unknown_card", r"'A\x00'"),
    (HAND.replace("AC", "A\ud800"), "unknown_card", r"'A\ud800'"),
    ("PJ " * 10 + "2S 3S 4S", "impossible_card_count", "PJ is there 10 times"),
]


@pytest.mark.parametrize(("cards", "code", "named"), IMPOSSIBLE_CARDS)
def test_cards_that_cannot_be_are_named_in_a_hand_in_a_loss_and_in_a_show(cards, code, named):
    (held,) = refusals("hand", {"cards": cards})
    (lost,) = refusals("replay", lost_with(cards))
    (show,) = answers("show", json.dumps({"groups": [cards]}).encode())
    laid = next(problem for problem in show["problems"] if problem["code"] == code)
    assert (held["code"], held["field"], laid["field"] in ("groups", "groups[0]")) == (code, "cards", True)
    assert (lost["code"], lost["seat"], lost["field"], lost["event"]) == (code, "Bo", "groups", 0)
    assert all(named in problem["detail"] for problem in (held, lost, laid))
    assert show.get("valid_show", False) is False


@pytest.mark.parametrize("wild", ["15", "Z", "", 7, HUGE, ["5"], "5\0"])
def test_a_wild_rank_that_does_not_exist_is_refused_everywhere(wild):
    replayed = {**TABLE, "events": [deal_of({"how": "loss", "count": 9}, wild=wild)]}
    cases = {"hand": {**GOOD["hand"], "wild": wild}, "show": {**GOOD["show"], "wild": wild}, "replay": replayed}
    for command, case in cases.items():
        (problem,) = refusals(command, case)
        assert problem["field"] == "wild"
        assert problem["code"] in ("impossible_wild", "wrong_type")


@pytest.mark.parametrize(
    ("command", "case", "field"),
    [
        ("hand", {"cards": HUGE}, "cards"),
        ("hand", {"cards": HAND, "options": {"cap": HUGE}}, "cap"),
        ("hand", {"cards": HAND, "options": {"packs": -HUGE}}, "packs"),
        ("show", {"groups": [HUGE]}, "groups[0]"),
        ("show", {"groups": [[]] * 61}, "groups"),
        ("replay", {**TABLE, "events": [deal_of({"how": "loss", "count": HUGE})]}, "count"),
        ("replay", {**TABLE, "events": [deal_of({"how": "loss", "count": 9}, deal=HUGE)]}, "deal"),
        ("replay", {**TABLE, "options": {"limit": HUGE}}, "limit"),
        ("replay", {**TABLE, "stakes": {"entry_minor": HUGE}}, "entry_minor"),
        ("replay", {**TABLE, "events": [{"kind": "fact_withdrawn", "version": HUGE, "reason": "slip"}]}, "version"),
    ],
)
def test_a_number_with_hundreds_of_digits_is_refused_by_its_field_and_not_written_out(command, case, field):
    (problem,) = refusals(command, case)
    assert problem["field"] == field
    assert len(problem["detail"]) < 300


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"not JSON", "not_json"),
        (b"\0\0\0", "not_json"),
        (b'{"cards": "7H', "not_json"),
        (b'{"a": Infinity}', "not_json"),
        (b"NaN", "not_json"),
        (b'{"cards": ' + b"9" * 5_000 + b"}", "not_json"),
        (b"\xff\xfe7\x00H\x00", "not_utf8"),
        (b"[" * 1_000_000, "too_deep"),
        (b'{"cards": ' * 200_000, "too_deep"),
        (b'"7H"', "not_an_object"),
        (b"null", "not_an_object"),
        (b'{"cards": "7H", "cards": "8H"}', "repeated_field"),
    ],
    ids=lambda value: value if isinstance(value, str) else str(value[:16]),
)
def test_a_line_that_holds_no_case_is_refused_and_the_next_one_read(line, code):
    assert [problem["code"] for problem in refusals("hand", line)] == [code]


@pytest.mark.parametrize(
    ("command", "field", "named"),
    [
        ("hand", "cards", "cards"),
        ("hand", "wild", "wild"),
        ("hand", "options", "options"),
        ("show", "groups", "groups[0]"),
        ("show", "loose", "loose"),
        ("show", "hand", "hand"),
        ("replay", "seats", "seats"),
        ("replay", "stakes", "stakes"),
        ("replay", "variant", "variant"),
        ("replay", "events", None),
    ],
)
def test_a_field_of_nothing_but_brackets_is_refused_by_its_name(command, field, named):
    brackets = "[" * 900 + "]" * 900
    case = json.dumps({**GOOD[command], field: "here"}).replace('"here"', brackets)
    assert [problem.get("field") for problem in refusals(command, case.encode())] == [named]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "line", "code"),
    [
        ("hand", b'{"cards": "' + b"7H " * 3_000_000 + b'"}', "too_many_cards"),
        ("show", b'{"groups": [' + b'"7H 8H",' * 1_000_000 + b'"7H"]}', "wrong_type"),
        ("replay", json.dumps({**TABLE, "events": [{}] * 1_000_000}).encode(), "too_many_events"),
    ],
    ids=["cards", "groups", "events"],
)
def test_ten_megabytes_that_are_one_case_are_refused_in_a_word(command, line, code):
    assert [problem["code"] for problem in refusals(command, line)] == [code]


def test_lines_that_arrive_in_pieces_are_put_together_and_blank_ones_left_out():
    class Drops(io.BytesIO):
        """A pipe that gives three bytes at a time."""

        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(3)

    sink = io.BytesIO()
    data = (
        b"\xef\xbb\xbf" + json.dumps(GOOD["hand"]).encode() + b"\r\n\r\n \nnope\n" + json.dumps(GOOD["hand"]).encode()
    )
    assert run_lines(LINE_COMMANDS["hand"], Drops(data), sink) == 1
    first, refused, last = map(json.loads, sink.getvalue().splitlines())
    assert first == last
    assert is_refused(refused)


@pytest.mark.slow
def test_ten_megabytes_on_a_real_pipe_are_answered_and_the_status_tells():
    data = b"x" * (MOST_BYTES + 1) + b"\n" + json.dumps(GOOD["hand"]).encode()
    done = subprocess.run(
        [sys.executable, "-m", "scoring", "hand"], input=data, capture_output=True, check=False, timeout=PATIENCE
    )
    assert (done.returncode, done.stderr) == (1, b"")
    refused, answered = map(json.loads, done.stdout.splitlines())
    assert is_refused(refused)
    assert answered["count"] == 25
