"""People of a club: listed for its owners, given another role, removed; and links for a new password."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils.timezone import now

from tests.builders.admin_tables import club_called, person
from tests.builders.open_links import OPEN_PAGE, PASSWORD, invitation, opens, refusal
from tournaments.models import ApiToken, Club, Invitation, InvitationKind, Membership, Role
from tournaments.people.access import issue_token
from tournaments.people.invitations import INVITATION_LENGTH, make_password_link

pytestmark = pytest.mark.django_db
User = get_user_model()


def page(club: Club, *words: object) -> str:
    return "/".join(["/admin/tournaments/club", str(club.pk), "people", *map(str, words), ""])


def problems(answer: Any) -> list[str]:
    return list(answer.context["form"].all_errors())


def link_in(answer: Any) -> str:
    """The code on the page that shows a link."""
    assert answer.status_code == 200
    return "".join(answer.context["code"])


@pytest.fixture
def owner(olga: Client) -> Any:
    return User.objects.get(username="olga")


def test_an_owner_sees_who_works_here_and_when_they_were_last_seen(olga: Client, club: Club, owner: Any):
    sam = person("sam", Role.SCORER, club, first_name="Sam", last_login=now() - timedelta(days=30))
    person("tim", Role.CASHIER, club)
    issue_token(uuid4(), club, user_id=sam.pk, role=Role.SCORER, name="tablet")
    phone = Client()
    phone.force_login(sam)
    User.objects.filter(pk=sam.pk).update(last_login=now() - timedelta(days=30))
    shown = {entry["user"].username: entry for entry in olga.get(page(club)).context["people"]}
    assert list(shown) == ["olga", "sam", "tim"]
    assert (shown["sam"]["devices"], shown["tim"]["devices"]) == (1, 0)
    assert shown["sam"]["seen"] == shown["olga"]["seen"] != ""
    assert shown["tim"]["seen"] == ""


def test_people_of_other_clubs_are_not_there_and_directors_have_no_list(olga: Client, club: Club, dita: Client):
    """Planted fault: every login, with its name, shown to the owner of any club."""
    stranger = person("stranger", Role.OWNER, club_called("Other", "other"))
    assert {olga.get(page(club, stranger.pk, *more)).status_code for more in ((), ("remove",))} == {404}
    assert {dita.get(page(club, *words)).status_code for words in ((), ("invite",))} == {403}
    assert dita.post(page(club, "invite"), {"role": "owner"}).status_code == 403
    assert not Invitation.objects.exists()


def test_former_addresses_lead_to_the_people_of_the_club(olga: Client, club: Club, dita: Client):
    for former in ("/admin/auth/user/", "/admin/auth/user/add/", "/admin/auth/user/1/change/", "/admin/people/"):
        assert olga.get(former).headers["Location"] == page(club)
        assert dita.get(former).status_code == 403


def test_an_invitation_is_shown_once_and_only_its_digest_is_kept(olga: Client, club: Club, owner: Any):
    """Planted faults: the code stored; a form sent twice that makes two links."""
    typed = {"role": "scorer", "name": "Sam Iyer", "note": "Bring a pen", "key": str(uuid4())}
    answer = olga.post(page(club, "invite"), typed)
    code = link_in(answer)
    assert len(code) == INVITATION_LENGTH
    assert answer.context["address"] == f"http://testserver/join/#{code}"
    assert "no-store" in answer.headers["Cache-Control"]
    again = olga.post(page(club, "invite"), typed)
    assert "code" not in again.context
    (made,) = Invitation.objects.all()
    assert (made.kind, made.role, made.made_by) == (InvitationKind.INVITE, "scorer", owner)
    assert made.expires_at - made.made_at == timedelta(days=7)
    stored = repr(list(Invitation.objects.values_list())) + repr(list(LogEntry.objects.values_list()))
    assert code not in stored
    assert [entry["link"] for entry in olga.get(page(club)).context["links"]] == [made]


def test_the_key_of_another_clubs_invitation_shows_nothing_of_it(olga: Client, club: Club):
    other = club_called("Other", "other")
    made, _ = invitation(other, person("eve", Role.OWNER, other), name="Secret")
    answer = olga.post(page(club, "invite"), {"role": "scorer", "key": str(made.pk)})
    assert (answer.status_code, "Secret" in answer.content.decode()) == (422, False)
    link_in(olga.post(page(club, "invite"), {"role": "scorer", "key": "-" * 32}))
    assert olga.get(page(club, "links", made.pk)).status_code == 404
    assert olga.post(page(club, "links", made.pk)).status_code == 404
    made.refresh_from_db()
    assert made.revoked_at is None


def test_a_role_is_changed_once_and_a_page_of_before_says_so(olga: Client, club: Club, owner: Any):
    sam = person("sam", Role.SCORER, club)
    typed = {"do": "role", "role": "cashier", "expected_role": "scorer"}
    assert olga.post(page(club, sam.pk), typed).status_code == 302
    late = olga.post(page(club, sam.pk), {**typed, "role": "director"})
    assert late.status_code == 422
    assert problems(late) == ["Someone else changed the role to Cashier. Compare, then save"]
    assert Membership.objects.get(user=sam).role == "cashier"
    assert olga.post(page(club, sam.pk), {**late.context["forms"]["role"].data.dict()}).status_code == 302
    assert Membership.objects.get(user=sam).role == "director"


def test_the_last_owner_is_neither_removed_nor_demoted(olga: Client, club: Club, owner: Any):
    """Planted fault: a blocked login counted as an owner who is left."""
    person("gone", Role.OWNER, club, is_active=False)
    said = "The last owner of a club stays. Make someone else an owner first"
    typed = {"do": "role", "role": "director", "expected_role": "owner"}
    assert problems(olga.post(page(club, owner.pk), typed)) == [said]
    assert problems(olga.post(page(club, owner.pk, "remove"))) == [said]
    assert Membership.objects.get(user=owner).role == Role.OWNER
    person("asha", Role.OWNER, club)
    assert olga.post(page(club, owner.pk, "remove")).headers["Location"] == "/admin/"
    assert not Membership.objects.filter(user=owner).exists()


def test_removing_ends_sessions_and_invitations_of_this_club_and_device_links_if_asked(
    olga: Client, club: Club, owner: Any
):
    """Planted faults: a token that outlives its maker; another club's token revoked with it."""
    eve, away = person("eve", Role.OWNER, club), club_called("Other", "other")
    phone = Client()
    phone.force_login(eve)
    here, _ = issue_token(uuid4(), club, user_id=eve.pk, role=Role.SCORER, name="t")
    there, _ = issue_token(uuid4(), away, user_id=eve.pk, role=Role.SCORER, name="t")
    _, code = invitation(club, eve)
    _, word = make_password_link(eve, club=club, made_by=owner, now=now())
    assert olga.post(page(club, eve.pk, "remove"), {"revokes_devices": "on"}).status_code == 302
    assert phone.get("/admin/").status_code == 302
    assert [ApiToken.objects.get(pk=token.pk).revoked_at is None for token in (here, there)] == [False, True]
    assert refusal(Client().post("/join/", {"code": code})) == (
        403,
        "The person who made this link no longer manages the club. Ask an owner for a new one.",
    )
    assert refusal(Client().post("/join/", {"code": word})) == (403, "This link was revoked. Ask for a new one.")
    assert olga.get(page(club, eve.pk)).status_code == 404
    assert olga.post(page(club, eve.pk, "remove")).status_code == 404


