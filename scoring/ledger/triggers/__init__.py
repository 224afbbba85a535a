"""The database's own triggers over the books: entries balance, are complete, and never change.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. They are triggers, so that they apply to every program that
writes, ours or not. They are put back after each migration, because SQLite loses a table's triggers when Django
rebuilds it; `missing` names those that are not as they were created, and `strangers` other triggers on these tables.
Nothing here drops them for a running service.

On PostgreSQL the entry is written first, then all its postings in one statement: a trigger looks at each statement's
postings as a whole, and at the end of the transaction another refuses an entry that got none. An entry says how many
postings it has, so a posting added by a later transaction is refused without asking which transaction that is (a stored
transaction id would not survive a restore). Refusals carry the class of integrity errors, as those of SQLite do.
Definitions are written as PostgreSQL prints them, so that existing ones can be compared with them word for word.

SQLite has no deferred triggers, so postings are written first, under a deferred foreign key, and the entry last: its
trigger checks the whole and seals it, and a sealed entry takes no more postings. OR REPLACE deletes conflicting rows
without firing a delete trigger, and with foreign keys off nothing else prevents it; so an insert over any key of an
existing row is refused, the hidden rowid among them. A column accepts any type: values that are not integers are
refused here.
"""

from collections.abc import Iterator, Sequence

from scoring.ledger.triggers.definitions import (
    BEYOND,
    OF_BOOKS,
    Bounds,
    Guards,
    OnPostgresql,
    OnSqlite,
    trigger_functions,
    within_bounds,
)

# --- PostgreSQL ----------------------------------------------------------------------------------------------

_KEEP = """
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
    MESSAGE = format('%s is never changed (%s refused): post a reversal', TG_TABLE_NAME, TG_OP);
END
"""

_POSTINGS_COMPLETE = """
DECLARE
  fault text;
BEGIN
  SELECT CASE
      WHEN entry.id IS NULL THEN 'a posting names an entry that does not exist'
      WHEN postings.held <> entry.posting_count THEN 'the entry does not have as many postings as it says'
      WHEN postings.balance <> 0 THEN 'the postings of the entry do not sum to zero'
      WHEN postings.at_home <> postings.held THEN 'a posting is on an account of another club or currency'
    END AS found
  INTO fault
  FROM (SELECT DISTINCT club, entry_id FROM fresh) AS touched
  LEFT JOIN scoring_journalentry AS entry ON entry.club = touched.club AND entry.id = touched.entry_id
  LEFT JOIN LATERAL (
    SELECT count(*) AS held,
           sum(posting.amount_minor) AS balance,
           count(account.id) AS at_home
    FROM scoring_posting AS posting
    LEFT JOIN scoring_account AS account
      ON account.club = entry.club AND account.id = posting.account_id AND account.currency = entry.currency
    WHERE posting.club = entry.club AND posting.entry_id = entry.id
  ) AS postings ON true
  ORDER BY found NULLS LAST
  LIMIT 1;
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME, MESSAGE = fault;
  END IF;
  RETURN NULL;
END
"""

_NOT_EMPTY = """
BEGIN
  IF NOT EXISTS (SELECT 1 FROM scoring_posting WHERE club = NEW.club AND entry_id = NEW.id) THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
      MESSAGE = 'the entry has no postings';
  END IF;
  RETURN NULL;
END
"""

# A lower version would let older amounts be posted over newer ones.
_GROWS = """
BEGIN
  IF (NEW.id, NEW.club, NEW.cause) IS DISTINCT FROM (OLD.id, OLD.club, OLD.cause) OR NEW.version < OLD.version THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
      MESSAGE = format('%s only grows: a cause keeps its name and is never settled back', TG_TABLE_NAME);
  END IF;
  RETURN NEW;
END
"""

_BODIES = {
    "scoring_refuse_beyond": BEYOND,
    "scoring_refuse_change": _KEEP,
    "scoring_postings_complete": _POSTINGS_COMPLETE,
    "scoring_entry_not_empty": _NOT_EMPTY,
    "scoring_cause_grows": _GROWS,
}

