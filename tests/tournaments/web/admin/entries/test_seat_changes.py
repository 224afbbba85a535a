"""Players who come late, do not come, leave or sat in each other's seats: one page, one click, and its undo."""

import re
from html import unescape
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from scoring.events import wire
from tests.builders.admin_tables import NOW, club_called, person
from tests.builders.admin_tournaments import Night, a_night, at, record
from tests.builders.flat import flat
from tests.builders.pdf_text import pages as pages_of
from tests.builders.samples import each
from tournaments import log
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Player, Role, Scoresheet, Seat, Table
from tournaments.people.players import add_players
from tournaments.running.commands.create import make_plan
from tournaments.running.queries.today import todays_tournaments as tonight_of
from tournaments.seating.commands.seat import withdraw_seating

pytestmark = pytest.mark.django_db
NAMES = ("Asha", "Bo", "Cy", "Dev", "Eli", "Fay")
PLAN = {"stages": [{"smallest_table": 2}]}


def said_on(answer: Any) -> str:
    """The text of a page, without the marks that isolate the direction of names."""
    return unescape(re.sub("[\u2068\u2069]", "", flat(answer.content.decode())))


class Desk:
    """The page of seat changes, with Dita at it, and the tournament behind it."""

    def __init__(self, night: Night, login: str = "dita") -> None:
        self.night = night
        self.client = Client()
        self.client.force_login(person(login, Role.DIRECTOR, night.tournament.club))
        self.client.post(night.url("till"), {"do": "none"})

    def press(self, do: str, **typed: Any) -> str:
        """Click a button of the page as it is shown; returns the text of the next page."""
        page = self.client.get(self.night.url("seats")).content.decode()
        keys = re.findall(r'name="key" value="([^"]+)"', page)
        undo = re.findall(r'name="undo" value="([^"]+)"', page)
        sent = {"do": do, "key": keys[0], **({"undo": (undo or [""])[0]} if do == "undo" else {}), **typed}
        self.answer = self.client.post(self.night.url("seats"), sent, follow=True)
        return said_on(self.answer)

    def tables(self) -> dict[int, list[str]]:
        """Names by number of the tables that are not cancelled."""
        seats = Seat.objects.filter(table__tournament=self.night.tournament, table__scoresheet__is_cancelled=False)
        found: dict[int, list[str]] = {}
        for seat in seats.select_related("player", "table").order_by("table__number", "number"):
            found.setdefault(seat.table.number, []).append(seat.player.name)
        return found

    def standing(self, name: str) -> str:
        return self.night.state.entrants[self.id(name)].standing.value

    def id(self, name: str) -> str:
        return str(Player.objects.get(club=self.night.tournament.club, name=name).pk)

    def deal(self, number: int = 1) -> None:
        """A deal at a table of three."""
        outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 20}, "3": {"how": "loss", "count": 30}}
        table = Table.objects.get(tournament=self.night.tournament, number=number)
        record(table, {"kind": "deal_recorded", "deal": 1, "outcomes": outcomes})


@pytest.fixture
def desk() -> Desk:
    """Two tables of three in round 1, no deal played; an entry costs 100."""
    night = a_night(club_called("Circle", "circle"), PLAN, entry_minor=10_000, is_published=True)
    night.enter(*NAMES)
    night.seat(size=3)
    return Desk(night)


def test_a_late_player_is_seated_before_the_first_deal_and_undo_takes_seat_payment_and_entry_back(desk: Desk):
    """Where check-in is used they are checked in: otherwise the next draft asks whether to seat them."""
    add_players(desk.night.tournament.club, ["Gita"])
    gita = desk.id("Gita")
    desk.night.record(wire.CheckedIn(player=desk.id("Asha")))
    assert "/seats/" in desk.client.get(desk.night.url()).content.decode()
    assert "Gita sits at table 1." in desk.press("late", name="Gita", table="1", is_paid="on")
    assert desk.tables() == {1: ["Asha", "Bo", "Cy", "Gita"], 2: ["Dev", "Eli", "Fay"]}
    seated = desk.night.state.entrants[gita]
    assert (seated.paid_minor, seated.since_round, seated.is_checked_in) == (10_000, 1, True)
    assert rebuild_differences() == []
    assert "Undone: seats and entries are as before." in desk.press("undo")
    assert desk.tables() == {1: ["Asha", "Bo", "Cy"], 2: ["Dev", "Eli", "Fay"]}
    assert (desk.standing("Gita"), desk.night.state.entrants[gita].paid_minor) == ("withdrawn", 0)
    assert not offers_undo(desk)
    assert rebuild_differences() == []
    desk.press("late", name="Gita", table="1")
    assert desk.night.state.entrants[gita].is_checked_in