def test_a_session_that_is_of_use_in_another_club_lasts(olga: Client, club: Club):
    eve = person("eve", Role.SCORER, club)
    Membership.objects.create(user=eve, club=club_called("Other", "other"), role=Role.SCORER)
    phone = Client()
    phone.force_login(eve)
    assert olga.post(page(club, eve.pk, "remove")).status_code == 302
    assert phone.get("/admin/").status_code == 200
    assert phone.get(f"/admin/tournaments/club/{club.pk}/change/").status_code == 404


def test_a_new_password_comes_by_a_link_and_ends_every_other_session(olga: Client, club: Club):
    sam = person("sam", Role.SCORER, club, is_active=False)
    User.objects.filter(pk=sam.pk).update(is_active=True)
    old = Client()
    old.force_login(sam)
    code = link_in(olga.post(page(club, sam.pk), {"do": "password"}))
    phone = opens(code)
    assert phone.get(OPEN_PAGE).context["invitation"].user == sam
    for refused in ("12345", ""):
        assert "password" in phone.post(OPEN_PAGE, {"password": refused}).context["form"].errors
    assert phone.post(OPEN_PAGE, {"password": PASSWORD}).headers["Location"] == "/admin/"
    sam.refresh_from_db()
    assert sam.check_password(PASSWORD)
    assert phone.get("/admin/").status_code == 200
    assert old.get("/admin/").status_code == 302
    assert refusal(Client().post("/join/", {"code": code})) == (403, "This link was used already. Ask for a new one.")


def test_a_newer_password_link_ends_the_older_one(olga: Client, club: Club):
    sam = person("sam", Role.SCORER, club)
    first, second = (link_in(olga.post(page(club, sam.pk), {"do": "password"})) for _ in range(2))
    assert refusal(Client().post("/join/", {"code": first})) == (403, "This link was revoked. Ask for a new one.")
    opens(second)