_TRIGGERS = {
    **{
        f"{table}_no_change": (
            f"CREATE TRIGGER {table}_no_change BEFORE DELETE OR UPDATE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION scoring_refuse_change()"
        )
        for table in ("scoring_account", "scoring_journalentry", "scoring_posting")
    },
    "scoring_posting_complete": (
        "CREATE TRIGGER scoring_posting_complete AFTER INSERT ON scoring_posting "
        "REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION scoring_postings_complete()"
    ),
    "scoring_journalentry_not_empty": (
        "CREATE CONSTRAINT TRIGGER scoring_journalentry_not_empty AFTER INSERT ON scoring_journalentry "
        "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION scoring_entry_not_empty()"
    ),
    "scoring_settledcause_stays": (
        "CREATE TRIGGER scoring_settledcause_stays BEFORE DELETE OR TRUNCATE ON scoring_settledcause "
        "FOR EACH STATEMENT EXECUTE FUNCTION scoring_refuse_change()"
    ),
    "scoring_settledcause_grows": (
        "CREATE TRIGGER scoring_settledcause_grows BEFORE UPDATE ON scoring_settledcause "
        "FOR EACH ROW EXECUTE FUNCTION scoring_cause_grows()"
    ),
}

_ON_POSTGRESQL = OnPostgresql(
    functions=trigger_functions(_BODIES), triggers=_TRIGGERS | within_bounds(OF_BOOKS, "scoring_refuse_beyond")
)

# --- SQLite --------------------------------------------------------------------------------------------------

_NEVER_CHANGED = {
    "scoring_account": "an account is never changed",
    "scoring_journalentry": "a journal entry is never changed: post a reversal",
    "scoring_posting": "a posting is never changed: post a reversal",
}

_NOT_REPLACED = """CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
WHEN {stands}
BEGIN
  SELECT RAISE(ABORT, 'a row of {table} with this key stands already');
END"""

# An insert without a rowid has -1 here, which no row has.
_STANDS = {
    "scoring_account": """EXISTS (
  SELECT 1 FROM scoring_account AS other
  WHERE other.id = NEW.id OR other.rowid = NEW.rowid
     OR (other.club = NEW.club AND other.kind = NEW.kind AND other.owner = NEW.owner
         AND other.currency = NEW.currency))""",
    "scoring_journalentry": """EXISTS (
  SELECT 1 FROM scoring_journalentry AS other
  WHERE other.id = NEW.id OR other.rowid = NEW.rowid OR other.reverses_id = NEW.reverses_id
     OR (other.club = NEW.club AND other.reference = NEW.reference))""",
    "scoring_posting": "EXISTS (SELECT 1 FROM scoring_posting WHERE id = NEW.id)",
    "scoring_settledcause": """EXISTS (
  SELECT 1 FROM scoring_settledcause AS other
  WHERE other.id = NEW.id OR (other.club = NEW.club AND other.cause = NEW.cause))""",
}

_WHOLE_NUMBERS = {
    "scoring_posting": ("amount_minor",),
    "scoring_journalentry": ("version", "posting_count"),
    "scoring_settledcause": ("version",),
}

_SEALED = """CREATE TRIGGER scoring_posting_sealed BEFORE INSERT ON scoring_posting
WHEN EXISTS (SELECT 1 FROM scoring_journalentry WHERE id = NEW.entry_id)
BEGIN
  SELECT RAISE(ABORT, 'the entry is complete and takes no more postings');
END"""

