"""The desk's list of people who want to come, and the settings under which they enter by themselves."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from tests.builders.admin_tables import person
from tests.builders.playing import CAST, new_club, new_tournament
from tests.builders.there import there
from tournaments.entries.commands.self_entry import (
    SelfEntrySettings,
    Sender,
    Wish,
    change_self_entry,
    request_entry,
)
from tournaments.entries.tickets import new_ticket
from tournaments.models import EntryRequest, Player, Role, Tournament
from tournaments.people.players import actor_names, add_players
from tournaments.running.commands.record import tournament_state

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    club = new_club(is_published=True, timezone="Asia/Kolkata")
    add_players(club, CAST)
    planned = new_tournament(club, starts_at=now() + timedelta(days=1))
    return change_self_entry(planned.pk, SelfEntrySettings(takes_entries=True))


@pytest.fixture
def desk(client, tournament):
    client.force_login(person("dita", Role.CHECKIN, tournament.club))
    return client


def url(tournament, page="requests"):
    return reverse(f"admin:tournaments_tournament_{page}", args=[tournament.pk])


def sent(tournament, name, **wish):
    sender = Sender(network="192.0.2.1", ticket=new_ticket(tournament.pk, now=now()), is_proven=True)
    return request_entry(tournament.pk, Wish(name=name, **wish), sender, mails=False, now=now()).row


def press(client, tournament, row, do, **more):
    (line,) = [line for line in client.get(url(tournament)).context["rows"] if line["waiting"].row.pk == row.pk] or [
        None
    ]
    data = {"request": row.pk, "players": line["waiting"].seen if line else "", "do": do, **more}
    return client.post(url(tournament), data)


def test_the_desk_enters_a_new_player_a_known_one_and_refuses_another(desk, tournament):
    new, known, no = sent(tournament, "Zoya", phone="98200 12345"), sent(tournament, "asha"), sent(tournament, "Yusuf")
    lines = desk.get(url(tournament)).context["rows"]
    assert [[name for _, name in line["waiting"].players] for line in lines] == [[], ["Asha"], []]
    asha = Player.objects.get(name="Asha")
    assert press(desk, tournament, new, "enter").status_code == 302
    assert press(desk, tournament, known, f"enter_as {asha.pk}").status_code == 302
    answer = press(desk, tournament, no, "refuse", reason="")
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["reason"])
    assert press(desk, tournament, no, "refuse", reason="members only").status_code == 302
    entered = {Player.objects.get(pk=player).name for player in tournament_state(tournament).entrants}
    assert entered == {"Asha", "Zoya"}
    assert Player.objects.get(name="Zoya").phone == "98200 12345"
    assert desk.get(url(tournament)).context["rows"] == []


def test_who_is_entered_already_is_marked_and_no_button(desk, tournament):
    first, again = sent(tournament, "asha"), sent(tournament, "Asha")
    asha = Player.objects.get(name="Asha")
    assert press(desk, tournament, first, f"enter_as {asha.pk}").status_code == 302
    page = desk.get(url(tournament))
    assert page.context["rows"][0]["entered"] == [asha.pk]
    assert f"enter_as {asha.pk}" not in page.text
    assert "is entered already" in page.text
    assert press(desk, tournament, again, f"enter_as {asha.pk}").status_code == 422


def test_pressing_twice_enters_once(desk, tournament):
    row = sent(tournament, "Zoya")
    for _ in range(2):
        assert press(desk, tournament, row, "enter").status_code == 302
    assert Player.objects.filter(name="Zoya").count() == 1


def test_an_address_that_does_not_fit_is_not_found(desk, tournament):
    row = sent(tournament, "Zoya")
    other = new_tournament(tournament.club, name="Other")
    for do, where in (("enter", other), ("explode", tournament), ("enter_as 7", tournament)):
        assert desk.post(url(where), {"request": row.pk, "do": do}).status_code == 404
    assert desk.post(url(tournament), {"request": "7", "do": "enter"}).status_code == 404
    row.refresh_from_db()
    assert row.state == "unconfirmed"


def test_all_that_are_unconfirmed_are_refused_together(desk, tournament):
    for name in ("Zoya", "Yusuf"):
        sent(tournament, name)
    asked = desk.post(url(tournament), {"do": "refuse_unconfirmed"})
    assert (asked.status_code, [*asked.context["form"].errors]) == (422, ["sure"])
    assert not EntryRequest.objects.filter(state="refused").exists()
    desk.post(url(tournament), {"do": "refuse_unconfirmed", "sure": "on"})
    assert set(EntryRequest.objects.values_list("state", flat=True)) == {"refused"}


def test_today_counts_who_waits_for_desk_and_director(client, tournament):
    for name in ("Zoya", "Yusuf"):
        sent(tournament, name)
    for who, role in (("dita", Role.CHECKIN), ("dora", Role.DIRECTOR)):
        client.force_login(person(who, role, tournament.club))
        assert "2 want to come" in client.get("/admin/").text
    client.force_login(person("carl", Role.CASHIER, tournament.club))
    assert "want to come" not in client.get("/admin/").text


def test_a_request_that_waits_opens_its_tournament_on_today_and_stands_on_its_dashboard(client, tournament):
    """Planted fault it catches: the button is in a card that is folded, because no table needs anybody."""
    new_tournament(tournament.club, name="Later", starts_at=now() + timedelta(days=2))
    client.force_login(person("dora", Role.DIRECTOR, tournament.club))
    board = client.get(url(tournament, "night_part"))
    assert "wants to come" not in board.text
    sent(tournament, "Zoya")
    today = client.get(reverse("admin:index")).text
    assert today.index("Saturday</bdi>") < today.index("Needs you") < today.index("Later</bdi>")
    first, second = re.findall(r"<details[^>]*panel tonight[^>]*>", today)
    assert ("open" in first.split(), "open" in second.split()) == (True, False)
    changed = client.get(url(tournament, "night_part"), headers={"if-none-match": board["ETag"]})
    assert "1 wants to come" in changed.text


def test_the_director_says_how_players_enter(client, tournament):
    client.force_login(person("dora", Role.DIRECTOR, tournament.club))
    page = client.get(url(tournament, "self_entry")).context["form"]
    data = {"seen": page["seen"].value(), "takes_entries": "on", "until": "2027-01-05T19:30", "places": "16"}
    answer = client.post(url(tournament, "self_entry"), {**data, "shows": "names", "asks_phone": "on"})
    assert answer.status_code == 302
    row = Tournament.objects.get(pk=tournament.pk)
    assert (row.takes_entries, row.places, row.shows_entrants) == (True, 16, "names")
    assert (row.asks_email, row.asks_phone) == (False, True)
    assert there(row.entries_until).isoformat() == "2027-01-05T14:00:00+00:00"
    answer = client.post(url(tournament, "self_entry"), {**data, "until": "soon", "places": "0", "shows": "names"})
    assert answer.status_code == 409
    fresh = client.get(url(tournament, "self_entry")).context["form"]["seen"].value()
    data |= {"seen": fresh, "until": "soon", "places": "0", "shows": "names"}
    answer = client.post(url(tournament, "self_entry"), data)
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"until", "places"})


def test_the_log_says_that_a_player_entered_by_themselves():
    assert actor_names({"self:3"}) == {"self:3": "the player"}
