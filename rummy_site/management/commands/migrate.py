"""`manage.py migrate`: Django's own, which says whether the code before may serve meanwhile.

Afterwards it rebuilds the leaderboards where the code that wrote them has changed.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError
from django.core.management.commands.migrate import Command as Migrate
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import ProjectState
from django.utils.timezone import now

from rummy_site.database import advisory_lock, database_file
from rummy_site.database_release import (
    migrations_wait,
    newer_migrations,
    note_served,
    release_fault,
    unapplied_migrations,
)
from rummy_site.served_migrations import reasons_to_stop
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.integrity.rebuild import rebuild
from tournaments.log.parts import InTurn, Progress
from tournaments.management.terminal import ProgressLine
from tournaments.models import ProjectionRelease
from tournaments.release import projection_stamp
from tournaments.running.commands.settle import settle_tournament, tournaments_to_settle

# After an update: leaderboards that earlier code wrote are rebuilt, and settlements that the update made due are run.

BOARDS = "boards"
# The number of PostgreSQL's advisory lock under which one process migrates.
MIGRATING = 7_866_932
# How long a migration waits for a table that others use. PostgreSQL lets nobody past who waits, so they wait as long.
LOCK_SECONDS = 0.5
# It is then tried again, after the others had their turn.
TRIES, PAUSE_SECONDS = 30, 5
# What PostgreSQL says of a statement that was not let in, or stood in the way of another that waits for it.
LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED = "55P03", "40P01"
# Transactions that have read or written a table, each with a number of its own and what is known of its program.
HOLDERS = """
SELECT virtualtransaction, concat(coalesce(nullif(application_name, ''), usename, backend_type), ' (process ', pid,
  to_char(xact_start AT TIME ZONE 'UTC', '", since" HH24:MI "UTC"'), ')')
FROM pg_locks JOIN pg_stat_activity USING (pid)
WHERE locktype = 'relation' AND granted AND datname = current_database() AND pid <> pg_backend_pid()"""


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


def who_may_serve(*, is_asked_only: bool) -> str:
    """Whether the code before may serve while the waiting migrations run, in a sentence; empty where it never served.

    Unless it is only asked, it is noted in the database too, where that code looks when it starts.
    """
    executor = MigrationExecutor(connection)
    loader = executor.loader
    plan = [migration for migration, _ in executor.migration_plan(loader.graph.leaf_nodes())]
    applied = [key for key in loader.graph.nodes if key in loader.applied_migrations]
    if not plan or not applied:
        return ""
    reasons = reasons_to_stop(plan, loader.project_state(applied))
    for (app, name), operations in reasons.items():
        if not operations and not is_asked_only:
            note_served(app, name)
    advice = "the code before may serve meanwhile"
    if stopping := [f"{app} {name} ({'; '.join(found)})" for (app, name), found in reasons.items() if found]:
        advice = f"stop the site first, because of {', '.join(stopping)}"
    return f"{migrations_wait(len(plan))}: {advice}."


@contextmanager
def alone() -> Iterator[None]:
    """Wait until nobody else migrates this database. A process that is killed holds nobody up."""
    if connection.vendor == "postgresql":
        with advisory_lock(MIGRATING):
            yield
        return
    # The folder of the file: it is locked without leaving anything behind.
    folder = os.open((database_file() or Path()).parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def wait_for_locks(seconds: float) -> None:
    """Let each statement wait so long for a lock of PostgreSQL; 0: without end."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{seconds * 1000:.0f}"])


def open_transactions(seconds: float) -> str:
    """Transactions of PostgreSQL that have used tables and stay open for so long, in words; empty where none does."""
    if connection.vendor != "postgresql":
        return ""
    asked: list[dict[str, str]] = []
    for pause in (seconds, 0):
        with connection.cursor() as cursor:
            cursor.execute(HOLDERS)
            asked.append(dict(cursor.fetchall()))
        time.sleep(pause)
    return ", ".join(sorted(asked[1][number] for number in asked[0].keys() & asked[1].keys()))


def carry_out_whole(migration: Migration) -> None:
    """Let a migration carry out what it defers within its transaction, in which Django then records it.

    It records one that has deferred statements afterwards: killed in between, it would be carried out again, and fail.
    """
    apply = migration.apply

    def apply_whole(state: ProjectState, editor: BaseDatabaseSchemaEditor) -> ProjectState:
        state = apply(state, editor)
        while editor.deferred_sql:
            editor.execute(editor.deferred_sql.pop(0), None)
        return state

    migration.apply = apply_whole  # type: ignore[method-assign, assignment]


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
        if not is_ours:
            super().handle(*args, **options)
            return
        with alone():
            self._migrate_ours(*args, **options)

    def migration_progress_callback(self, action: str, migration: Migration | None = None, fake: bool = False) -> None:  # noqa: FBT001, FBT002 (Django's)
        """Report what Django does, and prepare each migration."""
        super().migration_progress_callback(action, migration, fake)
        if migration is None:
            return
        builds_indexes = action == "apply_start" and not migration.atomic
        wait_for_locks(0 if builds_indexes else LOCK_SECONDS)
        if action == "apply_start":
            carry_out_whole(migration)
        # It may wait for long, and holds nobody up meanwhile.
        if builds_indexes and self.verbosity and (others := open_transactions(LOCK_SECONDS)):
            self.stdout.write(f" waits for {others}...", ending="")
            self.stdout.flush()

    def _migrate_ours(self, *args: Any, **options: Any) -> None:
        is_asked_only = options["plan"] or options["check_unapplied"]
        advice = who_may_serve(is_asked_only=is_asked_only)
        if advice and options["verbosity"]:
            self.stdout.write(advice)
        try:
            self._migrate_when_let_in(*args, **options)
        except OperationalError as error:
            text = "Fix this, and run manage.py migrate again: it goes on where it stopped"
            raise CommandError(f"stopped: {' '.join(str(error).split()).removesuffix('.')}. {text}.") from error
        if is_asked_only or unapplied_migrations():
            return
        count = renew_boards(now=now(), progress=ProgressLine("Tables") if options["verbosity"] else None)
        if count and options["verbosity"]:
            self.stdout.write(f"{count} events read, every board written again for this release.")

    def _migrate_when_let_in(self, *args: Any, **options: Any) -> None:
        """Migrate. What PostgreSQL has not let in, because others use its tables, is tried again for some minutes."""
        is_told = False
        for tries_left in reversed(range(TRIES)):
            wait_for_locks(LOCK_SECONDS)
            try:
                super().handle(*args, **{**options, "verbosity": 0 if is_told else options["verbosity"]})
                break
            except OperationalError as error:
                if getattr(error.__cause__, "sqlstate", "") not in {LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED}:
                    raise
                users = open_transactions(LOCK_SECONDS) or "others, for moments"
                if not tries_left:
                    text = "Run manage.py migrate again when they are done: it goes on where it stopped"
                    raise CommandError(f"stopped: tables are in use by {users}. {text}.") from error
                if options["verbosity"] and not is_told:
                    again = f"tried again every {PAUSE_SECONDS} seconds, {TRIES} times at most"
                    self.stdout.write(f" tables are in use by {users}: {again}...", ending="")
                    self.stdout.flush()
                is_told = True
            time.sleep(PAUSE_SECONDS)
        if options["verbosity"] and is_told:
            self.stdout.write(" OK")
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("RESET lock_timeout")
