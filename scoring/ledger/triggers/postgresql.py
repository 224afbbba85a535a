"""The guards as PostgreSQL triggers.

The entry is written first, then all its postings in one statement: a trigger looks at each statement's
postings as a whole, and at the end of the transaction another refuses an entry that got none. An entry says
how many postings it has, so a posting added by a later transaction is refused without asking which
transaction that is (a stored transaction id would not survive a restore).

Refusals carry the class of integrity errors, as those of SQLite do. Definitions are written as PostgreSQL prints
them, so that what stands can be compared with them word for word.
"""

from scoring.ledger.triggers.definitions import BEYOND, OF_BOOKS, OnPostgresql, trigger_functions, within_bounds

_KEEP = """
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
    MESSAGE = format('%s is never changed (%s refused): post a reversal', TG_TABLE_NAME, TG_OP);
END
"""

_COMPLETE = """
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
  FROM (SELECT DISTINCT entry_id FROM fresh) AS touched
  LEFT JOIN scoring_journalentry AS entry ON entry.id = touched.entry_id
  LEFT JOIN LATERAL (
    SELECT count(*) AS held,
           sum(posting.amount_minor) AS balance,
           count(account.id) AS at_home
    FROM scoring_posting AS posting
    LEFT JOIN scoring_account AS account
      ON account.id = posting.account_id AND account.club = entry.club AND account.currency = entry.currency
    WHERE posting.entry_id = entry.id
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
  IF NOT EXISTS (SELECT 1 FROM scoring_posting WHERE entry_id = NEW.id) THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
      MESSAGE = 'the entry has no postings';
  END IF;
  RETURN NULL;
END
"""

# A version set back would let an older truth be posted over a newer one.
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
    "scoring_postings_complete": _COMPLETE,
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

GUARDS = OnPostgresql(
    functions=trigger_functions(_BODIES), triggers=_TRIGGERS | within_bounds(OF_BOOKS, "scoring_refuse_beyond")
)
