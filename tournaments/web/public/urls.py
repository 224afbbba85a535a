"""Addresses of the public pages, each behind its language: a club, its tournaments, their tables."""

from django.urls import path

from tournaments.web.addresses import SEASON, TABLE, TOURNAMENT
from tournaments.web.public.base.search_engines import unlisted
from tournaments.web.public.boards import boards, explain, moments, sharing
from tournaments.web.public.evenings import house_rules, rounds, schedules, screens
from tournaments.web.public.judge import games, judge
from tournaments.web.public.people import clubs, players, ratings, seasons
from tournaments.web.public.tables import sheets

app_name = "pages"

urlpatterns = [
    path("", clubs.home, name="home"),
    path("judge/", judge.judge, name="judge"),
    path("judge/ruling/", unlisted(judge.judge_ruling), name="judge_ruling"),
    path("judge/<slug:game>/", games.judge_game, name="judge_game"),
    path("judge/<slug:game>/ruling/", unlisted(games.judge_game_ruling), name="judge_game_ruling"),
    path("c/<slug:club_slug>/", clubs.club, name="club"),
    path("c/<slug:club_slug>/running/", unlisted(clubs.running_part), name="running_part"),
    path("c/<slug:club_slug>/seasons/", seasons.seasons, name="seasons"),
    path(SEASON, seasons.season, name="season"),
    path(f"{SEASON}who/<uuid:player>/", seasons.season_of_player, name="season_player"),
    path("c/<slug:club_slug>/ratings/", ratings.ratings, name="ratings"),
    path("c/<slug:club_slug>/players/", players.players, name="players"),
    path("c/<slug:club_slug>/p/<uuid:player>/", players.one_player, name="player"),
    path(TOURNAMENT, boards.tournament, name="tournament"),
    path(f"{TOURNAMENT}board/", unlisted(boards.board_part), name="board_part"),
    path(f"{TOURNAMENT}podium.png", sharing.podium, name="podium"),
    path(f"{TOURNAMENT}share/", unlisted(sharing.share), name="share"),
    path(f"{TOURNAMENT}rounds/", rounds.rounds, name="rounds"),
    path(f"{TOURNAMENT}rounds/r<small:number>/", rounds.rounds, name="round"),
    path(f"{TOURNAMENT}seating/", rounds.seating, name="seating"),
    path(f"{TOURNAMENT}seating/part/", unlisted(rounds.seating_part), name="seating_part"),
    path(f"{TOURNAMENT}seating/r<small:number>/", rounds.seating, name="seating_of_round"),
    path(f"{TOURNAMENT}seating/r<small:number>/part/", unlisted(rounds.seating_part), name="seating_part_of_round"),
    path(f"{TOURNAMENT}schedule/", schedules.schedule, name="schedule"),
    path(f"{TOURNAMENT}prizes/", house_rules.prizes, name="prizes"),
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
