"""Information for search engines: the addresses of published pages, and what is not to be indexed.

Rules: docs/how-to/publishing.md, "Search engines". Unpublished pages are in no list, and are marked as not to be
indexed. Nothing here decides who may see a page.
"""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any

from django.contrib.sitemaps import Sitemap
from django.core.paginator import Page, Paginator
from django.db.models import Max, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse
from django.views.decorators.http import require_safe

from scoring.rules.variants import VARIANTS
from tournaments.boards.clubs import published_tournaments
from tournaments.models import Club, Season, Tournament
from tournaments.rendering.left_out import lines_of, pairs_of

View = Callable[..., HttpResponseBase]
CLOSED = ("/admin/", "/api/", "/table/", "/join/", "/setup/", "/me/")


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    """Return robots.txt: what engines need not request, and the address of the sitemap."""
    where = request.build_absolute_uri(reverse("files:sitemap"))
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), "", f"Sitemap: {where}", ""]
    return HttpResponse("\n".join(lines), content_type="text/plain; charset=utf-8")


def unlisted(view: View) -> View:
    """Mark a response as not to be indexed: a part of a page, or a page for a frame."""

    @wraps(view)
    def answered(request: HttpRequest, *words: object, **named: object) -> HttpResponseBase:
        answer = view(request, *words, **named)
        answer.headers["X-Robots-Tag"] = "noindex"
        return answer

    return answered


class WholeSitemap(Sitemap):  # type: ignore[type-arg]
    """A sitemap that skips entries without a valid address or moment, so that the rest stays available."""

    i18n = alternates = x_default = True

    def get_latest_lastmod(self) -> datetime | None:
        """Return the latest of all valid moments."""
        lastmod: Callable[[Any], datetime] | None = getattr(self, "lastmod", None)
        return None if lastmod is None else max(lines_of(self.items(), lastmod), default=None)

    @property
    def paginator(self) -> "WholePages":
        return WholePages(self)


class WholePages(Paginator):  # type: ignore[type-arg]
    """The pages of a sitemap, each without invalid entries."""

    def __init__(self, sitemap: WholeSitemap) -> None:
        super().__init__(sitemap._items(), sitemap.limit)  # type: ignore[attr-defined]  # not in the stubs
        self.sitemap = sitemap

    def page(self, number: Any) -> "Page[Any]":
        """Return the page without entries that lack an address or a moment."""
        page: Page[Any] = super().page(number)
        page.object_list = [item for item, _ in pairs_of(page.object_list, self._read)]
        return page

    def _read(self, item: Any) -> Any:
        return self.sitemap._location(item), self.sitemap._get("lastmod", item)  # type: ignore[attr-defined]  # as above


class SitePages(Sitemap):  # type: ignore[type-arg]
    """The pages that belong to no club."""

    i18n = alternates = x_default = True

    def items(self) -> list[tuple[str, ...]]:
        games = [("pages:judge_game", rules.name) for rules in VARIANTS.values() if rules.judge]
        return [("pages:home",), ("pages:judge",), *games]

    def location(self, item: tuple[str, ...]) -> str:
        name, *words = item
        return reverse(name, args=words)


class ClubPages(WholeSitemap):
    """Clubs that publish. A club's page changes with every tournament of it."""

    changefreq = "daily"

    def items(self) -> QuerySet[Club]:
        return Club.objects.filter(is_published=True).order_by("slug")

    def location(self, item: Club) -> str:
        return reverse("pages:club", args=(item.slug,))


class TournamentPages(WholeSitemap):
    """Published tournaments, the latest first, with the time of their last change."""

    limit = 5_000

    def items(self) -> QuerySet[Tournament]:
        heard = Max("tables__scoresheet__last_recorded_at")
        return published_tournaments().annotate(heard=heard).order_by("-starts_at", "id")

    def location(self, item: Tournament) -> str:
        return reverse("pages:tournament", args=(item.club.slug, item.slug))

    def lastmod(self, item: Tournament) -> datetime:
        """When its last event was recorded, or it was closed; before it has begun, when it was created."""
        heard: datetime | None = getattr(item, "heard", None)
        return max(moment for moment in (item.created_at, item.closed_at, heard) if moment is not None)


class SeasonPages(WholeSitemap):
    """Published seasons of clubs that publish. Players are not listed: visitors find them on the club's pages."""

    limit = 5_000

    def items(self) -> QuerySet[Season]:
        seasons = Season.objects.select_related("club").filter(is_published=True, club__is_published=True)
        return seasons.order_by("-starts_on", "id")

    def location(self, item: Season) -> str:
        return reverse("pages:season", args=(item.club.slug, item.slug))


SITEMAPS = {"site": SitePages, "clubs": ClubPages, "tournaments": TournamentPages, "seasons": SeasonPages}
