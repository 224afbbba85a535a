"""The form of people who enter by themselves, and the page of what became of it.

Planted faults these catch: a form that a cache keeps, an address on a public page, a machine that fills the list.
"""

import re
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.core import mail
from django.utils.timezone import now

from scoring.events import wire
from tests.builders.entry_forms import worked_on
from tests.builders.playing import CAST, context, new_club, new_tournament
from tests.builders.there import there
from tournaments.entries import tickets
from tournaments.entries.commands import self_entry
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.self_entry import (
    MOST_UNCONFIRMED,
    SelfEntrySettings,
    accept_request,
    change_self_entry,
    refuse_request,
)
from tournaments.entries.tickets import new_ticket
from tournaments.models import EntryRequest, FailedAttempts, Player, Tournament
from tournaments.people import access
from tournaments.people.access import MOST_ROWS
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament, tournament_state

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def has_mail(settings: Any) -> None:
    settings.HAS_MAIL_SERVER = True


@pytest.fixture(autouse=True)
def little_work(monkeypatch):
    """A few digests, where a browser makes thousands."""
    monkeypatch.setattr(tickets, "WORK_BITS", 3)


@pytest.fixture
def tournament():
    """Tomorrow's tournament; Asha and Bo have entered."""
    club = new_club(is_published=True, venue="Hall 3", naming="first")
    add_players(club, CAST)
    planned = new_tournament(club, entry_minor=10_000, starts_at=now() + timedelta(days=1))
    rows = [EntryRow(number=1, name="Asha"), EntryRow(number=2, name="Bo")]
    enter_list(planned.pk, rows, context=context(), adds_new=False)
    return change_self_entry(planned.pk, SelfEntrySettings(takes_entries=True, asks_phone=True))


def url(tournament, end=""):
    return f"/en-gb/c/{tournament.club.slug}/t/{tournament.slug}/{end}"


def typed(tournament, name="Zoya Khan", *, age=10, works=True, **fields):
    ticket = new_ticket(tournament.pk, now=now() - timedelta(seconds=age))
    return {"name": name, "ticket": ticket, "work": worked_on(ticket) if works else "", **fields}


def send(client, tournament, name="Zoya Khan", *, network="192.0.2.1", **how):
    return client.post(url(tournament, "enter/"), typed(tournament, name, **how), REMOTE_ADDR=network)


def mailed_link():
    """The address and the secret in the last mail."""
    return there(re.search(r"http://testserver(\S+)#(\w+)", str(mail.outbox[-1].body))).groups()


def errors(answer):
    return {(name, error.code) for name, found in answer.context["form"].errors.as_data().items() for error in found}


def status(client, tournament, secret, **more):
    return client.post(url(tournament, "enter/status/"), {"code": secret, **more})


def test_a_stranger_enters_by_mail_sees_it_and_withdraws(client, tournament):
    answer = send(client, tournament, email="zoya@example.org")
    assert (answer.status_code, answer.context["is_mailed"]) == (200, True)
    row = EntryRequest.objects.get()
    assert (row.name, row.state, row.is_proven) == ("Zoya Khan", "unconfirmed", True)
    (letter,) = mail.outbox
    assert (letter.to, letter.subject) == (["zoya@example.org"], "Confirm your entry: Saturday")
    path, secret = mailed_link()
    assert path == url(tournament, "enter/status/")
    assert client.get(path).status_code == 200
    assert status(client, tournament, secret).context["status"].plays
    own = answer.context["secret"]
    assert status(client, tournament, own).context["status"].plays
    assert status(client, tournament, own, do="withdraw").context["status"].row.state == "withdrawn"
    player = Player.objects.get(name="Zoya Khan")
    assert tournament_state(tournament).entrants[str(player.pk)].standing == "withdrawn"


def test_without_mail_the_code_is_told_at_the_desk_and_the_page_follows(client, tournament):
    answer = send(client, tournament, phone="98200 12345", note="with Bo, please")
    row = EntryRequest.objects.get()
    assert (row.phone, row.note, mail.outbox) == ("98200 12345", "with Bo, please", [])
    assert row.code in answer.text
    secret = answer.context["secret"]
    accept_request(row.pk, context=context(now=now()))
    assert status(client, tournament, secret).context["status"].plays


