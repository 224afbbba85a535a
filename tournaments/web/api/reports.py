"""What a tournament came to: its report, the money of each player, and the files of leaderboard, payouts and report.

Rules: docs/reference/api.md, "The books"; docs/how-to/paper.md, "Tournament report". The same numbers as on paper.
"""

from collections.abc import Iterator
from uuid import UUID

import msgspec
from django.http.response import HttpResponseBase
from django.utils import translation
from rest_framework.request import Request
from rest_framework.response import Response

from scoring.messages import english
from scoring.tournament.state import Standing
from tournaments.boards import Board, board
from tournaments.books.queries import (
    SettlementState,
    TournamentSettlement,
    settlement_state,
    tournament_settlement,
)
from tournaments.cash.payouts import cash_books_of, payouts_of, player_shares
from tournaments.cash.queries import differences_of, roundings_of
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.people.permissions import Permission
from tournaments.people.players import actor_names
from tournaments.printing.exports import board_csv, board_workbook
from tournaments.printing.files import FileKind
from tournaments.printing.payouts import payout_list, unsettled
from tournaments.printing.report import (
    booked_of,
    changes_of,
    entered_late,
    entry_fees,
    held_in_tills,
    highlights_of,
    report_figures,
    tournament_report,
)
from tournaments.running.remembered_names import names_of_players
from tournaments.web.api import book_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.clubs import find_tournament
from tournaments.web.api.doors import ApiView
from tournaments.web.api.downloads import PAPER, FileView, download, kind_asked, kind_parameter, media_types, paper
from tournaments.web.api.schema import describes

BOARD_FILES = (FileKind.CSV, FileKind.XLSX)


class LeaderboardFile(FileView):
    """A leaderboard as a file."""

    permissions = {"GET": Permission.WATCH}
    is_public = True

    @describes("download_leaderboard", media_types(*BOARD_FILES), parameters=[kind_parameter(*BOARD_FILES)])
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The leaderboard for a spreadsheet, as beside its page."""
        tournament = find_tournament(self, tournament_id)
        kind = kind_asked(request, *BOARD_FILES)
        current_board = board(tournament, self.names_for(tournament.club_id))
        is_workbook = kind is FileKind.XLSX
        content = board_workbook(current_board) if is_workbook else board_csv(current_board).encode()
        return download(lambda file: file.write(content), f"{tournament.club.slug}-{tournament.slug}", kind)


class Money(ApiView):
    """What a tournament adds to the balance of each player."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("read_tournament_money", shapes.TournamentMoney)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """How far it is settled, who is to be paid and who owes, A to Z, and what was paid out, oldest first."""
        tournament = find_tournament(self, tournament_id)
        shares = player_shares(tournament)
        settlements: list[SettlementState | TournamentSettlement] = [*settlement_state(tournament.pk)]
        own = tournament_settlement(tournament)
        if own is not None:
            settlements.insert(0, own)
        return Response(
            shapes.TournamentMoney(
                tournament=tournament.pk,
                currency=tournament.currency,
                settlements=[_settlement(settlement) for settlement in settlements],
                players=[shaped(shapes.ShareAnswer, share, balance_minor=share.held_minor) for share in shares],
                paid_out=[
                    shaped(shapes.PaidOut, payout, place=english(payout.place))
                    for payout in payouts_of(tournament, shares)
                ],
            )
        )


class PayoutsFile(FileView):
    """Who is paid how much, on paper."""

    permissions = {"GET": Permission.SEE_MONEY}

    @describes("download_payouts", media_types(FileKind.PDF), parameters=[PAPER])
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """Who is paid and who owes, with a line for each to sign (PDF)."""
        tournament = find_tournament(self, tournament_id)
        name = f"{tournament.club.slug}-{tournament.slug}-payouts"
        return paper(request, lambda: payout_list(tournament), name, tournament.club)


class Report(ApiView):
    """The report of a tournament."""

    permissions = {"GET": Permission.SEE_BOOKS}

    @describes("read_report", shapes.ReportAnswer)
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """Winners, highlights, corrections and money, as the log and the books are now."""
        tournament = find_tournament(self, tournament_id)
        with translation.override("en"):
            return Response(report_answer(tournament))


class ReportFile(FileView):
    """The report on paper."""

    permissions = {"GET": Permission.SEE_BOOKS}

    @describes("download_report", media_types(FileKind.PDF), parameters=[PAPER])
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """The report that the tournament's page offers to print (PDF)."""
        tournament = find_tournament(self, tournament_id)
        name = f"{tournament.club.slug}-{tournament.slug}-report"
        return paper(request, lambda: tournament_report(tournament), name, tournament.club)


