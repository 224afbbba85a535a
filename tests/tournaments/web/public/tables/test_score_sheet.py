"""The score sheet page: each deal, its changes, payments, and earlier versions.

Its states and those of the board beside it are stored pictures: cells, notes, fees, payments, rules.

Planted faults these catch: a contradiction left in English; a knock without its deadwood; a line that says who is "out
at" a target; boxes in alphabetical order; a gin board ordered by a number that it does not show; a word of a dispute
or a correction that a visitor should not read; an amount without its arithmetic.
"""

import html
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import translation
from django.utils.timezone import now
from syrupy.assertion import SnapshotAssertion

from scoring.rules.variants import PRESETS
from tests.builders.admin_tables import NOW
from tests.builders.flat import flat
from tests.builders.page_picture import picture
from tests.builders.public_tables import Seated, a_club, a_tournament, address, context, english, seat
from tournaments.log.context import CommandContext
from tournaments.models import Club, Tournament
from tournaments.people.players import add_players
from tournaments.rendering.i18n.translating import translate
from tournaments.running.commands.create import make_plan
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

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


def test_a_moment_shows_what_had_been_recorded_by_then_and_one_without_a_sheet_is_no_error_of_ours(
    client: Client, tournament: Tournament
):
    seat(tournament).deal("show", 34, 12, 20)
    later = (now() + timedelta(hours=1)).isoformat()
    assert '<span class="pt">34</span>' in page(client, tournament, f"?at={later}")
    earlier = (now() - timedelta(hours=1)).isoformat()
    assert client.get(address(tournament, TABLE), {"at": earlier}).status_code == 404
    for at in ("0", "3", "999999", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"):
        assert client.get(address(tournament, TABLE), {"at": at}).status_code in {200, 400, 404}


def test_ten_seats_are_drawn_apart(client: Client, tournament: Tournament):
    seat(tournament, *(f"Player {n}" for n in range(1, 11))).deal("show", *range(2, 11))
    drawing = page(client, tournament).partition('<svg class="chart"')[2]
    assert drawing.count("<marker ") == 10
    assert "style=" not in drawing.partition("</svg>")[0]
    assert drawing.partition("</svg>")[0].count('stroke-dasharray="7 4"') == 10


def test_the_sheet_as_json_has_whole_numbers_and_the_fingerprint_of_the_version_shown(
    client: Client, tournament: Tournament
):
    table = seat(tournament, "Asha", "Bo").deal("show", 80)
    noted = client.get(address(tournament, "r1/table-1/sheet.json")).json()["fingerprint"]
    table.deal("show", 30)
    assert noted in page(client, tournament, "?at=2")
    assert noted not in page(client, tournament)
    found = client.get(address(tournament, "r1/table-1/sheet.json")).json()
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


@pytest.mark.slow
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


# The list of house rules.
RULES = ".fold-panel"
FREE: dict[str, Any] = {"entry_minor": 0, "fee_bp": 0}
FEES: dict[str, Any] = {"fee_floor_minor": 400, "fee_cap_minor": 2_500}
TERMS: dict[str, Any] = {**FEES, "levy_bp": 1_800, "levy_name": "GST", "levy_on": "fee"}
TWO, THREE, FOUR = ("Asha", "Bo"), ("Asha", "Bo", "Cy"), ("Asha", "Bo", "Cy", "Dev")


def at(club: Club, preset: str, names: tuple[str, ...] = FOUR, **fields: Any) -> Seated:
    return seat(a_tournament(club, preset, **fields), *names)


def pool(club: Club, names: tuple[str, ...] = FOUR, **fields: Any) -> Seated:
    return at(club, "pool_101", names, **fields)


def out(club: Club, names: tuple[str, ...] = FOUR) -> Seated:
    """Bo is out in the second deal."""
    others = len(names) - 2
    return pool(club, names).deal("show", 80, *[10, 12][:others]).deal("show", 30, *[10, 12][:others])


def western(club: Club, preset: str, names: tuple[str, ...], *sheets: dict[str, Any], **stakes: Any) -> Seated:
    table = at(club, preset, names, **stakes)
    for number, sheet in enumerate(sheets, start=1):
        table.event(kind="deal_recorded", deal=number, **sheet)
    return table


def waiting(club: Club) -> Seated:
    """A table whose deals a second seat confirms; one deal is played."""
    tournament = a_tournament(club)
    players = enumerate(add_players(club, FOUR), start=1)
    seats = [SeatedPlayer(number=place, player=player.id) for place, player in players]
    draft = TableDraft(number=2, seats=seats, confirmation="second_seat")
    return Seated(open_table(tournament, draft, context=context())).deal("show", 30, 10, 20)


def confirmed(club: Club) -> Seated:
    table, by = waiting(club), CommandContext(actor="user:bo", now=NOW)
    event = {"kind": "deal_confirmed", "deal": 1, "seat": "2"}
    record_wire_event(table.row.id, event, expected=table.version, context=by)
    return table


def planned(club: Club) -> Tournament:
    """Its plan has a fee of its own."""
    tournament = a_tournament(club, **TERMS)
    make_plan(tournament.pk, {"fee_cap_minor": 3_000}, context=context())
    return tournament


KNOCKS = [
    {"knocker": "1", "knocker_deadwood": 4, "defender_deadwood": 20},
    {"knocker": "1", "ending": "gin", "defender_deadwood": 31},
]
PARTNERS = [
    {"knocker": "1", "defender": "2", "knocker_deadwood": 6, "defender_deadwood": 22},
    {"knocker": "4", "defender": "3", "knocker_deadwood": 3, "defender_deadwood": 14},
]
RUMMY_500 = {"out": "1", "melded": {"1": 85, "2": 40, "3": 0}, "in_hand": {"2": 25, "3": 32}}
ROYAL = {"dealer": "1", "out": "3", "boxes": {"AH": "2", "678": "1"}, "cards_left": {"1": 3, "2": 1}}
GIN = {**FREE, "point_value_minor": 100}

STATES: dict[str, Callable[[Club], Seated | Tournament]] = {
    "before a table is open": a_tournament,
    "before the first deal": pool,
    "each ending": lambda club: pool(club).deal("show", 34, "first_drop", "wrong_show"),
    "equal players": lambda club: pool(club).deal("show", 34, 34, 50),
    "a player out": out,
    "a player out of three": lambda club: out(club, THREE),
    "a rejoin and a penalty": lambda club: (
        out(club).event(kind="rejoined", seat="2").event(kind="penalty_given", seat="3", points=5, reason="late")
    ),
    "a contradiction": lambda club: out(club, THREE).deal("show", 5).correct(2, "show", 1, 3),
    "a rejoin that a correction contradicts": lambda club: (
        out(club).event(kind="rejoined", seat="2").correct(2, "show", 3, 10, 12)
    ),
    "a corrected deal": lambda club: pool(club).deal("show", 34, 12, 20).correct(1, "show", 43, 12, 20),
    "a voided deal": lambda club: (
        pool(club).deal("show", 34, 12, 20).event(kind="deal_voided", deal=1, reason="misdealt")
    ),
    "a finished pool": lambda club: pool(club, TWO).deal("show", 80).deal("show", 30),
    "a finished pool with a fee within bounds and a levy": lambda club: (
        pool(club, TWO, **TERMS).deal("show", 80).deal("show", 30)
    ),
    "a least fee without a percentage": lambda club: pool(club, fee_bp=0, fee_floor_minor=400),
    "the fee of a plan": planned,
    "a deal that waits": waiting,
    "a confirmed deal": confirmed,
    "a dispute": lambda club: waiting(club).event(kind="deal_disputed", deal=1, reason="I held 24"),
    "a corrected deal that waited": lambda club: waiting(club).correct(1, "show", 3, 10, 20),
    "a voided deal that waited": lambda club: waiting(club).event(kind="deal_voided", deal=1, reason="misdeal"),
    "rum, doubled": lambda club: western(
        club, "rum", THREE, {"out": "2", "counts": {"1": 26, "3": 15}, "went_rummy": True}
    ),
    "block, nobody out": lambda club: western(
        club, "block", THREE, {"out": None, "counts": {"1": 6, "2": 15, "3": 30}}
    ),
    "rummy 500, below nothing": lambda club: western(club, "rummy500", THREE, RUMMY_500),
    "gin, an undercut": lambda club: western(
        club, "gin", TWO, {"knocker": "1", "knocker_deadwood": 8, "defender_deadwood": 3}, **GIN
    ),
    "gin, its money": lambda club: western(
        club, "gin", TWO, {"knocker": "1", "ending": "gin", "defender_deadwood": 80}, **GIN
    ).event(kind="table_closed"),
    "hollywood": lambda club: western(club, "gin_hollywood", TWO, *KNOCKS, **FREE),
    "partners": lambda club: western(club, "gin_partnership", FOUR, {"hands": PARTNERS}, **FREE),
    "rummy royal": lambda club: western(club, "rummy_royal", THREE, ROYAL, **FREE, point_value_minor=200),
}


@pytest.fixture(autouse=True)
def evening() -> Iterator[None]:
    with time_machine.travel(NOW):
        yield


@pytest.mark.slow
@pytest.mark.parametrize("state", STATES)
def test_board_and_sheet_tell_the_state_of_a_table(client: Client, club: Club, state: str, snapshot: SnapshotAssertion):
    made = STATES[state](club)
    tournament = made.row.tournament if isinstance(made, Seated) else made
    pages = ["", *(f"r1/table-{table.number}/" for table in tournament.tables.all())]
    said = {page: picture(client.get(address(tournament, page)).content, without=RULES) for page in pages}
    standings = client.get(address(tournament, "board.json")).json()["standings"]
    in_json = [{name: value for name, value in row.items() if name != "player"} for row in standings]
    assert {**said, "board.json": in_json} == snapshot


@pytest.mark.parametrize("preset", ["palace_cyclic", "palace_training", "rummy_royal"])
def test_house_rules_that_count_stand_apart_from_how_it_is_played(
    client: Client, club: Club, preset: str, snapshot: SnapshotAssertion
):
    home = at(club, preset).row.tournament
    assert picture(client.get(address(home, "r1/table-1/")).content, RULES) == snapshot


def test_partners_are_joined_in_the_language_of_the_reader(client: Client, club: Club, snapshot: SnapshotAssertion):
    home = western(club, "gin_partnership", FOUR, {"hands": PARTNERS}, **FREE).row.tournament
    page = client.get(address(home, "r1/table-1/"), headers={"Accept-Language": "de"})
    assert picture(page.content, without=RULES) == snapshot


def test_a_note_on_a_preset_is_whole_in_every_language(client: Client, club: Club):
    """Planted fault: translated word by word, "10 or 15" became "10 oder 15" amid English."""
    page = client.get(address(a_tournament(club, "gin"), "rules/"), headers={"Accept-Language": "de"}).content.decode()
    with translation.override("de"):
        assert f'<p class="quiet">{translate(PRESETS["gin"][1].note)}</p>' in html.unescape(page)
