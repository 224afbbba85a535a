"""`manage.py migrate`: Django's own, and then the boards, where the code that wrote them has changed."""

from typing import Any

from django.core.management.commands.migrate import Command as Migrate
from django.db import DEFAULT_DB_ALIAS
from django.utils.timezone import now

from rummy_site.operations.health import unapplied_migrations
from tournaments.integrity.renew import renew_boards
from tournaments.management.progress import ProgressLine


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
