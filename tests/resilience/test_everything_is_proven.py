"""Everything shown is proven: a changed byte of any column is found and located, or changes nothing that is shown.

As the owner of the database could do it: lift the guards, change a row, run all proofs, undo the change.
Planted fault: who sits where, a closed season's standings, a memo and a table's number went unseen before.
"""

import json
import random
import re
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from django.apps import apps
from django.core.cache import caches
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.test import Client
from psycopg.types.json import Jsonb

from scoring.ledger import ledger_problems
from tests.builders.samples import TIMES, tries
from tests.builders.story import tell_of_two_clubs
from tests.builders.tampering import undone, unguarded
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.log.auditing import verify_log
from tournaments.models import Club, Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

SMALL, BYTES_OF_A_NIGHT = 30, 2_000
# A finding names a row, a reference of the books, a position of the log, or the club whose seasons cannot be read.
LOCATED = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}|[a-z]+:[0-9a-f]|log: \S+ \d+:|posting \d+|log: .*(note|part)s? ")

OWN_WORDS = "the club's own words and choices, changed by its people at any time; the back office keeps who did it"
RIGHTS = "who may do what is given and taken at any time by an owner, and changes no result"
IMPORTS = "remembers what a list changed in words of the club, to undo it; what it stored in the log is proven there"
WORKERS = "what a worker is at and when it was done; it finds out anew, and what it writes is compared"
DRAFTS = "not published: a draft, what a projector holds, or a sheet that came late; a director has the last word on it"
NUMBERS = "a row's own number, which nobody is shown"
MADE = "when a row was made: orders lists of the back office, and no result"
GIVEN_UP = "a table that was given up has left its number, for any beyond 1,000"

# Columns that no proof holds, each with its reason; all columns of a model where none is named.
FREE: dict[str, dict[str, str]] = {
    "Club": {"": OWN_WORDS},
    "ClubSlug": {"": OWN_WORDS},
    "ClubHead": {"moved_to": OWN_WORDS},
    "FormerActor": {"": "names of logins elsewhere, as those of logins here"},
    "ErasedPlayer": {"": "what is erased again where an older copy brings it back; nothing that is shown"},
    "Player": {
        **dict.fromkeys(("name", "is_member", "is_suspended", "naming", "pseudonym", "has_page"), OWN_WORDS),
        **dict.fromkeys(
            ("note", "email", "phone", "wants_mail", "member_number", "erased_at", "books_name"), OWN_WORDS
        ),
        "merged_name": OWN_WORDS,
        "id": "a player who never sat anywhere; one who did is missed at the seat",
        "club_id": "the same",
        "created_at": MADE,
    },
    "Tournament": {
        **dict.fromkeys(("slug", "name", "starts_at", "is_published", "unpublished_at"), OWN_WORDS),
        **dict.fromkeys(("takes_entries", "entries_until", "places", "shows_entrants"), OWN_WORDS),
        **dict.fromkeys(("asks_email", "asks_phone"), OWN_WORDS),
        "created_at": MADE,
    },
    "Season": {
        **dict.fromkeys(("slug", "name", "starts_on", "ends_on", "formula", "is_published"), OWN_WORDS),
        "id": "a season that nobody closed has nothing yet but its words",
        "club_id": "the same",
        "final_position": "the same, before it is closed",
        "final_digest": "the same, before it is closed",
        "created_at": MADE,
    },
    "PastTournament": {"name": OWN_WORDS},
    "Table": {"created_at": MADE, "number": GIVEN_UP},
    "Seat": {"id": NUMBERS},
    "Standing": {"id": NUMBERS},
    "Posting": {"id": "decides the order within one settlement, and is found where that changes"},
    "SettledCause": {"id": NUMBERS},
    "Scoresheet": dict.fromkeys(("due_version", "settle_problem", "settle_attempts", "settled_at"), WORKERS),
    "EveningSheet": dict.fromkeys(("due_position", "settled_position", "settle_problem", "settled_at"), WORKERS),
    "SeasonTable": {"computed_at": WORKERS},
    "PlayerCredit": {"id": NUMBERS},
    "Receiver": {"": OWN_WORDS},
    **{key: {"": "who is told, and what was: no result depends on it"} for key in ("Delivery", "PushSubscription")},
    **{
        key: {"": WORKERS}
        for key in ("PublishedCopy", "ClubReadings", "WorkerHeartbeat", "SiteCheck", "ProjectionRelease")
    },
    **{
        key: {"": RIGHTS}
        for key in ("Membership", "ApiToken", "TableToken", "Invitation", "PlayerLink", "FailedAttempts")
    },
    **{key: {"": IMPORTS} for key in ("Import", "ImportedPlayer", "ImportColumns")},
    "ShownVersion": {"": "a number that only has to be another one; every board is made anew"},
    "Device": {"": "what phones say of themselves: a director is shown it, and no result follows"},
    **{key: {"": DRAFTS} for key in ("LateSheet", "SeatingDraft", "ScreenProgramme", "EntryRequest", "PlayerNotice")},
}