def test_somebody_new_to_the_club_is_asked_about_and_then_seated_once(desk: Desk):
    said = desk.press("late", name="Gita", table="2")
    assert "no player Gita: check spelling or add" in said
    assert desk.answer.status_code == 422
    assert "row 1" not in said + desk.press("instead", instead_of=desk.id("Bo"), by="Gita")
    for _ in range(2):
        desk.press("late", name="Gita", table="2", adds_new="on", key="1" * 32)
    assert desk.tables()[2] == ["Dev", "Eli", "Fay", "Gita"]


def test_the_page_asks_where_money_goes_once_a_payment_was_refused_and_says_so_at_has_paid(desk: Desk):
    """Planted faults: the question above everything while nobody pays; a till that is not open, told at *Name*."""
    question = "Where do entry fees go?"
    desk.client = Client()
    desk.client.force_login(person("dan", Role.DIRECTOR, desk.night.tournament.club))
    assert question not in said_on(desk.client.get(desk.night.url("seats")))
    refused = desk.press("late", name="Gita", table="1", adds_new="on", is_paid="on")
    assert question in refused
    assert list(desk.answer.context["forms"]["late"].errors) == ["is_paid"]
    assert desk.answer.context["forms"]["late"]["name"].value() == "Gita"
    desk.client.post(desk.night.url("till"), {"do": "none", "back": "seats"})
    assert "Gita sits at table 1." in desk.press("late", name="Gita", table="1", adds_new="on", is_paid="on")


def test_two_who_sat_in_each_others_seats_are_swapped_once_before_the_first_deal(desk: Desk):
    """A double click. Planted fault: told that it was sent with other data, and the next press swaps them back."""
    assert "choose two different players" in desk.press("swap", one=desk.id("Bo"), other=desk.id("Bo"))
    sent = {"do": "swap", "key": "a" * 32, "one": desk.id("Bo"), "other": desk.id("Dev")}
    for _ in range(2):
        answer = desk.client.post(desk.night.url("seats"), sent, follow=True)
        assert "Bo and Dev have swapped seats." in said_on(answer)
    assert desk.tables() == {1: ["Asha", "Dev", "Cy"], 2: ["Bo", "Eli", "Fay"]}
    desk.press("undo")
    assert desk.tables() == {1: ["Asha", "Bo", "Cy"], 2: ["Dev", "Eli", "Fay"]}
    assert rebuild_differences() == []
    desk.press("swap", one=desk.id("Asha"), other=desk.id("Cy"))
    assert desk.tables()[1] == ["Cy", "Bo", "Asha"]


@pytest.mark.parametrize("why", each("absent", "left"))
def test_a_player_who_gave_up_the_seat_and_arrives_is_seated_on_the_page_and_checked_in(desk: Desk, why: str):
    """Planted fault: offered by name, then refused until somebody finds the page that marks the return."""
    assert "Cy has left table 1." in desk.press("up", player=desk.id("Cy"), why=why)
    desk.press("undo")
    assert (desk.tables()[1], desk.standing("Cy")) == (["Asha", "Bo", "Cy"], "entered")
    desk.press("up", player=desk.id("Cy"), why=why)
    assert (desk.tables()[1], desk.standing("Cy")) == (["Asha", "Bo"], why)
    assert desk.client.get(desk.night.url("seats")).context["waiting"] == ["Cy"]
    assert "Cy sits at table 1." in desk.press("late", name="Cy", table="1")
    assert desk.tables()[1] == ["Asha", "Bo", "Cy"]
    assert (desk.standing("Cy"), desk.night.state.entrants[desk.id("Cy")].is_checked_in) == ("entered", True)
    assert rebuild_differences() == []
    desk.press("undo")
    assert (desk.tables()[1], desk.standing("Cy")) == (["Asha", "Bo"], why)
    assert rebuild_differences() == []


def test_a_no_show_who_arrives_at_full_tables_waits_for_the_next_round(desk: Desk):
    full_round(desk, late_until_round=2)
    gita = desk.id("Gita")
    desk.night.record(wire.PlayerEntered(player=gita))
    desk.night.record(wire.MarkedAbsent(player=gita))
    assert "Gita waits for the next round." in desk.press("late", name="Gita", table="0", is_paid="on")
    assert desk.standing("Gita") == "entered"
    assert desk.night.state.entrants[gita].paid_minor == 10_000


