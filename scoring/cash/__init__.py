"""A club night's cash book as it follows from its facts: tills, what was counted in them, and the entries to post.

Rules: docs/how-to/books.md, "The cash desk". Pure: knows no clock and no storage; what accounts hold is told by the
caller.
"""

from scoring.cash.admission import Holdings, problems_with
from scoring.cash.entries import SLOT, entry_of
from scoring.cash.state import CashBook, Till, dump_book, fold_book, load_book

__all__ = [
    "SLOT",
    "CashBook",
    "Holdings",
    "Till",
    "dump_book",
    "entry_of",
    "fold_book",
    "load_book",
    "problems_with",
]
