"""The guards as SQLite triggers.

SQLite has no deferred triggers, so postings are written first, under a deferred foreign key, and the entry
last: its trigger checks the whole and seals it, and a sealed entry takes no more postings. An INSERT OR
REPLACE deletes without firing a delete trigger; so an insert over a row that stands is refused.
"""

from collections.abc import Iterator, Sequence
from typing import Any

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

_STANDS = {
    "scoring_account": "EXISTS (SELECT 1 FROM scoring_account WHERE id = NEW.id)",
    "scoring_journalentry": """EXISTS (
  SELECT 1 FROM scoring_journalentry AS other
  WHERE other.id = NEW.id OR other.reverses_id = NEW.reverses_id
     OR (other.club = NEW.club AND other.reference = NEW.reference))""",
    "scoring_posting": "EXISTS (SELECT 1 FROM scoring_posting WHERE id = NEW.id)",
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
    WHEN postings.balance <> 0
      THEN RAISE(ABORT, 'the postings of the entry do not sum to zero')
    WHEN postings.at_home <> postings.held
      THEN RAISE(ABORT, 'a posting is on an account of another club or currency')
  END
  FROM (
    SELECT count(*) AS held,
           coalesce(sum(posting.amount_minor), 0) AS balance,
           count(account.id) AS at_home
    FROM scoring_posting AS posting
    LEFT JOIN scoring_account AS account
      ON account.id = posting.account_id AND account.club = NEW.club AND account.currency = NEW.currency
    WHERE posting.entry_id = NEW.id
  ) AS postings;
END"""


def _wanted() -> Iterator[tuple[str, str]]:
    for table, why in _NEVER_CHANGED.items():
        for deed in ("update", "delete"):
            name = f"{table}_no_{deed}"
            refusal = f"BEGIN\n  SELECT RAISE(ABORT, '{why}');\nEND"
            yield name, f"CREATE TRIGGER {name} BEFORE {deed.upper()} ON {table}\n{refusal}"
    for table, stands in _STANDS.items():
        yield f"{table}_no_replace", _NOT_REPLACED.format(table=table, stands=stands)
    yield "scoring_posting_sealed", _SEALED
    yield "scoring_journalentry_complete", _COMPLETE


WANTED = dict(_wanted())


def standing(cursor: Any) -> dict[str, str]:
    """The triggers on our tables, by name, as SQLite keeps them: the text they were made with."""
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'scoring_%'")
    return dict(cursor.fetchall())


def rebuilding(absent: Sequence[str]) -> Iterator[str]:
    """Statements that put up the named triggers, whatever is left of them."""
    for name in absent:
        yield f"DROP TRIGGER IF EXISTS {name}"
        yield WANTED[name]
