"""The extremes of a type: its ends, just beyond them, and texts that no page expects, from the types themselves."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from random import Random
from typing import Any

from tournaments.models.bounds import FIRST_MOMENT, LAST_MOMENT

Schema = Mapping[str, Any]
MOST_ITEMS = 40
LONG = 200
# Bidi marks, emoji of several code points, combining marks, text active in cells, templates and mails, and no letter.
SIGNS = (
    "\u202eevil\u202c \u2066x",
    "👩‍👩‍👧‍👦🏳️‍🌈",
    "Z̸̢̛͎a̷l̶g̵o̴",
    "﷽ﷺ",
    "a: {b} {{c}} %s %(d)s\n{0}",
    "line\r\nbreak\ttab",
    "\x00NUL\x07bell\x1b[31m",
    "=HYPERLINK(1)&<script>'\"`;--",
    "  ",
    "\u200b",
    "٣٤٥",
    "-1",
    "0",
    "nan",
    "1e309",
    "٫",
    "\ud800",
)
NUMBERS = (0, 1, -1, 9_999, 10**6, 10**9, 2**31, 10**12, 10**12 + 1, 10**15, 2**63 - 1, 2**63, 10**40)
MOMENTS = (
    FIRST_MOMENT.isoformat(),
    LAST_MOMENT.isoformat(),
    (LAST_MOMENT + timedelta(seconds=1)).isoformat(),
    "2199-12-31T23:59:59-12:00",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+14:00",
    "2026-03-29T02:30:00+01:00",
)
DAYS = ("2000-01-01", "2199-12-31", "2200-01-01", "9999-12-31", "0001-01-01", "2028-02-29")


def of_text(least: int, most: int, chance: Random) -> str:
    """A text of some length with something odd in it: the shortest, the longest, one too long."""
    sign = chance.choice(SIGNS)
    length = chance.choice((least, least + 1, most, most, most + 1, len(sign), len(sign)))
    filled = sign * (length // len(sign) + 1)
    return chance.choice((filled, "x" * length, "W " * (length // 2 + 1), "🂡" * length, sign))[: max(length, least)]


def of_number(least: int | None, most: int | None, chance: Random) -> int:
    """An extreme, just beyond it, or any number at all."""
    ends = [end + step for end in (least, most) if end is not None for step in (-1, 0, 0, 0, 1)]
    return chance.choice([*ends, *ends, *NUMBERS])


def of_schema(schema: Schema, named: Mapping[str, Schema], chance: Random) -> Any:
    """An extreme of an OpenAPI schema, whatever it describes."""
    schema = _resolved(schema, named)
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        return of_schema(chance.choice(several), named, chance)
    if "enum" in schema:
        return chance.choice([*schema["enum"], *schema["enum"], "unknown"])
    match schema.get("type"):
        case "string":
            return chance.choice(MOMENTS) if schema.get("format") == "date-time" else _text_of(schema, chance)
        case "integer":
            return of_number(schema.get("minimum"), schema.get("maximum"), chance)
        case "boolean":
            return chance.choice((True, False))
        case "array":
            return [of_schema(schema.get("items", {}), named, chance) for _ in range(_size_of(schema, chance))]
        case "object":
            return {name: of_schema(kind, named, chance) for name, kind in schema.get("properties", {}).items()}
    return chance.choice((None, {}, [], chance.choice(SIGNS), chance.choice(NUMBERS)))


def leaves(schema: Schema, named: Mapping[str, Schema]) -> Iterator[tuple[str, Schema]]:
    """The fields of a body with their schemas."""
    yield from _resolved(schema, named).get("properties", {}).items()


def _resolved(schema: Schema, named: Mapping[str, Schema]) -> Schema:
    while "$ref" in schema:
        schema = named[schema["$ref"].rpartition("/")[2]]
    return schema


def _text_of(schema: Schema, chance: Random) -> str:
    return of_text(schema.get("minLength", 0), schema.get("maxLength", LONG), chance)


def _size_of(schema: Schema, chance: Random) -> int:
    least, most = schema.get("minItems", 0), schema.get("maxItems", MOST_ITEMS)
    return int(chance.choice((least, least + 1, min(most, MOST_ITEMS), min(most + 1, MOST_ITEMS))))
