"""A club may keep to itself who won or lost how much: then no door without a login shows an amount beside a name.

Planted faults these catch: an amount left on a page, in a file, in an embedded frame, on the projector, in a published
copy or in the API; a page kept from before the setting was changed; the same taken from the club's own people.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import person
from tests.builders.export_files import workbook_rows
from tests.builders.playing import context, new_club
from tests.builders.prize_evening import Evening
from tests.builders.public_tables import a_tournament, address, seat
from tests.builders.signed_in import signed_in
from tournaments.models import Club, Role, Table, Tournament
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.web.publishing import publish_owed

pytestmark = pytest.mark.django_db

NAMES = ("Asha", "Bo", "Cy", "Dev")
PAGES = (
    *("", "board/", "embed/", "embed/part/", "past/", "prizes/", "rounds/", "seating/", "schedule/", "room/", "share/"),
    *("screen/", "screen/part/?lines=20&across=2", "screen/part/?screens=winners", "screen/part/?screens=standings"),
)
FILES = ("board.json", "board.csv", "board.xlsx", "log.jsonl")
TABLE = ("r1/table-1/", "r1/table-1/sheet/", "r1/table-1/sheet.json", "r1/table-1/sheet.csv")
OF_CLUB = ("", "running/", "players/", "seasons/", "ratings/", "results.atom", "tournaments.ics", "ratings.json")
AMOUNT = re.compile(r"[₹€$] ?-?\d|INR ?\d")
# Fields of files and of the API that hold an amount of one player.
OF_A_PLAYER = ("payout_minor", "prize_minor", "net_minor", "amount_minor", "payouts_minor")


def points_night(club: Club) -> Tournament:
    """Table stakes: every deal is paid, and Cy bought in."""
    stakes = {"options": {"table_stakes": True, "min_buy_in": 1}}
    tournament = a_tournament(club, "points", **stakes)
    table = seat(tournament)
    for number in range(1, 5):
        table.event(kind="bought_in", seat=str(number), amount_minor=40_000)
    table.deal("show", 34, 12, "first_drop").event(kind="table_closed")
    close_tournament(tournament.pk, context=context())
    return tournament


def prize_night(club: Club) -> Tournament:
    """Asha wins the prizes and Bo a side pot."""
    pot = {"name": "High hand", "contribution_minor": 1_000}
    night = Evening(club, side_pots=[pot], things=["the cup"]).paid().played()
    won = wire.SidePotWon(pot="High hand", players=(night.players[1],), reason="four queens")
    record_in_tournament(night.tournament.pk, won, context=context())
    close_tournament(night.tournament.pk, context=context())
    return night.tournament


NIGHTS = {"points": points_night, "prizes": prize_night}


@pytest.fixture(params=NIGHTS)
def night(request: pytest.FixtureRequest) -> Tournament:
    return NIGHTS[request.param](new_club(is_published=True))


def keep_private(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(shows_money=False)


def doors(tournament: Tournament) -> list[str]:
    """Every address without a login at which a tournament, its players or its club can be read."""
    table = Table.objects.get(tournament=tournament)
    players = [str(seat.player_id) for seat in table.seats.all()]
    club = f"/c/{tournament.club.slug}"
    api = f"/api/v1/tournaments/{tournament.pk}"
    return [
        *(address(tournament, part) for part in (*PAGES, *FILES, *TABLE)),
        *(address(tournament, f"{part}?at=after:1") for part in ("", "board.json", "board.csv")),
        *(address(tournament, f"who/{player}/") for player in players),
        *(f"{club}/{part}" for part in OF_CLUB),
        *(f"{club}/p/{player}/{file}" for player in players for file in ("", "player.json")),
        *(f"{api}/{part}" for part in ("", "leaderboard/", "tables/", "evening/")),
        *(f"/api/v1/tables/{table.pk}/{part}" for part in ("", "events/", "form/")),
    ]


def amounts_of_players(answer: Any) -> list[str]:
    """Where an answer has an amount beside a name, as text; nothing where it has none."""
    kind, content = answer["Content-Type"].partition(";")[0], answer.content
    match kind:
        case "application/json":
            return [*_in_data(json.loads(content))]
        case "application/jsonl":
            lines = (json.loads(line) for line in content.splitlines())
            bodies = [json.loads(line["body"]) for line in lines if line.get("body")]
            return [*_in_data([body for body in bodies if "player" in body or "seat" in body])]
        case "text/csv":
            rows = [dict(row) for row in csv.DictReader(io.StringIO(content.decode()))]
            return [f"{name}: {row[name]}" for row in rows for name in OF_A_PLAYER if row.get(name)]
        case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
            heading, *cells = workbook_rows(content, "Leaderboard")
            found = [dict(zip(heading, row, strict=True)) for row in cells]
            return [f"{name}: {row[name]}" for row in found for name in ("payout", "prize", "net") if row[name]]
        case "text/html":
            return [*_on_page(content.decode())]
    lines = content.decode(errors="replace").splitlines()
    return [line for line in lines if AMOUNT.search(line) and any(name in line for name in NAMES)]


def _in_data(data: Any) -> Iterator[str]:
    if isinstance(data, dict):
        yield from (f"{name}: {data[name]}" for name in OF_A_PLAYER if data.get(name))
        data = list(data.values())
    if isinstance(data, list):
        for each in data:
            yield from _in_data(each)
    elif isinstance(data, str) and any(name in data for name in NAMES):
        yield from AMOUNT.findall(data)


def _on_page(page: str) -> Iterator[str]:
    """Rows, entries and sentences with both a name and an amount; stakes stand above names, not beside them."""
    for block in LexborHTMLParser(page).css("tr, li, p, dd, figcaption"):
        if re.search(r"<(?:tr|li|p|dd)\b", (block.html or "")[1:]):
            continue
        text = " ".join(block.text(separator=" ").split())
        if any(re.search(rf"\b{name}\b", text) for name in NAMES) and AMOUNT.search(text):
            yield text
    # A payout may be in a row below that of the name, under a heading.
    yield from (node.text(strip=True) for node in LexborHTMLParser(page).css("td.money") if node.text(strip=True))


def told(client: Client, tournament: Tournament) -> dict[str, list[str]]:
    """The amounts of players by address."""
    found = {}
    for path in doors(tournament):
        answer = client.get(path, follow=True)
        if answer.status_code == 200 and (amounts := amounts_of_players(answer)):
            found[path] = amounts
    return found


def test_no_door_shows_an_amount_beside_a_name_where_the_club_keeps_them_private_and_its_people_read_all(
    client: Client, night: Tournament
):
    before = told(client, night)
    # Today's behaviour is the default; and the search finds what there is.
    own = address(night)
    kinds = {"board.json", "board.csv", "board.xlsx", "", "embed/", "screen/part/?screens=winners"}
    assert {f"{own}{part}" for part in kinds} <= before.keys()
    keep_private(night.club)
    assert told(client, night) == {}
    for part in (*PAGES, *FILES, *TABLE):
        assert client.get(address(night, part), follow=True).status_code == 200, part
    assert "Asha" in client.get(address(night, "screen/part/?screens=winners")).content.decode()
    rows = signed_in(night.club, "director").get(f"/api/v1/tournaments/{night.pk}/leaderboard/").json()["rows"]
    assert any(row.get("payout_minor") or row.get("prize_minor") for row in rows)


def test_a_published_copy_has_no_amount_of_a_player(night: Tournament, tmp_path: Path, settings: Any):
    settings.PUBLISH_TO, settings.LANGUAGES = str(tmp_path), settings.LANGUAGES[:1]
    keep_private(night.club)
    assert list(publish_owed())
    pages = [*tmp_path.rglob("*.html")]
    assert pages
    assert [text for page in pages for text in _on_page(page.read_text())] == []
    assert [*_in_data([json.loads(file.read_bytes()) for file in tmp_path.rglob("board*.json")])] == []


def test_the_setting_is_a_box_of_the_clubs_form_and_on_from_the_start(client: Client):
    club = new_club()
    client.force_login(person("olga", Role.OWNER, club))
    answer = client.get(f"/admin/tournaments/club/{club.pk}/change/")
    box = LexborHTMLParser(answer.content.decode()).css_first("[name=shows_money]")
    assert box is not None
    assert "checked" in box.attributes
