"""A board of the past: as it was shown, as it is known now, after a round; its slider, and its way back to now."""

import json
import re
from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from tests.builders.past_boards import planned, seated
from tests.builders.playing import rename
from tests.builders.public_tables import a_club, a_tournament, address, context, english, seat
from tournaments.boards import board
from tournaments.boards.past import TurningPoint, board_at, thinned, turning_points
from tournaments.models import Standing, Tournament
from tournaments.models.log import Event
from tournaments.printing.exports import board_json
from tournaments.projections.boards import read_last_deals
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.seating.commands.seat import withdraw_seating
from tournaments.tables.queries.moments import AfterRound, WithCorrections
from tournaments.web.public.base.exports import json_text

pytestmark = pytest.mark.django_db
MOST_QUERIES = 6
NO_ZONE = "2026-01-01T00:00:00+99:00"
SHEETS = ("r1/table-1/", "r1/table-1/sheet.json", "r1/table-1/sheet.csv")


def as_sent(tournament: Tournament) -> Any:
    tournament = Tournament.objects.select_related("club").get(id=tournament.id)
    return json.loads(json_text(board_json(board(tournament))))


class Night:
    """Keeps every board as it was shown after each event, with the event's position and time."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.shown: list[tuple[int, datetime, Any]] = []

    def keep(self) -> None:
        last = Event.objects.filter(club_id=self.tournament.club_id).order_by("-position").first()
        assert last is not None
        self.shown.append((last.position, last.recorded_at, as_sent(self.tournament)))

    def assert_each_is_shown_again(self) -> None:
        tournament = Tournament.objects.select_related("club").get(id=self.tournament.id)
        assert len({json.dumps(shown) for _, _, shown in self.shown}) == len(self.shown) > 5
        for position, when, shown in self.shown:
            assert json.loads(json_text(board_json(board_at(tournament, position)))) == shown
            assert json.loads(json_text(board_json(board_at(tournament, when)))) == shown


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["points", "pool_101", "deals_best_of_2"])
def test_each_board_that_was_ever_shown_is_shown_again_after_corrections(preset: str):
    night = Night(a_tournament(a_club(), preset))
    tables = [seat(night.tournament), seat(night.tournament)]
    for deed in (
        lambda: tables[0].deal("show", 34, 12, 20),
        lambda: tables[1].deal(20, "show", 3, 47),
        lambda: tables[0].deal("wrong_show", 34, "show", 50),
        lambda: tables[0].correct(1, 3, "show", 12, 20),
        lambda: tables[1].event(kind="deal_voided", deal=1, reason="misdealt"),
        lambda: tables[1].deal("show", 9, 9, 9),
        lambda: tables[0].correct(1, "show", 44, 12, 20),
    ):
        deed()
        night.keep()
    night.assert_each_is_shown_again()


def test_a_deal_that_comes_in_while_a_board_is_read_decides_no_tie_on_a_board_without_it(monkeypatch: Any):
    """Planted fault: the last deals read after the standings, with later ones among them."""
    tournament, players = planned()
    first, _ = (table.deal("show", 34, 12, "first_drop") for table in seated(tournament, 1, players[:4], players[4:]))

    def overtaken(of: UUID) -> Any:
        monkeypatch.undo()
        first.deal(40, "show", 12, 30)
        return read_last_deals(of)

    monkeypatch.setattr("tournaments.boards.read_last_deals", overtaken)
    shown = board(Tournament.objects.select_related("club").get(pk=tournament.pk))
    assert board_json(shown) == board_json(board_at(shown.tournament, shown.position))


def test_a_table_whose_lines_are_lost_does_not_keep_the_others_from_being_shown():
    """Planted fault: the board read again and again until it shows a deal that none of its lines has."""
    tournament, players = planned()
    tables = seated(tournament, 1, players[:4], players[4:])
    for table in tables:
        table.deal("show", 34, 12, "first_drop")
    Standing.objects.filter(table=tables[-1].row).delete()
    shown = board(Tournament.objects.select_related("club").get(pk=tournament.pk))
    assert {row.line.player for row in shown.rows if row.line.deals_played} == set(players[:4])


def test_each_board_of_a_planned_night_is_shown_again_after_corrections_and_its_closing():
    tournament, players = planned()
    night = Night(tournament)
    first = seated(tournament, 1, players[:4], players[4:])
    night.keep()
    for table in first:
        table.deal("show", 34, 12, "first_drop")
        night.keep()
        table.event(kind="table_closed")
        night.keep()
    second = seated(tournament, 2, players[:2] + players[4:6], players[2:4] + players[6:])
    night.keep()
    second[0].deal(20, "show", 3, 47)
    night.keep()
    first[0].correct(1, 34, "show", 12, "first_drop")
    night.keep()
    record_in_tournament(tournament.id, wire.PlayerLeft(player=players[7]), context=context())
    night.keep()
    second[1].deal(20, 11, "show", 47)
    night.keep()
    for table in second:
        table.event(kind="table_closed")
        night.keep()
    close_tournament(tournament.id, context=context())
    night.keep()
    night.assert_each_is_shown_again()


def totals(shown: Any) -> dict[str, int | None]:
    return {shown.names[row.line.player]: row.line.total for row in shown.rows}


def test_as_known_now_a_correction_counts_where_it_stands():
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, "first_drop")
    then = Event.objects.filter(stream_id=table.row.id).order_by("-version")[0]
    table.deal("show", 1, 2, 3).correct(1, "show", 43, 12, "first_drop")
    wanted = {"Asha": 0, "Bo": 43, "Cy": 12, "Dev": 20}
    assert totals(board_at(tournament, WithCorrections(by=then.position))) == wanted
    assert totals(board_at(tournament, WithCorrections(by=then.occurred_at))) == wanted
    assert totals(board_at(tournament, then.position)) == wanted | {"Bo": 34}
    assert board_at(tournament, WithCorrections(by=then.position)).corrected == {table.row.id}


def test_as_known_now_a_seating_that_was_withdrawn_never_was():
    tournament, players = planned()
    seated(tournament, 1, players[:4], players[4:])
    before = Event.objects.filter(club_id=tournament.club_id).order_by("-position")[0].position
    withdraw_seating(tournament.id, 1, reason="the wrong list", context=context())
    evening = board_at(tournament, WithCorrections(by=before)).state
    assert evening is not None
    assert evening.rounds == ()


def test_after_a_round_the_later_ones_do_not_count():
    tournament, players = planned()
    first = seated(tournament, 1, players[:4], players[4:])
    for table in first:
        table.deal("show", 34, 12, "first_drop").event(kind="table_closed")
    shown = board(Tournament.objects.get(id=tournament.id))
    second = seated(tournament, 2, players[:2] + players[4:6], players[2:4] + players[6:])
    second[0].deal(20, "show", 3, 47)
    assert board_at(tournament, AfterRound(number=1)).rows == shown.rows
    first[0].correct(1, 34, "show", 12, "first_drop")
    assert board_at(tournament, AfterRound(number=1)).rows != shown.rows


def test_the_page_says_which_moment_it_shows_and_leads_back_to_now(client: Client):
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, "first_drop")
    position = Event.objects.filter(stream_id=table.row.id).order_by("-version")[0].position
    table.deal("show", 1, 2, 3)
    for at, title in (
        (str(position), "As shown at"),
        (f"known:{position}", ", with later corrections."),
        ("round:1", "After round 1, with later corrections."),
    ):
        html = client.get(address(tournament), {"at": at}).content.decode()
        assert title in html
        assert f'href="{english(address(tournament))}">Show current leaderboard' in html
        assert " data-live " not in html
        assert f'<option value="{position}"' in html


def test_without_scripts_the_slider_leads_to_the_moment_chosen_of_every_event(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, 3).deal("show", 1, 2, 3).correct(1, "show", 4, 5, 6)
    kinds = ["table_opened", "deal_recorded", "deal_recorded", "deal_corrected"]
    found = [(point.kind, point.deal) for point in turning_points(tournament)]
    assert found == list(zip(kinds, (None, 1, 2, 1), strict=True))
    tournament.refresh_from_db()
    latest = client.get(address(tournament, "past/"))
    assert latest["Location"] == f"{english(address(tournament))}?at={tournament.board_position}"
    chosen = client.get(address(tournament, "past/"), {"step": "2", "view": "known"})
    assert chosen["Location"] == f"{english(address(tournament))}?at={quote('known:2')}"


@pytest.mark.slow
def test_what_is_no_moment_is_refused_with_what_would_be_one(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    half = ("round:", "round:x", "known:", "known:round:1")
    no_moments = ("x", "-1", "9" * 20, "2026-13-01", "1e9", "²", NO_ZONE, *half)
    for rest, at in product(("", "board/", "board.json", "board.csv", *SHEETS), no_moments):
        answer = client.get(address(tournament, rest), {"at": at})
        assert answer.status_code == 400, (rest, at)
        assert "Time not found" in answer.content.decode()
        assert "(for a leaderboard, a position of the club’s log), a time such as" in answer.content.decode()


def test_a_board_as_it_was_shown_keeps_its_tag_while_the_night_goes_on(client: Client):
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, "first_drop")
    tournament.refresh_from_db()
    asked = {"at": str(tournament.board_position)}
    tag = client.get(address(tournament, "board/"), asked)["ETag"]
    table.deal("show", 1, 2, 3)
    again = client.get(address(tournament, "board/"), asked, headers={"If-None-Match": tag})
    assert again.status_code == 304
    rename("Asha", "Removed player")
    assert client.get(address(tournament, "board/"), asked, headers={"If-None-Match": tag}).status_code == 200


def test_a_past_board_takes_the_same_few_queries_however_many_tables_there_are():
    tournament = a_tournament(a_club())
    asked = []
    for _ in range(2):
        for _ in range(3):
            seat(tournament).deal("show", 34, 12, "first_drop")
        tournament.refresh_from_db()
        at, counts = tournament.board_position, []
        for moment in (at, WithCorrections(by=at), AfterRound(number=1)):
            with CaptureQueriesContext(connection) as caught:
                board_at(tournament, moment)
            counts.append(len(caught))
        asked.append(counts)
    assert asked[0] == asked[1]
    assert max(asked[0]) <= MOST_QUERIES


@pytest.mark.slow
def test_a_sheet_of_the_past_is_known_to_be_unchanged_before_it_is_folded(
    client: Client, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault: its ETag named the version that was folded for it."""
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, 20).deal("show", 3, 4, 5)
    moments = ("2", "known:2", "2100-01-01T00:00:00Z")
    asked = [(address(tournament, sheet), at) for sheet, at in product(SHEETS, moments)]
    tags = {(path, at): client.get(path, {"at": at})["ETag"] for path, at in asked}

    def statuses() -> set[int]:
        known = [client.get(path, {"at": at}, headers={"If-None-Match": tag}) for (path, at), tag in tags.items()]
        return {answer.status_code for answer in known}

    with monkeypatch.context() as patch:
        patch.setattr("tournaments.boards.past.table_from_log", lambda stored: pytest.fail("it was folded"))
        assert statuses() == {304}
    table.deal("show", 6, 7, 8)
    assert statuses() == {200}


