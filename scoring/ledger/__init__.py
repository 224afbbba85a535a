"""The club's books: the only door by which entries are posted, and the readings that come out of them.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Knows nothing of tables or tournaments: a cause
is a text, a club and a player are ids.
"""

from scoring.ledger.audit import ledger_problems
from scoring.ledger.readings import (
    StatementLine,
    TrialLine,
    balance,
    player_statement,
    postings_with_balance,
    statement_line,
    trial_balance,
)
from scoring.ledger.settling import SettleResult, settle

__all__ = [
    "SettleResult",
    "StatementLine",
    "TrialLine",
    "balance",
    "ledger_problems",
    "player_statement",
    "postings_with_balance",
    "settle",
    "statement_line",
    "trial_balance",
]
