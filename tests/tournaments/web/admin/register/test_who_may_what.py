"""Every address of the admin, taken from the URL patterns, requested by every role and by members of another club.

Planted fault that this catches: a page registered without `at_table` or `_page` answers 200 to another club's member.
"""

from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.test import Client
from django.urls import resolve, reverse
from selectolax.lexbor import LexborHTMLParser

from rummy_site.middleware.failures import READING, methods_of
from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import Evening, person
from tests.builders.samples import each
from tournaments.models import Role, Table
from tournaments.models.log import Event
from tournaments.people.permissions import MATRIX, TABLE_CARD, Permission

BOOKS = (
    *("scoring_journalentry_", "scoring_account_", "tournaments_player_statement", "tournaments_tournament_money"),
    "tournaments_club_books",
)
EVENING_PAGES = (
    *("night", "night_part", "plan", "prizes", "seating", "seats", "moves", "clock", "clock_part", "cut", "ties"),
    *("screens", "repeat", "results", "self_entry"),
)
# The permission that a GET of each page needs; all other pages of a club are open to everyone who may see it.
ASKS = {
    **dict.fromkeys(("tournaments_club_add", "tournaments_club_unbox")),
    **dict.fromkeys(
        (
            *(f"tournaments_tournament_{page}" for page in ("add", "seat", "close", "cancel", "reopen", "cards")),
            *(f"tournaments_tournament_{page}" for page in ("delete_unused", "restore", "static_site", *EVENING_PAGES)),
            *(f"tournaments_player_{page}" for page in ("add", "remove", "merge", "unmerge")),
            *(f"tournaments_season_{page}" for page in ("add", "close", "again", "progress")),
            *(f"tournaments_table_{page}" for page in ("late", "penalty", "withdraw", "cancel", "settle_dispute")),
            *(f"tournaments_table_{page}" for page in ("exchange", "keying", "cards", "card_revoke")),
            *("tournaments_club_unreadable", "tournaments_club_messages"),
        ),
        Permission.DIRECT,
    ),
    **{f"tournaments_tournament_{page}": Permission.SETTLE for page in ("settle", "settle_all")},
    **{f"tournaments_club_cash{page}": Permission.HANDLE_CASH for page in ("", "_player", "_line", "_count")},
    **{
        f"tournaments_club_cash{page}": Permission.SEE_MONEY
        for page in ("_receipt", "_night", "_nights", "_past", "_file", "_balances")
    },
    **{f"tournaments_tournament_{page}": Permission.CHECK_IN for page in ("entries", "requests", "player_links")},
    "tournaments_player_link": Permission.CHECK_IN,
    "tournaments_club_imports": Permission.CHECK_IN,
    **{
        f"tournaments_tournament_{page}": Permission.TAKE_ENTRY
        for page in ("till", "entries_print", "desk", "desk_list", "desk_player")
    },
    **{f"tournaments_club_{page}": Permission.MANAGE for page in ("people", "invite", "person", "remove_person")},
    **dict.fromkeys(("tournaments_club_revoke_link", "tournaments_player_erase"), Permission.MANAGE),
    **{f"tournaments_player_{page}": Permission.MANAGE for page in ("data_file",)},
    **{f"tournaments_club_{page}": Permission.MANAGE for page in ("box", "box_file")},
    **{
        f"tournaments_apitoken_{page}": Permission.DIRECT
        for page in ("changelist", "add", "change", "history", "revoke")
    },
    **{f"tournaments_table_{page}": Permission.CORRECT for page in ("correct", "void")},
    **{
        f"tournaments_table_{page}": Permission.RECORD
        for page in ("rejoin", "split", "buy_in", "leave", "close", "time", "confirm", "dispute", "totals")
    },
}


@pytest.fixture
def home(db: None) -> Evening:
    return stocked("home")


@pytest.fixture
def away(db: None) -> Evening:
    return stocked("away")


def is_about_an_object(name: str) -> bool:
    return name.startswith(("tournaments_", "scoring_")) and not name.endswith(("_changelist", "_add"))


def granted(name: str, role: Role) -> bool:
    if name in ASKS:
        permission = ASKS[name]
        return permission is not None and permission in MATRIX[role]
    if name.startswith(BOOKS):
        return Permission.SEE_MONEY in MATRIX[role] and not name.endswith("_add")
    return not name.endswith(("_add", "_delete"))


