"""The club's books: the only module that posts entries, and queries over them.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Knows nothing of tables or tournaments: a cause is a text,
clubs and players are ids.
"""

from scoring.ledger.audit import causes_of, ledger_problems
from scoring.ledger.readings import (
    TrialLine,
    balance,
    balances,
    balances_of_kind,
    balances_of_owner,
    booked_for_players,
    owners,
    player_statement,
    postings_with_balance,
    statement_line,
    trial_balance,
)
from scoring.ledger.settling import Obligation, SettleResult, held_beside, settle, settle_many
from scoring.storage.writes import StatementLine

__all__ = [
    "Obligation",
    "SettleResult",
    "StatementLine",
    "TrialLine",
    "balance",
    "balances",
    "balances_of_kind",
    "balances_of_owner",
    "booked_for_players",
    "causes_of",
    "held_beside",
    "ledger_problems",
    "owners",
    "player_statement",
    "postings_with_balance",
    "settle",
    "settle_many",
    "statement_line",
    "trial_balance",
]