@pytest.mark.parametrize("also", ["of another club", "site administrator"])
def test_an_owner_takes_over_no_login_that_others_rely_on(olga: Client, club: Club, owner: Any, also: str):
    """Planted faults: the password of another club's owner set by hiring them; a link made before they were hired."""
    eve = person("eve", Role.SCORER, club)
    _, code = make_password_link(eve, club=club, made_by=owner, now=now())
    phone = opens(code)
    if also == "of another club":
        Membership.objects.create(user=eve, club=club_called("Other", "other"), role=Role.OWNER)
        said = "This person works for another club too: reset the password by mail, or ask a site administrator"
    else:
        User.objects.filter(pk=eve.pk).update(is_superuser=True)
        said = "This is a site administrator: ask another one for a link, or reset the password by mail"
    assert problems(olga.post(page(club, eve.pk), {"do": "password"})) == [said]
    assert refusal(phone.post(OPEN_PAGE, {"password": PASSWORD})) == (403, f"{said}.")
    eve.refresh_from_db()
    assert not eve.check_password(PASSWORD)
    assert (
        olga.post(page(club, eve.pk), {"do": "role", "role": "cashier", "expected_role": "scorer"}).status_code == 302
    )
    keeper = Client()
    keeper.force_login(person("keeper", is_superuser=True))
    link_in(keeper.post(page(club, eve.pk), {"do": "password"}))


@pytest.mark.slow
def test_a_site_administrator_sees_the_logins_that_no_club_lists(olga: Client, club: Club, client: Client):
    client.force_login(person("keeper", is_superuser=True))
    flo = person("flo")
    person("eve", Role.OWNER, club_called("Other", "other"))
    listed = [entry["user"].username for entry in client.get(page(club)).context["others"]]
    assert listed == ["flo", "keeper"]
    assert olga.get(page(club)).context["others"] == []
    assert (client.get(page(club, flo.pk)).status_code, olga.get(page(club, flo.pk)).status_code) == (200, 404)
    assert client.post(page(club, flo.pk), {"do": "role", "role": "owner", "expected_role": ""}).status_code == 404
    assert client.post(page(club, flo.pk, "remove")).status_code == 404
    opens(link_in(client.post(page(club, flo.pk), {"do": "password"})))


def test_what_is_done_about_people_is_in_the_history_of_the_club(olga: Client, club: Club, owner: Any):
    sam = person("sam", Role.SCORER, club)
    link_in(olga.post(page(club, "invite"), {"role": "cashier", "name": "Tim"}))
    olga.post(page(club, "links", Invitation.objects.get().pk))
    olga.post(page(club, sam.pk), {"do": "role", "role": "cashier", "expected_role": "scorer"})
    phone = opens(link_in(olga.post(page(club, sam.pk), {"do": "password"})))
    phone.post(OPEN_PAGE, {"password": PASSWORD})
    olga.post(page(club, sam.pk, "remove"))
    history = olga.get(f"/admin/tournaments/club/{club.pk}/history/").context["action_list"]
    assert [(entry.user.username, entry.get_change_message()) for entry in history] == [
        ("olga", "Added invitation “Cashier Tim”."),
        ("olga", "Deleted invitation “Cashier Tim”."),
        ("olga", "Changed role for person “sam (Cashier)”."),
        ("olga", "Added password link “sam”."),
        ("sam", "Changed password for person “sam”."),
        ("olga", "Deleted person “sam”."),
    ]


def test_somebody_without_a_role_is_told_whom_to_ask(client: Client):
    client.force_login(person("flo"))
    assert client.get("/admin/").context["has_role"] is False


def test_a_fresh_installation_leads_from_the_club_to_the_first_tournament(client: Client):
    """Planted faults: an empty list without a button; a page that says only who one is not."""
    client.force_login(person("root", is_superuser=True))
    steps = client.get("/admin/").context["first_steps"]
    assert [step["url"] for step in steps if step["is_next"]] == ["/admin/tournaments/club/add/"]
    club = club_called("Asha's club", "asha")
    steps = client.get("/admin/").context["first_steps"]
    assert [step["url"] for step in steps if step["is_next"]] == [page(club, "invite")]
    link_in(client.post(page(club, "invite"), {"role": "owner"}))
    steps = client.get("/admin/").context["first_steps"]
    assert [step["url"] for step in steps if step["is_next"]] == ["/admin/tournaments/player/add/"]


@pytest.mark.slow
def test_the_list_of_people_costs_as_many_queries_for_ten_as_for_one(
    olga: Client, club: Club, django_assert_max_num_queries: Any
):
    for number in range(10):
        person(f"helper{number}", Role.SCORER, club)
    assert Session.objects.count() == 1
    with django_assert_max_num_queries(14):
        olga.get(page(club))
