"""The checklist on the dashboard: its lines and buttons, the till, checking in with fees, and its number of queries."""

from collections.abc import Callable

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from scoring.cash import load_book
from scoring.events import wire
from scoring.money import TILL
from tests.builders.admin_tables import NOW
from tests.builders.admin_tournaments import HEATS, Night, a_night, at, queries_of_dashboard
from tests.builders.cash_desk import CashDesk
from tests.builders.flat import flat
from tests.builders.page_text import refusal_of
from tests.builders.there import there
from tournaments.cash.commands import till_of
from tournaments.models import CashBook, Club, Player, Role
from tournaments.running.commands.close import close_tournament

CAST = ("Asha", "Bo", "Cy", "Dev")
KEY = "00000000-0000-4000-8000-000000000001"
MOST_QUERIES = 18
PART = {"HX-Request": "true"}


@pytest.fixture
def night(club: Club) -> Night:
    """Four have entered for 100.00 each; nobody is here yet."""
    night = a_night(club, HEATS, entry_minor=10_000)
    night.enter(*CAST, is_here=False)
    return night


def lines(client: Client, night: Night) -> dict[str, str]:
    """Each line by its title, with its state, its count or what it waits for, and its button."""
    page = LexborHTMLParser(client.get(night.url()).content)
    found = {}
    for line in page.css(".steps li"):
        title = there(line.css_first(".step-title")).text().removesuffix("(done)").strip()
        rest = [" ".join(part.text().split()) for part in line.css(".quiet, .tool")]
        found[title] = " | ".join(part for part in rest if part)
    return found


def check_in(client: Client, night: Night, *names: str, **typed: str):
    url = night.url("all/check_in")
    ready = {row.name: row.key for row in client.get(url).context["ready"]}
    who = [ready[name] for name in names or ready]
    return client.post(url, {"key": KEY, "do": "do", "who": who, **typed})


def places(night: Night) -> set[str]:
    return {place for one in night.state.entrants.values() for place in one.paid_by_place}


def test_one_press_opens_the_till_and_comes_back(dita: Client, night: Night):
    step = next(one for one in dita.get(night.url()).context["steps"] if one.step.name == "till")
    typed = {"do": step.action, "source": "owner", "float": "50", "back": "night"}
    refused = dita.post(step.url, {**typed, "float": "much"}, follow=True)
    assert "Not saved" in refused.content.decode()
    assert not CashBook.objects.exists()
    answer = dita.post(step.url, typed, follow=True)
    assert answer.redirect_chain == [(night.url(), 302)]
    assert "Your till is open with ₹50.00 in it." in flat(answer.content.decode())
    shown = lines(dita, night)
    assert shown["Open the till"] == "Open: Open the till | 1 till opened"
    assert shown["Count the tills"] == "waits: close the tournament first"


@pytest.mark.slow
def test_check_in_asks_until_the_users_own_till_is_open(dita: Client, night: Night):
    """Planted fault: another one's open till, which made the first payment open a till of the user's without a word."""
    words = {
        **dict.fromkeys(("desk", "entries"), "Where do entry fees go?"),
        **dict.fromkeys(("all/take_entries", "all/check_in"), "into my till, opened now"),
    }
    till_of(night.tournament.club_id, "INR", context=at())
    assert [page for page in words if words[page] not in dita.get(night.url(page)).content.decode()] == []
    dita.post(night.url("till"), {"do": "open", "source": "owner"})
    assert [page for page in words if words[page] in dita.get(night.url(page)).content.decode()] == []


def test_the_page_of_a_player_asks_only_once_a_payment_was_refused_and_comes_back(dita: Client, night: Night):
    player = next(iter(night.state.entrants))
    page = night.url(f"desk/{player}")
    assert "Where do entry fees go?" not in dita.get(page).content.decode()
    refused = refusal_of(dita.post(page, {"do": "pay"}))
    assert "Where do entry fees go?" in refused
    assert f'name="back" value="{page}"' in refused
    assert dita.post(night.url("till"), {"do": "none", "back": page})["Location"] == page
    away = dita.post(night.url("till"), {"do": "none", "back": "//elsewhere.example/"})
    assert away["Location"] == night.url()


def test_an_entry_that_is_paid_without_a_till_is_refused_at_has_paid(dita: Client, night: Night):
    """Planted fault: the till that is not open, told at *Name*."""
    typed = {"do": "one", "name": "Gita", "adds_new": "on", "is_paid": "on"}
    assert list(dita.post(night.url("entries"), typed).context["one"].errors) == ["is_paid"]


