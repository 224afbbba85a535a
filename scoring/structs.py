"""Reads the fields of a struct from untrusted JSON, one by one, so that all that is wrong can be reported at once.

Rules: docs/events.md, "Refusals". Knows nothing of the words for a mistake: events, options and bodies have their own.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import FieldInfo

from scoring.problems import RuleError

# A file can name thousands of fields that nothing has.
MOST_UNKNOWN = 20


class Unread(NamedTuple):
    """A field without a readable value. `error` says why; None where the field is needed and missing."""

    name: str
    value: Any
    error: RuleError | ValueError | OverflowError | None


@lru_cache(maxsize=256)
def fields_of(kind: type[msgspec.Struct]) -> Mapping[str, FieldInfo]:
    """The fields of a struct by name. Evaluating its annotations each time takes longer than reading them."""
    return {field.name: field for field in msgspec.structs.fields(kind)}


def converted(field: FieldInfo, value: Any) -> Any:
    """A value in the type of its field, within its bounds. Raises ValueError."""
    return msgspec.convert(value, field.type)


def read_fields(
    fields: Iterable[FieldInfo],
    given: Mapping[str, Any],
    *,
    convert: Callable[[FieldInfo, Any], Any] = converted,
    needed: Container[str] = (),
) -> tuple[dict[str, Any], list[Unread]]:
    """The values of the fields that are given, and the fields that are missing or cannot be read, in their order.

    `needed` are fields that must be given though they have a default.
    """
    values: dict[str, Any] = {}
    unread: list[Unread] = []
    for field in fields:
        if field.name not in given:
            if field.required or field.name in needed:
                unread.append(Unread(field.name, None, None))
            continue
        value = given[field.name]
        try:
            values[field.name] = convert(field, value)
        except (RuleError, ValueError, OverflowError) as error:
            unread.append(Unread(field.name, value, error))
    return values, unread


def unknown_names(given: Iterable[Any], fields: Container[str]) -> list[Any]:
    """The first names that no field has."""
    return [name for name in given if name not in fields][:MOST_UNKNOWN]
