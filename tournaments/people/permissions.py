"""Authorisation: one question, `may(actor, permission, club)`, asked by every view.

Rules: docs/reference/roles.md prints the matrix below. An action that no role was granted is refused. Knows nothing of
pages or routes; for a view another club's object does not exist, and the view answers 404.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractUser

from scoring.cash import load_book
from tournaments.models import CashBook, Club, Membership, Role


class Permission(StrEnum):
    """An action in a club that needs permission."""

    WATCH = "watch"
    SEE = "see"
    SEE_MONEY = "see_money"
    SEE_BOOKS = "see_books"
    RECORD = "record"
    CORRECT = "correct"
    DIRECT = "direct"
    SETTLE = "settle"
    CHECK_IN = "check_in"
    TAKE_ENTRY = "take_entry"
    HANDLE_CASH = "handle_cash"
    MANAGE = "manage"


EVERY_DEED = frozenset(Permission)

MATRIX: dict[Role, frozenset[Permission]] = {
    Role.OWNER: EVERY_DEED,
    Role.DIRECTOR: EVERY_DEED - {Permission.MANAGE},
    Role.SCORER: frozenset({Permission.WATCH, Permission.SEE, Permission.RECORD, Permission.CORRECT}),
    Role.CASHIER: frozenset(
        {
            Permission.WATCH,
            Permission.SEE,
            Permission.SEE_MONEY,
            Permission.SEE_BOOKS,
            Permission.SETTLE,
            Permission.TAKE_ENTRY,
            Permission.HANDLE_CASH,
        }
    ),
    Role.CHECKIN: frozenset({Permission.WATCH, Permission.SEE, Permission.CHECK_IN, Permission.TAKE_ENTRY}),
    Role.AUDITOR: frozenset({Permission.WATCH, Permission.SEE, Permission.SEE_MONEY, Permission.SEE_BOOKS}),
    Role.DISPLAY: frozenset({Permission.WATCH}),
}

# Of whom a club can require a second factor: those who handle its money, or let others do so.
SECOND_FACTOR_ROLES = frozenset({Role.OWNER, Role.CASHIER})

# Read-only access: what everyone may do where it is published.
READS: frozenset[Permission] = frozenset({Permission.WATCH, Permission.SEE})

# What the name of an actor with a table card begins with: `table:ID`, with its seat behind where it has one.
CARD = "table:"
# What a table card permits, at that table and nowhere else: a scorer's work.
TABLE_CARD: frozenset[Permission] = MATRIX[Role.SCORER]

# The permission needed to record each kind of event. A kind that is not listed needs a director's.
EVENT_PERMISSIONS: dict[str, Permission] = {
    **dict.fromkeys(("deal_recorded", "totals_recorded", "tiebreak_recorded"), Permission.RECORD),
    **dict.fromkeys(("rejoined", "split_agreed"), Permission.RECORD),
    **dict.fromkeys(("seat_left", "bought_in", "table_closed"), Permission.RECORD),
    **dict.fromkeys(("deal_corrected", "deal_voided", "totals_corrected"), Permission.CORRECT),
    **dict.fromkeys(("deal_confirmed", "deal_disputed"), Permission.RECORD),
    **dict.fromkeys(("player_entered", "entry_withdrawn", "checked_in", "check_in_undone"), Permission.CHECK_IN),
    **dict.fromkeys(("marked_absent", "player_left", "player_returned", "player_reentered"), Permission.CHECK_IN),
    **dict.fromkeys(("player_substituted", "substitution_undone", "reentry_undone"), Permission.CHECK_IN),
    **dict.fromkeys(("entry_paid", "entry_refunded", "entry_terms_set"), Permission.TAKE_ENTRY),
    **dict.fromkeys(("till_opened", "till_counted", "till_closed"), Permission.HANDLE_CASH),
    **dict.fromkeys(("money_received", "money_paid_out", "money_transferred", "money_moved"), Permission.HANDLE_CASH),
    "cash_deed_undone": Permission.HANDLE_CASH,
    **dict.fromkeys(
        ("debt_written_off", "credit_granted", "till_difference_booked", "fact_left_out"), Permission.DIRECT
    ),
    **dict.fromkeys(("cash_book_opened", "cash_book_closed"), Permission.DIRECT),
    **dict.fromkeys(("player_hidden", "player_shown"), Permission.DIRECT),
}
CHANGES_A_DEAL = frozenset({"deal_corrected", "deal_voided"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRef:
    """One table of one club."""

    club: UUID
    table: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """The user, device or card behind a request. `name` goes into the log; `roles` are the clubs they work for.

    With a table card instead of a login there is no role, only the table that the card opens. `seats` are those whose
    cards the device has held: the current one first, then the earlier ones. `needs_second_factor` where one
    is required of this user: by a club, or of an administrator by a setting.
    """

    name: str
    roles: dict[UUID, Role]
    is_site_admin: bool = False
    needs_second_factor: bool = False
    card: TableRef | None = None
    seats: tuple[str, ...] = ()


NOBODY = Actor(name="", roles={})


def actor_of(user: object) -> Actor:
    """Return the actor for a signed-in user, in one query. A visitor has no name and no roles."""
    if not isinstance(user, AbstractUser):
        return NOBODY
    roles, is_required = {}, user.is_superuser and settings.ADMINISTRATORS_NEED_SECOND_FACTOR
    rows = Membership.objects.filter(user_id=user.pk).values_list("club_id", "role", "club__requires_second_factor")
    for club, role, requires in rows:
        roles[club] = Role(role)
        is_required = is_required or (requires and roles[club] in SECOND_FACTOR_ROLES)
    return Actor(
        name=f"user:{user.pk}",
        roles=roles,
        is_site_admin=user.is_superuser,
        needs_second_factor=is_required,
    )


def may(actor: Actor, permission: Permission, club: Club | UUID, *, table: UUID | None = None) -> bool:
    """Whether this actor may do this in this club. Denied unless the matrix grants it.

    A view about one table must pass it: otherwise a table card permits nothing. The books are closed to users who count
    tills blind, until every till is counted.
    """
    club_id = club.id if isinstance(club, Club) else club
    if actor.card is not None:
        return table is not None and actor.card == TableRef(club=club_id, table=table) and permission in TABLE_CARD
    if actor.is_site_admin:
        return True
    role = actor.roles.get(club_id)
    if role is None or permission not in MATRIX[role]:
        return False
    return permission is not Permission.SEE_BOOKS or not counting_blind({club_id: role})


def card_actor(token_id: UUID, place: TableRef, seats: tuple[str, ...] = ()) -> Actor:
    """Return the actor for a table card. The log names the card's seat, because that outlasts the card."""
    return Actor(name=CARD + ":".join((str(token_id), *seats[:1])), roles={}, card=place, seats=seats)


