"""Every address that reads: pages, parts, feeds, embeds, files, API reads and the admin, from the URL patterns.

Links of the pages that were read are followed too: files of a period, prints and pages of the past have no
pattern of their own.
"""

import logging
import re
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from string import Formatter
from typing import Any

from django.core.signals import got_request_exception
from django.test import Client
from django.urls import URLPattern, reverse

from tests.builders.admin_addresses import CLUB_PAGES
from tests.builders.api_operations import OPERATIONS
from tests.builders.every_write import page_of
from tests.builders.form_controls import links
from tests.builders.proofs import complaints
from tests.builders.routes import route, urlpatterns
from tests.builders.two_clubs import World, latest, objects_of
from tournaments.models import Club
from tournaments.rendering.left_out import left_out
from tournaments.tasks import seal_logs, sweep_readings, sweep_settlements
from tournaments.web.public.base.search_engines import SITEMAPS

BROKEN = 500
SITES_OWN = ("/api/v1/schema/", "/api/v1/docs/")
UNIQUE = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|\d+")


@dataclass
class Visits:
    """What was read, what broke, and why."""

    world: World
    chance: Random
    read: int = 0
    shapes: set[str] = field(default_factory=set)
    whys: dict[str, str] = field(default_factory=dict)

    def broken(self, *, tournaments: int, follow: int, is_last: bool = True) -> list[str]:
        """The addresses of both clubs that do not answer now, and the proofs that fail.

        Of the other club, to which nothing is written, a random fourth until the last time.
        """
        pages = list(dict.fromkeys(self._addresses(tournaments, is_last=is_last)))
        found = []
        leads: dict[Any, Any] = {}
        for each in pages:
            is_broken, page = self._read(each)
            found += [each] if is_broken else []
            leads |= dict.fromkeys(links(page) if page else ())
        for each in self._new(leads, follow):
            found += [each] if self._read(each)[0] else []
        return [*found, *self.unproven()]

    def again(self, addresses: Iterable[str]) -> list[str]:
        """Which of these are broken now."""
        found = [each for each in addresses if each.startswith("/") and self._read(each)[0]]
        return [*found, *(self.unproven() if any(not each.startswith("/") for each in addresses) else ())]

    def unproven(self) -> list[str]:
        """Failures of workers, and findings of the proofs."""
        with heard() as said:
            for task in (sweep_settlements, sweep_readings, seal_logs):
                task()
        return [*said, *complaints()]

    def answer(self, address: str) -> tuple[int, str, bytes]:
        """The status, the type and the body of the answer of an address to a user who may read it."""
        client: Client = self.world.browser if address.startswith("/admin/") else self.world.visitor
        client = self.world.device if address.startswith("/api/") else client
        self.read += 1
        with _failures() as whys:
            answer = client.get(address)
            body = answer.getvalue() if answer.streaming else answer.content
        if answer.status_code >= BROKEN:
            self.whys[address] = "; ".join(whys)
        return answer.status_code, answer.get("Content-Type", ""), body

    def _read(self, address: str) -> tuple[bool, str]:
        """Whether an address is broken, and the page where it is one."""
        status, kind, body = self.answer(address)
        if status >= BROKEN:
            return True, ""
        page = body.decode() if status == 200 and kind.startswith("text/html") else ""
        if left_out():
            self.whys[address] = "a row was left out"
        return left_out() > 0, page

    def _addresses(self, tournaments: int, *, is_last: bool) -> Iterator[str]:
        yield from (reverse("files:sitemap_of", args=[section]) for section in SITEMAPS)
        yield from SITES_OWN
        for evening in (self.world.home, self.world.away):
            club = Club.objects.get(pk=evening.club.pk)
            most = tournaments if evening is self.world.home else 0
            for tournament in latest(club, most, self.chance):
                pages = list(self._around(objects_of(club, tournament, self.chance)))
                is_whole = is_last or evening is self.world.home
                yield from pages if is_whole else self.chance.sample(pages, len(pages) // 4)

    def _around(self, found: Mapping[str, Any]) -> Iterator[str]:
        """Every address around one tournament."""
        yield from public(found)
        yield from of_the_api(found)
        yield from filter(None, (page_of(name, self.world, found) for name in CLUB_PAGES))

    def _new(self, leads: Iterable[str], most: int) -> Iterator[str]:
        """Links of a shape that was not followed yet, and a few of the others."""
        for each in leads:
            shape = UNIQUE.sub("#", each)
            if shape not in self.shapes and most > 0:
                self.shapes.add(shape)
                most -= 1
                yield each


def public(found: Mapping[str, Any]) -> Iterator[str]:
    """Every pattern of the public pages that these objects can fill."""
    for pattern in urlpatterns:
        words = _words(pattern, found)
        if words is not None:
            yield reverse(route(pattern.name), kwargs=words)


def _words(pattern: URLPattern, found: Mapping[str, Any]) -> dict[str, Any] | None:
    table, season = found["table"], found["season"]
    named = season if "seasons/" in str(pattern.pattern) else found["tournament"]
    known = {"club_slug": found["club"].slug, "player": found["player"].pk, "slug": named.slug if named else None}
    known |= {"game": "gin"}
    known |= {"round": table.round, "number": table.number} if table else {"number": 1}
    words = {name: known.get(name) for name in pattern.pattern.converters}
    return None if None in words.values() else words


def of_the_api(found: Mapping[str, Any]) -> Iterator[str]:
    club = found["club"]
    ids = {f"{name}_id": found[name].pk for name in ("club", "tournament", "table", "player", "season") if found[name]}
    for name, rows in (("receiver_id", club.receivers), ("book_id", club.cash_books)):
        if row := rows.first():
            ids[name] = row.pk
    for method, path in OPERATIONS.values():
        if method == "get" and {name for _, name, _, _ in Formatter().parse(path) if name} <= ids.keys():
            yield path.format(**ids)


@contextmanager
def _failures() -> Iterator[list[str]]:
    """Exceptions raised while an address was read."""
    said: list[str] = []

    def note(**_: Any) -> None:
        said.append(traceback.format_exc(limit=-4))

    got_request_exception.connect(note)
    try:
        yield said
    except Exception as error:
        raise AssertionError(f"an exception got past the site: {error!r}") from error
    finally:
        got_request_exception.disconnect(note)


@contextmanager
def heard() -> Iterator[list[str]]:
    """Errors that workers logged."""
    said: list[str] = []

    class Ears(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(f"worker: {record.getMessage()}: {record.exc_info[1] if record.exc_info else ''}")

    ears = Ears(level=logging.ERROR)
    logger = logging.getLogger("tournaments.tasks")
    logger.addHandler(ears)
    try:
        yield said
    finally:
        logger.removeHandler(ears)
