"""The score sheet page: each deal, its changes, payments, and earlier versions."""

import html
import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now

from tests.builders.flat import flat
from tests.builders.public_tables import a_club, a_tournament, address, english, seat
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

TABLE = "r1/table-1/"


def page(client: Client, tournament: Tournament, query: str = "") -> str:
    answer = client.get(address(tournament, TABLE) + query)
    assert answer.status_code == 200
    return html.unescape(flat(answer.content.decode())).replace("\u2068", "").replace("\u2069", "")


def test_a_corrected_deal_leads_to_the_sheet_as_it_was(client: Client, tournament: Tournament):
    seat(tournament).deal("show", 34, 12, 20).correct(1, "show", 43, 12, 20)
    text = page(client, tournament)
    assert f'href="{english(address(tournament, TABLE))}?at=2"' in text
    assert '<span class="pt">43</span>' in text
    before = page(client, tournament, "?at=2")
    assert '<span class="pt">34</span>' in before
    assert "As shown at version 2." in before
    assert "hx-get" not in before


def test_a_moment_shows_what_had_been_recorded_by_then(client: Client, tournament: Tournament):
    seat(tournament).deal("show", 34, 12, 20)
    later = (now() + timedelta(hours=1)).isoformat()
    assert '<span class="pt">34</span>' in page(client, tournament, f"?at={later}")
    earlier = (now() - timedelta(hours=1)).isoformat()
    assert client.get(address(tournament, TABLE), {"at": earlier}).status_code == 404


@pytest.mark.parametrize(
    "at", ["x", "-1", "99999999999999999999", "2026-13-01", "1e9", "²", "2026-01-01T00:00:00+99:00"]
)
def test_what_is_no_moment_is_refused_with_what_would_be_one(client: Client, tournament: Tournament, at: str):
    seat(tournament)
    answer = client.get(address(tournament, TABLE), {"at": at})
    assert answer.status_code == 400
    assert "(for a leaderboard, a position of the club’s log), a time such as" in answer.content.decode()


@pytest.mark.parametrize("at", ["0", "3", "999999", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_a_moment_without_a_sheet_is_never_an_error_of_ours(client: Client, tournament: Tournament, at: str):
    seat(tournament).deal("show", 34, 12, 20)
    assert client.get(address(tournament, TABLE), {"at": at}).status_code in {200, 400, 404}


def test_ten_seats_are_drawn_apart(client: Client, tournament: Tournament):
    seat(tournament, *(f"Player {n}" for n in range(1, 11))).deal("show", *range(2, 11))
    drawing = page(client, tournament).partition('<svg class="chart"')[2]
    assert drawing.count("<marker ") == 10
    assert "style=" not in drawing.partition("</svg>")[0]
    assert drawing.partition("</svg>")[0].count('stroke-dasharray="7 4"') == 10


def test_the_sheet_as_json_has_whole_numbers_and_its_fingerprint(client: Client, tournament: Tournament):
    seat(tournament, "Asha", "Bo").deal("show", 80).deal("show", 30)
    found = json.loads(client.get(address(tournament, "r1/table-1/sheet.json")).content)
    assert found["version"] == 3
    assert found["fingerprint"].startswith("3-")
    assert found["payouts_minor"] == {"1": 54000}
    assert found["fee_minor"] == 6000
    assert found["winners"] == ["1"]
    assert found["lines"][1]["cells"]["2"] == {
        "how": "loss",
        "mark": {"how": "loss", "title": "Loss", "short": "", "count": 30},
        "points": 30,
        "total": 110,
        "is_out": True,
        "went_out": True,
    }


def test_the_fingerprint_is_that_of_the_version_shown(client: Client, tournament: Tournament):
    table = seat(tournament).deal("show", 34, 12, 20)
    noted = json.loads(client.get(address(tournament, "r1/table-1/sheet.json")).content)["fingerprint"]
    table.deal(3, "show", 4, 5)
    assert noted in page(client, tournament, "?at=2")
    assert noted not in page(client, tournament)


def test_house_rules_at_a_table_are_those_of_the_table_in_the_language_of_the_page(client: Client):
    """Planted faults: cached by the game alone, or in the language of the first reader."""
    titles = {"en-gb": "Points for a drop before the first draw", "de": "Punkte für einen Drop vor dem ersten Ziehen"}
    said = []
    for preset in ("pool_101", "pool_201"):
        tournament = a_tournament(a_club(), preset)
        seat(tournament)
        for language in ("en-gb", "de", "en-gb"):
            text = re.sub(r"<[^>]+>", " ", client.get(f"/{language}{address(tournament, TABLE)}").content.decode())
            said.append(text.partition(titles[language])[2].split()[0])
    assert said == ["20", "20", "20", "25", "25", "25"]
