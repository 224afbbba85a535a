"""People enter by themselves: what enters without a question, what the desk is asked, and what machines cannot do.

Planted faults these catch: a stranger who enters as Asha, a request accepted twice, a list that machines fill.
"""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection

from scoring.events import wire
from scoring.messages import english, say
from scoring.problems import ClubMoved, EventNotAllowed, KeyReused, OptionsRejected
from tests.builders.entry_forms import worked_on
from tests.builders.playing import CAST, NOW, context, new_club, new_tournament
from tests.builders.there import there
from tournaments import log
from tournaments.entries.commands import self_entry
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.self_entry import (
    SelfEntrySettings,
    Sender,
    Wish,
    accept_request,
    change_self_entry,
    confirm_request,
    delete_old_requests,
    refuse_request,
    refuse_unconfirmed,
    request_entry,
    withdraw_request,
)
from tournaments.entries.commands.set_up import repeat_tournament
from tournaments.entries.self_entry import entries_end, status_of, waiting_counts, waiting_requests, why_closed
from tournaments.entries.tickets import is_worked_on, new_ticket, ticket_fault
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import EntryRequest, Player, Tournament
from tournaments.models.log import Event
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.seating.commands.seat import seat_round

pytestmark = pytest.mark.django_db

SOON = NOW - timedelta(days=2)
ON = SelfEntrySettings(takes_entries=True)


@pytest.fixture
def tournament():
    """A published tournament in two days that takes entries; the cast belongs to the club, Asha with an address."""
    club = new_club(is_published=True)
    add_players(club, CAST)
    Player.objects.filter(name="Asha").update(email="asha@example.org")
    return change_self_entry(new_tournament(club, entry_minor=10_000).pk, ON)


def sent(tournament, name, *, network="192.0.2.1", is_proven=True, at=SOON, **wish):
    ticket = new_ticket(tournament.pk, now=at)
    sender = Sender(network=network, ticket=ticket, is_proven=is_proven)
    return request_entry(tournament.pk, Wish(name=name, **wish), sender, mails=True, now=at)


def mailed(tournament, name, email, **wish):
    """Somebody who has confirmed their address."""
    return confirm_request(sent(tournament, name, email=email, **wish).row.pk, now=SOON)


def entrant(tournament, name):
    player = Player.objects.get(club=tournament.club_id, name=name)
    return tournament_state(tournament).entrants.get(str(player.pk))


def by_desk(**extra):
    return context(now=SOON, **extra)


def codes(refused):
    return [problem.code for problem in refused.value.problems]


def test_a_new_name_with_a_confirmed_address_enters_without_the_desk(tournament):
    request = sent(tournament, "Zoya Khan", email="zoya@example.org", wants_mail=True, phone="98200 12345")
    assert (request.row.state, bool(request.mail_secret)) == ("unconfirmed", True)
    row = confirm_request(request.row.pk, now=SOON)
    assert (row.state, row.decided_by) == ("entered", f"self:{row.pk}")
    player = Player.objects.get(name="Zoya Khan")
    assert (player.email, player.phone, player.wants_mail) == ("zoya@example.org", "98200 12345", True)
    assert entrant(tournament, "Zoya Khan").plays
    assert Event.objects.filter(actor=f"self:{row.pk}").count() == 1
    assert confirm_request(row.pk, now=SOON).state == "entered"
    assert Event.objects.filter(actor=f"self:{row.pk}").count() == 1
    assert rebuild_differences() == []


def test_the_log_names_the_player_by_no_text(tournament):
    mailed(tournament, "Zoya Khan", "zoya@example.org", note="vegetarian")
    with connection.cursor() as cursor:
        cursor.execute("SELECT body, key FROM tournaments_event")
        assert not any("Zoya" in str(row) or "zoya" in str(row) for row in cursor.fetchall())


@pytest.mark.parametrize("name", ["Asha", "ASHA", "Esha", "Esha Raoo", "Asha R.", "Asha (new)"])
def test_a_known_or_similar_name_is_a_question_unless_the_address_is_the_players(tournament, name):
    add_players(tournament.club, ["Esha Rao"])
    row = mailed(tournament, name, "stranger@example.org")
    assert (row.state, row.player_id) == ("confirmed", None)
    assert Player.objects.count() == 5


