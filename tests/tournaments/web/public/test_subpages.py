"""A tournament's own pages: rounds, seating, schedule, prizes and rules, with a plan and without one."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils.html import escape
from syrupy.assertion import SnapshotAssertion

from scoring.events import wire
from scoring.rules.variants import VARIANTS
from tests.builders.admin_tables import NOW, club_called
from tests.builders.admin_tournaments import HEATS, TIMED, Night, a_night, at, play_out, record, start_clock
from tests.builders.flat import flat
from tests.builders.page_picture import picture
from tests.builders.playing import rename
from tests.builders.public_tables import a_club, a_tournament, address, english, seat
from tournaments.models import Club, Tournament
from tournaments.running.commands.cut import make_cut
from tournaments.seating.commands.seat import seat_round
from tournaments.web.public.base.answers import Subpage
from tournaments.web.public.tournament import house_rules

pytestmark = pytest.mark.django_db

PAGES = ("rounds/", "seating/", "seating/r1/", "schedule/", "prizes/", "rules/")
CAST = ("Cy", "Asha", "Dev", "Bo")
NINE = int(NOW.timestamp())


def words(client: Client, tournament: Tournament, part: str) -> str:
    """The text of a page that a visitor reads, on one line."""
    main = client.get(address(tournament, part)).content.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", main)).split())


def heats(*, sits_out: str = "") -> Night:
    """Two tables of heats are played out, their winners qualified for the final; a player may have sat out."""
    night = a_night(club_called("Rummy Circle", "circle"), HEATS, entry_minor=30_000)
    players = night.enter(*CAST, *([sits_out] if sits_out else []))
    seated = wire.RoundSeated(
        stage=1,
        round=1,
        tables=((1, tuple(players[:2])), (2, tuple(players[2:4]))),
        method="draw",
        seed="a seed",
        sitting_out=tuple(players[4:]),
    )
    for table in seat_round(night.tournament.pk, seated, context=at()).tables:
        play_out(table)
        record(table, {"kind": "table_closed"})
    return night


@pytest.mark.slow
def test_a_page_costs_few_queries_however_many_tables_there_are(client: Client, django_assert_max_num_queries: Any):
    tournament = a_tournament(a_club())
    for _ in range(5):
        seat(tournament).deal("show", 34, 12, "first_drop")
    for part in PAGES:
        with django_assert_max_num_queries(9):
            assert client.get(address(tournament, part)).status_code == 200


def test_every_page_ends_with_the_fingerprint_of_the_board_and_an_explanation_with_that_of_then(client: Client):
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, "first_drop")
    seat(tournament, "Eve", "Fay").deal("show", 3)
    then = client.get(address(tournament, "board.json")).json()
    for part in PAGES:
        assert f"Fingerprint {then['fingerprint']} Verify" in words(client, tournament, part), part
    table.deal("show", 1, 2, 3)
    player = tournament.standings.filter(table=table.row).get(seat_number=2).player_id
    assert f"Fingerprint {then['fingerprint']}" in words(client, tournament, f"who/{player}/?at={then['position']}")


@pytest.mark.slow
@pytest.mark.parametrize("part", ["proof/", "share/", "who/"])
def test_what_is_told_about_a_board_says_of_which_moment_it_is(client: Client, part: str):
    """Planted fault: the ETag of a page held no event, so that it still linked to the picture of an older board."""
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, "first_drop")
    if part == "who/":
        part = f"who/{tournament.standings.get(seat_number=2).player_id}/"
    tags = []
    for _ in range(2):
        shown = client.get(address(tournament, "board.json")).json()
        assert f"Log position {shown['position']} Fingerprint {shown['fingerprint']}" in words(client, tournament, part)
        answer = client.get(address(tournament, part))
        assert f"podium.png?v={shown['position']}" in answer.content.decode()
        tags.append(answer["ETag"])
        table.deal("show", 1, 2, 3)
    Club.objects.update(timezone="Europe/Berlin")
    tags.append(client.get(address(tournament, part))["ETag"])
    assert len(set(tags)) == 3


def timed(*events: wire.Event) -> Tournament:
    """Two rounds by the clock; the first is seated, and its clock runs where there are events of one."""
    stage = {**TIMED["stages"][0], "rounds": 2}
    night = a_night(club_called("Rummy Circle", "circle"), {"stages": [stage]})
    night.enter(*CAST)
    if events:
        night.seat()
        start_clock(night, at_second=NINE)
        night.record(*events[1:])
    return night.tournament


def after_a_break() -> Tournament:
    tournament = a_tournament(a_club())
    first = seat(tournament, "Asha", "Bo")
    with time_machine.travel(NOW + timedelta(minutes=30), tick=False):
        first.deal("show", 80).deal("show", 80)
    with time_machine.travel(NOW + timedelta(minutes=45), tick=False):
        seat(tournament, "Asha", "Cy", table_round=2, number=1)
    return tournament


def of_two_rounds() -> Tournament:
    tournament = a_tournament(a_club())
    seat(tournament, "Dev", "asha")
    seat(tournament, "Cy", "Bo", name="Window")
    seat(tournament, "Eve", "Fay", table_round=2, number=1)
    return tournament


def with_a_table_given_up() -> Tournament:
    tournament = a_tournament(a_club())
    seat(tournament, "Asha", "Bo").event(kind="table_cancelled", reason="the lamp fell")
    seat(tournament, "Cy", "Dev")
    return tournament


def with_its_finalists() -> Tournament:
    night = heats()
    make_cut(night.tournament.pk, context=at())
    return night.tournament


def in_play() -> Tournament:
    return seat(a_tournament(a_club())).deal(34, "show", 12, 40).row.tournament


def paid(*names: str) -> Tournament:
    plan = {**HEATS, "prizes_bp": [7000, 3000]}
    night = a_night(club_called("Rummy Circle", "circle"), plan, entry_minor=30_000)
    if names:
        night.enter(*names)
    return night.tournament


def planned() -> Tournament:
    club = club_called("Rummy Circle", "circle")
    return a_night(club, {**HEATS, "late": "average"}, entry_minor=30_000).tournament


def with_money_of_its_tables() -> Tournament:
    table = seat(a_tournament(a_club(), "points"), "Asha", "Bo").deal("show", 34)
    return table.event(kind="table_closed").row.tournament


RUNNING, PAUSED = wire.ClockStarted(round=1, at=NINE + 900), wire.ClockPaused(round=1, at=NINE + 600)
OTHERWISE = {"limit": 201, "first_drop": 30, "wrong_show": 60}
STATES: dict[str, tuple[Callable[[], Tournament], tuple[str, ...]]] = {
    "nobody sits": (
        lambda: a_tournament(a_club(), entry_minor=0, fee_bp=0),
        ("rounds/", "seating/", "schedule/", "prizes/", "rules/"),
    ),
    "two rounds": (of_two_rounds, ("seating/r1/", "seating/")),
    "a table given up": (with_a_table_given_up, ("seating/", "rounds/")),
    "one who sits out": (lambda: heats(sits_out="Eve").tournament, ("seating/", "rounds/")),
    "winners who went on": (with_its_finalists, ("rounds/",)),
    "a table in play": (in_play, ("rounds/",)),
    "a clock to come": (timed, ("schedule/",)),
    "a clock that runs": (lambda: timed(RUNNING), ("schedule/",)),
    "a clock that is paused": (lambda: timed(RUNNING, PAUSED), ("schedule/",)),
    "a clock that was paused": (lambda: timed(RUNNING, PAUSED, RUNNING), ("schedule/",)),
    "a break between rounds": (after_a_break, ("schedule/",)),
    "prizes of a plan": (paid, ("prizes/",)),
    "prizes of those who entered": (lambda: paid(*CAST), ("prizes/",)),
    "money of tables": (with_money_of_its_tables, ("prizes/",)),
    "rules of another house": (lambda: a_tournament(a_club(), "pool_201", options=OTHERWISE), ("rules/",)),
    "rules of a planned evening": (planned, ("rules/",)),
}


@pytest.mark.parametrize("state", STATES)
def test_a_page_tells_the_state_of_a_tournament(client: Client, state: str, snapshot: SnapshotAssertion):
    make, parts = STATES[state]
    with time_machine.travel(NOW):
        tournament = make()
        assert {part: picture(client.get(address(tournament, part)).content) for part in parts} == snapshot


def test_a_new_name_of_one_who_sits_out_changes_the_page(client: Client):
    """Planted fault: the ETag held the names of standings alone, and Eve has none."""
    path = address(heats(sits_out="Eve").tournament, "seating/")
    before = client.get(path)["ETag"]
    rename("Eve", "Evelyn")
    assert "Evelyn" in client.get(path, headers={"If-None-Match": before}).content.decode()


@pytest.mark.slow
def test_what_many_tables_paid_is_listed_a_round_a_page(client: Client, monkeypatch: Any):
    """1,333 payouts of 200 players over seven rounds were 169 kB. Planted fault: all of them on every page."""
    tournament = a_tournament(a_club(), "points")
    for number in (1, 2, 3):
        seated = seat(tournament, f"Asha {number}", f"Bo {number}", table_round=number)
        seated.deal("show", 34).event(kind="table_closed")
    monkeypatch.setattr("tournaments.web.public.tournament.rounds.MOST_TABLES", 1)
    for part, shown in (("prizes/", 3), ("prizes/r1/", 1), ("prizes/r2/", 2)):
        page = client.get(address(tournament, part)).content.decode()
        assert re.findall("Asha ([123])</bdi>", page) == [str(shown)]
        linked = set(re.findall(r'href="([^"]*)#tables-paid"', page))
        assert linked == {english(address(tournament, f"prizes/r{n}/")) for n in {1, 2, 3} - {shown}}
    assert client.get(address(tournament, "prizes/r4/")).status_code == 404


@pytest.mark.slow
def test_prizes_are_made_once_until_something_on_them_changes(client: Client, monkeypatch: Any):
    """Planted fault: the 1,333 payouts of a night of points rummy were listed anew for each visitor."""
    tournament, made = a_tournament(a_club(), "points"), []

    def counted(found: Tournament, number: int | None) -> Subpage:
        made.append(found)
        return prizes_page(found, number)

    prizes_page = house_rules._prizes_page
    monkeypatch.setattr(house_rules, "_prizes_page", counted)
    seat(tournament, "Asha", "Bo").deal("show", 34).event(kind="table_closed")
    assert "Asha ₹61.20 Bo −₹68.00" in words(client, tournament, "prizes/")
    assert "Asha ₹61.20 Bo −₹68.00" in words(client, tournament, "prizes/")
    assert len(made) == 1
    seat(tournament, "Cy", "Dev", number=2).deal("show", 10).event(kind="table_closed")
    assert "Dev −₹20.00" in words(client, tournament, "prizes/")
    rename("Bo", "Bodil")
    assert "Bodil −₹68.00" in words(client, tournament, "prizes/")
    Tournament.objects.update(is_published=False)
    assert client.get(address(tournament, "prizes/")).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("game", VARIANTS)
def test_the_rules_of_every_house_can_be_read(client: Client, game: str):
    """Each option once, with a value as text: no internal name, no `None`, nothing left in braces."""
    club, rules = a_club(), VARIANTS[game]
    for preset in rules.presets:
        tournament = a_tournament(club, preset.name, entry_minor=0, point_value_minor=100, fee_bp=0, name=preset.title)
        page = client.get(address(tournament, "rules/"))
        assert page.status_code == 200, preset.name
        values = re.findall(r"<dd>(.*?)</dd>", flat(page.content.decode()))
        assert len(values) == len(rules.options_type.__struct_fields__) + len(["what a point is worth"]), preset.name
        wrong = [value for value in values if not value or "_" in value or "None" in value or "{" in value]
        assert wrong == [], preset.name


def test_a_table_leads_to_those_beside_it(client: Client):
    tournament = a_tournament(a_club())
    for number in (1, 3, 4):
        seat(tournament, number=number)
    page = flat(client.get(address(tournament, "r1/table-3/")).content.decode())
    assert re.findall(r'href="([^"]*)" rel="(prev|next)"', page) == [
        (english(address(tournament, "r1/table-1/")), "prev"),
        (english(address(tournament, "r1/table-4/")), "next"),
    ]
    assert f'{address(tournament, "rounds/r1/")}#round-1"' in page


@pytest.fixture
def tournament() -> Tournament:
    """Three rounds: two tables, two tables, and one."""
    found = a_tournament(a_club())
    for number in (1, 1, 2, 2, 3):
        seat(found, table_round=number).deal("show", 34, 12, "first_drop")
    return found


def tables(client: Client, tournament: Tournament, part: str = "rounds/") -> list[str]:
    """The tables that a page shows, as round and number."""
    page = client.get(address(tournament, part)).content.decode()
    return ["-".join(each) for each in re.findall(r'<a href="[^"]*/r(\d+)/table-(\d+)/"', page)]


@pytest.mark.slow
def test_few_tables_are_on_one_page_and_of_many_a_page_holds_the_latest_rounds_that_have_room_for_all_of_theirs(
    client: Client, tournament: Tournament, monkeypatch: Any
):
    """Planted fault: a night of 200 over seven rounds sent 420 kB for each request of the last one."""
    for part in ("rounds/", "rounds/r1/"):
        assert tables(client, tournament, part) == ["3-1", "2-1", "2-2", "1-1", "1-2"]
    for room, shown in ((4, ["3-1", "2-1", "2-2"]), (2, ["3-1"]), (0, ["3-1"])):
        monkeypatch.setattr("tournaments.web.public.tournament.rounds.MOST_TABLES", room)
        Tournament.objects.update(name=f"With room for {room}")
        assert tables(client, tournament) == shown


def test_every_other_round_is_one_step_away(client: Client, tournament: Tournament, monkeypatch: Any):
    monkeypatch.setattr("tournaments.web.public.tournament.rounds.MOST_TABLES", 1)
    page = flat(client.get(address(tournament, "rounds/")).content.decode())
    nav = page.partition('<nav class="jump"')[2].partition("</nav>")[0]
    first = f"{english(address(tournament, 'rounds/r1/'))}#round-1"
    second = f"{english(address(tournament, 'rounds/r2/'))}#round-2"
    assert re.findall('href="([^"]*)"', nav) == ["#round-3", second, first]
    assert page.count(f'href="{escape(first)}"') == 2
    assert 'id="round-1"' in page
    assert tables(client, tournament, "rounds/r1/") == ["1-1", "1-2"]
    assert client.get(address(tournament, "rounds/r4/")).status_code == 404