_ENTRY_COMPLETE = """CREATE TRIGGER scoring_journalentry_complete AFTER INSERT ON scoring_journalentry
BEGIN
  SELECT CASE
    WHEN postings.held <> NEW.posting_count
      THEN RAISE(ABORT, 'the entry does not have as many postings as it says')
    WHEN postings.whole <> postings.held
      THEN RAISE(ABORT, 'a posting of the entry is no whole number')
    WHEN postings.balance <> 0
      THEN RAISE(ABORT, 'the postings of the entry do not sum to zero')
    WHEN postings.at_home <> postings.held
      THEN RAISE(ABORT, 'a posting is on an account of another club or currency')
  END
  FROM (
    SELECT count(*) AS held,
           coalesce(sum(typeof(posting.amount_minor) = 'integer'), 0) AS whole,
           coalesce(sum(posting.amount_minor), 0) AS balance,
           count(account.id) AS at_home
    FROM scoring_posting AS posting
    LEFT JOIN scoring_account AS account
      ON account.id = posting.account_id AND account.club = NEW.club AND account.currency = NEW.currency
     AND posting.club = NEW.club
    WHERE posting.entry_id = NEW.id
  ) AS postings;
END"""

# A lower version would let older amounts be posted over newer ones.
_CAUSES = {
    "scoring_settledcause_no_delete": """CREATE TRIGGER scoring_settledcause_no_delete
BEFORE DELETE ON scoring_settledcause
BEGIN
  SELECT RAISE(ABORT, 'a settled cause is never removed');
END""",
    "scoring_settledcause_grows": """CREATE TRIGGER scoring_settledcause_grows BEFORE UPDATE ON scoring_settledcause
WHEN NEW.id IS NOT OLD.id OR NEW.club IS NOT OLD.club OR NEW.cause IS NOT OLD.cause
  OR typeof(NEW.version) <> 'integer' OR NEW.version < OLD.version
BEGIN
  SELECT RAISE(ABORT, 'a cause keeps its name and is never settled back');
END""",
}


def _wanted() -> Iterator[tuple[str, str]]:
    for table, why in _NEVER_CHANGED.items():
        for operation in ("update", "delete"):
            name = f"{table}_no_{operation}"
            refusal = f"BEGIN\n  SELECT RAISE(ABORT, '{why}');\nEND"
            yield name, f"CREATE TRIGGER {name} BEFORE {operation.upper()} ON {table}\n{refusal}"
    for table, stands in _STANDS.items():
        yield f"{table}_no_replace", _NOT_REPLACED.format(table=table, stands=stands)
    for table, columns in _WHOLE_NUMBERS.items():
        yield f"{table}_whole_numbers", _whole_numbers(table, columns)
    for table, bounds in OF_BOOKS.items():
        yield f"{table}_within_bounds", _within_bounds(table, bounds)
    yield "scoring_posting_sealed", _SEALED
    yield "scoring_journalentry_complete", _ENTRY_COMPLETE
    yield from _CAUSES.items()


def _whole_numbers(table: str, columns: Sequence[str]) -> str:
    when = " OR ".join(f"typeof(NEW.{column}) <> 'integer'" for column in columns)
    return (
        f"CREATE TRIGGER {table}_whole_numbers BEFORE INSERT ON {table}\nWHEN {when}\n"
        f"BEGIN\n  SELECT RAISE(ABORT, 'a row of {table} has a number that is not whole');\nEND"
    )


def _within_bounds(table: str, bounds: Bounds) -> str:
    return (
        f"CREATE TRIGGER {table}_within_bounds BEFORE INSERT ON {table}\nWHEN {bounds.on_sqlite()}\n"
        f"BEGIN\n  SELECT RAISE(ABORT, 'a value of {table} is beyond its bound');\nEND"
    )


_ON_SQLITE = OnSqlite(wanted=dict(_wanted()))

# --- Both ----------------------------------------------------------------------------------------------------

BOOKS = Guards(
    vendors={"postgresql": _ON_POSTGRESQL, "sqlite": _ON_SQLITE},
    tables=frozenset({"scoring_account", "scoring_journalentry", "scoring_posting", "scoring_settledcause"}),
    noun="books",
    unguarded="books are not guarded",
    proof="check_ledger",
    check="scoring.W001",
    names_others=True,
)
missing, strangers, faults, restore = BOOKS.missing, BOOKS.strangers, BOOKS.faults, BOOKS.restore

connect, make_way = BOOKS.stand_through_migrations, BOOKS.make_way
