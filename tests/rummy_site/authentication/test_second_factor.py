"""Promise 16: codes and passkeys besides the password. Tries are counted in the database; a right one gets in."""

import json
import time
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.test import Client
from django.utils.timezone import now

from tests.builders.admin_tables import club_called, person
from tests.builders.page_forms import edit
from tournaments.models import FailedAttempts, Role
from tournaments.people.second_factor import forget_second_factor, has_second_factor

PASSWORD = "a long pass phrase"
CODE = "/admin/account/code/"
YOURS = "/admin/account/"
# In the shape that browsers send, with nothing right in it.
SHAPED = {
    "id": "YWJj",
    "rawId": "YWJj",
    "type": "public-key",
    "clientExtensionResults": {},
    "response": {
        **dict.fromkeys(("clientDataJSON", "authenticatorData", "signature", "attestationObject"), "YWJj"),
        "userHandle": "MQ",
    },
}
pytestmark = pytest.mark.django_db


@pytest.fixture
def sam() -> Any:
    """A scorer whose sign-in asks for codes."""
    user = person("sam", Role.SCORER, club_called("Home", "home"))
    user.secret = generate_totp_secret()
    TOTP.activate(user, user.secret)
    user.codes = RecoveryCodes.activate(user).generate_codes()
    return user


def code_of(secret: str, *, steps: int = 0) -> str:
    """What the app shows now, or some half minutes later."""
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps)))


def wrong(secret: str, number: int) -> str:
    """A code that is none of those that are valid now."""
    valid = {code_of(secret, steps=steps) for steps in (-2, -1, 0, 1, 2)}
    return next(code for code in (f"{number + extra:06}" for extra in range(0, 600_000, 1_000)) if code not in valid)


def first_step(client: Client, *, address: str = "10.0.0.1", name: str = "sam", **more: Any) -> Any:
    return client.post("/admin/login/", {"username": name, "password": PASSWORD, **more}, REMOTE_ADDR=address)


def second_step(client: Client, code: str, *, address: str = "10.0.0.1") -> Any:
    return client.post(CODE, {"code": code}, REMOTE_ADDR=address)


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def test_the_password_alone_opens_nothing_and_the_code_leads_where_one_wanted(client: Client, sam: Any):
    """Planted faults: a session that is signed in after the first step; the way lost between the two."""
    answer = first_step(client, next="/admin/tournaments/player/")
    assert (answer.status_code, answer["Location"]) == (302, CODE)
    assert not is_in(client)
    assert SESSION_KEY not in client.session
    page = client.get(CODE)
    assert (page.status_code, page.context["has_permission"]) == (200, False)
    assert second_step(client, wrong(sam.secret, 1)).status_code == 422
    assert not is_in(client)
    before = client.session.session_key
    answer = second_step(client, code_of(sam.secret))
    assert (answer.status_code, answer["Location"]) == (302, "/admin/tournaments/player/")
    assert client.session.session_key != before, "another session once signed in"
    assert is_in(client)


def test_a_code_is_good_for_one_sign_in_whichever_process_is_asked(client: Client, sam: Any):
    """Planted fault: used codes kept in the memory of one process, so that a second one takes the code again."""
    code = code_of(sam.secret)
    for device, status in ((client, 302), (Client(), 422)):
        first_step(device)
        cache.clear()
        assert second_step(device, code).status_code == status


def test_a_recovery_code_lets_in_once(client: Client, sam: Any):
    """Whoever lost the telephone."""
    for device, status in ((client, 302), (Client(), 422)):
        first_step(device)
        assert second_step(device, sam.codes[3]).status_code == status
    assert client.get(YOURS).context["recovery_codes_left"] == 9


def test_five_wrong_codes_lock_the_place_and_the_right_one_from_elsewhere_gets_in(client: Client, sam: Any):
    """Planted faults: tries counted by allauth in the memory of one process; a login locked for everybody."""
    answers = []
    for number in range(5):
        first_step(client)
        cache.clear()
        answers.append(second_step(client, wrong(sam.secret, number)).status_code)
    assert answers == [422, 422, 422, 422, 429]
    first_step(client)
    refused = second_step(client, code_of(sam.secret))
    assert refused.status_code == 429
    assert 800 < int(refused["Retry-After"]) <= 900
    elsewhere = Client()
    first_step(elsewhere, address="203.0.113.9")
    assert second_step(elsewhere, code_of(sam.secret), address="203.0.113.9").status_code == 302


