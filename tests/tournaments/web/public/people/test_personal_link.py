"""The pages of a personal link: what a stranger reads and does who was passed it, and what asks for a code first.

Planted faults these catch: a first page that tells who has entered, an answer that a cache keeps, a code of a link in
an address, a second step that another link's cookie takes.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.utils.timezone import now

from tests.builders.player_links import CODE_PAGE, OPEN_PAGE, OWN_PAGE, link_of, opens, player_called, tonight
from tests.builders.playing import loses, new_club, new_table, new_tournament, show
from tests.builders.there import there
from tournaments.entries.commands.self_entry import SelfEntrySettings, change_self_entry
from tournaments.models import Club, Player, PlayerLink, PlayerNotice, Tournament
from tournaments.people.access import TRIES_FOR_A_CODE, TRIES_FOR_A_NAME
from tournaments.people.player_links import end_link, give_code
from tournaments.running.commands.record import tournament_state

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def has_mail(settings: Any) -> None:
    settings.HAS_MAIL_SERVER = True


@pytest.fixture
def tournament():
    """Tonight's tournament, which tells nobody who comes; Asha and Bo have entered, and Cy has not."""
    return tonight("Asha", "Bo")


def text_of(answer: Any) -> str:
    """The page without what differs for each request."""
    return "\n".join(line for line in answer.text.splitlines() if "csrfmiddlewaretoken" not in line)


def says(browser: Client, tournament: Tournament, do: str = "here", **words: Any) -> Any:
    return browser.post(OPEN_PAGE, {"do": do, "tournament": tournament.pk, **words})


def stepped(browser: Client, link: PlayerLink) -> Client:
    """The browser with the second step taken, by a code that the desk gave."""
    answer = browser.post(OWN_PAGE, {"do": "step", "one_time": give_code(link, now=now())})
    assert answer.status_code == 302
    return browser


