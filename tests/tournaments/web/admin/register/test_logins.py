"""Logins: one form with name, role and password; owners keep those of their clubs, and of no other."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from tests.builders.admin_tables import club_called, person
from tests.builders.page_forms import edit, opened
from tests.builders.page_text import html
from tournaments.models import Club, Membership, Role
from tournaments.web.admin.register.logins import ROLE

ADD = "/admin/auth/user/add/"
WORD = "another long pass phrase"
pytestmark = pytest.mark.django_db
User = get_user_model()


def field(club: Club) -> str:
    """The field of the role in a club."""
    return f"{ROLE}{club.pk.hex}"


def page_of(login: Any) -> str:
    return f"/admin/auth/user/{login.pk}/change/"


def test_an_owner_adds_a_helper_who_signs_in_at_once(olga: Client, club: Club):
    """Planted faults: a login without Django's staff status, or an inactive one; it cannot open the back office."""
    typed = {"username": "sam", "first_name": "Sam Iyer", "password": WORD, field(club): Role.SCORER}
    assert olga.post(ADD, typed).status_code == 302
    sam = User.objects.get(username="sam")
    assert (sam.get_full_name(), sam.memberships.get().role) == ("Sam Iyer", Role.SCORER)
    assert sam.check_password(WORD)
    helper = Client()
    helper.force_login(sam)
    assert helper.get("/admin/").status_code == 200


def test_a_login_has_a_role_and_a_password_that_nobody_guesses(olga: Client, club: Club):
    """Planted fault: a login that its own owner cannot see, because it has no role."""
    page = html(olga.post(ADD, {"username": "sam", "password": WORD}))
    assert "Choose what this person does at the club." in page
    for word in ("12345", ""):
        answer = olga.post(ADD, {"username": "sam", "password": word, field(club): Role.SCORER})
        assert "password" in answer.context["adminform"].form.errors
    assert not User.objects.filter(username="sam").exists()


def test_the_help_of_a_password_speaks_of_device_links_only_where_there_may_be_some(olga: Client, club: Club):
    """Planted fault: "your device links" at the first password of somebody else."""
    assert "device links end" not in html(olga.get(ADD))
    page = html(olga.get(page_of(person("sam", Role.SCORER, club))))
    assert "your device links" not in page
    assert "If the club says so, this login’s device links end with the old password." in page


def test_role_and_password_change_on_one_page_and_what_was_left_stays(olga: Client, club: Club):
    sam = person("sam", Role.SCORER, club)
    assert edit(olga, page_of(sam), **{field(club): Role.CASHIER}).status_code == 302
    assert Membership.objects.get(user=sam).role == Role.CASHIER
    assert edit(olga, page_of(sam), password=WORD).status_code == 302
    sam.refresh_from_db()
    assert sam.check_password(WORD)
    assert edit(olga, page_of(sam), first_name="Sam").status_code == 302
    sam.refresh_from_db()
    assert (sam.first_name, sam.check_password(WORD), sam.is_staff) == ("Sam", True, True)
    assert edit(olga, page_of(sam), **{field(club): ""}).status_code == 302
    assert not Membership.objects.filter(user=sam).exists()


def test_logins_of_other_clubs_and_of_nobody_are_not_there(olga: Client):
    """Planted fault: every login listed, with its name, to the owner of any club."""
    stranger, other = person("stranger", Role.OWNER, club_called("Other", "other")), person("flo")
    assert "stranger" not in html(olga.get("/admin/auth/user/"))
    assert {olga.get(page_of(login)).status_code for login in (stranger, other)} == {404}


@pytest.mark.parametrize("also", ["of another club", "site administrator"])
def test_an_owner_takes_over_no_login_that_others_rely_on(olga: Client, club: Club, also: str):
    """Planted fault: the password of the other club's owner set by hiring them as a scorer."""
    eve = person("eve", Role.SCORER, club, is_superuser=also == "site administrator")
    if also == "of another club":
        Membership.objects.create(user=eve, club=club_called("Other", "other"), role=Role.OWNER)
    sent = opened(olga, page_of(eve)).values() | {"password": [WORD], "username": ["taken"], field(club): ["cashier"]}
    olga.post(page_of(eve), sent)
    eve.refresh_from_db()
    assert (eve.username, eve.check_password(WORD)) == ("eve", False)
    assert edit(olga, page_of(eve), **{field(club): "cashier"}).status_code == 302
    assert eve.memberships.get(club=club).role == Role.CASHIER


def test_who_owns_no_club_has_no_list_of_logins(client: Client, club: Club):
    for role in (Role.DIRECTOR, Role.CASHIER, Role.AUDITOR):
        client.force_login(person(role.value, role, club))
        assert {client.get(path).status_code for path in ("/admin/auth/user/", ADD)} == {403}


def test_the_form_asks_for_nothing_that_means_nothing_here(olga: Client):
    """Planted fault: Django's groups, permissions and digest of the password."""
    names = {control.name for control in opened(olga, ADD, having="username").open_controls()}
    assert {"groups", "user_permissions", "is_superuser", "is_staff"} & names == set()
    assert "argon2" not in html(olga.get("/admin/auth/user/"))


def test_a_fresh_installation_leads_from_the_club_to_the_first_tournament(client: Client):
    """Planted faults: an empty list without a button; a page that says only who one is not."""
    client.force_login(person("root", is_superuser=True))
    assert '"/admin/tournaments/club/add/"' in html(client.get("/admin/"))
    assert '"/admin/"' in html(client.get("/admin/tournaments/tournament/add/"))
    club = club_called("Asha's club", "asha")
    assert '"/admin/auth/user/add/"' in html(client.get("/admin/"))
    typed = {"username": "olga", "password": WORD, field(club): Role.OWNER}
    assert client.post(ADD, typed).headers["Location"] == "/admin/"
    page = html(client.get("/admin/"))
    assert 'class="tool is-main" href="/admin/tournaments/player/add/"' in page


def test_somebody_without_a_role_is_told_whom_to_ask(client: Client):
    client.force_login(person("flo"))
    assert "Ask an owner of the club for one." in html(client.get("/admin/"))


@pytest.mark.slow
def test_no_two_logins_look_alike_to_whoever_reads_who_wrote_what(client: Client):
    """Planted fault: only identical names refused, so that one in Cyrillic signed what `sam` seems to have written."""
    client.force_login(person("keeper", is_superuser=True))
    sam, other = person("sam"), person("tim")
    for twin in ("SAM", "\u0455\u0430m", "ｓａｍ", "sam"):
        assert "already exists" in html(client.post(ADD, {"username": twin, "password": WORD}))
        assert "already exists" in html(edit(client, page_of(other), username=twin))
    assert set(User.objects.values_list("username", flat=True)) == {"keeper", "sam", "tim"}
    assert edit(client, page_of(sam), first_name="Sam").status_code == 302