def test_a_known_player_enters_with_the_stored_address(tournament):
    assert mailed(tournament, "asha", "Asha@Example.org").state == "entered"
    assert entrant(tournament, "Asha").plays
    assert Player.objects.count() == 4


def test_a_suspended_player_is_a_question(tournament):
    Player.objects.filter(name="Asha").update(is_suspended=True)
    assert mailed(tournament, "Asha", "asha@example.org").state == "confirmed"


def test_the_desk_enters_a_known_player_or_a_new_one_of_the_same_name(tournament):
    first, second = sent(tournament, "Asha").row, sent(tournament, "Asha").row
    (waiting, _) = waiting_requests(tournament)
    assert [name for _, name in waiting.players] == ["Asha"]
    asha = Player.objects.get(name="Asha")
    accept_request(first.pk, player=asha.pk, seen=waiting.seen, context=by_desk())
    row = accept_request(second.pk, seen=waiting.seen, context=by_desk())
    assert row.player_id != asha.pk
    assert len(tournament_state(tournament).entrants) == 2
    assert waiting_counts([tournament.pk]) == {}


def test_accepting_twice_enters_once_and_somebody_else_is_told(tournament):
    row = sent(tournament, "Zoya").row
    accept_request(row.pk, context=by_desk())
    assert accept_request(row.pk, context=by_desk()).state == "entered"
    with pytest.raises(EventNotAllowed) as refused:
        accept_request(row.pk, player=Player.objects.get(name="Bo").pk, context=by_desk())
    assert codes(refused) == ["decided"]
    assert (Player.objects.count(), len(tournament_state(tournament).entrants)) == (5, 1)


def test_a_name_that_somebody_has_just_added_is_asked_about_again(tournament):
    first, second = sent(tournament, "Zoya").row, sent(tournament, "Zoya").row
    seen = waiting_requests(tournament)[0].seen
    accept_request(first.pk, seen=seen, context=by_desk())
    with pytest.raises(EventNotAllowed) as refused:
        accept_request(second.pk, seen=seen, context=by_desk())
    assert codes(refused) == ["list_moved"]
    assert Player.objects.filter(name__startswith="Zoya").count() == 1


def test_a_player_of_another_club_cannot_be_chosen(tournament):
    stranger = add_players(new_club(), ["Far"])[0]
    with pytest.raises(EventNotAllowed) as refused:
        accept_request(sent(tournament, "Far").row.pk, player=stranger.pk, context=by_desk())
    assert codes(refused) == ["unknown_player"]


def test_beyond_the_places_is_the_standby_list_whose_players_stay_first(tournament):
    change_self_entry(tournament.pk, replace(ON, places=1))
    mailed(tournament, "Zoya", "zoya@example.org")
    second = mailed(tournament, "Yusuf", "yusuf@example.org")
    assert status_of(second, tournament_state(tournament)).standby_place == 1
    first = EntryRequest.objects.get(name="Zoya")
    withdraw_request(first.pk, now=SOON)
    third = accept_request(sent(tournament, "Wanda").row.pk, context=by_desk())
    assert status_of(third, tournament_state(tournament)).standby_place == 2
    # The same person again, by another request, is not brought past the others.
    with pytest.raises(EventNotAllowed):
        accept_request(sent(tournament, "Wanda").row.pk, player=third.player_id, context=by_desk())
    assert status_of(third, tournament_state(tournament)).standby_place == 2


def test_who_withdraws_from_the_standby_list_and_enters_again_is_the_last_there(tournament):
    """Planted fault: the second entry restores the first, with its place."""
    change_self_entry(tournament.pk, replace(ON, places=1))
    for name in ("Zoya", "Yusuf", "Wanda"):
        row = mailed(tournament, name, f"{name.lower()}@example.org")
    withdraw_request(EntryRequest.objects.get(name="Yusuf").pk, now=SOON)
    assert status_of(row, tournament_state(tournament)).standby_place == 1
    again = mailed(tournament, "Yusuf", "yusuf@example.org")
    state = tournament_state(tournament)
    assert [status_of(request, state).standby_place for request in (row, again)] == [1, 2]


