"""A player's public page: every published night with its place, rates, and all opponents met, for any visitor."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import person
from tests.builders.admin_tournaments import HEATS, a_night, play_out, record
from tests.builders.counted_calls import counted_calls
from tests.builders.export_files import workbook_rows
from tests.builders.flat import flat
from tests.builders.playing import rename
from tests.builders.public_tables import Seated, a_club, a_tournament, context, english, seat
from tests.builders.samples import each
from tests.builders.there import there
from tournaments.boards import board
from tournaments.boards.players import page_player, player_page
from tournaments.models import Club, NightResult, Player, Role, Table, Tournament
from tournaments.privacy import erase_player
from tournaments.running.commands.close import close_tournament
from tournaments.seasons.commands.update import bring_up
from tournaments.seasons.results import current_results
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

pytestmark = pytest.mark.django_db
# The pages that link to a player's: a score sheet, and the explanation of a number.
FIRST_NIGHT = ("/c/{club}/t/first/r1/table-1/", "/c/{club}/t/first/who/{player}/")


def again(tournament: Tournament, *players: Player, number: int = 1) -> Seated:
    """A table with players of the club."""
    seats = [SeatedPlayer(number=place, player=player.id) for place, player in enumerate(players, start=1)]
    return Seated(open_table(tournament, TableDraft(number=number, seats=seats), context=context()))


def closed(table: Seated) -> Seated:
    table.event(kind="table_closed")
    close_tournament(table.row.tournament_id, context=context())
    return table


def called(name: str) -> Player:
    return Player.objects.select_related("club").get(name=name)


def url(player: Player, rest: str = "") -> str:
    return f"/c/{player.club.slug}/p/{player.id}/{rest}"


@pytest.fixture
def club() -> Club:
    """Two nights of points rummy: Asha wins the first, drops in the second; Dev has a night that is not published."""
    club = a_club()
    first = seat(a_tournament(club, "points", name="First"), "Asha", "Bo", "Cy", "Dev")
    closed(first.deal("show", 34, 20, "first_drop").deal("show", 10, "wrong_show", 5))
    asha, bo, cy, dev = (called(name) for name in ("Asha", "Bo", "Cy", "Dev"))
    again(a_tournament(club, "points", name="Second"), bo, asha).deal("show", "first_drop").deal(12, "show").event(
        kind="table_closed"
    )
    again(a_tournament(club, "points", name="Secret", is_published=False), asha, dev).deal("show", 80)
    again(a_tournament(club, "points", name="Third"), bo, cy).event(kind="table_cancelled", reason="the lamp fell")
    return club


def told(client: Client, player: Player) -> dict[str, Any]:
    answer = client.get(url(player, "player.json"))
    assert answer.status_code == 200
    found: dict[str, Any] = json.loads(answer.content)
    return found


def test_results_are_those_of_the_boards_of_published_nights_and_opponents_those_of_the_same_tables(
    client: Client, club: Club
):
    said = told(client, called("Asha"))
    assert [night["name"] for night in said["results"]] == ["Second", "First"]
    for night in said["results"]:
        rows = board(Tournament.objects.get(slug=night["tournament"])).rows
        [own] = [(row.place, row.line.net_points) for row in rows if row.line.player == said["player"]]
        assert (night["place"], night["score"]) == own
    assert said["results"][1] | {"place": 1, "of": 4, "deals": 2, "shows": 2, "drops": 0} == said["results"][1]
    assert said["results"][0] | {"place": 2, "of": 2, "deals": 2, "shows": 1, "drops": 1} == said["results"][0]
    assert "Secret" not in json.dumps(said)
    met = {each["name"]: each for each in said["opponents"]}
    assert {name: each["tables"] for name, each in met.items()} == {"Bo": 2, "Cy": 1, "Dev": 1}
    told_of_bo = {key: met["Bo"][key] for key in ("ahead", "behind", "deals_won", "deals_won_by_them")}
    assert told_of_bo == {"ahead": 1, "behind": 1, "deals_won": 3, "deals_won_by_them": 1}


@pytest.mark.slow
def test_the_page_says_the_same_whether_workers_have_kept_the_nights_or_not(client: Client, club: Club):
    """Planted fault: cached places of a night were shown although the night had been corrected since."""
    before = told(client, called("Asha"))
    assert bring_up(club.id, now=now()) is not None
    assert NightResult.objects.count() == 1
    assert told(client, called("Asha")) == before
    NightResult.objects.update(state='{"came":[],"tables":[]}')
    assert told(client, called("Asha")) != before
    NightResult.objects.update(position=1, closed_position=1)
    assert told(client, called("Asha")) == before


@pytest.mark.slow
def test_a_night_with_stages_has_the_places_of_its_board(client: Client):
    night = a_night(a_club(), HEATS)
    tables = night.seat(night.enter("Asha", "Bo", "Cy", "Dev"))
    play_out(tables[0])
    rows = board(Tournament.objects.select_related("club").get(id=night.tournament.id)).rows
    for row in rows:
        player = Player.objects.select_related("club").get(id=UUID(row.line.player))
        (result,) = told(client, player)["results"] if row.line.deals_played else (None,)
        assert result is None or (result["place"], result["of"]) == (row.place, 4)


def test_a_pool_counts_hand_points_and_the_fewer_lead(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop").deal(20, "show", 3, 4)
    said = told(client, called("Bo"))["results"][0]
    assert (said["score"], said["place"], said["of"]) == (34, 4, 4)
    page = client.get(url(called("Bo"))).content.decode()
    assert "running" in page


@pytest.mark.slow
def test_a_page_costs_as_many_queries_for_many_nights_as_for_few(
    client: Client, club: Club, django_assert_max_num_queries: Any
):
    people = [called(name) for name in ("Asha", "Bo", "Cy", "Dev")]
    for number in range(4):
        table = again(a_tournament(club, "points", name=f"More {number}"), *people)
        closed(table.deal("show", 34, 20, "first_drop"))
    night = a_night(club, HEATS, name="Heats")
    field = [str(player.id) for player in people]
    night.record(*(wire.PlayerEntered(player=player) for player in field))
    play_out(night.seat(field)[0])
    with django_assert_max_num_queries(16):
        assert client.get(url(people[0])).status_code == 200


@pytest.mark.slow
def test_the_next_player_of_a_night_costs_no_reading_of_its_board(client: Client):
    """Planted fault: of 200 players every seat of seven rounds was read for the place of one."""
    asked = []
    for name in ("One", "Two"):
        night = a_night(a_club(), HEATS, name=name, is_published=True)
        first, second = night.enter("Asha", "Bo")
        play_out(night.seat()[0])
        for player in (first, second):
            with CaptureQueriesContext(connection) as caught:
                assert client.get(f"/c/{night.tournament.club.slug}/p/{player}/").status_code == 200
            asked.append(len(caught))
    assert asked[:2] == asked[2:]
    assert asked[1] <= 12 < asked[0]


@pytest.mark.slow
def test_places_follow_every_event_before_a_worker_has_read_them(client: Client):
    """Planted fault: places cached by the tournament alone."""
    club = a_club()
    night = a_night(club, HEATS, preset="points", point_value_minor=100, is_published=True)
    _, bo, *_ = night.enter("Asha", "Bo", "Cy", "Dev")
    tables = night.seat()
    show, lost = {"how": "show"}, {"how": "loss", "count": 20}

    def deal(table: Table, number: int, *outcomes: dict[str, Any]) -> Callable[[], None]:
        seats = dict(zip(("1", "2"), outcomes, strict=True))
        return lambda: record(table, {"kind": "deal_recorded", "deal": number, "outcomes": seats})

    misread = {"1": show, "2": {"how": "loss", "count": 40}}
    deeds = {
        "deal": deal(tables[0], 1, lost, show),
        "other table": deal(tables[1], 1, {"how": "loss", "count": 50}, show),
        "correction": lambda: record(
            tables[0], {"kind": "deal_corrected", "deal": 1, "reason": "misread", "outcomes": misread}
        ),
        "second deal": deal(tables[0], 2, {"how": "loss", "count": 80}, show),
        "cancelled deal": lambda: record(tables[0], {"kind": "deal_voided", "deal": 2, "reason": "misdeal"}),
    }
    for name, deed in deeds.items():
        deed()
        page = player_page(there(page_player(club, UUID(bo))))
        fresh = Tournament.objects.select_related("club").get(pk=night.tournament.pk)
        wanted = {each.player: (each.place, each.score) for each in current_results([fresh])[fresh.pk].came}
        shown = there(page).results[0]
        assert (shown.place, shown.score) == wanted[bo], name


@pytest.mark.slow
def test_a_page_is_made_once_and_again_after_each_change(
    client: Client, club: Club, django_assert_max_num_queries: Any
):
    """Planted faults: a page cached by its address alone, for any host or language."""
    asha = called("Asha")
    running = again(a_tournament(club, "points", name="Running"), asha, called("Cy")).deal("show", 5)
    path = english(url(asha))

    def text(asked: str = path, **headers: str) -> str:
        return flat(client.get(asked, headers=headers).content.decode())

    changes: dict[str, Callable[[], object]] = {
        "first": lambda: None,
        "deal": lambda: running.deal("show", 6),
        "correction": lambda: running.correct(1, 7, "show"),
        "opponent": lambda: rename("Bo", "Bodil"),
        "own name": lambda: rename("Asha", "Usha"),
        "tournament": lambda: Tournament.objects.filter(name="First").update(name="Opening"),
        "club": lambda: Club.objects.update(name="Rummy Square"),
        "unpublished": lambda: Tournament.objects.filter(name="Second").update(is_published=False),
        "erased": lambda: erase_player(called("Dev"), now=now(), with_balance=True),
    }
    seen: list[str] = []
    for name, change in changes.items():
        change()
        seen.append(text())
        assert seen[-1] not in seen[:-1], name
        with django_assert_max_num_queries(3):
            assert text() == seen[-1]
    assert "http://localhost/" in client.get(path, headers={"host": "localhost"}).content.decode()
    assert "Ergebnisse" in text(path.replace("en-gb", "de"))
    assert text(f"{path}?find=cy") != seen[-1]


@pytest.mark.slow
def test_a_page_that_left_something_out_is_made_again(client: Client, club: Club, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: it was cached, and said so for ten minutes after the row could be read again."""
    monkeypatch.setattr("tournaments.projections.cached.LEFT_OUT_SECONDS", 0)
    path = english(url(called("Asha")))

    def unreadable(state: str) -> None:
        raise ValueError(state)

    with monkeypatch.context() as broken:
        broken.setattr("tournaments.boards.players.load_table", unreadable)
        assert "cannot be shown here" in client.get(path).content.decode()
    assert "cannot be shown here" not in client.get(path).content.decode()


