"""A table entered by its totals has begun, though no deal of it counts: for money, seats, boards and proofs.

Planted faults these catch: a place that asks for deals where it means that the table has begun.
"""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.events import wire
from scoring.messages import english
from scoring.problems import EventNotAllowed
from scoring.sheets.snapshots import load_table
from scoring.tournament.plans import Stage
from scoring.tournament.steps import TableSummary, is_played
from tests.builders.api_clients import Device
from tests.builders.page_text import text_of
from tests.builders.playing import CAST, NOW, Playing, context, loses, new_club, new_table, new_tournament, show
from tests.builders.proofs import complaints
from tests.builders.there import there
from tournaments.boards import board
from tournaments.books.commands import settle_table
from tournaments.models import Role, Scoresheet, Tournament
from tournaments.people.players import add_players
from tournaments.printing.score_sheets import score_grid
from tournaments.projections.boards import last_deal_of
from tournaments.running import summary_of
from tournaments.running.commands.bulk import Scene, tables_to_close
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.running.queries.stages import tournament_state
from tournaments.seating import tables_now
from tournaments.seating.commands.seat import seat_round, withdraw_seating
from tournaments.tables.commands.table_tokens import played_problems

TOTALS: dict[str, Any] = {
    "kind": "totals_recorded",
    "totals": {"1": 7, "2": 101, "3": 140, "4": 119},
    "out": {"2": 2, "3": 1, "4": 3},
}
RIGHTED = {
    "kind": "totals_corrected",
    "totals": {"1": 119, "2": 101, "3": 140, "4": 7},
    "out": {"2": 2, "3": 1, "1": 3},
    "reason": "Asha and Dev were swapped",
}

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Playing:
    return new_table(new_tournament(new_club(is_published=True), entry_minor=30_000, is_published=True))


def test_totals_settle_as_deals_do_and_a_correction_reverses_them(table: Playing):
    table.record(TOTALS)
    table.close()
    assert settle_table(table.row.pk, now=NOW).posted == 1
    table.record(RIGHTED)
    again = settle_table(table.row.pk, now=NOW)
    assert (again.reversed, again.posted) == (1, 1)
    assert complaints() == []


def test_the_row_says_that_the_table_has_begun_until_the_totals_are_undone(table: Playing):
    table.record(TOTALS)
    assert (table.sheet.deals, table.sheet.has_totals, table.sheet.has_begun) == (0, True, True)
    assert complaints() == []
    table.record({"kind": "fact_withdrawn", "version": 2, "reason": "another table"})
    assert not table.sheet.has_begun
    table.deal(1, show, loses(20), loses(30), loses(40))
    assert complaints() == []


def test_a_table_with_totals_is_not_given_up_for_another_seating_nor_its_tournament_deleted(table: Playing):
    table.record(TOTALS)
    sheet = Scoresheet.objects.select_related("table__tournament").get(table=table.row)
    [problem] = played_problems([sheet], "tables")
    assert problem.code == "already_played"
    assert "undo them first" in problem.text()


def test_totals_wait_for_their_closing_and_not_for_a_deal(table: Playing):
    table.record(TOTALS)
    summary = summary_of(Scoresheet.objects.select_related("table").get(table=table.row), 0, "pool")
    assert summary.has_begun
    assert last_deal_of(load_table(table.sheet.state)) == {}


def test_the_public_pages_show_places_and_totals(client: Client, table: Playing):
    table.record(TOTALS)
    tournament = table.row.tournament
    shown = board(tournament)
    assert [shown.names[row.line.player] for row in shown.rows] == ["Asha", "Dev", "Bo", "Cy"]
    words = {"club_slug": tournament.club.slug, "slug": tournament.slug}
    page = text_of(client.get(reverse("pages:tournament", kwargs=words)))
    assert "by totals" in page
    sheet = text_of(client.get(reverse("pages:table", kwargs={**words, "round": 1, "number": 1})))
    assert "Totals recorded" in sheet
    assert "140" in sheet
    table.record(RIGHTED)
    assert "The totals were corrected at" in text_of(
        client.get(reverse("pages:table", kwargs={**words, "round": 1, "number": 1}))
    )
    asha = next(player for player, name in shown.names.items() if name == "Asha")
    explained = text_of(client.get(reverse("pages:explanation", kwargs={**words, "player": asha})))
    assert "Totals recorded" in explained
    assert "Corrected" in explained


def test_the_api_takes_totals_as_every_event_of_a_table_and_tells_all_refusals(table: Playing):
    tournament = table.row.tournament
    scorer = Device(tournament.club, Role.SCORER)
    path = f"/api/v1/tables/{table.row.pk}/events/"
    bad = {**TOTALS, "totals": {"1": "7", "2": 101, "9": 1, "4": 119}}
    answer = scorer.send(path, {"expected_version": 1, "event": bad})
    assert answer.status_code == 422
    assert {(p["code"], p.get("seat")) for p in answer.json()["problems"]} == {
        ("unknown_seat", "9"),
        ("wrong_type", "1"),
        ("missing_seat", "3"),
    }
    assert scorer.send(path, {"expected_version": 1, "event": TOTALS}).status_code == 201
    read = scorer.get(f"/api/v1/tables/{table.row.pk}/").json()
    assert (read["has_totals"], read["winners"]) == (True, ["1"])


