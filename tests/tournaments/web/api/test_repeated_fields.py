"""A body that names a field twice is refused whole, at any depth and by every operation.

Planted fault that this catches: a parser that keeps the last of two entries, as every common one does.
"""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.json_text import JsonRejected
from tests.builders.api_clients import Device
from tests.builders.api_operations import BODIES, OPERATIONS
from tests.builders.playing import new_club, new_table, new_tournament
from tournaments.models import Role, Tournament
from tournaments.models.log import Event
from tournaments.rehearsal.demo import read_evening, read_tables

pytestmark = pytest.mark.django_db


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


@pytest.mark.parametrize("spelt", ["plainly", "escaped"])
@pytest.mark.parametrize("operation", [name for name, (method, _) in OPERATIONS.items() if method == "post"])
def test_no_operation_takes_a_body_that_names_a_field_twice(operation: str, spelt: str):
    table = new_table(new_tournament(new_club()))
    home, device = table.row.tournament, Device(table.row.tournament.club, Role.OWNER)
    path = OPERATIONS[operation][1].format(club_id=home.club_id, tournament_id=home.id, table_id=table.row.id)
    bodies = list(said_twice(BODIES[operation], spelt=spelt))
    before = (Event.objects.count(), Tournament.objects.count())
    for body in bodies:
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        answer = device.post(path, body, content_type="application/json", headers=headers)
        assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "repeated_field"), body
    assert (Event.objects.count(), Tournament.objects.count()) == before
    assert bodies


def test_every_operation_that_writes_has_a_body_to_try():
    assert {name for name, (method, _) in OPERATIONS.items() if method != "get"} == set(BODIES)


@pytest.mark.parametrize("read", [read_tables, read_evening])
def test_examples_that_name_a_field_twice_are_refused(read: Any):
    with pytest.raises(JsonRejected):
        read(b'{"preset": "pool_101", "plan": {"stages": [{"rounds": 1, "rounds": 2}]}}')
