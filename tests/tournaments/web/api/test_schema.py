"""The API conforms to its own description, whatever is sent: no 5xx, no status or shape that is not in the schema.

Planted faults these catch: an unhashable `kind` looked up in a table of kinds, an error without a problem document,
a field of an answer that is not in the schema, a refusal passed to a renderer of YAML, a parser that keeps the last
of two entries, a refusal that leaves something in the log.
"""

import json
import uuid
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import CHECKS
from schemathesis.core.result import Ok

from scoring.events.wire import EVENTS
from scoring.json_text import JsonRejected
from scoring.rules.variants.indian.outcomes import OutcomeKind
from tests.builders.api_clients import Device, kept_connection, send
from tests.builders.api_operations import BODIES, OPERATIONS, address_of, parts_of
from tests.builders.playing import new_club, new_table, new_tournament
from tests.builders.samples import tries
from tests.builders.there import there
from tournaments import log
from tournaments.models import Role, Tournament
from tournaments.models.log import Event
from tournaments.rehearsal.demo import read_example, read_tables

pytestmark = pytest.mark.django_db

PROVED = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")
KEPT = (*PROVED, "response_headers_conformance")
STATUSES = {200, 201, 304, 400, 401, 403, 404, 405, 406, 408, 409, 413, 415, 422, 429, 500, 503}


SCHEMA = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
SITE = WSGIHandler()
DESCRIBED = [result.ok() for result in SCHEMA.get_all_operations() if isinstance(result, Ok)]


def examples(count: int) -> settings:
    return settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def few_and(many: int, *, few: int) -> pytest.MarkDecorator:
    """Some examples in every run, and many in the long one."""
    return pytest.mark.parametrize("count", [few, pytest.param(many, marks=pytest.mark.slow(long=True))])


@pytest.fixture(autouse=True)
def any_host(settings):
    settings.ALLOWED_HOSTS = ["*"]


@pytest.fixture(autouse=True)
def one_connection():
    with kept_connection():
        yield


@pytest.fixture
def table():
    return new_table(new_tournament(new_club(is_published=True)))


@pytest.mark.slow
def test_the_description_is_openapi_and_names_every_status():
    schema: Any = SchemaGenerator().get_schema(request=None, public=True)
    validate_schema(schema)
    assert schema["openapi"] == "3.1.0"
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            assert set(map(int, operation["responses"])) <= STATUSES, (path, method)


@pytest.mark.slow
@few_and(2_000, few=5)
@pytest.mark.parametrize("operation", DESCRIBED, ids=lambda operation: f"{operation.method} {operation.path}")
def test_whatever_is_sent_is_answered_as_described(operation, count, table):
    home = table.row.tournament
    ids = parts_of(operation.path, home, table.row) | {"import_id": uuid.uuid4()}
    clients = [Client(), Device(home.club, Role.DIRECTOR), Device(home.club, Role.SCORER)]
    seen: Counter[int] = Counter()

    @given(case=operation.as_strategy(), who=st.integers(0, 2), is_ours=st.integers(0, 9))
    @examples(tries(count))
    def every_case(case, who, is_ours):
        if is_ours and case.path_parameters:
            case.path_parameters = {name: str(ids[name]) for name in case.path_parameters}
        before = Event.objects.count()
        token = clients[who].defaults.get("HTTP_AUTHORIZATION", "")
        # This client sends Accept-Encoding: gzip, and decompresses nothing.
        headers = {"Accept-Encoding": "identity", **({"Authorization": token} if token else {})}
        response = case.call(app=SITE, headers=headers)
        seen[response.status_code] += 1
        case.validate_response(response, checks=[CHECKS.get_one(name) for name in KEPT], headers=headers)
        assert response.status_code < 400 or Event.objects.count() == before

    every_case()
    assert seen, operation.path


HOWS = [how.value for how in OutcomeKind]
KINDS = [*EVENTS, "deal"]
junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.text(max_size=20),
    st.lists(st.integers(0, 3), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(0, 3), max_size=2),
)
seat = st.sampled_from(["1", "2", "3", "4", "5", "0", ""]) | junk
outcome = junk | st.fixed_dictionaries(
    {"how": st.sampled_from(HOWS) | junk},
    optional={"count": st.integers(-5, 140) | junk, "groups": junk, "loose": junk, "had_turn": junk, "x": junk},
)
field = {
    "deal": st.integers(0, 4) | junk,
    "outcomes": st.dictionaries(st.sampled_from("12345"), outcome, max_size=5) | junk,
    "reason": st.text(max_size=30) | junk,
    "seat": seat,
    "points": st.integers(-1, 200) | junk,
    "amount_minor": st.integers(-1, 10**13) | junk,
    "version": st.integers(0, 6) | junk,
    "totals": junk,
    "ended": st.sampled_from(["played_out", "count_now", "void_others"]) | junk,
    "wild": st.sampled_from(["5", "QH", "PJ"]) | junk,
    "dealer": seat,
}
whole_deal = st.tuples(*[st.sampled_from([{"how": "show"}, {"how": "loss", "count": 20}, {"how": "first_drop"}])] * 4)
event = st.one_of(
    st.fixed_dictionaries({"kind": st.sampled_from(KINDS) | junk}, optional=field),
    st.builds(
        lambda number, hands: {
            "kind": "deal_recorded",
            "deal": number,
            "outcomes": {str(place): hand for place, hand in enumerate(hands, start=1)},
        },
        st.integers(1, 6),
        whole_deal,
    ),
)


