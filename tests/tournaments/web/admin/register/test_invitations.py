"""What a link opens: an invitation taken with a login or by making one; and links that open nothing, each with why."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils.timezone import now

from tests.builders.admin_tables import club_called, person
from tests.builders.open_links import CODE_PAGE, OPEN_PAGE, PASSWORD, TYPED, invitation, opens, refusal
from tournaments.models import Club, FailedAttempts, Invitation, Membership, Role
from tournaments.people.access import TRIES_FOR_A_CODE
from tournaments.people.invitations import make_password_link

pytestmark = pytest.mark.django_db
User = get_user_model()
UNKNOWN = (422, "No open link has this code. Open it again, or type it as printed.")


@pytest.fixture
def owner(olga: Client) -> Any:
    return User.objects.get(username="olga")


def test_whoever_is_invited_makes_a_login_and_is_at_work_at_once(club: Club, owner: Any):
    """Planted faults: a login without Django's staff status; a code that must be typed exactly as it was drawn."""
    made, code = invitation(club, owner, name="Sam Iyer", note="Bring a pen")
    phone = opens(f" {code[:5].lower()}  {code[5:]} ")
    asked = phone.get(OPEN_PAGE)
    assert asked.context["invitation"] == made
    assert asked.context["login_form"].initial["name"] == "Sam Iyer"
    answer = phone.post(OPEN_PAGE, {**TYPED, "email": "sam@example.org"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
    assert phone.get("/admin/").status_code == 200
    sam = User.objects.get(username="sam")
    assert (sam.get_full_name(), sam.email, sam.memberships.get().role) == ("Sam Iyer", "sam@example.org", "scorer")
    assert (sam.check_password(PASSWORD), sam.is_superuser) == (True, False)
    made.refresh_from_db()
    assert (made.used_by, made.used_at is not None) == (sam, True)
    assert phone.get(OPEN_PAGE).headers["Location"] == CODE_PAGE


@pytest.mark.slow
def test_every_problem_of_a_new_login_is_at_its_field_and_the_link_stays_open(club: Club, owner: Any):
    made, code = invitation(club, owner)
    User.objects.filter(pk=owner.pk).update(email="Olga@home.example")
    phone = opens(code)
    for typed, field in (
        ({"password": "12345"}, "password"),
        ({"password": "sam-iyer-sam"}, "password"),
        ({"username": "\u043elga"}, "username"),
        ({"username": "no blanks"}, "username"),
        ({"username": "OLGA@home.example"}, "username"),
        ({"email": "OLGA@home.example"}, "email"),
        ({"username": ""}, "username"),
        ({"name": ""}, "name"),
        ({"email": "sam@"}, "email"),
    ):
        answer = phone.post(OPEN_PAGE, {**TYPED, "username": "sam-iyer", **typed})
        assert answer.status_code == 422
        assert list(answer.context["form"].errors) == [field], typed
    assert not User.objects.filter(username="sam").exists()
    made.refresh_from_db()
    assert made.used_at is None


def test_whoever_has_a_login_signs_in_and_takes_the_role(club: Club, owner: Any):
    flo = person("flo")
    _, code = invitation(club, owner, Role.CASHIER)
    phone = opens(code)
    sign_in = phone.get(OPEN_PAGE).context["sign_in_url"]
    typed = {"username": "flo", "password": "a long pass phrase", "next": OPEN_PAGE}
    assert phone.post(sign_in, typed).headers["Location"] == OPEN_PAGE
    assert phone.post(OPEN_PAGE, {"do": "take"}).headers["Location"] == "/admin/"
    assert Membership.objects.get(user=flo).role == Role.CASHIER


def test_an_invitation_takes_no_permission_away(club: Club, owner: Any, olga: Client):
    """Planted fault: an owner who tries the link for a scorer is a scorer afterwards."""
    made, code = invitation(club, owner, Role.SCORER)
    status, said = refusal(olga.post(CODE_PAGE, {"code": code}))
    assert (status, said) == (200, "You already work for this club as Owner. An owner can change your role.")
    cashier = Client()
    cashier.force_login(person("tim", Role.CASHIER, club))
    assert refusal(cashier.post(CODE_PAGE, {"code": code}))[0] == 200
    assert Membership.objects.get(user=owner).role == Role.OWNER
    made.refresh_from_db()
    assert made.used_at is None
    _, higher = invitation(club, owner, Role.DIRECTOR)
    opens(higher, cashier)
    assert cashier.post(OPEN_PAGE, {"do": "take"}).status_code == 302
    assert Membership.objects.get(user__username="tim").role == Role.DIRECTOR


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("used", "This link was used already. Ask for a new one."),
        ("expired", "This link has expired. Ask for a new one."),
        ("revoked", "This link was revoked. Ask for a new one."),
        ("demoted", "The person who made this link no longer manages the club. Ask an owner for a new one."),
        ("blocked", "The person who made this link no longer manages the club. Ask an owner for a new one."),
    ],
)
def test_a_link_that_opens_nothing_says_why_also_to_whoever_opened_it_before(
    club: Club, owner: Any, olga: Client, what: str, said: str
):
    made, code = invitation(club, owner)
    phone = opens(code)
    match what:
        case "used":
            opens(code).post(OPEN_PAGE, {**TYPED, "username": "tim"})
        case "expired":
            Invitation.objects.update(made_at=now() - timedelta(days=8), expires_at=now() - timedelta(days=1))
        case "revoked":
            olga.post(f"/admin/tournaments/club/{club.pk}/people/links/{made.pk}/")
        case "demoted":
            Membership.objects.filter(user=owner).update(role=Role.DIRECTOR)
        case "blocked":
            User.objects.filter(pk=owner.pk).update(is_active=False)
    assert refusal(Client().post(CODE_PAGE, {"code": code})) == (403, said)
    assert refusal(phone.post(OPEN_PAGE, TYPED)) == (403, said)
    assert not User.objects.filter(username="sam").exists()


