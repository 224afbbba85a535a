"""Refusals as problem documents (RFC 9457): the same shape for every error, with every problem in it.

Rules: docs/reference/api.md, "Errors". The only place that turns a refusal into a status.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any

import msgspec
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpResponse
from rest_framework import exceptions

from scoring.messages import Message
from scoring.problems import MOST_SHOWN, Defect, KeyReused, Problem, RuleError, RummyError, StaleTable
from tournaments.transient_errors import RETRY_AFTER_SECONDS, outage_detail, outage_line, outage_of
from tournaments.web.api.tournament_shapes import ProblemPart

MEDIA_TYPE = "application/problem+json"
CODES = {
    400: "malformed",
    401: "not_signed_in",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    500: "defect",
    503: "unavailable",
}
# A defect may occur after the commit, so the response does not say whether anything was stored.
DEFECT_DETAIL = "Something broke on our side. Sent again with the same idempotency key, this request counts once."

logger = logging.getLogger(__name__)


def parts_of(problems: Iterable[Problem]) -> list[ProblemPart]:
    """Problems as an answer holds them."""
    return [msgspec.convert(problem.as_json(), ProblemPart) for problem in problems]


class ProblemDocument(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why a request was refused. `problems` lists everything that must be corrected.

    For `stale_table`, `current_version` is the version now, and `events` are those stored after `expected_version`, at
    most 50.
    """

    type: str
    title: str
    status: int
    detail: str
    code: str
    problems: Sequence[Any]
    expected_version: int | None = None
    current_version: int | None = None
    events: Sequence[Any] | None = None


class BodyTooLarge(exceptions.APIException):
    """A body that is bigger than anything we take."""

    status_code = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    default_detail = "The body is too large."


class MissingKey(exceptions.APIException):
    """A write without the header that makes its repetition harmless."""

    status_code = HTTPStatus.BAD_REQUEST
    default_detail = "Send the header Idempotency-Key: 1 to 200 printable ASCII characters, new for every new request."
    default_code = "missing_idempotency_key"


class BadParameter(exceptions.APIException):
    """Query parameters that are unknown or cannot be read; `problems` has each with its name as `field`."""

    status_code = HTTPStatus.BAD_REQUEST
    default_code = "bad_parameter"

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(problems.values()))
        self.problems = [
            Problem(self.default_code, Message(detail), field=name[:MOST_SHOWN]).as_json()
            for name, detail in problems.items()
        ]


# The second of these is raised where a request is authenticated.
OWN_CODES = frozenset({MissingKey.default_code, "second_factor_required", BadParameter.default_code})


class Unavailable(exceptions.APIException):
    """The database or a disk fails; whether the request was stored nobody can say before it works again."""

    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    wait = RETRY_AFTER_SECONDS


def answer_refusal(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """The exception handler of every API view."""
    if isinstance(error, RummyError) and not isinstance(error, Defect):
        return _answer(_refusal(error, context))
    api_exception = _as_api_exception(error)
    if api_exception is None:
        return _answer(_broken(error, context))
    document = _document(
        api_exception.status_code,
        str(api_exception.detail),
        code=_code(api_exception),
        problems=getattr(api_exception, "problems", None),
    )
    headers = {}
    if challenge := getattr(api_exception, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(api_exception, "wait", None)) is not None:
        headers["Retry-After"] = str(max(1, int(wait)))
    return _answer(document, headers)


def _refusal(error: RummyError, context: Mapping[str, Any]) -> ProblemDocument:
    """What the rules or the log refused."""
    view = context["view"]
    match error:
        case RuleError():
            names = view.names_of(error) or {}
            detail = "; ".join(problem.text(names) for problem in error.problems[:5])
            problems = [problem.as_json(names) for problem in error.problems]
            return _document(422, detail, code=error.code, problems=problems)
        case StaleTable():
            return _document(
                409,
                f"{view.what} stands at version {error.current}; you expected {error.expected}. "
                "Look at what was stored, then decide again.",
                code=error.code,
                expected_version=error.expected,
                current_version=error.current,
                events=view.events_after(error.expected),
            )
        case KeyReused():
            return _document(422, "This Idempotency-Key was used for another request.", code=error.code)
    return _document(422, str(error), code=error.code)


def _as_api_exception(error: Exception) -> exceptions.APIException | None:
    """Return Django's own refusals as exceptions of DRF; None for an unexpected error."""
    match error:
        case exceptions.APIException():
            return error
        case Http404():
            return exceptions.NotFound("There is no such thing here, or it is not yours to see.")
        case PermissionDenied():
            return exceptions.PermissionDenied()
        case RequestDataTooBig():
            return BodyTooLarge()
        case SuspiciousOperation():
            return exceptions.ParseError("The request cannot be read.")
    if outage := outage_of(error):
        logger.warning(outage_line(error))
        return Unavailable(outage_detail(outage))
    return None


def _broken(error: Exception, context: Mapping[str, Any]) -> ProblemDocument:
    """Answer a defect of ours: the error is logged in full, and the client gets no details."""
    request = context["request"]
    got_request_exception.send(sender=type(context["view"]), request=request)
    logger.error("defect", exc_info=error)
    return _document(500, DEFECT_DETAIL, code="defect")


def _code(error: exceptions.APIException) -> str:
    own = getattr(error, "default_code", "")
    return own if own in OWN_CODES else CODES[error.status_code]


def _document(
    status: int, detail: str, *, code: str, problems: Sequence[Any] | None = None, **more: Any
) -> ProblemDocument:
    return ProblemDocument(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        detail=detail,
        code=code,
        problems=problems or [Problem(code=code, detail=Message(detail)).as_json()],
        **more,
    )


def _answer(document: ProblemDocument, headers: dict[str, str] | None = None) -> HttpResponse:
    """Ready as it stands: the renderer of the view that was asked may know YAML or HTML only."""
    kept_by_nobody = {"Cache-Control": "no-store", **(headers or {})}
    body = msgspec.json.encode(document)
    return HttpResponse(body, status=document.status, headers=kept_by_nobody, content_type=MEDIA_TYPE)