def test_a_player_who_sits_out_stays_in_the_tournament(desk: Desk):
    desk.press("up", player=desk.id("Cy"), why="sits_out")
    assert list(desk.night.state.rounds[-1].sitting_out) == [desk.id("Cy")]
    assert desk.standing("Cy") == "entered"
    desk.press("late", name="Cy", table="2")
    assert desk.tables() == {1: ["Asha", "Bo"], 2: ["Dev", "Eli", "Fay", "Cy"]}
    assert list(desk.night.state.rounds[-1].sitting_out) == []


def test_the_last_one_left_at_a_table_moves_to_the_smallest_other(desk: Desk):
    desk.press("up", player=desk.id("Cy"), why="absent")
    desk.press("up", player=desk.id("Bo"), why="left")
    assert desk.tables() == {2: ["Dev", "Eli", "Fay", "Asha"]}
    assert [table.number for table in desk.night.state.rounds[-1].tables] == [2]
    desk.press("undo")
    assert desk.tables() == {1: ["Asha", "Bo"], 2: ["Dev", "Eli", "Fay"]}
    assert rebuild_differences() == []


def test_after_a_deal_only_going_home_changes_the_seats_of_a_table(desk: Desk):
    add_players(desk.night.tournament.club, ["Gita"])
    desk.deal()
    said = desk.press("swap", one=desk.id("Bo"), other=desk.id("Dev"))
    assert "Table 1 has 1 deal on its sheet: cancel it first, or correct seats one by one" in said
    assert "two players of that table swap their scores" in said
    assert "Select a valid choice" in desk.press("late", name="Gita", table="1")
    said = desk.press("up", player=desk.id("Cy"), why="sits_out")
    assert "table 1 has 1 deal: Cy can go home, but not sit out" in said
    assert desk.client.post(desk.night.url("seating"), {"do": "redraw", "round": "1"}).status_code == 422
    assert desk.tables() == {1: ["Asha", "Bo", "Cy"], 2: ["Dev", "Eli", "Fay"]}
    assert "Cy has left table 1." in desk.press("up", player=desk.id("Cy"), why="left")
    sheet = Scoresheet.objects.get(table__number=1, is_cancelled=False)
    assert "seat_left" in [event.kind for event in log.read(sheet.club_id, sheet.table_id)]
    assert desk.standing("Cy") == "left"


def test_seats_that_were_changed_again_are_not_undone_to_something_older(desk: Desk):
    add_players(desk.night.tournament.club, ["Gita"])
    first = "2" * 32
    desk.press("late", name="Gita", table="1", key=first)
    desk.press("swap", one=desk.id("Gita"), other=desk.id("Dev"))
    assert "seats changed again since: change them by hand" in desk.press("undo", undo=first)


def on_the_board(desk: Desk) -> list[str]:
    """The tables on the public leaderboard page, by their addresses."""
    page = Client().get(f"/c/circle/t/{desk.night.tournament.slug}/").content.decode()
    return sorted(set(re.findall(r"r1/table-\d+", page)))


@pytest.mark.slow
def test_a_table_opened_again_keeps_its_number_and_the_old_one_is_on_no_public_page(desk: Desk):
    """Planted fault: abandoned tables listed as cancelled, numbered from 1001."""
    desk.press("swap", one=desk.id("Bo"), other=desk.id("Dev"))
    assert on_the_board(desk) == ["r1/table-1", "r1/table-2"]
    for page in ("rounds", "seating", "room", ""):
        shown = Client().get(f"/c/circle/t/{desk.night.tournament.slug}/{page}{'/' if page else ''}")
        assert not re.search(r"(?:[Tt]able[ -]|>\s*)1001\b", shown.content.decode()), page


def test_a_late_player_is_named_as_the_club_writes_the_name(desk: Desk):
    """Planted fault: "gita sits at table 1."."""
    add_players(desk.night.tournament.club, ["Gita"])
    assert "Gita sits at table 1." in desk.press("late", name=" gita", table="1")


