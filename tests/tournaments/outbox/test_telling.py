"""What is told of a tournament, to whom, and in which words.

Planted faults these catch: a message of practice or of an unpublished tournament, a name that the club does not
publish, an amount where amounts are not public, a round that starts twice after a pause, a position that passes an
event untold.
"""

import pytest
from django.core import mail

from scoring.events import wire
from tests.builders.playing import NOW, context, loses, new_club, show
from tests.builders.prize_evening import Evening
from tests.builders.receivers import Inbox, end_of_log, new_receiver, release_all, told
from tests.builders.stages import Night
from tournaments.books.commands import settle_table
from tournaments.models import Club, Delivery, Player, Receiver, Tournament
from tournaments.models.public_names import Naming
from tournaments.outbox.sending import tell_owed
from tournaments.people.players import add_players, renew_public_names
from tournaments.privacy import erase_player
from tournaments.running.commands.record import record_in_tournament
from tournaments.seating.commands.seat import change_seats

pytestmark = pytest.mark.django_db


def published(**extra) -> Club:
    return new_club(is_published=True, locale="en_IN", **extra)


def record(evening, *events):
    for event in events:
        record_in_tournament(evening.tournament.id, event, context=context())


def settle(evening):
    settle_table(evening.table.row.id, now=NOW)
    evening.settle()


def test_webhook_hears_a_tournament_from_entries_to_report():
    club = published()
    new_receiver(club)
    evening = Evening(club).paid(2)
    record(evening, wire.ClockStarted(round=1, at=100, seconds=1_200))
    record(evening, wire.ClockPaused(round=1, at=110), wire.ClockStarted(round=1, at=120))
    evening.closed()
    inbox = told(Inbox())
    assert inbox.kinds() == [
        *["entry_received"] * 3,
        "seating_published",
        "round_started",
        "table_result",
    ]
    # Report and balances wait for the books.
    settle(evening)
    release_all()
    told(inbox)
    assert inbox.kinds()[6:] == ["night_report", "balance_due"]
    (result,) = inbox.of("table_result")
    asha, _, cy = evening.players
    assert result["winners"] == [asha]
    assert result["names"][asha] == "Asha"
    assert [row["place"] for row in result["seats"]] == [1, 2, 3]
    (report,) = inbox.of("night_report")
    assert report["figures"] == {"players": 3, "tables": 1, "deals": 3, "corrected_deals": 0, "result_minor": 3_000}
    (due,) = inbox.of("balance_due")
    assert (due["player"], due["due_minor"], due["currency"]) == (cy, 10_000, "INR")
    (seating,) = inbox.of("seating_published")
    assert seating["tables"][0]["seats"][0] == {"seat": 1, "player": asha}
    assert seating["link"] == f"https://club.example/en-gb/c/{club.slug}/t/{evening.tournament.slug}/"


def test_nothing_is_told_of_practice():
    club = published()
    new_receiver(club)
    Evening(club, is_rehearsal=True).closed()
    assert told(Inbox()).calls == []


def test_of_an_unpublished_tournament_only_the_club_hears():
    club = published()
    receiver = new_receiver(club)
    evening = Evening(club)
    evening.tournament.is_published = False
    evening.tournament.save()
    evening.closed()
    settle(evening)
    assert set(told(Inbox()).kinds()) == {"night_report", "balance_due"}
    assert Receiver.objects.get(pk=receiver.pk).position == end_of_log(club)


def test_a_tournament_unpublished_before_a_message_left_is_not_told_of():
    club = published()
    new_receiver(club)
    evening = Evening(club)
    assert told(Inbox(lambda identity: 503)).kinds() == []
    evening.tournament.is_published = False
    evening.tournament.save()
    release_all()
    assert told(Inbox()).calls == []
    assert not Delivery.objects.exclude(state=Delivery.State.DROPPED).exists()


def test_names_are_those_that_the_club_publishes_and_amounts_only_where_they_are_public():
    club = published(naming=Naming.INITIALS, shows_money=False)
    new_receiver(club)
    evening = Evening(club)
    renew_public_names(club.pk)
    evening.played()
    (result,) = told(Inbox()).of("table_result")
    assert set(result["names"].values()) == {"A.", "B.", "C."}
    assert not any("won_minor" in row for row in result["seats"])


def test_a_hidden_or_erased_player_is_not_named():
    club = published()
    new_receiver(club)
    evening = Evening(club)
    asha, bo, cy = evening.players
    record(evening, wire.PlayerLeft(player=bo), wire.PlayerHidden(player=bo, reason="asked for it"))
    erase_player(Player.objects.get(id=cy), now=NOW, with_balance=True)
    (seating,) = told(Inbox()).of("seating_published")
    assert seating["names"] == {asha: "Asha"}
    assert not Delivery.objects.filter(body__contains="Cy").exists()