Proof = Callable[[], Iterable[str]]


class Cell(NamedTuple):
    """One value of one row, and the value to put in its place."""

    model: type[models.Model]
    column: str
    key: Any
    other: Any


@pytest.fixture(scope="module")
def two_clubs(recorded: Callable[..., AbstractContextManager[None]]) -> Iterator[None]:
    with recorded(tell_of_two_clubs):
        yield


def proofs() -> list[str]:
    """Everything that the proofs say."""
    return [line for proof in PROOFS for line in lines_of(proof)]


def lines_of(proof: Proof) -> list[str]:
    """What one proof says, guards left out: they are down. A proof that cannot go on ends alone."""
    try:
        with transaction.atomic():
            return [line for line in proof() if "guard" not in line]
    except Exception as error:  # noqa: BLE001 - `prove` goes on to the next as well
        return [f"CANNOT GO ON: {type(error).__name__}"]


def of_log() -> list[str]:
    return [f"log: {found.club} {found.position}: {found.text}" for found in verify_log(is_full=True).findings]


def of_books() -> list[str]:
    return list(compare_books().faults)


PROOFS: tuple[Proof, ...] = (of_log, rebuild_differences, ledger_problems, of_books)


def our_models() -> list[type[models.Model]]:
    """Every model of our applications."""
    return [model for app in ("scoring", "tournaments") for model in apps.get_app_config(app).get_models()]


def is_free(model: type[models.Model], column: str) -> bool:
    free = FREE.get(model.__name__, {})
    return "" in free or column in free


def cells(model: type[models.Model], chance: random.Random, *, most_rows: int | None = None) -> Iterator[Cell]:
    """Each column of each row, or of some drawn ones, with the first, the middle or the last byte changed.

    All three in turn where all rows are asked for and there is a day for it; else one of them, drawn.
    """
    keys = list(model._base_manager.order_by("pk").values_list("pk", flat=True))
    takes_each = most_rows is None and TIMES >= 10
    for field in model._meta.concrete_fields:
        if is_free(model, field.attname):
            continue
        found = 0
        for key in chance.sample(keys, len(keys)):
            others = list(changed_values(stored_value(model, field, key)))
            picked = others if takes_each else [chance.choice(others)] if others else []
            yield from (Cell(model, str(field.column), key, other) for other in picked)
            found += bool(picked)
            if found == most_rows:
                break


def stored_value(model: type[models.Model], field: Any, key: Any) -> Any:
    """The stored value of a column; on SQLite as its text, whose bytes can be changed, or as an id's bytes."""
    plain = (models.BinaryField, models.IntegerField, models.BooleanField, models.UUIDField)
    is_text = connection.vendor == "sqlite" and not isinstance(getattr(field, "target_field", field), plain)
    column = f"CAST({field.column} AS TEXT)" if is_text else field.column
    with connection.cursor() as cursor:
        table = model._meta
        cursor.execute(f"SELECT {column} FROM {table.db_table} WHERE {table.pk.column} = %s", [key])
        return cursor.fetchone()[0]


