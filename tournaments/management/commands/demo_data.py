"""`manage.py demo_data`: load the example club and print its logins."""

import json
import os
import secrets
from pathlib import Path

import msgspec
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from scoring.problems import RuleError
from tournaments.models import Club, Role
from tournaments.rehearsal.demo import add_official, load_tournament_state, read_example, read_tables

# One person of each role that somebody signs in with; a display is a device.
OFFICIALS = {
    "demo-owner": Role.OWNER,
    "demo-director": Role.DIRECTOR,
    "demo-scorer": Role.SCORER,
    "demo-cashier": Role.CASHIER,
    "demo-desk": Role.CHECKIN,
    "demo-treasurer": Role.AUDITOR,
}
# Without letters and digits that are easily confused.
ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


class Command(BaseCommand):
    """Loads the tournaments from `examples/`; run again, it only prints the logins."""

    help = "Load the example club from examples/; safe to repeat."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option for the folder of the sheets."""
        usual = settings.EXAMPLES_DIR
        parser.add_argument("--examples", type=Path, default=usual, help="folder with the paper sheets and the tables")

    def handle(self, *, examples: Path, **options: object) -> None:
        """Load the sheets, create the officials, and print a short summary."""
        sheets = {path.name: path.read_bytes() for path in sorted(examples.glob("*.csv"))}
        if not sheets:
            raise CommandError(f"there are no sheets in {examples}")
        try:
            tables = [table for path in sorted(examples.glob("*.jsonl")) for table in read_tables(path.read_bytes())]
            planned = [read_example(path.read_bytes()) for path in sorted(examples.glob("*.json"))]
            state = load_tournament_state(sheets, tables, planned, now=now())
        except RuleError as refused:
            raise CommandError("\n".join(problem.text() for problem in refused.problems)) from refused
        except (msgspec.MsgspecError, ValueError) as error:
            raise CommandError(f"a file in {examples} cannot be read: {error}") from error
        passwords = logins(state.club, Path(settings.VAR_DIR) / "demo_logins.json")
        counted = f"{state.finished} tables finished, {state.running} running"
        self.stdout.write(f"\n  {state.club.name}: {counted}")
        for username, role in OFFICIALS.items():
            self.stdout.write(f"  {role.label!s:<13} {username:<14}  password {passwords[username]}")


def logins(club: Club, path: Path) -> dict[str, str]:
    """Return the officials' passwords; new ones are set where the file that keeps them was lost."""
    was_kept = path.exists()
    passwords = kept_passwords(path)
    for username, role in OFFICIALS.items():
        user, is_new = add_official(club, username, role)
        if is_new or not was_kept:
            user.set_password(passwords[username])
            user.save(update_fields=["password"])
    return passwords


def kept_passwords(path: Path) -> dict[str, str]:
    """The demo's passwords: random, generated once, in a file that only its owner can read.

    A file of an earlier release lacks some officials, and gets theirs.
    """
    stored_passwords: dict[str, str] = json.loads(path.read_text(encoding="ascii")) if path.exists() else {}
    passwords = {username: stored_passwords.get(username) or new_password() for username in OFFICIALS}
    if passwords != stored_passwords:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(passwords, file)
    return passwords


def new_password() -> str:
    """Return sixteen letters and digits in groups of four: easy to type from a screen, too many to guess."""
    return "-".join("".join(secrets.choice(ALPHABET) for _ in range(4)) for _ in range(4))
