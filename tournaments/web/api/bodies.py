"""Request bodies: limited before they are parsed, whole numbers only, all mistakes reported at once.

Rules: docs/reference/api.md, "Bodies". Knows nothing of what a body is for.
"""

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, TypeVar

import msgspec
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from scoring.json_text import refuse_repeats
from scoring.messages import Message
from scoring.problems import MOST_SHOWN, Problem, RuleError, refuse_if, shown
from scoring.structs import fields_of, read_fields, unknown_names
from tournaments.models.bounds import FIRST_DAY, LAST_DAY
from tournaments.tables.queries.moments import At, read_at
from tournaments.web.api.problems import BadParameter, BodyTooLarge

MOST_BYTES = 262_144
MOST_DEPTH = 32
TEXTS = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
BRACKETS = re.compile(rb"[\[\]{}]")
Body = TypeVar("Body", bound=msgspec.Struct)


class BodyRejected(RuleError):
    """A body that is valid JSON but has missing, unknown or wrong fields."""

    code = "body_rejected"


class BoundedJSONParser(BaseParser):
    """A JSON parser with limits of size and depth, so that 20,000 brackets are refused cheaply."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The parsed value. Raises BodyTooLarge, ParseError, or JsonRejected where a field is named twice."""
        data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise BodyTooLarge(f"A body has at most {MOST_BYTES} bytes.")
        if not data.strip():
            raise ParseError("The body is empty.")
        if _is_too_deep(data):
            raise ParseError(f"The body is nested more than {MOST_DEPTH} levels deep.")
        try:
            value = msgspec.json.decode(data)
            refuse_repeats(data.decode())
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise ParseError(f"The body cannot be read as JSON: {error}") from error
        complaint = _complaint(value, "")
        if complaint:
            raise ParseError(complaint)
        return value


def read_body(kind: type[Body], raw: object) -> Body:
    """A body as a struct. Raises BodyRejected with every field that is missing, unknown or wrong."""
    if not isinstance(raw, Mapping):
        raise BodyRejected([Problem(code="not_an_object", detail=Message("the body must be a JSON object"))])
    fields = fields_of(kind)
    problems = [
        Problem("unknown_field", Message(f"there is no field {shown(name)} here"), field=name[:MOST_SHOWN])
        for name in unknown_names(map(str, raw), fields)
    ]
    values, unread = read_fields(fields.values(), raw)
    for name, value, error in unread:
        code, detail = "wrong_type", f"{name} cannot be {shown(value)}: {error}"
        if error is None:
            code, detail = "missing_field", f"the field {name} is needed"
        problems.append(Problem(code, Message(detail), field=name))
    refuse_if(problems, BodyRejected)
    return kind(**values)


def _is_too_deep(data: bytes) -> bool:
    """Count brackets in the raw bytes, strings left out; most bodies have too few brackets to be counted."""
    if data.count(b"[") + data.count(b"{") <= MOST_DEPTH:
        return False
    depth = 0
    for bracket in BRACKETS.findall(TEXTS.sub(b"", data)):
        depth += 1 if bracket in b"[{" else -1
        if depth > MOST_DEPTH:
            return True
    return False


def _complaint(value: object, where: str) -> str:
    """Why a value is refused in any body: a fraction, a number beyond 64 bits, NUL. Empty if there is no problem."""
    match value:
        case float():
            return f"{where or 'the body'} is {value}: numbers are whole here"
        case int() if value.bit_length() > 63:
            return f"{where or 'the body'} is a number with too many digits"
        case str() if "\x00" in value:
            return f"{where or 'the body'} holds a NUL character"
        case dict():
            return _first_complaint((name, f"{where}.{name}"[:100].lstrip("."), item) for name, item in value.items())
        case list():
            return _first_complaint(("", f"{where}[{index}]", item) for index, item in enumerate(value))
    return ""


def _first_complaint(parts: Iterable[tuple[str, str, object]]) -> str:
    """The first complaint about a name or a value among parts of an object or a list."""
    complaints = (_complaint(name, at) or _complaint(item, at) for name, at, item in parts)
    return next(filter(None, complaints), "")


# Parses `?at=`: a version, a position, a moment or a round of the past.

FORMS = (
    "at must be a version, a moment with its offset from UTC such as 2026-01-17T19:30:00+05:30, "
    "either of them after known:, or a round such as round:3; "
    f"a moment lies between {FIRST_DAY} and {LAST_DAY}."
)


def moment_asked_for(request: Request) -> At | None:
    """The requested past state; None for the present. Raises BadParameter."""
    text = request.query_params.get("at", "")
    if not text:
        return None
    at = read_at(text, None)
    if at is None:
        raise BadParameter(FORMS)
    return at


def hindsight_of(request: Request, at: At | None) -> tuple[str, ...]:
    """What must go into the ETag besides the version: nothing, except for answers that include later corrections."""
    return () if at is None or isinstance(at, int | datetime) else (request.query_params["at"],)


# Response bodies: structs are encoded directly, in one pass.


class StructRenderer(BaseRenderer):
    """Encodes everything that msgspec can: structs, ids, moments, plain values."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """The bytes of the response; empty for None."""
        return b"" if data is None else msgspec.json.encode(data)
