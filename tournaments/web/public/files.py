"""Addresses without a language: what programs read, feeds, and boards for a frame.

Programs are told the same in every language, feeds and frames speak the club's: no answer depends on who asks.
"""

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib.sitemaps import views as sitemaps
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import override
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from tournaments.web.addresses import SEASON, TABLE, TOURNAMENT
from tournaments.web.public.base import search_engines
from tournaments.web.public.base.search_engines import SITEMAPS, unlisted
from tournaments.web.public.boards import boards, sharing
from tournaments.web.public.people import clubs, players, ratings, seasons
from tournaments.web.public.tables import sheets

View = Callable[..., HttpResponse]
# A map names what is published; `Last-Modified` alone would let caches keep it for a tenth of its age.
asked_each_time = cache_control(public=True, no_cache=True)


def in_english(view: View) -> View:
    """The view, whatever language its visitor reads."""

    @wraps(view)
    def answered(request: HttpRequest, *words: object, **named: object) -> HttpResponse:
        with override(settings.LANGUAGE_CODE):
            return view(request, *words, **named)

    return answered


app_name = "files"
urlpatterns = [
    path("robots.txt", asked_each_time(search_engines.robots), name="robots"),
    path(
        "sitemap.xml",
        asked_each_time(require_safe(sitemaps.index)),
        {"sitemaps": SITEMAPS, "sitemap_url_name": "files:sitemap_of"},
        name="sitemap",
    ),
    path(
        "sitemap-<section>.xml",
        asked_each_time(require_safe(sitemaps.sitemap)),
        {"sitemaps": SITEMAPS},
        name="sitemap_of",
    ),
    path("c/<slug:club_slug>/results.atom", clubs.results, name="results"),
    path("c/<slug:club_slug>/tournaments.ics", clubs.calendar, name="calendar"),
    path(f"{SEASON}season.json", in_english(seasons.season_file), {"kind": "json"}, name="season_json"),
    path(f"{SEASON}season.csv", in_english(seasons.season_file), {"kind": "csv"}, name="season_csv"),
    path(f"{SEASON}season.xlsx", in_english(seasons.season_file), {"kind": "xlsx"}, name="season_xlsx"),
    path("c/<slug:club_slug>/ratings.json", in_english(ratings.ratings_file), {"kind": "json"}, name="ratings_json"),
    path("c/<slug:club_slug>/ratings.csv", in_english(ratings.ratings_file), {"kind": "csv"}, name="ratings_csv"),
    path("c/<slug:club_slug>/p/<uuid:player>/player.json", in_english(players.player_as_json), name="player_json"),
    path("c/<slug:club_slug>/seals.jsonl", in_english(sharing.seals_as_lines), name="seals"),
    path(f"{TOURNAMENT}board.json", in_english(boards.board_file), {"kind": "json"}, name="board_json"),
    path(f"{TOURNAMENT}board.csv", in_english(boards.board_file), {"kind": "csv"}, name="board_csv"),
    path(f"{TOURNAMENT}board.xlsx", in_english(boards.board_file), {"kind": "xlsx"}, name="board_xlsx"),
    path(f"{TOURNAMENT}embed/", unlisted(sharing.embed), name="embed"),
    path(f"{TOURNAMENT}embed/part/", unlisted(sharing.embed_part), name="embed_part"),
    path(f"{TOURNAMENT}log.jsonl", in_english(sharing.log_as_lines), name="log"),
    path(f"{TABLE}sheet.json", in_english(sheets.sheet_file), {"kind": "json"}, name="sheet_json"),
    path(f"{TABLE}sheet.csv", in_english(sheets.sheet_file), {"kind": "csv"}, name="sheet_csv"),
]
