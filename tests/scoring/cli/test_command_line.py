"""`python -m scoring`: one case a line, one answer a line, and errors do not stop the run."""

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from scoring import cli, lines
from scoring.cli import run_lines
from scoring.lines import described_variants, replay_line
from tests.builders.patience import PATIENCE
from tests.builders.rules import (
    CLOSED,
    corrected,
    deal,
    first_drop,
    loses_with,
    penalty,
    rejoins,
    show,
    voided,
    withdrawn,
)

LINE = {
    "variant": "pool",
    "options": {"limit": 101},
    "seats": ["A", "B", "C"],
    "stakes": {"entry_minor": 30_000, "fee_bp": 1_000, "point_value_minor": 200},
    "events": [deal(1, show("A"), loses_with("B", 34), first_drop("C"))],
}


def replayed(*lines: Any) -> tuple[int, list[dict[str, Any]]]:
    """Status and answers for lines given as text, bytes or JSON."""
    source = io.BytesIO()
    for line in lines:
        text = line if isinstance(line, str | bytes) else json.dumps(line)
        source.write((text.encode() if isinstance(text, str) else text) + b"\n")
    source.seek(0)
    sink = io.BytesIO()
    status = run_lines(replay_line, source, sink)
    return status, [json.loads(line) for line in sink.getvalue().splitlines()]


def refusal(line: Any) -> list[tuple[str, str | None, str | None, int | None]]:
    """Code, seat, field and event of each problem of a refused line."""
    status, (answer,) = replayed(line)
    assert status == 1
    assert answer.keys() == {"problems"}
    return [(p["code"], p.get("seat"), p.get("field"), p.get("event")) for p in answer["problems"]]


def test_a_line_is_answered_in_the_words_of_the_contract():
    status, (answer,) = replayed(LINE)
    assert status == 0
    assert answer == {
        "finished": False,
        "deals": 1,
        "seats": {
            "A": {"total": 0, "chips": None, "out_in_deal": None, "place": 1, "drops_left": 5, "may_rejoin": False},
            "B": {"total": 34, "chips": None, "out_in_deal": None, "place": 3, "drops_left": 3, "may_rejoin": False},
            "C": {"total": 20, "chips": None, "out_in_deal": None, "place": 2, "drops_left": 4, "may_rejoin": False},
        },
        "winners": [],
        "payouts_minor": {},
        "fee_minor": 0,
        "problems": [],
    }


def test_each_form_is_answered_in_its_own_numbers():
    """A pool pays as soon as it is decided, points each seat's change once the table is closed; deals have chips."""
    decided = (
        deal(1, show("A"), loses_with("B", 80), loses_with("C", 80)),
        deal(2, show("A"), loses_with("B", 21), loses_with("C", 30)),
    )
    _, (pool,) = replayed({**LINE, "events": decided})
    assert (pool["finished"], pool["winners"], pool["payouts_minor"], pool["fee_minor"]) == (
        True,
        ["A"],
        {"A": 81_000},
        9_000,
    )
    assert (pool["seats"]["B"]["out_in_deal"], pool["seats"]["B"]["drops_left"]) == (2, 0)
    points = {**LINE, "variant": "points", "options": {}}
    sitting_out = deal(1, show("A"), loses_with("B", 5), ("C", {"how": "not_in_deal"}))
    _, (running,) = replayed(points)
    _, (closed,) = replayed({**points, "events": [sitting_out, CLOSED]})
    assert (running["finished"], running["payouts_minor"], running["fee_minor"]) == (False, {}, 0)
    assert (closed["payouts_minor"], closed["fee_minor"]) == ({"A": 900, "B": -1_000, "C": 0}, 100)
    _, (deals,) = replayed({**LINE, "variant": "deals", "options": {"drop_allowed": True}})
    assert [seat["chips"] for seat in deals["seats"].values()] == [294, 206, 220]


def test_versions_count_from_the_opening_so_that_the_event_at_index_0_is_version_2():
    events = [*LINE["events"], penalty("A", 50), withdrawn(3)]
    _, (answer,) = replayed({**LINE, "events": events})
    assert answer["seats"]["A"]["total"] == 0


