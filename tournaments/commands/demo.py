"""The example club: a real evening, taken over from the paper sheets in `examples/` as any club would do it.

Loading it again changes nothing. Knows nothing of logins: the command that calls this keeps those.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from tournaments.commands.closing import close_tournament
from tournaments.commands.importing import ACTOR, import_sheet
from tournaments.commands.orders import Order
from tournaments.commands.settling import settle_table, tables_to_settle
from tournaments.models import Club, Membership, Role, Scoresheet, Tournament

SLUG = "marine-drive"
NAME = "Marine Drive Card Club"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The example club as it stands after loading."""

    club: Club
    is_new: bool
    finished: int
    running: int


def load_evening(sheets: Mapping[str, bytes], *, now: datetime) -> Evening:
    """Take every sheet over, or none; a club that has tables already keeps them as they are.

    Raises SheetRejected. Closed tables are settled here too, so that the demo needs to wait for no worker.
    """
    with transaction.atomic():
        club, _ = Club.objects.get_or_create(slug=SLUG, defaults={"name": NAME, "is_published": True})
        is_new = not Tournament.objects.filter(club=club).exists()
        if is_new:
            for name in sorted(sheets):
                import_sheet(sheets[name], now=now)
    if is_new:
        _finish(club, now)
    over = Scoresheet.objects.filter(club=club, is_closed=True).count()
    every = Scoresheet.objects.filter(club=club).count()
    return Evening(club=club, is_new=is_new, finished=over, running=every - over)


def add_official(club: Club, username: str, role: Role) -> tuple[AbstractBaseUser, bool]:
    """Somebody who works at the example club, and whether they are new; whoever has that name keeps their role."""
    user, is_new = get_user_model().objects.get_or_create(username=username, defaults={"is_staff": True})
    if is_new:
        Membership.objects.create(user=user, club=club, role=role)
    return user, is_new


def _finish(club: Club, now: datetime) -> None:
    """Settle what is over, and close the tournaments that have no table left open."""
    for table_id in tables_to_settle():
        settle_table(table_id, now=now)
    still_open = Scoresheet.objects.filter(club=club, is_closed=False).values("table__tournament_id")
    for tournament in Tournament.objects.filter(club=club).exclude(id__in=still_open):
        close_tournament(tournament.id, order=Order(actor=ACTOR, now=now))
