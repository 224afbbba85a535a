"""`manage.py unlock NAME`: lets a user try again at once who is locked out after wrong passwords."""

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from tournaments.people import access


class Command(BaseCommand):
    """Deletes the failures of one login, wherever they came from."""

    help = "Open a login that is locked after wrong passwords."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the user name."""
        parser.add_argument("name", metavar="NAME", help="the name they sign in with")

    def handle(self, *, name: str, **options: object) -> None:
        """Print the origins of the failures, so that an attacker can be found."""
        user = get_user_model().objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"nobody signs in as {name}")
        places = access.unlock_login(user, now=now())
        if places:
            self.stdout.write(f"{name} may sign in again. It was locked for: {', '.join(places)}")
        else:
            self.stdout.write(f"{name} was not locked.")