def permission_for(kind: str, *, is_over: bool, has_dispute: bool = False) -> Permission:
    """The permission needed to record an event of this kind: penalties, withdrawals and cancelling are the director's.

    So is everything at a table that is over: its sheet is signed, and its money may be paid; and so is changing a deal
    while any is disputed.
    """
    return (
        Permission.DIRECT
        if is_over or (has_dispute and kind in CHANGES_A_DEAL)
        else EVENT_PERMISSIONS.get(kind, Permission.DIRECT)
    )


def permission_to_read(kind: str, *, is_cash: bool) -> Permission:
    """The permission needed to read what a stored event says: of one about money, as much as for the books.

    A till is counted blind, and its opening float and its payments add up to what it should hold. `is_cash`: it is an
    event of a cash book.
    """
    is_entry_money = EVENT_PERMISSIONS.get(kind) is Permission.TAKE_ENTRY
    return Permission.SEE_BOOKS if is_entry_money or is_cash else Permission.SEE


def roles_to_give(actor: Actor, club: UUID) -> list[Role]:
    """The roles that somebody may give in a club, to people and device links: none above their own."""
    if actor.is_site_admin:
        return list(Role)
    own = actor.roles.get(club)
    return [] if own is None else [role for role in Role if MATRIX[role] <= MATRIX[own]]


def clubs_of(actor: Actor, permission: Permission = Permission.SEE) -> list[UUID] | None:
    """The clubs in which the actor may do this; None means all clubs."""
    if actor.is_site_admin:
        return None
    blind = counting_blind(actor.roles) if permission is Permission.SEE_BOOKS else frozenset()
    return [club for club, role in actor.roles.items() if permission in MATRIX[role] and club not in blind]


def counting_blind(roles: Mapping[UUID, Role]) -> frozenset[UUID]:
    """The clubs in which the actor counts tills without being a director, while an open till is not counted yet.

    Any page with the account of a till, or with all other accounts, would reveal its expected amount. Any open till
    closes the books, not only one's own: a device of the same cashier has another name, and two cashiers can read for
    each other.
    """
    clubs = [
        club
        for club, role in roles.items()
        if Permission.HANDLE_CASH in MATRIX[role] and Permission.DIRECT not in MATRIX[role]
    ]
    if not clubs:
        return frozenset()
    books = CashBook.objects.filter(club__in=clubs, is_closed=False).values_list("club_id", "state")
    return frozenset(club for club, state in books if load_book(state).has_uncounted_till)