def test_after_the_start_nobody_enters_alone_and_the_desk_by_the_rules_of_late_entries(tournament):
    waits = sent(tournament, "Zoya", email="zoya@example.org")
    at_desk = sent(tournament, "Yusuf").row
    enter_list(
        tournament.pk,
        [EntryRow(number=n, name=name) for n, name in enumerate(CAST)],
        context=by_desk(),
        adds_new=False,
    )
    record_in_tournament(tournament.pk, wire.PlanMade(plan={"stages": [{"smallest_table": 2}]}), context=by_desk())
    players = tuple(tournament_state(tournament).entrants)
    seated = wire.RoundSeated(stage=1, round=1, tables=((1, players),), method="by_hand")
    seat_round(tournament.pk, seated, context=by_desk())
    with pytest.raises(OptionsRejected) as refused:
        sent(tournament, "Wanda")
    assert codes(refused) == ["entries_closed"]
    assert confirm_request(waits.row.pk, now=SOON).state == "confirmed"
    with pytest.raises(EventNotAllowed):
        accept_request(at_desk.pk, context=by_desk())
    at_desk.refresh_from_db()
    assert (at_desk.state, Player.objects.count()) == ("unconfirmed", 4)


def test_a_closed_tournament_refuses_and_its_requests_go_some_days_later(tournament):
    row = sent(tournament, "Zoya").row
    Tournament.objects.filter(pk=tournament.pk).update(closed_at=SOON)
    with pytest.raises(OptionsRejected):
        sent(tournament, "Wanda")
    assert delete_old_requests(now=SOON + timedelta(days=1)) == 0
    assert delete_old_requests(now=SOON + timedelta(days=7)) == 1
    assert not EntryRequest.objects.filter(pk=row.pk).exists()


def test_what_nobody_confirms_goes_after_two_days_and_its_link_with_it(tournament):
    row = sent(tournament, "Zoya", email="zoya@example.org", at=SOON - timedelta(hours=48)).row
    with pytest.raises(OptionsRejected) as refused:
        confirm_request(row.pk, now=SOON)
    assert codes(refused) == ["too_late"]
    assert mailed(tournament, "Yusuf", "yusuf@example.org").state == "entered"
    assert delete_old_requests(now=SOON) == 1
    assert [row.name for row in EntryRequest.objects.all()] == ["Yusuf"]


def test_refusing_needs_a_reason_that_stays_with_the_request(tournament):
    row = sent(tournament, "Zoya").row
    with pytest.raises(EventNotAllowed) as refused:
        refuse_request(row.pk, reason=" ", context=by_desk())
    assert codes(refused) == ["missing_reason"]
    assert refuse_request(row.pk, reason="members only", context=by_desk()).reason == "members only"
    with pytest.raises(EventNotAllowed) as refused:
        accept_request(row.pk, context=by_desk())
    assert codes(refused) == ["decided"]


def test_refusing_all_that_are_unconfirmed_leaves_those_by_mail(tournament):
    mailed(tournament, "Asha", "stranger@example.org")
    sent(tournament, "Yusuf")
    assert refuse_unconfirmed(tournament.pk, context=by_desk()) == 1
    assert set(EntryRequest.objects.values_list("name", "state")) == {("Asha", "confirmed"), ("Yusuf", "refused")}


def test_who_is_checked_in_or_has_paid_withdraws_at_the_desk(tournament):
    rows = [mailed(tournament, name, f"{name}@example.org") for name in ("Zoya", "Yusuf", "Wanda")]
    for row, act in zip(rows, ("check_in", "pay"), strict=False):
        act_at_desk(tournament.pk, DESK_ACTS[act], str(row.player_id), context=by_desk())
        with pytest.raises(EventNotAllowed) as refused:
            withdraw_request(row.pk, now=SOON)
        assert codes(refused) == ["at_the_desk"]
    assert withdraw_request(rows[2].pk, now=SOON).state == "withdrawn"
    assert withdraw_request(rows[2].pk, now=SOON).state == "withdrawn"
    assert entrant(tournament, "Wanda").standing == "withdrawn"


