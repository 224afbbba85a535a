"""From what a table pays to entries that balance: planned here, posted by scoring.ledger.

Rules: docs/rules/points.md, "Money". Pure: no framework, no database, no clock.
"""

from scoring.rules.amounts import format_minor
from scoring.settlement.differences import Difference, difference
from scoring.settlement.entries import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose
from scoring.settlement.plans import plan_entries

__all__ = [
    "AccountKind",
    "AccountRef",
    "Difference",
    "PlannedEntry",
    "PlannedPosting",
    "Purpose",
    "difference",
    "format_minor",
    "plan_entries",
]