def test_a_table_with_its_largest_size_by_the_plan_is_offered_and_says_so(desk: Desk):
    """Planted fault: a table of 7 in a plan of tables of 4 to 6, without a word."""
    plan = {"stages": [{**PLAN["stages"][0], "largest_table": 3, "preferred_table": 3}]}
    make_plan(desk.night.tournament.pk, plan, reason="smaller tables", context=at())
    page = flat(desk.client.get(desk.night.url("seats")).content.decode())
    assert "Table 1, 3 players: full by the plan</option>" in page


def test_a_table_opened_again_counts_once_and_explains_no_number(desk: Desk):
    """Planted faults: "4 tables" of which two were never played; "table 1,001 (Table 1 (before the seat change))"."""
    for _ in range(2):
        desk.press("swap", one=desk.id("Bo"), other=desk.id("Dev"))
    (tonight,) = [entry for entry in tonight_of(None, now=NOW) if entry.tournament == desk.night.tournament]
    assert (tonight.all_tables, len(tonight.tables), tonight.open_tables) == (2, 2, 2)
    assert "before the seat change" not in said_on(desk.client.get(desk.night.url("money")))
    desk.deal()
    player = Client().get(f"/c/circle/t/{desk.night.tournament.slug}/who/{desk.id('Asha')}/", follow=True)
    page = said_on(player)
    assert ("Round 1, table 1" in page, "before the seat change" in page) == (True, False)


def test_a_table_opened_again_is_called_by_the_number_it_had_wherever_staff_see_it(desk: Desk):
    """Planted fault: "Table 1001", and "Table 1,001" on the printed report."""
    for _ in range(2):
        desk.press("swap", one=desk.id("Bo"), other=desk.id("Dev"))
    given_up = Table.objects.filter(tournament=desk.night.tournament, scoresheet__is_cancelled=True)
    assert sorted(str(table) for table in given_up) == [
        f"Table {number}, before the seat change" for number in (1, 1, 2, 2)
    ]
    report = desk.client.get(desk.night.url("money/summary"))
    shown = [
        said_on(desk.client.get(desk.night.url("change"))),
        said_on(desk.client.get(f"/admin/tournaments/table/{given_up.filter(number__lt=1_003)[0].pk}/sheet/")),
        " ".join(pages_of(b"".join(report))),
    ]
    for page in shown:
        assert "Table 1, before the seat change" in page
        assert not re.search(r"Table 1,?00[1-9]", page)
    assert rebuild_differences() == []


def test_a_new_draw_after_publishing_starts_at_table_1_and_staff_still_find_the_cancelled_tables(desk: Desk):
    withdraw_seating(desk.night.tournament.pk, 1, reason="wrong list", context=at())
    assert on_the_board(desk) == []
    desk.night.seat(size=3)
    assert on_the_board(desk) == ["r1/table-1", "r1/table-2"]
    assert sorted(desk.tables()) == [1, 2]
    assert Scoresheet.objects.filter(table__tournament=desk.night.tournament, is_cancelled=True).count() == 2
    slider = Client().get(f"/c/circle/t/{desk.night.tournament.slug}/?at=0:1").content.decode()
    assert "Table 1001" not in slider


@pytest.mark.slow
def test_after_every_kind_of_change_and_its_undo_everything_is_proven(desk: Desk):
    add_players(desk.night.tournament.club, ["Gita"])
    desk.press("late", name="Gita", table="1", is_paid="on")
    desk.press("undo")
    desk.press("late", name="Gita", table="2", is_paid="on")
    desk.press("swap", one=desk.id("Gita"), other=desk.id("Asha"))
    desk.press("up", player=desk.id("Bo"), why="absent")
    desk.press("up", player=desk.id("Cy"), why="left")
    desk.press("undo")
    call_command("prove", stdout=StringIO())


def full_round(desk: Desk, **plan: Any) -> None:
    """Both tables have a deal, and a second round follows."""
    add_players(desk.night.tournament.club, ["Gita"])
    stage = {"smallest_table": 2, "rounds": 2}
    desk.night.record(wire.PlanMade(plan={"stages": [stage], **plan}, reason="one more round"))
    desk.deal(1)
    desk.deal(2)


def test_a_player_who_comes_later_than_the_plan_allows_is_taken_by_a_tick_and_undo_brings_the_plan_back(desk: Desk):
    full_round(desk)
    assert "Every table has a deal or is full" in said_on(desk.client.get(desk.night.url("seats")))
    said = desk.press("late", name="Gita", table="0")
    assert "Gita is too late: entry closed after round 1, and round 2 is next" in said
    assert "Seat anyway" in said
    assert "Gita waits for the next round." in desk.press("late", name="Gita", table="0", anyway="on", is_paid="on")
    assert desk.standing("Gita") == "entered"
    assert desk.night.plan.late_until_round == 2
    desk.press("undo", undo=re.findall(r'name="undo" value="([^"]+)"', desk.answer.content.decode())[0])
    assert (desk.standing("Gita"), desk.night.plan.late_until_round) == ("withdrawn", 1)
    assert rebuild_differences() == []