@pytest.mark.parametrize("choice", ["open", "none"])
def test_who_takes_money_without_a_till_is_asked_once_and_gets_none_without_a_word(
    dita: Client, night: Night, choice: str
):
    """Planted faults: a till opened by the first payment as another's was; one user's answer taken for that of all."""
    till_of(night.tournament.club_id, "INR", context=at())
    pays = {"do": f"pay.{next(iter(night.state.entrants))}"}
    assert "Where do entry fees go?" in dita.get(night.url("desk")).content.decode()
    assert "your till is not open: open it, or choose to take entry fees without a till" in refusal_of(
        dita.post(night.url("desk"), pays, headers=PART)
    )
    assert places(night) == set()
    assert list(load_book(CashBook.objects.get().state).tills) == ["user:0"]
    back = dita.post(night.url("till"), {"do": choice, "source": "owner", "back": "desk"})
    assert back["Location"] == night.url("desk")
    assert "Where do entry fees go?" not in dita.get(night.url("desk")).content.decode()
    dita.post(night.url("desk"), pays, headers=PART)
    (place,) = places(night)
    assert place.startswith(TILL) is (choice == "open")
    assert len(load_book(CashBook.objects.get().state).tills) == (2 if choice == "open" else 1)


def test_nobody_is_asked_where_nothing_is_paid_or_for_practice(dita: Client, club: Club):
    free = a_night(club, HEATS)
    practice = a_night(club, {**HEATS, "is_rehearsal": True}, name="Practice", entry_minor=10_000, is_published=False)
    for night in (free, practice):
        assert "Where do entry fees go?" not in dita.get(night.url("desk")).content.decode()


def test_checking_in_without_a_till_or_without_the_fees(dita: Client, night: Night):
    check_in(dita, night, "Asha", till="later")
    assert [one.paid_minor for one in night.state.entrants.values() if one.is_checked_in] == [0]
    assert check_in(dita, night, "Bo", key=KEY.replace("1", "2")).status_code == 422
    check_in(dita, night, "Bo", till="none", key=KEY.replace("1", "3"))
    assert places(night) == {""}


def test_one_undo_takes_check_ins_and_fees_back(dita: Client, night: Night):
    """Planted fault: undoing that found the check-ins alone, and left the money."""
    check_in(dita, night, till="mine")
    assert {one.paid_minor for one in night.state.entrants.values()} == {10_000}
    assert all(place.startswith(TILL) for place in places(night))
    undo = {"do": "undo", "undo": KEY}
    assert "enter a reason" in refusal_of(dita.post(night.url("all/check_in"), undo))
    assert {one.paid_minor for one in night.state.entrants.values()} == {10_000}
    answer = dita.post(night.url("all/check_in"), {**undo, "reason": "wrong list"}, follow=True)
    assert "4 check-ins undone." in answer.content.decode()
    assert {(one.paid_minor, one.is_checked_in) for one in night.state.entrants.values()} == {(0, False)}


def test_the_list_opens_above_the_dashboard_and_tells_it_when_it_has_done_something(dita: Client, night: Night):
    page = dita.get(night.url()).content.decode()
    assert f'hx-get="{night.url("all/check_in")}"' in page
    assert '<div id="many"></div>' in page
    part = dita.post(night.url("all/check_in"), {"key": KEY, "do": "do", "whole": "yes", "till": "mine"}, headers=PART)
    assert part["HX-Trigger"] == "many" or '"many"' in part["HX-Trigger"]
    assert "4 players checked in." in part.content.decode()


@pytest.mark.slow
def test_one_press_draws_the_round_as_planned_and_leaves_a_draft_alone(dita: Client, night: Night):
    check_in(dita, night, till="mine")
    step = dita.get(night.url()).context["suggested"]
    assert (step.step.name, step.action) == ("seat", "planned")
    page = dita.post(step.url, {"do": "planned", "back": "night"}, follow=True)
    drawn = page.context["draft"]
    assert len(drawn.now.round.tables) == 1
    assert dita.post(step.url, {"do": "planned"}, follow=True).context["draft"] == drawn


@pytest.mark.slow
def test_after_the_end_the_lines_lead_through_the_money_to_the_report(dita: Client, club: Club):
    night = a_night(club, {"stages": [{"smallest_table": 2}]}, entry_minor=10_000)
    night.enter("Asha", "Bo", is_here=False)
    check_in(dita, night, till="mine")
    night.play_round()
    close_tournament(night.tournament.pk, context=at())
    assert lines(dita, night)["Pay out"] == "waits: settle the prizes first"
    dita.post(night.url("night/settle"))
    shown = lines(dita, night)
    assert shown["Pay out"] == "Pay out 1 player | 1 player with money to collect"
    assert shown["Count the tills"] == "Count 1 till | 0 of 1 counted"
    assert shown["Report"] == "Print report | winners, tables, corrections, money"
    steps = dita.get(night.url()).context["steps"]
    for one in steps:
        if one.url and not one.action:
            assert dita.get(one.url).status_code == 200, one.step.name
    # Players with money from elsewhere are below, in the list of the club.
    Player.objects.create(club=club, name="Zoe", name_key="zoe")
    CashDesk(client=dita, club=club, user=None).takes("50", "Zoe")
    page = dita.get(next(one.url for one in steps if one.step.name == "pay_out"))
    assert len(page.context["rows"]) > len(page.context["to_pay_out"]) == 1
    assert "To pay out: <bdi>" in flat(page.content.decode())


