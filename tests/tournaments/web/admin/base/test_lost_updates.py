"""Two users with the same page open: changes of different fields are both kept, of one field the second is asked.

Every form of the admin that edits a row is found by its registration or by its address, opened twice, and sent
twice; new ones are found automatically. Planted faults that this catches: a merge that takes every field as it was
sent (the first change is gone, both answers say saved); an admin registered without `EditAdmin`; a form without `seen`.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client

from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import NOW, Evening, club_called, person
from tests.builders.admin_tournaments import a_night
from tests.builders.lost_updates import change_url
from tests.builders.page_forms import Control, PageForm, Values, forms_in, opened
from tests.builders.page_text import refusal_of
from tests.builders.samples import some_of
from tests.builders.seasons import played, season
from tournaments.log.context import CommandContext
from tournaments.models import Club, Player, Role
from tournaments.models.log import Event
from tournaments.running.commands.create import TournamentDraft, create_tournament
from tournaments.seasons.commands import SeasonDraft, create_season
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.web.admin.base.edit_forms import EditAdmin
from tournaments.web.admin.register import clubs

pytestmark = pytest.mark.django_db

# Fields where not any text is valid.
VALUES = {
    "currency": ("EUR", "USD", "GBP"),
    "smallest_cash": ("EUR 1.00", "EUR 2.00", "EUR 5.00"),
    "website": ("https://one.example.org/", "https://two.example.org/", "https://three.example.org/"),
    "email": ("one@example.org", "two@example.org", "three@example.org"),
    "username": ("ada", "bert", "carl"),
    "slug": ("one", "two", "three"),
    "login": ("sam", "eve", "flo"),
    "point_value": ("1", "2", "3"),
    **dict.fromkeys(("date_joined_0", "last_login_0"), ("02/01/2026", "03/01/2026", "04/01/2026")),
    **dict.fromkeys(("date_joined_1", "last_login_1"), ("10:00:00", "11:00:00", "12:00:00")),
    "option-limit": ("201", "151", "251"),
    "option-cap": ("60", "70", "50"),
    "option-max_set_size": ("3", "8", "5"),
    "place_points": ("9, 5", "8, 4", "7, 3"),
    "starts_at": ("2026-04-01T19:00", "2026-04-02T19:00", "2026-04-03T19:00"),
    "starts_on": ("2026-01-02", "2026-01-03", "2026-01-04"),
    "ends_on": ("2026-11-29", "2026-11-28", "2026-11-27"),
}
PLANNED = {
    "stages": [{"smallest_table": 2, "rounds": 2, "minutes": 20}],
    "side_pots": [{"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"}],
}
# Fields that are only valid with another: a table of a season has games, a new member a login and a role, a moment a
# day and an hour; a number of nights that count goes with points for places.
NOT_ALONE = {
    *("category_1", "category_2", "games_1", "games_2", "field_base"),
}
# Sent by buttons, or hidden fields of the form.
ENVELOPE = {"csrfmiddlewaretoken", "seen", "key", "version", "next"}


@pytest.fixture
def root() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_superuser("root", "root@example.org", "a long pass phrase"))
    return client


@pytest.fixture(autouse=True)
def few_zones(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page of a club lists every time zone, and is requested a hundred times here."""
    monkeypatch.setattr(clubs, "time_zones", lambda: ("Asia/Dubai", "Asia/Kolkata", "Europe/Berlin"))


@pytest.fixture
def rows(pool: Evening, club: Club) -> dict[str, Any]:
    """A row of every model whose admin edits, by the name of its change page."""
    for login in ("sam", "eve", "flo"):
        person(login, Role.SCORER if login == "sam" else None, club)
    wanted: dict[str, Any] = {"name": "Sunday", "preset": "pool_101", "starts_at": NOW, "entry_minor": 10_000}
    draft = SeasonDraft(name="Spring", starts_on=NOW.date().replace(day=1), ends_on=NOW.date().replace(month=12))
    return {
        "tournaments_club": club,
        "tournaments_player": Player.objects.get(name="Bo"),
        "tournaments_tournament": create_tournament(
            club, TournamentDraft(**wanted), context=CommandContext(actor="user:0", now=NOW)
        ),
        "tournaments_season": create_season(club, draft),
    }