def test_a_no_show_who_arrives_after_the_last_round_for_late_entries_is_asked_about_like_a_new_player(desk: Desk):
    """Planted fault: seated without a word, beside the sentence that late entries are taken up to round 1."""
    full_round(desk)
    gita = desk.id("Gita")
    desk.night.record(wire.PlayerEntered(player=gita, is_standby=True))
    desk.night.record(wire.PlanMade(plan={**PLAN, "late_until_round": 2}, reason="for one"))
    desk.night.record(wire.PlayerEntered(player=gita), wire.MarkedAbsent(player=gita))
    desk.night.record(wire.PlanMade(plan=PLAN, reason="no more"))
    said = desk.press("late", name="Gita", table="0")
    assert "Gita is too late: entry closed after round 1, and round 2 is next" in said
    assert "Seat anyway" in said
    assert desk.standing("Gita") == "absent"
    assert "Gita waits for the next round." in desk.press("late", name="Gita", table="0", anyway="on")
    assert (desk.standing("Gita"), desk.night.plan.late_until_round) == ("entered", 2)
    assert "taken up to round 2" in said_on(desk.answer)


def test_a_player_who_has_played_returns_whatever_the_plan_says_of_late_entries(desk: Desk):
    full_round(desk)
    desk.press("up", player=desk.id("Cy"), why="left")
    assert "Cy waits for the next round." in desk.press("late", name="Cy", table="0")
    assert (desk.standing("Cy"), desk.night.plan.late_until_round) == ("entered", 1)


@pytest.mark.slow
def test_nobody_comes_late_to_a_final_not_even_by_a_tick():
    plan = {"stages": [{"smallest_table": 2, "advancing": 2}, {"smallest_table": 2}]}
    night = a_night(club_called("Square", "square"), plan)
    players = night.enter("Asha", "Bo")
    night.play_round()
    night.record(wire.CutMade(stage=1, advancing=tuple(players)))
    night.seat()
    add_players(night.tournament.club, ["Gita"])
    desk = Desk(night)
    for ticked in ({}, {"anyway": "on"}):
        said = desk.press("late", name="Gita", table="1", **ticked)
        assert "Gita is too late" in said
        assert "Seat anyway" not in said


@pytest.mark.slow
def test_a_suspended_player_is_asked_about_before_they_sit(desk: Desk):
    """Planted fault: the question asked of a draft only, so that it was skipped for a late player or a substitute."""
    add_players(desk.night.tournament.club, ["Gita"])
    Player.objects.filter(name="Gita").update(is_suspended=True)
    late = desk.press("late", name="Gita", table="1")
    instead = desk.press("instead", instead_of=desk.id("Bo"), by="Gita")
    for said in (late, instead):
        assert "Gita is suspended" in said
        assert "Seat anyway" in said
    assert desk.id("Gita") not in desk.night.state.entrants
    assert "Gita plays for Bo." in desk.press("instead", instead_of=desk.id("Bo"), by="Gita", by_anyway="on")


@pytest.mark.slow
def test_a_substitute_plays_on_after_one_press_and_undo_gives_the_seat_back(desk: Desk):
    assert "Gita plays for Bo." in desk.press("instead", instead_of=desk.id("Bo"), by="Gita", by_new="on")
    assert desk.standing("Bo") == "substituted"
    desk.press("undo", undo=re.findall(r'name="undo" value="([^"]+)"', desk.answer.content.decode())[0])
    assert desk.standing("Bo") == "entered"
    assert desk.tables() == {1: ["Asha", "Bo", "Cy"], 2: ["Dev", "Eli", "Fay"]}
    assert rebuild_differences() == []


def test_a_published_round_is_drawn_again_in_three_pages(desk: Desk):
    """The list of seats, the new draft, and the list again."""
    url = desk.night.url("seating")
    before = desk.night.state.rounds[-1]
    draft = desk.client.post(url, {"do": "redraw", "round": "1"}, follow=True)
    assert "drawn again: publish it" in said_on(draft)
    sent = {"do": "publish", "round": "1", "version": draft.context["envelope"].version, "seats_absent": "on"}
    assert "Round 1 is seated" in said_on(desk.client.post(url, sent, follow=True))
    assert desk.night.state.rounds[-1].seed != before.seed
    assert sorted(desk.tables()) == [1]