def test_every_problem_of_a_wish_names_its_field(tournament):
    with pytest.raises(OptionsRejected) as refused:
        sent(tournament, "zoya@example.org", email="zoya", phone="call me", note="x" * 201)
    assert [(problem.field, problem.code) for problem in refused.value.problems] == [
        ("name", "contact_in_name"),
        ("email", "not_an_address"),
        ("phone", "not_a_phone_number"),
        ("note", "too_long"),
    ]


def test_a_form_sent_twice_is_one_request_and_with_other_words_is_refused(tournament):
    sender = Sender(network="192.0.2.1", ticket=new_ticket(tournament.pk, now=SOON), is_proven=True)
    first = request_entry(tournament.pk, Wish(name="Zoya"), sender, mails=False, now=SOON)
    again = request_entry(tournament.pk, Wish(name="Zoya"), sender, mails=False, now=SOON)
    assert (first.row.pk, first.secret) == (again.row.pk, again.secret)
    with pytest.raises(KeyReused):
        request_entry(tournament.pk, Wish(name="Yusuf"), sender, mails=False, now=SOON)
    assert EntryRequest.objects.count() == 1


def test_a_ticket_is_of_one_tournament_and_of_one_day(tournament):
    ticket = new_ticket(tournament.pk, now=SOON)
    ages = (timedelta(seconds=1), timedelta(seconds=3), timedelta(hours=25))
    assert [ticket_fault(ticket, tournament.pk, now=SOON + age) for age in ages] == ["too_fast", None, "too_old"]
    assert ticket_fault(ticket, new_tournament().pk, now=SOON + ages[1]) == "invalid"
    assert ticket_fault(ticket[:-1], tournament.pk, now=SOON + ages[1]) == "invalid"


def test_work_is_a_number_for_one_ticket(tournament):
    ticket = new_ticket(tournament.pk, now=SOON)
    work = worked_on(ticket)
    assert is_worked_on(ticket, work)
    assert not any(is_worked_on(ticket, text) for text in ("", "-1", f"{work}x", "१", "9" * 13))


def test_one_address_gets_three_mails_a_day_and_machines_none(tournament):
    mails = [bool(sent(tournament, f"Zoya {n}", email="victim@example.org").mail_secret) for n in "ABCD"]
    assert mails == [True, True, True, False]
    assert not sent(tournament, "Zoya E", email="other@example.org", is_proven=False).mail_secret


def test_machines_push_out_machines_and_people_stay(tournament, monkeypatch):
    monkeypatch.setattr(self_entry, "MOST_UNCONFIRMED", 4)
    person = sent(tournament, "Zoya", network="198.51.100.7").row
    for number in range(6):
        sent(tournament, f"Bot {number}", is_proven=False, at=SOON + timedelta(seconds=number))
    assert list(EntryRequest.objects.values_list("name", flat=True)) == ["Zoya", "Bot 3", "Bot 4", "Bot 5"]
    for number in range(6):
        sent(tournament, f"Worker {number}", network="203.0.113.9")
    assert EntryRequest.objects.filter(pk=person.pk).exists()
    assert EntryRequest.objects.count() == 4
    with pytest.raises(OptionsRejected) as refused:
        sent(tournament, "Bot 9", is_proven=False)
    assert codes(refused) == ["too_many_requests"]
    assert sent(tournament, "Yusuf", network="198.51.100.8").row.pk
    assert EntryRequest.objects.count() == 4


def test_a_repeated_tournament_takes_entries_as_its_source_does_until_its_own_start(tournament):
    change_self_entry(tournament.pk, replace(ON, places=9, shows="names", until=SOON))
    copy = repeat_tournament(Tournament.objects.get(pk=tournament.pk), context=context()).tournament
    assert (copy.takes_entries, copy.places, copy.shows_entrants, copy.entries_until) == (True, 9, "names", None)


