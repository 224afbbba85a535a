"""The house's fee on the pages that players read: the board, the sheet and the list of the club."""

import html
from typing import Any

import pytest
from django.test import Client

from tests.builders.flat import flat
from tests.builders.public_tables import a_club, a_tournament, context, seat
from tournaments.evenings.commands.create import make_plan
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
TERMS: dict[str, Any] = {
    "fee_floor_minor": 400,
    "fee_cap_minor": 2_500,
    "levy_bp": 1_800,
    "levy_name": "GST",
    "levy_on": "fee",
}


def text(client: Client, tournament: Tournament, rest: str = "") -> str:
    answer = client.get(f"/c/{tournament.club.slug}/t/{tournament.slug}/{rest}")
    assert answer.status_code == 200
    return html.unescape(flat(answer.content.decode())).replace("\u2068", "").replace("\u2069", "")


def test_the_board_says_the_bounds_of_the_fee_and_the_levy(client: Client):
    tournament = a_tournament(a_club(), **TERMS)
    said = "house fee 10%, at least ₹4.00, at most ₹25.00 · GST 18% of the house fee"
    assert f"Entry fee ₹300.00 · {said}" in text(client, tournament)


def test_the_sheet_says_them_and_shows_the_formula_with_its_numbers(client: Client):
    tournament = a_tournament(a_club(), **TERMS)
    seat(tournament, "Asha", "Bo").deal("show", 80).deal("show", 30)
    page = text(client, tournament, "r1/table-1/")
    assert "House fee 10%, at least ₹4.00, at most ₹25.00 · GST 18% of the house fee" in page
    assert "House fee: 10% of ₹600.00, at least ₹4.00, at most ₹25.00, is ₹25.00" in page
    assert "GST: 18% of ₹25.00 is ₹4.50" in page


def test_a_least_fee_is_told_where_there_is_no_percentage(client: Client):
    tournament = a_tournament(a_club(), fee_bp=0, fee_floor_minor=400)
    assert "house fee at least ₹4.00" in text(client, tournament)


def test_the_board_of_a_planned_evening_says_the_bounds_of_its_plan(client: Client):
    tournament = a_tournament(a_club(), **TERMS)
    make_plan(tournament.pk, {"fee_cap_minor": 3_000}, context=context())
    page = text(client, tournament)
    assert "house fee 10%, at most ₹30.00" in page
    assert "GST" not in page
