"""The base of all API views: authentication, permissions, rate limits, and ETags.

Rules: docs/reference/api.md and docs/reference/roles.md. What a user may not see is answered with 404.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, reduce
from http import HTTPStatus
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.core import signing
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.timezone import now
from django_filters import FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated, PermissionDenied
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring.problems import RuleError, shown
from scoring.structs import unknown_names
from tournaments import log
from tournaments.log.context import CommandContext
from tournaments.models import ApiToken, Club, Tournament
from tournaments.models.public_names import Names
from tournaments.people.permissions import READS, Actor, Permission, counting_blind, may
from tournaments.release import tag_digest
from tournaments.rendering.left_out import left_out, lines_of
from tournaments.web.api.answers import event_as_read
from tournaments.web.api.authentication import actor_from
from tournaments.web.api.problems import BadParameter, MissingKey
from tournaments.web.api.throttling import AddressThrottle, WriterThrottle
from tournaments.web.packed import is_known

KEY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?")
SHARED, PRIVATE = "public, no-cache", "private, no-cache"
MOST_ON_A_PAGE = 500
MOST_RETURNED = 50
Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")


class ApiView(APIView):
    """A view that names the permission of each method in `permissions`; methods without one are refused.

    `is_public` marks what is public where the club publishes it: there a client is authenticated only if it sends
    credentials. `what` names the versioned object in messages, `stream` is the club and its stream that a
    request writes to.
    """

    permissions: ClassVar[dict[str, Permission]] = {}
    is_public: ClassVar[bool] = False
    what: ClassVar[str] = "The table"
    stream: tuple[UUID, UUID] | None = None
    http_method_names = ["get", "head", "post"]
    throttle_classes = [WriterThrottle]

    @cached_property
    def actor(self) -> Actor:
        """The actor of the request, determined only where it is needed."""
        return actor_from(self.request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a method that the address does not allow before authentication and CSRF checks."""
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)
        self._refuse_unknown_parameters(request)

    def _refuse_unknown_parameters(self, request: Request) -> None:
        """Refuse query parameters that `describes` does not name for this method: a misspelt filter gives everything.

        Raises BadParameter with all of them.
        """
        method = getattr(self, str(request.method).lower())
        known: frozenset[str] = getattr(method, "query_names", frozenset())
        given = request.query_params
        problems = {name: f"There is no query parameter {shown(name)} here." for name in unknown_names(given, known)}
        for name in known:
            if len(given.getlist(name)) > 1:
                problems[name] = f"The query parameter {name} is given more than once."
        if problems:
            raise BadParameter(problems)

    def perform_authentication(self, request: Request) -> None:
        """Count the address first, so that guessing is limited too; authenticate only where it is needed."""
        throttle = AddressThrottle()
        if not throttle.allow_request(request, self):
            self.throttled(request, throttle.wait())
        if not self._is_open(request) or "Authorization" in request.headers:
            super().perform_authentication(request)

    def get_permissions(self) -> list[Any]:
        """For the API schema, which reads here where no login is needed; `check_permissions` decides."""
        return [AllowAny() if self._is_open(self.request) else IsAuthenticated()]

    def check_permissions(self, request: Request) -> None:
        """Deny by default: the method must have a permission, and only public reads may be anonymous."""
        if self._deed(request) is None:
            raise PermissionDenied
        if not self._is_open(request) and not self.actor.name:
            raise NotAuthenticated

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Set private caching and Vary on every response that does not set its own Cache-Control."""
        final = super().finalize_response(request, response, *args, **kwargs)
        final.headers.setdefault("Cache-Control", PRIVATE)
        final.headers["Vary"] = "Accept, Accept-Encoding, Authorization, Cookie"
        return final

    def need(
        self,
        club: Club | UUID,
        *,
        is_published: bool = False,
        permission: Permission | None = None,
        table: UUID | None = None,
    ) -> None:
        """Check access to an object of a club. Raises Http404 where it may not be seen, PermissionDenied otherwise."""
        needed_permission = permission or self._deed(self.request)
        if needed_permission in READS and is_published:
            return
        if not may(self.actor, Permission.WATCH, club, table=table):
            raise Http404
        if needed_permission is None or not may(self.actor, needed_permission, club, table=table):
            club_id = club if isinstance(club, UUID) else club.pk
            if needed_permission is Permission.SEE_BOOKS and club_id in counting_blind(self.actor.roles):
                raise PermissionDenied("Count every till first: the books show what it should hold.")
            raise PermissionDenied(f"Your role does not let you do this ({needed_permission}).")

    def may_watch(self, club: Club | UUID) -> bool:
        """Whether the actor may see what the club has not published."""
        return may(self.actor, Permission.WATCH, club)

    def is_member(self, club: Club | UUID) -> bool:
        """Whether the actor works for the club, and so reads actors and reasons of events."""
        return may(self.actor, Permission.SEE, club)

    def names_for(self, club: Club | UUID) -> Names:
        """Which player names the actor reads: the real ones are for users who work for the club."""
        return Names.REAL if self.is_member(club) else Names.PUBLIC

    def command_context(self, **extra: Any) -> CommandContext:
        """The context of this request's command. Raises MissingKey without the header with its idempotency key."""
        key = self.request.headers.get("Idempotency-Key", "").strip()
        if not KEY.fullmatch(key):
            raise MissingKey
        token = self.request.auth
        device = token.prefix if isinstance(token, ApiToken) else "api"
        return CommandContext(actor=self.actor.name, now=now(), key=key, device=device, seats=self.actor.seats, **extra)

    def names_of(self, error: RuleError) -> Mapping[str, str] | None:
        """Player names for the messages of a refusal; a view with seats returns them."""
        return None

    def events_after(self, version: int) -> list[Any] | None:
        """The events stored after a version in the written stream, at most MOST_RETURNED; None without a stream."""
        if self.stream is None:
            return None
        club, stream = self.stream
        readable = [permission for permission in Permission if may(self.actor, permission, club, table=stream)]
        is_cash = log.stream_kinds(club, {stream}).get(stream) is log.StreamKind.CASH
        events = log.read(club, stream, version)[:MOST_RETURNED]
        return [event_as_read(event, readable, is_cash=is_cash) for event in events]

    def _deed(self, request: Request) -> Permission | None:
        return self.permissions.get("GET" if request.method == "HEAD" else str(request.method))

    def _is_open(self, request: Request) -> bool:
        return self.is_public and request.method in ("GET", "HEAD")


