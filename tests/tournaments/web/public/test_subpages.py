"""A tournament's own pages: rounds, seating, schedule, prizes and rules, with a plan and without one."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client

from scoring.facts import wire
from scoring.rules.variants import VARIANTS
from tests.builders.admin_tables import NOW, club_called
from tests.builders.admin_tournaments import HEATS, TIMED, Night, a_night, at, play_out, record, start_clock
from tests.builders.flat import flat
from tests.builders.playing import rename
from tests.builders.public_tables import Seated, a_club, a_tournament, address, english, seat
from tournaments.evenings.commands.cut import make_cut
from tournaments.models import Club, ShownVersion, Table, Tournament
from tournaments.seating.commands.seat import seat_round
from tournaments.web.public.base.answers import Subpage
from tournaments.web.public.evenings import house_rules

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


@pytest.mark.parametrize("part", PAGES)
def test_a_page_costs_as_many_queries_for_one_table_as_for_many(
    client: Client, part: str, django_assert_max_num_queries: Any
):
    tournament = a_tournament(a_club())
    for _ in range(5):
        seat(tournament).deal("show", 34, 12, "first_drop")
    # A club has this row since the first page that was cached.
    ShownVersion.objects.get_or_create(club=tournament.club)
    # Cached by the first request; PostgreSQL is told twice how long to wait for a lock.
    kept = 17 if connection.vendor == "sqlite" else 19
    with django_assert_max_num_queries(kept if part == "rounds/" else 9):
        assert client.get(address(tournament, part)).status_code == 200


@pytest.mark.parametrize("part", PAGES)
def test_every_page_ends_with_the_fingerprint_of_the_board(client: Client, part: str):
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    seat(tournament, "Eve", "Fay").deal("show", 3)
    fingerprint = client.get(address(tournament, "board.json")).json()["fingerprint"]
    assert f"Fingerprint {fingerprint} Verify" in words(client, tournament, part)


@pytest.mark.parametrize("part", ["proof/", "share/", "who/"])
def test_what_is_told_about_a_board_says_of_which_moment_it_is(client: Client, part: str):
    """Planted fault: the ETag of a page held no fact, so that it still linked to the picture of an older board."""
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


def test_how_a_number_added_up_then_carries_the_fingerprint_of_then(client: Client):
    tournament = a_tournament(a_club())
    table = seat(tournament).deal("show", 34, 12, "first_drop")
    then = client.get(address(tournament, "board.json")).json()
    table.deal("show", 1, 2, 3)
    player = tournament.standings.get(seat_number=2).player_id
    assert f"Fingerprint {then['fingerprint']}" in words(client, tournament, f"who/{player}/?at={then['position']}")


def test_every_page_leads_to_the_others_and_marks_itself(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament)
    for part in ("", "rounds/", "seating/", "schedule/", "prizes/", "rules/", "proof/"):
        page = flat(client.get(address(tournament, part)).content.decode())
        nav = page.partition('<nav class="subnav"')[2].partition("</nav>")[0]
        assert re.findall(r'<a href="([^"]*)" aria-current="page"', nav) == [english(address(tournament, part))]
        assert len(re.findall("<a href=", nav)) == (8 if part in ("rounds/", "schedule/") else 6)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("rounds/", "No round is seated yet"),
        ("seating/", "Nobody is seated yet"),
        ("schedule/", "Planned start"),
        ("prizes/", "No stakes"),
        ("rules/", "A player who reaches 101 points is out."),
    ],
)
def test_before_anybody_sits_a_page_says_what_will_stand_there(client: Client, part: str, said: str):
    tournament = a_tournament(a_club(), entry_minor=0, fee_bp=0)
    assert said in words(client, tournament, part)
    assert client.get(address(tournament, "seating/r1/")).status_code == 404


def test_seating_names_everybody_from_a_to_z_and_by_table_without_a_plan_too(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament, "Dev", "asha")
    seat(tournament, "Cy", "Bo", name="Window")
    seat(tournament, "Eve", "Fay", table_round=2, number=1)
    said = words(client, tournament, "seating/r1/")
    assert "asha Table 1 seat 2 Bo Table 2 seat 2 Cy Table 2 seat 1 Dev Table 1 seat 1 By table" in said
    assert said.partition("By table")[2].startswith(" Table 1 Dev asha Window Cy Bo ")
    assert "Eve Table 1 seat 1 Fay Table 1 seat 2" in words(client, tournament, "seating/")


def test_nobody_is_sent_to_a_table_that_was_given_up(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament, "Asha", "Bo").fact(kind="table_cancelled", reason="the lamp fell")
    seat(tournament, "Cy", "Dev")
    said = words(client, tournament, "seating/")
    assert "Asha" not in said
    assert "Cy Table 2 seat 1" in said
    rounds = words(client, tournament, "rounds/")
    assert "Table 2" in rounds
    assert "Table 1" not in rounds


def test_a_player_who_sits_out_is_shown_and_a_new_name_of_theirs_changes_the_page(client: Client):
    """Planted fault: the ETag held the names of standings alone, and Eve has none."""
    night = heats(sits_out="Eve")
    assert "Sit out this round: Eve" in words(client, night.tournament, "seating/")
    before = client.get(address(night.tournament, "seating/"))["ETag"]
    rename("Eve", "Evelyn")
    answer = client.get(address(night.tournament, "seating/"), headers={"If-None-Match": before})
    assert answer.status_code == 200
    assert "Sat out: Evelyn" in words(client, night.tournament, "rounds/")


def test_rounds_tell_winners_numbers_and_who_went_on(client: Client):
    night = heats()
    make_cut(night.tournament.pk, context=at())
    said = words(client, night.tournament, "rounds/")
    assert "Round 1 · Heats 2 of 2 tables finished" in said
    assert "1 Cy won 0 2 Asha 160" in said
    assert re.search(r"Qualified for: Final 2 (Cy Dev|Dev Cy)", said)


def test_a_table_in_play_has_places_but_no_winner(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament).deal(34, "show", 12, 40)
    said = words(client, tournament, "rounds/")
    assert "Table 1 Playing · 1 deal Table 1 Place Player Total 1 Bo 0 2 Cy 12 3 Asha 34 4 Dev 40" in said
    assert "won" not in said


def test_the_schedule_tells_pauses_and_the_earliest_start_of_the_next_round(client: Client):
    stage = {**TIMED["stages"][0], "rounds": 2}
    night = a_night(club_called("Rummy Circle", "circle"), {"stages": [stage]})
    night.enter(*CAST)
    assert "not before 01:00 Round 1" in words(client, night.tournament, "schedule/")
    night.seat()
    start_clock(night, at_second=NINE)
    assert "not before 01:45 Round 2" in words(client, night.tournament, "schedule/")
    night.record(wire.ClockPaused(round=1, at=NINE + 600))
    assert "Clock paused since 01:10." in words(client, night.tournament, "schedule/")
    night.record(wire.ClockStarted(round=1, at=NINE + 900))
    said = words(client, night.tournament, "schedule/")
    assert "Clock paused from 01:10 to 01:15." in said
    assert "not before 01:50 Round 2" in said


def test_the_schedule_tells_the_break_between_two_rounds(client: Client):
    tournament = a_tournament(a_club())
    with time_machine.travel(NOW, tick=False):
        first = seat(tournament, "Asha", "Bo")
    with time_machine.travel(NOW + timedelta(minutes=30), tick=False):
        first.deal("show", 80).deal("show", 80)
    with time_machine.travel(NOW + timedelta(minutes=45), tick=False):
        seat(tournament, "Asha", "Cy", table_round=2, number=1)
    said = words(client, tournament, "schedule/")
    assert "01:00 – to 01:30 Round 1" in said
    assert "01:30 – to 01:45 Break 15 minutes 01:45 Round 2 Live" in said


def test_prizes_of_a_plan_are_told_before_anybody_enters_and_worked_out_after(client: Client):
    plan = {**HEATS, "prizes_bp": [7000, 3000]}
    night = a_night(club_called("Rummy Circle", "circle"), plan, entry_minor=30_000)
    assert "What will be won Entry fee ₹300.00" in words(client, night.tournament, "prizes/")
    assert "shared by place: 70% · 30%." in words(client, night.tournament, "prizes/")
    night.enter(*CAST)
    said = words(client, night.tournament, "prizes/")
    assert "1 ₹840.00 2 ₹360.00" in said
    assert "Entry fees ₹1,200.00 Prizes ₹1,200.00" in said


def test_tables_with_money_of_their_own_say_what_they_paid(client: Client):
    tournament = a_tournament(a_club(), "points")
    seat(tournament, "Asha", "Bo").deal("show", 34).fact(kind="table_closed")
    assert "Table 1 Asha ₹61.20 Bo −₹68.00" in words(client, tournament, "prizes/")


def test_what_many_tables_paid_is_listed_a_round_a_page(client: Client, monkeypatch: Any):
    """1,333 payouts of 200 players over seven rounds were 169 kB. Planted fault: all of them on every page."""
    tournament = a_tournament(a_club(), "points")
    for number in (1, 2, 3):
        seated = seat(tournament, f"Asha {number}", f"Bo {number}", table_round=number)
        seated.deal("show", 34).fact(kind="table_closed")
    monkeypatch.setattr("tournaments.web.public.evenings.rounds.MOST_TABLES", 1)
    for part, shown in (("prizes/", 3), ("prizes/r1/", 1), ("prizes/r2/", 2)):
        page = client.get(address(tournament, part)).content.decode()
        assert re.findall("Asha ([123])</bdi>", page) == [str(shown)]
        linked = set(re.findall(r'href="([^"]*)#tables-paid"', page))
        assert linked == {english(address(tournament, f"prizes/r{n}/")) for n in {1, 2, 3} - {shown}}
    assert client.get(address(tournament, "prizes/r4/")).status_code == 404


def test_prizes_are_made_once_until_something_on_them_changes(client: Client, monkeypatch: Any):
    """Planted fault: the 1,333 payouts of a night of points rummy were listed anew for each visitor."""
    tournament, made = a_tournament(a_club(), "points"), []

    def counted(found: Tournament, number: int | None) -> Subpage:
        made.append(found)
        return prizes_page(found, number)

    prizes_page = house_rules._prizes_page
    monkeypatch.setattr(house_rules, "_prizes_page", counted)
    seat(tournament, "Asha", "Bo").deal("show", 34).fact(kind="table_closed")
    assert "Asha ₹61.20 Bo −₹68.00" in words(client, tournament, "prizes/")
    assert "Asha ₹61.20 Bo −₹68.00" in words(client, tournament, "prizes/")
    assert len(made) == 1
    seat(tournament, "Cy", "Dev", number=2).deal("show", 10).fact(kind="table_closed")
    assert "Dev −₹20.00" in words(client, tournament, "prizes/")
    rename("Bo", "Bodil")
    assert "Bodil −₹68.00" in words(client, tournament, "prizes/")
    Tournament.objects.update(is_published=False)
    assert client.get(address(tournament, "prizes/")).status_code == 404


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


def test_the_rules_tell_what_this_house_does_otherwise(client: Client):
    tournament = a_tournament(a_club(), "pool_201", options={"limit": 201, "first_drop": 30, "wrong_show": 60})
    said = words(client, tournament, "rules/")
    assert "A player who reaches 201 points is out. A first drop costs 30 points, a middle drop 50." in said
    assert "Points for a drop before the first draw 30 usually 25" in said
    assert "docs/rules/pool.md" in said


def test_the_rules_of_a_planned_evening_say_how_it_is_run(client: Client):
    night = a_night(club_called("Rummy Circle", "circle"), {**HEATS, "late": "average"}, entry_minor=30_000)
    said = words(client, night.tournament, "rules/")
    assert "Heats 1 round at tables of 2 to 6, 6 where it can be chosen." in said
    assert "The best of each table qualifies." in said
    assert "starts with the average of those who played" in said
    assert "the score of the stage · more deals won · fewer wrong shows · the higher card drawn" in said
    assert "Entry fee ₹300.00" in said


def test_a_table_leads_to_those_beside_it(client: Client):
    tournament = a_tournament(a_club())
    tables: list[Seated] = [seat(tournament, number=number) for number in (1, 3, 4)]
    page = flat(client.get(address(tournament, "r1/table-3/")).content.decode())
    assert re.findall(r'href="([^"]*)" rel="(prev|next)"', page) == [
        (english(address(tournament, "r1/table-1/")), "prev"),
        (english(address(tournament, "r1/table-4/")), "next"),
    ]
    assert f'{address(tournament, "rounds/r1/")}#round-1"' in page
    assert len(tables) == Table.objects.filter(tournament=tournament).count()
