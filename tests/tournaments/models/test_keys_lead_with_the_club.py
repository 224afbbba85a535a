"""Each key of log and books on PostgreSQL begins with the club: so tables can be in parts by the club's hash."""

import re

import pytest
from django.db import connection, models

from scoring.ledger.keys import standing_keys
from scoring.models import Account, JournalEntry, Posting, SettledCause
from tournaments.models.log import ClubHead, Event, EventNote, Seal, Stream

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite keeps the keys of the models"),
]
LOG = (ClubHead, Stream, Event, EventNote, Seal)
BOOKS = (Account, JournalEntry, Posting, SettledCause)
CLUB_FIRST = re.compile(r"(PRIMARY KEY|UNIQUE|FOREIGN KEY|btree) \(club(_id)?\b")


@pytest.mark.parametrize("model", LOG + BOOKS)
def test_each_key_begins_with_the_club(model: type[models.Model]):
    with connection.cursor() as cursor:
        keys = standing_keys(cursor, model._meta.db_table)
    assert any(definition.startswith("PRIMARY KEY") for definition in keys.values())
    assert {name: key for name, key in keys.items() if not CLUB_FIRST.match(key)} == {}
