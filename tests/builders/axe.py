"""Accessibility of a page by axe-core, and the addresses of the public pages."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.urls import reverse

from scoring.rules.variants import VARIANTS
from tests.builders.admin_tables import CAST, NOW, club_called
from tests.builders.admin_tournaments import HEATS, a_night, play_out, start_clock
from tests.builders.routes import route, urlpatterns
from tests.builders.seasons import caught_up, played, season

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "resultTypes": ["violations"]}


def faults(page: Any, site: str, client: Client, paths: Iterable[str]) -> Iterator[str]:
    """The findings of axe on each of these pages, a line for each place; files and parts of pages are left out."""
    for path in filter(partial(is_page, client), paths):
        page.goto(f"{site}{path}")
        yield from (f"{path} {fault}" for fault in violations(page))


def violations(page: Any) -> Iterator[str]:
    """The findings of axe on the present page."""
    for found in Axe().run(page, options=RULES).response["violations"]:
        yield from (f"{found['id']}: {node['html'][:200]}" for node in found["nodes"])


def is_page(client: Client, path: str) -> bool:
    answer = client.get(path)
    is_whole = not answer.streaming and b"<html" in answer.content
    return answer.status_code == 200 and is_whole and not answer.headers.get("Content-Disposition")


def public_paths() -> Iterator[str]:
    """Every public address: of a planned evening with seats and a clock, and of a season with a closed night."""
    club = club_called("Asha's club", "asha")
    table = played(club, "Asha", "Bo", "Cy")
    spring = season(club)
    caught_up(club)
    night = a_night(club, HEATS, entry_minor=30_000, fee_bp=1_000)
    night.enter(*CAST)
    play_out(night.seat()[0])
    start_clock(night, at_second=int(NOW.timestamp()))
    player = table.row.seats.get(number=1).player_id
    words = {"club_slug": club.slug, "round": 1, "number": 1, "player": player, "section": "site", "token": "stale"}
    for each in urlpatterns:
        slug = spring.slug if "seasons/" in str(each.pattern) else night.tournament.slug
        if each.name == "explanation":
            slug = table.row.tournament.slug
        for game, rules in VARIANTS.items() if "game" in each.pattern.converters else [("", None)]:
            named = {name: (words | {"slug": slug, "game": game})[name] for name in each.pattern.converters}
            path = reverse(route(each.name), kwargs=named)
            yield path
            if rules is not None and rules.judge:
                yield f"{path}?{urlencode(rules.judge.example, doseq=True)}"