def test_settings_are_refused_all_at_once(tournament):
    record_in_tournament(
        tournament.pk,
        wire.PlanMade(plan={"stages": [{}], "is_rehearsal": False}),
        context=context(),
    )
    with pytest.raises(OptionsRejected) as refused:
        change_self_entry(tournament.pk, replace(ON, places=0, shows="everything"))
    assert [problem.field for problem in refused.value.problems] == ["places", "shows"]


def test_who_is_entered_already_is_nobody_elses_to_enter_or_withdraw(tournament):
    enter_list(tournament.pk, [EntryRow(number=1, name="Asha")], context=by_desk(), adds_new=False)
    asha = Player.objects.get(name="Asha")
    stranger = sent(tournament, "Asha").row
    with pytest.raises(EventNotAllowed) as refused:
        accept_request(stranger.pk, player=asha.pk, context=by_desk())
    assert codes(refused) == ["entered_already"]
    # Who types the address of another player reads the status, and cannot withdraw them once the mail is confirmed.
    row = mailed(tournament, "Asha", "asha@example.org")
    status = status_of(row, tournament_state(tournament))
    assert (row.state, status.plays, status.may_withdraw) == ("entered", True, False)
    with pytest.raises(EventNotAllowed):
        withdraw_request(row.pk, now=SOON)
    assert entrant(tournament, "Asha").plays


def test_a_look_alike_of_an_address_is_not_that_address(tournament):
    for look_alike in ("a\N{LATIN SMALL LETTER LONG S}ha@example.org", "asha@example.orG\N{COMBINING ACUTE ACCENT}"):
        assert not self_entry.is_same_address("asha@example.org", look_alike)
    assert self_entry.is_same_address("asha@example.org", "ASHA@Example.org")
    assert mailed(tournament, "Asha", "a\N{LATIN SMALL LETTER LONG S}ha@example.org").state == "confirmed"


def test_a_known_player_gets_no_address_that_was_not_confirmed_before_the_desk(tournament):
    request = sent(tournament, "Bo", email="stranger@example.org", wants_mail=True, phone="98200 12345")
    bo = Player.objects.get(name="Bo")
    accept_request(request.row.pk, player=bo.pk, context=by_desk())
    confirm_request(request.row.pk, now=SOON)
    bo.refresh_from_db()
    assert (bo.email, bo.phone, bo.wants_mail) == ("", "", False)
    cy = Player.objects.get(name="Cy")
    row = mailed(tournament, "Cy", "cy@example.org", wants_mail=True, phone="98200 12345")
    accept_request(row.pk, player=cy.pk, context=by_desk())
    cy.refresh_from_db()
    assert (cy.email, cy.phone, cy.wants_mail) == ("cy@example.org", "98200 12345", True)


def test_a_new_player_confirms_the_address_after_the_desk(tournament):
    row = sent(tournament, "Zoya", email="zoya@example.org", wants_mail=True).row
    zoya = there(accept_request(row.pk, context=by_desk()).player)
    assert (zoya.email, zoya.wants_mail) == ("zoya@example.org", False)
    confirm_request(row.pk, now=SOON)
    zoya.refresh_from_db()
    assert zoya.wants_mail


def test_a_club_that_has_moved_takes_no_entries(tournament):
    log.move_club(tournament.club_id, "rummy.example.org")
    with pytest.raises(ClubMoved, match=r"moved to rummy\.example\.org"):
        sent(tournament, "Zoya")
    assert "has moved" in str(why_closed(tournament, tournament_state(tournament), now=SOON))
    assert not EntryRequest.objects.exists()


def test_every_reason_why_nobody_can_enter_is_told_at_once(tournament):
    """Planted fault: only the first reason, so that who publishes the club finds that entries have ended."""
    tournament.is_published = tournament.club.is_published = False
    log.move_club(tournament.club_id, "rummy.example.org")
    reasons = why_closed(tournament, tournament_state(tournament), now=entries_end(tournament))
    assert [english(reason) for reason in reasons] == [
        "The club is not published",
        "This tournament is not published",
        "The club has moved to another site: enter there",
        "Entries have ended: ask at the desk",
    ]
    tournament.closed_at = SOON
    assert why_closed(tournament, tournament_state(tournament), now=SOON) == [say("This tournament is over")]
