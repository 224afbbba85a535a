"""One link in two browsers at the same moment: one gets in.

Planted fault that this catches: the link read before its row is locked; on PostgreSQL both then get in.
"""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.utils.timezone import now

from scoring.problems import OptionsRejected
from tests.builders.admin_tables import club_called, person
from tests.builders.open_links import PASSWORD, invitation
from tests.builders.racing import at_once
from tournaments.models import Club, Invitation, Membership, Role
from tournaments.people.invitations import (
    NewLogin,
    change_role,
    choose_password,
    make_login,
    make_password_link,
    make_setup_code,
    remove_person,
    set_up,
    take_role,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
User = get_user_model()


@pytest.fixture
def club() -> Club:
    return club_called("Asha's club", "asha")


@pytest.fixture
def owner(club: Club) -> Any:
    return person("olga", Role.OWNER, club)


def login(name: str) -> NewLogin:
    return NewLogin(username=name, name="", email="", password=PASSWORD)


def refused(results: list[Any]) -> list[str]:
    return [result.problems[0].code for result in results if isinstance(result, OptionsRejected)]


def test_of_two_who_use_one_invitation_one_gets_in(club: Club, owner: Any):
    made, _ = invitation(club, owner)
    flo = person("flo")
    jobs = [partial(make_login, made.pk, login("sam"), now=now()), partial(take_role, made.pk, flo, now=now())]
    assert refused(at_once(jobs)) == ["used"]
    assert Membership.objects.exclude(user=owner).count() == 1
    assert User.objects.count() + Membership.objects.filter(user=flo).count() == 3


def test_of_two_who_choose_a_password_with_one_link_one_does(club: Club, owner: Any):
    sam = person("sam", Role.SCORER, club)
    made, _ = make_password_link(sam, club=club, made_by=owner, now=now())
    jobs = [partial(choose_password, made.pk, f"{PASSWORD} {number}", now=now()) for number in range(2)]
    assert refused(at_once(jobs)) == ["used"]


def test_two_owners_who_remove_each_other_at_once_leave_one(club: Club, owner: Any):
    """Planted fault: owners counted before the club is locked, so that nobody is left."""
    other = person("asha", Role.OWNER, club)
    mine, theirs = (Membership.objects.get(user=user) for user in (owner, other))
    jobs: list[Callable[[], object]] = [
        partial(remove_person, theirs, by=owner, now=now()),
        partial(change_role, mine, Role.SCORER, expected=Role.OWNER, by=other, now=now()),
    ]
    assert refused(at_once(jobs)) == ["last_owner"]
    assert Membership.objects.filter(club=club, role=Role.OWNER).count() == 1


def test_of_two_who_set_an_installation_up_one_does():
    code = make_setup_code(now=now())
    clubs = [Club(name=name, slug=name) for name in ("one", "two")]
    jobs = [partial(set_up, code, club, login(club.slug), now=now()) for club in clubs]
    assert refused(at_once(jobs)) == ["used"]
    assert (User.objects.count(), Club.objects.count(), Membership.objects.count()) == (1, 1, 1)
    assert Invitation.objects.get().used_by == User.objects.get()


def test_a_form_sent_twice_at_once_makes_one_invitation(club: Club, owner: Any):
    from tournaments.people.invitations import invite

    key = uuid4()
    drafts = [Invitation(id=key, club=club, role=Role.SCORER, made_by=owner) for _ in range(2)]
    codes = [code for _, code in at_once([partial(invite, draft, now=now()) for draft in drafts])]
    assert (Invitation.objects.count(), sum(bool(code) for code in codes)) == (1, 1)
