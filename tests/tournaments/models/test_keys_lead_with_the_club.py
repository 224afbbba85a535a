"""Each key of log, books and boards on PostgreSQL begins with the club, so that tables can be partitioned by it."""

import re

import pytest
from django.db import connection, models

from scoring.models import Account, JournalEntry, Posting, SettledCause
from scoring.storage.postgresql import standing_keys
from tournaments.models import (
    CashBook,
    ClubReadings,
    EveningSheet,
    NightResult,
    PlayerCredit,
    PlayerRating,
    Scoresheet,
    SeasonTable,
    ShownVersion,
    Standing,
)
from tournaments.models.log import ClubHead, Event, EventNote, Seal, Stream

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite keeps the keys of the models"),
]
LOG = (ClubHead, Stream, Event, EventNote, Seal)
BOOKS = (Account, JournalEntry, Posting, SettledCause)
BOARDS = (
    *(Scoresheet, Standing, EveningSheet, ShownVersion, CashBook, PlayerCredit),
    *(NightResult, SeasonTable, PlayerRating, ClubReadings),
)
CLUB_FIRST = re.compile(r"(PRIMARY KEY|UNIQUE|UNIQUE btree|FOREIGN KEY) \(club(_id)?\b")


@pytest.mark.parametrize("model", LOG + BOOKS + BOARDS)
def test_each_key_begins_with_the_club(model: type[models.Model]):
    """Indexes of the log and the books too: each of their queries names the club."""
    with connection.cursor() as cursor:
        keys = standing_keys(cursor, model._meta.db_table)
    assert any(definition.startswith("PRIMARY KEY") for definition in keys.values())
    indexes = {name: key for name, key in keys.items() if key.startswith("btree ")}
    assert {name: key for name, key in keys.items() if name not in indexes and not CLUB_FIRST.match(key)} == {}
    if model not in BOARDS:
        assert {name: key for name, key in indexes.items() if not key.startswith("btree (club")} == {}
