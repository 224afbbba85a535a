"""Addresses of the API, below /api/v1/."""

from django.urls import path, re_path

from tournaments.web.api.club_log import ClubLog
from tournaments.web.api.clubs import ClubById, Clubs, EveningOf, Players, TournamentById, Tournaments, Variants
from tournaments.web.api.desks import Balances, Cash, Desk, Entries, Many, Substitute, UndoSubstitute
from tournaments.web.api.doors import Elsewhere
from tournaments.web.api.entry_requests import Decide, EntryRequests, SelfEntry
from tournaments.web.api.imports import Imports, UndoImport
from tournaments.web.api.running import TournamentEvents
from tournaments.web.api.tables import EntryForm, Events, Leaderboard, TableById, Tables
from tournaments.web.api.tokens import Me, RevokeToken, Tokens

app_name = "api"
urlpatterns = [
    path("me/", Me.as_view(), name="me"),
    path("variants/", Variants.as_view(), name="variants"),
    path("clubs/", Clubs.as_view(), name="clubs"),
    path("clubs/<uuid:club_id>/", ClubById.as_view(), name="club"),
    path("clubs/<uuid:club_id>/players/", Players.as_view(), name="players"),
    path("clubs/<uuid:club_id>/tournaments/", Tournaments.as_view(), name="tournaments"),
    path("clubs/<uuid:club_id>/imports/", Imports.as_view(), name="imports"),
    path("clubs/<uuid:club_id>/imports/<uuid:import_id>/undo/", UndoImport.as_view(), name="undo_import"),
    path("clubs/<uuid:club_id>/log/", ClubLog.as_view(), name="log"),
    path("clubs/<uuid:club_id>/tokens/", Tokens.as_view(), name="tokens"),
    path("clubs/<uuid:club_id>/tokens/<uuid:token_id>/revoke/", RevokeToken.as_view(), name="revoke_token"),
    path("clubs/<uuid:club_id>/cash/", Cash.as_view(), name="cash"),
    path("clubs/<uuid:club_id>/cash/balances/", Balances.as_view(), name="balances"),
    path("tournaments/<uuid:tournament_id>/", TournamentById.as_view(), name="tournament"),
    path("tournaments/<uuid:tournament_id>/tables/", Tables.as_view(), name="tables"),
    path("tournaments/<uuid:tournament_id>/leaderboard/", Leaderboard.as_view(), name="leaderboard"),
    path("tournaments/<uuid:tournament_id>/evening/", EveningOf.as_view(), name="evening"),
    path("tournaments/<uuid:tournament_id>/entries/", Entries.as_view(), name="entries"),
    path("tournaments/<uuid:tournament_id>/self-entry/", SelfEntry.as_view(), name="self_entry"),
    path("tournaments/<uuid:tournament_id>/entry-requests/", EntryRequests.as_view(), name="entry_requests"),
    path("tournaments/<uuid:tournament_id>/entry-requests/decide/", Decide.as_view(), name="decide"),
    path("tournaments/<uuid:tournament_id>/desk/", Desk.as_view(), name="desk"),
    path("tournaments/<uuid:tournament_id>/all/", Many.as_view(), name="many"),
    path("tournaments/<uuid:tournament_id>/desk/substitute/", Substitute.as_view(), name="substitute"),
    path(
        "tournaments/<uuid:tournament_id>/desk/substitute/undo/",
        UndoSubstitute.as_view(),
        name="undo_substitute",
    ),
    path("tournaments/<uuid:tournament_id>/events/", TournamentEvents.as_view(), name="tournament_events"),
    path("tables/<uuid:table_id>/", TableById.as_view(), name="table"),
    path("tables/<uuid:table_id>/form/", EntryForm.as_view(), name="form"),
    path("tables/<uuid:table_id>/events/", Events.as_view(), name="events"),
    re_path(r"^.*$", Elsewhere.as_view(), name="elsewhere"),
]
