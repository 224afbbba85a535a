"""A player who left, hidden by a director: on no public page of the tournament, while all others keep their places.

Planted fault: the row dropped before places were counted, so that the players behind moved up and won another prize.
"""

import re
from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.test import Client

from scoring.events import wire
from scoring.problems import EventNotAllowed
from tests.builders.api_clients import Device
from tests.builders.playing import Playing, context, loses, show
from tests.builders.public_tables import address
from tests.builders.seasons import caught_up, finish, season
from tests.builders.stages import Night
from tournaments.boards import board
from tournaments.boards.past import board_at
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk, offered
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.models import Club, Role, Tournament
from tournaments.models.log import Event
from tournaments.models.public_names import Names
from tournaments.printing.lists import seating_lists, standings
from tournaments.printing.report import tournament_report
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.running.prize_money import prizes_so_far
from tournaments.tables.queries.moments import AfterRound

pytestmark = pytest.mark.django_db
CAST = ("Asha", "Bo", "Zenobia", "Dev", "Eli", "Fay")
ZENOBIA = 2
PLAN = {
    "stages": [{"smallest_table": 2, "rounds": 2, "compares": "rank_points"}],
    "tie_breaks": ["last_deal"],
    "prizes_bp": [5000, 3000, 2000],
}
NOTE = "1 player who left is not listed. The others keep their places."
# The pages, files and projector screens of a tournament; a page of a table shows its result, and keeps its names.
PAGES = (
    *("", "board/", "embed/", "embed/part/", "board.json", "board.csv", "share/", "prizes/"),
    *("rounds/", "rounds/r1/", "seating/", "seating/r1/", "seating/r2/part/"),
    *("room/?by=name", "room/?by=table", "room/part/?by=table", "screen/", "screen/part/?screens=seating"),
    *("screen/part/?screens=standings", "screen/part/?screens=tables", "?at=round:1", "board.json?at=round:1"),
)


@pytest.fixture
def night() -> Night:
    """Zenobia has won the first of two rounds, and went home in the second, before anything was played there."""
    night = Night(PLAN, names=CAST, is_published=True, entry_minor=1000)
    Club.objects.filter(pk=night.tournament.club_id).update(is_published=True)
    for table in night.seat((2, 0, 1), (3, 4, 5)):
        table.deal(1, show, loses(30), loses(60))
        table.deal(2, show, loses(75), loses(50))
        table.close()
    night.seat((2, 0, 3), (1, 4, 5))
    record_in_tournament(night.tournament.pk, wire.PlayerLeft(player=night.players[ZENOBIA]), context=context())
    return night


def act(night: Night, name: str, *, at: int = ZENOBIA, reason: str = "") -> None:
    act_at_desk(night.tournament.pk, replace(DESK_ACTS[name], reason=reason), night.players[at], context=context())


def text_of(client: Client, night: Night, page: str) -> str:
    answer = client.get(page if page.startswith("/") else address(night.tournament, page))
    assert answer.status_code == 200, page
    return answer.content.decode()


def named_on(client: Client, night: Night) -> list[str]:
    """The pages that name Zenobia: those of the tournament and of its club."""
    club = f"/c/{night.tournament.club.slug}/"
    return [page for page in (*PAGES, club, f"{club}results.atom") if "Zenobia" in text_of(client, night, page)]


def places(night: Night) -> dict[str, int]:
    return {night.names[row.line.player]: row.place for row in board(again(night), Names.REAL).rows}


def again(night: Night) -> Tournament:
    return Tournament.objects.select_related("club").get(pk=night.tournament.pk)


def test_a_hidden_player_is_on_no_public_page_and_is_back_when_shown(client: Client, night: Night):
    before = named_on(client, night)
    act(night, "hide")
    assert named_on(client, night) == []
    assert "Zenobia" in text_of(client, night, "r1/table-1/")
    file = ZipFile(BytesIO(client.get(address(night.tournament, "board.xlsx")).content))
    assert not any("Zenobia" in file.read(name).decode(errors="ignore") for name in file.namelist())
    act(night, "show")
    assert named_on(client, night) == before
    assert {"", "board.json", "rounds/", "seating/", "room/?by=name", f"/c/{night.tournament.club.slug}/"} <= {*before}


def test_the_others_keep_their_places_and_the_page_says_so(client: Client, night: Night):
    before = places(night)
    act(night, "hide", reason="asked for it")
    shown = night.shown()
    assert {name: place for place, name in shown} == {n: place for n, place in before.items() if n != "Zenobia"}
    for page in ("", "embed/", "screen/part/?screens=standings"):
        assert NOTE in re.sub(r"\s+", " ", text_of(client, night, page))
    assert client.get(address(night.tournament, "board.json")).json()["unlisted"] == 1
    assert board_at(again(night), AfterRound(number=1)).unlisted == {night.players[ZENOBIA]}