@pytest.mark.slow
def test_a_players_many_nights_are_read_with_little_work(club: Club):
    """Planted fault: folding every sheet of fifty nights took several times as long. 19,300 calls today."""
    people = [called(name) for name in ("Asha", "Bo", "Cy", "Dev")]
    for number in range(12):
        table = again(a_tournament(club, "points", name=f"More {number}"), *people)
        for _ in range(10):
            table.deal("show", 34, 20, "first_drop")
        closed(table)
    bring_up(club.id, now=now())
    # Places of a night that is not over are worked out by the first page that shows them.
    player_page(people[0])
    with counted_calls() as calls:
        assert player_page(people[0]) is not None
    assert calls.made < 23_000


@pytest.mark.parametrize("how", each("erased", "no page wanted", "another club", "nothing published", "club hidden"))
def test_to_everybody_else_a_page_does_not_exist(client: Client, club: Club, how: str):
    player = called("Dev")
    path = url(player)
    assert client.get(path).status_code == 200
    for shown in FIRST_NIGHT:
        assert path in client.get(shown.format(club=club.slug, player=player.id)).content.decode()
    match how:
        case "no page wanted":
            Player.objects.filter(id=player.id).update(has_page=False)
        case "erased":
            erase_player(player, now=now(), with_balance=True)
        case "another club":
            path = path.replace(club.slug, a_club(slug="next-door").slug)
        case "nothing published":
            Tournament.objects.update(is_published=False)
        case "club hidden":
            Club.objects.update(is_published=False)
    assert client.get(path).status_code == 404
    assert client.get(f"{path}player.json").status_code == 404
    for shown in (url(called("Asha")), *FIRST_NIGHT):
        assert path not in client.get(shown.format(club=club.slug, player=player.id)).content.decode()
    assert path not in client.get(f"/c/{club.slug}/players/").content.decode()


