"""`manage.py unlock NAME`: lets somebody try again at once who is locked out after wrong passwords."""

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from tournaments.people import access


class Command(BaseCommand):
    """Forgets the failures under one name, from wherever they came."""

    help = "Open a log-in that is locked after wrong passwords."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whose."""
        parser.add_argument("name", metavar="NAME", help="the name they sign in with")

    def handle(self, *, name: str, **options: object) -> None:
        """Says from where it was locked, so that whoever guesses there is found."""
        if not get_user_model().objects.filter(username=name).exists():
            raise CommandError(f"nobody signs in as {name}")
        places = access.unlock(name, now=now())
        if places:
            self.stdout.write(f"{name} may sign in again. It was locked for: {', '.join(places)}")
        else:
            self.stdout.write(f"{name} was not locked.")
