"""Pages with one action for many: what they list, one button, one undo, and who may use it."""

from dataclasses import replace

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import NOW
from tests.builders.admin_tournaments import HEATS, Night, a_night, at, play_out, record
from tests.builders.flat import flat
from tests.builders.page_text import refusal_of
from tests.builders.there import there
from tournaments.cash.commands import till_of
from tournaments.log.context import CommandContext
from tournaments.models import Player, Role, Scoresheet
from tournaments.running.commands.bulk import CLOSE_TABLES, run_bulk

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


def ticked(answer) -> set[str]:
    """The names of the rows that are ticked on a page."""
    ticks = LexborHTMLParser(answer.content.decode()).css("input[name=who][checked]")
    names = {row.key: row.name for row in answer.context["ready"]}
    return {names[there(tick.attributes["value"])] for tick in ticks}


def closed(night) -> int:
    return Scoresheet.objects.filter(table__tournament=night.tournament, is_closed=True).count()


def test_ticked_tables_are_closed_by_one_press_and_reopened_by_another(dita: Client, night):
    shown = page(dita, night, "close_tables")
    for words in ("Close ticked tables", "Left out", "Still being played."):
        assert words in flat(shown.content.decode())
    send(dita, night, "close_tables")
    assert closed(night) == 0
    (ready,) = shown.context["ready"]
    done = dita.get(send(dita, night, "close_tables", who=ready.key).url)
    assert "1 table closed." in done.content.decode()
    part = send(dita, night, "close_tables", headers=PART, who=ready.key, key=KEY.replace("1", "2")).content.decode()
    assert part.lstrip().startswith('<section id="many"')
    for words in ("0 tables closed.", "Already done or changed by someone else."):
        assert words in part
    assert closed(night) == 1
    back = send(dita, night, "close_tables", do="undo", undo=done.context["undo_form"].initial["undo"])
    assert "1 table reopened." in dita.get(back.url).content.decode()
    assert closed(night) == 0


def test_the_desk_takes_all_fees_and_says_how_much(dita: Client, night):
    shown = page(dita, night, "take_entries")
    assert shown.context["total"].endswith("400.00")
    send(dita, night, "take_entries", who=[row.key for row in shown.context["ready"]], till="none")
    assert {one.paid_minor for one in night.state.entrants.values()} == {10_000}


def test_the_desk_closes_and_confirms_nothing_and_there_is_no_other_action(signed_in, night):
    desk = signed_in(Role.CHECKIN, login="chandra")
    for what in ("close_tables", "confirm_deals"):
        assert page(desk, night, what).status_code == 403
        assert send(desk, night, what).status_code == 403
    assert page(desk, night, "take_entries").status_code == 200
    assert page(desk, night, "delete").status_code == 404


def test_who_is_not_here_stays_unticked_and_no_fee_is_taken_by_default(dita: Client, club):
    """Planted fault: after 2 of 4 were checked in, one press took 600.00 from the two who had not come."""
    night = a_night(club, HEATS, entry_minor=30_000)
    night.enter(*CAST, is_here=False)
    till_of(club.id, "INR", context=at())
    shown = page(dita, night, "check_in")
    assert ticked(shown) == set(CAST)
    who = [row.key for row in shown.context["ready"] if row.name in ("Asha", "Bo")]
    assert "choose whether the entry fees are taken now" in refusal_of(send(dita, night, "check_in", who=who))
    assert ticked(send(dita, night, "check_in", who=who)) == {"Asha", "Bo"}
    done = send(dita, night, "check_in", who=who, till="mine")
    for url in (done.url, night.url("all/check_in")):
        left = dita.get(url)
        assert {row.name for row in left.context["ready"]} == {"Cy", "Dev"}
        assert ticked(left) == set()
    assert ticked(dita.get(night.url("all/check_in") + "?tick=all")) == {"Cy", "Dev"}
    assert not LexborHTMLParser(left.content.decode()).css("input[name=till][checked]")
    assert sum(one.paid_minor for one in night.state.entrants.values()) == 60_000
    undone = send(dita, night, "check_in", do="undo", undo=KEY, reason="wrong list")
    assert ticked(dita.get(undone.url)) == set()


def test_undoing_a_check_in_asks_for_a_reason_where_it_refunds_alone(dita: Client, club):
    """Planted fault: a reason for a refund is asked although the fees were taken before, and stay."""
    night = a_night(club, HEATS, entry_minor=10_000)
    asha, bo = night.enter("Asha", "Bo", is_here=False)
    for player, till, asks in ((asha, "later", False), (bo, "mine", True)):
        key = f"{player}"
        done = dita.post(night.url("all/check_in"), {"key": key, "do": "do", "who": str(player), "till": till})
        assert ("Reason for refund" in dita.get(done["Location"]).content.decode()) is asks
    undone = dita.post(night.url("all/check_in"), {"key": KEY, "do": "undo", "undo": f"{asha}"})
    assert undone.status_code == 302


def test_a_list_that_takes_fees_names_the_till(dita: Client, club):
    night = a_night(club, HEATS, entry_minor=30_000)
    night.enter("Asha", "Bo")
    night.enter("Cy", "Dev", is_here=False)
    user = dita.get(night.url()).context["user"]
    till_of(club.id, "INR", context=replace(at(), actor=f"user:{user.pk}"))
    for what in ("check_in", "take_entries"):
        shown = flat(page(dita, night, what).content.decode())
        assert f"Cash goes to the till of {user.get_full_name() or user}." in shown


