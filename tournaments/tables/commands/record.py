"""Recording a fact of a table: the one path by which deals, drops, rejoins and corrections get in.

The order of steps is the rule: resend? stale? well formed? admitted? Then the fact and the boards are stored in one
transaction, and a worker is sent a message if money is owed that was not owed before.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

import msgspec

from scoring.facts import wire
from scoring.facts.reading import read_stored
from scoring.facts.table import CHECKS
from scoring.facts.wire import Fact
from scoring.messages import say
from scoring.problems import EventRejected, FactRejected, Problem, StaleTable, refuse_if
from scoring.rules.table.admission import considered, disputed_deal, limit_problems, problems_with
from scoring.rules.table.table import Status, Table, before_deal, fold
from scoring.rules.table.timeline import DealCheck
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.books.commands import IS_PLAYED_FOR_REAL, cover_problems
from tournaments.log.context import CommandContext
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.models import Table as TableRow
from tournaments.projections.boards import write_boards
from tournaments.projections.stale import enqueue_prizes, enqueue_settlement, mark_tournament_stale

# Phones that save at the same moment take turns: one more try for each seat of a table.
TRIES = 10
ENTRIES = frozenset({"deal_recorded", "deal_corrected"})
# A table that was given up leaves its number to another, and has one that is higher by so much or more.
NUMBERS = 1_000

# Confirming a deal: the word of somebody else than whoever wrote it down, as the table asks for it.


def word_problems(sheet: Scoresheet, table: Table, fact: Fact, actor: str) -> list[Problem]:
    """What speaks against this actor's word on a deal; one query, and that only where a deal is confirmed."""
    if not isinstance(fact, wire.DealConfirmed) or table.deal_entry(fact.deal) is None:
        return []
    problems = []
    if writer_of(sheet, table, fact.deal) == actor:
        problems.append(own_deal(fact.deal))
    if fact.deal in table.disputed:
        problems.append(disputed_deal(fact.deal))
    if wants_official(table) and not is_official(actor):
        detail = say("deal {deal} is confirmed by a second official, who signs in", deal=fact.deal)
        if table.setup.two_seats_enter:
            detail = say("deal {deal} is confirmed by a second seat that enters it", deal=fact.deal)
        problems.append(Problem(code="not_an_official", field="deal", detail=detail))
    return problems


def writer_of(sheet: Scoresheet, table: Table, deal: int) -> str:
    """The actor who wrote a deal down as it stands, in one query; empty where there is no such deal."""
    entry = table.deal_entry(deal)
    if entry is None:
        return ""
    version = entry.corrected_at or entry.version
    return log.actors_of(sheet.club_id, sheet.table_id, [version]).get(version, "")


def own_deal(deal: int) -> Problem:
    """Nobody confirms what they wrote down."""
    detail = say("you recorded deal {deal}: someone else must confirm it", deal=deal)
    return Problem(code="own_deal", field="deal", detail=detail)


def wants_official(table: Table) -> bool:
    """Whether nobody but a person who signed in may confirm a deal of this table without entering it."""
    return table.setup.two_seats_enter or table.setup.confirmation == "second_official"


def is_official(name: str) -> bool:
    """Whether the actor of this name is a person who signed in, and no table's card or device."""
    return name.startswith("user:")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The answer: the stored fact, the table after it, and whether it had been stored before."""

    stored: log.StoredEvent
    table: Table | None
    is_replay: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One fact between the table before it and the table after it."""

    sheet: Scoresheet
    before: Table
    fact: Fact
    after: Table

    @property
    def changes_what_is_owed(self) -> bool:
        """Nothing is owed while facts contradict each other; once they agree again, the books are looked at.

        Where each deal is paid, a deal more owes more: all the payouts of a long table are not worked out for that.
        """
        before, after = self.before, self.after
        if after.conflicts or before.conflicts:
            return not after.conflicts
        if before.status is after.status is Status.OPEN and after.rules.pays_while_open(after.setup):
            return bool(before.game != after.game)
        return before.dues() != after.dues()

    @property
    def reopens_the_table(self) -> bool:
        """Its closing, or its being given up, is withdrawn."""
        return self.before.status is not Status.OPEN and self.after.status is Status.OPEN


def sheet_of(table_id: UUID) -> Scoresheet:
    """A table's score sheet row with what recording a fact of it asks for."""
    return Scoresheet.objects.select_related("table__tournament").get(table_id=table_id)


