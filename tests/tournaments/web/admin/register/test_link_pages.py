"""The desk gives personal links, prints them for all, shows one-time codes, and answers what players say.

Planted faults these catch: a check-in helper who reads a balance by a code they made, a list that does not tell of a
new notice, a link that is shown twice.
"""

from uuid import uuid4

import pytest
from django.core import mail
from django.urls import reverse
from django.utils.timezone import now

from tests.builders.admin_tables import person
from tests.builders.player_links import OWN_PAGE, link_of, opens, player_called, tonight
from tournaments.entries.commands.notices import say_notice
from tournaments.entries.commands.self_entry import (
    SelfEntrySettings,
    Sender,
    Wish,
    change_self_entry,
    confirm_request,
    request_entry,
)
from tournaments.entries.notices import Kind
from tournaments.entries.self_entry import digest_of_players, waiting_requests
from tournaments.entries.tickets import new_ticket
from tournaments.models import Player, PlayerLink, PlayerNotice, Role
from tournaments.running.commands.record import tournament_state
from tournaments.web.admin.register import link_pages

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return tonight("Asha", "Bo")


@pytest.fixture
def desk(client, tournament):
    client.force_login(person("dita", Role.CHECKIN, tournament.club))
    return client


@pytest.fixture
def director(client, tournament):
    client.force_login(person("olga", Role.DIRECTOR, tournament.club))
    return client


def link_url(name):
    return reverse("admin:tournaments_player_link", args=[player_called(name).pk])


def page_url(tournament, page):
    return reverse(f"admin:tournaments_tournament_{page}", args=[tournament.pk])


def test_the_desk_gives_a_link_that_is_shown_once_and_ends_it(desk):
    data = {"do": "give", "key": str(uuid4())}
    answer = desk.post(link_url("Asha"), data)
    (slip,) = answer.context["slips"]
    assert "no-store" in answer.headers["Cache-Control"]
    opens("".join(slip["code"]))
    again = desk.post(link_url("Asha"), data)
    assert (again.context["slips"], again.context["made_before"]) == ([], ["Asha"])
    assert desk.get(link_url("Asha")).context["used"]
    assert desk.post(link_url("Asha"), {"do": "end"}).status_code == 302
    assert desk.get(link_url("Asha")).context["link"] is None


def test_a_link_is_mailed_to_an_agreed_address_alone(desk, settings):
    settings.HAS_MAIL_SERVER = True
    assert desk.post(link_url("Asha"), {"do": "mail", "key": str(uuid4())}).status_code == 403
    Player.objects.filter(name="Asha").update(email="asha@example.org", wants_mail=True)
    assert desk.post(link_url("Asha"), {"do": "mail", "key": str(uuid4())}).status_code == 302
    (letter,) = mail.outbox
    assert letter.to == ["asha@example.org"]
    opens(str(letter.body).partition("/me/#")[2].split()[0])


def test_only_who_may_change_players_and_see_money_shows_the_code_of_the_second_step(desk, tournament):
    _, code = link_of("Asha")
    assert desk.post(link_url("Asha"), {"do": "code"}).status_code == 403
    assert PlayerLink.objects.get().code_digest == ""
    desk.force_login(person("olga", Role.DIRECTOR, tournament.club))
    one_time = desk.post(link_url("Asha"), {"do": "code"}).context["one_time"]
    browser = opens(code)
    assert browser.post(OWN_PAGE, {"do": "step", "one_time": one_time}).status_code == 302
    assert desk.get(link_url("Asha")).context["one_time"] == "", "it is shown once"


def test_slips_for_all_leave_the_links_that_work_unless_they_are_to_end(desk, tournament):
    before, _ = link_of("Asha")
    url = page_url(tournament, "player_links")
    assert (desk.get(url).context["entered"], desk.get(url).context["linked"]) == (2, 1)
    slips = desk.post(url, {"do": "give", "key": str(uuid4())}).context["slips"]
    assert [slip["player"].name for slip in slips] == ["Bo"]
    assert PlayerLink.objects.get(pk=before.pk).revoked_at is None
    assert "slips" not in desk.post(url, {"do": "give", "key": str(uuid4())}).context, "everybody has one"
    slips = desk.post(url, {"do": "give", "key": str(uuid4()), "for_all": "on"}).context["slips"]
    assert [slip["player"].name for slip in slips] == ["Asha", "Bo"]
    assert PlayerLink.objects.get(pk=before.pk).revoked_at is not None


