"""Pages with one action for many: what they list, one button, one undo, and who may use it."""

import re

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from scoring.facts import wire
from tests.builders.admin_tournaments import HEATS, a_night, play_out
from tests.builders.flat import flat
from tournaments.models import Player, Role, Scoresheet

KEY = "00000000-0000-4000-8000-000000000001"
CAST = ("Asha", "Bo", "Cy", "Dev")
PART = {"HX-Request": "true"}


@pytest.fixture
def night(club):
    """Two tables of which the first is played to its end."""
    night = a_night(club, HEATS, entry_minor=10_000)
    night.enter(*CAST)
    play_out(night.seat()[0])
    return night


def page(client: Client, night, what: str):
    return client.get(night.url(f"all/{what}"))


def send(client: Client, night, what: str, *, headers=None, **typed):
    return client.post(night.url(f"all/{what}"), {"key": KEY, "do": "do", **typed}, headers=headers)


def closed(night) -> int:
    return Scoresheet.objects.filter(table__tournament=night.tournament, is_closed=True).count()


def test_the_page_lists_what_will_happen_and_what_is_left_out_and_without_a_tick_nothing_does(dita: Client, night):
    shown = flat(page(dita, night, "close_tables").content.decode())
    assert "Close ticked tables" in shown
    assert "Left out" in shown
    assert "Still being played." in shown
    assert closed(night) == 0
    send(dita, night, "close_tables")
    assert closed(night) == 0


@pytest.mark.slow
def test_one_press_closes_and_one_press_reopens(dita: Client, night):
    (ready,) = page(dita, night, "close_tables").context["ready"]
    answer = send(dita, night, "close_tables", who=ready.key)
    assert closed(night) == 1
    again = dita.get(answer.url)
    assert "1 table closed." in again.content.decode()
    back = send(dita, night, "close_tables", do="undo", undo=again.context["undo_form"].initial["undo"])
    assert "1 table reopened." in dita.get(back.url).content.decode()
    assert closed(night) == 0


@pytest.mark.slow
def test_a_script_swaps_the_part_and_loads_no_page(dita: Client, night):
    (ready,) = page(dita, night, "close_tables").context["ready"]
    part = send(dita, night, "close_tables", headers=PART, who=ready.key)
    assert part.status_code == 200
    assert part.content.decode().lstrip().startswith('<section id="many"')
    assert "Reopen these tables" in part.content.decode()


@pytest.mark.slow
def test_what_was_done_meanwhile_is_reported(dita: Client, night):
    (ready,) = page(dita, night, "close_tables").context["ready"]
    send(dita, night, "close_tables", who=ready.key)
    part = send(dita, night, "close_tables", headers=PART, who=ready.key, key="00000000-0000-4000-8000-000000000002")
    assert "0 tables closed." in part.content.decode()
    assert "Already done or changed by someone else." in part.content.decode()


def test_the_desk_takes_all_fees_and_says_how_much(dita: Client, night):
    shown = page(dita, night, "take_entries")
    assert shown.context["total"].endswith("400.00")
    send(dita, night, "take_entries", who=[row.key for row in shown.context["ready"]], till="none")
    assert {one.paid_minor for one in night.evening.entrants.values()} == {10_000}


@pytest.mark.parametrize("what", ["close_tables", "confirm_deals"])
def test_the_desk_closes_and_confirms_nothing(signed_in, night, what):
    desk = signed_in(Role.CHECKIN, login="chandra")
    assert page(desk, night, what).status_code == 403
    assert send(desk, night, what).status_code == 403
    assert page(desk, night, "take_entries").status_code == 200


def test_there_is_no_other_action(dita: Client, night):
    assert page(dita, night, "delete").status_code == 404


def test_the_dashboard_leads_to_one_page_once_two_tables_are_finished(dita: Client, night):
    assert "Close all finished tables" not in dita.get(night.url()).content.decode()
    play_out(Scoresheet.objects.get(table__tournament=night.tournament, is_finished=False).table)
    answer = dita.get(night.url())
    assert str(answer.context["suggested"].step.button) == "Close 2 tables"
    assert answer.context["suggested"].url == night.url("all/close_tables")
    assert "Close all finished tables" in answer.content.decode()


def test_check_in_leads_to_both_of_its_pages(dita: Client, night):
    night.record(wire.CheckInUndone(player=next(iter(night.evening.entrants))))
    shown = dita.get(night.url("desk")).content.decode()
    assert night.url("all/take_entries") in shown
    assert night.url("all/mark_absent") in shown


def test_the_list_above_the_dashboard_is_hidden_and_the_page_of_its_own_leads_back(dita: Client, night):
    """Planted fault: "Back to the dashboard" on the dashboard."""
    part = flat(dita.get(night.url("all/close_tables"), headers=PART).content.decode())
    assert ("Hide this list" in part, "Back to the dashboard" in part) == (True, False)
    whole = flat(page(dita, night, "close_tables").content.decode())
    assert ("Hide this list" in whole, "Back to the dashboard" in whole) == (False, True)


def test_a_player_who_is_suspended_is_shown_and_checked_in_only_by_a_tick(dita: Client, club):
    """Planted fault: every player ticked."""
    night = a_night(club, HEATS)
    night.enter("Esha", "Farid", is_here=False)
    Player.objects.filter(name="Esha").update(is_suspended=True)
    shown = page(dita, night, "check_in")
    assert {row.name: row.asked for row in shown.context["ready"]} == {"Esha": ("Esha is suspended.",), "Farid": ()}
    ticks = re.findall(r'<input type="checkbox" name="who" [^>]*>', shown.content.decode())
    assert ["checked" in tick for tick in ticks] == [False, True]


@pytest.mark.parametrize(("what", "tab"), [("check_in", "Players"), ("close_tables", "Dashboard")])
def test_the_tab_is_marked_under_which_the_list_was_found(dita: Client, night, what, tab):
    """Planted fault: no tab marked at all."""
    marked = LexborHTMLParser(page(dita, night, what).content.decode()).css(".tabs [aria-current]")
    assert [one.text(strip=True) for one in marked] == [tab]