def _settlement(settlement: SettlementState | TournamentSettlement) -> shapes.SettlementAnswer:
    problem = english(settlement.problem) if settlement.problem is not None else ""
    if isinstance(settlement, TournamentSettlement):
        return shapes.SettlementAnswer(state=settlement.state, settled_at=settlement.settled_at, problem=problem)
    return shaped(shapes.SettlementAnswer, settlement, table=settlement.table_id, problem=problem)


def report_answer(tournament: Tournament) -> shapes.ReportAnswer:
    """The report as data, in English."""
    current_board, highlights = board(tournament, Names.REAL), highlights_of(tournament)
    figures, shares = report_figures(tournament), player_shares(tournament)
    state, books = current_board.state, cash_books_of(tournament)
    entrants = list(state.entrants.values()) if state is not None else []
    late, roundings = entered_late(current_board), roundings_of(books)
    substitutes = {entrant.player: entrant.plays_for for entrant in entrants if entrant.plays_for}
    absent = [entrant.player for entrant in entrants if entrant.standing is Standing.ABSENT]
    named = {
        *(row.line.player for row in current_board.rows),
        *(hand.player for hand in highlights.hands),
        *(player for _, sharing in highlights.splits for player in sharing),
        *(highlights.winners),
        *(highlights.rejoins),
        *(entrant.player for entrant in entrants),
        *(late),
    }
    names = names_of_players(tournament.club, named)
    return shaped(
        shapes.ReportAnswer,
        figures,
        tournament=tournament.pk,
        currency=tournament.currency,
        is_closed=tournament.closed_at is not None,
        fingerprint=current_board.fingerprint,
        names={player: name.name for player, name in names.items()},
        winners=[row.line.player for row in current_board.rows if row.line.player in current_board.table_winners],
        biggest_hands=[shaped(shapes.HandAnswer, hand, table=hand.table.id) for hand in highlights.hands],
        most_deals_won=highlights.deals_won,
        most_deals_won_by=list(highlights.winners),
        absent=absent,
        late=late,
        substitutes=substitutes,
        reentries={entrant.player: len(entrant.reentries) for entrant in entrants if entrant.reentries},
        rejoins=dict(highlights.rejoins),
        splits=[shapes.SplitAnswer(table=table.id, players=list(players)) for table, players in highlights.splits],
        changes=list(_changes(current_board)),
        unsettled=list(unsettled(tournament)),
        entry_fees=entry_fees(tournament, state),
        charged_minor=sum(share.charged_minor for share in shares),
        won_minor=sum(share.won_minor for share in shares),
        booked_minor={kind.value: amount for kind, amount in booked_of(tournament).items()},
        cash_books=[
            shapes.BookDifference(
                book=book.pk,
                number=book.number,
                difference_minor=differences_of(book),
                rounding_minor=roundings.get(book.number, 0),
            )
            for book in books
        ],
        to_pay_out_minor=sum(max(0, share.held_minor) for share in shares),
        owed_minor=sum(max(0, -share.held_minor) for share in shares),
        in_tills_minor=held_in_tills(tournament),
    )


def _changes(shown: Board) -> Iterator[shapes.ChangeAnswer]:
    stored_events = changes_of(shown)
    who = actor_names({event.actor for event in stored_events}, shown.tournament.club_id)
    for event in stored_events:
        deal = msgspec.json.decode(event.body).get("deal")
        yield shapes.ChangeAnswer(
            recorded_at=event.recorded_at,
            table=None if event.stream_id == shown.tournament.pk else event.stream_id,
            kind=event.kind,
            deal=deal if isinstance(deal, int) else None,
            reason=event.note or "",
            by=who.get(event.actor, event.actor),
        )
