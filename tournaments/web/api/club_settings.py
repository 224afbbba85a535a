"""The settings of a club, as on its page.

Rules: docs/reference/api.md, "Players, people and the club".
"""

from uuid import UUID

from django.http.response import HttpResponseBase
from msgspec import UNSET
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.changing import change_club
from tournaments.models import Club
from tournaments.people.permissions import Permission
from tournaments.web.api import club_shapes as shapes
from tournaments.web.api.answers import shaped
from tournaments.web.api.bodies import given_fields, read_body
from tournaments.web.api.clubs import created, find_club, owner_behind
from tournaments.web.api.doors import ApiView
from tournaments.web.api.schema import KEY, describes


class Settings(ApiView):
    """The settings of a club."""

    permissions = {"GET": Permission.SEE, "POST": Permission.MANAGE}

    @describes("read_settings", shapes.SettingsAnswer)
    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """What the club publishes, how names and amounts are written, and how long things are kept."""
        return Response(_settings(find_club(self, club_id)))

    @describes(
        "change_settings",
        shapes.SettingsAnswer,
        body=shapes.SettingsBody,
        parameters=[KEY],
        example={"naming": "first", "smallest_cash": {"INR": 100}},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Changes what is given. Players' public names follow.

        It is no event and has no version: sent twice, it sets the same values. `expected` saves you from changing what
        somebody else has changed since you read it.
        """
        club = find_club(self, club_id)
        self.command_context()
        by = owner_behind(self, club)
        body = read_body(shapes.SettingsBody, request.data)
        changes = given_fields(body, shapes.SettingsFields)
        expected = {} if body.expected is UNSET else given_fields(body.expected, shapes.SettingsFields)
        return created(_settings(change_club(club.pk, changes, expected=expected, by=by)), is_replay=False)


def _settings(club: Club) -> shapes.SettingsAnswer:
    return shaped(shapes.SettingsAnswer, club, club=club.pk)
