"""The room page: the countdown, the last call and the seats, for everyone who may see the tournament."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.events import wire
from tests.builders.admin_tables import NOW, club_called
from tests.builders.admin_tournaments import TIMED, Night, a_night, play_out, record, start_clock
from tests.builders.playing import rename
from tests.builders.public_tables import english
from tournaments.models import Table

pytestmark = pytest.mark.django_db
NINE = int(NOW.timestamp())
CAST = ("Cy", "Asha", "Dev", "Bo")


@pytest.fixture
def night() -> Night:
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    night.seat(night.enter(*CAST))
    return night


def url(night: Night, part: str = "") -> str:
    return f"/c/asha/t/{night.tournament.slug}/room/{part}"


@pytest.mark.slow
def test_the_board_leads_to_the_room_while_a_round_runs(client: Client, night: Night):
    board = f"/c/asha/t/{night.tournament.slug}/"
    assert f'href="{english(url(night))}"' in client.get(board).content.decode()
    assert url(night) not in client.get(board, {"at": "round:1"}).content.decode()
    for table in Table.objects.filter(tournament=night.tournament):
        record(table, {"kind": "table_cancelled", "reason": "the lamp fell"})
    assert url(night) not in client.get(board).content.decode()


def test_everybody_is_given_the_same_end_without_javascript_whenever_they_ask(client: Client, night: Night):
    start_clock(night, at_second=NINE)
    for minutes, left in ((15, ">30:00<"), (30, ">15:00<")):
        with time_machine.travel(NOW + timedelta(minutes=minutes), tick=False):
            answer = client.get(url(night))
        page, clock = answer.content.decode(), answer.context["clock"].clock
        assert clock.ends_at == answer.context["server_now"] // 1_000 + clock.left == NINE + 2_700
        assert left in page
        assert "until 01:45" in page
        assert f'data-ends="{NINE + 2_700}"' in page
    extra = wire.TimeAdded(round=1, seconds=300, table=2, reason="a torn card")
    night.record(extra, wire.LastDealCalled(round=1, at=NINE + 2_400))
    page = client.get(url(night)).content.decode()
    assert "finish the deal in play, start no other" in page
    assert f'data-ends="{NINE + 3_000}"' in page


def test_seats_are_shown_by_table_and_from_a_to_z_and_any_other_wish_is_answered(client: Client, night: Night):
    tables = client.get(url(night)).context["tables"]
    assert [(table["number"], table["names"]) for table in tables] == [(1, ("Cy", "Asha")), (2, ("Dev", "Bo"))]
    seats = client.get(url(night) + "?by=name").context["seats"]
    found = [(seat["name"], seat["table"], seat["seat"]) for seat in seats]
    assert found == [("Asha", 1, 2), ("Bo", 2, 2), ("Cy", 1, 1), ("Dev", 2, 1)]
    for asked in ("by=name&scale=xl", "by=clock", "by=nonsense&scale=9"):
        assert client.get(f"{url(night)}?{asked}").status_code == 200


def test_the_whole_page_is_never_kept_and_the_part_is_304_while_nothing_changes(client: Client, night: Night):
    start_clock(night, at_second=NINE)
    assert "no-store" in client.get(url(night))["Cache-Control"]
    with time_machine.travel(NOW + timedelta(minutes=1), tick=False):
        tag = client.get(url(night, "part/"))["ETag"]
        assert client.get(url(night, "part/"), headers={"if-none-match": tag}).status_code == 304
    with time_machine.travel(NOW + timedelta(minutes=46), tick=False):
        assert client.get(url(night, "part/"), headers={"if-none-match": tag}).status_code == 200


def test_an_unchanged_room_is_known_by_one_query_and_only_what_it_shows_makes_another(
    client: Client, night: Night, django_assert_max_num_queries: Any
):
    """Every phone in the hall asks each two seconds. Planted faults: every name read for each tag; the position of the
    board in the tag, which each of forty tables raises with each deal."""
    deeds: tuple[tuple[Callable[[], object], str], ...] = (
        (lambda: play_out(Table.objects.get(tournament=night.tournament, number=1)), ""),
        (lambda: rename("Asha", "Asha K"), ">Asha K<"),
        (lambda: night.record(wire.SeatingWithdrawn(round=1, reason="more have come")), "No round is seated yet"),
    )
    for deed, said in deeds:
        known = {"if-none-match": client.get(url(night, "part/"))["ETag"]}
        with django_assert_max_num_queries(1):
            assert client.get(url(night, "part/"), headers=known).status_code == 304
        deed()
        answer = client.get(url(night, "part/"), headers=known)
        assert answer.status_code == (200 if said else 304)
        assert said in answer.content.decode()


@pytest.mark.parametrize("by", ["table", "name"])
def test_the_seats_are_read_and_rendered_once_for_all_phones(
    client: Client, night: Night, by: str, django_assert_max_num_queries: Any
):
    first = client.get(url(night, "part/"), {"by": by})
    with django_assert_max_num_queries(2):
        again = client.get(url(night, "part/"), {"by": by})
    assert "pages/room_people.html" in {template.name for template in first.templates}
    assert "pages/room_people.html" not in {template.name for template in again.templates}
    assert ">Asha<" in again.content.decode()


@pytest.mark.slow
def test_the_page_costs_the_same_with_many_tables(client: Client, night: Night):
    def cost() -> int:
        with CaptureQueriesContext(connection) as caught:
            client.get(url(night))
        return len(caught)

    few = cost()
    night.record(wire.SeatingWithdrawn(round=1, reason="more have come"))
    night.enter(*(f"Guest {number}" for number in range(40)))
    tables = tuple((n, tuple(night.state.field()[2 * n - 2 : 2 * n])) for n in range(1, 23))
    night.record(wire.RoundSeated(stage=1, round=1, tables=tables, method="draw"))
    assert cost() == few


def test_the_name_of_a_player_stays_text(client: Client):
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    night.enter("<b>Asha</b>", "Bo")
    night.seat()
    for by in ("table", "name"):
        page = client.get(f"{url(night)}?by={by}").content.decode()
        assert "<b>Asha</b>" not in page
        assert "&lt;b&gt;Asha" in page
