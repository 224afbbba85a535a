"""An invalid row breaks no page but its own, and every answer that leaves something out says so.

Generated: rows of every model, all of their dates or all of their texts spoilt, by the object they belong to; every
address of every pattern that does not name that very object. A new list, page, file or model is found automatically.
Planted faults that this catches: `lines_of` taken from `ratings_of_club`, from the nights of a player's page, from the
admin's first page or from the dashboard; `zone_of` without its fallback.
"""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from itertools import product
from random import Random
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction

from tests.builders.admin_addresses import CLUB_PAGES
from tests.builders.bounds import bounded_models
from tests.builders.every_address import BROKEN, Visits, of_the_api, public
from tests.builders.every_write import page_of
from tests.builders.older_rows import as_it_was
from tests.builders.samples import some_of
from tests.builders.two_clubs import World, a_world
from tournaments.models import Club, NightResult, Player, PlayerRating, Tournament
from tournaments.rendering.left_out import left_out
from tournaments.tasks import sweep_readings
from tournaments.web.public.base.search_engines import SITEMAPS

pytestmark = pytest.mark.django_db

BEYOND = datetime(9999, 12, 31, 23, tzinfo=UTC)
# Statements about all tables of one tournament together, which would be wrong without one of them; and pages
# about the open cash book, whose addresses name no book.
WHOLE = ("/t/", "/paper/", "/static-site/", "/cash/")
# Files and feeds of formats that cannot say so, or whose lines are all taken for rows: it is in the log of the server.
# A picture is shown beside a link, and the page behind the link says what is missing.
WORDLESS = (
    *("text/csv", "text/calendar", "application/atom+xml", "application/xml", "image/png"),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
)
SPOILT = {"dates": (models.DateTimeField, models.DateField), "texts": (models.TextField, models.CharField)}
EAST = "Pacific/Kiritimati"


@pytest.fixture
def world() -> World:
    """Clubs east of Greenwich, where the last day of the calendar does not exist, with the results of workers."""
    if connection.vendor == "postgresql":
        pytest.skip("what a page does with a row that was read is the same on both, and SQLite is four times as quick")
    found = a_world()
    sweep_readings()
    Club.objects.update(timezone=EAST)
    return found


def spoilt(field: "models.Field[Any, Any]", kind: str) -> Any:
    """A value that no code expects in this column; nothing for choices, counters, or parts of an address."""
    if field.is_relation or field.primary_key or field.choices or isinstance(field, models.SlugField):
        return None
    if not isinstance(field, SPOILT[kind]):
        return None
    if kind == "texts":
        return "{"
    return BEYOND if isinstance(field, models.DateTimeField) else date(9999, 12, 31)


def spoil(rows: models.QuerySet[Any], kind: str) -> int:
    """Spoil the columns of some rows beyond their bounds, as far as constraints allow; returns the number of rows."""
    given = {each.attname: spoilt(each, kind) for each in rows.model._meta.concrete_fields}
    found = rows.model._default_manager.filter(pk__in=list(rows.values_list("pk", flat=True)))
    hits = 0
    for name, value in given.items():
        if value is not None:
            with suppress(IntegrityError), transaction.atomic():
                hits += found.update(**{name: value})
    return hits


def hanging_on(thing: models.Model) -> Iterator[models.QuerySet[Any]]:
    """The object itself, and every row of every model that belongs to it, also indirectly."""
    for model in bounded_models():
        paths = ["pk"] if isinstance(thing, model) else list(paths_to(type(thing), model))
        for path in paths:
            yield model._default_manager.filter(**{path: thing.pk})


def paths_to(wanted: type[models.Model], model: type[models.Model], depth: int = 2) -> Iterator[str]:
    for field in model._meta.concrete_fields:
        related = field.related_model
        if related is wanted:
            yield field.name
        elif related is not None and related is not model and depth > 1:
            yield from (f"{field.name}__{path}" for path in paths_to(wanted, related, depth - 1))


