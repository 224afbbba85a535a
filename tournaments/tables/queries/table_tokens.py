"""Table cards: which card a secret belongs to, whether it still opens its table, and why not.

Rules: docs/how-to/evening.md, "Table cards". A card permits no more than the current role of the user who issued it.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from scoring.sheets.snapshots import load_table
from tournaments import log
from tournaments.models import HAS_BEGUN, Membership, Scoresheet, Seat, Table, TableToken
from tournaments.people.permissions import MATRIX, Actor, Permission, TableRef, card_actor

TABLE_ENDS = ("table_closed", "table_cancelled")
# The tables that take no further deal.
OVER = Q(scoresheet__is_closed=True) | Q(scoresheet__is_cancelled=True)
DIRECTORS = [role for role, permissions in MATRIX.items() if Permission.DIRECT in permissions]


class CardEnd(StrEnum):
    """Why a card no longer opens its table."""

    REVOKED = "revoked"
    TABLE_IS_OVER = "table_is_over"
    EXPIRED = "expired"
    OPENED_ELSEWHERE = "opened_elsewhere"
    # Of a code that is typed only: the card itself stays valid for what is left to score at its table.
    ROUND_IS_OVER = "round_is_over"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCard:
    """A card issued by this club, and why it has ended, if it has."""

    token: TableToken
    end: CardEnd | None

    def actor(self, *seats_before: str) -> Actor:
        """Return the actor who holds it, on a device that held cards of these seats before."""
        seats = [seat for seat in (str(self.token.seat), *seats_before) if seat != "0"]
        card_seats = tuple(dict.fromkeys(seats)) if self.token.seat else ()
        return card_actor(self.token.id, TableRef(club=self.token.club_id, table=self.token.table_id), card_seats)


def card_by_digest(digest: str, *, now: datetime) -> TableCard | None:
    """Find the card by the digest of its secret."""
    return _card(_judged().filter(digest=digest), now)


def card_by_code(club_id: UUID, number: int, digest: str, *, now: datetime) -> TableCard | None:
    """Find the card of this table by the digest of its typed code, which ends when a later round has begun."""
    card = _card(_judged().filter(club_id=club_id, table__number=number, code_digest=digest), now)
    if card is None or card.end is not None:
        return card
    table = card.token.table
    later = Scoresheet.objects.filter(HAS_BEGUN, table__tournament=table.tournament_id, table__round__gt=table.round)
    return replace(card, end=CardEnd.ROUND_IS_OVER) if later.exists() else card


def card_by_id(token_id: UUID, table_id: UUID, *, now: datetime) -> TableCard | None:
    """Find the card by its id, if it belongs to this table."""
    return _card(_judged().filter(id=token_id, table_id=table_id), now)


def live_cards(table_ids: Collection[UUID], *, now: datetime) -> list[TableToken]:
    """Return the valid cards of these tables, the newest first."""
    rows = _judged().filter(table_id__in=table_ids)
    return [row for row in rows if _end(row, now) is None]


def may_issue_cards(user: Any, club_id: UUID) -> bool:
    """Whether the cards that this person issues open their tables; false for nobody, as behind a device link."""
    if not user.is_active:
        return False
    roles = Membership.objects.filter(user_id=user.pk, club_id=club_id, role__in=DIRECTORS)
    return bool(user.is_superuser or roles.exists())


def open_tables(tournament_id: UUID) -> QuerySet[Table]:
    """Return the tables of a tournament at which events can still be recorded, loaded for issuing cards."""
    tables = Table.objects.filter(tournament_id=tournament_id, scoresheet__isnull=False).exclude(OVER)
    return tables.select_related("scoresheet", "tournament__club").order_by("round", "number")


def table_for_card(sheet: Scoresheet) -> Table:
    """Return one table loaded for issuing cards."""
    return Table.objects.select_related("scoresheet", "tournament__club").get(id=sheet.table_id)


def players_by_table(table_ids: Collection[UUID]) -> dict[UUID, dict[int, str]]:
    """Return the players at each table, by seat in table order, in one query."""
    seats = Seat.objects.filter(table_id__in=table_ids).order_by("table", "number")
    names_by_table: dict[UUID, dict[int, str]] = {table_id: {} for table_id in table_ids}
    for table_id, seat, name in seats.values_list("table_id", "number", "player__name"):
        names_by_table[table_id][seat] = name
    return names_by_table


def seats_of_cards(table: Table) -> tuple[int, ...]:
    """Return the seats for which a table takes cards: each where two seats enter each deal, else 0, the whole table."""
    setup = load_table(table.scoresheet.state).setup
    return tuple(map(int, setup.seats)) if setup.two_seats_enter else (0,)


def _judged() -> QuerySet[TableToken]:
    """Load cards with everything that decides whether they are valid, in one query."""
    has_ended = log.happened(
        OuterRef("table_id"), club=OuterRef("club_id"), kinds=TABLE_ENDS, after=OuterRef("table_version")
    )
    directs = Membership.objects.filter(
        user_id=OuterRef("created_by_id"), club_id=OuterRef("club_id"), role__in=DIRECTORS
    )
    rows = TableToken.objects.select_related("table__tournament__club", "created_by")
    return rows.annotate(table_has_ended=has_ended, maker_directs=Exists(directs))


def _card(rows: QuerySet[TableToken], now: datetime) -> TableCard | None:
    token = rows.first()
    return TableCard(token=token, end=_end(token, now)) if token is not None else None


def _end(token: Any, now: datetime) -> CardEnd | None:
    """Return why a card has ended. If its issuer may no longer issue cards, it counts as revoked."""
    maker = token.created_by
    if token.revoked_at is not None or not maker.is_active or not (maker.is_superuser or token.maker_directs):
        return CardEnd.REVOKED
    if token.table_has_ended:
        return CardEnd.TABLE_IS_OVER
    return CardEnd.EXPIRED if token.expires_at <= now else None