def test_a_deal_after_totals_is_refused_and_totals_after_a_deal(table: Playing):
    table.record(TOTALS)
    with pytest.raises(EventNotAllowed) as refused:
        table.deal(1, show, loses(20), loses(30), loses(40))
    assert [problem.code for problem in refused.value.problems] == ["has_totals"]


def planned(**stage: Any) -> tuple[Tournament, Playing]:
    """A planned pool of four at one table, seated."""
    tournament = new_tournament(new_club(is_published=True), entry_minor=0, is_published=True)
    players = [str(player.id) for player in add_players(tournament.club, CAST)]
    plan = {"stages": [{"rounds": 2, "preferred_table": 4, **stage}]}
    record_in_tournament(tournament.id, wire.PlanMade(plan=plan), context=context())
    record_all_in_tournament(
        tournament.id, [wire.PlayerEntered(player=player) for player in players], context=context()
    )
    event = wire.RoundSeated(stage=1, round=1, tables=((1, tuple(players)),), method="draw", seed="s")
    [row] = seat_round(tournament.id, event, context=context()).tables
    return tournament, Playing(row=row)


def test_a_stage_that_compares_averages_per_deal_takes_no_totals():
    _, table = planned(compares="average")
    with pytest.raises(EventNotAllowed) as refused:
        table.record(TOTALS)
    assert [problem.text() for problem in refused.value.problems] == [
        "this stage compares averages per deal: enter it deal by deal"
    ]


def test_a_seating_is_not_undone_and_seats_do_not_change_once_totals_are_recorded():
    tournament, table = planned()
    table.record(TOTALS)
    with pytest.raises(EventNotAllowed) as refused:
        withdraw_seating(tournament.pk, 1, reason="drawn by mistake", context=context())
    assert [problem.code for problem in refused.value.problems] == ["already_played"]
    [seated] = tables_now(tournament, there(tournament_state(tournament.pk)))
    assert not seated.may_change
    assert seated.free == 0


def test_a_table_of_totals_is_closed_with_the_others():
    tournament, table = planned()
    table.record(TOTALS)
    [candidate] = tables_to_close(
        Scene(tournament=tournament, state=there(tournament_state(tournament.pk)), context=context())
    )
    assert english(candidate.does) == "by totals: Asha wins"
    assert candidate.why_not is None


@pytest.mark.parametrize(
    ("preset", "stakes", "numbers", "moved"),
    [
        ("points_session", {"point_value_minor": 200}, (30, -10, -25, 5), [6_000, -2_000, -5_000, 1_000]),
        ("deals_best_of_2", {"entry_minor": 500}, (200, 160, 120, 160), [1_500, -500, -500, -500]),
        ("rum", {"entry_minor": 500}, (90, 20, 130, 40), [-500, 1_500, -500, -500]),
    ],
)
def test_every_game_of_totals_is_settled_proven_and_shown(
    client: Client, preset: str, stakes: dict[str, int], numbers: tuple[int, ...], moved: list[int]
):
    tournament = new_tournament(new_club(is_published=True), preset, is_published=True, **{"entry_minor": 0, **stakes})
    table = new_table(tournament)
    table.record({"kind": "totals_recorded", "totals": {str(seat): n for seat, n in enumerate(numbers, start=1)}})
    table.close()
    assert settle_table(table.row.pk, now=NOW).posted == 1
    assert list(load_table(table.sheet.state).won_in_books().values()) == moved
    assert complaints() == []
    words = {"club_slug": tournament.club.slug, "slug": tournament.slug}
    at_table = {**words, "round": 1, "number": 1}
    assert "Totals recorded" in text_of(client.get(reverse("pages:table", kwargs=at_table)))
    assert client.get(reverse("files:sheet_json", kwargs=at_table)).json()["lines"][0]["kind"] == "totals_recorded"
    assert client.get(reverse("files:board_json", kwargs=words)).json()["tables"][0]["has_totals"] is True
    assert client.get(reverse("files:sheet_csv", kwargs=at_table)).status_code == 200
    for file in ("csv", "xlsx"):
        assert client.get(reverse(f"files:board_{file}", kwargs=words)).status_code == 200


def test_no_further_deal_is_waited_for_after_totals_but_tied_seats_may_play_on():
    stage = Stage(name="Heats", length="deals", deals=9)
    by_totals = TableSummary(key="1", round=1, number=1, title="Table 1", has_totals=True)
    assert is_played(by_totals, stage, 4, None)
    assert not is_played(replace(by_totals, plays_to_the_end=True), stage, 4, None)


def test_a_printed_sheet_of_a_table_with_totals_begins_with_them_and_has_no_further_deal(table: Playing):
    table.record(TOTALS)
    grid = score_grid(load_table(table.sheet.state), dict(zip("1234", CAST, strict=True)))
    assert [cell for cell in grid.before if cell.isdecimal()] == ["7", "101", "140", "119"]
    assert not [row for row in grid.rows if row[0].isdecimal()]