def a_table(world: World) -> list[models.Model]:
    """One of those on the pages of the admin, among them the tournament's own."""
    return [world.home.table]


def everything_else(world: World) -> list[models.Model]:
    """A night that is over and counted, one that is running, and a row of every model that belongs to no tournament."""
    over = NightResult.objects.get(club=world.club).tournament
    rated = Player.objects.filter(pk__in=PlayerRating.objects.values("pk"))
    alone = [model for model in bounded_models() if not list(paths_to(Tournament, model)) and model is not Tournament]
    # A row of which a club has only one belongs to the club itself, for which its pages answer.
    owned = [model for model in alone if any(is_of_many(field) for field in model._meta.concrete_fields)]
    first = (model._default_manager.filter(club=world.club).first() for model in owned if model is not Player)
    return [over, world.home.tournament, rated.filter(club=world.club)[0], *filter(None, first)]


def is_of_many(field: "models.Field[Any, Any]") -> bool:
    return field.related_model is Club and not field.unique


def addresses(world: World, spoilt: list[models.Model]) -> list[str]:
    """Every address that names none of these objects, around another tournament where they are the tournament's own."""
    own = [each.pk for each in spoilt if isinstance(each, Tournament)]
    other = world.club.tournaments.filter(tables__isnull=False).exclude(pk__in=own).latest("created_at")
    found = {
        "club": world.club,
        "tournament": world.home.tournament if world.home.table in spoilt else other,
        "table": other.tables.first(),
        "player": Player.objects.filter(pk__in=PlayerRating.objects.values("pk"), club=world.club).last(),
        "season": world.club.seasons.first(),
    }
    office = filter(None, (page_of(name, world, found) for name in CLUB_PAGES))
    pages = {*public(found), *of_the_api(found), *office, *(f"/sitemap-{one}.xml" for one in SITEMAPS)}
    # Not by the club's own slug: that would exclude all addresses.
    names = {str(name) for each in spoilt for name in (each.pk, getattr(each, "slug", ""))} - {
        *("", str(world.club.pk), world.club.slug)
    }
    return sorted(each for each in pages if not any(name in each.split("/") for name in names) and not is_whole(each))


@pytest.mark.slow
def test_a_spoilt_row_takes_no_page_but_its_own(world: World):
    visits = Visits(world, Random(1))
    with as_it_was():
        wrong = {
            (chosen.__name__, kind, each): found
            for number, (chosen, kind) in enumerate(product((a_table, everything_else), SPOILT))
            for each, found in wrong_while_spoilt(visits, chosen(world), kind, part=number)
        }
    assert wrong == {}


@pytest.mark.slow
def test_a_club_whose_time_zone_this_machine_does_not_know_keeps_every_page(world: World):
    Club.objects.filter(pk=world.club.pk).update(timezone="Nowhere/Land")
    visits = Visits(world, Random(1))
    assert {
        each: found for each in some_of(addresses(world, [])) if (found := wrong_with(visits, each) or unwhole())
    } == {}


def unwhole() -> str:
    return "a row was left out" if left_out() else ""


def is_whole(address: str) -> bool:
    return any(part in address for part in WHOLE)


def wrong_while_spoilt(visits: Visits, things: list[models.Model], kind: str, *, part: int) -> list[tuple[str, str]]:
    """The problems of answers while some objects are spoilt; afterwards they are restored."""
    pages, found = some_of(addresses(visits.world, things), part=part), []
    with transaction.atomic():
        assert sum(spoil(rows, kind) for thing in things for rows in hanging_on(thing))
        found = [(each, why) for each in pages if (why := wrong_with(visits, each))]
        transaction.set_rollback(True)
    return found


def wrong_with(visits: Visits, address: str) -> str:
    """The problem of an answer: it is an error, or it is incomplete and does not say so."""
    status, kind, body = visits.answer(address)
    if status >= BROKEN:
        return visits.whys[address]
    is_said = b"cannot be shown" in body or b'"left_out"' in body or kind.startswith(WORDLESS)
    return "" if is_said or not left_out() else "a row was left out without a word"
