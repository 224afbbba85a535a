"""A player with another public name has it on every page without a login; the club's own staff read the real one."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.test import Client
from django.urls import URLPattern, reverse

from tests.builders.admin_tables import NOW, club_called, person
from tests.builders.admin_tournaments import HEATS, Night, a_night, record, start_clock
from tests.builders.page_forms import sent
from tests.builders.public_tables import Seated, a_tournament, context, seat
from tests.builders.routes import route, urlpatterns
from tests.builders.unchanged import tags
from tournaments.models import Club, Player, Role, Table
from tournaments.people.players import renew_public_names
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.web.api.doors import ApiView
from tournaments.web.api.urls import urlpatterns as api_patterns

pytestmark = pytest.mark.django_db
REAL = "Quirinius Zzyzx"
# The addresses of pages that name players.
TELLS_NAMES = (
    *("club", "results", "tournament", "board_part", "board_json", "board_csv", "board_xlsx", "embed", "embed_part"),
    *("room", "room_part", "past", "explanation", "table", "sheet_part", "sheet_json", "sheet_csv"),
    *("players", "player", "player_json", "players_json", "players_csv", "players_xlsx"),
    *("running_part", "seating", "seating_of_round", "rounds", "round"),
    *("seating_part", "seating_part_of_round"),
)
TELLS_NAMES_BY_API = ("leaderboard", "board_file", "evening", "table", "form")


@pytest.fixture
def night() -> Night:
    """Heats with a clock; the first player of the first table, who leads, has another public name."""
    club = club_called("Rummy Circle", "circle")
    night = a_night(club, HEATS, entry_minor=30_000)
    asha, *others = night.enter("Asha", "Bo", "Cy", "Dev")
    tables = night.seat([asha, *others])
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 34}}
    record(tables[0], {"kind": "deal_recorded", "deal": 1, "outcomes": outcomes})
    start_clock(night, at_second=int(NOW.timestamp()))
    played_out = a_tournament(club, "points", name="Played out")
    seats = [SeatedPlayer(number=place, player=UUID(player)) for place, player in enumerate([asha, *others], start=1)]
    table = Seated(open_table(played_out, TableDraft(number=1, seats=seats), context=context()))
    table.deal("show", 34, 20, 12).event(kind="table_closed")
    player = Player.objects.get(name="Asha")
    player.name, player.naming, player.pseudonym = REAL, "pseudonym", "Ace of Pune"
    player.save()
    renew_public_names(club.id)
    return night


def addresses(night: Night) -> Iterator[tuple[str, str]]:
    """Every address of a page and of the API's public answers, with its name."""
    table, club = Table.objects.get(tournament=night.tournament, number=1), night.tournament.club
    player = Player.objects.get(pseudonym="Ace of Pune").id
    words: dict[str, Any] = {"club_slug": club.slug, "slug": night.tournament.slug, "player": player}
    words |= {"round": 1, "number": 1, "club_id": club.id, "tournament_id": night.tournament.id, "table_id": table.id}
    for space, patterns in (("pages", urlpatterns), ("api", _public(api_patterns))):
        for pattern in patterns:
            needed = {word: words[word] for word in pattern.pattern.converters if word in words}
            if len(needed) == len(pattern.pattern.converters):
                name = route(pattern.name) if space == "pages" else f"{space}:{pattern.name}"
                yield name, reverse(name, kwargs=needed)


def _public(patterns: list[Any]) -> list[URLPattern]:
    views = [(pattern, getattr(pattern.callback, "cls", ApiView)) for pattern in patterns]
    return [pattern for pattern, view in views if view.is_public and pattern.name != "elsewhere"]


def bodies(client: Client, night: Night) -> dict[str, bytes]:
    with time_machine.travel(NOW, tick=False):
        answers = {name: client.get(path, follow=True) for name, path in addresses(night)}
    assert {name: answer.status_code for name, answer in answers.items() if answer.status_code >= 500} == {}
    return {name: _unpacked(b"".join(answer)) for name, answer in answers.items()}


