"""A club that kept its season in a workbook brings it in: players, opening balances, and twelve evenings of forty.

The standings are added up here by hand: the best eight of twelve evenings, a point for each evening that was attended.
Planted faults this catches: a result of a namesake, a worst evening that counts, a place that is read as points.
"""

from collections import defaultdict
from datetime import date, timedelta
from typing import Any

import pytest

from scoring import ledger
from scoring.money import AccountKind, AccountRef
from tests.builders.playing import new_club
from tests.builders.seasons import caught_up, played, season, standings
from tests.builders.spreadsheets import draft_of, imported, workbook_of
from tournaments.importing import Outcome
from tournaments.importing.run import preview_import
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Club, ImportKind, Player
from tournaments.spreadsheets import read_spreadsheet

pytestmark = pytest.mark.django_db

GIVEN = ("Asha", "Bo", "Cyrus", "Devika", "Esha", "Farid", "Gita", "Hari")
FAMILY = ("Rao", "Menon", "D'Souza", "Khan", "Iyer")
NAMES = [f"{given} {family}" for family in FAMILY for given in GIVEN]
EVENINGS = [date(2026, 1, 6) + timedelta(weeks=week) for week in range(12)]
PLACE_POINTS = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1]


def results_of(evening: int) -> list[str]:
    """Who came, the winner first: the order turns by seven from one evening to the next, and one in five is missing."""
    turned = NAMES[evening * 7 % 40 :] + NAMES[: evening * 7 % 40]
    return [name for number, name in enumerate(turned) if (number + evening) % 5]


def totals_by_hand(evenings: list[list[str]]) -> dict[str, int]:
    points: dict[str, list[int]] = defaultdict(list)
    for names in evenings:
        for place, name in enumerate(names):
            points[name].append(PLACE_POINTS[place] if place < len(PLACE_POINTS) else 0)
    return {name: sum(sorted(own, reverse=True)[:8]) + len(own) for name, own in points.items()}


@pytest.fixture
def club() -> Club:
    return new_club(locale="de_DE", currency="EUR")


def test_a_whole_season_comes_in_from_a_workbook_and_goes_on_here(club: Club):
    members = [["Mitgliedsnr.", "Spieler"], *([f"{number:03}", name] for number, name in enumerate(NAMES, 1))]
    imported(club, read_spreadsheet(workbook_of(members)))
    balances: list[list[Any]] = [["Spieler", "Guthaben", "Datum"]]
    balances += [[name, 12.5, date(2025, 12, 31)] for name in NAMES]
    imported(club, read_spreadsheet(workbook_of(balances)), ImportKind.BALANCES)
    league = season(club, formula={"place_points": PLACE_POINTS, "best": 8, "attendance": 1})
    evenings = [results_of(number) for number in range(12)]
    rows: list[list[Any]] = [
        ["Liga 2026"],
        ["Datum", "Turnier", "Name", "Platz"],
        *(
            [day, f"Spielabend {number}", name, place]
            for number, (day, names) in enumerate(zip(EVENINGS, evenings, strict=True), 1)
            for place, name in enumerate(names, 1)
        ),
    ]
    worksheet = read_spreadsheet(workbook_of(rows))
    _, preview = preview_import(draft_of(club, worksheet, ImportKind.STANDINGS, season=league))
    assert preview.counts == {Outcome.CHANGED: 12 * 32}
    imported(club, worksheet, ImportKind.STANDINGS, season=league)
    played(club, "Asha Rao", "Bo Menon", day=120)
    caught_up(club)

    names = {str(player.pk): player.name for player in Player.objects.filter(club=club)}
    (table,) = standings(league).tables
    assert {names[row.player]: int(row.total) for row in table.rows} == totals_by_hand(
        [*evenings, ["Asha Rao", "Bo Menon"]]
    )
    assert table.fields == (*[32] * 12, 2)
    opening = AccountRef(kind=AccountKind.OPENING)
    assert ledger.balances(club.id, "EUR", [opening]) == {opening: -40 * 1250}
    assert rebuild_differences() == []
