"""Any invalid input is refused with a message; none raises another exception."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events.cash import CASH_EVENTS
from scoring.events.reading import read_cash_event, read_tournament_event
from scoring.events.wire import EVENTS, encode
from scoring.lines import replay_line
from scoring.options import describe_options, read_options
from scoring.problems import OptionsRejected, RuleError
from scoring.rules.table.admission import considered
from scoring.rules.variants import VARIANTS, opening
from tests.builders.histories import histories
from tests.builders.rules import deals, points, pool

TEXT = st.text(alphabet=st.characters(), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.just(10**400),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["kind", "deal", "seat", "points", "reason", "outcomes", "wild", "dealer", "ended", "version", "totals", "colour"]
)
SEATS = st.sampled_from(["asha", "bo", "cy", "zoe", ""])
OUTCOMES = st.dictionaries(
    st.sampled_from(["how", "count", "groups", "loose", "had_turn", "x"]),
    VALUES | st.sampled_from(["show", "loss", "first_drop"]) | st.integers(-5, 200),
)
ANY_EVENTS = st.dictionaries(NAMES, VALUES) | st.fixed_dictionaries(
    {"kind": st.sampled_from(sorted(EVENTS))},
    optional={
        "deal": st.integers(-1, 3) | VALUES,
        "seat": SEATS | VALUES,
        "points": st.integers(-1, 20_000) | VALUES,
        "amount_minor": st.integers() | VALUES,
        "reason": TEXT | VALUES,
        "version": st.integers(0, 5) | VALUES,
        "totals": st.dictionaries(SEATS, st.integers()) | VALUES,
        "outcomes": st.dictionaries(SEATS, OUTCOMES | VALUES, max_size=4) | VALUES,
        "wild": VALUES,
        "ended": VALUES | st.sampled_from(["played_out", "count_now", "void_others"]),
    },
)
CASH_KINDS = {event.kind for event in CASH_EVENTS}
LINE: dict[str, Any] = {"variant": "pool", "options": {"limit": 101}, "seats": ["asha", "bo"]}
TABLES = st.sampled_from([pool(seats=3), deals(seats=3), points(seats=3)])


@given(TABLES, ANY_EVENTS | VALUES)
def test_any_event_is_admitted_or_refused_in_words(evening: Any, raw: Any):
    event, problems = considered(evening.table, raw)
    assert event is not None or problems
    for problem in problems:
        said = problem.as_json({problem.seat or "": "Asha"})
        assert said["detail"]
        json.dumps(said)
        assert len(str(said["detail"])) < 1_000
    if event is not None and not problems:
        encode(event).body.encode()
        encode(event).note.encode()


@given(
    VALUES
    | st.fixed_dictionaries(
        {"variant": st.sampled_from(["pool", "deals", "points", "bridge"]) | VALUES},
        optional={
            "options": VALUES | st.dictionaries(st.sampled_from(["limit", "cap", "deals", "splits", "x"]), VALUES),
            "seats": VALUES | st.lists(st.sampled_from(["A", "B", "C", ""])),
            "stakes": VALUES | st.dictionaries(st.sampled_from(["entry_minor", "fee_bp", "currency"]), VALUES),
            "events": VALUES | st.lists(ANY_EVENTS | VALUES, max_size=3),
        },
    )
)
def test_any_line_is_answered_or_refused_in_words(raw: Any):
    try:
        answer = replay_line(raw)
    except RuleError as refused:
        answer = {"problems": [problem.as_json() for problem in refused.problems]}
    assert json.dumps(answer) not in ("{}", '{"problems": []}')


HALF = "\ud800"


@pytest.mark.parametrize("kind", sorted(EVENTS))
@pytest.mark.parametrize("value", [HALF, [HALF], {"asha": HALF}, {HALF: 1}], ids=["text", "list", "value", "name"])
def test_half_a_character_in_any_field_of_any_event_raises_no_other_error(kind: str, value: Any):
    """Python's JSON reads it, and no text can be stored with it. Fault: only some fields expect the error it raises."""
    raw = {**dict.fromkeys(EVENTS[kind].__struct_fields__, value), "kind": kind}
    with suppress(RuleError):
        replay_line(LINE | {"events": [raw]})
    with suppress(RuleError):
        encode((read_cash_event if kind in CASH_KINDS else read_tournament_event)(raw))


@pytest.mark.slow
@given(histories(), ANY_EVENTS)
def test_a_refused_event_leaves_the_table_as_it_was(history: Any, raw: Any):
    table = history.table
    before = table.game
    considered(table, raw)
    assert table.game == before


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.name)
def test_every_option_refuses_what_is_out_of_its_range(rules: Any):
    for option in describe_options(rules.options_type, rules.defaults({}, 2)):
        wrong: list[Any] = [[], {}, 1.5]
        wrong += [] if option["type"] == "text" else ["often"]  # a game's own checks read a text: a board, for example
        if option["type"] == "integer":
            wrong += [option["min"] - 1, option["max"] + 1, True]
        for value in wrong:
            with pytest.raises(OptionsRejected) as refused:
                read_options(rules.options_type, {option["name"]: value}, rules.defaults({}, 2))
            assert [problem.field for problem in refused.value.problems] == [option["name"]]


def test_a_default_that_follows_from_a_wrong_option_is_not_a_second_mistake():
    with pytest.raises(OptionsRejected) as refused:
        opening("deals", options={"cap": 900}, stakes={}, seats={"A": "", "B": ""})
    assert [(problem.code, problem.field) for problem in refused.value.problems] == [("out_of_range", "cap")]


def test_options_stakes_and_seats_are_all_told_together():
    with pytest.raises(OptionsRejected) as refused:
        opening(
            "pool",
            options={"limits": 101, "splits": "often", "max_rejoins": 21},
            stakes={"fee_bp": 10_001, "currency": "rupees", "entry_minor": -1, "tip": 3},
            seats={"A": ""},
        )
    assert {(problem.code, problem.field) for problem in refused.value.problems} == {
        ("wrong_number_of_seats", "seats"),
        ("unknown_option", "limits"),
        ("not_a_choice", "splits"),
        ("out_of_range", "max_rejoins"),
        ("out_of_range", "fee_bp"),
        ("out_of_range", "entry_minor"),
        ("wrong_type", "currency"),
        ("unknown_option", "tip"),
    }


def test_an_empty_reason_is_asked_for_and_not_quoted():
    with pytest.raises(RuleError) as refused:
        read_cash_event({"kind": "till_difference_booked", "till": "user:1", "amount_minor": -680, "reason": ""})
    assert [problem.text() for problem in refused.value.problems] == ["enter a reason"]