def name_of(one: Any) -> str:
    """Of an admin or of a row."""
    about = one.opts if isinstance(one, admin.ModelAdmin) else one._meta
    return f"{about.app_label}_{about.model_name}"


@pytest.mark.slow
def test_every_admin_that_can_change_a_row_compares_what_its_page_held(root: Client, rows: dict[str, Any], rf: Any):
    """Every registered admin either compares, or its page has no fields."""
    request = rf.get("/")
    request.user = get_user_model().objects.get(username="root")
    changing = {name_of(one): one for one in admin.site._registry.values() if one.has_change_permission(request)}
    careless = {name for name, one in changing.items() if not isinstance(one, EditAdmin) and name not in rows}
    for name in careless:
        found = changing[name].model._default_manager.first() or _made(changing[name].model)
        for form in forms_in(root.get(change_url(name, found)).content.decode()):
            if form.method == "post" and "logout" not in form.action:
                assert form.open_controls() == [], (name, [one.name for one in form.open_controls()])
    for name, row in rows.items():
        assert opened(root, change_url(name, row)).named("seen").value, name


def _made(model: Any) -> Any:
    how = {"failures_since_start": 1} if model.__name__ == "AccessAttempt" else {}
    return model.objects.create(username="x", ip_address="127.0.0.1", **how)


def others(control: Control) -> Iterator[str]:
    """Other values that the control could have than its present one."""
    if control.kind in {"select", "multiple"}:
        yield from (option for option in control.options if option not in (control.value, ""))
        return
    plain = control.name if control.name in VALUES else control.name.rpartition("-")[2]
    if plain in VALUES:
        yield from (value for value in VALUES[plain] if value != control.value)
    else:
        yield from ((f"{control.value} {mark}".strip() for mark in "123") if not _is_number(control) else "423")


def _is_number(control: Control) -> bool:
    return control.value.replace(".", "").replace(",", "").isdigit() or control.kind == "number"


def with_value(form: PageForm, control: Control, value: str) -> Values:
    sent = form.values()
    if control.kind == "checkbox":
        sent.pop(control.name, None)
        if not control.is_on:
            sent[control.name] = [control.value]
    else:
        sent[control.name] = [value]
    return sent


def taken(client: Client, url: str, form: PageForm, control: Control, *, skip: tuple[str, ...] = ()) -> str | None:
    """Send a form with the first other value of a field that is accepted; None where the form refuses all of them."""
    choices = ["toggled"] if control.kind == "checkbox" else [one for one in others(control) if one not in skip]
    for value in choices[:6]:
        if client.post(url, with_value(form, control, value)).status_code == 302:
            return value
    return None


def fields_of(client: Client, url: str) -> list[Control]:
    return [
        one
        for one in opened(client, url).open_controls()
        if one.name not in ENVELOPE and not one.name.endswith("DELETE") and "__prefix__" not in one.name
    ]


EDITED = ("tournaments_club", "tournaments_player", "tournaments_tournament", "tournaments_season")


def the_name(client: Client, url: str) -> Control:
    """The field of a row's name, which takes any text."""
    return next(one for one in fields_of(client, url) if one.kind == "text" and one.name == "name")


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITED)
def test_of_different_fields_all_are_kept_and_of_the_same_field_the_second_is_asked(
    name: str, root: Client, rows: dict[str, Any]
):
    """One user for each field, each with the page as it was before any of them, each with one change.

    For each field another user changes it otherwise: 409 with both values, and everything is as the first left it.
    """
    url = change_url(name, rows[name])
    old, controls = opened(root, url), fields_of(root, url)
    made: dict[str, str | None] = {}
    asked, of_whom = 0, some_of(one.name for one in controls)
    for control in controls:
        if control.kind != "radio":
            made[control.name] = first = taken(root, url, old, control)
            if control.name in of_whom:
                asked += _second_is_asked(root, rows[name], old, control, first)
    kept = {field: value for field, value in made.items() if value is not None}
    after = opened(root, url)
    for control in controls:
        if control.name not in kept:
            continue
        sent = with_value(old, control, str(kept[control.name]))
        assert _plain(after.values().get(control.name)) == _plain(sent.get(control.name)), control.name
    assert set(made) - set(kept) <= NOT_ALONE
    assert asked


