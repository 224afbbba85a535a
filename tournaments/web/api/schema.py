"""How the API describes itself: OpenAPI 3.1 from the structs that go in and out, and every status that can come.

Rules: docs/reference/api.md. `describes` is what stands over each method of a view, and all that a new operation needs.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema

from scoring.rules.variants import variant
from tournaments.models.bounds import MOST_COUNT
from tournaments.web.api import table_shapes
from tournaments.web.api.answers import (
    cash_components,
    event_components,
    example_deals,
    tournament_components,
)
from tournaments.web.api.problems import MEDIA_TYPE, ProblemDocument
from tournaments.web.api.tournament_shapes import ProblemPart

REFERENCE = table_shapes.REFERENCE
ALWAYS = (400, 401, 403, 404, 405, 406, 408, 429, 500, 503)
WRITING = (*ALWAYS, 409, 413, 415, 422)
Shape = type[msgspec.Struct]
Method = TypeVar("Method", bound=Callable[..., Any])
# The structs that operations answer and take, by name: what `describes` has seen.
SHAPES: dict[str, Shape] = {}
# What stands for an id in every example, by the name of its parameter.
EXAMPLE_IDS = {
    "club_id": "c1000000-0000-4000-8000-000000000001",
    "tournament_id": "70000000-0000-4000-8000-000000000001",
    "table_id": "7ab1e000-0000-4000-8000-000000000001",
    "season_id": "5ea50000-0000-4000-8000-000000000001",
    "token_id": "70ce0000-0000-4000-8000-000000000001",
    "import_id": "1b0a0000-0000-4000-8000-000000000001",
    "receiver_id": "2ece0000-0000-4000-8000-000000000001",
    "book_id": "b00c0000-0000-4000-8000-000000000001",
    "box_name": "sunday-club-20260118T190000Z.rummybox",
    "player_id": "91a00000-0000-4000-8000-000000000006",
    "person_id": "9e500000-0000-4000-8000-000000000001",
    "invitation_id": "1a71e000-0000-4000-8000-000000000001",
}
# The last one is the player of `player_id`.
EXAMPLE_PLAYERS = tuple(f"91a00000-0000-4000-8000-00000000000{number}" for number in range(1, 7))
MOST_CURSOR = 2_000
# The unions of events, described where a body refers to one.
EVENTS = {
    table_shapes.EVENT: event_components,
    table_shapes.CASH_EVENT: cash_components,
    table_shapes.TOURNAMENT_EVENT: tournament_components,
}


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


PAGING = (
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": 500}, description="How many, 100 by default"
    ),
    OpenApiParameter("offset", {"type": "integer", "minimum": 0, "maximum": 1_000_000}, description="How many to skip"),
    OpenApiParameter(
        "cursor",
        {"type": "string", "minLength": 1, "maxLength": MOST_CURSOR},
        description="Where to go on, from the `next` of an earlier page of this list; not together with `offset`",
    ),
)
AFTER = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 0, "maximum": MOST_COUNT},
    description="Only what follows this version",
)
MOST_AFTER = 9_999_999_999
AFTER_POSITION = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 0, "maximum": MOST_AFTER},
    description="Only what follows this position of the log",
)
CURRENCY = OpenApiParameter(
    "currency", {"type": "string", "pattern": "^[A-Z]{3}$"}, description="Of which cash book; the club's by default"
)
AT = OpenApiParameter(
    "at",
    OpenApiTypes.STR,
    description="As it was shown: a version (of a leaderboard: a position), or a moment in RFC 3339 with its offset. "
    "With later corrections: `known:` before either, or after a round `round:3`",
)
KNOWN = OpenApiParameter("If-None-Match", OpenApiTypes.STR, OpenApiParameter.HEADER, description="The ETag you have")
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 200, "pattern": r"^[!-~]([ -~]{0,198}[!-~])?$"},
    OpenApiParameter.HEADER,
    required=True,
    description="New for every new request, the same for a resend",
)
OPTIONAL_KEY = OpenApiParameter(
    KEY.name, KEY.type, KEY.location, required=False, description="Makes a resend harmless: it adds nobody again"
)
HEADERS = {
    "ETag": ("Strong; made from versions", {"type": "string"}),
    "Idempotency-Replayed": ("`true` where this is the first answer again", {"type": "string", "enum": ["true"]}),
}


class Filters(Protocol):
    """A FilterSet of django-filter, as far as it is described."""

    base_filters: Mapping[str, Any]


def describes(  # noqa: PLR0913 - all but the first two are optional, and this is what a new operation says
    operation: str,
    answer: Shape | Sequence[str],
    *,
    body: Shape | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    filters: type[Filters] | None = None,
    has_tag: bool = False,
    files: Sequence[str] = (),
    example: Mapping[str, Any] | None = None,
) -> Callable[[Method], Method]:
    """Describe one method of a view: its answer, its body with an example, its parameters, and every error it may give.

    Query parameters that are not among `parameters` and `filters` are refused (`ApiView.initial`). Ids in an example
    are those of `EXAMPLE_IDS` and `EXAMPLE_PLAYERS`. One with a body and without a key stores nothing: it answers a
    question, with 200. `files` are media types of files that may be the body instead; an `answer` that is a file is
    given by its media types. Raises TypeError for a struct whose name another one has: the description has one schema
    for a name.
    """
    for shape in (answer, body):
        if isinstance(shape, type) and SHAPES.setdefault(shape.__name__, shape) is not shape:
            raise TypeError(f"{shape.__module__}: the API describes another struct as {shape.__name__}")
    stores = body is not None and any(parameter.name == KEY.name for parameter in parameters)
    error = OpenApiResponse(_reference(ProblemDocument), description="A problem document (RFC 9457)")
    success = 201 if stores else 200
    statuses: Mapping[Any, Any] = {
        success: _answers(answer),
        **dict.fromkeys(WRITING if body else ALWAYS, error),
        **({304: OpenApiResponse(description="Not modified")} if has_tag else {}),
    }
    all_parameters = [*parameters, *(filter_parameters(filters) if filters else []), *([KNOWN] if has_tag else [])]
    describe = extend_schema(
        operation_id=operation,
        summary=operation.replace("_", " ").capitalize(),
        request={"application/json": _reference(body), **dict.fromkeys(files, OpenApiTypes.BINARY)} if body else None,
        responses={
            (success, *answer)
            if status == success and not isinstance(answer, type)
            else _in_media(status, response): response
            for status, response in statuses.items()
        },
        parameters=all_parameters,
        examples=[OpenApiExample(operation, example, request_only=True)] if example is not None else [],
    )

    def described(method: Method) -> Method:
        described_method: Any = describe(method)
        described_method.query_names = frozenset(
            parameter.name for parameter in all_parameters if parameter.location == OpenApiParameter.QUERY
        )
        return described_method  # type: ignore[no-any-return]

    return described


def filter_parameters(filters: type[Filters]) -> list[OpenApiParameter]:
    """The query parameters of a set of filters; the help text of each is its description."""
    return [
        OpenApiParameter(name, _filter_schema(of_one), description=str(of_one.extra.get("help_text", "")))
        for name, of_one in filters.base_filters.items()
    ]


def _filter_schema(of_one: Any) -> dict[str, Any]:
    match type(of_one).__name__:
        case "ChoiceFilter":
            return {"type": "string", "enum": [value for value, _ in of_one.extra["choices"]]}
        case "ModelChoiceFilter":
            return {"type": "string", "format": "uuid"}
        case "DayFilter":
            return {"type": "string", "format": "date"}
        case "WholeNumberFilter":
            return {"type": "integer", "minimum": of_one.extra["min_value"], "maximum": of_one.extra["max_value"]}
    return {"type": "string", "minLength": 1, "maxLength": of_one.extra["max_length"]}


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put the structs into the schema, and the headers beside the answers that carry them."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    components = [*SHAPES.values(), ProblemDocument, ProblemPart, table_shapes.EventAnswer]
    component_schemas = dict(msgspec.json.schema_components(components, ref_template=REFERENCE)[1])
    schemas.update({name: component_schemas[name] for name in sorted(component_schemas)})
    properties = schemas["ProblemDocument"]["properties"]
    properties["problems"]["items"] = _reference(ProblemPart)
    properties["events"] = {"type": "array", "items": _reference(table_shapes.EventAnswer)}
    described = str(schemas)
    for name, events in EVENTS.items():
        if REFERENCE.format(name=name) in described:
            schemas.update(events(REFERENCE))
    schemas.update({name: _closed(schema) for name, schema in schemas.items()})
    for path in result["paths"].values():
        for operation in path.values():
            _add_headers(operation)
            _add_examples(operation)
            if "requestBody" in operation:
                operation["requestBody"]["required"] = True
    return result


def _closed(schema: Any) -> Any:
    """The schema with every object that has named fields closed to others, and references without anything beside.

    One that names none says that it takes any: to generators silence means an object that is always empty.
    """
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    # `items` is false behind the items of a tuple, which generators do not know; its length says the same.
    parts = {name: part for name, part in schema.items() if not (name == "items" and part is False)}
    closed = {name: part if name in ("default", "enum", "const") else _closed(part) for name, part in parts.items()}
    is_object = schema.get("type") == "object" and "anyOf" not in schema
    return {"additionalProperties": "properties" not in schema, **closed} if is_object else closed


def _reference(shape: Shape) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(name=shape.__name__)}


def _answers(shape: Shape | Sequence[str]) -> OpenApiResponse:
    if not isinstance(shape, type):
        return OpenApiResponse(OpenApiTypes.BINARY, description="The file")
    return OpenApiResponse(_reference(shape), description=(shape.__doc__ or "").partition("\n")[0])


def _in_media(status: int, given: OpenApiResponse) -> Any:
    if given.response is None:
        return status
    return (status, MEDIA_TYPE if status >= 400 else "application/json")


def _add_examples(operation: dict[str, Any]) -> None:
    """The ids of the examples, and a deal of each game beside the body that records one."""
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "path" and parameter["name"] in EXAMPLE_IDS:
            parameter["example"] = EXAMPLE_IDS[parameter["name"]]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    if content.get("schema") == _reference(table_shapes.EventBody):
        content["examples"] = {
            name: {"summary": variant(name).title, "value": {"expected_version": 1, "event": event}}
            for name, event in example_deals().items()
        }


def _add_headers(operation: dict[str, Any]) -> None:
    """A tag on what can be unchanged, and the mark of a repetition on what can be repeated."""
    responses = operation.get("responses", {})
    names: dict[str, tuple[str, ...]] = {"ETag": ("200", "304") if "304" in responses else ()}
    if any(parameter.get("name") == KEY.name for parameter in operation.get("parameters", ())):
        names["Idempotency-Replayed"] = ("201",)
    for name, statuses in names.items():
        description, schema = HEADERS[name]
        for status in statuses:
            responses[status].setdefault("headers", {})[name] = {"description": description, "schema": schema}
