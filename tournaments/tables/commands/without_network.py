"""Phones without network: their heartbeats, how many deals wait on them, and deals that arrive after a table has ended.

Rules: docs/how-to/without-network.md, and decision 0052. A phone must not lose what was played, and a table that is
over must not change by itself: a late sheet is kept as it was typed, then accepted or refused by a director. A phone's
clock may be wrong by a day, so it reports for how long its oldest deal has waited, not since when.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction

from scoring.events import wire
from scoring.messages import say
from scoring.problems import EventNotAllowed, EventRejected, KeyReused, Problem, RuleError, refuse_if
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Status, Table
from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.log.context import CommandContext, part, tournament_lock
from tournaments.models import Device, LateSheet, Scoresheet, TableToken
from tournaments.models.play import MOST_DEVICE_KEY, MOST_LATE, MOST_REASON, MOST_WAITING
from tournaments.people.permissions import CARD
from tournaments.tables.commands.record import RecordedEvent, digest_of_event, record_wire_event

Answer = LateSheet.Answer
# Only the newest of a table are kept: a user who opens it again and again in private windows must not fill the table.
MOST_DEVICES = 20
MOST_AGE = timedelta(days=30)
# What is entered at a table without seeing its sheet; a correction is made on the sheet itself.
LATE_KINDS = (wire.DealRecorded.kind, wire.TiebreakRecorded.kind)
# More than a device types at one table offline. A card outlives its table: its holder could send without end.
MOST_LATE_WAITING = 20


class TooManyLateSheets(RuleError):
    """As many late sheets of this sender wait at the table as may: the device keeps the next one, and tries later."""

    code = "too_many_late_sheets"


def keep_late_sheet(
    table_id: UUID, raw: Mapping[str, object], *, expected: int, context: CommandContext
) -> RecordedEvent | LateSheet:
    """Keep a deal of a table that is over; or, if this very deal was stored before, return the stored event.

    The same request again changes nothing more, and so does the same deal under another key while it waits, or after it
    was refused. Raises KeyReused; EventNotAllowed where the table is open; EventRejected where it is no deal of the
    table's game that can be read, or longer than any sheet; TooManyLateSheets.
    """
    body, digest = wire.canonical(raw), digest_of_event(table_id, raw, expected)
    club_id = Scoresheet.objects.values_list("club_id", flat=True).get(table_id=table_id)
    stored_event = log.first_answer(club_id, context.key, digest)
    if stored_event is not None:
        return RecordedEvent(stored=stored_event, table=None, is_replay=True)
    if len(body) > MOST_LATE:
        detail = say("the sheet is longer than {most} characters", most=MOST_LATE)
        raise EventRejected([Problem(code="too_long", detail=detail)])
    log.refuse_moved(club_id)
    with transaction.atomic():
        # Counted under a lock: a hundred sent at once are a hundred.
        table = load_table(Scoresheet.objects.select_for_update().get(table_id=table_id).state)
        of_table = LateSheet.objects.filter(table_id=table_id)
        if not LateSheet.objects.filter(club_id=club_id, key=context.key).exists():
            refuse_if(_not_late_problems(table, raw), EventNotAllowed)
            event, problems = considered(table, raw)
            if event is None:
                raise EventRejected(problems)
            if (same := of_table.filter(body=body).exclude(answer=Answer.ACCEPTED).first()) is not None:
                return same
            if of_table.filter(actor=context.actor, answer=Answer.WAITING).count() >= MOST_LATE_WAITING:
                detail = say(
                    "{most} late sheets of this device wait for the director: keep this one and send it again later",
                    most=MOST_LATE_WAITING,
                )
                raise TooManyLateSheets([Problem(code=TooManyLateSheets.code, detail=detail)])
        # One key may come for two tables at once, and the lock is of one.
        fields = {"table_id": table_id, "digest": digest, "body": body, "actor": context.actor, "sent_at": context.now}
        late, _ = LateSheet.objects.get_or_create(club_id=club_id, key=context.key, defaults=fields)
        if late.digest != digest:
            raise KeyReused(f"the idempotency key {context.key!r} was used for another request")
        return late


def _not_late_problems(table: Table, raw: Mapping[str, object]) -> list[Problem]:
    """Why a deal is not kept for a director: its table takes it, or it is no deal."""
    if table.status is Status.OPEN:
        return [Problem(code="table_open", detail=say("the table is open: save the deal there"))]
    if raw.get("kind") not in LATE_KINDS:
        return [Problem(code="not_a_deal", field="kind", detail=say("only deals and tie-break deals are kept"))]
    return []


def accept_late_sheets(table_id: UUID, sheets: Collection[UUID], *, reason: str, context: CommandContext) -> Table:
    """Record these sheets, oldest first, as deals of their table; a closed table is reopened. All or none.

    `reason` is stored with the withdrawn closing. Raises EventNotAllowed or EventRejected with every problem of the
    first sheet that does not fit. Returns the resulting table.
    """
    row = Scoresheet.objects.select_related("table").get(table_id=table_id)
    with tournament_lock(row.table.tournament_id):
        waiting = _waiting(table_id, sheets)
        version = _opened_again(table_id, reason, context)
        for number, late in enumerate(waiting):
            record_wire_event(table_id, late.event, expected=version + number, context=part(context, late.key))
        _answered(waiting, Answer.ACCEPTED, context)
        return _table(table_id)


def refuse_late_sheets(table_id: UUID, sheets: Collection[UUID], *, reason: str, context: CommandContext) -> None:
    """Refuse these sheets. Raises EventNotAllowed if one is not waiting, or the reason is missing or too long."""
    problems = []
    if not reason.strip():
        problems.append(Problem(code="missing_field", field="reason", detail=say("enter a reason")))
    elif len(reason) > MOST_REASON:
        detail = say("the reason is longer than {most} characters", most=MOST_REASON)
        problems.append(Problem(code="too_long", field="reason", detail=detail))
    with transaction.atomic():
        waiting = _waiting(table_id, sheets, problems)
        _answered(waiting, Answer.REFUSED, context, reason.strip())


def revoke_cards_of_senders(table_id: UUID, sheets: Collection[UUID], *, context: CommandContext) -> int:
    """Revoke the table cards with which these sheets were sent, and return how many that were.

    Raises EventNotAllowed if no sheet is named, or none came by a card that is still valid. The sheets keep waiting.
    """
    senders = LateSheet.objects.filter(table_id=table_id, id__in=sheets, actor__startswith=CARD)
    cards = {actor.split(":")[1] for actor in senders.values_list("actor", flat=True)}
    revoked = TableToken.objects.filter(table_id=table_id, id__in=cards, revoked_at=None).update(revoked_at=context.now)
    if not revoked:
        detail = say("choose the sheets of a card that is still valid")
        raise EventNotAllowed([Problem(code="missing_field", field="sheets", detail=detail)])
    return revoked


def _waiting(table_id: UUID, sheets: Collection[UUID], problems: list[Problem] | None = None) -> list[LateSheet]:
    """Return these sheets of the table, locked. Raises EventNotAllowed if one no longer waits, or none is named."""
    late_sheets = list(
        LateSheet.objects.select_for_update().filter(table_id=table_id, id__in=sheets, answer=Answer.WAITING)
    )
    refusals = list(problems or [])
    if not sheets:
        refusals.append(Problem(code="missing_field", field="sheets", detail=say("choose the sheets")))
    elif len(late_sheets) < len(set(sheets)):
        detail = say("somebody else has answered one of these sheets already")
        refusals.append(Problem(code="answered_already", field="sheets", detail=detail))
    refuse_if(refusals, EventNotAllowed)
    return sorted(late_sheets, key=lambda late: (late.event.get("deal", 0), late.sent_at))


def _answered(sheets: Collection[LateSheet], answer: Answer, context: CommandContext, reason: str = "") -> None:
    rows = LateSheet.objects.filter(pk__in=[late.pk for late in sheets])
    rows.update(answer=answer, answered_by=context.actor, answered_at=context.now, reason=reason)


def _opened_again(table_id: UUID, reason: str, context: CommandContext) -> int:
    """Reopen the table and return its version. Raises EventNotAllowed if it was cancelled, or has moved on."""
    table = _table(table_id)
    if table.status is Status.OPEN:
        return table.version
    closings = [entry for entry in table.timeline if isinstance(entry.event, wire.TableClosed) and not entry.is_void]
    if table.status is not Status.CLOSED or not closings:
        detail = say("the table was cancelled: undo that at the table before you accept a sheet")
        raise EventNotAllowed([Problem(code="table_cancelled", detail=detail)])
    withdrawn = {"kind": "fact_withdrawn", "version": closings[-1].version, "reason": reason}
    record_wire_event(table_id, withdrawn, expected=table.version, context=part(context, "opened"))
    return table.version + 1


def _table(table_id: UUID) -> Table:
    return load_table(Scoresheet.objects.values_list("state", flat=True).get(table_id=table_id))


def texts_of_late_sheets(club_id: UUID) -> list[str]:
    """The reasons in a club's late sheets: those typed on the sheet, and those for refusing it."""
    sheets = LateSheet.objects.filter(club_id=club_id)
    return [text for late in sheets for text in (late.reason, str(late.event.get("reason", ""))) if text]


