"""What must hold after any fault injected into the site."""

from collections import Counter
from io import StringIO

from django.core.management import CommandError, call_command
from django.db.models import F

from tournaments.models import Club, Scoresheet
from tournaments.models.log import Event

PROOFS = {"verify_log": {"full": True}, "rebuild": {"check": True}, "check_ledger": {}}


def stored_keys(club: Club) -> Counter[str]:
    """How often each idempotency key of a club's tables occurs in the log."""
    keys = Event.objects.filter(club=club, stream__kind="table").values_list("key", flat=True)
    return Counter(map(str, keys))


def stored_versions(club: Club) -> dict[str, int]:
    """The version that each key of a club's tables has in the log."""
    found = Event.objects.filter(club=club, stream__kind="table").values_list("key", "version")
    return {str(key): version for key, version in found}


def is_settled(club: Club) -> bool:
    """Whether no table of the club waits for its money."""
    return not Scoresheet.objects.filter(club=club, due_version__gt=F("settled_version")).exists()


def complaints() -> list[str]:
    """What verify_log, rebuild --check and check_ledger report; it should be empty."""
    said = []
    for name, options in PROOFS.items():
        out = StringIO()
        try:
            call_command(name, stdout=out, stderr=out, **options)
        except CommandError as error:
            said.append(f"{name}: {error}\n{out.getvalue()}")
    return said
