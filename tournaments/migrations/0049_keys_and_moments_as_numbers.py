"""What the log keeps of an idempotency key is sixteen bytes, and on SQLite a moment is a number.

A key that is no UUID moves beside what stands for it, because the hash of its fact covers it. All rows are read before
and after, and say the same, or nothing is changed. There is no way back: earlier code would not find a key again.
docs/decisions/0072-sixteen-bytes-of-a-key.md
"""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from django.db import IntegrityError, migrations, models

import tournaments.models.log
from tournaments.log.triggers import LOG

UUID_TEXT = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The one that takes a key as text.
OLD_FUNCTION = """
DROP FUNCTION IF EXISTS tournaments_append(uuid, uuid, integer, bytea, text, integer, integer, text, text, text,
  timestamp with time zone, timestamp with time zone, text, bytea, bytea, bytea, text)"""
ON_POSTGRESQL = f"""
UPDATE tournaments_event
SET given_key = key, key = encode(substring(sha256(convert_to(key, 'UTF8')) FROM 1 FOR 16), 'hex')::uuid::text
WHERE key !~ '^{UUID_TEXT}$'"""
ON_SQLITE = """
UPDATE tournaments_event SET given_key = given_part(key), key = key_bytes(key),
  recorded_at = moment_number(recorded_at), occurred_at = moment_number(occurred_at)"""
ALL_ON_POSTGRESQL = """
SELECT count(*), sum(hashtextextended(concat_ws(' ', club_id, position, {key}), 0)::numeric) FROM tournaments_event"""
ALL_ON_SQLITE = """
SELECT rowid, {key}, {moment}(recorded_at), {moment}(occurred_at) FROM tournaments_event ORDER BY rowid"""


def make_way(apps, schema_editor):
    LOG.make_way(schema_editor.connection)
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        schema_editor.execute(OLD_FUNCTION)


def turn(apps, schema_editor):
    turned = _on_postgresql if schema_editor.connection.vendor == "postgresql" else _on_sqlite
    with schema_editor.connection.cursor() as cursor:
        before, after = turned(cursor, schema_editor.connection)
    if before != after:
        raise IntegrityError("a fact would not say what it said: nothing was changed")


def _on_postgresql(cursor, connection):
    cursor.execute(ALL_ON_POSTGRESQL.format(key="key"))
    before = cursor.fetchone()
    cursor.execute(ON_POSTGRESQL)
    cursor.execute(ALL_ON_POSTGRESQL.format(key="CASE WHEN given_key = '' THEN key ELSE given_key END"))
    return before, cursor.fetchone()


def _on_sqlite(cursor, connection):
    functions = {
        "given_part": given_part,
        "key_bytes": key_bytes,
        "moment_number": moment_number,
        "moment_text": moment_text,
    }
    for name, function in functions.items():
        connection.connection.create_function(name, 1, function, deterministic=True)
    connection.connection.create_function("key_text", 2, key_text, deterministic=True)
    before = _digest(cursor, ALL_ON_SQLITE.format(key="'' || key", moment="moment_text"))
    cursor.execute(ON_SQLITE)
    kept = ALL_ON_SQLITE.format(key="key_text(key, given_key)", moment="moment_text")
    return before, _digest(cursor, kept)


def _digest(cursor, question):
    digest = sha256()
    for row in cursor.execute(question):
        digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return digest.digest()


def is_uuid(key):
    return isinstance(key, str) and re.fullmatch(UUID_TEXT, key) is not None


def given_part(key):
    return "" if is_uuid(key) else key


def key_bytes(key):
    return UUID(key).bytes if is_uuid(key) else sha256(key.encode()).digest()[:16]


def key_text(key, given):
    return given or str(UUID(bytes=key))


def moment_number(text):
    """Its microseconds; what is not how the log writes a moment stays, and the proofs name it."""
    with suppress(ValueError):
        number = (datetime.fromisoformat(f"{text}+00:00") - EPOCH) // timedelta(microseconds=1)
        return number if moment_text(number) == text else text
    return text


def moment_text(stored):
    if not isinstance(stored, int):
        return stored
    return (EPOCH + timedelta(microseconds=stored)).isoformat(sep=" ", timespec="microseconds")[:26]


class Migration(migrations.Migration):
    dependencies = [("tournaments", "0048_keys_of_boards_lead_with_the_club")]

    operations = [
        migrations.RunPython(make_way),
        migrations.AddField(
            "event", "given_key", models.TextField(blank=True, db_default="", default="", editable=False)
        ),
        migrations.RunPython(turn),
        migrations.AlterField("event", "key", models.UUIDField(verbose_name="key")),
        migrations.AlterField(
            "event", "recorded_at", tournaments.models.log.MomentField(verbose_name="recorded at")
        ),
        migrations.AlterField(
            "event", "occurred_at", tournaments.models.log.MomentField(verbose_name="occurred at")
        ),
    ]
