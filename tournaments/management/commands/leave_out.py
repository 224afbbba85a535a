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
            lines = unreadable_lines(chosen_clubs)
            for line in lines:
                self.stdout.write(line)
            if lines:
                hint = "leave_out --club SLUG --position N --reason WHY"
                raise CommandError(f"{len(lines)} events cannot be read: {hint}")
            self.stdout.write("Every event can be read.")
            return
        if not club:
            raise CommandError("Say in which club: --club SLUG.")
        context = CommandContext(actor=ACTOR, now=now())
        try:
            done = leave_out(chosen_clubs[0].pk, position, reason=reason, context=context)
        except NoSuchPosition as error:
            raise CommandError(f"{club}: nothing stands at position {position}.") from error
        except EventNotAllowed as refused:
            raise CommandError("; ".join(problem.text() for problem in refused.problems)) from refused
        self.stdout.write(f"{club}: position {position} is left out by position {done.position}.")
