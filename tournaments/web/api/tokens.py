"""Who one is, and the device links of a club: listed, made and revoked, never above one's own role.

Rules: docs/reference/api.md, "Authentication".
"""

from uuid import UUID, uuid5

from django.contrib.auth import get_user_model
from django.http import Http404
from django.utils.timezone import now
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.cash.queries import open_tills_of
from tournaments.models import ApiToken, Club, Role
from tournaments.people.access import ends_soon, issue_token, revoke_tokens
from tournaments.people.permissions import Permission, roles_to_give
from tournaments.people.players import actor_names
from tournaments.rendering.left_out import left_out
from tournaments.tables.queries.table_tokens import TableCard
from tournaments.web.api.answers import shaped
from tournaments.web.api.bodies import read_body
from tournaments.web.api.club_shapes import (
    IssuedToken,
    MeAnswer,
    OwnTill,
    RevokeBody,
    RoleAnswer,
    TokenAnswer,
    TokenBody,
    TokenPage,
)
from tournaments.web.api.clubs import created, find_club
from tournaments.web.api.doors import ApiView, filtered, page_of
from tournaments.web.api.filters import TokenFilter
from tournaments.web.api.schema import KEY, PAGING, describes


class Me(ApiView):
    """Who sent the request."""

    permissions = {"GET": Permission.WATCH}

    @describes("read_me", MeAnswer)
    def get(self, request: Request) -> Response:
        """Your name in the log, your role in each club, your token and when it ends, and your open tills."""
        actor, auth = self.actor, request.auth
        clubs = Club.objects.filter(id__in=actor.roles).order_by("name", "id")
        tills = [
            OwnTill(
                club=row.club_id,
                currency=row.currency,
                book=row.pk,
                till=actor.name,
                float_minor=till.float_minor,
                counted_minor=till.counted_minor,
            )
            for row, till in open_tills_of(actor.name, actor.roles)
        ]
        answer = MeAnswer(
            actor=actor.name,
            name=actor_names({actor.name}).get(actor.name, actor.name),
            roles=[shaped(RoleAnswer, club, club=club.pk, role=actor.roles[club.pk].value) for club in clubs],
            tills=tills,
            token=token_answer(auth) if isinstance(auth, ApiToken) else None,
            table=actor.card.table if isinstance(auth, TableCard) and actor.card else None,
            is_site_admin=actor.is_site_admin,
            left_out=left_out(),
        )
        return Response(answer)


class Tokens(ApiView):
    """A club's device links."""

    permissions = {"GET": Permission.DIRECT, "POST": Permission.DIRECT}

    @describes("list_tokens", TokenPage, parameters=PAGING, filters=TokenFilter)
    def get(self, request: Request, club_id: UUID) -> Response:
        """The latest first, revoked ones included."""
        rows = ApiToken.objects.filter(club=find_club(self, club_id)).select_related("user")
        rows = filtered(request, TokenFilter, rows)
        return Response(page_of(request, rows, token_answer, order=("-created_at", "id")))

    @describes(
        "create_token",
        IssuedToken,
        body=TokenBody,
        parameters=[KEY],
        example={"name": "Screen at the bar", "role": "display"},
    )
    def post(self, request: Request, club_id: UUID) -> Response:
        """Makes a device link. The same key again returns it without its secret: lost, revoke it and make another.

        A link that a device link makes ends with that one at the latest, and is revoked with it.
        """
        club = find_club(self, club_id)
        key = self.command_context().key
        body = read_body(TokenBody, request.data)
        role, auth = Role(body.role), request.auth
        if role not in roles_to_give(self.actor, club.pk):
            raise PermissionDenied(f"You cannot give the role {role.value}: it may do more than yours.")
        token, secret = issue_token(
            uuid5(club.pk, f"token {key}"),
            club,
            user_id=request.user.pk if isinstance(request.user, get_user_model()) else None,
            role=role,
            name=body.name,
            expires_at=body.expires_at,
            made_with=auth if isinstance(auth, ApiToken) else None,
        )
        return created(token_answer(token, IssuedToken, secret=secret), is_replay=secret is None)


class RevokeToken(ApiView):
    """One device link of a club."""

    permissions = {"POST": Permission.DIRECT}

    @describes("revoke_token", TokenAnswer, body=RevokeBody, example={})
    def post(self, request: Request, club_id: UUID, token_id: UUID) -> Response:
        """Revokes a device link at once, and those that were made with it. Revoking it again changes nothing."""
        club = find_club(self, club_id)
        read_body(RevokeBody, request.data)
        token = ApiToken.objects.select_related("user").filter(club=club, id=token_id).first()
        if token is None:
            raise Http404
        if Role(token.role) not in roles_to_give(self.actor, club.pk):
            raise PermissionDenied("This link may do more than your role: ask an owner.")
        revoke_tokens([token.pk], now=now())
        token.refresh_from_db()
        return Response(token_answer(token))


def token_answer(token: ApiToken, shape: type[TokenAnswer] = TokenAnswer, **given: object) -> TokenAnswer:
    """A device link, without its secret."""
    return shaped(shape, token, club=token.club_id, made_by=token.maker, ends_soon=ends_soon(token, now=now()), **given)
