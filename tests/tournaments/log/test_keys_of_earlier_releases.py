"""Keys, digests and hashes as earlier releases stored them: they verify, and a resend still finds its event.

Planted faults these catch: a key beside its event that is not compared with the given one; a digest that is
compared whole with the stored part of it.
"""

from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from scoring.problems import KeyReused
from tests.builders.log_writers import Writer, new_club, open_table
from tests.builders.tampering import run, undone, unguarded
from tournaments import log
from tournaments.log import appending
from tournaments.log.rows import key_id
from tournaments.models.log import Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


class _AsGiven(UUID):
    """A key that is hashed as it was given."""

    def __str__(self) -> str:
        return "k1"


def faults(table: Writer) -> list[str]:
    verdict = log.verify_club(table.club.id.hex, is_full=True, examine=lambda rows: None)
    return [fault.said for fault in verdict.faults]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Writer]:
    """A table with an event under the key `k1` and the whole digest of its request, as earlier releases left it."""
    table = open_table(new_club())
    with monkeypatch.context() as earlier:
        earlier.setattr(appending, "REQUEST_BYTES", 32)
        earlier.setattr(appending, "key_id", lambda key: _AsGiven(key_id(key).hex))
        stored = table.writes(1, key="k1").stored
    assert len(stored.request_digest) == 32
    with unguarded():
        run("UPDATE tournaments_event SET given_key = 'k1' WHERE version = 2")
        yield table


def test_an_event_under_a_key_that_is_no_uuid_verifies_and_is_found_by_it(table: Writer):
    assert faults(table) == []
    assert table.writes(1, key="k1").is_replay
    with pytest.raises(KeyReused):
        table.writes(1, key="k1", digest="ab" * 31 + "cd")


def test_a_changed_key_is_found(table: Writer):
    for change, values in (("given_key = ''", ()), ("given_key = 'k2'", ()), ("key = %s", (uuid4(),))):
        with undone():
            run(f"UPDATE tournaments_event SET {change} WHERE version = 2", *values)
            assert faults(table) != [], change
        assert faults(table) == []


def test_a_uuid_is_its_own_key_and_no_other_text_is_it():
    key = uuid4()
    assert key_id(str(key)) == key
    assert len({key_id(text) for text in (str(key), str(key).upper(), key.hex, f"{key}:1", f" {key}")}) == 5


def test_a_uuid_beside_its_event_is_found_though_its_hash_would_fit():
    table = open_table(new_club())
    key = str(uuid4())
    table.writes(1, key=key)
    with unguarded():
        run("UPDATE tournaments_event SET given_key = %s WHERE version = 2", key)
        assert faults(table) != []


def test_a_stream_that_began_under_recipe_1_goes_on_under_recipe_2(monkeypatch: pytest.MonkeyPatch):
    table = Writer(new_club())
    with monkeypatch.context() as earlier:
        earlier.setattr(appending, "RECIPE", 1)
        table.opens()
    table.writes(1)
    assert list(Event.objects.order_by("position").values_list("recipe", flat=True)) == [1, 2]
    assert faults(table) == []
