"""A new installation: the code that is printed, and the page that makes its first login and its first club."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils.timezone import now

from rummy_site.operations.announcing import Announcement
from rummy_site.operations.hall import HallAnnouncement
from tests.builders.admin_tables import person
from tests.builders.open_links import OPEN_PAGE, PASSWORD, opens
from tournaments.models import Club, Invitation, Membership, Role
from tournaments.people.invitations import make_setup_code
from tournaments.web.admin.register.setup_pages import place_of

pytestmark = pytest.mark.django_db
SETUP = "/setup/"
User = get_user_model()


def typed(code: str, **words: str) -> dict[str, str]:
    club = {"club": "Marine Drive", "locale": "en_IN", "currency": "inr", "timezone": "Asia/Kolkata"}
    return {"code": code, "username": "asha", "name": "Asha Rao", "password": PASSWORD, **club, **words}


def test_one_page_leads_from_nothing_to_today(client: Client):
    """Planted faults: a first owner without the club's role, or who cannot open the back office."""
    answer = client.post(SETUP, typed(make_setup_code(now=now())))
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
    asha, club = User.objects.get(), Club.objects.get()
    assert (asha.username, asha.get_full_name(), asha.is_superuser, asha.is_staff) == ("asha", "Asha Rao", True, True)
    assert (club.name, club.slug, club.currency, club.timezone) == (
        "Marine Drive",
        "marine-drive",
        "INR",
        "Asia/Kolkata",
    )
    assert Membership.objects.get(user=asha, club=club).role == Role.OWNER
    today = client.get("/admin/")
    steps = [step["url"] for step in today.context["first_steps"] if step["is_next"]]
    assert steps == [f"/admin/tournaments/club/{club.pk}/people/invite/"]
    assert client.get(SETUP).status_code == 404


def test_every_problem_is_at_its_field_and_nothing_is_made(client: Client):
    code = make_setup_code(now=now())
    wrong = {"code": "2" * 20, "password": "12345", "club": "Thursday\nclub", "currency": "INX", "timezone": "Mars/One"}
    answer = client.post(SETUP, {**typed(code), **wrong})
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, set(wrong))
    assert (User.objects.count(), Club.objects.count()) == (0, 0)
    assert client.post(SETUP, typed(code)).status_code == 302


def test_each_start_prints_a_new_code_and_none_once_there_is_a_login(client: Client):
    """Planted fault: the code of an earlier start, which a log still has, opens the site."""
    first, second = (make_setup_code(now=now()) for _ in range(2))
    assert list(client.post(SETUP, typed(first)).context["form"].errors) == ["code"]
    assert client.post(SETUP, typed(second)).status_code == 302
    assert make_setup_code(now=now()) == ""
    assert second not in repr(list(Invitation.objects.values_list()))


@pytest.mark.parametrize("who", ["superuser", "helper"])
def test_there_is_no_such_page_where_anybody_has_a_login(client: Client, who: str):
    code = make_setup_code(now=now())
    person("asha", is_superuser=who == "superuser")
    assert {client.get(SETUP).status_code, client.post(SETUP, typed(code)).status_code} == {404}
    assert make_setup_code(now=now()) == ""
    assert not Invitation.objects.exists()


def test_a_code_ends_after_a_week(client: Client):
    code = make_setup_code(now=now() - timedelta(days=8))
    answer = client.post(SETUP, typed(code))
    assert answer.status_code == 422
    assert answer.context["form"].all_errors() == ["This code has expired. Make a new one with the command login_link"]


def test_an_invitation_sets_up_no_site_and_a_setup_code_is_no_invitation(client: Client):
    code = make_setup_code(now=now())
    assert client.post("/join/", {"code": code}).status_code == 422


@pytest.mark.slow
@pytest.mark.parametrize(
    ("accepted", "place"),
    [
        ("", "en_IN"),
        ("en", "en_IN"),
        ("en-GB,en;q=0.9", "en_GB"),
        ("de", "de_DE"),
        ("en,de-CH;q=0.8", "de_CH"),
        ("hi,en;q=0.5", "hi_IN"),
        ("xx-YY", "en_IN"),
    ],
)
def test_the_place_is_guessed_from_the_languages_of_the_browser(client: Client, accepted: str, place: str):
    assert place_of(accepted) == place
    form: Any = client.get(SETUP, headers={"accept-language": accepted}).context["form"]
    assert form.initial == {"locale": place, "currency": {"GB": "GBP", "DE": "EUR", "CH": "CHF"}.get(place[3:], "INR")}


@pytest.mark.slow
def test_a_name_of_no_latin_letters_has_an_address_too(client: Client):
    assert client.post(SETUP, typed(make_setup_code(now=now()), club="मरीन ड्राइव")).status_code == 302
    assert Club.objects.get().slug == "club"


def announced(announcement: Announcement, said: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is printed when the site answers."""
    monkeypatch.setattr("rummy_site.operations.announcing._answers", lambda host, port: True)
    announcement.when_open()
    return [line.split()[-1] for line in said if line.strip().startswith("First login")]


@pytest.mark.parametrize("hosts", [["192.168.1.5", "10.0.0.2"], []])
def test_a_hall_with_several_addresses_prints_the_code_once(hosts: list[str], monkeypatch: pytest.MonkeyPatch):
    """Planted fault: a code printed again, perhaps used, when the router gives another address."""
    monkeypatch.setattr("rummy_site.operations.hall.hall_addresses", lambda: hosts)
    said: list[str] = []
    hall = HallAnnouncement(host="0.0.0.0", port=8000, allowed=[], say=said.append, setup_code="ABC")  # noqa: S104
    line = f"http://{(hosts or ['127.0.0.1'])[0]}:8000/setup/#ABC"
    assert announced(hall, said, monkeypatch) == [line]
    hall.is_made = False
    assert announced(hall, said, monkeypatch) == [line]


def test_a_site_with_a_login_prints_no_code(monkeypatch: pytest.MonkeyPatch):
    for code, lines in (("", []), ("ABC", ["http://127.0.0.1:8000/setup/#ABC"])):
        said: list[str] = []
        site = Announcement(host="127.0.0.1", port=8000, say=said.append, setup_code=code)
        assert announced(site, said, monkeypatch) == lines


def test_a_new_site_that_runs_in_parts_prints_its_code_by_a_command(client: Client, capsys: Any):
    call_command("login_link", "--site", "https://club.example")
    address = capsys.readouterr().out.split()[6]
    page, _, code = address.partition("#")
    assert page == "https://club.example/setup/"
    assert client.post(SETUP, typed(code)).status_code == 302
    with pytest.raises(CommandError, match="give the NAME"):
        call_command("login_link")


def test_the_only_owner_who_lost_the_password_gets_a_link_from_the_server(club: Club, capsys: Any):
    olga = person("olga", Role.OWNER, club, is_superuser=True)
    call_command("login_link", "olga", "--site", "https://club.example/")
    address = capsys.readouterr().out.split()[6]
    page, _, code = address.partition("#")
    assert page == "https://club.example/join/"
    assert opens(code).post(OPEN_PAGE, {"password": PASSWORD}).headers["Location"] == "/admin/"
    olga.refresh_from_db()
    assert olga.check_password(PASSWORD)
    with pytest.raises(CommandError, match="nobody signs in as olaf"):
        call_command("login_link", "olaf")
