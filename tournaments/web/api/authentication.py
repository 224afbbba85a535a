"""Authentication: a user with a session, or a device with a bearer token for one club and one role.

Rules: docs/reference/api.md, "Authentication", and docs/reference/roles.md. A token stands for its club.
"""

from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.utils.timezone import now
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.request import Request

from tournaments.client_addresses import client_network
from tournaments.models import ApiToken, Role
from tournaments.models.statements import PreparedQuery
from tournaments.people import access
from tournaments.people.access import Attempt, token_digest
from tournaments.people.permissions import NOBODY, Actor, actor_of
from tournaments.people.second_factor import owes_second_factor
from tournaments.tables.commands.table_tokens import note_card_use
from tournaments.tables.queries.table_tokens import CardEnd, TableCard, card_by_digest
from tournaments.transient_errors import left_out_if_locked

SCHEME = "bearer"
NOTED_EVERY = timedelta(minutes=10)


def _by_digest(digest: str) -> QuerySet[ApiToken]:
    """Tokens that are not revoked, each with the user who made it."""
    return ApiToken.objects.filter(digest=digest, revoked_at__isnull=True).select_related("user")


_BY_DIGEST = PreparedQuery(_by_digest, ("0" * 64, "1" * 64))


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer SECRET`, looked up by its digest in one query; in another one among the cards of seats."""

    def authenticate(self, request: Request) -> tuple[object, ApiToken | TableCard] | None:
        """The token's maker and the token; for a seat's card an anonymous user and the card. None without a token.

        Raises AuthenticationFailed for a secret that is unknown, expired or revoked.
        """
        scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME:
            return None
        digest = token_digest(secret.strip())
        token = _BY_DIGEST.first(digest)
        if token is None or (token.expires_at is not None and token.expires_at <= now()):
            card = card_by_digest(digest, now=now())
            if card is not None and card.token.seat and card.end in (None, self._end_taken(request)):
                note_card_use(card.token, now=now())
                return AnonymousUser(), card
            _count_failure(request)
            raise AuthenticationFailed("This token is unknown, has ended, or was taken back.")
        _note_use(token)
        return token.user or AnonymousUser(), token

    def _end_taken(self, request: Request) -> CardEnd | None:
        """A card whose table is over brings a late sheet, and nothing else."""
        takes_late = getattr(request.parser_context["view"], "takes_late", False)
        return CardEnd.TABLE_IS_OVER if takes_late else None

    def authenticate_header(self, request: Request) -> str:
        """The WWW-Authenticate header of a refusal."""
        return 'Bearer realm="club"'


class SecondFactorRequired(PermissionDenied):
    """A session of somebody who has yet to set up a second factor."""

    default_detail = "Your club requires a second factor of you. Set it up in the back office: Your login."
    default_code = "second_factor_required"


def actor_from(request: Request) -> Actor:
    """The actor of a request; NOBODY for an anonymous one. Raises SecondFactorRequired."""
    token = request.auth
    if isinstance(token, ApiToken):
        return _actor_of_token(token)
    if isinstance(token, TableCard):
        return token.actor()
    if not request.user or not request.user.is_authenticated:
        return NOBODY
    actor = actor_of(request.user)
    if owes_second_factor(actor, request.user.pk):
        raise SecondFactorRequired
    return actor


def _actor_of_token(token: ApiToken) -> Actor:
    """The actor with the token's role in its club, whatever has become of the user who made it."""
    return Actor(name=f"token:{token.id}", roles={token.club_id: Role(token.role)})


def _count_failure(request: Request) -> None:
    """Raises Throttled for a client network that keeps sending unknown tokens.

    A good token is never held back: a hall's devices share one address, and one of them may carry an old token.
    Secrets of 256 bits cannot be guessed; the limit saves work.
    """
    attempt = Attempt(kind=access.TOKEN, subject=access.ANY_NAME, place=client_network(request))
    verdict = None
    with left_out_if_locked():
        verdict = access.begin(attempt, now=now())
    if verdict and not verdict.is_admitted:
        raise Throttled(wait=verdict.pause.total_seconds())


def _note_use(token: ApiToken) -> None:
    """Record that a token is in use, at most every ten minutes."""
    moment = now()
    if token.last_used_at is None or moment - token.last_used_at > NOTED_EVERY:
        # A full disk or a lock must not keep a display in the hall from reading the board.
        with left_out_if_locked():
            ApiToken.objects.filter(id=token.id).update(last_used_at=moment)


class BearerTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # its base is untyped
    """The token's description in the API schema."""

    target_class = BearerToken
    name = "bearer"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """The security scheme in OpenAPI's form."""
        return {"type": "http", "scheme": "bearer", "description": "A device token, made in the admin."}
