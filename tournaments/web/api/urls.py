"""Addresses of the API, below /api/v1/."""

from django.urls import path, re_path

from tournaments.web.api import running, seating, sheets
from tournaments.web.api.club_log import ClubLog
from tournaments.web.api.clubs import ClubById, Clubs, EveningOf, Players, TournamentById, Tournaments, Variants
from tournaments.web.api.desks import Balances, Cash, Desk, Entries, Many, Substitute, UndoSubstitute
from tournaments.web.api.doors import Elsewhere
from tournaments.web.api.entry_requests import Decide, EntryRequests, SelfEntry
from tournaments.web.api.imports import Imports, UndoImport
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
    path("clubs/<uuid:club_id>/tournaments/set-up/", running.SetUpOf.as_view(), name="set_up"),
    path("clubs/<uuid:club_id>/cash/", Cash.as_view(), name="cash"),
    path("clubs/<uuid:club_id>/cash/payouts/", sheets.Payouts.as_view(), name="payouts"),
    path("clubs/<uuid:club_id>/cash/credit/", sheets.Credit.as_view(), name="credit"),
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
    path("tournaments/<uuid:tournament_id>/events/", running.TournamentEvents.as_view(), name="tournament_events"),
    path("tournaments/<uuid:tournament_id>/plan/", running.PlanOf.as_view(), name="plan"),
    path("tournaments/<uuid:tournament_id>/plan/check/", running.PlanCheck.as_view(), name="plan_check"),
    path("tournaments/<uuid:tournament_id>/plan/formats/", running.Formats.as_view(), name="formats"),
    path("tournaments/<uuid:tournament_id>/cut/", running.CutOf.as_view(), name="cut"),
    path("tournaments/<uuid:tournament_id>/cut/undo/", running.CutUndo.as_view(), name="undo_cut"),
    path("tournaments/<uuid:tournament_id>/ties/", running.Ties.as_view(), name="ties"),
    path("tournaments/<uuid:tournament_id>/clock/", running.Clock.as_view(), name="clock"),
    path("tournaments/<uuid:tournament_id>/close/", running.Close.as_view(), name="close"),
    path("tournaments/<uuid:tournament_id>/abandon/", running.Abandon.as_view(), name="abandon"),
    path("tournaments/<uuid:tournament_id>/reopen/", running.Reopen.as_view(), name="reopen"),
    path("tournaments/<uuid:tournament_id>/delete/", running.Delete.as_view(), name="delete"),
    path("tournaments/<uuid:tournament_id>/restore/", running.Restore.as_view(), name="restore"),
    path("tournaments/<uuid:tournament_id>/change/", running.Change.as_view(), name="change"),
    path("tournaments/<uuid:tournament_id>/repeat/", running.Repeat.as_view(), name="repeat"),
    path("tournaments/<uuid:tournament_id>/settle/", running.Settle.as_view(), name="settle"),
    path("tournaments/<uuid:tournament_id>/prizes/", running.Prizes.as_view(), name="prizes"),
    path("tournaments/<uuid:tournament_id>/screens/", running.Screens.as_view(), name="screens"),
    path("tournaments/<uuid:tournament_id>/screens/pin/", running.ScreenPin.as_view(), name="pin_screen"),
    path("tournaments/<uuid:tournament_id>/screens/skip/", running.ScreenSkip.as_view(), name="skip_screen"),
    path("tournaments/<uuid:tournament_id>/draft/", seating.DraftOf.as_view(), name="draft"),
    path("tournaments/<uuid:tournament_id>/draft/change/", seating.DraftChange.as_view(), name="change_draft"),
    path("tournaments/<uuid:tournament_id>/draft/discard/", seating.DraftDiscard.as_view(), name="discard_draft"),
    path("tournaments/<uuid:tournament_id>/draft/publish/", seating.DraftPublish.as_view(), name="publish_draft"),
    path("tournaments/<uuid:tournament_id>/seating/undo/", seating.SeatingUndo.as_view(), name="undo_seating"),
    path("tournaments/<uuid:tournament_id>/moves/", seating.Moves.as_view(), name="moves"),
    path("tournaments/<uuid:tournament_id>/moves/undo/", seating.MoveUndo.as_view(), name="undo_move"),
    path("tournaments/<uuid:tournament_id>/seats/late/", seating.LateSeatOf.as_view(), name="seat_late"),
    path("tournaments/<uuid:tournament_id>/seats/leave/", seating.Leave.as_view(), name="leave"),
    path("tournaments/<uuid:tournament_id>/seats/swap/", seating.Swap.as_view(), name="swap"),
    path("tournaments/<uuid:tournament_id>/seats/undo/", seating.SeatsUndo.as_view(), name="undo_seats"),
    path("tournaments/<uuid:tournament_id>/late-sheets/", sheets.LateSheets.as_view(), name="late_sheets"),
    path("tournaments/<uuid:tournament_id>/cards/", sheets.Cards.as_view(), name="cards"),
    path("tournaments/<uuid:tournament_id>/cards/revoke/", sheets.CardsRevoke.as_view(), name="revoke_cards"),
    path("tables/<uuid:table_id>/", TableById.as_view(), name="table"),
    path("tables/<uuid:table_id>/form/", EntryForm.as_view(), name="form"),
    path("tables/<uuid:table_id>/events/", Events.as_view(), name="events"),
    path("tables/<uuid:table_id>/events/all/", sheets.EventsOfTable.as_view(), name="events_of_table"),
    path("tables/<uuid:table_id>/exchange/", sheets.ExchangeOf.as_view(), name="exchange"),
    path("tables/<uuid:table_id>/late-sheets/", sheets.LateSheetsOfTable.as_view(), name="late_sheets_of_table"),
    re_path(r"^.*$", Elsewhere.as_view(), name="elsewhere"),
]
