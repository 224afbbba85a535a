"""The leaderboard of a tournament, now and at any moment before."""

from datetime import datetime
from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from tournaments.boards.boards import board
from tournaments.boards.past import board_at
from tournaments.boards.published import board_names
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.people.permissions import Deed
from tournaments.tables.queries.moments import At, position_at
from tournaments.web.api.base.doors import ApiView, is_public, tag_of, unless_known
from tournaments.web.api.base.moments import hindsight_of, moment_asked_for
from tournaments.web.api.base.schema import AT, describes
from tournaments.web.api.shapes.answers import board_answer
from tournaments.web.api.shapes.tables import BoardAnswer
from tournaments.web.api.views.clubs import find_tournament


class Leaderboard(ApiView):
    """Who stands where."""

    deeds = {"GET": Deed.WATCH}
    is_public = True

    @describes("read_leaderboard", BoardAnswer, parameters=[AT], has_tag=True)
    def get(self, request: Request, tournament_id: UUID) -> HttpResponseBase:
        """As it stands; as it was shown at a position of the club's log or at a moment; or as it is known now."""
        tournament = find_tournament(self, tournament_id)
        at = moment_asked_for(request)
        hindsight = hindsight_of(request, at)
        position = _position_of(at, tournament)
        shown = self.names_for(tournament.club_id)
        names = board_names(tournament_id, shown)

        def tag(position: int) -> str:
            return tag_of(position, tournament_id, tournament.name, *hindsight, *names)

        is_now = position == tournament.board_position and not hindsight
        shown_at = at if at is not None and hindsight else position
        return unless_known(
            request,
            tag(position),
            lambda: board_answer(board(tournament, shown) if is_now else board_at(tournament, shown_at, shown)),
            is_shared=is_public(tournament) and shown is Names.PUBLIC,
            retag=(lambda answer: tag(answer.position)) if is_now else None,
        )


def _position_of(at: At | None, tournament: Tournament) -> int:
    """The last position the answer depends on; beyond the last one that touched the board it is the board as it stands.

    What is known now of the past depends on everything.
    """
    current = tournament.board_position
    if isinstance(at, datetime):
        at = position_at(tournament.id, at, current=current)
    return min(at, current) if isinstance(at, int) else current
