"""How the API describes itself: OpenAPI 3.1 from the structs that go in and out, and every status that can come.

Rules: docs/reference/api.md. `describes` is what stands over each method of a view.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from scoring.rules.variants import variant
from tournaments.models.bounds import MOST_COUNT
from tournaments.web.api import evening_shapes, table_shapes
from tournaments.web.api.answers import CASH_EVENT, EVENT, cash_components, event_components, example_deals
from tournaments.web.api.evening_shapes import ProblemPart
from tournaments.web.api.problems import MEDIA_TYPE, ProblemDocument

REFERENCE = "#/components/schemas/{name}"
ALWAYS = (400, 401, 403, 404, 406, 429, 503)
WRITING = (*ALWAYS, 409, 413, 415, 422)
Shape = type[msgspec.Struct]
Method = TypeVar("Method", bound=Callable[..., Any])


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


PAGING = (
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": 500}, description="How many, 100 by default"
    ),
    OpenApiParameter("offset", {"type": "integer", "minimum": 0, "maximum": 1_000_000}, description="How many to skip"),
)
AFTER = OpenApiParameter(
    "after",
    {"type": "integer", "minimum": 0, "maximum": MOST_COUNT},
    description="Only what follows this version",
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


def describes(
    operation: str,
    answer: Shape,
    *,
    body: Shape | None = None,
    parameters: Sequence[OpenApiParameter] = (),
    has_tag: bool = False,
) -> Callable[[Method], Method]:
    """Describe one method of a view: its answer, its body, and every error it may give."""
    error = OpenApiResponse(_reference(ProblemDocument), description="A problem document (RFC 9457)")
    statuses: Mapping[Any, Any] = {
        201 if body else 200: _answers(answer),
        **dict.fromkeys(WRITING if body else ALWAYS, error),
        **({304: OpenApiResponse(description="Not modified")} if has_tag else {}),
    }
    return extend_schema(
        operation_id=operation,
        summary=operation.replace("_", " ").capitalize(),
        request={"application/json": _reference(body)} if body else None,
        responses={_in_media(status, response): response for status, response in statuses.items()},
        parameters=[*parameters, *([KNOWN] if has_tag else [])],
    )


def add_components(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Put the structs into the schema, and the headers beside the answers that carry them."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    structs = [
        shape
        for name, shape in {**vars(table_shapes), **vars(evening_shapes)}.items()
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct) and not name.startswith("_")
    ]
    components = [*structs, ProblemDocument, ProblemPart]
    component_schemas = dict(msgspec.json.schema_components(components, ref_template=REFERENCE)[1])
    schemas.update({name: component_schemas[name] for name in sorted(component_schemas)})
    properties = schemas["ProblemDocument"]["properties"]
    properties["problems"]["items"] = _reference(ProblemPart)
    properties["events"] = {"type": "array", "items": _reference(table_shapes.EventAnswer)}
    schemas.update(event_components(REFERENCE))
    schemas.update(cash_components(REFERENCE))
    schemas["CashLineBody"]["properties"]["event"] = {"$ref": REFERENCE.format(name=CASH_EVENT)}
    schemas["EventBody"]["properties"]["event"] = {"$ref": REFERENCE.format(name=EVENT)}
    for path in result["paths"].values():
        for operation in path.values():
            _add_headers(operation)
            _add_examples(operation)
    return result


def _reference(shape: Shape) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(name=shape.__name__)}


def _answers(shape: Shape) -> OpenApiResponse:
    return OpenApiResponse(_reference(shape), description=(shape.__doc__ or "").partition("\n")[0])


def _in_media(status: int, given: OpenApiResponse) -> Any:
    if given.response is None:
        return status
    return (status, MEDIA_TYPE if status >= 400 else "application/json")


def _add_examples(operation: dict[str, Any]) -> None:
    """A deal of each game beside the body that records one."""
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
