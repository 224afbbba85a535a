"""A club changes its slug: printed, bookmarked or embedded addresses redirect for ever, and no other club gets it.

Planted faults that this catches: the old slug forgotten; taken by another club; a redirect that tells of a hidden club.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from tests.builders.admin_tables import Evening, club_called, evening_at, person
from tests.builders.page_forms import opened
from tests.builders.routes import route, urlpatterns
from tournaments.models import Club, ClubSlug, Role
from tournaments.web.admin.register.season_form import SeasonForm
from tournaments.web.admin.tournament.tournament_form import TournamentForm

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    return evening_at(club_called("Asha's club", "asha"))


def moved(club: Club, slug: str) -> None:
    club.slug = slug
    club.save()


def old_addresses(evening: Evening) -> Iterator[str]:
    """Every address of a club, of its tournament and of a player, by the slug of then."""
    words: dict[str, Any] = {"club_slug": "asha", "slug": evening.tournament.slug, "round": 1, "number": 1}
    words["player"] = evening.table.seats.all()[0].player_id
    with override("de"):
        for found in urlpatterns:
            if "<slug:club_slug>" in str(found.pattern):
                yield reverse(route(found.name), kwargs={name: words[name] for name in found.pattern.converters})


def test_every_address_of_a_club_leads_on_after_its_slug_was_changed_twice(evening: Evening, client: Client):
    moved(evening.club, "asha-and-friends")
    moved(evening.club, "friends")
    for old in old_addresses(evening):
        answer = client.get(f"{old}?at=1")
        assert answer.status_code == 301, old
        assert answer.headers["Location"] == f"{old}?at=1".replace("/c/asha/", "/c/friends/")
        assert "max-age=3600" in answer.headers["Cache-Control"]
    for page in (f"t/{evening.tournament.slug}/embed/", "results.atom", f"t/{evening.tournament.slug}/board.json"):
        assert client.get(f"/c/asha/{page}", follow=True).status_code == 200


def test_a_slug_that_was_ever_used_is_nobody_elses_and_the_form_says_so(evening: Evening, client: Client):
    """Planted fault: two clubs saved at once, each of which looked before the other had written."""
    moved(evening.club, "friends")
    other = club_called("Another", "another")
    client.force_login(person("olga", Role.OWNER, other))
    url = f"/admin/tournaments/club/{other.pk}/change/"
    for slug in ("asha", "Asha"):
        with pytest.raises(IntegrityError), transaction.atomic():
            club_called("A third", slug)
        with pytest.raises(IntegrityError), transaction.atomic():
            ClubSlug.objects.create(slug=slug, club=other)
        refused = client.post(url, {**opened(client, url).values(), "slug": slug})
        assert refused.status_code == 200
        assert "Another club has used this address. Choose another one." in refused.content.decode()
    other.refresh_from_db()
    assert other.slug == "another"


def test_a_club_may_go_back_to_a_slug_that_it_had(evening: Evening, client: Client):
    moved(evening.club, "friends")
    moved(evening.club, "asha")
    assert client.get("/c/asha/").status_code == 200
    assert client.get("/c/friends/").headers["Location"] == "/en-gb/c/asha/"
    assert set(ClubSlug.objects.values_list("slug", flat=True)) == {"asha", "friends"}


def test_an_address_in_other_capitals_leads_to_the_club(evening: Evening, client: Client):
    assert client.get("/c/ASHA/").headers["Location"] == "/en-gb/c/asha/"
    moved(evening.club, "ASHA")
    assert client.get("/c/asha/").headers["Location"] == "/en-gb/c/ASHA/"
    assert client.get("/c/ASHA/").status_code == 200
    assert list(ClubSlug.objects.values_list("slug", flat=True)) == ["asha"]


def test_the_migration_leaves_one_slug_for_all_capitals(evening: Evening, client: Client):
    """Planted faults: a current slug given up for a former one; a number that another club has."""
    younger, numbered = club_called("Younger", "younger"), club_called("Numbered", "asha-2")
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX clubslug_once")
        for club, slug in ((younger, "ASHA"), (numbered, "YOUNGER"), (evening.club, "aSHA")):
            ClubSlug.objects.create(slug=slug, club=club)
        Club.objects.filter(pk=younger.pk).update(slug="ASHA")
        migration = import_module("tournaments.migrations.0050_slugs_in_any_capitals")
        migration.one_for_all_capitals(apps, connection.schema_editor())
        cursor.execute("CREATE UNIQUE INDEX clubslug_once ON tournaments_clubslug (LOWER(slug))")
    slugs = {club.name: {*club.slugs.values_list("slug", flat=True)} for club in Club.objects.all()}
    assert slugs == {"Asha's club": {"asha"}, "Younger": {"younger", "ASHA-3"}, "Numbered": {"asha-2"}}
    assert set(Club.objects.values_list("slug", flat=True)) == {"asha", "ASHA-3", "asha-2"}
    assert client.get("/c/ASHA/").headers["Location"] == "/en-gb/c/asha/"


def test_a_hidden_club_is_not_told_by_its_old_address(evening: Evening, client: Client):
    evening.club.is_published = False
    moved(evening.club, "friends")
    assert client.get("/c/asha/").status_code == 404
    assert client.get("/c/nobody/").status_code == 404
    client.force_login(person("olga", Role.OWNER, evening.club))
    assert client.get("/c/asha/").status_code == 301


def test_no_form_changes_the_slug_of_anything_but_a_club():
    """Slugs of other objects do not change; a form that offers it needs its old addresses kept as well."""
    having: dict[str, Any] = {
        model.__name__: model
        for model in apps.get_app_config("tournaments").get_models()
        if any(isinstance(field, models.SlugField) for field in model._meta.get_fields())
    }
    assert set(having) == {"Club", "ClubSlug", "Tournament", "Season"}
    assert "slug" not in TournamentForm.base_fields
    assert "slug" not in SeasonForm().fields
