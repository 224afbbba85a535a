"""Routes of the public pages: a club, its tournaments, their tables.

The address of a page begins with its language. Files for programs, feeds, and framed boards have none: files are the
same in every language, feeds and frames use the club's, so that no response depends on the visitor.
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
from tournaments.web.public import judge
from tournaments.web.public.base import search_engines
from tournaments.web.public.base.search_engines import SITEMAPS, unlisted
from tournaments.web.public.boards import boards, explain, moments, sharing
from tournaments.web.public.judge import games
from tournaments.web.public.people import clubs, players, ratings, seasons
from tournaments.web.public.people.stop_messages import stop_messages
from tournaments.web.public.tables import sheets
from tournaments.web.public.tournament import house_rules, rounds, schedules, screens, self_entry

View = Callable[..., HttpResponse]
# A sitemap lists what is published; with `Last-Modified` alone caches would keep it for a tenth of its age.
asked_each_time = cache_control(public=True, no_cache=True)


def in_english(view: View) -> View:
    """Run the view in English, whatever the visitor's language."""

    @wraps(view)
    def answered(request: HttpRequest, *words: object, **named: object) -> HttpResponse:
        with override(settings.LANGUAGE_CODE):
            return view(request, *words, **named)

    return answered


PAGES = [
    path("", clubs.home, name="home"),
    path("judge/", judge.judge, name="judge"),
    path("judge/ruling/", unlisted(judge.judge_ruling), name="judge_ruling"),
    path("judge/<slug:game>/", games.judge_game, name="judge_game"),
    path("judge/<slug:game>/ruling/", unlisted(games.judge_game_ruling), name="judge_game_ruling"),
    path("c/<slug:club_slug>/", clubs.club, name="club"),
    path("c/<slug:club_slug>/running/", unlisted(clubs.running_part), name="running_part"),
    path("c/<slug:club_slug>/seasons/", seasons.seasons, name="seasons"),
    path(SEASON, seasons.season, name="season"),
    path(f"{SEASON}podium.png", seasons.season_picture, name="season_picture"),
    path(f"{SEASON}who/<uuid:player>/", seasons.season_of_player, name="season_player"),
    path("c/<slug:club_slug>/ratings/", ratings.ratings, name="ratings"),
    path("c/<slug:club_slug>/players/", players.players, name="players"),
    path("c/<slug:club_slug>/p/<uuid:player>/", players.one_player, name="player"),
    path("c/<slug:club_slug>/p/<uuid:player>/podium.png", players.player_picture, name="player_picture"),
    path("messages/stop/<str:token>/", unlisted(stop_messages), name="stop_messages"),
    path(TOURNAMENT, boards.tournament, name="tournament"),
    path(f"{TOURNAMENT}board/", unlisted(boards.board_part), name="board_part"),
    path(f"{TOURNAMENT}podium.png", sharing.podium, name="podium"),
    path(f"{TOURNAMENT}enter/", unlisted(self_entry.enter), name="enter"),
    path(f"{TOURNAMENT}enter/status/", unlisted(self_entry.entry_status), name="entry_status"),
    path(f"{TOURNAMENT}share/", unlisted(sharing.share), name="share"),
    path(f"{TOURNAMENT}rounds/", rounds.rounds, name="rounds"),
    path(f"{TOURNAMENT}rounds/r<small:number>/", rounds.rounds, name="round"),
    path(f"{TOURNAMENT}seating/", rounds.seating, name="seating"),
    path(f"{TOURNAMENT}seating/part/", unlisted(rounds.seating_part), name="seating_part"),
    path(f"{TOURNAMENT}seating/r<small:number>/", rounds.seating, name="seating_of_round"),
    path(f"{TOURNAMENT}seating/r<small:number>/part/", unlisted(rounds.seating_part), name="seating_part_of_round"),
    path(f"{TOURNAMENT}schedule/", schedules.schedule, name="schedule"),
    path(f"{TOURNAMENT}prizes/", house_rules.prizes, name="prizes"),
    path(f"{TOURNAMENT}prizes/r<small:number>/", house_rules.prizes, name="prizes_of_round"),
    path(f"{TOURNAMENT}rules/", house_rules.house_rules, name="house_rules"),
    path(f"{TOURNAMENT}room/", schedules.room, name="room"),
    path(f"{TOURNAMENT}room/part/", unlisted(schedules.room_part), name="room_part"),
    path(f"{TOURNAMENT}screen/", unlisted(screens.screen), name="screen"),
    path(f"{TOURNAMENT}screen/part/", unlisted(screens.screen_part), name="screen_part"),
    path(f"{TOURNAMENT}screen/code.svg", screens.screen_code, name="screen_code"),
    path(f"{TOURNAMENT}past/", moments.past, name="past"),
    path(f"{TOURNAMENT}proof/", sharing.proof, name="proof"),
    path(f"{TOURNAMENT}who/<uuid:player>/", explain.explanation, name="explanation"),
    path(TABLE, sheets.table, name="table"),
    path(f"{TABLE}sheet/", unlisted(sheets.sheet_part), name="sheet_part"),
]

FILES = [
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
    path("c/<slug:club_slug>/ratings.xlsx", in_english(ratings.ratings_file), {"kind": "xlsx"}, name="ratings_xlsx"),
    path("c/<slug:club_slug>/players.json", in_english(players.players_file), {"kind": "json"}, name="players_json"),
    path("c/<slug:club_slug>/players.csv", in_english(players.players_file), {"kind": "csv"}, name="players_csv"),
    path("c/<slug:club_slug>/players.xlsx", in_english(players.players_file), {"kind": "xlsx"}, name="players_xlsx"),
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
