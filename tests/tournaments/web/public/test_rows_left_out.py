"""An invalid row breaks neither the list of all the others nor the sitemap.

The row is one that is no longer accepted: a night whose start does not exist on the club's clock. Planted fault that
this catches: `pairs_of` without its `except`; the club's page, both feeds and the list of the admin answer 500.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from scoring.events import wire
from scoring.sheets.snapshots import load_table
from tests.builders.admin_addresses import CLUB_PAGES as CLUB_PAGE_NAMES
from tests.builders.admin_addresses import stocked
from tests.builders.api_clients import Device, person
from tests.builders.entry_desk import Desk
from tests.builders.older_rows import as_it_was
from tests.builders.playing import NOW, context, finished_pool, new_club, new_table, new_tournament
from tests.builders.routes import route, urlpatterns
from tests.builders.samples import some_of
from tests.builders.unreadable_events import an_earlier_version, told
from tests.builders.unreadable_tables import a_club_with_an_unreadable_table
from tournaments.integrity.leaving_out import leave_out
from tournaments.log.following import unreadable_events
from tournaments.models import Club, EveningSheet, Role, Scoresheet, Seat, Tournament
from tournaments.rendering.left_out import left_out, lines_of
from tournaments.seasons.commands import SeasonDraft, create_season

pytestmark = pytest.mark.django_db

BEYOND = datetime(9999, 12, 31, 23, tzinfo=UTC)
ONE_LINE = "1 line cannot be shown here."
CLUB_PAGES = ("", "running/", "results.atom", "tournaments.ics", "seasons/", "players/")
SITE_PAGES = ("/", "/sitemap.xml", "/sitemap-tournaments.xml", "/sitemap-clubs.xml", "/sitemap-seasons.xml")
LISTS = [name for name in CLUB_PAGE_NAMES if name.endswith("_changelist")]
DESK_PAGES = ("/admin/", "/admin/tournaments/tournament/", "/admin/tournaments/season/", "/admin/tournaments/table/")


@pytest.fixture
def club() -> Club:
    """Two future nights, one of which lies beyond every calendar east of Greenwich."""
    club = new_club(is_published=True, timezone="Pacific/Kiritimati")
    new_tournament(club, name="Plain night", starts_at=NOW + timedelta(days=9_000))
    broken = new_tournament(club, name="Broken night")
    finished_pool(club=club)
    create_season(club, SeasonDraft(name="Spring", starts_on=NOW.date(), ends_on=NOW.date(), is_published=True))
    with as_it_was():
        Tournament.objects.filter(pk=broken.pk).update(starts_at=BEYOND)
    return club


def test_lists_feeds_and_the_map_show_the_others_and_the_list_alone_says_that_one_is_missing(
    club: Club, client: Client, caplog: pytest.LogCaptureFixture
):
    page = client.get(f"/c/{club.slug}/").content.decode()
    assert "Plain night" in page
    assert "Broken night" not in page
    assert ONE_LINE in page
    broken = Tournament.objects.get(name="Broken night")
    assert f"a row cannot be shown: TournamentCard {broken.pk}" in caplog.text
    assert "Broken night" not in caplog.text
    assert left_out() > 0
    assert ONE_LINE not in client.get("/judge/").content.decode()
    calendar = client.get(f"/c/{club.slug}/tournaments.ics").content.decode()
    assert "Plain night" in calendar
    plain = Tournament.objects.get(name="Plain night")
    assert f"/t/{plain.slug}/" in client.get("/sitemap-tournaments.xml").content.decode()
    EveningSheet.objects.update(state="{", has_plan=True)
    assert client.get(f"/c/{club.slug}/").status_code == 200


@pytest.mark.slow
def test_no_list_of_the_club_or_the_site_is_lost(club: Club, client: Client):
    client.force_login(person(club, Role.OWNER, is_staff=True))
    addresses = [*(f"/c/{club.slug}/{page}" for page in CLUB_PAGES), *SITE_PAGES, *DESK_PAGES]
    assert {each: client.get(each).status_code for each in addresses} == dict.fromkeys(addresses, 200)


def test_the_api_and_the_back_office_say_how_many_are_missing(
    club: Club, client: Client, monkeypatch: pytest.MonkeyPatch
):
    def fails_for_the_broken(name: str) -> Any:
        def fail(*given: Any) -> Any:
            if given[-1].name == "Broken night":
                raise ZeroDivisionError
            return name

        return fail

    monkeypatch.setattr("tournaments.web.api.clubs.tournament_answer", fails_for_the_broken("shown"))
    monkeypatch.setattr(
        "tournaments.web.admin.register.tournaments.TournamentAdmin.plays", fails_for_the_broken("shown")
    )
    page = Device(club, Role.OWNER).get(f"/api/v1/clubs/{club.id}/tournaments/").json()
    assert (page["items"], page["left_out"]) == (["shown", "shown"], 1)
    client.force_login(person(club, Role.OWNER, is_staff=True))
    shown = client.get("/admin/tournaments/tournament/").content.decode()
    assert "Plain night" in shown
    assert "Broken night" not in shown
    assert ONE_LINE in shown


@pytest.mark.slow
def test_no_list_leaves_out_what_can_be_shown(client: Client):
    """Planted fault that this catches: rows checked before their list can link them."""
    evening = stocked("home")
    client.force_login(person(evening.club, Role.OWNER, is_staff=True, is_superuser=True))
    for name in LISTS:
        assert "cannot be shown" not in client.get(reverse(f"admin:{name}")).content.decode(), name


def test_a_line_for_each_row_that_has_one(caplog: pytest.LogCaptureFixture):
    assert lines_of([1, 0, 2], lambda number: 2 // number) == [2, 1]
    assert "a row cannot be shown: int" in caplog.text


def addresses(tournament: Tournament) -> Iterator[str]:
    """Every public page whose address is made of a club, a tournament, a table, a seat or a player."""
    seat = Seat.objects.filter(table__tournament=tournament).first()
    words: dict[str, Any] = {"club_slug": tournament.club.slug, "slug": tournament.slug, "round": 1, "number": 1}
    words |= {"seat": 1, "deal": 1, "player": seat.player_id if seat else None}
    for pattern in urlpatterns:
        wanted = pattern.pattern.converters
        if pattern.name and wanted.keys() <= words.keys() and all(words[name] is not None for name in wanted):
            try:
                yield reverse(route(pattern.name), kwargs={name: words[name] for name in wanted})
            except NoReverseMatch:
                continue


def failing(tournament: Tournament, stage: int) -> list[str]:
    """The pages that answer with an error."""
    Tournament.objects.filter(id=tournament.pk).update(is_published=True)
    Club.objects.filter(id=tournament.club_id).update(is_published=True)
    client = Client(raise_request_exception=False)
    tried = list(addresses(tournament))
    assert len(tried) > 20
    return [address for address in some_of(tried, part=stage) if client.get(address).status_code >= 500]


def through_the_cure(tournament: Tournament) -> list[str]:
    found = [f"as it was: {page}" for page in failing(tournament, 0)]
    told("rebuild")
    found += [f"rebuilt: {page}" for page in failing(tournament, 1)]
    for event in unreadable_events(tournament.club_id):
        leave_out(tournament.club_id, event.position, reason="nobody can read it", context=context())
    return found + [f"left out: {page}" for page in failing(tournament, 2)]


@pytest.mark.slow
def test_every_page_of_an_unreadable_table_answers():
    bad, _ = a_club_with_an_unreadable_table()
    assert through_the_cure(bad.row.tournament) == []


def test_every_page_of_a_tournament_with_an_unreadable_entry_answers():
    desk = Desk()
    with an_earlier_version():
        desk.tell(wire.EntryPaid(player=desk.asha, amount_minor=5, place="till:user 7"))
    assert through_the_cure(desk.tournament) == []


def test_every_page_of_a_table_whose_opening_cannot_be_read_answers(monkeypatch):
    """Planted fault: a page that searches a player's seat at a table whose players are unknown."""
    with an_earlier_version(), monkeypatch.context() as patch:
        patch.setattr(wire.TableOpened, "schema", 99)
        lost = new_table()
    state = lost.sheet.state.replace('"stakes":{', '"stakes":{"fee_bp":99999,', 1)
    Scoresheet.objects.filter(table=lost.row).update(state=state)
    assert load_table(state).is_lost
    assert through_the_cure(lost.row.tournament) == []
