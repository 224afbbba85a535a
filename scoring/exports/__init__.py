"""A club's books as files that other programs open: rows for spreadsheets, and plain-text accounting.

Rules: docs/how-to/books.md. Pure: what stands in the books comes in, lines and cells go out. Knows no database and no
web.
"""

from scoring.exports.beancount import Heading, beancount_lines
from scoring.exports.booked import AccountBalance, BookedEntry, BookedPosting, brought_forward
from scoring.exports.spreadsheets import (
    BALANCE_HEADING,
    JOURNAL_HEADING,
    MOST_ROWS,
    STATEMENT_HEADING,
    Cell,
    Money,
    Sheet,
    TooManyRows,
    balance_rows,
    journal_rows,
    write_workbook,
)

__all__ = [
    "BALANCE_HEADING",
    "JOURNAL_HEADING",
    "MOST_ROWS",
    "STATEMENT_HEADING",
    "AccountBalance",
    "BookedEntry",
    "BookedPosting",
    "Cell",
    "Heading",
    "Money",
    "Sheet",
    "TooManyRows",
    "balance_rows",
    "beancount_lines",
    "brought_forward",
    "journal_rows",
    "write_workbook",
]