def test_a_mail_that_any_backend_refuses_is_said_on_the_page_and_not_waited_for(client, tournament):
    with patch("tournaments.entries.confirming_mail.send_mail", side_effect=ValueError("refused")):
        answer = send(client, tournament, email="zoya@example.org")
    assert answer.status_code == 200
    assert "The e-mail could not be sent" in answer.text
    assert EntryRequest.objects.get().confirm_digest == ""
    assert "Open the link" not in status(client, tournament, answer.context["secret"]).text


def test_a_form_sent_again_says_that_the_mail_is_under_way(client, tournament):
    data = typed(tournament, email="zoya@example.org")
    answers = [client.post(url(tournament, "enter/"), data, REMOTE_ADDR="192.0.2.1") for _ in range(2)]
    assert [answer.context["is_mailed"] for answer in answers] == [True, True]
    assert len(mail.outbox) == 1


def test_who_was_refused_reads_why(client, tournament):
    secret = send(client, tournament).context["secret"]
    refuse_request(EntryRequest.objects.get().pk, reason="members only", context=context(now=now()))
    assert "members only" in status(client, tournament, secret).text


def test_an_unknown_link_and_one_of_another_tournament_open_nothing(client, tournament):
    secret = send(client, tournament).context["secret"]
    other = new_tournament(tournament.club, name="Other")
    assert status(client, other, secret).status_code == 422
    assert status(client, tournament, "").status_code == 422
    assert status(client, tournament, "0" * 64).status_code == 422


def test_what_is_wrong_is_at_its_field_and_what_was_typed_stays(client, tournament):
    typed_wrong = {("name", "missing_name"), ("email", "not_an_address"), ("phone", "not_a_phone_number")}
    answer = send(client, tournament, "", email="zoya", phone="12", note="x" * 300)
    assert answer.status_code == 422
    assert errors(answer) == {*typed_wrong, ("note", "max_length")}
    answer = send(client, tournament, "", email="zoya", phone="12")
    assert errors(answer) == typed_wrong
    assert answer.context["form"]["email"].value() == "zoya"
    assert not EntryRequest.objects.exists()


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ({"age": 0}, "too_fast"),
        ({"age": 90_000}, "too_old"),
        ({"website": "http://spam.example"}, "not_empty"),
        ({"ticket": "forged"}, "invalid"),
    ],
)
def test_a_form_that_a_person_would_not_send_is_not_taken(client, tournament, how, code):
    data = {**typed(tournament, age=how.pop("age", 10)), **how}
    answer = client.post(url(tournament, "enter/"), data)
    assert (answer.status_code, {found for _, found in errors(answer)}) == (422, {code})
    assert (answer.context["ticket"] == data["ticket"]) == (code in ("too_fast", "not_empty"))
    assert not EntryRequest.objects.exists()


def test_without_a_script_it_is_taken_for_the_desk_and_not_mailed(client, tournament):
    answer = send(client, tournament, works=False, email="zoya@example.org")
    row = EntryRequest.objects.get()
    assert (answer.status_code, row.is_proven, row.confirm_digest, mail.outbox) == (200, False, "", [])
    statuses = [send(client, tournament, f"Bot {n}", works=False).status_code for n in range(6)]
    assert statuses == [200] * 4 + [429] * 2
    assert send(client, tournament, "Yusuf").status_code == 200


def test_a_hall_of_one_address_is_slowed_down_and_told_for_how_long(client, tournament, monkeypatch):
    monkeypatch.setattr(access, "TRIES_FROM_A_PLACE", 2)
    monkeypatch.setattr(access, "FIRST_PAUSE_SECONDS", 30)
    answers = [send(client, tournament, f"Player {letter}") for letter in "ABCD"]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert 1 <= int(answers[-1]["Retry-After"]) <= 30
    assert answers[-1].context["form"]["name"].value() == "Player D"