def test_slips_for_more_than_are_printed_at_once_end_all_links_and_each_is_printed_once(desk, tournament, monkeypatch):
    monkeypatch.setattr(link_pages, "MOST_PRINTED", 1)
    for name in ("Asha", "Bo"):
        link_of(name)
    page = page_url(tournament, "player_links")
    presses: list[dict[str, str]] = [{"for_all": "on"}, {}]
    answers = [desk.post(page, {"do": "give", "key": str(uuid4()), **ticked}) for ticked in presses]
    assert [[slip["player"].name for slip in answer.context["slips"]] for answer in answers] == [["Asha"], ["Bo"]]


def test_a_check_in_helper_gives_a_known_player_no_address_that_codes_go_to(desk, tournament, settings):
    """Dita enters as Cy, by an address of her own that she confirms, and is asked at the desk who that is."""
    change_self_entry(tournament.pk, SelfEntrySettings(takes_entries=True))
    ticket = new_ticket(tournament.pk, now=now())
    wish = Wish(name="Cy", email="dita@example.org", wants_mail=True)
    sender = Sender(network="192.0.2.1", ticket=ticket, is_proven=True)
    row = confirm_request(request_entry(tournament.pk, wish, sender, mails=True, now=now()).row.pk, now=now())
    cy = player_called("Cy")
    (waits,) = waiting_requests(tournament)
    seen = digest_of_players((*waits.same, *waits.near))
    desk.post(page_url(tournament, "requests"), {"do": f"enter_as {cy.pk}", "request": row.pk, "players": seen})
    cy.refresh_from_db()
    assert str(cy.pk) in tournament_state(tournament).entrants
    assert (cy.email, cy.wants_mail) == ("", False)


def test_a_player_of_another_club_has_no_page_here(desk):
    other = tonight("Asha")
    asha = Player.objects.get(club=other.club, name="Asha")
    assert desk.get(reverse("admin:tournaments_player_link", args=[asha.pk])).status_code == 404


def test_what_a_player_says_stands_at_check_in_until_one_press_answers_it(desk, tournament):
    part = page_url(tournament, "desk_list")
    tag = desk.get(part).headers["ETag"]
    say_notice(tournament.pk, player_called("Asha"), Kind.HERE, now=now())
    answer = desk.get(part, headers={"if-none-match": tag})
    assert answer.status_code == 200, "the list tells of it"
    (notice,) = answer.context["notices"]
    assert notice["act"] == "check_in"
    assert "1 player says something" in desk.get("/admin/").text
    asha = str(player_called("Asha").pk)
    desk.post(page_url(tournament, "desk"), {"do": f"{notice['act']}.{asha}", "version": "2"})
    assert tournament_state(tournament).entrants[asha].is_checked_in
    assert desk.get(part).context["notices"] == []
    assert "says something" not in desk.get("/admin/").text


def test_the_desk_dismisses_a_notice(desk, tournament):
    say_notice(tournament.pk, player_called("Cy"), Kind.HERE, now=now())
    (notice,) = desk.get(page_url(tournament, "desk")).context["notices"]
    assert not notice["is_entered"]
    url = page_url(tournament, "desk")
    cy = player_called("Cy").pk
    for wrong in ("dismiss.x.y", f"dismiss.{cy}.y", "dismiss.", f"dismiss.{cy}.0001-01-01T00:00:00+23:59"):
        assert desk.post(url, {"do": wrong}).status_code == 404
    assert desk.post(url, {"do": notice["dismissal"]}).status_code == 302
    assert desk.get(url).context["notices"] == []
    assert PlayerNotice.objects.get().dismissed_by.startswith("user:")


def test_a_club_without_links_offers_none(director, tournament):
    tournament.club.has_player_links = False
    tournament.club.save()
    answer = director.post(link_url("Asha"), {"do": "give", "key": str(uuid4())})
    assert answer.status_code == 422
    assert not PlayerLink.objects.exists()
    assert "links/" not in director.get(page_url(tournament, "desk")).text
