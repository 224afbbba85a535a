"""Table cards: issued, revoked, and marked as used. A secret is shown once; only its digest is stored.

Rules: docs/how-to/evening.md, "Table cards". Knows nothing of QR codes or cookies.
"""

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from uuid import UUID, uuid5

from django.db.models import Case, CharField, F, Max, Q, QuerySet, Value, When
from django.db.models.functions import Cast, Concat

from scoring.events import wire
from scoring.messages import say, say_many
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.sheets.snapshots import load_table
from tournaments.log.context import CommandContext, part
from tournaments.models import Scoresheet, Table, TableToken, Tournament
from tournaments.models.play import BEFORE_THE_CHANGE
from tournaments.people.access import SECRET_BYTES, code_digest, new_code, token_digest
from tournaments.tables import tables_with_late_sheets
from tournaments.tables.commands.record import NUMBERS, record_wire_event
from tournaments.transient_errors import left_out_if_locked

# The tables of a round: reading their sheets, cancelling several at once, and giving their numbers to others.


def sheets_of_round(
    tournament: Tournament, round_number: int, numbers: Sequence[int] | None = None
) -> list[Scoresheet]:
    """Return sheets of a round by table number: of these tables, or of all that were not cancelled."""
    sheets = Scoresheet.objects.filter(table__tournament=tournament, table__round=round_number)
    round_sheets = sheets.filter(is_cancelled=False) if numbers is None else sheets.filter(table__number__in=numbers)
    return list(round_sheets.select_related("table").order_by("table__number"))


def give_up(sheets: Sequence[Scoresheet], reason: str, *, field: str, context: CommandContext) -> None:
    """Cancel tables at which nothing was played. Raises EventNotAllowed with every table that has deals on its sheet,
    or on which its players have agreed.

    `field` is the field at which the calling command reports problems. What was recorded for single players is the
    caller's to carry over (`tournaments/tables/carried.py`).
    """
    refuse_if([*played_problems(sheets, field), *_agreed_problems(sheets, field)], EventNotAllowed)
    for sheet in sheets:
        cancelled = {"kind": "table_cancelled", "reason": reason}
        record_wire_event(sheet.table_id, cancelled, expected=sheet.version, context=part(context, sheet.table_id))


def make_room(tournament: Tournament, round_number: int, given_up: Q) -> None:
    """Free the numbers of cancelled tables for new ones, however often that happens.

    A table without a name is called by the number that it had.
    """
    tables = Table.objects.filter(tournament=tournament, round=round_number)
    most = tables.aggregate(most=Max("number"))["most"] or 0
    had = Concat(Value("Table "), Cast("number", CharField()), Value(BEFORE_THE_CHANGE))
    tables.filter(given_up).update(
        name=Case(When(name="", then=had), default=F("name")), number=F("number") + max(NUMBERS, most)
    )


def played_problems(sheets: Sequence[Scoresheet], field: str) -> list[Problem]:
    """Report every table that has deals or totals on its sheet, so that it cannot be cancelled."""
    return [
        Problem(
            code="already_played",
            field=field,
            detail=say_many(
                "{called} has {count} deal on its sheet: cancel it first, or correct seats one by one",
                "{called} has {count} deals on its sheet: cancel them first, or correct seats one by one",
                count=sheet.deals,
                called=sheet.table.called,
            )
            if sheet.deals
            else say(
                "{called} has totals on its sheet: undo them first, or correct seats one by one",
                called=sheet.table.called,
            ),
        )
        for sheet in sheets
        if sheet.has_begun
    ]


def _agreed_problems(sheets: Sequence[Scoresheet], field: str) -> list[Problem]:
    """Report every table whose players split the pot before the first deal: other players have not agreed to that."""
    return [
        Problem(
            code="split_agreed",
            field=field,
            detail=say("{called} has an agreed split: undo it at the table first", called=sheet.table.called),
        )
        for sheet in sheets
        if sheet.version > 1
        and any(
            isinstance(entry.event, wire.SplitAgreed) and not entry.is_void
            for entry in load_table(sheet.state).timeline
        )
    ]


