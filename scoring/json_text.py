"""Reads JSON from outside so that nothing in it is lost: an object may name each field only once.

Rules: docs/events.md, "Refusals". Of two entries under one name JSON readers silently keep the last: a deal would lose
the outcome of a seat, an entry its amount. Stored JSON is canonical. Knows nothing of what a text is for.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec

from scoring.messages import say
from scoring.problems import MOST_SHOWN, Problem, RuleError, shown


class JsonRejected(RuleError):
    """A JSON text of which something would be lost."""

    code = "body_rejected"


def without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object from its entries, for `object_pairs_hook`. Raises JsonRejected where a name occurs twice."""
    json_object = dict(pairs)
    if len(json_object) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        detail = say("an object names the field {typed} twice", typed=shown(twice))
        raise JsonRejected([Problem("repeated_field", detail, field=twice[:MOST_SHOWN])])
    return json_object


def refuse_repeats(text: str) -> None:
    """Refuse JSON that names a field twice, for readers that cannot detect it. It must be JSON, and not too deep."""
    _LOOKING.decode(text)


def holds_no_text(value: object) -> bool:
    """Whether a string in it has a NUL or half of a surrogate pair: JSON allows them, and no database stores both."""
    if isinstance(value, str):
        return "\x00" in value if value.isascii() else _NO_TEXT.search(value) is not None
    if isinstance(value, Mapping):
        return any(holds_no_text(part) for entry in value.items() for part in entry)
    return isinstance(value, list | tuple) and any(map(holds_no_text, value))


_NO_TEXT = re.compile("[\x00\ud800-\udfff]")
# Numbers are not checked: Python would refuse to read one of 5,000 digits.
_LOOKING = json.JSONDecoder(object_pairs_hook=without_repeats, parse_int=str, parse_float=str)


K = TypeVar("K")


def kept_as(kind: type[K]) -> tuple[Callable[[K], str], Callable[[str], K]]:
    """An encoder of values of a type to canonical JSON, equal text for equal values, and its decoder."""
    encoder, decoder = msgspec.json.Encoder(), msgspec.json.Decoder(kind)
    return lambda value: encoder.encode(value).decode(), decoder.decode
