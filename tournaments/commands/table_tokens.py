"""Cards for tables: made, taken back, and seen in use. A secret is shown once; only its digest is kept.

Rules: docs/evening.md, "Table cards". Knows nothing of QR codes or cookies.
"""

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from django.db import Error, transaction

from tournaments.commands.tokens import SECRET_BYTES, token_digest
from tournaments.models import Table, TableToken
from tournaments.outages import is_outage

LIFE = timedelta(hours=12)
NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuedCard:
    """A card that was asked for. Its secret is there the first time only."""

    token: TableToken
    secret: str | None = field(repr=False)


def issue_cards(tables: Iterable[Table], *, key: UUID, user_id: int, now: datetime) -> list[IssuedCard]:
    """A new card for each table. The same key again finds the cards that it made, without their secrets."""
    with transaction.atomic():
        return [_issued(table, key=key, user_id=user_id, now=now) for table in tables]


def revoke_older_cards(cards: Sequence[IssuedCard], *, now: datetime) -> None:
    """Take back whatever other cards these tables had, so that one card is left to each."""
    for card in cards:
        older = TableToken.objects.filter(table_id=card.token.table_id, created_at__lte=card.token.created_at)
        older.filter(revoked_at__isnull=True).exclude(id=card.token.id).update(revoked_at=now)


def revoke_card(token_id: UUID, *, now: datetime) -> None:
    """Take a card back at once. Revoking twice keeps the first time."""
    TableToken.objects.filter(id=token_id, revoked_at__isnull=True).update(revoked_at=now)


def note_card_use(token: TableToken, *, now: datetime) -> None:
    """Say that a card is in use, once a minute and not on every request."""
    if token.last_used_at is not None and now - token.last_used_at <= NOTED_EVERY:
        return
    try:
        TableToken.objects.filter(id=token.id).update(last_used_at=now)
    except Error as error:
        # A full disk must not keep anybody from reading the sheet.
        if not is_outage(error):
            raise


def _issued(table: Table, *, key: UUID, user_id: int, now: datetime) -> IssuedCard:
    secret = secrets.token_urlsafe(SECRET_BYTES)
    token, is_new = TableToken.objects.get_or_create(
        id=uuid5(key, str(table.pk)),
        defaults={
            "table": table,
            "club_id": table.tournament.club_id,
            "digest": token_digest(secret),
            "table_version": table.scoresheet.version,
            "created_by_id": user_id,
            "created_at": now,
            "expires_at": now + LIFE,
        },
    )
    return IssuedCard(token=token, secret=secret if is_new else None)