def record_wire_event(
    table_id: UUID, raw: Mapping[str, object], *, expected: int, order: CommandContext, sheet: Scoresheet | None = None
) -> Recorded:
    """Store an event, as the contract writes it, as the version after `expected`; `sheet` is the row, if it was read.

    Raises EventRejected or FactRejected with every problem, StaleTable when the table has moved on, KeyReused. The same
    order again gets its first answer: it is looked for only where the version no longer fits.
    """
    digest = digest_of_event(table_id, raw, expected)
    sheet = sheet or sheet_of(table_id)
    if sheet.version != expected:
        first = log.first_answer(sheet.club_id, order.key, digest)
        if first is None:
            raise StaleTable(expected=expected, current=sheet.version)
        return Recorded(stored=first, table=None, is_replay=True)
    before = load_table(sheet.state)
    fact = admitted(before, raw)
    refuse_if(word_problems(sheet, before, fact, order.actor), FactRejected)
    return record_fact(sheet, before, fact, order, digest)


def record_fact(sheet: Scoresheet, before: Table, fact: Fact, order: CommandContext, digest: str) -> Recorded:
    """Store an admitted fact as the next version of a table that stands as `before`. Raises as `record_wire_event`."""
    step = _Step(sheet=sheet, before=before, fact=fact, after=fold(before, [(before.version + 1, fact)]))
    refuse_if(_beyond_limit(step), FactRejected)
    return _store(step, order, order.request(digest))


def digest_of_event(table_id: UUID, raw: Mapping[str, object], expected: int) -> str:
    """What tells a resend of an event from another request under its key."""
    return wire.request_digest(str(table_id), str(expected), wire.canonical(raw))


def admitted(table: Table, raw: Mapping[str, object]) -> Fact:
    """The fact, if nothing speaks against it: form, rules and slips of the pen are looked at together."""
    fact, problems = considered(table, raw)
    if fact is None:
        raise EventRejected(problems)
    refuse_if([*problems, *table.rules.typing_problems(table.setup, fact)], FactRejected)
    return fact


def _beyond_limit(step: _Step) -> list[Problem]:
    """What this fact makes more than can be kept; a table that was beyond it before can be corrected and closed."""
    problems = limit_problems(step.after)
    return problems if problems and not limit_problems(step.before) else []


def _store(step: _Step, order: CommandContext, request: log.Request) -> Recorded:
    """The fact and everything that follows from it, in one transaction."""
    sheet, after = step.sheet, step.after

    def on_append(stored: log.StoredEvent) -> None:
        refuse_if(cover_problems(sheet, step.before, step.fact), FactRejected)
        if step.reopens_the_table:
            _refuse_to_reopen(sheet)
        write_boards(sheet.table, after, position=stored.position, recorded_at=stored.recorded_at)
        if step.changes_what_is_owed:
            owed = Scoresheet.objects.filter(IS_PLAYED_FOR_REAL, pk=sheet.pk)
            if owed.update(due_version=after.version, settle_problem=""):
                enqueue_settlement(sheet.table_id)
        if step.before.status is not Status.OPEN:
            owe_prizes_anew(sheet.table.tournament_id, stored.position)
            mark_tournament_stale(sheet.table.tournament_id)

    appended = log.append(
        log.StreamVersion(club_id=sheet.club_id, stream_id=sheet.table_id, expected=step.before.version),
        log.NewEvent.of(step.fact, order.occurred_at or order.now),
        request=request,
        on_append=on_append,
    )
    return Recorded(stored=appended.stored, table=None if appended.is_replay else after, is_replay=appended.is_replay)


def owe_prizes_anew(tournament_id: UUID, position: int) -> None:
    """What is changed at a table of a closed evening may change its prizes; while one is open, no evening is closed.

    Asked while the append holds the club's head: a page may have read the tournament before it was closed.
    """
    closed = EveningSheet.objects.filter(tournament_id=tournament_id, has_plan=True)
    if closed.filter(tournament__closed_at__isnull=False).update(due_position=position):
        enqueue_prizes(tournament_id)


def _refuse_to_reopen(sheet: Scoresheet) -> None:
    """A table of a closed tournament, and one that left its number to others: its players may sit there by now.

    Asked while the append holds the club's head, so that nobody closes the tournament or seats anybody between the two.
    """
    if Tournament.objects.filter(id=sheet.table.tournament_id, closed_at__isnull=False).exists():
        detail = say("the tournament is closed: reopen it before its tables")
        raise FactRejected([Problem(code="tournament_closed", detail=detail)])
    number = TableRow.objects.values_list("number", flat=True).get(id=sheet.table_id)
    if number > NUMBERS and number - _number_opened(sheet) >= NUMBERS:
        detail = say("seats changed again since: change them by hand")
        raise FactRejected([Problem(code="nothing_to_undo", detail=detail, field="version")])


def _number_opened(sheet: Scoresheet) -> int:
    """The number that the table was opened with; nought where an older release did not store it."""
    [opened] = log.read_kinds(sheet.club_id, [sheet.table_id], [wire.TableOpened.kind])
    fact = read_stored(opened.kind, opened.schema, opened.body)
    return fact.table if isinstance(fact, wire.TableOpened) else 0