def _unpacked(body: bytes) -> bytes:
    """The text in a workbook; a page without what guards its form; other files as they are."""
    if not body.startswith(b"PK"):
        return re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", body)
    with zipfile.ZipFile(io.BytesIO(body)) as book:
        return b"".join(book.read(name) for name in book.namelist())


@pytest.mark.slow
def test_no_public_address_says_the_real_name_of_whoever_wants_another(client: Client, night: Night):
    """Planted fault: `player__name` in one of the queries, as the seats of a sheet had it, is told with its address."""
    said = bodies(client, night)
    named = [route(name) for name in TELLS_NAMES] + [f"api:{name}" for name in TELLS_NAMES_BY_API]
    assert [name for name in named if b"Ace of Pune" not in said[name]] == []
    assert [name for name, body in said.items() if any(word in body for word in (b"Quirinius", b"Zzyzx"))] == []
    Player.objects.filter(name=REAL).update(name="Wolfgang Yxart", name_key="wolfgang yxart")
    changed = bodies(client, night)
    assert [name for name, body in changed.items() if body != said[name]] == []


@pytest.mark.slow
def test_those_who_work_for_the_club_read_the_real_name(client: Client, night: Night):
    client.force_login(person("dita", Role.DIRECTOR, night.tournament.club))
    assert REAL in client.get(night.url()).content.decode()
    table = Table.objects.get(tournament=night.tournament, number=1)
    assert REAL in client.get(f"/admin/tournaments/table/{table.pk}/sheet/").content.decode()
    for name, path in addresses(night):
        answer = client.get(path)
        if name.removeprefix("api:") in TELLS_NAMES_BY_API:
            assert REAL.encode() in answer.getvalue(), path
            assert answer["Cache-Control"].startswith("private"), path
        else:
            assert REAL.encode() not in answer.getvalue(), path


def test_a_screen_in_the_room_is_no_member_and_reads_public_names(client: Client, night: Night):
    client.force_login(person("screen", Role.DISPLAY, night.tournament.club))
    path = reverse("api:leaderboard", kwargs={"tournament_id": night.tournament.id})
    assert "Ace of Pune" in json.dumps(client.get(path).json())


@pytest.mark.slow
def test_another_way_of_naming_in_the_club_changes_every_tag(client: Client):
    """Planted fault: ETags over the real names let every screen keep the full ones."""
    tournament = a_tournament(club_called("Circle", "circle"))
    seat(tournament, "Asha Rao", "Bo Sen").deal("show", 34)
    before = tags(client, tournament)
    Club.objects.update(naming="initials")
    assert renew_public_names(tournament.club_id) == 2
    after = tags(client, tournament)
    assert all(before[part] != after[part] for part in before)
    assert "Asha" not in client.get(f"/c/circle/t/{tournament.slug}/").content.decode()


def test_an_owner_and_a_director_choose_in_the_back_office(client: Client, night: Night):
    club = night.tournament.club
    client.force_login(person("olga", Role.OWNER, club))
    bo = Player.objects.get(name="Bo")
    page = f"/admin/tournaments/player/{bo.pk}/change/"
    typed = {"name": "Bo Sen", "naming": "pseudonym", "pseudonym": "", "has_page": "on"}
    assert (
        "Enter the chosen name, or choose another way for public pages." in sent(client, page, typed).content.decode()
    )
    assert sent(client, page, typed | {"pseudonym": "Ace of Pune"}).status_code == 302
    bo.refresh_from_db()
    assert bo.public_name == f"Ace of Pune ({bo.id.hex[:4]})"
    page = f"/admin/tournaments/club/{club.pk}/change/"
    form = client.get(page).context["adminform"].form
    kept = {name: value for name, value in form.initial.items() if value not in (None, False)}
    people = {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    assert sent(client, page, kept | people | {"naming": "initials"}).status_code == 302
    assert set(Player.objects.values_list("public_name", flat=True)) >= {"C.", "D.", "Ace of Pune"}
