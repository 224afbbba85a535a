"""`manage.py migrate`: Django's own, and then the boards, where the code that wrote them has changed."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.management.commands.migrate import Command as Migrate
from django.db import DEFAULT_DB_ALIAS
from django.utils.timezone import now

from rummy_site.operations.health import unapplied_migrations
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.evenings.commands.settle import evenings_to_settle, settle_evening
from tournaments.integrity.rebuild import rebuild
from tournaments.log.parts import InTurn, Progress
from tournaments.management.terminal import ProgressLine
from tournaments.models import ProjectionRelease
from tournaments.release import projection_stamp

# After an update: boards that earlier code wrote are written again, and what the update owes is settled.

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
    count = rebuild(run=InTurn(progress))
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


class Command(Migrate):
    """Brings the database, and what is kept in it of the log, to this release."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; once nothing is left to migrate, write boards that other code wrote again."""
        super().handle(*args, **options)
        is_asked_only = options["plan"] or options["check_unapplied"]
        if is_asked_only or options["database"] != DEFAULT_DB_ALIAS or unapplied_migrations():
            return
        count = renew_boards(now=now(), progress=ProgressLine("Tables") if options["verbosity"] else None)
        if count and options["verbosity"]:
            self.stdout.write(f"{count} events read, every board written again for this release.")