def test_people_of_a_hidden_club_see_its_players_and_no_cache_keeps_them(client: Client, club: Club):
    Club.objects.update(is_published=False)
    client.force_login(person("dita", Role.DIRECTOR, club))
    answer = client.get(url(called("Asha")))
    assert (answer.status_code, answer["Cache-Control"]) == (200, "private, no-store")
    assert "it is not published" in answer.content.decode()


@pytest.mark.slow
def test_players_are_found_by_a_part_of_their_public_name(client: Client, club: Club):
    assert "Nobody has played yet" in client.get(f"/c/{a_club(slug='new').slug}/players/").content.decode()
    everybody = client.get(f"/c/{club.slug}/players/").content.decode()
    assert all(f"<bdi>{name}</bdi>" in everybody for name in ("Asha", "Bo", "Cy", "Dev"))
    found = client.get(f"/c/{club.slug}/players/", {"find": "ＡSH"}).content.decode()
    assert "<bdi>Asha</bdi>" in found
    assert "<bdi>Bo</bdi>" not in found
    assert "No player found" in client.get(f"/c/{club.slug}/players/", {"find": "<x>"}).content.decode()
    met = client.get(url(called("Asha")), {"find": "cy"}).content.decode()
    assert "<bdi>Cy</bdi>" in met
    assert "<bdi>Bo</bdi>" not in met


