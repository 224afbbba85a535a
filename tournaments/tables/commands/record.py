"""Recording an event of a table: the only way in for deals, drops, rejoins and corrections.

The order of steps is the rule: replay? stale? well formed? allowed? Then the event and the boards are stored in one
transaction, and a worker is sent a message if money is owed that was not owed before.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from uuid import UUID

import msgspec
from django.db import transaction

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.events.table import CHECKS
from scoring.events.wire import Event
from scoring.messages import say
from scoring.problems import EventNotAllowed, Problem, RuleError, StaleTable, refuse_if
from scoring.rules.table.admission import disputed_deal, new_limit_problems, problems_with
from scoring.rules.table.table import Status, Table, before_deal
from scoring.rules.table.timeline import DealCheck
from scoring.sheets.snapshots import load_table
from scoring.tournament import load_tournament_state
from tournaments import log
from tournaments.books.commands import IS_PLAYED_FOR_REAL, cover_problems
from tournaments.log.context import CommandContext, part
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.models import Table as TableRow
from tournaments.projections.boards import write_boards
from tournaments.projections.stale import enqueue_prizes, enqueue_settlement, mark_tournament_stale

# Phones that save at the same moment retry: one more attempt for each seat of a table.
TRIES = 10
ENTRIES = frozenset({"deal_recorded", "deal_corrected"})
# A cancelled table leaves its number to another table, and gets one that is higher by at least this much.
NUMBERS = 1_000

# Confirming a deal: by someone other than its recorder, as the table requires.


def word_problems(sheet: Scoresheet, table: Table, event: Event, actor: str) -> list[Problem]:
    """Return why this actor may not confirm a deal; one query, and only for a confirmation."""
    if not isinstance(event, wire.DealConfirmed) or table.deal_entry(event.deal) is None:
        return []
    problems = []
    if writer_of(sheet, table, event.deal) == actor:
        problems.append(own_deal(event.deal))
    if event.deal in table.disputed:
        problems.append(disputed_deal(event.deal))
    if wants_official(table) and not is_official(actor):
        detail = say("deal {deal} is confirmed by a second official, who signs in", deal=event.deal)
        if table.setup.two_seats_enter:
            detail = say("deal {deal} is confirmed by a second seat that enters it", deal=event.deal)
        problems.append(Problem(code="not_an_official", field="deal", detail=detail))
    return problems


def averaged_problems(sheet: Scoresheet) -> list[Problem]:
    """Return why a table of a stage that compares averages per deal takes no totals; in one query."""
    planned = EveningSheet.objects.filter(tournament_id=sheet.table.tournament_id, has_plan=True)
    stored = planned.values_list("state", flat=True).first()
    state = None if stored is None else load_tournament_state(stored)
    seated = state.round_of(sheet.table.round) if state is not None else None
    if state is None or state.plan is None or seated is None:
        return []
    if state.plan.stages[seated.stage - 1].compares != "average":
        return []
    detail = say("this stage compares averages per deal: enter it deal by deal")
    return [Problem(code="totals_not_allowed", detail=detail)]


def writer_of(sheet: Scoresheet, table: Table, deal: int) -> str:
    """Return the actor who recorded the current version of a deal, in one query; empty where there is no such deal."""
    entry = table.deal_entry(deal)
    if entry is None:
        return ""
    version = entry.corrected_at or entry.version
    return log.actors_of(sheet.club_id, sheet.table_id, [version]).get(version, "")


def own_deal(deal: int) -> Problem:
    """The problem that users may not confirm what they recorded themselves."""
    detail = say("you recorded deal {deal}: someone else must confirm it", deal=deal)
    return Problem(code="own_deal", field="deal", detail=detail)


def wants_official(table: Table) -> bool:
    """Whether a deal of this table can be confirmed without entering it only by a signed-in user."""
    return table.setup.two_seats_enter or table.setup.confirmation == "second_official"


def is_official(name: str) -> bool:
    """Whether the actor is a signed-in user, and not a table card or device."""
    return name.startswith("user:")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedEvent:
    """The result: the stored event, the table after it, and whether it had been stored before."""

    stored: log.StoredEvent
    table: Table | None
    is_replay: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One event between the table before it and the table after it."""

    sheet: Scoresheet
    before: Table
    event: Event
    after: Table

    @property
    def changes_what_is_owed(self) -> bool:
        """Whether the money owed may change. Nothing is owed while events conflict; afterwards it is checked again.

        Where each deal is paid, any change of the game counts: computing all payouts of a long table would cost too
        much.
        """
        before, after = self.before, self.after
        if after.conflicts or before.conflicts:
            return not after.conflicts
        if before.status is after.status is Status.OPEN and after.rules.pays_while_open(after.setup):
            return bool(before.game != after.game)
        return before.dues() != after.dues()

    @property
    def reopens_the_table(self) -> bool:
        """Whether this undoes the closing or cancelling of the table."""
        return self.before.status is not Status.OPEN and self.after.status is Status.OPEN


