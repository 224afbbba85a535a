"""One deed at a time in a club: whoever looks first and writes afterwards takes a turn for both.

What is taken is the club's head in the log, before any other row and as every append does: then nobody can change
what was looked at, and nobody locks anybody up. Recording a deal needs none of this: its version is looked at by the
append itself.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import transaction

from tournaments import log
from tournaments.models import Tournament


@contextmanager
def club_turn(club_id: UUID) -> Iterator[None]:
    """A transaction in which nobody else writes in this club's log."""
    with transaction.atomic():
        log.take_turn(club_id)
        yield


@contextmanager
def tournament_turn(tournament_id: UUID) -> Iterator[Tournament]:
    """The same, with the tournament as it stands now, whatever a page has read before."""
    club_id = Tournament.objects.values_list("club_id", flat=True).get(id=tournament_id)
    with club_turn(club_id):
        yield Tournament.objects.select_related("club").get(id=tournament_id)
