"""`from scoring import ...`: what programs use to score tables, without Django and without a database."""

import doctest
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring import (
    PRESETS,
    Event,
    EventNotAllowed,
    EventRejected,
    HandOptions,
    OptionsRejected,
    Table,
    count,
    judge,
    replay,
)
from scoring.cli import run_lines
from scoring.events.table import PenaltyGiven
from scoring.events.wire import decode, encode
from scoring.lines import replay_line
from scoring.money.payouts import MOST_SCORE
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import next_deal
from scoring.rules.table.opening import play_problems
from scoring.rules.table.table import fold, places
from tests.builders.rules import CLOSED, deal, first_drop, loses_with, penalty, show
from tests.builders.samples import some_of

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "python.md"


def pool() -> Table:
    return Table.open("pool_101", ["Asha", "Bo", "Cy"], {"entry_minor": 30_000, "fee_bp": 1_000})


def codes(problems: Any) -> list[tuple[str, str | None, str | None]]:
    return [(problem.code, problem.seat, problem.field) for problem in problems]


def test_every_example_of_the_page_runs():
    tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried.attempted > 20
    assert tried.failed == 0


def test_the_page_describes_every_name():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in scoring.__all__ if f"`{name}`" not in text] == []


def test_neither_django_nor_settings_nor_the_books_are_loaded():
    """Planted faults it catches: a model imported by the rules, the books imported by the front."""
    code = """
import os, sys, scoring, scoring.cli
table = scoring.Table.open("points", ["A", "B"], {"point_value_minor": 100})
outcomes = {"A": {"how": "show"}, "B": {"how": "first_drop"}}
table = table.record({"kind": "deal_recorded", "deal": 1, "outcomes": outcomes})
assert table.standings()["A"].place == 1, table.standings()
assert "DJANGO_SETTINGS_MODULE" not in os.environ
packages = {name.partition(".")[0] for name in sys.modules}
assert not {"django", "sqlite3", "celery", "tournaments", "rummy_site"} & packages, packages
assert not {"scoring.models", "scoring.ledger", "scoring.apps"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, env={"PYTHONPATH": str(ROOT)})


def test_the_package_says_that_it_is_typed():
    assert (Path(scoring.__file__).parent / "py.typed").is_file()


@pytest.mark.parametrize("name", some_of(PRESETS, one_in=12))
def test_a_table_of_any_preset_is_the_one_that_its_stored_events_fold_to(name):
    rules, preset = PRESETS[name]
    stakes = {"entry_minor": 30_000, "point_value_minor": 100}
    seats = next(
        names
        for names in ([f"S{number}" for number in range(1, size + 1)] for size in rules.seats_allowed)
        if not play_problems(rules.name, options=preset.options, stakes=stakes, seats=names)
    )
    table = Table.open(name, seats, stakes)
    start, stored, chance = table, [], Chance(name)
    for number in range(3):
        if table.is_finished:
            break
        event = next_deal(table, chance, is_last=number == 2)
        assert table.problems(event) == ()
        form = encode(table.admit(event))
        stored.append(decode(form.kind, form.schema, form.body, rules))
        table = table.record(event)
    assert table.version == 1 + len(stored) > 1
    assert fold(start, enumerate(stored, start=2)).game == table.game
    assert preset.options.items() <= {n: getattr(table.setup.options, n) for n in preset.options}.items()
    standings = table.standings()
    assert {seat: standing.place for seat, standing in standings.items()} == places(table.seats())


def test_a_table_does_not_change():
    before = pool()
    after = before.record(deal(1, show("Asha"), loses_with("Bo", 34), first_drop("Cy")))
    assert (before.version, before.standings()["Bo"].total) == (1, 0)
    assert (after.version, after.standings()["Bo"].total) == (2, 34)


def test_an_event_that_was_read_is_recorded_like_the_one_that_was_sent():
    sent = deal(1, show("Asha"), loses_with("Bo", 34), first_drop("Cy"))
    event = pool().admit(sent)
    assert isinstance(event, Event)
    assert pool().record(event) == pool().record(sent) == pool().apply(event)
    again = pool().record(event)
    assert codes(again.problems(event)) == codes(again.problems(sent)) == [("deal_exists", None, "deal")]


def test_problems_are_what_record_refuses_all_at_once():
    table = pool()
    wrong = deal(3, first_drop("Asha"), loses_with("Bo", 95), show("Cy"))
    with pytest.raises(EventNotAllowed) as refused:
        table.record(wrong)
    assert codes(table.problems(wrong)) == codes(refused.value.problems)
    assert codes(table.problems(wrong)) == [("deal_number_jumps", None, "deal"), ("count_over_cap", "Bo", "count")]
    with pytest.raises(EventRejected):
        table.record({"kind": "deal_dealt"})
    assert codes(table.problems({"kind": "deal_dealt"})) == [("unknown_kind", None, "kind")]


def test_amounts_above_the_limit_are_among_the_problems():
    """Planted fault: limits left to the service, so that a program records what no table can store."""
    table = Table.open("points", ["A", "B"], {"point_value_minor": 1})
    table = table.apply(PenaltyGiven(seat="A", points=MOST_SCORE - 10))
    assert table.problems(penalty("A", 10)) == ()
    assert codes(table.problems(penalty("A", 11))) == [
        ("out_of_range", "A", "total"),
        ("out_of_range", "A", "net_points"),
    ]


@pytest.mark.parametrize(
    ("preset", "seats", "more", "refused"),
    [
        ("pool_102", ["A", "B"], {}, [("unknown_preset", None, "preset")]),
        ("pool_101", ["A", "A"], {}, [("duplicate_seat", "A", "seats")]),
        ("pool_101", [], {}, [("missing_field", None, "seats")]),
        ("pool_101", ["A"], {}, [("wrong_number_of_seats", None, "seats")]),
        (
            "pool_101",
            ["A", ""],
            {"options": {"limt": 7}},
            [("wrong_type", None, "seats"), ("unknown_option", None, "limt")],
        ),
        ("pool_101", ["A", "B"], {"stakes": {"fee_bp": 10_001}}, [("out_of_range", None, "fee_bp")]),
    ],
)
def test_a_table_that_cannot_be_opened_is_refused_with_every_problem(preset, seats, more, refused):
    with pytest.raises(OptionsRejected) as found:
        Table.open(preset, seats, **more)
    assert codes(found.value.problems) == refused


def test_a_closed_table_has_its_payouts():
    table = Table.open("points", ["A", "B"], {"point_value_minor": 100, "fee_bp": 1_000})
    table = table.record(deal(1, show("A"), loses_with("B", 30))).record(CLOSED)
    [payout] = table.payouts()
    assert (payout.charges, payout.awards, payout.fee) == ({"B": 3_000}, {"A": 2_700}, 300)


def test_a_hand_is_counted_by_the_same_house_as_names_and_values_or_as_options():
    cards = "AD KD QH JS TC 9D 8H 7S 5C KC QS JH TD"
    assert count(cards, HandOptions(cap=101)).count == count(cards, {"cap": 101}).count == 101
    ruling = judge(["AD 2D 3D 4D", "5S 6S 7S", "9D 9S 9C", "QS QD QC"], rules={"ace": "low"})
    assert (ruling.valid_show, ruling.count_if_loser) == (True, 0)


def test_lines_are_answered_as_on_the_command_line():
    line = {"variant": "pool", "options": {"limit": 101}, "seats": ["A", "B"], "events": [deal(1, show("A"))]}
    lines: list[Any] = [json.dumps(line), "", json.dumps(line).encode() + b"\n", '{"variant": 1}', "{"]
    sink = io.BytesIO()
    run_lines(
        replay_line, io.BytesIO(b"\n".join(text.encode() if isinstance(text, str) else text for text in lines)), sink
    )
    assert list(replay([*lines, line])) == [
        *(json.loads(answer) for answer in sink.getvalue().splitlines()),
        *replay([json.dumps(line)]),
    ]
