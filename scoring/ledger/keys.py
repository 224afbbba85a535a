"""How tables on PostgreSQL get other keys than Django's models say: the club leads them.

For migrations of the log, the books and the boards alone. Rows stay where they are; the database holds each of them
against a key before it stands, and one that does not fit undoes the migration. Why:
docs/decisions/0065-keys-lead-with-the-club.md.
"""

from collections.abc import Mapping
from typing import Any

# Of one table, what it has by name, as PostgreSQL prints it: constraints, and indexes that no constraint has made.
Keys = Mapping[str, str]

_CONSTRAINTS = """
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f') AND conparentid = 0"""
_INDEXES = """
SELECT relname, regexp_replace(pg_get_indexdef(oid), '^.* USING ', '')
FROM pg_index JOIN pg_class ON oid = indexrelid
WHERE indrelid = %s::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)"""


def standing_keys(cursor: Any, table: str) -> dict[str, str]:
    """Primary, unique and foreign keys of a table, and its other indexes, by name."""
    found: dict[str, str] = {}
    for question in (_CONSTRAINTS, _INDEXES):
        cursor.execute(question, [table])
        found |= dict(cursor.fetchall())
    return found


def give_keys(cursor: Any, wanted: Mapping[str, Keys]) -> None:
    """Give tables these keys and indexes, and take from them whatever else they have."""
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    standing = {table: standing_keys(cursor, table) for table in wanted}
    gone = [(table, *key) for table, keys in wanted.items() for key in standing[table].items() - keys.items()]
    new = [(table, *key) for table, keys in wanted.items() for key in keys.items() - standing[table].items()]
    # References are the first to go and the last to come: they lean on the other keys.
    for table, name, definition in sorted(gone, key=lambda key: not _is_reference(key[2])):
        cursor.execute(f'DROP INDEX "{name}"' if _is_index(definition) else f'{_alter(table)} DROP CONSTRAINT "{name}"')
    for table, name, definition in sorted(new, key=lambda key: _is_reference(key[2])):
        if _is_index(definition):
            cursor.execute(f'CREATE INDEX "{name}" ON "{table}" USING {definition}')
        else:
            cursor.execute(f'{_alter(table)} ADD CONSTRAINT "{name}" {definition}')


def _alter(table: str) -> str:
    return f'ALTER TABLE "{table}"'


def _is_reference(definition: str) -> bool:
    return definition.startswith("FOREIGN KEY ")


def _is_index(definition: str) -> bool:
    return definition.startswith("btree ")
