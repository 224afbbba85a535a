"""Between two deals of a Western game: the offered actions, and what they store."""

import pytest
from django.test import Client

from tests.builders.acts_at_tables import act, last_kind
from tests.builders.admin_tables import Evening
from tests.builders.page_text import html, refusal_of, said
from tests.builders.samples import each
from tests.builders.western_pages import GAMES, tournament_state
from tournaments.models import Club, Scoresheet

EVERY_GAME = pytest.mark.parametrize("name", list(GAMES))


def after_a_deal(club: Club, name: str, **draft: object) -> Evening:
    """A table at which one deal was played."""
    evening = tournament_state(club, name, **draft)
    evening.record({"kind": "deal_recorded", "deal": 1, **GAMES[name].event})
    return evening


@pytest.mark.slow
@EVERY_GAME
def test_a_penalty_is_given_and_taken_back_a_deal_voided_and_the_table_given_up(dita: Client, club: Club, name: str):
    evening = after_a_deal(club, name)
    assert evening.page("penalty") in html(dita.get(evening.score_url))
    counted = "Chips" if name == "rummy_royal" else "Points"
    assert f'<label for="id_points">{counted}</label>' in html(dita.get(evening.page("penalty")))
    given = dita.post(evening.page("penalty"), act(2, seat="2", points="5", reason="late"))
    assert given.status_code == 302
    assert "Penalty of 5 for Bo" in said(given)
    assert dita.post(evening.page("withdraw/3"), act(3, key="b" * 32, reason="was early")).status_code == 302
    assert last_kind(evening) == "fact_withdrawn"
    assert dita.post(evening.page("void/1"), act(4, key="c" * 32, reason="misdeal")).status_code == 302
    assert "1 (cancelled, to be played again)" in html(dita.get(evening.score_url))
    assert dita.post(evening.page("cancel"), act(5, key="d" * 32, reason="rain")).status_code == 302
    assert Scoresheet.objects.get(table=evening.table).is_cancelled


@pytest.mark.parametrize("name", each("rum", "block", "rummy500", "romme", "rummy_royal"))
def test_a_player_leaves_and_has_no_row_in_the_next_deal(dita: Client, club: Club, name: str):
    evening = after_a_deal(club, name)
    assert dita.post(evening.page("leave"), act(2, seat="3")).status_code == 302
    page = dita.get(evening.score_url)
    assert [row.seat for part in page.context["parts"] for row in part.rows] == [
        seat for seat in page.context["names"] if seat != "3"
    ]


@pytest.mark.parametrize("name", each(*(name for name in GAMES if name != "rummy_royal")))
def test_time_is_called_where_the_game_is_not_over(dita: Client, club: Club, name: str):
    evening = after_a_deal(club, name)
    page = html(dita.get(evening.score_url))
    assert evening.page("time") in page
    assert evening.page("close") not in page
    assert "Table closed: time was called" in said(dita.post(evening.page("time"), act(2)))
    assert Scoresheet.objects.get(table=evening.table).is_closed


def test_a_board_with_chips_on_it_cannot_be_closed_and_nothing_is_offered(dita: Client, club: Club):
    evening = after_a_deal(club, "rummy_royal")
    page = html(dita.get(evening.score_url))
    assert evening.page("time") not in page
    assert evening.page("close") not in page
    assert "play the last deal" in refusal_of(dita.post(evening.page("time"), act(2)))


@pytest.mark.slow
def test_chips_are_bought_at_the_value_of_a_chip(dita: Client, club: Club):
    evening = after_a_deal(club, "rummy_royal", entry_minor=0, point_value_minor=300)
    assert evening.page("buy-in") in html(dita.get(evening.score_url))
    assert "the amount is not a whole number of chips: too much for" in refusal_of(
        dita.post(evening.page("buy-in"), act(2, seat="3", amount_minor="10"))
    )
    bought = dita.post(evening.page("buy-in"), act(2, key="b" * 32, seat="3", amount_minor="150.00"))
    assert bought.status_code == 302
    assert "450 chips issued" in html(dita.get(evening.score_url))