def sheet_of(table_id: UUID) -> Scoresheet:
    """Return a table's score sheet row with what recording an event needs."""
    return Scoresheet.objects.select_related("table__tournament").get(table_id=table_id)


def record_wire_event(
    table_id: UUID,
    raw: Mapping[str, object],
    *,
    expected: int,
    context: CommandContext,
    sheet: Scoresheet | None = None,
) -> RecordedEvent:
    """Store an event, sent by a page or the API, as the version after `expected`; `sheet` is the row, if loaded.

    Raises EventRejected or EventNotAllowed with every problem, StaleTable when the table has moved on, KeyReused. The
    same request again returns its first result, which is looked up only where the version no longer fits.
    """
    digest = digest_of_event(table_id, raw, expected)
    sheet = sheet or sheet_of(table_id)
    if sheet.version != expected:
        first = log.first_answer(sheet.club_id, context.key, digest)
        if first is None:
            raise StaleTable(expected=expected, current=sheet.version)
        return RecordedEvent(stored=first, table=None, is_replay=True)
    before = load_table(sheet.state)
    event = before.admit(raw)
    refuse_if(word_problems(sheet, before, event, context.actor), EventNotAllowed)
    if isinstance(event, wire.TotalsRecorded):
        refuse_if(averaged_problems(sheet), EventNotAllowed)
    return record_event(sheet, before, event, context, digest)


def record_all(
    table_id: UUID, raws: Sequence[Mapping[str, object]], *, expected: int, context: CommandContext
) -> tuple[RecordedEvent, ...]:
    """Store several events of one action at a table, one after the other: all or none. Raises as `record_wire_event`.

    The first has the action's own key, by which a resend is recognized.
    """
    with transaction.atomic():
        return tuple(
            record_wire_event(table_id, raw, expected=expected + at, context=part(context, at) if at else context)
            for at, raw in enumerate(raws)
        )


def record_event(sheet: Scoresheet, before: Table, event: Event, context: CommandContext, digest: str) -> RecordedEvent:
    """Store an allowed event as the next version of the table `before`. Raises as `record_wire_event`."""
    step = _Step(sheet=sheet, before=before, event=event, after=before.apply(event))
    refuse_if(new_limit_problems(before, step.after), EventNotAllowed)
    return _store(step, context, context.request(digest))


def digest_of_event(table_id: UUID, raw: Mapping[str, object], expected: int) -> str:
    """Return the digest that distinguishes a resend of an event from another request under its key."""
    return wire.request_digest(str(table_id), str(expected), wire.canonical(raw))


def _store(step: _Step, context: CommandContext, request: log.Request) -> RecordedEvent:
    """Store the event and everything that follows from it, in one transaction."""
    sheet, after = step.sheet, step.after

    def on_append(stored: log.StoredEvent) -> None:
        refuse_if(cover_problems(sheet, step.before, step.event), EventNotAllowed)
        if step.reopens_the_table:
            _refuse_to_reopen(sheet)
        write_boards(sheet.table, after, position=stored.position, recorded_at=stored.recorded_at)
        if step.changes_what_is_owed:
            owed = Scoresheet.objects.filter(IS_PLAYED_FOR_REAL, pk=sheet.pk)
            if owed.update(due_version=after.version, settle_problem=""):
                enqueue_settlement(sheet.table_id)
        if step.before.status is not Status.OPEN:
            mark_prizes_stale(sheet.table.tournament_id, stored.position)
            mark_tournament_stale(sheet.table.tournament_id)

    appended = log.append(
        log.StreamVersion(club_id=sheet.club_id, stream_id=sheet.table_id, expected=step.before.version),
        log.NewEvent.of(step.event, context.occurred_at or context.now),
        request=request,
        on_append=on_append,
    )
    return RecordedEvent(
        stored=appended.stored, table=None if appended.is_replay else after, is_replay=appended.is_replay
    )