def changed_values(value: Any) -> Iterator[Any]:
    """The value with its first, its middle and its last byte changed to another of its kind."""
    match value:
        case None | "" | b"":
            return
        case bool():
            yield not value
        case int():
            yield from (-value if text is None else int(text) for text in changed_texts(str(value)))
        case str():
            yield from changed_texts(value)
        case datetime():
            yield from (value + step for step in (timedelta(days=400), timedelta(minutes=1), timedelta(microseconds=1)))
        case date():
            yield from (value + step for step in (timedelta(days=400), timedelta(days=1)))
        case uuid.UUID():
            yield from (uuid.UUID(hex=text) for text in changed_texts(value.hex))
        case dict() | list():
            for text in changed_texts(json.dumps(value)):
                with suppress(ValueError):
                    yield Jsonb(json.loads(text))
        case _:
            raw = bytes(value)
            yield from (
                raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :] for at in sorted({0, len(raw) // 2, len(raw) - 1})
            )


def changed_texts(text: str) -> Iterator[str]:
    for at in sorted({0, len(text) // 2, len(text) - 1}):
        sign = text[at]
        kinds: tuple[tuple[str, str], ...] = (("0123456789", "12"), ("abcdef", "ab"), ("ABCDEF", "AB"))
        first, second = next((tuple(pair) for kind, pair in kinds if sign in kind), ("x", "_"))
        if text[: at + 1] != "-":
            yield text[:at] + (second if sign == first else first) + text[at + 1 :]


def write(cell: Cell) -> bool:
    """Write the changed value. False where the database itself refuses it."""
    table = cell.model._meta
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            statement = f"UPDATE {table.db_table} SET {cell.column} = %s WHERE {table.pk.column} = %s"
            cursor.execute(statement, [cell.other, cell.key])
    except DatabaseError:
        return False
    return True


def unseen(changes: list[Cell]) -> list[tuple[str, str, str]]:
    """Changes that no proof found and located. One that does is enough; that of the row before is asked first."""
    missed = []
    found_by: dict[type[models.Model], Proof] = {}
    with unguarded():
        for cell in changes:
            usual = found_by.get(cell.model)
            with undone():
                if write(cell):
                    finder = next(filter(is_located, sorted(PROOFS, key=lambda proof: proof is not usual)), None)
                    if finder is None:
                        missed.append((cell.model.__name__, cell.column, repr(cell.other)[:60]))
                    else:
                        found_by[cell.model] = finder
    return missed


def is_located(proof: Proof) -> bool:
    return any(LOCATED.search(line) for line in lines_of(proof))


@pytest.mark.slow
def test_a_changed_byte_of_any_column_is_found_and_located(two_clubs: None):
    """A sample: one change each of columns drawn by a seed, others on the other database."""
    assert proofs() == []
    chance = random.Random(f"columns of {connection.vendor}")
    changes = [cell for model in our_models() for cell in cells(model, chance, most_rows=1)]
    assert len(changes) > 120
    assert unseen(chance.sample(changes, SMALL)) == []


@pytest.mark.slow(long=True)
def test_every_changed_byte_of_two_clubs_is_found_and_located(two_clubs: None):
    """Of every row one byte a column, drawn; on PostgreSQL of a tenth of them. All three of every row with TIMES=10."""
    changes = [cell for model in our_models() for cell in cells(model, random.Random(1))]
    if connection.vendor == "postgresql" and TIMES < 10:
        changes = changes[::10]
    assert unseen(changes) == []


@pytest.mark.slow(long=True)
def test_changed_bytes_of_a_simulated_night_are_found_and_located(two_clubs: None):
    call_command("simulate_night", players=24, preset="pool_101", seed="b", real=True, club="simulated", verbosity=0)
    chance = random.Random("a night")
    changes = [cell for model in our_models() for cell in cells(model, chance, most_rows=40)]
    assert unseen(chance.sample(changes, min(tries(BYTES_OF_A_NIGHT), len(changes)))) == []


def test_what_no_proof_holds_is_listed_with_its_reason_and_nothing_else_is():
    """A new column must be proven unless it is listed with a reason; the reason of a removed column must go too."""
    known = {model.__name__: {field.attname for field in model._meta.concrete_fields} for model in our_models()}
    assert set(FREE) <= set(known)
    assert {(name, one) for name, columns in FREE.items() for one in columns if one and one not in known[name]} == set()
    assert all(reason for columns in FREE.values() for reason in columns.values())


@pytest.mark.slow
def test_a_number_that_nobody_is_shown_changes_no_page_and_no_file(two_clubs: None):
    """A changed number that is never shown changes no page and no file."""
    Club.objects.update(is_published=True)
    Tournament.objects.update(is_published=True)
    before = shown()
    numbers = [model for model in our_models() if NUMBERS in FREE.get(model.__name__, {}).values()]
    assert len(numbers) == 4
    with unguarded():
        for model in numbers:
            last = model._base_manager.order_by("-pk")[0]
            key = uuid.uuid4() if isinstance(last.pk, uuid.UUID) else last.pk + 1_000
            with undone():
                assert write(Cell(model, str(model._meta.pk.column), last.pk, key))
                assert shown() == before, model


def shown() -> dict[str, bytes]:
    """What visitors read of the club: its pages, boards, files and logs, rendered again."""
    caches["answers"].clear()
    client = Client()
    club = Club.objects.get(slug="quay")
    paths = [f"/c/{club.slug}/", f"/c/{club.slug}/seals.jsonl", f"/c/{club.slug}/ratings/"]
    for slug in Tournament.objects.filter(club=club).values_list("slug", flat=True):
        paths += [f"/c/{club.slug}/t/{slug}/{part}" for part in ("", "board.json", "board.csv", "log.jsonl", "prizes/")]
    found = {path: client.get(path) for path in paths}
    assert sum(answer.status_code == 200 for answer in found.values()) > 20
    return {path: answer.content for path, answer in found.items()}
