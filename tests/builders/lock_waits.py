"""A planned tournament on SQLite, and every page of the site."""

from collections.abc import Iterator

from django.urls import reverse

from tests.builders.admin_tables import Evening as Night
from tests.builders.routes import route, urlpatterns


def page_addresses(night: Night) -> Iterator[str]:
    """Every public page and file of one club."""
    words = {"club_slug": night.club.slug, "player": night.table.seats.all()[0].player.pk, "round": 1, "number": 1}
    for pattern in urlpatterns:
        slug = night.club.seasons.all()[0].slug if str(pattern.name).startswith("season") else night.tournament.slug
        known = {**words, "slug": slug, "section": "clubs", "game": "gin", "token": "stale"}
        wanted = {name: known[name] for name in pattern.pattern.converters if name in known}
        yield reverse(route(pattern.name), kwargs=wanted)