@pytest.mark.parametrize(("shows", "named"), [("names", {"Asha", "Bo", "Cy", "Dev"}), ("number", set())])
def test_who_comes_is_named_only_where_the_tournament_shows_it(shows, named):
    club = published()
    new_receiver(club)
    evening = Evening(club)
    (dev,) = add_players(club, ["Dev"])
    record(evening, wire.PlayerEntered(player=str(dev.id), is_standby=True))
    Tournament.objects.update(shows_entrants=shows)
    inbox = told(Inbox())
    entries = inbox.of("entry_received") + inbox.of("standby_place")
    assert len(entries) == 4
    assert {name for data in entries for name in data["names"].values()} == named
    (seating,) = inbox.of("seating_published")
    assert "Asha" in seating["names"].values()


def test_a_correction_is_told_to_those_whose_score_changed():
    club = published()
    new_receiver(club)
    evening = Evening(club)
    evening.table.deal(1, show, loses(60), loses(20))
    evening.table.correct(1, show, loses(60), loses(30))
    (corrected,) = told(Inbox()).of("deal_corrected")
    (change,) = corrected["changes"]
    assert change["player"] == evening.players[2]
    assert (change["before"]["total"], change["after"]["total"]) == (20, 30)


def test_those_who_change_seats_hear_their_new_ones():
    night = Night({"stages": [{"smallest_table": 2}]}, names=("Asha", "Bo", "Cy", "Dev"))
    club = night.tournament.club
    club.is_published = True
    club.save()
    night.seat((0, 1), (2, 3))
    receiver = new_receiver(club, position=end_of_log(club))
    a, b, c, d = night.players
    event = wire.SeatsChanged(round=1, tables=((1, (a, d)), (2, (c, b))), reason="friends")
    change_seats(night.tournament.id, event, context=context())
    (seating,) = told(Inbox()).of("seating_published")
    assert seating["is_change"]
    assert {seat["player"] for table in seating["tables"] for seat in table["seats"]} == {a, b, c, d}
    assert set(Delivery.objects.get(receiver=receiver).body.split('"')) >= {b, d}


def test_the_standby_list_moves_up_when_its_first_player_withdraws_or_gets_a_place():
    club = published()
    evening = Evening(club)
    bo, cy = (str(player.id) for player in add_players(club, ["Dev", "Eli"]))
    new_receiver(club, position=end_of_log(club))
    record(evening, wire.PlayerEntered(player=bo, is_standby=True), wire.PlayerEntered(player=cy, is_standby=True))
    record(evening, wire.EntryWithdrawn(player=bo, reason="ill"))
    places = [(told["player"], told["place"]) for told in told(Inbox()).of("standby_place")]
    assert places == [(bo, 1), (cy, 2), (cy, 1)]


@pytest.mark.parametrize(("language", "words"), [("", "Round 1: table 1, seat 2"), ("de", "Runde 1: Tisch 1, Sitz 2")])
def test_a_player_who_agreed_reads_the_own_seat_in_a_language(settings, language, words):
    settings.HAS_MAIL_SERVER = True
    club = published()
    new_receiver(club, "players", language=language, kinds=["seating_published", "table_result"])
    evening = Evening(club)
    Player.objects.filter(id=evening.players[1]).update(email="bo@example.org", wants_mail=True)
    # Has an address, but did not agree.
    Player.objects.filter(id=evening.players[2]).update(email="cy@example.org")
    evening.played()
    tell_owed_now()
    seat, result = mail.outbox
    assert [seat.to, result.to] == [["bo@example.org"]] * 2
    assert words in seat.body
    assert seat.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = seat.extra_headers["List-Unsubscribe"].strip("<>")
    assert link.startswith("https://club.example/")
    assert link in seat.body
    assert "Asha" not in seat.body


def test_directors_get_the_report_by_mail_when_the_books_are_done(settings):
    settings.HAS_MAIL_SERVER = True
    club = published()
    new_receiver(club, "mail", kinds=["night_report"])
    evening = Evening(club).closed()
    tell_owed_now()
    assert mail.outbox == []
    settle(evening)
    release_all()
    tell_owed_now()
    (report,) = mail.outbox
    assert report.to == ["dita@club.example"]
    assert "3 players, 1 table, 3 deals and 0 corrected deals" in report.body
    assert "₹30.00" in report.body


def tell_owed_now():
    from tournaments.outbox.sending import send_due

    tell_owed(send_due)
