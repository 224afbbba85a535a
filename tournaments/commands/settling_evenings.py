"""Settling an evening: everybody's entry, the house's part and the prizes, once, however often it is asked.

Rules: docs/decisions/0017-entries-in-the-books.md. The obligation is a row (`due_position`), written with the fact that
touched everybody's money: the end of the tournament, a plan, or a correction at a table afterwards. A rehearsal pays
nobody.
"""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from scoring import ledger
from scoring.evening import load_evening
from scoring.rules.problems import RummyError
from tournaments.commands.settling import Settled
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.prize_money import EveningMoney, prize_cause

CONFLICT = "facts of a table contradict each other: a director must resolve that first"
UNREAD = "a corrected deal waits for somebody's word: no prize is paid on it before"
OWED = Q(due_position__gt=F("settled_position"))


def settle_evening(tournament_id: UUID, *, now: datetime) -> Settled:
    """Bring the books to what an evening owes: its prizes once it is closed, none where it was opened again."""
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
    evening = load_evening(sheet.state)
    problem = _in_the_way(tournament_id) if evening.is_closed and not evening.is_cancelled else ""
    if problem:
        EveningSheet.objects.filter(pk=sheet.pk).update(settle_problem=problem)
        return Settled(problem=problem)
    money = EveningMoney(tournament=Tournament.objects.get(id=tournament_id), evening=evening)
    results = ledger.settle_many(sheet.club_id, _owed(money, sheet), now=now).values()
    EveningSheet.objects.filter(pk=sheet.pk).update(
        settled_position=sheet.due_position, settled_at=now, settle_problem=""
    )
    return Settled(
        posted=sum(len(result.posted) for result in results), reversed=sum(len(result.reversed) for result in results)
    )


def _owed(money: EveningMoney, sheet: EveningSheet) -> list[ledger.Obligation]:
    """Prizes and entries in one go, as of the newest fact that either of them follows from."""
    owed = {prize_cause(sheet.tournament_id): money.prizes(), **money.entries()}
    newest = max(sheet.due_position, sheet.last_position)
    return [ledger.Obligation(cause=cause, version=newest, entries=entries) for cause, entries in owed.items()]


def _in_the_way(tournament_id: UUID) -> str:
    """What keeps an evening from being paid: each is answered by a further fact, which owes the prizes anew."""
    sheets = Scoresheet.objects.filter(table__tournament_id=tournament_id)
    if sheets.filter(has_conflict=True).exists():
        return CONFLICT
    return UNREAD if sheets.filter(is_closed=True, unconfirmed__gt=0).exists() else ""