def is_public(tournament: Tournament) -> bool:
    """Whether it is public. `tournament` must carry its club."""
    return tournament.is_published and tournament.club.is_published


def tag_of(version: int, *parts: object) -> str:
    """A strong ETag: the version in plain text, and a digest of everything else in the answer and of this release."""
    return f'"{version}-{tag_digest(version, *parts)}"'


def tag_over(*parts: object) -> Callable[[int], str]:
    """A function from version to ETag, for answers that differ in nothing else."""
    return lambda version: tag_of(version, *parts)


def unless_known(
    request: Request, tag: str, make: Callable[[], Any], *, is_shared: bool, retag: Callable[[Any], str] | None = None
) -> HttpResponseBase:
    """304 where the client has this answer; otherwise the answer with its ETag.

    `retag` makes the ETag again from the answer, which may include an event stored in between.
    """
    response: HttpResponseBase
    if is_known(request, tag):
        response = HttpResponse(status=HTTPStatus.NOT_MODIFIED)
        del response["Content-Type"]
    else:
        answer = make()
        tag = retag(answer) if retag else tag
        response = answer if isinstance(answer, HttpResponse) else Response(answer)
    response["ETag"] = tag
    response["Cache-Control"] = SHARED if is_shared else PRIVATE
    return response


def one_of(request: Request, name: str, choices: Sequence[str]) -> str:
    """A query parameter that is one of some words, the first by default. Raises BadParameter."""
    word = request.query_params.get(name, choices[0])
    if word not in choices:
        raise BadParameter({name: f"{name} must be one of {', '.join(choices)}."})
    return word