@pytest.mark.slow
def test_codes_tried_from_many_addresses_are_slowed_down_and_a_known_device_is_not(client: Client, sam: Any):
    """Planted fault: five tries for each address, and as many addresses as one likes."""
    with time_machine.travel(now(), tick=False) as clock:
        first_step(client)
        assert second_step(client, code_of(sam.secret)).status_code == 302
        client.post("/admin/logout/")
        answers = []
        for number in range(21):
            stranger, address = Client(), f"198.51.100.{number // 4 + 1}"
            first_step(stranger, address=address)
            answers.append(second_step(stranger, wrong(sam.secret, number), address=address).status_code)
        assert answers == [422] * 20 + [429]
        stranger = Client()
        first_step(stranger, address="192.0.2.7")
        assert second_step(stranger, code_of(sam.secret, steps=1), address="192.0.2.7").status_code == 429
        clock.shift(2)
        first_step(client)
        assert second_step(client, code_of(sam.secret, steps=1)).status_code == 302
        assert FailedAttempts.objects.filter(kind="factor").count() > 0


def test_a_form_kept_when_the_session_ended_survives_the_second_step(client: Client, sam: Any):
    """Planted fault: typed in vain, because the page of the code knows nothing of it."""
    first_step(client)
    second_step(client, code_of(sam.secret))
    client.get("/admin/")
    client.session.flush()
    late = client.post("/admin/tournaments/player/add/", {"name": "Bo", "line": "typed with care"})
    assert late.status_code == 403
    first_step(client, kept=late.context["kept"])
    page = second_step(client, code_of(sam.secret, steps=1))
    assert page.context["path"] == "/admin/tournaments/player/add/"
    assert ("line", "typed with care") in page.context["fields"]
    assert "known_device" in page.cookies
    assert "kept" not in client.session


def test_codes_are_set_up_with_the_password_and_recovery_codes_come_with_them(client: Client):
    """Planted fault: a session that was left open adds a factor of the thief's."""
    client.force_login(person("dita", Role.DIRECTOR, club_called("Home", "home")))
    asked = client.get("/admin/account/codes/add/")
    assert asked["Location"].startswith("/admin/account/confirm/?next=")
    assert client.post(asked["Location"], {"password": "wrong"}).status_code == 422
    back = client.post(asked["Location"], {"password": PASSWORD})
    page = client.get(back["Location"])
    secret = page.context["form"].secret
    assert page.context["totp_svg"].startswith("<svg")
    assert "#fff" in page.context["totp_svg"], "dark pages"
    assert client.post("/admin/account/codes/add/", {"code": wrong(secret, 1)}).status_code == 422
    done = client.post("/admin/account/codes/add/", {"code": code_of(secret)})
    assert done["Location"] == "/admin/account/recovery/"
    assert len(client.get(done["Location"]).context["unused_codes"]) == 10
    yours = client.get(YOURS).context
    assert (yours["has_codes"], yours["recovery_codes_left"]) == (True, 10)
    assert client.post("/admin/account/codes/remove/")["Location"] == YOURS
    assert not Authenticator.objects.exists()


def test_who_has_just_signed_in_is_not_asked_for_the_password_again(client: Client):
    person("dita", Role.DIRECTOR, club_called("Home", "home"))
    first_step(client, name="dita")
    assert client.get("/admin/account/codes/add/").status_code == 200
    with time_machine.travel(time.time() + 400):
        assert client.get("/admin/account/codes/add/").status_code == 302


def test_the_password_asked_for_again_is_guessed_no_more_often_than_at_the_door(client: Client, sam: Any):
    """Planted fault: the page that confirms left out of the count."""
    client.force_login(sam)
    ask = "/admin/account/confirm/?next=/admin/account/recovery/"
    answers = [client.post(ask, {"password": f"guess-{number}"}).status_code for number in range(5)]
    assert answers == [422, 422, 422, 422, 429]
    assert client.post(ask, {"password": PASSWORD}).status_code == 429
    assert (
        client.post("/admin/account/confirm/code/?next=/admin/account/recovery/", {"code": sam.codes[0]}).status_code
        == 302
    )


def test_a_forgotten_second_factor_is_gone_with_its_recovery_codes(sam: Any):
    assert has_second_factor(sam.pk)
    assert forget_second_factor(sam)
    assert not Authenticator.objects.filter(user=sam).exists()
    assert not forget_second_factor(sam)


