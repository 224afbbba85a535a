"""Cash books as the log has them: line by line, with the book as it stood before each.

Rules: docs/books.md, "The cash desk". The same fold serves writing, rebuilding and auditing.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from uuid import UUID

from scoring.cash import CashBook, entry_of, fold_book
from scoring.rules import cash_facts as facts
from scoring.rules import events
from scoring.rules.facts import Fact
from scoring.settlement import PlannedEntry
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
        fact = events.decode(event.kind, event.schema, event.body)
        yield Line(fact, event, book)
        book = fold_book(book, [(event.version, fact)])


def book_from_log(stored: Iterable[StoredEvent]) -> CashBook:
    """A book as it stands after its stored events."""
    return fold_book(
        CashBook(), ((event.version, events.decode(event.kind, event.schema, event.body)) for event in stored)
    )


def entries_of(stored: Sequence[StoredEvent]) -> dict[int, tuple[PlannedEntry, ...]]:
    """By line, what the journal should show for it: nothing where it was taken back."""
    planned: dict[int, tuple[PlannedEntry, ...]] = {}
    for line in lines_of(stored):
        if isinstance(line.fact, facts.CashDeedUndone):
            planned[line.fact.version] = ()
        elif (entry := entry_of(line.before, line.fact)) is not None:
            planned[line.stored.version] = (entry,)
    return planned


def cause_of(book_id: UUID, line: int) -> str:
    """What the journal calls a line of a book."""
    return f"cash:{book_id}:{line}"