def mark_prizes_stale(tournament_id: UUID, position: int) -> None:
    """Mark the prizes of a closed tournament as due again: a change at one of its tables may change them.

    Checked while the append has locked the club's head row: a page may have read the tournament before it was closed.
    """
    closed = EveningSheet.objects.filter(tournament_id=tournament_id, has_plan=True)
    if closed.filter(tournament__closed_at__isnull=False).update(due_position=position):
        enqueue_prizes(tournament_id)


def _refuse_to_reopen(sheet: Scoresheet) -> None:
    """Refuse to reopen a table of a closed tournament, or one whose number was reused: its players may sit there now.

    Checked while the append has locked the club's head row, so that no one can close the tournament or seat a player in
    between.
    """
    if Tournament.objects.filter(id=sheet.table.tournament_id, closed_at__isnull=False).exists():
        detail = say("the tournament is closed: reopen it before its tables")
        raise EventNotAllowed([Problem(code="tournament_closed", detail=detail)])
    number = TableRow.objects.values_list("number", flat=True).get(id=sheet.table_id)
    if number > NUMBERS and number - _number_opened(sheet) >= NUMBERS:
        detail = say("seats changed again since: change them by hand")
        raise EventNotAllowed([Problem(code="nothing_to_undo", detail=detail, field="version")])


def _number_opened(sheet: Scoresheet) -> int:
    """Return the number that the table was opened with; 0 where an older release did not store it."""
    [opened] = log.read_kinds(sheet.club_id, [sheet.table_id], [wire.TableOpened.kind])
    event = read_stored(opened.kind, opened.schema, opened.body)
    return event.table if isinstance(event, wire.TableOpened) else 0


# Deals that two seats enter, each on its own phone: the second entry confirms the first, or disputes it. Rules:
# docs/how-to/evening.md, "Two phones for each deal", and decision 0048. A deal typed on one phone is never stale
# because of the other phone's entry, or because a deal was confirmed or disputed.


def record_at_table(
    table_id: UUID,
    raw: Mapping[str, object],
    *,
    expected: int,
    context: CommandContext,
    sheet: Scoresheet | None = None,
) -> RecordedEvent:
    """Store an event sent from a table. Where two seats enter each deal, a seat's deal is compared with the other's.

    Raises what `record_wire_event` raises.
    """
    digest = digest_of_event(table_id, raw, expected)
    for _ in range(TRIES if context.seats and raw.get("kind") in ENTRIES else 0):
        sheet = sheet_of(table_id)
        table = load_table(sheet.state)
        if not table.setup.two_seats_enter:
            break
        stored_event = log.first_answer(sheet.club_id, context.key, digest) if table.version != expected else None
        event = stored_event or _entered(sheet, table, raw, expected=expected, context=context)
        if isinstance(event, log.StoredEvent):
            return RecordedEvent(stored=event, table=None, is_replay=True)
        with suppress(StaleTable):
            return record_event(sheet, table, event, context, digest)
    return record_wire_event(table_id, raw, expected=expected, context=context, sheet=sheet)


def record_from_page(
    table_id: UUID, raw: Mapping[str, object], *, expected: int, context: CommandContext
) -> RecordedEvent:
    """Store an event typed on a page, a deal also where others have changed the table since and it does not clash.

    It clashes where that deal was changed since, or does not fit the table any more. A deal that someone else has saved
    with the same content counts as saved. Raises what `record_wire_event` raises.
    """
    try:
        return record_at_table(table_id, raw, expected=expected, context=context)
    except StaleTable:
        # The digest is that of the page's request, so that a resend of it is recognized.
        digest = digest_of_event(table_id, raw, expected)
        for _ in range(TRIES if raw.get("kind") in ENTRIES else 0):
            sheet = sheet_of(table_id)
            table = load_table(sheet.state)
            # A seat's entry is compared with that of the other seat, and is not stored beside it.
            is_compared = table.setup.two_seats_enter and context.seats
            event = None if is_compared else _not_clashing(sheet, table, raw, expected)
            if event is None:
                break
            if isinstance(event, log.StoredEvent):
                return RecordedEvent(stored=event, table=None, is_replay=True)
            with suppress(StaleTable):
                return record_event(sheet, table, event, context, digest)
        raise