def test_contradictions_are_problems_of_an_answered_line():
    events = [
        deal(1, show("A"), loses_with("B", 80), first_drop("C")),
        deal(2, show("A"), loses_with("B", 30), first_drop("C")),
        rejoins("B"),
        corrected(2, show("A"), loses_with("B", 3), first_drop("C")),
    ]
    status, (answer,) = replayed({**LINE, "events": events})
    assert status == 0
    assert [(p["code"], p["seat"], p["event"]) for p in answer["problems"]] == [("rejoin_too_late", "B", 2)]
    assert answer["seats"]["B"]["total"] == 83


class TestRefusedLines:
    def test_stand_in_their_place_and_the_run_goes_on(self):
        status, answers = replayed(LINE, "nope", LINE, "", "  ", {**LINE, "seats": []}, LINE)
        assert status == 1
        assert [sorted(answer)[0] == "deals" for answer in answers] == [True, False, True, False, True]

    def test_that_are_too_long_are_not_kept_in_memory(self, monkeypatch):
        for module in (cli, lines):
            monkeypatch.setattr(module, "MOST_BYTES", 2_000)
        status, answers = replayed("x" * 200_000, LINE, "y" * 2_001)
        assert status == 1
        assert [answer["problems"][0]["code"] if len(answer) == 1 else "answered" for answer in answers] == [
            "line_too_long",
            "answered",
            "line_too_long",
        ]

    def test_name_every_mistake_in_seats_options_and_stakes(self):
        assert refusal({**LINE, "seats": ["A", "A", 3, ""], "options": [], "stakes": "x", "variant": None}) == [
            ("duplicate_seat", "A", "seats", None),
            ("wrong_type", None, "seats", None),
            ("wrong_type", None, "seats", None),
            ("wrong_type", None, "options", None),
            ("wrong_type", None, "stakes", None),
            ("missing_field", None, "variant", None),
        ]
        assert refusal({**LINE, "seats": [f"S{n}" for n in range(99)]}) == [
            ("wrong_number_of_seats", None, "seats", None)
        ]
        assert refusal({**LINE, "events": {}}) == [("wrong_type", None, "events", None)]
        assert refusal({**LINE, "variant": "bridge"}) == [("unknown_variant", None, "variant", None)]

    def test_name_the_event_and_read_the_later_ones_too(self):
        events = [
            *LINE["events"],
            deal(2, show("A"), show("B"), loses_with("C", -3)),
            deal(3, show("A"), loses_with("B", 3), first_drop("C")),
            {"kind": "deal_voided", "deal": "two"},
        ]
        assert refusal({**LINE, "events": events}) == [
            ("negative_count", "C", "count", 1),
            ("two_winners", "B", "how", 1),
            ("wrong_type", None, "deal", 3),
            ("missing_field", None, "reason", 3),
        ]

    def test_with_too_many_events_are_not_folded(self):
        events = [voided(1)] * 5_001
        assert [code for code, *_ in refusal({**LINE, "events": events[1:]})] == ["no_such_deal"]
        assert refusal({**LINE, "events": events}) == [("too_many_events", None, "events", None)]


def test_fields_of_the_caller_are_left_alone():
    status, (answer,) = replayed({**LINE, "id": "X17", "note": None})
    assert (status, answer["deals"]) == (0, 1)


def test_a_last_line_without_an_end_is_answered():
    source, sink = io.BytesIO(json.dumps(LINE).encode()), io.BytesIO()
    assert run_lines(replay_line, source, sink) == 0
    assert sink.getvalue().endswith(b"\n")


@pytest.mark.slow
def test_answers_come_out_line_by_line():
    process = subprocess.Popen(
        [sys.executable, "-m", "scoring", "replay"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for _ in range(2):
        process.stdin.write(json.dumps(LINE).encode() + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["deals"] == 1
    process.stdin.close()
    assert process.wait(PATIENCE) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "lines", "status"),
    [
        (["replay"], [LINE], 0),
        (["replay"], [LINE, {}], 1),
        (["show"], [{"groups": ["AH 2H 3H", "4H 5H 6H"], "loose": "9C"}], 0),
        (["variants"], [], 0),
        ([], [], 2),
        (["replay", "--fast"], [], 2),
    ],
)
def test_exit_status_tells_whether_a_line_was_refused(arguments, lines, status):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "-m", "scoring", *arguments], input=text, capture_output=True, text=True, check=False
    )
    assert done.returncode == status
    assert "Traceback" not in done.stderr
    assert arguments != ["variants"] or json.loads(done.stdout) == described_variants()