def forget_in_late_sheets(club_id: UUID, mentions: Callable[[str], bool]) -> None:
    """Delete free text that mentions a player from a club's late sheets; what was played is kept."""
    for late in LateSheet.objects.filter(club_id=club_id):
        event = late.event
        if mentions(late.reason) or mentions(str(event.get("reason", ""))):
            body = wire.canonical({name: value for name, value in event.items() if name != "reason"})
            LateSheet.objects.filter(pk=late.pk).update(body=body, reason="")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceReport:
    """A device by its own key, how many deals of the table wait there, and for how many seconds the oldest does."""

    key: str
    waiting: int
    oldest_seconds: int


def note_device(table_id: UUID, heard: DeviceReport, *, context: CommandContext) -> None:
    """Store what a device reports, replacing its last report. Numbers beyond their limits count as the limit."""
    waiting = min(max(heard.waiting, 0), MOST_WAITING)
    age = min(timedelta(seconds=min(max(heard.oldest_seconds, 0), MOST_AGE.total_seconds())), MOST_AGE)
    fields = {
        "club_id": Scoresheet.objects.values_list("club_id", flat=True).get(table_id=table_id),
        "actor": context.actor,
        "seen_at": context.now,
        "waiting": waiting,
        "oldest_at": context.now - age if waiting else None,
    }
    with transaction.atomic():
        Device.objects.update_or_create(table_id=table_id, key=heard.key[:MOST_DEVICE_KEY], defaults=fields)
        older = Device.objects.filter(table_id=table_id).order_by("-seen_at", "pk").values_list("pk", flat=True)
        Device.objects.filter(pk__in=list(older[MOST_DEVICES : 2 * MOST_DEVICES])).delete()
