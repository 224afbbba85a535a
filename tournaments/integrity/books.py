"""Whether the books are in order: by themselves, and held against the log, club by club and all at one moment."""

from collections.abc import Callable
from functools import partial
from uuid import UUID

from scoring.ledger.audit import clubs_with_books, entry_problems, unguarded_problems
from tournaments.integrity.audit import Books, compare_books
from tournaments.integrity.ranges import Found, OfClub
from tournaments.log.parts import InTurn, Tell
from tournaments.log.snapshot import one_snapshot, shared_snapshot
from tournaments.models import Club


def check_books(club: UUID | None = None, *, run: InTurn | None = None) -> Books:
    """Everything that is wrong with the books of one club, or of all, seen at one moment.

    On PostgreSQL by all processes that take part; on SQLite each club is seen at a moment of its own.
    """
    run = run or InTurn()
    with one_snapshot():
        shared = shared_snapshot() if run.processes > 1 else ""
        clubs = {club} if club else {*Club.objects.values_list("id", flat=True), *clubs_with_books()}
        parts = [OfClub(what=what, club=each) for each in sorted(clubs) for what in _JUDGED]
        found = list(run("Books", partial(judge_books, shared), parts, Found))
        faults = [*unguarded_problems(club), *(line for each in found for line in each.said())]
    return Books(
        faults=tuple(faults), tables=sum(each.tables for each in found), waiting=sum(each.waiting for each in found)
    )


def judge_books(shared: str, part: OfClub, tell: Tell) -> Found:
    """The entries of a club by themselves, or against the log. `shared` names the moment at which they are seen."""
    with one_snapshot(shared):
        return _JUDGED[part.what](part.club)


def _against_the_log(club: UUID) -> Found:
    books = compare_books(club)
    return Found.of(books.faults, tables=books.tables, waiting=books.waiting)


_JUDGED: dict[str, Callable[[UUID], Found]] = {
    "entries": lambda club: Found.of(entry_problems(club)),
    "log": _against_the_log,
}