def test_a_site_administrator_invites_without_a_role_of_their_own(club: Club):
    keeper = person("keeper", is_superuser=True)
    _, code = invitation(club, keeper, Role.OWNER)
    assert opens(code).post(OPEN_PAGE, TYPED).status_code == 302
    assert Membership.objects.get(user__username="sam").role == Role.OWNER


@pytest.mark.slow
def test_wrong_codes_are_counted_for_each_device(club: Club, owner: Any):
    """Planted fault: a right code that a stranger's wrong ones lock out."""
    _, code = invitation(club, owner)
    guesser = Client()
    guesser.get(CODE_PAGE)
    wrong = code[:6] + "2" * 14
    for number in range(TRIES_FOR_A_CODE):
        assert refusal(guesser.post(CODE_PAGE, {"code": f"{number + 2}{wrong[1:]}"})) == UNKNOWN
    locked = guesser.post(CODE_PAGE, {"code": code})
    assert (locked.status_code, locked.headers["Retry-After"]) == (429, "600")
    assert code not in repr(list(FailedAttempts.objects.values_list()))
    opens(code)
    assert refusal(Client().post(CODE_PAGE, {"code": ""})) == (422, "Enter the code of the link.")


def test_a_forged_or_old_cookie_opens_nothing(club: Club, owner: Any):
    made, _ = invitation(club, owner)
    for value in ("", str(made.pk), f'"{made.pk}":1:1'):
        phone = Client()
        phone.cookies["rummy_link"] = value
        assert phone.post(OPEN_PAGE, TYPED).headers["Location"] == CODE_PAGE
    assert not User.objects.filter(username="sam").exists()


def test_the_code_is_in_no_address_no_cookie_and_no_page(club: Club, owner: Any):
    _, code = invitation(club, owner)
    phone = Client()
    answer = phone.post(CODE_PAGE, {"code": code})
    asked = phone.get(OPEN_PAGE)
    assert code not in answer.headers["Location"] + str(phone.cookies) + asked.content.decode()
    assert "no-store" in asked.headers["Cache-Control"]
    cookie = phone.cookies["rummy_link"]
    assert (cookie["httponly"], cookie["path"], cookie["samesite"]) == (True, "/join/", "Lax")


def test_nothing_is_done_without_a_token_against_forgery(club: Club, owner: Any):
    _, code = invitation(club, owner)
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(CODE_PAGE, {"code": code}).status_code == 403
    assert strict.post(OPEN_PAGE, TYPED).status_code == 403


def test_a_second_factor_is_asked_for_after_a_new_password(club: Club, owner: Any):
    """Planted fault: a password link that lets in whoever has no second factor."""
    sam = person("sam", Role.SCORER, club)
    Authenticator.objects.create(user=sam, type=Authenticator.Type.TOTP, data={})
    _, code = make_password_link(sam, club=club, made_by=owner, now=now())
    phone = opens(code)
    assert phone.post(OPEN_PAGE, {"password": PASSWORD}).headers["Location"] == "/admin/login/"
    assert phone.get("/admin/").status_code == 302
    sam.refresh_from_db()
    assert sam.check_password(PASSWORD)


@pytest.mark.slow
def test_the_second_factor_is_forgotten_only_where_the_owner_ticked_it(club: Club, owner: Any, olga: Client):
    for login, ticked in (("sam", ""), ("tim", "on")):
        helper = person(login, Role.SCORER, club)
        Authenticator.objects.create(user=helper, type=Authenticator.Type.TOTP, data={})
        typed = {"do": "password", **({"forgets_second_factor": ticked} if ticked else {})}
        answer = olga.post(f"/admin/tournaments/club/{club.pk}/people/{helper.pk}/", typed)
        assert opens("".join(answer.context["code"])).post(OPEN_PAGE, {"password": PASSWORD}).status_code == 302
    assert list(Authenticator.objects.values_list("user__username", flat=True)) == ["sam"]


def test_an_invitation_of_another_club_gives_nothing_here(club: Club):
    away = club_called("Other", "other")
    _, code = invitation(away, person("eve", Role.OWNER, away))
    assert opens(code).post(OPEN_PAGE, TYPED).status_code == 302
    assert [row.club for row in Membership.objects.filter(user__username="sam")] == [away]