def _second_is_asked(client: Client, row: Any, old: PageForm, control: Control, first: str | None) -> bool:
    """Whether another user could change the field otherwise than the first did, and was then asked."""
    if control.kind in {"checkbox", "multiple"}:
        # A checkbox has two values: a second user who changes it has made the same change.
        return False
    second = next((one for one in others(control) if one not in (first, control.value)), None)
    if first is None or second is None:
        return False
    stands = stored(row)
    answer = client.post(change_url(name_of(row), row), with_value(old, control, second))
    assert answer.status_code == 409, (control.name, first, second)
    found = [one for form in forms_in(answer.content.decode()) for one in form.controls]
    assert [one.kind for one in found if "choose-" in one.name] == ["radio", "radio"], control.name
    assert stored(row) == stands, control.name
    return True


def _plain(values: list[str] | None) -> list[str]:
    """Amounts are shown with their decimals."""
    return [value.removesuffix(".00") for value in values or ()]


def stored(row: Any) -> Any:
    """Everything that the forms write, and Django's own record of it."""
    models: list[Any] = [type(row), LogEntry, Event]
    return [list(model._base_manager.order_by("pk").values()) for model in models]


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITED)
def test_who_chooses_between_both_saves_the_choice_unless_a_third_change_came_between(
    name: str, root: Client, rows: dict[str, Any]
):
    url = change_url(name, rows[name])
    old, control = opened(root, url), the_name(root, url)
    first = taken(root, url, old, control)
    answer = root.post(url, with_value(old, control, "Second thoughts"))
    form = next(one for one in forms_in(answer.content.decode()) if one.has("seen"))
    theirs, mine = [one for one in form.controls if "choose-" in one.name]
    assert root.post(url, form.values()).status_code == 409, "without a choice it is asked again"
    for picked, stands in ((theirs, first), (mine, "Second thoughts")):
        assert root.post(url, {**form.values(), picked.name: [picked.value]}).status_code == 302
        assert opened(root, url).named(control.name).value == stands
    assert root.post(url, with_value(opened(root, url), control, "Third")).status_code == 302
    assert root.post(url, {**form.values(), mine.name: [mine.value]}).status_code == 409
    assert opened(root, url).named(control.name).value == "Third"


@pytest.mark.slow
@pytest.mark.parametrize("name", EDITED)
def test_a_form_without_its_own_token_writes_over_nothing_and_one_without_a_change_says_so(
    name: str, root: Client, rows: dict[str, Any]
):
    url = change_url(name, rows[name])
    form, control = opened(root, url), the_name(root, url)
    sent = with_value(form, control, "Anything else")
    other = next(each for each in EDITED if each != name)
    of_another_row = opened(root, change_url(other, rows[other])).named("seen").value
    for token in ("", "forged", of_another_row):
        assert root.post(url, {**sent, "seen": [token]}).status_code == 409, token
    assert opened(root, url).named(control.name).value == control.value
    assert "Nothing was changed." in root.post(url, form.values(), follow=True).content.decode()


def test_what_was_saved_is_named_and_nothing_else(root: Client, rows: dict[str, Any]):
    """The page that changed the name says so; it does not claim what another user has changed meanwhile."""
    url = change_url("tournaments_player", rows["tournaments_player"])
    old = opened(root, url)
    root.post(url, {**opened(root, url).values(), "is_member": "on"})
    said = root.post(url, {**old.values(), "name": "Bo Kumar"}, follow=True).content.decode()
    assert "Bo Kumar saved. Changed Name." in said
    player = Player.objects.get(pk=rows["tournaments_player"].pk)
    assert (player.name, player.name_key, player.is_member) == ("Bo Kumar", "bo kumar", True)


