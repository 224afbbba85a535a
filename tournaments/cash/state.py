"""Cash books as the log has them: line by line, with the book as it stood before each.

Rules: docs/books.md, "The cash desk". The same fold serves writing, rebuilding and auditing.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple
from uuid import UUID

from scoring.cash import CashBook, entry_of, fold_book
from scoring.facts import cash as facts
from scoring.facts.stored import UNREADABLE, as_unreadable, fold_stored, read_stored
from scoring.facts.table import Fact, FactLeftOut
from scoring.money import PlannedEntry
from tournaments.log import StoredEvent


class Line(NamedTuple):
    """One line of a book: the fact, as it was stored, and the book before it."""

    fact: Fact
    stored: StoredEvent
    before: CashBook


def lines_of(stored: Iterable[StoredEvent]) -> Iterator[Line]:
    """A book line by line."""
    book = CashBook()
    for event in stored:
        fact = read_stored(event.kind, event.schema, event.body)
        try:
            after = fold_book(book, [(event.version, fact)])
        except UNREADABLE as error:
            fact = as_unreadable(fact, error)
            after = fold_book(book, [(event.version, fact)])
        yield Line(fact, event, book)
        book = after


def book_from_log(stored: Iterable[StoredEvent]) -> CashBook:
    """A book as it stands after its stored events."""
    told = ((event.version, read_stored(event.kind, event.schema, event.body)) for event in stored)
    return fold_stored(fold_book, CashBook(), told)


def entries_of(stored: Sequence[StoredEvent]) -> dict[int, tuple[PlannedEntry, ...]]:
    """By line, what the journal should show for it: nothing where it was taken back."""
    planned: dict[int, tuple[PlannedEntry, ...]] = {}
    for line in lines_of(stored):
        if isinstance(line.fact, facts.CashDeedUndone | FactLeftOut):
            planned[line.fact.version] = ()
        elif (entry := entry_of(line.before, line.fact)) is not None:
            planned[line.stored.version] = (entry,)
    # What followed from a line that was left out may not stand either: a closing without its count.
    return {event.version: () for event in stored} | planned


def cause_of(book_id: UUID, line: int | Literal[""]) -> str:
    """What the journal calls a line of a book; how the names of all its lines begin where none is given."""
    return f"cash:{book_id}:{line}"
