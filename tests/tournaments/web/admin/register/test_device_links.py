"""Device links on the page: made by owners and directors, never above their own role, and not lost with their maker.

Planted faults these catch: an owner's link that a director makes or revokes, links of somebody who has left that nobody
is told of, a last day beyond the club's.
"""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from tests.builders.api_clients import Device, person
from tests.builders.playing import new_club
from tests.builders.there import there
from tournaments.models import ApiToken, Role
from tournaments.people.invitations import make_password_link

User = get_user_model()
pytestmark = pytest.mark.django_db
LINKS = "/admin/tournaments/apitoken/"


@pytest.fixture
def club():
    return new_club()


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def issue(client: Client, club: Any, role: Role, **more: Any) -> Any:
    typed = {"token_id": str(uuid4()), "club": str(club.pk), "role": role.value, "name": "tablet", **more}
    return client.post(f"{LINKS}add/", typed)


def test_a_director_makes_links_up_to_the_own_role(club):
    director = signed_in(person(club, Role.DIRECTOR, is_staff=True))
    offered = [value for value, _ in director.get(f"{LINKS}add/").context["form"].fields["role"].choices]
    assert set(offered) == set(Role.values) - {"owner"}
    assert issue(director, club, Role.OWNER).context["form"].errors.keys() == {"role"}
    assert issue(director, club, Role.DIRECTOR).context["secret"]
    assert [token.role for token in ApiToken.objects.all()] == ["director"]
    scorer = signed_in(person(club, Role.SCORER, is_staff=True))
    assert issue(scorer, club, Role.DISPLAY).status_code == 403


def test_a_director_revokes_no_link_of_an_owner(club):
    above, own = Device(club, Role.OWNER).token, Device(club, Role.SCORER).token
    director = signed_in(person(club, Role.DIRECTOR, is_staff=True))
    assert director.post(f"{LINKS}{above.pk}/revoke/").status_code == 403
    assert director.post(f"{LINKS}{own.pk}/revoke/").status_code == 302
    rows = {row.pk: row for row in director.get(LINKS).context["cl"].result_list}
    assert (rows[above.pk].is_above, rows[own.pk].is_above) == (True, False)
    assert ApiToken.objects.get(pk=above.pk).revoked_at is None
    owner = signed_in(person(club, Role.OWNER, is_staff=True))
    assert owner.post(f"{LINKS}{above.pk}/revoke/").status_code == 302


def test_a_last_day_is_within_what_the_club_says(club):
    owner = signed_in(person(club, Role.OWNER, is_staff=True))
    for days in (-2, 400):
        refused = issue(owner, club, Role.SCORER, last_day=(now() + timedelta(days=days)).date().isoformat())
        assert refused.context["form"].errors.keys() == {"last_day"}
    day = (now() + timedelta(days=10)).date()
    assert issue(owner, club, Role.SCORER, last_day=day.isoformat()).context["secret"]
    assert now() + timedelta(days=9) < there(ApiToken.objects.get().expires_at) < now() + timedelta(days=12)


def test_the_list_says_which_links_end_soon_and_whose_maker_has_left(club):
    maker = person(club, Role.DIRECTOR, first_name="Dita")
    device = Device(club, owner=maker)
    with time_machine.travel(now() + timedelta(days=170), tick=False):
        owner = signed_in(person(club, Role.OWNER, is_staff=True))
        maker.memberships.all().delete()
        (row,) = owner.get(LINKS).context["cl"].result_list
    assert (row.pk, row.has_maker_here, row.maker) == (device.token.pk, False, "Dita")


@pytest.mark.parametrize("revokes", [False, True])
def test_whoever_changes_a_role_is_asked_about_links_above_it(club, revokes: bool):
    """Planted faults: an owner made a scorer, whose owner's link goes on unseen; or the scorers' tablets stop too."""
    maker = person(club, Role.OWNER, is_staff=True)
    above, within = Device(club, Role.OWNER, owner=maker), Device(club, Role.SCORER, owner=maker)
    made_with = Device(club, Role.DIRECTOR)
    ApiToken.objects.filter(pk=made_with.token.pk).update(made_with=above.token, user=None)
    owner = signed_in(person(club, Role.OWNER, is_staff=True))
    page = reverse("admin:tournaments_club_person", args=[club.pk, maker.pk])
    assert owner.get(page).context["devices"] == 2
    typed = {"do": "role", "role": "scorer", "expected_role": "owner", **({"revokes_devices": "on"} if revokes else {})}
    assert owner.post(page, typed).status_code == 302
    assert maker.memberships.get().role == "scorer"
    works = [device.get("/api/v1/me/").status_code == 200 for device in (above, made_with, within)]
    assert works == ([False, False, True] if revokes else [True, True, True])


def test_a_password_link_says_which_device_links_the_new_password_ends(club):
    """Planted fault: links of a club that keeps them counted, or those that somebody else made."""
    maker = person(club, Role.SCORER, is_staff=True)
    for issuer in (maker, maker, person(club, Role.DIRECTOR)):
        Device(club, owner=issuer)
    keeps = new_club("Keeps", tokens_end_with_password=False)
    Device(keeps, owner=maker)
    owner = signed_in(person(club, Role.OWNER, is_staff=True))
    page = owner.get(reverse("admin:tournaments_club_person", args=[club.pk, maker.pk]))
    assert page.context["ending"] == 2
    _, code = make_password_link(maker, club=club, made_by=User.objects.get(memberships__role="owner"), now=now())
    visitor = Client()
    visitor.post(reverse("invitations:exchange"), {"code": code})
    opened = visitor.get(reverse("invitations:open"))
    assert (opened.context["ending"], 'href="/admin/login/"' in opened.text) == (2, True)
    password = {"password": "grosser-elefant-im-dorf", "key": str(uuid4())}
    assert visitor.post(reverse("invitations:open"), password).status_code == 302
    assert ApiToken.objects.filter(ended_with_password=True, revoked_at__isnull=False).count() == 2


@pytest.mark.parametrize("revokes", [False, True])
def test_whoever_removes_somebody_is_asked_about_their_links(club, revokes: bool):
    """Planted faults: links of somebody who has left go on, and nobody knows; or the hall's tablets stop mid-round."""
    maker = person(club, Role.SCORER, is_staff=True, first_name="Sam")
    device = Device(club, owner=maker)
    owner = signed_in(person(club, Role.OWNER, is_staff=True))
    remove = reverse("admin:tournaments_club_remove_person", args=[club.pk, maker.pk])
    assert owner.get(remove).context["devices"] == 1
    assert owner.post(remove, {"revokes_devices": "on"} if revokes else {}).status_code == 302
    assert not maker.memberships.exists()
    assert device.get("/api/v1/me/").status_code == (401 if revokes else 200)