@pytest.mark.slow
@few_and(18_000, few=30)
@pytest.mark.parametrize("preset", ["pool_101", "points", "deals_best_of_3"])
def test_events_that_are_nearly_right_are_stored_or_refused_and_never_break_anything(preset, count):
    stakes: dict[str, Any] = {"entry_minor": 100, "point_value_minor": 100}
    table = new_table(new_tournament(preset=preset, **stakes))
    director = Device(table.row.tournament.club, Role.DIRECTOR)
    path = f"/api/v1/tables/{table.row.id}/events/"

    @given(sent=event, behind=st.sampled_from([0, 0, 0, 0, 1]))
    @examples(tries(count))
    def every_event(sent, behind):
        before = there(log.head_of(table.row.tournament.club_id, table.row.id)).version
        answer = send(director, path, {"expected_version": max(1, before - behind), "event": sent})
        after = there(log.head_of(table.row.tournament.club_id, table.row.id)).version
        assert answer.status_code in {201, 400, 409, 422}, answer.content
        assert after == before + (answer.status_code == 201)
        if answer.status_code == 422:
            assert all(problem["code"] and problem["detail"] for problem in answer.json()["problems"])

    every_event()


@pytest.mark.parametrize("path", ["/api/v1/schema/", "/api/v1/docs/"])
def test_the_apis_own_description_is_served_and_refuses_in_the_apis_words(path: str):
    assert Client().get(path).status_code == 200
    ways = [("post", {}, 405), ("get", {"accept": "text/plain"}, 406), ("get", {"authorization": "Bearer x"}, 401)]
    for method, headers, status in ways:
        answer = getattr(Client(raise_request_exception=False, headers=headers), method)(path)
        assert (answer.status_code, answer.json()["status"]) == (status, status)
        assert answer.headers["Content-Type"] == "application/problem+json"


def said_twice(value: Any, *, spelt: str = "") -> Iterator[str]:
    """The JSON of a value with one field written twice, once for every field in it, at any depth."""
    if isinstance(value, list):
        for place, item in enumerate(value):
            for text in said_twice(item, spelt=spelt):
                parts = [text if at == place else json.dumps(each) for at, each in enumerate(value)]
                yield f"[{', '.join(parts)}]"
    if isinstance(value, dict):
        entries = {name: f"{json.dumps(name)}: {json.dumps(item)}" for name, item in value.items()}
        for name, item in value.items():
            again = "".join(f"\\u{ord(letter):04x}" for letter in name) if spelt == "escaped" else name
            yield f'{{{", ".join(entries.values())}, "{again}": null}}'
            for text in said_twice(item, spelt=spelt):
                kept = [entry for other, entry in entries.items() if other != name]
                yield "{" + ", ".join([*kept, f"{json.dumps(name)}: {text}"]) + "}"


@pytest.mark.slow
@pytest.mark.parametrize("spelt", ["plainly", "escaped"])
@pytest.mark.parametrize("operation", [name for name, (method, _) in OPERATIONS.items() if method == "post"])
def test_no_operation_takes_a_body_that_names_a_field_twice(operation: str, spelt: str):
    table = new_table(new_tournament(new_club()))
    home, device = table.row.tournament, Device(table.row.tournament.club, Role.OWNER)
    path = address_of(OPERATIONS[operation][1], home, table.row)
    bodies = list(said_twice(BODIES[operation], spelt=spelt))
    before = (Event.objects.count(), Tournament.objects.count())
    for body in bodies:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        answer = device.post(path, body, content_type="application/json", headers=headers)
        assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "repeated_field"), body
    assert (Event.objects.count(), Tournament.objects.count()) == before
    assert bodies or BODIES[operation] == {}


@pytest.mark.parametrize("read", [read_tables, read_example])
def test_examples_that_name_a_field_twice_are_refused(read: Any):
    with pytest.raises(JsonRejected):
        read(b'{"preset": "pool_101", "plan": {"stages": [{"rounds": 1, "rounds": 2}]}}')
