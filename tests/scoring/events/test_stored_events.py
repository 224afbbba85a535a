"""Stored events: every kind and schema version that was ever written stays readable."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from scoring.events import reading, wire
from scoring.events.wire import EVENTS, UPCASTS, decode, encode
from scoring.problems import Defect
from scoring.rules.variants import variant

STORED = Path(__file__).parents[2] / "data" / "stored_events.jsonl"
ROWS = [json.loads(line) for line in STORED.read_text().splitlines()]


# Again and again a process that has read nothing yet: its threads read every kind, and switch as often as they can.
TOGETHER = """
import json, os, sys, threading
from scoring.events.wire import decode
from scoring.rules.variants import variant

rows = [json.loads(line) for line in open(sys.argv[1])]
sys.setswitchinterval(1e-6)
start = threading.Barrier(4)


def read_all():
    start.wait()
    for row in rows:
        form = variant(row["variant"]) if row.get("variant") else None
        decode(row["kind"], row["schema"], row["body"], form)


for _ in range(20):
    if os.fork() == 0:
        threads = [threading.Thread(target=read_all) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        os._exit(0)
    _, status = os.wait()
    assert status == 0, os.waitstatus_to_exitcode(status)
"""


def read(row):
    form = variant(row["variant"]) if row.get("variant") else None
    return decode(row["kind"], row["schema"], row["body"], form)


def test_threads_of_a_new_process_read_their_first_events_at_once():
    """Before msgspec 0.23 the second one to use a type read what the first had half prepared, and the process died."""
    done = subprocess.run([sys.executable, "-c", TOGETHER, STORED], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_stored_row_is_read_and_written_back_in_todays_shape():
    for row in ROWS:
        form = encode(read(row))
        assert (form.kind, form.schema) == (row["kind"], EVENTS[row["kind"]].schema)
        assert form.body == row.get("today", row["body"])


def test_every_kind_and_every_version_of_it_has_a_stored_row():
    stored = {(row["kind"], row["schema"]) for row in ROWS}
    assert stored == {(kind, version) for kind, event in EVENTS.items() for version in range(1, event.schema + 1)}


def test_every_older_version_has_an_upcast_and_no_other():
    assert set(UPCASTS) == {(kind, version) for kind, event in EVENTS.items() for version in range(1, event.schema)}


def test_an_older_shape_is_lifted_one_version_at_a_time(monkeypatch):
    class PenaltyGiven(wire.Event, frozen=True, kw_only=True):
        kind = "penalty_given"
        schema = 3
        seat: str
        points: int
        scale: str = ""

    monkeypatch.setitem(EVENTS, "penalty_given", PenaltyGiven)
    monkeypatch.setattr(wire, "_DECODERS", {})
    monkeypatch.setitem(UPCASTS, ("penalty_given", 1), lambda body: {**body, "points": body["points"] * 10})
    monkeypatch.setitem(UPCASTS, ("penalty_given", 2), lambda body: {**body, "scale": "tenths"})
    assert decode("penalty_given", 1, '{"points":2,"seat":"1"}') == PenaltyGiven(seat="1", points=20, scale="tenths")
    assert decode("penalty_given", 2, '{"points":20,"seat":"1"}') == PenaltyGiven(seat="1", points=20, scale="tenths")
    assert decode("penalty_given", 3, '{"points":20,"seat":"1"}') == PenaltyGiven(seat="1", points=20)


@pytest.mark.parametrize(
    ("kind", "schema", "body"),
    [
        ("unheard_of", 1, "{}"),
        ("rejoined", 2, '{"seat":"1"}'),
        ("rejoined", 0, '{"seat":"1"}'),
        ("rejoined", 1, "{"),
        ("rejoined", 1, '{"seat":1}'),
        ("deal_recorded", 1, '{"deal":1,"sheet":{}}'),
    ],
)
def test_a_row_that_nobody_can_have_written_is_our_defect(kind, schema, body):
    with pytest.raises(Defect):
        decode(kind, schema, body, variant("pool"))


def test_a_deal_cannot_be_read_without_knowing_what_is_played():
    with pytest.raises(Defect, match="what is played"):
        decode("deal_recorded", 1, '{"deal":1,"sheet":{"outcomes":{}}}')


def test_free_text_lives_beside_the_body():
    form = encode(wire.DealVoided(deal=3, reason="Bo had 14 cards"))
    assert (form.body, form.note) == ('{"deal":3}', "Bo had 14 cards")


def test_a_reason_is_kept_composed_on_one_line_and_without_control_characters():
    raw = {"kind": "deal_voided", "deal": 1, "reason": " Asha\u0301s\n\thand\u0000 \ud800 \u202eabc "}
    event = reading.read_event(raw, variant("pool"), ("1", "2"))
    assert isinstance(event, wire.DealVoided)
    assert event.reason == "Ash\u00e1s hand  \u202eabc"
    encode(event).note.encode()


def test_a_table_of_ten_keeps_its_seats_in_their_order():
    seats = tuple((str(number), f"p{number}") for number in range(1, 11))
    opened = wire.TableOpened(variant="pool", options={}, stakes={}, seats=seats)
    assert decode("table_opened", 1, encode(opened).body) == opened


def test_the_same_event_is_always_written_in_the_same_bytes():
    one = {"deal": 1, "sheet": {"outcomes": {"2": {"how": "show"}, "1": {"how": "loss", "count": 3}}}}
    other = {"sheet": {"outcomes": {"1": {"count": 3, "how": "loss"}, "2": {"how": "show"}}}, "deal": 1}
    form = variant("pool")
    bodies = {encode(decode("deal_recorded", 1, msgspec.json.encode(raw), form)).body for raw in (one, other)}
    assert len(bodies) == 1


def test_requests_that_only_differ_in_where_a_part_ends_differ_in_their_digest():
    assert wire.request_digest("ab", "c") != wire.request_digest("a", "bc")


@pytest.mark.parametrize(("given", "deal"), [({}, 1), ({"deal": 2}, 2)])
def test_an_extra_deal_is_the_first_unless_it_says_otherwise(given, deal):
    raw = {"kind": "tiebreak_recorded", "outcomes": {"1": {"how": "show"}}, **given}
    event = reading.read_event(raw, variant("pool"), ("1", "2"))
    assert isinstance(event, wire.TiebreakRecorded)
    assert event.deal == deal