@pytest.mark.slow
def test_a_long_list_of_players_is_read_once_and_names_the_first(client: Client, club: Club, monkeypatch: Any):
    """Planted fault: each look at a list of 5,000 read all of them twice, and made its 500 lines again."""
    monkeypatch.setattr("tournaments.boards.players.MOST_LISTED", 3)

    def look(find: str = "") -> tuple[list[str], str, int]:
        with CaptureQueriesContext(connection) as caught:
            page = client.get(f"/en-gb/c/{club.slug}/players/", {"find": find} if find else {})
        there = LexborHTMLParser(page.content)
        names = [each.text() for each in there.css(".player-list bdi")]
        return names, " ".join(each.text(strip=True) for each in there.css(".aside-line")), len(caught)

    more = "And 1 more: look for a name."
    # One more than for what is read: the version of the names is looked at again before the list is cached.
    assert look() == (["Asha", "Bo", "Cy"], more, 4)
    assert look() == (["Asha", "Bo", "Cy"], more, 2)
    assert look("D")[:2] == (["Dev"], "")
    rename("Dev", "Abe")
    assert look() == (["Abe", "Asha", "Bo"], more, 4)
    assert look("A\0b_%")[0] == ["Abe"]
    # The files have all.
    told = client.get(f"/c/{club.slug}/players.json").json()["players"]
    assert [(line["name"], line["tournaments"]) for line in told][:2] == [("Abe", 1), ("Asha", 2)]
    rows = csv.reader(io.StringIO(client.get(f"/c/{club.slug}/players.csv").content.decode("utf-8-sig")))
    assert [list(told[0]), *([str(cell) for cell in line.values()] for line in told)] == list(rows)
    heading, *lines = workbook_rows(client.get(f"/c/{club.slug}/players.xlsx").content, "Players")
    assert [dict(zip(heading, line, strict=True)) for line in lines] == told
    assert look("A\0x_%") == ([], "", 4)


@pytest.mark.slow
def test_a_drawing_has_a_table_of_its_numbers_and_no_comma_in_its_lines(client: Client, club: Club):
    """Planted fault: a German page wrote 12,5 into the drawing, and the line went to another point."""
    page = flat(client.get(url(called("Asha")), headers={"Accept-Language": "de"}).content.decode())
    assert page.count('<svg class="chart"') == 2
    assert page.count('<details class="numbers">') == 2
    drawn = page[page.index('<g class="grid">') :]
    assert all("," not in bit.split('"')[0] for bit in drawn.split(' y="')[1:])