@pytest.mark.slow
def test_the_entry_that_one_director_sets_survives_the_name_that_another_changes(root: Client, rows: dict[str, Any]):
    """Planted fault: the draft taken from the page as opened; the entry was 100 again and both answers were "saved"."""
    tournament = rows["tournaments_tournament"]
    url = change_url("tournaments_tournament", tournament)
    old = opened(root, url)
    first = root.post(url, {**opened(root, url).values(), "entry": "300"}, follow=True).content.decode()
    second = root.post(url, {**old.values(), "name": "Late Sunday"}, follow=True).content.decode()
    tournament.refresh_from_db()
    assert (tournament.name, tournament.entry_minor) == ("Late Sunday", 30_000)
    assert "Sunday saved. Changed: Entry fee." in first
    assert "Late Sunday saved. Changed: Name." in second


def test_stakes_typed_before_the_first_table_and_sent_after_it_are_refused_and_named(
    root: Client, rows: dict[str, Any], club: Club
):
    """Planted fault: the frozen options replace what was sent, and the page says "was changed"."""
    tournament = rows["tournaments_tournament"]
    url = change_url("tournaments_tournament", tournament)
    old = opened(root, url)
    players = Player.objects.filter(club=club)[:4]
    seats = [SeatedPlayer(number=place, player=player.pk) for place, player in enumerate(players, start=1)]
    open_table(tournament, TableDraft(number=1, seats=seats), context=CommandContext(actor="user:0", now=NOW))
    assert "rules and stakes are locked: a table is open" in refusal_of(
        root.post(url, {**old.values(), "entry": "300", "name": "Late Sunday"})
    )
    tournament.refresh_from_db()
    assert (tournament.name, tournament.entry_minor) == ("Sunday", 10_000)
    assert root.post(url, {**old.values(), "name": "Late Sunday"}).status_code == 302


def test_a_formula_typed_before_the_first_night_and_sent_after_it_is_refused(root: Client, club: Club):
    made = season(club)
    url = change_url("tournaments_season", made)
    old = opened(root, url)
    played(club, "Gita", "Hari", is_closed=False)
    assert "this can no longer be changed" in refusal_of(
        root.post(url, {**old.values(), "place_points": "100, 1", "name": "Summer"})
    )
    made.refresh_from_db()
    assert made.name == "Spring"
    assert root.post(url, {**old.values(), "name": "Summer"}).status_code == 302


# Forms that change nothing stored: what they add is new, or they have the same effect however often they are sent.
ADDS_OR_ASKS = {
    "tournaments_apitoken_add": "a new token, under an id of its own",
    "tournaments_player_add": "new players; likely doubles are asked about",
    "tournaments_player_erase": "there is nothing left to overwrite",
    "tournaments_player_remove": "there is nothing left to overwrite",
    "tournaments_season_add": "a new season",
    "tournaments_club_add": "a new club",
}
# The same for forms that are on pages of others.
ASKS = {"/till/": "whether a till is opened, which happens once"}


@pytest.mark.slow
def test_every_form_with_something_to_fill_carries_what_its_writer_saw(db: None, client: Client):
    """By address, not by registration: pages of our own have forms too. New ones are found automatically."""
    careless = []
    home = stocked("home")
    night = a_night(club_called("Planned", "planned"), PLANNED, entry_minor=1_000)
    night.enter("Asha", "Bo", "Cy", "Dev")
    client.force_login(get_user_model().objects.create_superuser("root", "root@example.org", "a long pass phrase"))
    urls = [(name, address(name, home)) for name in CLUB_PAGES if name not in ADDS_OR_ASKS]
    urls += [(f"planned {page}", night.url(page)) for page in ("plan", "screens", "seating", "prizes", "cut", "moves")]
    urls.append(("planned desk", night.url(f"desk/{next(iter(night.state.entrants))}")))
    opened_pages = 0
    for name, url in urls:
        answer = client.get(url) if url else None
        if answer is None or answer.status_code != 200 or "html" not in answer.headers["Content-Type"]:
            continue
        opened_pages += 1
        forms = [form for form in forms_in(answer.content.decode()) if form.method == "post" and form.open_controls()]
        careless += [
            (name, form.action)
            for form in forms
            if not any(map(form.has, ("seen", "version", "key", "line"))) and not form.action.endswith(tuple(ASKS))
        ]
    assert careless == []
    assert opened_pages > 40
