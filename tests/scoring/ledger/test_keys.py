"""On PostgreSQL primary keys begin with the club: migrations add them to tables without moving rows."""

import pytest
from django.db import IntegrityError, connection, transaction

from scoring.storage.postgresql import give_keys, standing_keys

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite keeps the keys of the models"),
]
BEFORE = """
CREATE TABLE head (club integer NOT NULL, id integer PRIMARY KEY);
CREATE TABLE leaf (club integer NOT NULL, id integer PRIMARY KEY, head_id integer NOT NULL
  CONSTRAINT leaf_head REFERENCES head (id) DEFERRABLE INITIALLY DEFERRED);
CREATE INDEX leaf_by_head ON leaf (head_id);
CREATE UNIQUE INDEX leaf_one_head ON leaf (head_id) WHERE id > 0;
INSERT INTO head VALUES (1, 1), (2, 2);
INSERT INTO leaf VALUES (1, 1, 1), (2, 2, 2)"""
WANTED = {
    "leaf": {
        "leaf_pkey": "PRIMARY KEY (club, head_id, id)",
        "leaf_head": "FOREIGN KEY (club, head_id) REFERENCES head(club, id) DEFERRABLE INITIALLY DEFERRED",
        "leaf_by_id": "btree (club, id)",
        "leaf_one_head": "UNIQUE btree (club, head_id) WHERE (id > 0)",
    },
    "head": {"head_pkey": "PRIMARY KEY (club, id)"},
}


@pytest.fixture(autouse=True)
def _tables() -> None:
    run(BEFORE)


def run(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def give() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        give_keys(cursor, WANTED)


def keys() -> dict[str, dict[str, str]]:
    with connection.cursor() as cursor:
        return {table: standing_keys(cursor, table) for table in WANTED}


def test_tables_have_the_keys_that_were_given_and_no_others():
    give()
    assert keys() == WANTED
    give()
    assert keys() == WANTED


def test_what_led_to_a_row_of_another_club_undoes_all_of_it():
    before = keys()
    run("UPDATE leaf SET club = 1 WHERE id = 2")
    with pytest.raises(IntegrityError, match="leaf_head"):
        give()
    assert keys() == before


def test_an_index_that_is_unique_stays_so():
    """Planted fault: made again as a plain index, which allows a second row of a kind of which there may be one."""
    give()
    with pytest.raises(IntegrityError, match="leaf_one_head"), transaction.atomic():
        run("INSERT INTO leaf VALUES (1, 3, 1)")
