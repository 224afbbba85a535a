"""Recording a deal through the form stays quick, however many tables, players and deals there are."""

from statistics import median
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders.admin_tables import Evening, evening_at, sheet
from tests.builders.counted_calls import counted_calls
from tournaments.models import Club, Role

MOST_QUERIES = 20
# Today 24,000: some 20 ms on an idle machine.
MOST_CALLS = 36_000


def queries(client: Client, url: str, data: dict[str, str] | None = None) -> int:
    with CaptureQueriesContext(connection) as caught:
        answer = client.post(url, data) if data is not None else client.get(url)
    assert answer.status_code in (200, 302)
    return len(caught)


def play(evening: Evening, deals: int) -> None:
    for number in range(evening.version, evening.version + deals):
        evening.deal(
            number, show=str(1 + number % 4), **dict[str, Any]({f"s{1 + (number + k) % 4}": 1 for k in (1, 2, 3)})
        )


@pytest.mark.slow
def test_a_deal_is_recorded_in_few_queries(sam: Client, pool: Evening):
    sam.get(pool.score_url)
    assert queries(sam, pool.score_url, sheet(1, s1="show", c2="1", c3="2", c4="3")) <= MOST_QUERIES


@pytest.mark.slow
def test_a_tables_pages_cost_the_same_after_many_deals(sam: Client, pool: Evening):
    def cost() -> list[int]:
        return [queries(sam, pool.page(page)) for page in ("score", "sheet", "log")]

    play(pool, 2)
    cost()
    few = cost()
    play(pool, 20)
    assert cost() == few


@pytest.mark.slow
def test_lists_and_the_landing_page_cost_the_same_with_many_rows(signed_in: Any, club: Club):
    client = signed_in(Role.OWNER)

    def cost() -> dict[str, int]:
        lists = (f"tournaments/{rows}/" for rows in ("tournament", "table", "player", "event"))
        return {path: queries(client, f"/admin/{path}") for path in ("", *lists)}

    for number in range(2):
        evening_at(club, names=(f"A{number}", f"B{number}"), name=f"more {number}")
    cost()
    few = cost()
    for number in range(4):
        evening_at(club, names=(f"C{number}", f"D{number}"), name=f"still more {number}")
    assert cost() == few


@pytest.mark.slow
def test_recording_a_deal_takes_little_of_the_processor(sam: Client, pool: Evening):
    play(pool, 4)
    made = []
    for number in range(5, 8):
        typed = sheet(number, deal=number, key=f"{number:032d}", s1="show", c2="1", c3="1", c4="1")
        with counted_calls() as calls:
            assert sam.post(pool.score_url, typed).status_code == 302
        made.append(calls.made)
    assert median(made) < MOST_CALLS