def whole_number(request: Request, name: str, *, default: int, most: int, least: int = 0) -> int:
    """A query parameter as a whole number within its bounds. Raises BadParameter."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not re.fullmatch(r"[0-9]{1,10}", text) or not least <= int(text) <= most:
        raise BadParameter({name: f"{name} must be a whole number from {least} to {most}."})
    return int(text)


def limit_of(request: Request, *, most: int = MOST_ON_A_PAGE) -> int:
    """How many rows are asked for, 100 by default. Raises BadParameter."""
    return whole_number(request, "limit", default=100, most=most, least=1)


def filtered(request: Request, filters: type[FilterSet], rows: QuerySet[Row], **extra: Any) -> QuerySet[Row]:
    """The rows that the query parameters ask for. Raises BadParameter with every one that cannot be read."""
    asked_for = filters(request.query_params, queryset=rows, **extra)
    # The API speaks English, whatever language a browser asks for.
    with translation.override("en"):
        problems = {name: f"{name}: {' '.join(errors)}" for name, errors in asked_for.errors.items()}
    empty = {name: f"{name} is empty." for name in asked_for.filters if not request.query_params.get(name, "-").strip()}
    if problems or empty:
        raise BadParameter({**problems, **empty})
    selected: QuerySet[Row] = asked_for.qs
    return selected


def page_of(
    request: Request, rows: QuerySet[Row], show: Callable[[Row], Any], *, order: Sequence[str]
) -> dict[str, Any]:
    """A page of a list in an order of columns, the last of them unique; with the cursor and the offset of the next one.

    `left_out` is the number of rows that cannot be shown. Raises BadParameter, also for the cursor of another list.
    """
    limit, offset, cursor = _place_asked(request)
    rows = rows.order_by(*order)
    if cursor is not None:
        rows = rows.filter(_behind(order, _position_in(request, cursor, len(order))))
    page_rows = list(rows[offset : offset + limit + 1])
    items = lines_of(page_rows[:limit], show)
    missing = len(page_rows[:limit]) - len(items)
    has_more = len(page_rows) > limit
    return {
        "items": items,
        "next_offset": offset + limit if has_more and cursor is None else None,
        "next": _next_page(request, _position_of(page_rows[limit - 1], order)) if has_more else None,
        **({"left_out": missing} if missing else {}),
    }


def page_of_list(
    request: Request, rows: Sequence[Item], show: Callable[[Item], Any], *, key: Callable[[Item], object]
) -> dict[str, Any]:
    """A page of a list that is there as a whole, in its order. A cursor names a row by its key, wherever it is now.

    Raises BadParameter, also for the cursor of another list, or of a row that is gone.
    """
    limit, offset, cursor = _place_asked(request)
    if cursor is not None:
        (last,) = _position_in(request, cursor, 1)
        offset = 1 + next((number for number, row in enumerate(rows) if str(key(row)) == last), len(rows))
        if offset > len(rows):
            raise BadParameter({"cursor": "The last row of that page is gone: begin again without a cursor."})
    shown_rows = rows[offset : offset + limit]
    has_more = offset + limit < len(rows)
    return {
        "items": lines_of(shown_rows, show),
        "next_offset": offset + limit if has_more and cursor is None else None,
        "next": _next_page(request, [str(key(shown_rows[-1]))]) if has_more else None,
        # Also those of which no line of the list could be made.
        **({"left_out": missing} if (missing := left_out()) else {}),
    }


def _place_asked(request: Request) -> tuple[int, int, str | None]:
    """How many rows, how many to skip, and the cursor that was sent instead. Raises BadParameter."""
    limit = limit_of(request)
    offset = whole_number(request, "offset", default=0, most=1_000_000)
    cursor = request.query_params.get("cursor")
    if cursor is not None and "offset" in request.query_params:
        raise BadParameter({"cursor": "Give a cursor or an offset, not both."})
    return limit, offset, cursor


def _next_page(request: Request, position: Sequence[str]) -> str:
    """The address of the page behind a position, with the same filters."""
    query = request.query_params.copy()
    query.pop("offset", None)
    query["cursor"] = signing.dumps(position, salt=request.path)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


def _position_of(row: Any, order: Sequence[str]) -> list[str]:
    """The values of a row in the columns of the order."""
    return [str(reduce(getattr, name.removeprefix("-").split("__"), row)) for name in order]


def _position_in(request: Request, cursor: str, length: int) -> list[str]:
    """The values of a row in the columns of the order. The signature covers the list, and with it the club."""
    try:
        position: list[str] = signing.loads(cursor, salt=request.path)
    except signing.BadSignature as error:
        detail = "This cursor is not from this list: begin again without it, and follow `next`."
        raise BadParameter({"cursor": detail}) from error
    if len(position) != length:
        raise BadParameter({"cursor": "This cursor is of an earlier release: begin again without it."})
    return position


def _behind(order: Sequence[str], position: Sequence[str]) -> Q:
    """The condition for rows behind a position: later in one column, and the same in all columns before it."""
    behind, same = Q(), Q()
    for name, value in zip(order, position, strict=True):
        column, comparison = name.removeprefix("-"), "lt" if name.startswith("-") else "gt"
        behind |= same & Q(**{f"{column}__{comparison}": value})
        same &= Q(**{column: value})
    return behind


# Unknown addresses below /api/v1/: a problem document, as for every other error here.


@extend_schema(exclude=True)
class Elsewhere(ApiView):
    """Nothing is here, whatever is asked."""

    permissions = {"GET": Permission.SEE, "POST": Permission.SEE}
    is_public = True

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse with 404 before authentication."""
        self.perform_content_negotiation(request, force=True)
        raise Http404

    def get(self, request: Request) -> Response:
        """Never reached."""
        raise Http404

    post = get