def test_the_code_travels_by_post_alone_and_opens_a_page_that_nobody_keeps_or_indexes(tournament):
    _, code = link_of("Asha")
    browser = opens(code)
    cookie = browser.cookies["rummy_me"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/me/", True, "Lax")
    assert code not in cookie.value
    for address in (CODE_PAGE, OPEN_PAGE, OWN_PAGE):
        answer = browser.get(address)
        assert answer.status_code == 200, address
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["X-Robots-Tag"] == "noindex"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert code not in answer.text


def test_a_stranger_with_the_link_cannot_tell_who_has_entered(tournament):
    """Asha has, Cy has not: their pages are the same but for the name, and so are the answers to what they say."""
    pages = []
    for name in ("Asha", "Cy"):
        browser = opens(link_of(name)[1])
        before = text_of(browser.get(OPEN_PAGE))
        answer = says(browser, tournament)
        assert (answer.status_code, answer.headers["Location"]) == (302, OPEN_PAGE)
        after = text_of(browser.get(OPEN_PAGE))
        pages.append([page.replace(name, "NAME") for page in (before, after)])
    ids = [str(player_called(name).pk) for name in ("Asha", "Cy")]
    asha, cy = ([page.replace(player, "ID") for page in found] for found, player in zip(pages, ids, strict=True))
    assert asha == cy


def test_a_stranger_with_the_link_changes_nothing_and_reads_nothing_private(tournament):
    Player.objects.filter(name="Asha").update(email="asha@example.org", phone="98200 12345", note="pays late")
    before = tournament_state(tournament)
    browser = opens(link_of("Asha")[1])
    says(browser, tournament)
    assert tournament_state(tournament) == before
    for do in ("cannot_come", "contact", "confirm", "close"):
        answer = browser.post(OWN_PAGE, {"do": do, "tournament": tournament.pk, "phone": "1234567"})
        assert answer.status_code == 403, do
    assert tournament_state(tournament) == before
    assert player_called("Asha").phone == "98200 12345"
    for address in (OPEN_PAGE, OWN_PAGE):
        for private in ("asha@example.org", "98200", "pays late", "10,000", "Balance"):
            assert private not in browser.get(address).text


def test_what_is_public_of_the_player_is_shown_by_the_published_name():
    club = new_club("Friday club", is_published=True, naming="initials")
    tournament = new_tournament(club, starts_at=now(), is_published=True)
    played = new_table(tournament, ("Asha Rao", "Bo", "Cy"))
    browser = opens(link_of("Asha Rao")[1])
    text = browser.get(OPEN_PAGE).text
    assert "A. R." in text
    assert "Asha" not in text
    assert "Round 1: Table 1, seat 1" in text
    played.deal(1, show, loses(34), loses(20))
    answer = browser.get(OPEN_PAGE)
    assert "in the standings" in answer.text
    assert not answer.context["shown"][0]["may_say"], "who plays is seen at the table"


@pytest.mark.parametrize("field", ["club", "tournament"])
def test_of_what_is_not_published_the_link_shows_nothing(tournament, field):
    browser = opens(link_of("Asha")[1])
    assert tournament.name in browser.get(OPEN_PAGE).text
    (Club if field == "club" else Tournament).objects.update(is_published=False)
    assert tournament.name not in browser.get(OPEN_PAGE).text


def test_where_names_are_published_only_who_is_in_may_say_something(tournament):
    change_self_entry(tournament.pk, SelfEntrySettings(takes_entries=True, shows="names"))
    asha, cy = (opens(link_of(name)[1]).get(OPEN_PAGE) for name in ("Asha", "Cy"))
    assert [len(answer.context["shown"]) for answer in (asha, cy)] == [1, 0]


def test_late_says_when_and_nothing_can_be_said_often(tournament):
    browser = opens(link_of("Asha")[1])
    says(browser, tournament, "late", minutes="30")
    notice = PlayerNotice.objects.get()
    assert there(notice.comes_at) - notice.said_at == timedelta(minutes=30)
    assert "You told the desk" in browser.get(OPEN_PAGE).text
    answers = [says(browser, tournament, "late", minutes=minutes) for minutes in ("10", "20", "45", "60", "90")]
    assert [answer.status_code for answer in answers] == [302] * (TRIES_FOR_A_NAME - 1) + [429]
    assert answers[-1].headers["Retry-After"]


@pytest.mark.parametrize(
    "sent", [{"do": "here"}, {"do": "win"}, {"do": "late", "minutes": "7"}, {"do": "here", "tournament": "x"}]
)
def test_what_no_button_sends_is_not_found(tournament, sent):
    browser = opens(link_of("Asha")[1])
    assert browser.post(OPEN_PAGE, {**sent}).status_code == 404
    assert not PlayerNotice.objects.exists()


def test_a_tournament_of_another_club_takes_no_notice(tournament):
    other = new_tournament(new_club("Other", is_published=True), starts_at=now())
    browser = opens(link_of("Asha")[1])
    assert says(browser, other).status_code == 404
    assert not PlayerNotice.objects.exists()


def test_a_link_that_ended_and_a_forged_cookie_open_nothing(tournament):
    link, code = link_of("Asha")
    browser = opens(code)
    end_link(link.player_id, now=now())
    for address in (OPEN_PAGE, OWN_PAGE):
        assert browser.get(address).headers["Location"] == CODE_PAGE
    assert browser.post(CODE_PAGE, {"code": code}).status_code == 403
    assert says(browser, tournament).headers["Location"] == CODE_PAGE
    browser.cookies["rummy_me"] = "forged:value"
    assert browser.get(OPEN_PAGE).headers["Location"] == CODE_PAGE


def test_wrong_codes_of_a_device_are_counted(client):
    client.get(CODE_PAGE)
    answers = [client.post(CODE_PAGE, {"code": f"{number:020d}"}).status_code for number in range(TRIES_FOR_A_CODE + 1)]
    assert answers == [422] * TRIES_FOR_A_CODE + [429]
    assert Client().post(CODE_PAGE, {"code": ""}).status_code == 422


def test_a_code_of_the_desk_opens_entries_contact_and_statement_for_half_an_hour(tournament):
    link, code = link_of("Asha")
    browser = opens(code)
    assert browser.post(OWN_PAGE, {"do": "step", "one_time": "000"}).status_code == 422
    stepped(browser, link)
    cookie = browser.cookies["rummy_me_own"]
    assert (cookie["path"], cookie["httponly"], cookie["max-age"]) == ("/me/", True, 1800)
    answer = browser.get(OWN_PAGE)
    assert "no-store" in answer.headers["Cache-Control"]
    assert [entry["tournament"] for entry in answer.context["entries"]] == [tournament]
    browser.post(OWN_PAGE, {"do": "close"})
    assert "entries" not in there(browser.get(OWN_PAGE).context)


def test_the_second_step_of_one_link_is_none_of_another(tournament):
    asha, code = link_of("Asha")
    browser = stepped(opens(code), asha)
    opens(link_of("Bo")[1], browser)
    assert "entries" not in there(browser.get(OWN_PAGE).context)
    opens(code, browser)
    link_of("Asha")
    assert browser.get(OWN_PAGE).headers["Location"] == CODE_PAGE, "with the link its second step ends"


def test_who_cannot_come_withdraws_on_the_own_page(tournament):
    link, code = link_of("Asha")
    browser = stepped(opens(code), link)
    says(browser, tournament)
    first_page = text_of(browser.get(OPEN_PAGE))
    answer = browser.post(OWN_PAGE, {"do": "cannot_come", "tournament": tournament.pk}, follow=True)
    assert text_of(browser.get(OPEN_PAGE)) == first_page, "a stranger with the link does not read it"
    assert "You have withdrawn." in answer.text
    assert tournament_state(tournament).entrants[str(link.player_id)].standing == "withdrawn"
    assert browser.post(OWN_PAGE, {"do": "cannot_come", "tournament": "x"}).status_code == 404


def test_a_code_by_mail_goes_to_the_agreed_address_alone(tournament):
    link, code = link_of("Asha")
    browser = opens(code)
    assert browser.post(OWN_PAGE, {"do": "mail"}).status_code == 422
    assert mail.outbox == []
    Player.objects.filter(pk=link.player_id).update(email="asha@example.org", wants_mail=True)
    assert browser.post(OWN_PAGE, {"do": "mail"}).status_code == 302
    (letter,) = mail.outbox
    assert letter.to == ["asha@example.org"]
    one_time = str(letter.body).partition(": ")[2][:6]
    assert browser.post(OWN_PAGE, {"do": "step", "one_time": one_time}).headers["Location"] == OWN_PAGE
    assert code not in str(letter.body)


def test_contact_is_changed_and_a_new_address_once_its_code_came_back(tournament):
    link, code = link_of("Asha")
    browser = stepped(opens(code), link)
    answer = browser.post(OWN_PAGE, {"do": "contact", "email": "asha@", "phone": "x"})
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"email", "phone"})
    answer = browser.post(OWN_PAGE, {"do": "contact", "email": "asha@example.org", "phone": "98200 12345"}, follow=True)
    assert answer.context["new_email"] == "asha@example.org"
    asha = player_called("Asha")
    assert (asha.email, asha.phone) == ("", "98200 12345")
    one_time = str(mail.outbox[0].body).partition(": ")[2][:6]
    assert browser.post(OWN_PAGE, {"do": "step", "one_time": one_time}).status_code == 422, "it is for the address"
    browser.post(OWN_PAGE, {"do": "confirm", "one_time": one_time, "wants_mail": "on"})
    asha = player_called("Asha")
    assert (asha.email, asha.wants_mail) == ("asha@example.org", True)
    browser.post(OWN_PAGE, {"do": "contact", "email": "", "phone": "", "wants_mail": "on"})
    asha = player_called("Asha")
    assert (asha.email, asha.phone, asha.wants_mail) == ("", "", False)


def test_who_ticks_mail_off_with_a_new_address_gets_none_at_the_old_one(tournament):
    link, code = link_of("Asha")
    Player.objects.filter(pk=link.player_id).update(email="old@example.org", wants_mail=True)
    stepped(opens(code), link).post(OWN_PAGE, {"do": "contact", "email": "new@example.org", "phone": ""})
    asha = player_called("Asha")
    assert (asha.email, asha.wants_mail) == ("old@example.org", False)


def test_a_site_without_mail_says_that_the_desk_changes_an_address(tournament, settings):
    settings.HAS_MAIL_SERVER = False
    link, code = link_of("Asha")
    browser = stepped(opens(code), link)
    answer = browser.post(OWN_PAGE, {"do": "contact", "email": "asha@example.org"})
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"email"})
    assert browser.post(OWN_PAGE, {"do": "mail"}).status_code == 404


def test_reading_costs_no_more_with_more_players(tournament, django_assert_max_num_queries):
    browser = opens(link_of("Asha")[1])
    browser.get(OPEN_PAGE)
    with django_assert_max_num_queries(12):
        browser.get(OPEN_PAGE)