def test_a_sheet_of_the_past_leads_to_the_table_that_was_opened_beside_it_since(client: Client):
    """Planted fault: the ETag of a past sheet did not include its neighbours."""
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, 20)
    path = address(tournament, "r1/table-1/")
    tag = client.get(path, {"at": "2"})["ETag"]
    seat(tournament)
    answer = client.get(path, {"at": "2"}, headers={"If-None-Match": tag})
    assert answer.status_code == 200
    assert address(tournament, "r1/table-2/") in answer.content.decode()


def test_a_sheet_for_machines_is_of_the_same_moment_as_its_page(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, 3).deal("show", 1, 2, 3).correct(1, "show", 4, 5, 6)
    sheet = address(tournament, "r1/table-1/")

    def totals(at: str) -> list[int]:
        return [row["total"] for row in client.get(f"{sheet}sheet.json", {"at": at} if at else {}).json()["seats"]]

    known = client.get(sheet, {"at": "known:2"}).content.decode()
    assert "At version 2, with later corrections." in known
    assert '<span class="pt">4</span>' in known
    assert "Deal 2" not in known
    assert [client.get(sheet, {"at": at}).status_code for at in ("round:1", "round:0")] == [200, 404]
    assert totals("2") == [0, 34, 12, 3]
    assert totals("known:2") == [0, 4, 5, 6]
    assert totals("") == totals("round:1") == [0, 5, 7, 9]
    for at, is_told in (("2", True), ("known:2", False)):
        told = client.get(f"{sheet}sheet.csv", {"at": at}).content.decode()
        assert ("34" in re.split(r"[,\r\n]", told)) == is_told
    for rest in ("sheet.json", "sheet.csv"):
        assert f'href="{sheet}{rest}?at=known:2"' in client.get(sheet, {"at": "known:2"}).content.decode()
        assert client.get(f"{sheet}{rest}", {"at": "round:0"}).status_code == 404


def test_in_a_long_night_the_last_deal_of_some_minutes_stands_for_the_others(monkeypatch: Any):
    """A night of 200 players over seven rounds had 2,000 stops, half of its page. Planted fault: one minute for all."""
    start = datetime(2026, 1, 17, 20, 0, tzinfo=UTC)
    kinds = ["table_opened", "deal_recorded", "deal_corrected", "deal_recorded", "deal_recorded"]
    seconds = [1, 20, 30, 40, 61]
    points = [
        TurningPoint(position=position, recorded_at=start + timedelta(seconds=after), kind=kind)
        for position, (kind, after) in enumerate(zip(kinds, seconds, strict=True), start=1)
    ]
    for most, left in ((5, [1, 2, 3, 4, 5]), (4, [2, 3, 4, 5]), (3, [2, 3, 5])):
        monkeypatch.setattr("tournaments.boards.past.MOST_STEPS", most)
        assert [point.position for point in thinned(points)] == left