@pytest.mark.parametrize(
    "role",
    each(*(role for role in Role if Permission.SEE in MATRIX[role]), quick=(Role.SCORER,)),
)
def test_each_page_opens_to_the_roles_that_the_matrix_names_and_takes_forms_of_them_alone(
    role: Role, home: Evening, client: Client, request: pytest.FixtureRequest
):
    if role is not Role.OWNER:
        request.getfixturevalue("undrawn")
    client.force_login(person("somebody", role, home.club))
    wrong = []
    for name in CLUB_PAGES:
        if name.startswith("scoring_") and is_about_an_object(name):
            continue
        url = address(name, home)
        if url is None:
            continue
        status = client.get(url).status_code
        # Rows that a role may not even see are not found; pages that only take POST are not found by GET.
        is_open = status in (200, 302, 405) or (status == 404 and "apitoken" not in name)
        if is_open != granted(name, role):
            wrong.append((name, status))
        # What a role may not open it may not send either.
        if not granted(name, role):
            sent = client.post(url, {"version": "3", "key": "0" * 32, "reason": "x", "do": "open"}).status_code
            if sent not in (403, 404, 405):
                wrong.append((f"POST {name}", sent))
    assert wrong == []


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
def test_a_display_finds_nothing_of_its_club_in_the_back_office_and_changes_nothing(home: Evening, client: Client):
    client.force_login(person("wall", Role.DISPLAY, home.club))
    before = (Event.objects.count(), Table.objects.count())
    opened = []
    typed = {"version": "3", "key": "0" * 32, "reason": "x", "seat": "1", "points": "5", "sure": "yes"}
    for name in CLUB_PAGES:
        if (url := address(name, home)) is not None:
            if is_about_an_object(name) and (status := client.get(url).status_code) not in (403, 404, 405):
                opened.append((name, status))
            client.post(url, typed)
    assert opened == []
    assert (Event.objects.count(), Table.objects.count()) == before


@pytest.mark.slow
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("role", [Role.OWNER, Role.SCORER, Role.AUDITOR])
def test_a_neighbours_object_does_not_exist(role: Role, home: Evening, away: Evening, client: Client):
    client.force_login(person("somebody", role, home.club))
    found = []
    for name in CLUB_PAGES:
        if not is_about_an_object(name) or (url := address(name, away)) is None:
            continue
        answers = [client.get(url), client.post(url, {})]
        if answers[1].status_code == 405:
            # This depends on the address alone: one's own answers the same.
            assert client.post(str(address(name, home)), {}).status_code == 405, name
            del answers[1]
        for answer in answers:
            is_hidden = answer.status_code == 404 or (answer.status_code == 403 and not granted(name, role))
            if name.startswith("scoring_"):
                is_hidden = answer.status_code in (403, 404)
            if not is_hidden:
                found.append((name, answer.status_code))
    assert found == []


def test_no_list_names_anything_of_a_neighbour(home: Evening, away: Evening, client: Client):
    client.force_login(person("somebody", Role.OWNER, home.club))
    for name in CLUB_PAGES:
        if name.endswith("_changelist"):
            answer = client.get(reverse(f"admin:{name}"))
            assert answer.status_code in (200, 403)
            assert "away" not in answer.content.decode(), name


@pytest.mark.slow
def test_a_visitor_and_a_login_without_staff_see_only_the_way_in(home: Evening, client: Client):
    for who in (None, person("guest", Role.OWNER, home.club)):
        if who is not None:
            who.is_staff = False
            who.save()
            client.force_login(who)
        for name in CLUB_PAGES:
            url = address(name, home)
            if url is None:
                continue
            answer = client.get(url)
            assert answer.status_code == 302, name
            assert "/admin/login/" in answer["Location"], name


def test_the_landing_page_shows_ones_own_clubs_only(home: Evening, away: Evening, client: Client):
    client.force_login(person("somebody", Role.SCORER, home.club))
    page = client.get("/admin/").content.decode()
    assert "home night" in page
    assert "away night" not in page


@pytest.mark.usefixtures("undrawn")
def test_every_form_carries_a_token_against_forgery(home: Evening):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(person("somebody", Role.OWNER, home.club))
    before = Event.objects.count()
    pages = {name: url for name in CLUB_PAGES if (url := address(name, home)) is not None}
    said = {name: strict.post(url, {"version": "3", "key": "0" * 32}).status_code for name, url in pages.items()}
    assert set(said.values()) == {403, 405}
    assert Event.objects.count() == before


def test_a_page_that_takes_no_form_has_none(home: Evening, client: Client):
    """Planted fault: a page with a form declared to be only read."""
    client.force_login(person("somebody", Role.OWNER, home.club))
    pages = [url for name in CLUB_PAGES if (url := address(name, home)) is not None]
    read_only = {url for url in pages if methods_of(resolve(url)) == READING}
    assert len(read_only) > 20
    for url in read_only:
        answer = client.get(url)
        if "html" in answer.headers["Content-Type"]:
            # Django's own page of a row has a form around it, without a button where nothing can be changed.
            forms = LexborHTMLParser(answer.content.decode()).css('form[method="post"]:has([type="submit"], button)')
            assert {urljoin(url, form.attributes.get("action") or url) for form in forms} & read_only == set()


def test_the_actor_of_a_stored_event_is_whoever_was_signed_in(home: Evening, client: Client):
    user = person("sam", Role.SCORER, home.club)
    client.force_login(user)
    client.post(home.page("leave"), {"version": "3", "key": "0" * 32, "seat": "2"})
    assert Event.objects.filter(stream_id=home.table.pk).latest("version").actor == f"user:{user.pk}"


def test_the_printed_matrix_is_the_one_that_is_asked():
    page = (Path(__file__).resolve().parents[5] / "docs" / "reference" / "roles.md").read_text()
    printed = {" ".join(line.split()) for line in page.splitlines()}
    rows: dict[str, Any] = {**{str(role.label): MATRIX[role] for role in Role}, "Table card": TABLE_CARD}
    for title, permissions in rows.items():
        marks = " | ".join("yes" if permission in permissions else "" for permission in Permission)
        assert " ".join(f"| {title} | {marks} |".split()) in printed