def offers_undo(desk: Desk, done: str = "") -> bool:
    return 'value="undo"' in desk.client.get(desk.night.url("seats"), {"done": done}).content.decode()


@pytest.mark.slow
def test_undo_is_offered_until_a_deal_is_recorded_at_one_of_the_tables(desk: Desk):
    add_players(desk.night.tournament.club, ["Gita"])
    done = "3" * 32
    desk.press("late", name="Gita", table="2", key=done)
    assert offers_undo(desk)
    outcomes = {"1": {"how": "show"}, **{str(seat): {"how": "loss", "count": 20} for seat in (2, 3, 4)}}
    table = Table.objects.get(tournament=desk.night.tournament, number=2)
    record(table, {"kind": "deal_recorded", "deal": 1, "outcomes": outcomes})
    assert not offers_undo(desk)
    assert "1 deal on its sheet: cancel it first, or correct seats one by one" in desk.press("undo", undo=done)
    assert desk.tables()[2] == ["Dev", "Eli", "Fay", "Gita"]


@pytest.mark.slow
def test_undo_is_not_offered_once_the_desk_has_undone_it(desk: Desk):
    desk.deal()
    desk.press("up", player=desk.id("Cy"), why="left", key="3" * 32)
    desk.night.record(wire.PlayerReturned(player=desk.id("Cy")))
    assert not offers_undo(desk, "3" * 32)


def test_undo_of_a_substitute_is_offered_until_they_have_a_deal(desk: Desk):
    """Planted fault: a deal since they came in the middle of the round ignored."""
    desk.deal()
    done = "3" * 32
    desk.press("instead", instead_of=desk.id("Bo"), by="Gita", by_new="on", key=done)
    desk_page = desk.night.url(f"desk/{desk.id('Bo')}")
    assert offers_undo(desk, done)
    assert "Undo substitution" in said_on(desk.client.get(desk_page))
    outcomes = {"1": {"how": "loss", "count": 20}, "2": {"how": "show"}, "3": {"how": "loss", "count": 30}}
    table = Table.objects.get(tournament=desk.night.tournament, number=1)
    record(table, {"kind": "deal_recorded", "deal": 2, "outcomes": outcomes})
    assert not offers_undo(desk, done)
    assert "Undo substitution" not in said_on(desk.client.get(desk_page))
    assert "Gita has played in round 1: the substitution cannot be undone" in desk.press("undo", undo=done)
    assert desk.standing("Bo") == "substituted"


@pytest.mark.slow
def test_a_slip_of_the_pen_is_answered_with_whom_it_may_mean(desk: Desk):
    """Planted fault: a late player or a substitute who becomes a second player of the club."""
    add_players(desk.night.tournament.club, ["Mohammed Khan"])
    late = desk.press("late", table="1", name="Muhamed Khan")
    instead = desk.press("instead", instead_of=desk.id("Bo"), by="Muhamed Khan")
    for said in (late, instead):
        assert "no player Muhamed Khan: check spelling or add" in said
        assert "Did you mean <bdi>Mohammed Khan</bdi>?" in said
    assert "Did you mean" not in desk.press("late", name="Zacharias", table="1")
    page = desk.night.url(f"desk/{desk.id('Bo')}")
    at_desk = desk.client.post(page, {"do": "substitute", "by": "Muhamed Khan", "reason": "left"})
    assert "Did you mean <bdi>Mohammed Khan</bdi>?" in said_on(at_desk)


def test_the_seat_of_a_no_show_with_a_penalty_is_freed_after_a_tick(desk: Desk):
    table = Table.objects.get(tournament=desk.night.tournament, number=1)
    record(table, {"kind": "penalty_given", "seat": "1", "points": 5, "reason": "came late"})
    text = desk.press("up", player=desk.id("Asha"), why="absent")
    assert "Asha has a penalty of 5 at table 1, which would no longer count: undo it at the table first" in text
    assert "Free the seat; it will not count" in text
    assert desk.tables()[1] == ["Asha", "Bo", "Cy"]
    assert "has left table 1" in desk.press("up", player=desk.id("Asha"), why="absent", drops="on")
    assert desk.tables()[1] == ["Bo", "Cy"]
