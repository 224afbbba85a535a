"""`manage.py login_link [NAME]`: prints a link to a new password, or to the first login of a new site."""

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.timezone import now

from tournaments.people.invitations import make_password_link, make_setup_code

HERE = "http://127.0.0.1:8000"


class Command(BaseCommand):
    """Makes a password link for a login that nobody else can help, such as that of the only owner."""

    help = "Print a link with which somebody chooses a new password; without NAME, the one that makes the first login."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the login name, and the address of the site."""
        parser.add_argument("name", metavar="NAME", nargs="?", help="the name they sign in with")
        parser.add_argument("--site", metavar="ADDRESS", help=f"the site's own address; {HERE}, in production its host")
        parser.add_argument(
            "--forget-second-factor", action="store_true", help="where the phone or key is lost as well"
        )

    def handle(self, *, name: str | None, site: str | None, forget_second_factor: bool, **options: object) -> None:
        """Make the link; its code is stored nowhere."""
        address = (site or own_address()).rstrip("/")
        if name is None:
            code = make_setup_code(now=now())
            if not code:
                raise CommandError("this site has a login: give the NAME of somebody")
            page = f"{address}{reverse('setup:first_login')}"
            self.stdout.write(f"The first login is made at {page}#{code}")
            self.stdout.write(f"It works once, for 7 days. Or open {page} and type the code behind the #.")
            return
        user = get_user_model().objects.filter(username=name).first()
        if user is None:
            raise CommandError(f"nobody signs in as {name}")
        _, code = make_password_link(user, forgets_second_factor=forget_second_factor, now=now())
        page = f"{address}{reverse('invitations:exchange')}"
        self.stdout.write(f"{name} chooses a new password at {page}#{code}")
        self.stdout.write(f"It works once, for 24 hours. Or open {page} and type the code behind the #.")


def own_address() -> str:
    """The host of a site in production; this machine elsewhere."""
    hosts = [host for host in settings.ALLOWED_HOSTS if settings.PRODUCTION and not host.startswith((".", "*"))]
    return f"https://{hosts[0]}" if hosts else HERE
