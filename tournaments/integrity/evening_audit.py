"""Are the books of planned evenings what their log says? Every entry, every prize, and no pool with money left in it.

Rules: docs/decisions/0017-entries-in-the-books.md. Folds every evening from its log, many at a time. What waits for a
worker is held against the log as it was when it was settled: a row that says it waits hides nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from scoring.evening import Evening
from scoring.facts.stored import UNREADABLE
from scoring.ledger.sums import Cause, Sums, planned_sums
from scoring.money import AccountKind
from tournaments import log
from tournaments.books.causes import entry_causes, prize_cause
from tournaments.evenings.prize_money import EveningMoney
from tournaments.integrity.evening_settled import Compared, SettledMoney
from tournaments.log.evidence.unread import not_judged
from tournaments.log.folding import evening_from
from tournaments.models import EveningSheet
from tournaments.projections.played import played_by_tournament

BATCH = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """A prize pool that should be empty and is not."""

    tournament: UUID
    currency: str
    held_minor: int


def count_waiting(club: UUID | None) -> int:
    """Evenings whose money waits for a worker, in one query."""
    waiting = EveningSheet.objects.filter(has_plan=True, is_rehearsal=False, due_position__gt=F("settled_position"))
    return (waiting if club is None else waiting.filter(club_id=club)).count()


def compare_evenings(
    club: UUID | None, posted: dict[Cause, Sums], versions: dict[Cause, int], noted: Mapping[Cause, int]
) -> Iterator[Compared | Pool | str]:
    """Every cause of every evening; they are taken out of `posted` and `versions`, so that strangers are left.

    Of an evening with a fact that cannot be read only that is told, and none of its causes is judged.
    """
    pools = _pools(posted)
    for sheets in _batches(club):
        stored = log.read_many([sheet.tournament_id for sheet in sheets])
        evenings = {sheet.tournament_id: _folded(stored[sheet.tournament_id]) for sheet in sheets}
        closed = [(s.tournament, evenings[s.tournament_id]) for s in sheets if evenings[s.tournament_id].is_closed]
        played = played_by_tournament(closed)
        for sheet in sheets:
            evening, what = evenings[sheet.tournament_id], f"tournament {sheet.tournament_id}"
            if evening.unreadable:
                _taken(sheet, posted, versions)
                yield from not_judged(what, stored[sheet.tournament_id], evening.unreadable)
                continue
            money = EveningMoney(
                tournament=sheet.tournament, evening=evening, played=played.get(sheet.tournament_id, ())
            )
            try:
                judged = _judged(sheet, money, posted, versions, pools)
                settled = SettledMoney(sheet=sheet, stored=stored[sheet.tournament_id], noted=noted)
                yield from settled.compared(judged) if _waits(sheet) else judged
            except UNREADABLE as error:
                _taken(sheet, posted, versions)
                yield f"{what} cannot be judged ({type(error).__name__}: {error})"


def _judged(
    sheet: EveningSheet,
    money: EveningMoney,
    posted: dict[Cause, Sums],
    versions: dict[Cause, int],
    pools: Mapping[UUID, Counter[str]],
) -> list[Compared | Pool]:
    found: list[Compared | Pool] = list(_compared(sheet, money, posted, versions))
    if money.evening.left_out:
        # Entries of players whom nobody can read any more were taken back with the fact.
        found += [
            Compared(name=cause.name, wanted={}, stands=stands) for cause, stands in _taken(sheet, posted, versions)
        ]
    if _waits(sheet):
        return found
    return [*found, *_full_pools(money, pools.get(sheet.tournament_id, Counter()))]


def _waits(sheet: EveningSheet) -> bool:
    return not sheet.is_rehearsal and sheet.due_position > sheet.settled_position


def _taken(sheet: EveningSheet, posted: dict[Cause, Sums], versions: dict[Cause, int]) -> list[tuple[Cause, Sums]]:
    """Every cause of an evening that is still among the strangers, taken from there."""
    names = (prize_cause(sheet.tournament_id), entry_causes(sheet.tournament_id))
    own = [
        cause
        for cause in versions.keys() | posted.keys()
        if cause.club == sheet.club_id and cause.name.startswith(names)
    ]
    for cause in own:
        versions.pop(cause, 0)
    return [(cause, posted.pop(cause, {})) for cause in own]


def _batches(club: UUID | None) -> Iterator[Sequence[EveningSheet]]:
    """Rehearsals among them: nothing may stand for those, and what was given back before is no stranger's."""
    sheets = (
        EveningSheet.objects.filter(has_plan=True).defer("state").select_related("tournament").order_by("tournament_id")
    )
    if club is not None:
        sheets = sheets.filter(club_id=club)
    batch = list(sheets[:BATCH])
    while batch:
        yield batch
        batch = list(sheets.filter(tournament_id__gt=batch[-1].tournament_id)[:BATCH])


def _folded(stored: Sequence[log.StoredEvent]) -> Evening:
    return evening_from(stored)


def _compared(
    sheet: EveningSheet, money: EveningMoney, posted: dict[Cause, Sums], versions: dict[Cause, int]
) -> Iterator[Compared]:
    for name, entries in {prize_cause(sheet.tournament_id): money.prizes(), **money.entries()}.items():
        cause = Cause(sheet.club_id, name)
        versions.pop(cause, 0)
        yield Compared(name=name, wanted=planned_sums(entries), stands=posted.pop(cause, {}))


def _pools(posted: dict[Cause, Sums]) -> dict[UUID, Counter[str]]:
    """What every prize pool holds, whatever put it there, by tournament and currency."""
    pools: dict[UUID, Counter[str]] = {}
    for sums in posted.values():
        for line, amount in sums.items():
            if line.kind == AccountKind.PRIZE_POOL:
                pools.setdefault(UUID(line.owner), Counter())[line.currency] += amount
    return pools


def _full_pools(money: EveningMoney, held: Counter[str]) -> Iterator[Pool]:
    if money.evening.is_closed:
        for currency, amount in held.items():
            if amount:
                yield Pool(tournament=money.tournament.pk, currency=currency, held_minor=amount)
