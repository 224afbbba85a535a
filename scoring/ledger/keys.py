"""Keys of tables on PostgreSQL that differ from Django's models: the club comes first. And partitions, by its hash.

Keys are changed only by migrations of the log, the books and the leaderboards. Rows stay where they are; the database
checks each of them against a new key, and one that does not fit rolls the migration back. Partitioned tables keep their
names, rows and keys: rows are copied, and compared by number and a digest over all of each, before the old table is
dropped. Triggers go with it, and the caller must create them again. Both are done in the caller's transaction. Why:
docs/decisions/0065-keys-lead-with-the-club.md.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.ledger.triggers.definitions import parts_of
from scoring.problems import Defect

OLDEST_SERVER = 170_000
# Each of these tables, and the column with its club.
OF_BOOKS = {"scoring_posting": "club"}
# The named keys of a table, as PostgreSQL prints them: constraints, and indexes that belong to no constraint.
Keys = Mapping[str, str]

_CONSTRAINTS = """
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f') AND conparentid = 0"""
_INDEXES = """
SELECT relname,
  CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END || regexp_replace(pg_get_indexdef(oid), '^.* USING ', '')
FROM pg_index JOIN pg_class ON oid = indexrelid
WHERE indrelid = %s::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)"""
_REFERRING = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE confrelid = %s::regclass AND contype = 'f' AND conparentid = 0"""
_COUNTERS = """
SELECT quote_ident(attname), pg_get_serial_sequence(%s, attname) FROM pg_attribute
WHERE attrelid = %s::regclass AND attidentity <> ''"""


def standing_keys(cursor: Any, table: str) -> dict[str, str]:
    """Primary, unique and foreign keys of a table, and its other indexes, by name."""
    definition_by_name: dict[str, str] = {}
    for question in (_CONSTRAINTS, _INDEXES):
        cursor.execute(question, [table])
        definition_by_name |= dict(cursor.fetchall())
    return definition_by_name


def give_keys(cursor: Any, wanted: Mapping[str, Keys]) -> None:
    """Give tables these keys and indexes, and drop all others."""
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    standing = {table: standing_keys(cursor, table) for table in wanted}
    gone = [(table, *key) for table, keys in wanted.items() for key in standing[table].items() - keys.items()]
    new = [(table, *key) for table, keys in wanted.items() for key in keys.items() - standing[table].items()]
    # References are dropped first and created last: they depend on the other keys.
    for table, name, definition in sorted(gone, key=lambda key: not _is_reference(key[2])):
        cursor.execute(f'DROP INDEX "{name}"' if _is_index(definition) else f'{_alter(table)} DROP CONSTRAINT "{name}"')
    for table, name, definition in sorted(new, key=lambda key: _is_reference(key[2])):
        if _is_index(definition):
            unique, method, columns = definition.partition("btree ")
            cursor.execute(f'CREATE {unique}INDEX "{name}" ON "{table}" USING {method}{columns}')
        else:
            cursor.execute(f'{_alter(table)} ADD CONSTRAINT "{name}" {definition}')


def _alter(table: str) -> str:
    return f'ALTER TABLE "{table}"'


def _is_reference(definition: str) -> bool:
    return definition.startswith("FOREIGN KEY ")


def _is_index(definition: str) -> bool:
    return definition.startswith(("btree ", "UNIQUE btree "))


def divide(cursor: Any, columns: Mapping[str, str], parts: int) -> dict[str, int]:
    """Partition tables, each named with the column of its club; returns the number of rows of each. Raises Defect."""
    [[version]] = _rows(cursor, "SELECT current_setting('server_version_num')::integer")
    if version < OLDEST_SERVER:
        raise Defect(f"parts need PostgreSQL {OLDEST_SERVER // 10_000} or newer")
    if divided := sorted(set(parts_of(cursor, columns).values())):
        raise Defect(f"{', '.join(divided)}: in parts already")
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute(f"LOCK TABLE {', '.join(columns)} IN ACCESS EXCLUSIVE MODE")
    referring = {table: _rows(cursor, _REFERRING, table) for table in columns}
    concerned = {*columns, *(table for references in referring.values() for table, _ in references)}
    keys = {table: standing_keys(cursor, table) for table in concerned}
    for table, name in (reference for references in referring.values() for reference in references):
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    counts = {table: _divide(cursor, table, column, parts) for table, column in columns.items()}
    give_keys(cursor, keys)
    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    return counts


def _divide(cursor: Any, table: str, column: str, parts: int) -> int:
    whole = f"{table}_whole"
    counters = _rows(cursor, _COUNTERS, table, table)
    cursor.execute(f"ALTER TABLE {table} RENAME TO {whole}")
    # The new table's keys need their names.
    give_keys(cursor, {whole: {}})
    cursor.execute(f"CREATE TABLE {table} (LIKE {whole} INCLUDING ALL) PARTITION BY HASH ({column})")
    for part in range(parts):
        bounds = f"FOR VALUES WITH (MODULUS {parts}, REMAINDER {part})"
        cursor.execute(f"CREATE TABLE {table}_{part} PARTITION OF {table} {bounds}")
    cursor.execute(f"INSERT INTO {table} SELECT * FROM {whole}")  # noqa: S608 - names of tables
    before, after = _digest(cursor, whole), _digest(cursor, table)
    if before != after:
        raise Defect(f"{table} is not what it was: {after[0]} rows instead of {before[0]}, or others")
    cursor.execute(f"DROP TABLE {whole}")
    for column_name, sequence in counters:
        _count_on(cursor, table, column_name, sequence)
    cursor.execute(f"ANALYZE {table}")
    return int(after[0])


def _digest(cursor: Any, table: str) -> Sequence[Any]:
    """The number of rows, and a checksum that any other or changed row changes."""
    digest = "count(*), coalesce(sum(hashtextextended(each::text, 0)::numeric), 0)"
    [checksum_row] = _rows(cursor, f"SELECT {digest} FROM {table} AS each")  # noqa: S608 - names of tables
    return checksum_row


def _count_on(cursor: Any, table: str, column: str, sequence: str) -> None:
    """Let the new table's sequence continue from the old one's, under its name."""
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, column])
    own = cursor.fetchone()[0]
    cursor.execute(f"SELECT setval(%s, coalesce(max({column}), 0) + 1, false) FROM {table}", [own])  # noqa: S608
    cursor.execute(f"ALTER SEQUENCE {own} RENAME TO {sequence.rpartition('.')[2]}")


def _rows(cursor: Any, question: str, *values: Any) -> list[Sequence[Any]]:
    cursor.execute(question, values)
    rows: list[Sequence[Any]] = cursor.fetchall()
    return rows
