"""The permissions of each role: the matrix written a second time, plainly, and checked action by action."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from scoring.events.wire import EVENTS
from tournaments.models import Club, Membership, Role
from tournaments.people.permissions import (
    NOBODY,
    Actor,
    Permission,
    TableRef,
    actor_of,
    card_actor,
    clubs_of,
    may,
    permission_for,
)

OURS, THEIRS = uuid4(), uuid4()
WORDS = "watch see see_money see_books record correct direct settle check_in take_entry handle_cash manage"
MAY = {
    "owner": WORDS,
    "director": WORDS.removesuffix(" manage"),
    "scorer": "watch see record correct",
    "cashier": "watch see see_money see_books settle take_entry handle_cash",
    "checkin": "watch see check_in take_entry",
    "auditor": "watch see see_money see_books",
    "display": "watch",
}
DIRECTS = "direct"
# Everything that is not a director's, by the action that recording it is.
NEEDS = {
    "record": "deal_recorded totals_recorded tiebreak_recorded rejoined split_agreed seat_left bought_in table_closed "
    "deal_confirmed deal_disputed",
    "correct": "deal_corrected deal_voided totals_corrected",
    "check_in": "player_entered entry_withdrawn checked_in check_in_undone marked_absent player_left player_returned "
    "player_reentered player_substituted substitution_undone reentry_undone",
    "take_entry": "entry_paid entry_refunded entry_terms_set",
    "handle_cash": "till_opened till_counted till_closed money_received money_paid_out money_transferred money_moved "
    "cash_deed_undone",
}


def working(role: str, **more: Any) -> Actor:
    return Actor(name="user:1", roles={OURS: Role(role)}, **more)


@pytest.mark.django_db
@pytest.mark.parametrize("role", list(Role))
def test_a_role_may_do_what_is_its_own_in_its_club_and_nothing_elsewhere(role: Role) -> None:
    actor = working(role)
    assert {permission.value for permission in Permission if may(actor, permission, OURS)} == set(
        MAY[role.value].split()
    )
    assert not any(may(actor, permission, THEIRS) for permission in Permission)
    for permission in Permission:
        assert clubs_of(actor, permission) == ([OURS] if permission.value in MAY[role.value].split() else [])


@pytest.mark.django_db
def test_a_user_who_is_signed_in_works_for_the_clubs_that_took_them_on() -> None:
    club = Club.objects.create(name="Thursday club", slug="thursday")
    sam = User.objects.create_user("sam")
    Membership.objects.create(club=club, user=sam, role=Role.SCORER)
    assert actor_of(sam) == Actor(name=f"user:{sam.pk}", roles={club.id: Role.SCORER})
    assert actor_of(User(pk=99, is_superuser=True)) == Actor(name="user:99", roles={}, is_site_admin=True)


def test_a_site_admin_may_do_everything_everywhere_and_a_visitor_nothing() -> None:
    admin = Actor(name="user:1", roles={}, is_site_admin=True)
    assert all(may(admin, permission, THEIRS) for permission in Permission)
    assert clubs_of(admin) is None
    assert not any(may(NOBODY, permission, OURS) for permission in Permission)
    assert (clubs_of(NOBODY), actor_of(None)) == ([], NOBODY)


def test_a_card_opens_its_table_for_a_scorer_s_work_and_no_other() -> None:
    table, token = uuid4(), uuid4()
    actor = card_actor(token, TableRef(club=OURS, table=table))
    assert actor.name == f"table:{token}"
    assert {permission.value for permission in Permission if may(actor, permission, OURS, table=table)} == set(
        MAY["scorer"].split()
    )
    for club, elsewhere in ((OURS, None), (OURS, uuid4()), (THEIRS, table)):
        assert not any(may(actor, permission, club, table=elsewhere) for permission in Permission)
    # A user with a table card acts with the card's permissions alone.
    assert not may(Actor(name="x", roles={}, is_site_admin=True, card=actor.card), Permission.SEE, THEIRS, table=table)


def test_recording_an_event_takes_what_its_kind_needs_and_after_the_end_a_director() -> None:
    needed = dict.fromkeys(EVENTS, DIRECTS) | {kind: word for word, kinds in NEEDS.items() for kind in kinds.split()}
    assert {kind: permission_for(kind, is_over=False) for kind in EVENTS} == needed
    assert {permission_for(kind, is_over=True) for kind in EVENTS} == {DIRECTS}
    disputed = needed | dict.fromkeys(("deal_corrected", "deal_voided"), DIRECTS)
    assert {kind: permission_for(kind, is_over=False, has_dispute=True) for kind in EVENTS} == disputed