def test_neither_page_is_kept_by_a_cache(client, tournament):
    for answer in (client.get(url(tournament, "enter/")), send(client, tournament)):
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("change", [{"takes_entries": False}, {"is_published": False}, {"closed_at": now()}])
def test_where_nobody_can_enter_the_form_is_not_there(client, tournament, change):
    Tournament.objects.filter(pk=tournament.pk).update(**change)
    answer = client.get(url(tournament, "enter/"))
    assert answer.status_code == 404 or answer.context["closed"]
    send(client, tournament)
    assert not EntryRequest.objects.exists()


def test_the_page_of_the_tournament_shows_what_the_club_wants_and_follows_at_once(client, tournament):
    page = client.get(url(tournament))
    assert (page.context["coming"]["places"].playing, page.context["coming"]["names"]) == (2, [])
    assert page.context["coming"]["fee"] == "₹100.00"
    tag = page["ETag"]
    send(client, tournament)
    assert client.get(url(tournament), headers={"If-None-Match": tag}).status_code == 304
    change_self_entry(tournament.pk, SelfEntrySettings(takes_entries=True, shows="names", places=2))
    page = client.get(url(tournament), headers={"If-None-Match": tag})
    coming = page.context["coming"]
    assert (coming["names"], coming["places"].free, coming["places"].is_full) == (["Asha", "Bo"], 0, True)
    gone = str(Player.objects.get(name="Bo").pk)
    record_in_tournament(tournament.pk, wire.EntryWithdrawn(player=gone), context=context())
    assert client.get(url(tournament)).context["coming"]["names"] == ["Asha"]
    change_self_entry(tournament.pk, SelfEntrySettings(takes_entries=True, shows="names", places=1))
    accept_request(EntryRequest.objects.get().pk, context=context(now=now()))
    assert client.get(url(tournament)).context["coming"]["standby_names"] == ["Zoya K."]


def test_the_way_in_ends_with_its_moment_though_nothing_is_written(client, tournament, monkeypatch):
    page = client.get(url(tournament))
    assert page.context["coming"]["closed"] == []
    later = now() + timedelta(days=2)
    monkeypatch.setattr("tournaments.projections.shown.now", lambda: later)
    monkeypatch.setattr("tournaments.web.public.boards.coming.now", lambda: later)
    answer = client.get(url(tournament), headers={"If-None-Match": page["ETag"]})
    assert (answer.status_code, bool(answer.context["coming"]["closed"])) == (200, True)


def test_nothing_private_is_on_a_public_page(client, tournament):
    change_self_entry(tournament.pk, SelfEntrySettings(takes_entries=True, shows="names"))
    answer = send(client, tournament, email="zoya@example.org", phone="98200 12345", note="a secret")
    status(client, tournament, mailed_link()[1])
    page = client.get(url(tournament)).text
    assert "Zoya K." in page
    assert not re.search("zoya@|98200|a secret|Khan", page)
    assert answer.context["secret"] not in page


@pytest.mark.parametrize(
    ("posts", "most"), [(80, 15), pytest.param(10_000, MOST_UNCONFIRMED, marks=pytest.mark.slow(long=True))]
)
@pytest.mark.slow
def test_machines_by_the_thousand_fill_neither_list_nor_database(client, tournament, monkeypatch, posts, most):
    """From one network, then each from another; in between somebody without mail, and at the end one with."""
    monkeypatch.setattr(tickets, "WORK_BITS", 0)
    monkeypatch.setattr(self_entry, "MOST_UNCONFIRMED", most)
    for number in range(posts // 2):
        send(client, tournament, f"Bot {number}", works=number % 2 == 0)
    assert EntryRequest.objects.count() <= min(most, 50)
    person = send(client, tournament, "Yusuf Ali", network="198.51.100.7")
    assert person.status_code == 200
    for number in range(posts // 2):
        network = f"10.{number // 62_500}.{number // 250 % 250}.{number % 250}"
        send(client, tournament, "Asha", network=network, works=False)
    assert EntryRequest.objects.count() <= most
    assert FailedAttempts.objects.count() <= MOST_ROWS
    assert status(client, tournament, person.context["secret"]).context["status"].row.is_waiting
    send(client, tournament, "Zoya Khan", network="198.51.100.8", email="zoya@example.org")
    assert status(client, tournament, mailed_link()[1]).context["status"].plays
