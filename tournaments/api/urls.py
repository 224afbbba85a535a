"""Addresses of the API, below /api/v1/."""

from django.urls import path, re_path

from tournaments.api.boards import Leaderboard
from tournaments.api.clubs import ClubById, Clubs, Players, TournamentById, Tournaments, Variants
from tournaments.api.elsewhere import Elsewhere
from tournaments.api.forms import EntryForm
from tournaments.api.tables import Events, TableById, Tables

app_name = "api"
urlpatterns = [
    path("variants/", Variants.as_view(), name="variants"),
    path("clubs/", Clubs.as_view(), name="clubs"),
    path("clubs/<uuid:club_id>/", ClubById.as_view(), name="club"),
    path("clubs/<uuid:club_id>/players/", Players.as_view(), name="players"),
    path("clubs/<uuid:club_id>/tournaments/", Tournaments.as_view(), name="tournaments"),
    path("tournaments/<uuid:tournament_id>/", TournamentById.as_view(), name="tournament"),
    path("tournaments/<uuid:tournament_id>/tables/", Tables.as_view(), name="tables"),
    path("tournaments/<uuid:tournament_id>/leaderboard/", Leaderboard.as_view(), name="leaderboard"),
    path("tables/<uuid:table_id>/", TableById.as_view(), name="table"),
    path("tables/<uuid:table_id>/form/", EntryForm.as_view(), name="form"),
    path("tables/<uuid:table_id>/events/", Events.as_view(), name="events"),
    re_path(r"^.*$", Elsewhere.as_view(), name="elsewhere"),
]
