"""Receivers of a club on their page: added, changed, tested, switched and removed, with every problem at its field.

Planted faults these catch: another club's receiver that answers, a link in a mail that stops messages when it is only
opened, a new receiver that is told of last year, a chat whose address leads into the network.
"""

from unittest.mock import patch

import pytest
import requests
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from tests.builders.admin_tables import person
from tests.builders.playing import new_club
from tests.builders.prize_evening import Evening
from tests.builders.receivers import Inbox, end_of_log, new_receiver, release_all, told
from tournaments.models import Delivery, Player, Receiver, Role
from tournaments.outbox import chat
from tournaments.outbox.secrets import opened
from tournaments.outbox.sending import send_due, switch_off, tell_owed
from tournaments.people.players import add_players

pytestmark = pytest.mark.django_db
HOOK = {"channel": "webhook", "name": "Website", "address": "https://hook.example/in", "kinds": ["table_result"]}


@pytest.fixture
def club():
    return new_club(is_published=True)


@pytest.fixture
def director(club):
    client = Client()
    client.force_login(person("dita", Role.DIRECTOR, club))
    return client


def page(club) -> str:
    return reverse("admin:tournaments_club_messages", args=[club.pk])


def add(client, club, **fields):
    return client.post(page(club), {"do": "add", **HOOK, **fields})


def press(client, receiver, button, **fields):
    return client.post(page(receiver.club), {"do": button, "receiver": str(receiver.pk), **fields})


def test_a_receiver_is_added_once_and_hears_only_what_comes_after(club, director):
    Evening(club).played()
    key = "3f2b8c1a-0000-4000-8000-000000000001"
    assert [add(director, club, key=key).status_code for _ in range(2)] == [302, 302]
    receiver = Receiver.objects.get()
    assert (receiver.position, receiver.kinds) == (end_of_log(club), ["table_result"])
    assert (opened(receiver.address), receiver.site) == ("https://hook.example/in", "http://testserver")
    assert opened(receiver.secret).startswith("whsec_")
    assert told(Inbox()).calls == []