LIFE = timedelta(hours=12)
OPENING_BYTES = 8
NOTED_EVERY = timedelta(minutes=1)
NO_SEATS: Mapping[UUID, Sequence[int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedCard:
    """A requested card. Its secret, and the short code to type instead, are available the first time only."""

    token: TableToken
    secret: str | None = field(repr=False)
    code: str | None = field(repr=False)


def issue_cards(
    tables: Iterable[Table], *, key: UUID, user_id: int, now: datetime, seats: Mapping[UUID, Sequence[int]] = NO_SEATS
) -> list[IssuedCard]:
    """Return a new card for each table, or for each of its `seats`, in two queries.

    The same key again returns the existing cards, without secrets. `tables` must carry their tournaments and score
    sheets. Raises EventNotAllowed naming every table that was cancelled.
    """
    tables = list(tables)
    details = [
        say("{called} was cancelled: it takes no card", called=table.called)
        for table in tables
        if table.scoresheet.is_cancelled
    ]
    refuse_if([Problem("table_cancelled", detail, field="tables") for detail in details], EventNotAllowed)
    drafts = {}
    new_token = partial(TableToken, created_by_id=user_id, created_at=now, expires_at=now + LIFE)
    for table in tables:
        for seat in seats.get(table.pk, (0,)):
            secret, code = secrets.token_urlsafe(SECRET_BYTES), new_code()
            hidden = partial(new_token, digest=token_digest(secret), code_digest=code_digest(code))
            drafts[secret, code] = _draft(hidden, table, seat, key=key)
    TableToken.objects.bulk_create(drafts.values(), ignore_conflicts=True)
    # Read again: if the form was sent twice at once, the stored row may be the other request's.
    tokens = TableToken.objects.in_bulk([draft.id for draft in drafts.values()])
    return [_issued(draft, tokens[draft.id], secret, code) for (secret, code), draft in drafts.items()]


def revoke_cards(table_ids: Collection[UUID], *, now: datetime) -> int:
    """Revoke every card of these tables, and return how many had not expired."""
    valid = TableToken.objects.filter(table__in=table_ids, revoked_at__isnull=True, expires_at__gt=now)
    return valid.update(revoked_at=now)


def revoke_card(token_id: UUID, *, now: datetime) -> None:
    """Revoke a card at once. Revoking twice keeps the first time."""
    TableToken.objects.filter(id=token_id, revoked_at__isnull=True).update(revoked_at=now)


def open_card(token: TableToken) -> None:
    """Note that a card is opened on a device: where it was opened before, it ends there."""
    token.opened = secrets.token_hex(OPENING_BYTES)
    TableToken.objects.filter(id=token.id).update(opened=token.opened)


def note_card_use(token: TableToken, *, now: datetime) -> None:
    """Record that a card is in use, once a minute and not on every request."""
    if token.last_used_at is not None and now - token.last_used_at <= NOTED_EVERY:
        return
    # A full disk or a lock must not prevent reading the sheet.
    with left_out_if_locked():
        TableToken.objects.filter(id=token.id).update(last_used_at=now)


def _draft(made: Callable[..., TableToken], table: Table, seat: int, *, key: UUID) -> TableToken:
    """Build the card of a table, or of a seat of it, with an id derived from the key."""
    return made(
        id=uuid5(key, f"{table.pk}:{seat}" if seat else str(table.pk)),
        table=table,
        seat=seat,
        club_id=table.tournament.club_id,
        table_version=table.scoresheet.version,
    )


def _issued(draft: TableToken, stored: TableToken, secret: str, code: str) -> IssuedCard:
    """Return the stored card, with its secret and code if it is the one just drafted."""
    stored.table = draft.table
    is_new = stored.digest == draft.digest
    return IssuedCard(token=stored, secret=secret if is_new else None, code=code if is_new else None)


# What is still to be done at a table before a cut is made or the tournament is closed, as problems.


def unready(sheet: Scoresheet) -> Iterator[Problem]:
    """Report what must be resolved at a table before a player qualifies from it."""
    if sheet.has_conflict:
        yield contradicting(sheet)
    if sheet.has_dispute:
        yield disputed(sheet)
    if sheet.unconfirmed:
        yield unconfirmed(sheet)


def contradicting(sheet: Scoresheet) -> Problem:
    detail = say(
        "{called} (round {round}) has conflicting records",
        called=sheet.table.called,
        round=sheet.table.round,
    )
    return Problem(code="open_conflict", field="table", detail=detail)


def disputed(sheet: Scoresheet) -> Problem:
    detail = say("{called} (round {round}) has a disputed deal", called=sheet.table.called, round=sheet.table.round)
    return Problem(code="open_dispute", field="table", detail=detail)


def unconfirmed(sheet: Scoresheet) -> Problem:
    detail = say_many(
        "{called} (round {round}) has {count} deal that nobody else has confirmed",
        "{called} (round {round}) has {count} deals that nobody else has confirmed",
        count=sheet.unconfirmed,
        called=sheet.table.called,
        round=sheet.table.round,
    )
    return Problem(code="unconfirmed", field="table", detail=detail)


def late_sheet_problems(tables: QuerySet[Table]) -> list[Problem]:
    """A problem for each of these tables with a late sheet that nobody has accepted or refused; in one query."""
    return [
        Problem(
            code="late_sheet",
            field="table",
            detail=say_many(
                "{called} (round {round}) has {count} late sheet: accept or refuse it first",
                "{called} (round {round}) has {count} late sheets: accept or refuse them first",
                count=late.sheets,
                called=late.table.called,
                round=late.table.round,
            ),
        )
        for late in tables_with_late_sheets(tables)
    ]


def still_open(sheet: Scoresheet) -> Problem:
    called, round_number = sheet.table.called, sheet.table.round
    detail = say_many(
        "{called} (round {round}) is still open after {count} deal",
        "{called} (round {round}) is still open after {count} deals",
        count=sheet.deals,
        called=called,
        round=round_number,
    )
    if sheet.has_totals:
        detail = say("{called} (round {round}) has totals, and is still open", called=called, round=round_number)
    return Problem(code="table_open", field="table", detail=detail)