# Deals that two seats enter, each on its own phone: the second entry confirms the first, or says where it differs.
# Rules: docs/how-to/evening.md, "Two phones for each deal", and decision 0048. Whatever a phone has seen of the table,
# a deal typed on it is never stale because of the other phone's entry, or because of what was said of a deal.


def record_at_table(
    table_id: UUID, raw: Mapping[str, object], *, expected: int, order: CommandContext, sheet: Scoresheet | None = None
) -> Recorded:
    """Store what somebody at a table sent. Where two seats enter each deal, a seat's deal is compared with the other's.

    Raises what `record_wire_event` raises.
    """
    digest = digest_of_event(table_id, raw, expected)
    for _ in range(TRIES if order.seats and raw.get("kind") in ENTRIES else 0):
        sheet = sheet_of(table_id)
        table = load_table(sheet.state)
        if not table.setup.two_seats_enter:
            break
        stored = log.first_answer(sheet.club_id, order.key, digest) if table.version != expected else None
        found = stored or _entered(sheet, table, raw, expected=expected, order=order)
        if isinstance(found, log.StoredEvent):
            return Recorded(stored=found, table=None, is_replay=True)
        with suppress(StaleTable):
            return record_fact(sheet, table, found, order, digest)
    return record_wire_event(table_id, raw, expected=expected, order=order, sheet=sheet)


def is_of_device(actor: str, order: CommandContext) -> bool:
    """Whether a deal was written down under this name by whoever asks now: the same seat, or another of the device."""
    return actor == order.actor or seat_of(actor) in order.seats


def seat_of(actor: str) -> str:
    """The seat whose card an actor holds; empty for everybody else."""
    kind, _, rest = actor.partition(":")
    return rest.partition(":")[2] if kind == "table" else ""


def _entered(
    sheet: Scoresheet, table: Table, raw: Mapping[str, object], *, expected: int, order: CommandContext
) -> Fact | log.StoredEvent:
    """The fact that a seat's deal is at the table as it stands; or the one that says the same already."""
    deal = raw.get("deal")
    entry = table.deal_entry(deal) if isinstance(deal, int) else None
    if isinstance(deal, int) and entry is not None and not entry.is_void:
        writer = writer_of(sheet, table, deal)
        if not is_of_device(writer, order):
            return _compared(sheet, table, deal, raw, order)
        is_of_other_seat = seat_of(writer) != order.seats[0]
        told = [own_deal(deal)] if is_of_other_seat else [disputed_deal(deal)] if deal in table.locked else []
        refuse_if(told, FactRejected)
    if table.version != expected and not _is_only_checked_since(sheet, expected):
        raise StaleTable(expected=expected, current=table.version)
    return admitted(table, raw)


def _is_only_checked_since(sheet: Scoresheet, version: int) -> bool:
    """Whether others have only confirmed or disputed deals since: the next deal is typed the same."""
    if version > sheet.version:
        return False
    since = log.find(club=sheet.club_id, streams=[sheet.table_id], after=version)
    return all(event.kind in CHECKS for event in since)


def _compared(
    sheet: Scoresheet, table: Table, deal: int, raw: Mapping[str, object], order: CommandContext
) -> Fact | log.StoredEvent:
    """A deal that another seat has entered: this seat agrees, or says where it does not."""
    second = table.second_entry(deal)
    if deal in table.locked or (second is not None and second[0] not in order.seats):
        raise FactRejected([disputed_deal(deal)])
    typed = {name: value for name, value in raw.items() if name != "reason"}
    entered = admitted(before_deal(table, deal), {**typed, "kind": "deal_recorded"})
    assert isinstance(entered, wire.DealRecorded)  # noqa: S101 - of that kind
    seat = second[0] if second is not None else order.seats[0]
    fact: Fact = wire.DealConfirmed(deal=deal, seat=seat)
    if table.disagreements(deal, entered.sheet):
        # As it is stored: a list that was told for a tuple is the same sheet.
        said = msgspec.json.decode(msgspec.json.encode(entered.sheet))
        fact = wire.DealDisputed(deal=deal, seat=seat, sheet=said)
    elif second is None and deal not in table.unconfirmed:
        return _confirmation(sheet, table, deal)
    refuse_if(problems_with(table, fact), FactRejected)
    return fact


def _confirmation(sheet: Scoresheet, table: Table, deal: int) -> log.StoredEvent:
    """What confirmed a deal: somebody's word, or a correction to what the second seat had entered."""
    entry = table.deal_entry(deal)
    version = table.checks.get(str(deal), DealCheck()).confirmed_at or (entry.corrected_at if entry else 0)
    return log.as_of(sheet.club_id, sheet.table_id, version)[-1]
