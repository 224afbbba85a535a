"""The guards as SQLite triggers.

SQLite has no deferred triggers, so postings are written first, under a deferred foreign key, and the entry
last: its trigger checks the whole and seals it, and a sealed entry takes no more postings. OR REPLACE deletes what is
in its way without firing a delete trigger, and with references off nobody else minds; so an insert over any key of a
row that stands is refused, the hidden rowid among them. A column takes whatever it is given: what is no whole
number is refused here.
"""

from collections.abc import Iterator, Sequence

from scoring.ledger.triggers.definitions import OF_BOOKS, Bounds, OnSqlite

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

# An insert that names no rowid brings -1 here, which no row has.
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

_COMPLETE = """CREATE TRIGGER scoring_journalentry_complete AFTER INSERT ON scoring_journalentry
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
    WHERE posting.entry_id = NEW.id
  ) AS postings;
END"""

# A version set back would let an older truth be posted over a newer one.
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
        for deed in ("update", "delete"):
            name = f"{table}_no_{deed}"
            refusal = f"BEGIN\n  SELECT RAISE(ABORT, '{why}');\nEND"
            yield name, f"CREATE TRIGGER {name} BEFORE {deed.upper()} ON {table}\n{refusal}"
    for table, stands in _STANDS.items():
        yield f"{table}_no_replace", _NOT_REPLACED.format(table=table, stands=stands)
    for table, columns in _WHOLE_NUMBERS.items():
        yield f"{table}_whole_numbers", _whole_numbers(table, columns)
    for table, bounds in OF_BOOKS.items():
        yield f"{table}_within_bounds", _within_bounds(table, bounds)
    yield "scoring_posting_sealed", _SEALED
    yield "scoring_journalentry_complete", _COMPLETE
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


GUARDS = OnSqlite(wanted=dict(_wanted()))
