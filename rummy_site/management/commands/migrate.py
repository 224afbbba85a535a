"""`manage.py migrate`: Django's own, then rebuilds the leaderboards where the code that wrote them has changed."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import DEFAULT_DB_ALIAS
from django.utils.timezone import now

from rummy_site.database_release import newer_migrations, release_fault, unapplied_migrations
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.integrity.rebuild import rebuild
from tournaments.log.parts import InTurn, Progress
from tournaments.management.terminal import ProgressLine
from tournaments.models import ProjectionRelease
from tournaments.release import projection_stamp
from tournaments.running.commands.settle import settle_tournament, tournaments_to_settle

# After an update: leaderboards that earlier code wrote are rebuilt, and settlements that the update made due are run.

BOARDS = "boards"


def are_boards_current() -> bool:
    """Whether exactly this code, to the byte, wrote the leaderboards."""
    return ProjectionRelease.objects.filter(name=BOARDS, stamp=projection_stamp()).exists()


def renew_boards(*, now: datetime, progress: Progress | None = None) -> int | None:
    """Rebuild leaderboards that other code wrote. Returns how many events were read; None: nothing to do.

    When interrupted, it starts over: the code's digest is stored last.
    """
    if are_boards_current():
        return None
    count = rebuild(run=InTurn(progress))
    _settle_what_is_owed(now)
    stamp = {"stamp": projection_stamp(), "rebuilt_at": now}
    ProjectionRelease.objects.update_or_create(name=BOARDS, defaults=stamp)
    return count


def _settle_what_is_owed(now: datetime) -> None:
    """Settle what is due, as a worker would. A settlement that fails waits for a director, as always."""
    _settle_each(tables_to_settle, lambda table: settle_table(table, now=now))
    _settle_each(tournaments_to_settle, lambda tournament: settle_tournament(tournament, now=now))


def _settle_each(due: Callable[[], list[UUID]], settle: Callable[[UUID], object]) -> None:
    tried: set[UUID] = set()
    while fresh := [which for which in due() if which not in tried]:
        tried.update(fresh)
        for which in fresh:
            settle(which)


class Command(Migrate):
    """Brings the database, and the data derived from the log, to this release."""

    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        """Check the database only where it is of this release: an older one does not have its guards yet."""
        kwargs = super().get_check_kwargs(options)
        is_ours = options["database"] == DEFAULT_DB_ALIAS
        return {**kwargs, "databases": []} if is_ours and release_fault() else kwargs

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate; once no migration is left, rebuild leaderboards that other code wrote."""
        is_ours = options["database"] == DEFAULT_DB_ALIAS
        if is_ours and (newer := newer_migrations()):
            text = f"the database was written by newer code, which has {', '.join(newer)}: update this code first"
            raise CommandError(f"nothing was migrated: {text}")
        super().handle(*args, **options)
        is_asked_only = options["plan"] or options["check_unapplied"]
        if is_asked_only or not is_ours or unapplied_migrations():
            return
        count = renew_boards(now=now(), progress=ProgressLine("Tables") if options["verbosity"] else None)
        if count and options["verbosity"]:
            self.stdout.write(f"{count} events read, every board written again for this release.")