def _not_clashing(
    sheet: Scoresheet, table: Table, raw: Mapping[str, object], expected: int
) -> Event | log.StoredEvent | None:
    """The event to store for a deal typed at an earlier version, the stored event that says the same, or None."""
    deal = raw.get("deal")
    since = log.read(sheet.club_id, sheet.table_id, after=expected)
    events = [
        read_stored(stored_event.kind, stored_event.schema, stored_event.body, table.rules) for stored_event in since
    ]
    same_deal = [
        stored_event for stored_event, event in zip(since, events, strict=True) if getattr(event, "deal", None) == deal
    ]
    try:
        if since and not same_deal:
            return table.admit(raw)
        entry = table.deal_entry(deal) if isinstance(deal, int) and same_deal else None
        if entry is None or entry.is_void or same_deal[-1].kind not in ENTRIES:
            return None
        fields = {name: value for name, value in raw.items() if name != "reason"}
        mine = before_deal(table, entry.event.deal).admit({**fields, "kind": "deal_recorded"})
    except RuleError:
        return None
    assert isinstance(mine, wire.DealRecorded)  # noqa: S101 - of that kind
    # As JSON: a list instead of a tuple is the same sheet.
    is_same = msgspec.json.encode(mine.sheet) == msgspec.json.encode(entry.event.sheet)
    return same_deal[-1] if is_same else None


def is_of_device(actor: str, context: CommandContext) -> bool:
    """Whether this actor is the one who asks now: the same seat, or another seat of the same device."""
    return actor == context.actor or seat_of(actor) in context.seats


def seat_of(actor: str) -> str:
    """Return the seat of an actor's table card; empty for all other actors."""
    kind, _, rest = actor.partition(":")
    return rest.partition(":")[2] if kind == "table" else ""


def _entered(
    sheet: Scoresheet, table: Table, raw: Mapping[str, object], *, expected: int, context: CommandContext
) -> Event | log.StoredEvent:
    """Return the event to store for a seat's deal, or the stored event that already says the same."""
    deal = raw.get("deal")
    entry = table.deal_entry(deal) if isinstance(deal, int) else None
    if isinstance(deal, int) and entry is not None and not entry.is_void:
        writer = writer_of(sheet, table, deal)
        if not is_of_device(writer, context):
            return _compared(sheet, table, deal, raw, context)
        is_of_other_seat = seat_of(writer) != context.seats[0]
        problems = [own_deal(deal)] if is_of_other_seat else [disputed_deal(deal)] if deal in table.locked else []
        refuse_if(problems, EventNotAllowed)
    if table.version != expected and not _is_only_checked_since(sheet, expected):
        raise StaleTable(expected=expected, current=table.version)
    return table.admit(raw)


def _is_only_checked_since(sheet: Scoresheet, version: int) -> bool:
    """Whether deals have only been confirmed or disputed since: the next deal is typed the same."""
    if version > sheet.version:
        return False
    since = log.find(club=sheet.club_id, streams=[sheet.table_id], after=version)
    return all(event.kind in CHECKS for event in since)


def _compared(
    sheet: Scoresheet, table: Table, deal: int, raw: Mapping[str, object], context: CommandContext
) -> Event | log.StoredEvent:
    """Compare with a deal that another seat entered: return its confirmation, or a dispute with this seat's sheet."""
    second = table.second_entry(deal)
    if deal in table.locked or (second is not None and second[0] not in context.seats):
        raise EventNotAllowed([disputed_deal(deal)])
    fields = {name: value for name, value in raw.items() if name != "reason"}
    entered = before_deal(table, deal).admit({**fields, "kind": "deal_recorded"})
    assert isinstance(entered, wire.DealRecorded)  # noqa: S101 - of that kind
    seat = second[0] if second is not None else context.seats[0]
    event: Event = wire.DealConfirmed(deal=deal, seat=seat)
    if table.disagreements(deal, entered.sheet):
        # Normalised as if stored: a list instead of a tuple is the same sheet.
        as_stored = msgspec.json.decode(msgspec.json.encode(entered.sheet))
        event = wire.DealDisputed(deal=deal, seat=seat, sheet=as_stored)
    elif second is None and deal not in table.unconfirmed:
        return _confirmation(sheet, table, deal)
    refuse_if(problems_with(table, event), EventNotAllowed)
    return event


def _confirmation(sheet: Scoresheet, table: Table, deal: int) -> log.StoredEvent:
    """Return the event that confirmed a deal: a confirmation, or a correction to what the second seat had entered."""
    entry = table.deal_entry(deal)
    version = table.checks.get(str(deal), DealCheck()).confirmed_at or (entry.corrected_at if entry else 0)
    return log.as_of(sheet.club_id, sheet.table_id, version)[-1]
