"""`manage.py leave_out`: list the events that cannot be read, and exclude one of them."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from scoring.problems import EventNotAllowed
from tournaments.integrity.leaving_out import NoSuchPosition, leave_out
from tournaments.log.auditing import unreadable_lines
from tournaments.log.context import CommandContext
from tournaments.models import Club

ACTOR = "system:leave_out"


class Command(BaseCommand):
    """Lists them; with a position and a reason it excludes that one."""

    help = "List the events that cannot be read; with --club, --position and --reason leave one out."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: none of them, or all that excluding an event needs."""
        parser.add_argument("--club", default="", metavar="SLUG", help="only this club")
        parser.add_argument("--position", type=int, help="the position of the event in the club's log")
        parser.add_argument("--reason", default="", help="why it is left out: kept beside the log")

    def handle(self, *, club: str, position: int | None, reason: str, **options: object) -> None:
        """Print what is wrong, or that the event is excluded; exit with 1 while something is still to be done."""
        clubs = Club.objects.order_by("slug")
        chosen_clubs = list(clubs.filter(slug=club) if club else clubs)
        if club and not chosen_clubs:
            raise CommandError(f"There is no club {club!r}.")
        if position is None:
            self._list(chosen_clubs)
        elif not club:
            raise CommandError("Say in which club: --club SLUG.")
        else:
            self._leave_out(chosen_clubs[0], position, reason)

    def _list(self, clubs: list[Club]) -> None:
        lines = unreadable_lines(clubs)
        for line in lines:
            self.stdout.write(line)
        if lines:
            raise CommandError(f"{len(lines)} events cannot be read: leave_out --club SLUG --position N --reason WHY")
        self.stdout.write("Every event can be read.")

    def _leave_out(self, club: Club, position: int, reason: str) -> None:
        try:
            done = leave_out(club.pk, position, reason=reason, context=CommandContext(actor=ACTOR, now=now()))
        except NoSuchPosition as error:
            raise CommandError(f"{club.slug}: nothing stands at position {position}.") from error
        except EventNotAllowed as refused:
            raise CommandError("; ".join(problem.text() for problem in refused.problems)) from refused
        self.stdout.write(f"{club.slug}: position {position} is left out by position {done.position}.")
