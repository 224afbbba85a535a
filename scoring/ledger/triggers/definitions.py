"""How triggers and functions stand in a database, whole and in its own words, and what stands there beside ours.

A guard of the right name that was made again for fewer deeds, for no row or on another table is none: so definitions
are compared, not names. Rules: docs/decisions/0028-what-is-proven-how.md.
"""

from collections.abc import Collection, Mapping
from typing import Any

# Fires in every session, one that plays a replica's part too: that setting would switch an ordinary trigger off.
ALWAYS = "A"
NOT_ALWAYS = {"O": "fires in ordinary sessions only", "R": "fires in replicas only", "D": "is switched off"}
SESSION = "session_replication_role"

_FUNCTIONS = """
SELECT p.proname, quote_ident(current_schema()), pg_get_functiondef(p.oid)
FROM pg_proc AS p
WHERE p.proname = ANY(%s) AND p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'"""
_TRIGGERS = """
SELECT t.tgname, pg_get_triggerdef(t.oid, true), t.tgenabled::text
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace"""
# References are triggers as well, of the database's own: they can be switched off, but not rewritten.
_REFERENCES_OFF = """
SELECT DISTINCT c.relname
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
WHERE t.tgisinternal AND t.tgenabled <> 'O' AND c.relname = ANY(%s)
  AND c.relnamespace = current_schema()::regnamespace"""
_RULES = """
SELECT r.rulename, c.relname
FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class
WHERE c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace"""
_SESSIONS = """
SELECT current_setting('session_replication_role') <> 'origin' OR EXISTS (
  SELECT 1 FROM pg_db_role_setting AS given, unnest(given.setconfig) AS setting
  WHERE setting LIKE 'session_replication_role=%%' AND setting <> 'session_replication_role=origin'
    AND (given.setdatabase = 0 OR given.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())))
"""


def functions_on_postgresql(cursor: Any, names: Collection[str]) -> dict[str, str]:
    """Functions of our schema by name, as PostgreSQL would make them again; the schema's name is left out."""
    cursor.execute(_FUNCTIONS, [list(names)])
    return {name: text.replace(f"FUNCTION {schema}.", "FUNCTION ", 1) for name, schema, text in cursor.fetchall()}


def triggers_on_postgresql(cursor: Any, tables: Collection[str]) -> dict[str, str]:
    """Every trigger of some tables by name, as PostgreSQL prints it; one that may sleep says so behind it."""
    cursor.execute(_TRIGGERS, [list(tables)])
    return {
        name: text if enabled == ALWAYS else f"{text} -- {NOT_ALWAYS.get(enabled, enabled)}"
        for name, text, enabled in cursor.fetchall()
    }


def strangers_on_postgresql(cursor: Any, tables: Collection[str]) -> dict[str, str]:
    """What else has a say in what is written to some tables, and should not: what it is, by its name."""
    cursor.execute(_REFERENCES_OFF, [list(tables)])
    found = {f"references of {table}": "are not checked" for (table,) in cursor.fetchall()}
    cursor.execute(_RULES, [list(tables)])
    found |= {f"rule {name} on {table}": "is none of this code" for name, table in cursor.fetchall()}
    cursor.execute(_SESSIONS)
    if cursor.fetchone()[0]:
        found[SESSION] = "is set to something else than origin: references are not checked then"
    return found


def triggers_on_sqlite(cursor: Any, tables: Collection[str]) -> dict[str, str]:
    """Every trigger of some tables by name: the text it was made with, which is what SQLite goes by."""
    named = ", ".join(["%s"] * len(tables))
    cursor.execute(
        f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ({named})",  # noqa: S608
        list(tables),
    )
    return dict(cursor.fetchall())


def unlike(wanted: Mapping[str, str], standing: Mapping[str, str]) -> list[str]:
    """Names of guards that do not stand as they should: dropped, switched off or made otherwise."""
    return [name for name, definition in wanted.items() if standing.get(name) != definition]


def unknown(wanted: Mapping[str, str], standing: Mapping[str, str]) -> dict[str, str]:
    """Triggers that are none of ours."""
    return {f"trigger {name}": "is none of this code" for name in sorted(standing.keys() - wanted.keys())}
