"""Names are shown as they were typed on every page, and never run as script."""

import csv
import html
import io
import json

import pytest
from django.test import Client

from tests.builders.odd_names import NAMES
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tournaments.models import Tournament
from tournaments.printing.files import inert
from tournaments.sheet_import import MADE_INERT

pytestmark = pytest.mark.django_db

PAGES = (
    *("", "board/", "r1/table-1/", "r1/table-1/sheet/", "embed/", "embed/part/", "rounds/", "seating/"),
    *("seating/part/", "screen/", "screen/part/?screens=seating", "screen/part/?screens=standings"),
)
WITHOUT_PLAYERS = ("share/", "proof/", "prizes/", "schedule/", "rules/")


@pytest.fixture
def tournament() -> Tournament:
    club = a_club(name='<b>Club</b> & "friends"')
    tournament = a_tournament(club, name="</title><script>alert(2)</script>")
    table = seat(tournament, *NAMES, name="<i>Window</i>")
    table.deal("show", 80, 80, 80, 80, 80, 80, 80, 80, 12).deal("show", *[30] * 8, 3)
    return tournament


def test_names_stand_on_every_page_as_they_were_typed_and_are_text(client: Client, tournament: Tournament):
    """Of players, of the club, the tournament and a table."""
    naming = [address(tournament, part) for part in PAGES]
    others = ["/", f"/c/{tournament.club.slug}/", *(address(tournament, part) for part in WITHOUT_PLAYERS)]
    for path in (*naming, *others):
        text = client.get(path).content.decode()
        assert path in others or [name for name in NAMES if name not in html.unescape(text)] == [], path
        assert [markup for markup in ("<b>Club", "<i>Window", "<script>alert") if markup in text] == [], path
    found = json.loads(client.get(address(tournament, "board.json")).content)
    assert {entry["name"] for entry in found["standings"]} == set(NAMES)


def test_no_cell_of_a_board_or_sheet_runs_in_a_spreadsheet_and_numbers_stay_numbers(
    client: Client, tournament: Tournament
):
    raw = client.get(address(tournament, "board.csv")).content
    assert raw.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(raw.decode("utf-8-sig"))))
    names = {row["name"] for row in rows}
    assert {name for name in names if name.startswith("'")} == {*('\'=HYPERLINK("http://evil","x")', "'＝1+1", "'-2+3")}
    assert {name.removeprefix("'") for name in names} == set(NAMES)
    assert {row["total"] for row in rows} == {"0", "110", "15"}
    sheet = client.get(address(tournament, "r1/table-1/sheet.csv")).content.decode("utf-8-sig")
    heading, first, *_ = csv.reader(io.StringIO(sheet))
    assert not [cell for cell in heading if cell[:1] in "=+-@＝"]
    assert first[:8] == ["2", "deal_recorded", "1", "", "show", "0", "0", "loss"]


def test_a_loss_of_points_is_a_negative_number_not_a_formula(client: Client):
    tournament = a_tournament(a_club(), "points")
    seat(tournament, "Asha", "Bo").deal("show", 34)
    raw = client.get(address(tournament, "board.csv")).content.decode("utf-8-sig")
    assert [row["net_points"] for row in csv.DictReader(io.StringIO(raw))] == ["34", "-34"]


def test_what_a_spreadsheet_might_calculate_gets_an_apostrophe_and_other_text_is_left_alone():
    """Planted fault: only the start of the text looked at; a spreadsheet in German ends a cell at a semicolon."""
    plain = ("=1", "+1", "-1", "@x", "＝1", "＋1", "－1", "＠x", "−1")
    behind = [f"{sign}=1" for sign in ("\t", "\r", "\n", " ", "\u00a0", "\u200e", "\u202e", "\ufeff", "\x00")]
    assert [text for text in (*plain, *behind) if not inert(text).startswith("'")] == []
    cells = {"x;=1+1;y": "x;'=1+1;y", "x\t=1": "x\t'=1", "x,@y": "x,'@y", "=1;=2": "'=1;'=2"}
    assert {text: inert(text) for text in cells} == cells
    assert [MADE_INERT.sub("", text) for text in cells.values()] == list(cells)
    others = ("Asha", "", "1", "O'Neil", "a=b", "a; b", "a;b-c", "محمد", "🃏")
    assert [text for text in others if inert(text) != text] == []


def test_the_address_of_a_long_name_ends_with_a_word():
    """Planted fault: cut after sixty letters, it ended with a dash."""
    made = a_tournament(a_club(), name="The Long Names Memorial Championship of the Western Suburbs 2026")
    assert made.slug == "the-long-names-memorial-championship-of-the-western-suburbs"
