"""Settling the prizes of an evening: what was paid in, the house fee and the prizes, once, however often it is asked.

The obligation is a row (`due_position`), written with the fact that closed the tournament, or that changed a table of
it afterwards. A rehearsal pays nobody.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from scoring import ledger
from scoring.evening import load_evening
from scoring.rules.problems import RummyError
from scoring.settlement import plan_entries
from tournaments.commands.settling import Settled
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.prize_money import evening_payouts

CONFLICT = "facts of a table contradict each other: a director must resolve that first"
UNREAD = "a corrected deal waits for somebody's word: no prize is paid on it before"
OWED = Q(due_position__gt=F("settled_position"))


def settle_evening(tournament_id: UUID, *, now: datetime) -> Settled:
    """Post what a closed evening owes, and take it back where it was opened again."""
    try:
        with transaction.atomic():
            return _settle(tournament_id, now)
    except RummyError as error:
        note_evening_failure(tournament_id, str(error))
        return Settled(problem=str(error))


def note_evening_failure(tournament_id: UUID, reason: str) -> None:
    """Keep why the prizes could not be settled, where the director sees it."""
    EveningSheet.objects.filter(OWED, tournament_id=tournament_id).update(settle_problem=reason[:500])


def evenings_to_settle(limit: int = 200) -> list[UUID]:
    """Tournaments whose prizes are behind, the longest waiting first."""
    owed = EveningSheet.objects.filter(OWED, is_rehearsal=False).order_by("due_position")
    return list(owed.values_list("tournament_id", flat=True)[:limit])


def _settle(tournament_id: UUID, now: datetime) -> Settled:
    """Under a lock on the evening's row: two workers take turns, and the second finds nothing to do."""
    sheet = EveningSheet.objects.select_for_update().get(tournament_id=tournament_id)
    if sheet.settled_position >= sheet.due_position or sheet.is_rehearsal:
        return Settled()
    problem = _in_the_way(tournament_id)
    if problem:
        EveningSheet.objects.filter(pk=sheet.pk).update(settle_problem=problem)
        return Settled(problem=problem)
    tournament, evening = Tournament.objects.get(id=tournament_id), load_evening(sheet.state)
    entries = plan_entries(
        evening_payouts(tournament, evening),
        players={player: player for player in evening.entrants},
        currency=tournament.currency,
    )
    cause = f"tournament:{tournament_id}"
    result = ledger.settle(sheet.club_id, cause, version=sheet.due_position, entries=entries, now=now)
    EveningSheet.objects.filter(pk=sheet.pk).update(
        settled_position=sheet.due_position, settled_at=now, settle_problem=""
    )
    return Settled(posted=len(result.posted), reversed=len(result.reversed))


def _in_the_way(tournament_id: UUID) -> str:
    """What keeps an evening from being paid: each is answered by a further fact, which owes the prizes anew."""
    sheets = Scoresheet.objects.filter(table__tournament_id=tournament_id)
    if sheets.filter(has_conflict=True).exists():
        return CONFLICT
    return UNREAD if sheets.filter(is_closed=True, unconfirmed__gt=0).exists() else ""
