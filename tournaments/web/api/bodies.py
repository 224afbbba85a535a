"""Request bodies: limited before they are parsed, whole numbers only, all mistakes reported at once.

Rules: docs/reference/api.md, "Bodies". Knows nothing of what a body is for.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import cache
from typing import Annotated, Any, TypeVar
from uuid import UUID

import msgspec
from msgspec import Meta, inspect
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from scoring.json_text import refuse_repeats
from scoring.messages import Message
from scoring.problems import MOST_SHOWN, Problem, RuleError, refuse_if, shown
from scoring.structs import unknown_names
from tournaments.models.bounds import FIRST_DAY, LAST_DAY
from tournaments.spreadsheets import MOST_BYTES as MOST_FILE
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
    most_bytes = MOST_BYTES

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The parsed value. Raises BodyTooLarge, ParseError, or JsonRejected where a field is named twice."""
        data = bounded(stream, self.most_bytes)
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


class ListJSONParser(BoundedJSONParser):
    """The same for a list of up to 20,000 rows."""

    most_bytes = 4_000_000


class CsvParser(BaseParser):
    """A file as the body: its bytes, which are read by what imports it."""

    media_type = "text/csv"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """The bytes. Raises BodyTooLarge."""
        return bounded(stream, MOST_FILE)


class XlsxParser(CsvParser):
    """The same for XLSX."""

    media_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class OdsParser(CsvParser):
    """The same for ODS."""

    media_type = "application/vnd.oasis.opendocument.spreadsheet"


def bounded(stream: Any, most: int) -> bytes:
    """What a client sends. Raises BodyTooLarge."""
    data: bytes = stream.read(most + 1)
    if len(data) > most:
        raise BodyTooLarge(f"A body has at most {most} bytes.")
    return data


def read_body(kind: type[Body], raw: object) -> Body:
    """A body as a struct. Raises BodyRejected with everything that is missing, unknown or wrong, at any depth.

    The field of a problem is its path, such as `seats[0].number`.
    """
    refuse_if(list(_faults(_type_of(kind), raw, "")), BodyRejected)
    try:
        return msgspec.convert(raw, kind)
    except ValueError as error:
        raise BodyRejected([Problem("wrong_type", Message(str(error)))]) from error


def given_fields(body: msgspec.Struct, shape: type[msgspec.Struct]) -> dict[str, Any]:
    """The fields of a shape that a body has, by name; those that were left out are unset."""
    values = {name: getattr(body, name) for name in shape.__struct_fields__}
    return {name: value for name, value in values.items() if value is not msgspec.UNSET}


@cache
def _type_of(kind: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(kind)


def _faults(kind: inspect.Type, value: object, path: str) -> Iterator[Problem]:
    """Every fault of a value that should be of a type: msgspec itself stops at the first one."""
    match kind:
        case inspect.Metadata():
            yield from _faults(kind.type, value, path)
        case inspect.UnionType():
            members = [member for member in kind.types if isinstance(member, inspect.NoneType) == (value is None)]
            yield from min(([*_faults(member, value, path)] for member in members or kind.types), key=len)
        case inspect.StructType() if isinstance(value, Mapping):
            yield from _faults_of_fields(kind, value, path)
        case inspect.CollectionType() if isinstance(value, list):
            yield from _faults_of_items(kind, value, path)
        case inspect.DictType() if isinstance(value, Mapping):
            for key, item in value.items():
                yield from _faults(kind.value_type, item, f"{path}.{key}")
        case _ if not _is_of(kind, value):
            yield _fault(path, value, _wording(kind))


def _faults_of_fields(kind: inspect.StructType, value: Mapping[str, object], path: str) -> Iterator[Problem]:
    fields = {field.encode_name: field for field in kind.fields}
    where = f"{path}." if path else ""
    for name in unknown_names(map(str, value), fields):
        detail = Message(f"there is no field {shown(name)} {f'in {path}' if path else 'here'}")
        yield Problem("unknown_field", detail, field=f"{where}{name}"[:MOST_SHOWN])
    for name, field in fields.items():
        if name in value:
            yield from _faults(field.type, value[name], f"{where}{name}")
        elif field.required:
            yield Problem("missing_field", Message(f"the field {where}{name} is needed"), field=f"{where}{name}")


def _faults_of_items(kind: inspect.CollectionType, value: list[object], path: str) -> Iterator[Problem]:
    if not _fits(len(value), kind.min_length, kind.max_length):
        detail = Message(f"{path} has {len(value)} items: it must be {_wording(kind)}")
        yield Problem("wrong_type", detail, field=path[:MOST_SHOWN])
    for index, item in enumerate(value):
        yield from _faults(kind.item_type, item, f"{path}[{index}]")


def _fault(path: str, value: object, wording: str) -> Problem:
    if not path:
        return Problem("not_an_object", Message("the body must be a JSON object"))
    detail = Message(f"{path} cannot be {shown(value)}: it must be {wording}")
    return Problem("wrong_type", detail, field=path[:MOST_SHOWN])


def _is_of(kind: inspect.Type, value: object) -> bool:
    """Whether a plain value is of a type, within its bounds."""
    match kind:
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool) and _fits(value, kind.ge, kind.le)
        case inspect.StrType():
            is_text = isinstance(value, str) and _fits(len(value), kind.min_length, kind.max_length)
            return is_text and (kind.pattern is None or re.search(kind.pattern, str(value)) is not None)
        case inspect.LiteralType():
            return isinstance(value, str | int) and value in kind.values
        case inspect.EnumType():
            return value in [member.value for member in kind.cls]
        case inspect.UUIDType():
            return _converts(value, UUID)
        case inspect.DateTimeType():
            return _converts(value, Annotated[datetime, Meta(tz=kind.tz)])
        case inspect.DateType():
            return _converts(value, date)
    return isinstance(kind, inspect.AnyType) or (isinstance(kind, inspect.NoneType) and value is None)


def _converts(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except (ValueError, OverflowError):
        return False
    return True


def _fits(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or least <= number) and (most is None or number <= most)


def _wording(kind: inspect.Type) -> str:
    """What a value of a type must be, for people."""
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return f"a whole number{_range(kind.ge, kind.le)}"
        case inspect.StrType() if kind.pattern is not None:
            return f"a text of the form {kind.pattern}"
        case inspect.StrType():
            return f"a text{_length(kind.min_length, kind.max_length, 'characters')}"
        case inspect.CollectionType():
            return f"a list{_length(kind.min_length, kind.max_length, 'items')}"
        case inspect.LiteralType() | inspect.EnumType():
            values = kind.values if isinstance(kind, inspect.LiteralType) else [member.value for member in kind.cls]
            return f"one of {', '.join(map(str, values))}"
        case inspect.UUIDType():
            return "an id (a UUID)"
        case inspect.DateTimeType():
            return "a moment with its offset from UTC, such as 2026-01-17T19:30:00+05:30"
        case inspect.DateType():
            return "a day such as 2026-01-17"
    return "a JSON object"


def _length(least: int | None, most: int | None, of: str) -> str:
    number_range = _range(least, most).replace(" from ", " of ")
    return f"{number_range} {of}" if number_range else ""


def _range(least: int | None, most: int | None) -> str:
    if least is not None and most is not None:
        return f" from {least} to {most}"
    return f" of at least {least}" if least is not None else f" of at most {most}" if most is not None else ""


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
        raise BadParameter({"at": FORMS})
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