def test_every_problem_is_named_at_its_field(club, director):
    answer = director.post(page(club), {"do": "add", "channel": "webhook", "name": " ", "address": "http://10.0.0.1/"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"name", "address", "kinds"}
    answer = add(director, club, channel="pigeon", kinds=["nonsense"], language="tlh")
    assert set(answer.context["form"].errors) >= {"channel", "kinds", "language"}
    assert not Receiver.objects.exists()


@pytest.mark.parametrize(
    ("address", "is_taken"),
    [
        ("https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ", True),
        ("https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js", True),
        ("tgram://123456789:abcdefg_hijklmnop/12315544", True),
        ("https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t", True),
        ("https://ntfy.sh/club", True),
        ("workflows://prod-15.uksouth.logic.azure.com:443/abc/sig", True),
        ("workflows://prod-15.uksouth.logic.azure.com:443/abc/sig?template=http://10.0.0.1/x", False),
        ("workflows://10.0.0.1:443/abc/sig", False),
        ("workflows://logic.azure.com.evil.example:443/abc/sig", False),
        ("ntfys://10.0.0.1/club", False),
        ("json://10.0.0.1/", False),
        ("matrix://user:pass@10.0.0.1/#room", False),
        ("mailto://user:pass@10.0.0.1", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_a_chat_is_one_of_the_services_whose_hosts_are_fixed(address, is_taken):
    assert (chat.problem_with(address) is None) is is_taken


def test_debts_are_not_for_a_chat(club, director):
    answer = add(director, club, channel="chat", address="ntfy://club", kinds=["table_result", "balance_due"])
    assert list(answer.context["form"].errors) == ["kinds"]
    assert add(director, club, channel="chat", address="ntfy://club").status_code == 302


def test_without_the_library_a_chat_is_refused_in_a_plain_sentence(club, director):
    with patch.dict("sys.modules", {"apprise": None}):
        answer = add(director, club, channel="chat", address="ntfy://club")
    assert answer.context["form"].errors["address"] == ["Install rummy-evening[chat] to send to chats"]


def test_a_chat_gets_the_sentence_and_the_link(club):
    new_receiver(club, "chat", kinds=["seating_published"])
    evening = Evening(club)
    with patch("apprise.plugins.ntfy.NotifyNtfy.notify", return_value=True) as notify:
        tell_owed(send_due)
    link = f"https://club.example/en-gb/c/{club.slug}/t/{evening.tournament.slug}/"
    said = notify.call_args.kwargs
    assert (said["title"], said["body"]) == ("Saturday: Seating published", f"Round 1 is seated: 1 table\n{link}")


@pytest.mark.parametrize(
    ("address", "never"),
    [
        ("https://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ?redirect=yes", "<!channel>"),
        ("https://discord.com/api/webhooks/4174216298/JHMHI8qBe7bk2ZwO5U711o3dV_js", "@everyone"),
        ("tgram://123456789:abcdefg_hijklmnop/12315544", "<Cy"),
        ("https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t", "<users/all>"),
    ],
)
def test_a_name_in_a_chat_calls_nobody_and_is_no_markup(address, never):
    posts = []

    def request(session, method, url, **more):
        posts.append(more)
        answer = requests.Response()
        answer.status_code, answer._content = 200, b"ok"
        return answer

    with patch.object(requests.Session, "request", request):
        assert chat.send(address, "Saturday", "winner @everyone <!channel> <Cy <users/all>") is None
    (post,) = posts
    assert not post["allow_redirects"]
    assert "winner" in post["data"]
    assert never not in post["data"]


def test_mail_needs_a_mail_server(club, director, settings):
    settings.HAS_MAIL_SERVER = False
    answer = add(director, club, channel="players", address="")
    assert list(answer.context["form"].errors) == ["channel"]
    settings.HAS_MAIL_SERVER = True
    assert add(director, club, channel="players", address="").status_code == 302


def test_a_receiver_is_changed_and_its_channel_stays(club, director):
    receiver = new_receiver(club)
    fields = {"name": "Other", "address": "https://other.example/", "kinds": ["night_report"], "language": "de"}
    assert press(director, receiver, "change", **fields).status_code == 302
    receiver.refresh_from_db()
    assert (receiver.name, opened(receiver.address), receiver.kinds) == ("Other", fields["address"], ["night_report"])
    refused = press(director, receiver, "change", **{**fields, "address": "ftp://x"})
    assert list(refused.context["lines"][0]["form"].errors) == ["address"]


def test_a_test_message_arrives_and_is_listed(club, director):
    receiver = new_receiver(club)
    assert press(director, receiver, "test").status_code == 302
    inbox = told(Inbox())
    assert inbox.of("test")[0]["club"] == club.slug
    (line,) = director.get(page(club)).context["lines"]
    assert [(delivery.kind, delivery.state, delivery.status) for delivery in line["deliveries"]] == [
        ("test", "sent", 204)
    ]


def test_a_receiver_switched_on_again_begins_at_the_present(club, director):
    receiver = new_receiver(club)
    Evening(club).played()
    told(Inbox(lambda identity: 500))
    press(director, receiver, "off")
    release_all()
    assert told(Inbox()).calls == []
    press(director, receiver, "on")
    release_all()
    assert told(Inbox()).calls == []
    assert set(Delivery.objects.values_list("state", flat=True)) == {"dropped"}
    assert Receiver.objects.get().position == end_of_log(club)


def test_a_new_secret_leaves_the_former_one_valid_for_a_day(club, director):
    receiver = new_receiver(club)
    before = opened(receiver.secret)
    press(director, receiver, "rotate")
    receiver.refresh_from_db()
    assert opened(receiver.old_secret) == before != opened(receiver.secret)
    (line,) = director.get(page(club)).context["lines"]
    assert line["secrets"] == [opened(receiver.secret), before]
    Evening(club).played()
    inbox = told(Inbox())
    assert {len(headers["webhook-signature"].split()) for headers in inbox.headers} == {2}


def test_a_removed_receiver_is_gone_with_all_that_waited(club, director):
    receiver = new_receiver(club)
    Evening(club).played()
    told(Inbox(lambda identity: 500))
    # At one press nothing is lost that cannot be entered again.
    asked = press(director, receiver, "remove")
    assert (asked.status_code, [*asked.context["form"].errors]) == (422, ["sure"])
    assert Delivery.objects.exists()
    press(director, receiver, "remove", sure="on")
    assert not Receiver.objects.exists()
    assert not Delivery.objects.exists()


def test_the_receivers_of_another_club_do_not_exist(club, director):
    other = new_receiver(new_club())
    assert director.get(page(other.club)).status_code == 404
    for button in ("test", "off", "rotate", "remove", "change"):
        assert director.post(page(club), {"do": button, "receiver": str(other.pk), **HOOK}).status_code == 404
    assert director.post(page(club), {"do": "burn", "receiver": str(other.pk)}).status_code == 404
    assert Receiver.objects.get().is_on


def test_today_names_a_receiver_that_was_switched_off(club, director):
    receiver = new_receiver(club)
    switch_off(receiver, Receiver.OffReason.GONE, now=now())
    assert director.get(reverse("admin:index")).context["receivers_off"] == [receiver]
    press(director, receiver, "on")
    assert director.get(reverse("admin:index")).context["receivers_off"] == []


def stop_links(settings, club, channel):
    settings.HAS_MAIL_SERVER = True
    new_receiver(club, channel, kinds=["seating_published"])
    evening = Evening(club)
    Player.objects.filter(id=evening.players[0]).update(email="asha@example.org", wants_mail=True)
    tell_owed(send_due)
    (letter,) = mail.outbox
    return letter.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("https://club.example")


def test_a_player_stops_mail_without_a_login_by_a_post_and_not_by_opening_the_link(settings, club):
    link = stop_links(settings, club, "players")
    visitor = Client(enforce_csrf_checks=True)
    assert visitor.get(link).status_code == 200
    asha = Player.objects.filter(email="asha@example.org")
    assert asha.get().wants_mail
    assert visitor.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not asha.get().wants_mail
    assert Receiver.objects.get().is_on
    assert visitor.post(link).status_code == 200
    # Who opens it again reads that it is done.
    assert visitor.get(link).context["is_done"]


def test_a_link_of_before_a_merge_stops_mail_to_all_rows_of_the_person(settings, club):
    link = stop_links(settings, club, "players")
    (kept,) = add_players(club, ["Asha Rao"])
    Player.objects.filter(pk=kept.pk).update(email="asha@example.org", wants_mail=True)
    Player.objects.filter(name="Asha").update(merged_into=kept)
    Client().post(link)
    assert not Player.objects.filter(wants_mail=True).exists()


def test_a_director_stops_mail_to_the_own_address(settings, club):
    link = stop_links(settings, club, "mail")
    assert Client().post(link).status_code == 200
    receiver = Receiver.objects.get()
    assert (receiver.is_on, receiver.off_reason) == (False, "unsubscribed")


def test_a_link_that_was_changed_stops_nothing(settings, club):
    link = stop_links(settings, club, "players")
    head, token, _ = link.rsplit("/", 2)
    for wrong in (token[:-1], token + "A", "x", "a:b:c"):
        assert Client().post(f"{head}/{wrong}/").status_code == 404
    assert Player.objects.filter(wants_mail=True).count() == 1


def test_what_was_promised_to_a_player_who_stopped_is_not_sent(settings, club):
    settings.HAS_MAIL_SERVER = True
    new_receiver(club, "players", kinds=["seating_published"])
    evening = Evening(club)
    players = Player.objects.filter(id=evening.players[0])
    players.update(email="asha@example.org", wants_mail=True)
    with patch("tournaments.outbox.mail.EmailMultiAlternatives.send", side_effect=OSError("no server")):
        tell_owed(send_due)
    players.update(wants_mail=False)
    release_all()
    tell_owed(send_due)
    assert mail.outbox == []
    assert Delivery.objects.get().state == "dropped"
