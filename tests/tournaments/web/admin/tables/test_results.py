"""Who has won, read where a director closes: the table's result, its closing page, and the tournament's."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from scoring.events import wire
from tests.builders.admin_tables import evening_at
from tests.builders.admin_tournaments import HEATS, a_night, play_out, record
from tests.builders.flat import flat
from tests.builders.samples import each
from tournaments.models import Club

pytestmark = pytest.mark.django_db
NAMES = ("Asha", "Bo", "Cy")
BEST_FIRST = [(1, "Cy"), (2, "Bo"), (3, "Asha")]


def text_of(answer: Any) -> str:
    """The text of a page, its tags as blanks, without the marks around names."""
    page = re.sub("<[^>]+>", " ", flat(answer.content.decode()))
    return re.sub(r"\s+", " ", re.sub("[\u2068\u2069]", "", unescape(page)))


def rows_of(answer: Any) -> list[tuple[int | None, str, bool, str]]:
    """Place, name, whether the winner, and payout, from top to bottom."""
    rows = answer.context["standing"]
    return [(row["place"], row["name"], row["is_winner"], row["payout"].replace("\u00a0", " ")) for row in rows]


def test_a_finished_table_names_its_winner_and_stands_in_the_order_of_the_public_page(club: Club, dita: Client):
    """Planted fault: seat order, and who won is to be worked out from the numbers."""
    evening = evening_at(club, names=NAMES)
    typed = {"deal": "1", "how-1": "loss", "count-1": "30", "how-2": "loss", "count-2": "20", "how-3": "show"}
    answer = dita.post(evening.page("preview"), typed | {"version": "1", "kind": "deal_recorded"})
    assert [(row["place"], row["name"]) for row in answer.context["preview_seats"]] == [(None, name) for name in NAMES]
    assert rows_of(dita.get(evening.page("sheet")))[0] == (None, "Asha", False, "")
    evening.deal(1, show="3", s1=80, s2=30)
    assert [row[:2] for row in rows_of(dita.get(evening.page("sheet")))] == BEST_FIRST
    evening.deal(2, show="3", s1=80, s2=80)
    for page in ("score", "sheet"):
        answer = dita.get(evening.page(page))
        assert "♠ Cy wins" in text_of(answer)
        assert rows_of(answer)[0] == (1, "Cy", True, "₹900.00")
        assert [row[1] for row in rows_of(answer)] == ["Cy", "Bo", "Asha"]
    assert answer.context["seat_names"] == list(NAMES)
    answer = dita.get(evening.page("close"))
    assert "♠ Cy wins" in text_of(answer)
    assert [(row["place"], row["name"]) for row in answer.context["preview_seats"]] == BEST_FIRST


@pytest.mark.parametrize("entry_minor", each(10_000, 0))
def test_the_page_that_closes_a_tournament_names_the_first_places(club: Club, dita: Client, entry_minor: int):
    night = a_night(club, HEATS, entry_minor=entry_minor)
    night.enter("Asha", "Bo", "Cy", "Dev")
    assert dita.get(night.url("close")).context["podium"] == []
    night.play_round()
    [first, second] = [table.seats.get(number=1).player for table in night.tournament.tables.order_by("number")]
    night.record(wire.CutMade(stage=1, advancing=(str(first.pk), str(second.pk))))
    [final] = night.seat()
    play_out(final)
    record(final, {"kind": "table_closed"})
    page = text_of(dita.get(night.url("close")))
    winner = final.seats.get(number=1).player.name
    assert re.search(rf"\b1 {winner}\b", page)
    answer = dita.post(night.url("close"), {"key": "1" * 32})
    assert (answer.status_code, answer["Location"]) == (302, night.url("results"))
    results = text_of(dita.get(night.url("results")))
    assert re.search(rf"\b1 {winner}\b", results)
    assert "Repeat" in results
    if entry_minor:
        assert f"1: {winner}" in text_of(dita.get(night.url()))
