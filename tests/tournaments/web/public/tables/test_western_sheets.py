"""The public pages of the Western games: the cells, the notes under a deal, beside the standings and on the money.

Planted faults these catch: a knock without its deadwood, a line that says who is "out at" a target, boxes in the
alphabetical order, a gin board ordered by a number that it does not show.
"""

import html
import re

import pytest
from django.test import Client

from tests.builders.flat import flat
from tests.builders.public_tables import Seated, a_club, a_tournament, address, seat
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

TABLE = "r1/table-1/"
TAGS = re.compile(r"<[^>]+>")


def at(preset: str, *names: str, **fields: object) -> tuple[Tournament, Seated]:
    tournament = a_tournament(a_club(), preset, **fields)
    return tournament, seat(tournament, *(names or ("Asha", "Bo", "Cy")))


def page(tournament: Tournament, rest: str = TABLE, language: str = "en-gb") -> str:
    answer = Client().get(address(tournament, rest), headers={"Accept-Language": language})
    assert answer.status_code == 200
    return html.unescape(flat(answer.content.decode())).replace("\u2068", "").replace("\u2069", "")


def cells(text: str) -> str:
    """The score sheet alone, without tags."""
    return " ".join(TAGS.sub(" ", text.partition('class="sheet"')[2].partition("</table>")[0]).split())


def rows(text: str, caption: str) -> list[list[str]]:
    """A small table beside the standings."""
    body = text.partition(f"<caption>{caption}</caption>")[2].partition("<tbody>")[2].partition("</tbody>")[0]
    return [re.findall(r"<t[hd][^>]*>([^<]*)<", row) for row in body.split("</tr>") if "<td" in row]


def recorded(table: Seated, deal: int, **sheet: object) -> None:
    table.fact(kind="deal_recorded", deal=deal, **sheet)


def test_a_rum_sheet_says_who_went_rummy_and_what_a_doubled_hand_was_worth():
    tournament, table = at("rum")
    recorded(table, 1, out="2", counts={"1": 26, "3": 15}, went_rummy=True)
    text = page(tournament)
    assert "Went rummy" in text
    assert "52 held 26 52" in cells(text)
    assert "Total: the fewest lead." in text
    assert "target 100" in text
    assert "out at" not in text


def test_a_blocked_deal_says_that_nobody_went_out():
    tournament, table = at("block")
    recorded(table, 1, out=None, counts={"1": 6, "2": 15, "3": 30})
    assert "Nobody went out" in cells(page(tournament))


def test_rummy_500_shows_melded_and_held_and_totals_below_nothing():
    tournament, table = at("rummy500")
    recorded(table, 1, out="1", melded={"1": 85, "2": 40, "3": 0}, in_hand={"2": 25, "3": 32})
    text = page(tournament)
    assert "+15 40−25 15" in cells(text)
    assert "−32 0−32 −32" in cells(text)
    assert "Total: the most lead." in text


def test_a_gin_sheet_shows_the_deadwood_and_the_board_the_number_that_decides():
    tournament, table = at("gin", "Asha", "Bo", entry_minor=0, fee_bp=0, point_value_minor=100)
    recorded(table, 1, knocker="1", knocker_deadwood=8, defender_deadwood=3)
    text = page(tournament)
    assert "knock 8" in cells(text)
    assert "+30 undercut 3" in cells(text)
    assert rows(text, "The game") == [["Asha", "1", "0", "0", "0", ""], ["Bo", "1", "30", "1", "55", "55"]]
    assert "Net: the most lead." in page(tournament, "")


def test_hollywood_shows_its_games_side_by_side_and_what_the_hand_itself_was_worth():
    tournament, table = at("gin_hollywood", "Asha", "Bo", entry_minor=0, fee_bp=0)
    recorded(table, 1, knocker="1", knocker_deadwood=4, defender_deadwood=20)
    recorded(table, 2, knocker="1", ending="gin", defender_deadwood=31)
    text = page(tournament)
    points = [(row[0], row[1], row[2]) for row in rows(text, "Games side by side")]
    assert points[::2] == [("Asha", "1", "72"), ("Asha", "2", "56"), ("Asha", "3", "0")]
    assert "+112 gin" in cells(text)
    assert "Asha wins 56 points" in cells(text)


def test_partners_stand_as_one_side():
    tournament, table = at("gin_partnership", "Asha", "Bo", "Cy", "Dev", entry_minor=0, fee_bp=0)
    first = {"knocker": "1", "defender": "2", "knocker_deadwood": 6, "defender_deadwood": 22}
    second = {"knocker": "4", "defender": "3", "knocker_deadwood": 3, "defender_deadwood": 14}
    recorded(table, 1, hands=[first, second])
    sides = [row[:3] for row in rows(page(tournament), "The game")]
    assert sides == [["Asha and Cy", "1", "5"], ["Bo and Dev", "1", "0"]]
    german = rows(page(tournament, language="de"), "Das Spiel")
    assert [row[0] for row in german] == ["Asha und Cy", "Bo und Dev"]


def test_the_board_of_rummy_royal_stands_in_its_order_and_no_chip_is_lost():
    tournament, table = at("rummy_royal", entry_minor=0, fee_bp=0, point_value_minor=200)
    recorded(table, 1, dealer="1", out="3", boxes={"AH": "2", "678": "1"}, cards_left={"1": 3, "2": 1})
    text = page(tournament)
    board = dict(rows(text, "The board"))
    boxes = ["10♥", "J♥", "Q♥", "K♥", "A♥", "K‑Q♥", "6‑7‑8", "Kitty", "Pot"]
    assert list(board)[:9] == boxes
    assert (board["A♥"], board["Pot"], board["Chips bought"]) == ("0", "3", "300")
    assert int(board["On the board"]) + int(board["In stacks"]) == 300
    assert "One chip ₹2.00" in text
    assert "−7 A♥" in cells(text)


def test_a_gin_table_explains_its_money():
    tournament, table = at("gin", "Asha", "Bo", entry_minor=0, fee_bp=0, point_value_minor=100)
    recorded(table, 1, knocker="1", ending="gin", defender_deadwood=80)
    table.fact(kind="table_closed")
    text = page(tournament)
    assert "Game 1 goes to Asha, and is a shutout" in text
    assert "460 points of ₹1.00 make ₹460.00" in text
