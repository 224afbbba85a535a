"""From what a table pays to entries that balance: planned here, posted by scoring.ledger.

Rules: docs/rules/points.md, "Money". Pure: no framework, no database, no clock.
"""

from scoring.amounts import format_minor
from scoring.money.entries import (
    AccountKind,
    AccountRef,
    Difference,
    PlannedEntry,
    PlannedPosting,
    Purpose,
    difference,
    plan_entries,
)

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