def test_a_final_is_seated_by_its_name_and_the_clock_of_a_closed_tournament_is_over(dita: Client, night: Night):
    """Planted faults: "Seat round 2" for the final; "Not started" on the clock when all is over."""
    night.record(*(wire.CheckedIn(player=player) for player in night.state.entrants))
    first = night.play_round()
    winners = tuple(str(table.seats.get(number=1).player_id) for table in first)
    night.record(wire.CutMade(stage=1, advancing=winners))
    assert "Seat Final" in lines(dita, night)["Final: seat round 2"]
    assert "<title>Seat Final: Saturday" in flat(dita.get(night.url("seating")).content.decode())
    night.play_round()
    close_tournament(night.tournament.pk, context=at())
    clock = there(LexborHTMLParser(dita.get(night.url()).content).css_first(".night-clock")).text()
    assert "The tournament is over." in clock
    assert "Not started" not in clock
    assert "Set the clock" not in clock


@pytest.mark.slow
def test_the_money_lines_cost_one_query_however_many_play(dita: Client, club: Club):
    """Planted fault: a query for each entrant's fee."""
    few = queries_of_dashboard(dita, club, 4, entry_minor=10_000)
    assert few <= MOST_QUERIES
    assert queries_of_dashboard(dita, club, 12, entry_minor=10_000) == few


def test_an_open_dashboard_sees_every_change_and_is_sent_nothing_without_one(dita: Client, night: Night):
    """Planted fault: the part of the dashboard still as it was, because a draft is no event of the log."""
    part = night.url("night/part")

    def sees(change: Callable[[], object]) -> bool:
        tag = dita.get(part)["ETag"]
        assert dita.get(part, headers={"if-none-match": tag}).status_code == 304
        change()
        return dita.get(part, headers={"if-none-match": tag}).status_code == 200

    assert sees(lambda: night.record(*(wire.CheckedIn(player=player) for player in night.state.entrants)))
    assert sees(lambda: till_of(night.tournament.club_id, "INR", context=at()))
    assert sees(lambda: dita.post(night.url("seating"), {"do": "planned"}))
    assert lines(dita, night)["Heats: seat round 1"] == "Publish the seating | drawn, not published"


def test_who_sees_the_checklist_and_who_may_press_its_buttons(signed_in: Callable[..., Client], night: Night):
    """The dashboard, checking in, and opening a till."""
    answers = {
        Role.CHECKIN: (403, 200, 403),
        Role.SCORER: (403, 403, 403),
        Role.AUDITOR: (403, 403, 403),
        Role.CASHIER: (403, 403, 302),
        Role.OWNER: (200, 200, 302),
    }
    for role, answer in answers.items():
        somebody = signed_in(role, login=role.value)
        seen = [somebody.get(night.url(page)).status_code for page in ("night", "all/check_in")]
        opened = somebody.post(night.url("till"), {"do": "open", "source": "owner"}).status_code
        assert (*seen, opened) == answer, role
        assert CashBook.objects.exists() is (opened == 302)


@pytest.mark.slow
def test_a_user_who_opens_no_till_is_told_who_does_and_may_do_without(signed_in: Callable[..., Client], night: Night):
    desk = signed_in(Role.CHECKIN, login="chandra")
    page = desk.get(night.url("desk")).content.decode()
    assert "Open my till" not in page
    assert "A director moves it to a till or the bank." in flat(page)
    assert desk.post(night.url("all/check_in"), {"do": "do", "whole": "yes", "till": "mine"}).status_code == 403
    assert check_in(desk, night, till="none").status_code == 302
    assert places(night) == {""}


@pytest.mark.slow
def test_today_repeats_the_last_tournament_once_it_is_over(dita: Client, night: Night, client: Client):
    assert "Repeat" not in dita.get("/admin/").content.decode()
    night.record(wire.TournamentCancelled(reason="rain"))
    night.tournament.closed_at = NOW
    night.tournament.save()
    assert night.url("repeat") in dita.get("/admin/").content.decode()