@pytest.mark.parametrize(
    "credential",
    [
        pytest.param("{"),
        pytest.param('{"id": "a", "rawId": "a", "type": "x", "response": {}}'),
        *(pytest.param(text, marks=pytest.mark.slow) for text in ("", "[]", "{}", "null", '{"response": 3}')),
        pytest.param("[" * 100_000, marks=pytest.mark.slow, id="deep"),
        pytest.param(json.dumps(SHAPED), marks=pytest.mark.slow, id="shaped"),
    ],
)
def test_what_is_no_passkey_is_refused(client: Client, sam: Any, credential: str):
    """Planted fault: a failure of the library for a credential in another shape."""
    client.get("/admin/account/passkey/", headers={"Accept": "application/json"})
    answer = client.post("/admin/account/passkey/", {"credential": credential})
    assert (answer.status_code, answer["Location"]) == (302, "/admin/login/")
    first_step(client)
    client.get(CODE)
    assert client.post(CODE, {"credential": credential}).status_code == 422
    client.force_login(sam)
    first_step(client)
    client.post("/admin/account/confirm/?next=/admin/account/passkeys/add/", {"password": PASSWORD})
    assert client.get("/admin/account/passkeys/add/").status_code == 200
    assert client.post("/admin/account/passkeys/add/", {"name": "x", "credential": credential}).status_code == 422


def test_questions_for_passkeys_are_limited_for_each_place(client: Client):
    """Planted fault: a session stored for each question of a stranger, without end."""
    asked = [
        Client()
        .get("/admin/account/passkey/", headers={"Accept": "application/json"}, REMOTE_ADDR="10.0.0.1")
        .status_code
        for _ in range(22)
    ]
    assert asked == [200] * 20 + [429, 429]
    dita = person("dita", Role.SCORER, club_called("Home", "home"))
    known = Client()
    known.post("/admin/login/", {"username": dita.username, "password": PASSWORD}, REMOTE_ADDR="10.0.0.9")
    known.post("/admin/logout/")
    answer = known.get("/admin/account/passkey/", headers={"Accept": "application/json"}, REMOTE_ADDR="10.0.0.1")
    assert answer.status_code == 200, "a stranger in the hall stops nobody's passkey"


# A club can require one.


def strict_club() -> Any:
    return club_called("Strict", "strict", requires_second_factor=True)


@pytest.mark.parametrize(("role", "is_led"), [(Role.OWNER, True), (Role.CASHIER, True), (Role.DIRECTOR, False)])
def test_who_must_have_a_second_factor_does_nothing_else_before(client: Client, role: Role, is_led: bool):
    """Planted faults: a page, or the API by session, that stays open; a scorer who is led there too."""
    club = strict_club()
    client.force_login(person("olga", role, club))
    pages = ("/admin/", "/admin/tournaments/player/", f"/admin/tournaments/club/{club.pk}/cash/")
    led = [client.get(path).headers.get("Location") == YOURS for path in pages]
    assert led == [is_led] * 3
    answer = client.get(f"/api/v1/clubs/{club.pk}/players/")
    assert answer.status_code == (403 if is_led else 200)
    assert not is_led or answer.json()["code"] == "second_factor_required"
    club.is_published = False
    club.save()
    assert client.get(f"/c/{club.slug}/").status_code == (404 if is_led else 200), "as to a visitor"
    if is_led:
        assert client.get(YOURS).context["is_owing"]
        assert client.get("/admin/password_change/").status_code == 200
        assert client.post("/admin/logout/").status_code == 200


def test_what_was_being_sent_is_shown_again_once_the_second_factor_is_there(client: Client):
    """An owner requires it while a cashier types. Planted fault: what was typed is lost."""
    club = strict_club()
    person("cashier", Role.CASHIER, club)
    first_step(client, name="cashier")
    address = f"/admin/tournaments/club/{club.pk}/cash/"
    assert client.post(address, {"amount": "300", "key": "k"})["Location"] == YOURS
    assert client.get(YOURS).context["is_owing"]
    secret = client.get("/admin/account/codes/add/").context["form"].secret
    client.post("/admin/account/codes/add/", {"code": code_of(secret)})
    page = client.get(YOURS)
    assert page.context["path"] == address
    assert ("amount", "300") in page.context["fields"]
    assert "path" not in client.get(YOURS).context
    assert client.get("/admin/").status_code == 200
    assert client.get(f"/api/v1/clubs/{club.pk}/tournaments/").status_code == 200


def test_an_installation_can_require_it_of_its_administrators(client: Client, settings: Any):
    client.force_login(person("root", is_superuser=True))
    assert client.get("/admin/").status_code == 200
    settings.ADMINISTRATORS_NEED_SECOND_FACTOR = True
    assert client.get("/admin/")["Location"] == YOURS


def test_owners_alone_set_it_on_the_clubs_page(client: Client):
    """Planted fault: a director, who has no second factor, takes it off the club."""
    club = club_called("Home", "home")
    address = f"/admin/tournaments/club/{club.pk}/change/"
    for role, is_set in ((Role.DIRECTOR, False), (Role.OWNER, True)):
        client.force_login(person(role.value, role, club))
        edit(client, address, requires_second_factor="on") if is_set else client.post(
            address, {"requires_second_factor": "on"}
        )
        club.refresh_from_db()
        assert club.requires_second_factor is is_set
    assert client.get(address)["Location"] == YOURS
