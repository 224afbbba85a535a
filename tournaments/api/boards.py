"""The leaderboard of a tournament, now and at any moment before."""

from datetime import datetime
from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from tournaments.access import Deed
from tournaments.api.answers import board_answer
from tournaments.api.clubs import find_tournament
from tournaments.api.doors import ApiView, is_public, tag_of, unless_known
from tournaments.api.moments import moment_asked_for
from tournaments.api.schema import AT, describes
from tournaments.api.shapes import BoardAnswer
from tournaments.models import Tournament
from tournaments.queries import board, board_at, board_names
from tournaments.queries.moments import position_at


class Leaderboard(ApiView):
    """Who stands where."""

    deeds = {"GET": Deed.SEE}
    is_public = True

    @describes("read_leaderboard", BoardAnswer, parameters=[AT], has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """As it stands, or as it was shown at a position of the club's log or at a moment."""
        tournament = find_tournament(self, tournament_id)
        position = _position_asked_for(request, tournament)
        names = board_names(tournament_id)

        def tag(shown: int) -> str:
            return tag_of(shown, tournament_id, tournament.name, *names)

        is_now = position == tournament.board_position
        return unless_known(
            request,
            tag(position),
            lambda: board_answer(board(tournament) if is_now else board_at(tournament, position)),
            is_shared=is_public(tournament),
            retag=(lambda answer: tag(answer.position)) if is_now else None,
        )


def _position_asked_for(request: Request, tournament: Tournament) -> int:
    """The position of `?at=`; beyond the last one that touched the board it is the board as it stands."""
    at = moment_asked_for(request)
    current = tournament.board_position
    if at is None:
        return current
    position = position_at(tournament.id, at, current=current) if isinstance(at, datetime) else at
    return min(position, current)