def test_the_dashboard_leads_to_one_page_once_two_tables_are_finished(dita: Client, night):
    assert "Close all finished tables" not in dita.get(night.url()).content.decode()
    play_out(Scoresheet.objects.get(table__tournament=night.tournament, is_finished=False).table)
    answer = dita.get(night.url())
    assert str(answer.context["suggested"].step.button) == "Close 2 tables"
    assert answer.context["suggested"].url == night.url("all/close_tables")
    assert "Close all finished tables" in answer.content.decode()


def test_the_list_above_the_dashboard_is_hidden_and_the_page_of_its_own_leads_back(dita: Client, night):
    """Planted faults: "Back to the dashboard" on the dashboard; no tab marked on the page."""
    part = flat(dita.get(night.url("all/close_tables"), headers=PART).content.decode())
    assert ("Hide this list" in part, "Back to the dashboard" in part) == (True, False)
    whole = page(dita, night, "close_tables").content.decode()
    assert ("Hide this list" in flat(whole), "Back to the dashboard" in flat(whole)) == (False, True)
    marked = LexborHTMLParser(whole).css(".tabs [aria-current]")
    assert [one.text(strip=True) for one in marked] == ["Dashboard"]


def test_a_list_on_a_page_of_its_own_leads_back_after_its_action_too(dita: Client, night):
    """Planted fault: "Hide this list" where there is nothing but the list."""
    for where, hides in (("all/close_tables", False), ("", True)):
        headers = {**PART, "HX-Current-URL": f"http://testserver{night.url(where)}?tick=all"}
        part = flat(dita.get(night.url("all/close_tables"), headers=headers).content.decode())
        assert ("Hide this list" in part, "Back to the dashboard" in part) == (hides, not hides)


def test_a_list_in_which_nothing_is_ticked_is_refused_and_says_so(dita: Client, club):
    """Planted fault: "0 players checked in."."""
    night = a_night(club, HEATS, entry_minor=10_000)
    night.enter(*CAST, is_here=False)
    for what in ("check_in", "take_entries", "mark_absent"):
        assert "tick at least one" in refusal_of(send(dita, night, what, till="none"))


def test_a_player_who_is_suspended_is_shown_and_checked_in_only_by_a_tick(dita: Client, club):
    """Planted fault: every player ticked."""
    night = a_night(club, HEATS)
    night.enter("Esha", "Farid", is_here=False)
    Player.objects.filter(name="Esha").update(is_suspended=True)
    shown = page(dita, night, "check_in")
    assert {row.name: row.asked for row in shown.context["ready"]} == {"Esha": ("Esha is suspended.",), "Farid": ()}
    assert ticked(shown) == {"Farid"}


def points_at_seven_tables(club, **stage: object) -> Night:
    """A round of points rummy at seven tables of two; one deal is played at each."""
    night = a_night(club, {"stages": [{"smallest_table": 2, **stage}]}, preset="points", point_value_minor=100)
    night.enter(*(f"Player {number:02}" for number in range(14)))
    for table in night.seat():
        deal(table, 1)
    return night


def deal(table, number: int) -> None:
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 30}}
    record(table, {"kind": "deal_recorded", "deal": number, "outcomes": outcomes})


def rows(client: Client, night: Night) -> list[tuple[str, bool]]:
    """What each listed table shows, and whether it is ticked."""
    return [(row.does, not row.asked) for row in page(client, night, "close_tables").context["ready"]]


def test_points_tables_of_n_deals_are_finished_after_them_and_closed_on_the_dashboard_in_two_clicks(dita: Client, club):
    """Seven tables: open the list there, and press. Planted fault: each table is closed on a page of its own."""
    night = points_at_seven_tables(club, length="deals", deals=2)
    assert rows(dita, night) == [("after 1 deal: Player 00 wins", False), *rows(dita, night)[1:]]
    for table in night.tournament.tables.all():
        deal(table, 2)
    dashboard = dita.get(night.url())
    assert "Close 7 tables" in dashboard.content.decode()
    part = dita.get(night.url("all/close_tables"), headers=PART)
    assert [row.asked for row in part.context["ready"]] == [()] * 7
    assert "after 2 deals: Player 00 wins" in part.content.decode()
    done = send(dita, night, "close_tables", headers=PART, who=[row.key for row in part.context["ready"]])
    assert "7 tables closed." in done.content.decode()
    assert closed(night) == 7


def test_after_the_last_call_each_points_table_with_a_deal_since_is_ready_to_be_closed(dita: Client, club):
    night = points_at_seven_tables(club)
    dealt = int(NOW.timestamp())
    night.record(wire.LastDealCalled(round=1, at=dealt + 1))
    assert [ticked for _, ticked in rows(dita, night)] == [False] * 7
    night.record(wire.LastCallUndone(round=1, reason="too early"), wire.LastDealCalled(round=1, at=dealt))
    assert [ticked for _, ticked in rows(dita, night)] == [True] * 7
    assert "Close 7 tables" in dita.get(night.url()).content.decode()


def test_points_tables_in_play_are_closed_by_choice_and_never_all_at_once_without_one(dita: Client, club):
    night = points_at_seven_tables(club)
    assert 'id="close-all"' in dita.get(night.url()).content.decode()
    assert [ticked for _, ticked in rows(dita, night)] == [False] * 7
    context = CommandContext(actor="user:0", now=NOW)
    done = run_bulk(night.tournament.pk, CLOSE_TABLES, context=context)
    assert [len(done.done), len(done.left_out), closed(night)] == [0, 7, 0]
    first, second, *_ = (row.key for row in page(dita, night, "close_tables").context["ready"])
    send(dita, night, "close_tables", who=[first, second])
    assert closed(night) == 2