def test_prizes_and_results_stay_and_the_log_keeps_the_reason_beside_it(night: Night):
    tournament, played = night.tournament, night.board.played
    before = prizes_so_far(tournament, tournament_state(tournament))
    act(night, "hide", reason="asked for it")
    assert prizes_so_far(tournament, tournament_state(tournament)) == before
    assert night.board.played == played
    assert not list(rebuild_differences())
    stored = Event.objects.get(kind="player_hidden")
    assert "asked" not in stored.body


def test_a_prize_of_a_hidden_player_is_paid_without_the_name(client: Client, night: Night):
    for at in range(len(CAST)):
        record_in_tournament(
            night.tournament.pk, wire.EntryPaid(player=night.players[at], amount_minor=1000), context=context()
        )
    act(night, "hide")
    page = text_of(client, night, "prizes/")
    assert "player not listed" in page
    assert "Zenobia" not in page


def test_the_tournament_is_not_on_the_public_page_of_the_player_while_hidden(client: Client, night: Night):
    page = f"/c/{night.tournament.club.slug}/p/{night.players[ZENOBIA]}/"
    assert night.tournament.slug in text_of(client, night, page)
    act(night, "hide")
    assert night.tournament.slug not in text_of(client, night, page)
    assert client.get(f"{page}player.json").json()["nights"] == 0
    assert client.get(address(night.tournament, f"who/{night.players[ZENOBIA]}/")).status_code == 404


def test_no_row_of_the_players_season_leads_to_the_tournament(client: Client, night: Night):
    """The points count, and other players' rows lead there as before."""
    act(night, "hide")
    for table in night.tournament.tables.filter(round=2):
        finish(Playing(row=table), 3)
    close_tournament(night.tournament.pk, context=context())
    shown = season(night.tournament.club, is_published=True)
    caught_up(night.tournament.club)
    page = f"/c/{night.tournament.club.slug}/seasons/{shown.slug}/who/{{}}/"
    others = text_of(client, night, page.format(night.players[0]))
    own = text_of(client, night, page.format(night.players[ZENOBIA]))
    assert [word in others for word in (address(night.tournament, ""), night.tournament.name)] == [True, True]
    assert [word in own for word in (address(night.tournament, ""), night.tournament.name)] == [False, False]
    assert "for the place" in own


def test_no_seat_is_renumbered(client: Client, night: Night):
    act(night, "hide")
    names = re.findall(r"<li><bdi>([^<]*)</bdi></li>", text_of(client, night, "room/?by=table"))
    assert names[:3] == ["–", "Asha", "Dev"]
    answer = client.get(f"/api/v1/tournaments/{night.tournament.pk}/evening/").json()
    assert [seat["name"] for seat in answer["rounds"][-1]["tables"][0]["seats"]] == ["", "Asha", "Dev"]
    assert answer["rounds"][-1]["tables"][0]["seats"][0]["player"] == ""


def test_the_api_leaves_the_row_out_for_the_public_now_and_in_the_past_and_marks_it_for_the_club(
    client: Client, night: Night
):
    now = f"/api/v1/tournaments/{night.tournament.pk}/leaderboard/"
    before = {path: client.get(path) for path in (now, f"{now}?at={night.board.position - 1}")}
    act(night, "hide")
    for path, told in before.items():
        assert "Zenobia" in told.content.decode()
        answer = client.get(path, headers={"If-None-Match": told["ETag"]})
        assert answer.status_code == 200
        assert "Zenobia" not in answer.content.decode()
    assert client.get(now).json()["unlisted"] == 1
    rows = Device(night.tournament.club, Role.DIRECTOR).get(now).json()["rows"]
    assert [row["name"] for row in rows if row.get("is_hidden")] == ["Zenobia"]


def test_lists_for_a_wall_leave_the_player_out_and_the_report_marks_the_row(night: Night):
    act(night, "hide")
    wall = [standings(night.board), *seating_lists(night.board, 2)]
    assert not any("Zenobia" in str(document) for document in wall)
    assert NOTE in str(wall[0])
    assert "Zenobia (hidden from the public)" in str(tournament_report(again(night)))


def test_only_who_has_left_after_a_seat_can_be_hidden_and_whoever_returns_is_seen_again(night: Night):
    with pytest.raises(EventNotAllowed) as refused:
        act(night, "hide", at=0)
    assert [problem.code for problem in refused.value.problems] == ["has_not_left"]
    assert "hide" not in {
        found.name for found in offered(again(night), tournament_state(night.tournament), night.players[0])
    }
    record_in_tournament(night.tournament.pk, wire.MarkedAbsent(player=night.players[1]), context=context())
    act(night, "hide", at=1)
    act(night, "hide")
    assert {"Bo", "Zenobia"}.isdisjoint(name for _, name in night.shown())
    for deed in ("returned", "left"):
        act(night, deed)
        assert "Zenobia" in [name for _, name in night.shown()]
