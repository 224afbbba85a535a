"""After an update: boards that earlier code wrote are written again, and what the update owes is settled.

Rules: docs/reference/running.md, "Processes". Nothing stored in the log or the books is changed. Knows nothing of
migrations.
"""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.evenings.commands.settle import evenings_to_settle, settle_evening
from tournaments.integrity.rebuild import Progress, rebuild
from tournaments.models import ProjectionRelease
from tournaments.release import projection_stamp

BOARDS = "boards"


def are_boards_current() -> bool:
    """Whether this code, to the byte, wrote the boards."""
    return ProjectionRelease.objects.filter(name=BOARDS, stamp=projection_stamp()).exists()


def renew_boards(*, now: datetime, progress: Progress | None = None) -> int | None:
    """Write every board again where other code wrote them. Returns how many events were read; None: nothing was to do.

    Interrupted, it begins again: the stamp is written last.
    """
    if are_boards_current():
        return None
    count = rebuild(progress=progress)
    _settle_what_is_owed(now)
    stamp = {"stamp": projection_stamp(), "rebuilt_at": now}
    ProjectionRelease.objects.update_or_create(name=BOARDS, defaults=stamp)
    return count


def _settle_what_is_owed(now: datetime) -> None:
    """What a worker would do first. One that fails waits for a director, as ever."""
    _settle_each(tables_to_settle, lambda table: settle_table(table, now=now))
    _settle_each(evenings_to_settle, lambda tournament: settle_evening(tournament, now=now))


def _settle_each(due: Callable[[], list[UUID]], settle: Callable[[UUID], object]) -> None:
    tried: set[UUID] = set()
    while fresh := [which for which in due() if which not in tried]:
        tried.update(fresh)
        for which in fresh:
            settle(which)
