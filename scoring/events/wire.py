"""Events as they are stored: their kinds, encoding and decoding of the log's rows.

Rules: docs/events.md. A changed shape gets a new schema version and one upcast. Knows nothing of what follows from an
event.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from scoring.events.cash import CASH_EVENTS
from scoring.events.club import CLUB_EVENTS
from scoring.events.table import *  # noqa: F403
from scoring.events.table import DEAL_KINDS, FRAME, TABLE_EVENTS, Event, needing_reason
from scoring.events.tournament import *  # noqa: F403 - every event of a table or a tournament is found here
from scoring.events.tournament import TOURNAMENT_EVENTS
from scoring.messages import say
from scoring.problems import Defect, EventRejected, Problem

_NOT_OF_TABLES = TOURNAMENT_EVENTS + CASH_EVENTS + CLUB_EVENTS
EVENTS = {event.kind: event for event in TABLE_EVENTS + _NOT_OF_TABLES}
NEEDS_REASON = needing_reason(EVENTS.values())
NOT_FOR_TABLES = FRAME | {event.kind for event in _NOT_OF_TABLES}

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTS: dict[tuple[str, int], Upcast] = {}


class SheetTyped(Protocol):
    """What is needed to decode a stored deal: the type of its sheet."""

    @property
    def sheet_type(self) -> type[Any]: ...


class SheetForm(SheetTyped, Protocol):
    """A variant's deal sheets: their type, and how to read one from untrusted JSON.

    `read_sheet` returns what could be read even where there are problems; None where that is nothing.
    """

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[Any | None, list[Problem]]: ...


class StoredForm(msgspec.Struct, frozen=True, kw_only=True):
    """An event as the log stores it; `note` is the free text that is stored beside the log."""

    kind: str
    schema: int
    body: str
    note: str = ""


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODERS: dict[tuple[str, type[Any] | None], msgspec.json.Decoder[Any]] = {}


def canonical(event: object) -> str:
    """An event as one text, the same for every way of writing it.

    Raises EventRejected for half of a surrogate pair, which cannot be stored as text.
    """
    try:
        return _ENCODER.encode(event).decode()
    except UnicodeEncodeError as error:
        detail = say("the event holds half a character, which no text can keep")
        raise EventRejected([Problem("not_text", detail)]) from error


def encode(event: Event) -> StoredForm:
    """The canonical stored form: sorted keys, whole numbers, no free text in the body. Raises what `canonical` does."""
    note = getattr(event, "reason", "")
    bare = msgspec.structs.replace(event, reason="") if note else event
    body = canonical(bare)
    return StoredForm(kind=event.kind, schema=event.schema, body=body, note=note)


def decode(kind: str, schema: int, body: str | bytes, form: SheetTyped | None = None) -> Event:
    """An event from its stored row, upcast where it was stored by an older version. Raises Defect."""
    sheet_type = form.sheet_type if form and kind in DEAL_KINDS else None
    try:
        decoder = _DECODERS.get((kind, sheet_type)) or _new_decoder(kind, sheet_type)
        if schema == EVENTS[kind].schema:
            event: Event = decoder.decode(body)
            return event
        return msgspec.convert(_upcast(kind, schema, body), decoder.type)  # type: ignore[no-any-return]
    except (KeyError, msgspec.MsgspecError) as error:
        raise Defect(f"stored {kind} (schema {schema}) cannot be read: {error}") from error


def request_digest(*parts: str) -> str:
    """A fingerprint of one request, to tell a retry from another request under the same key."""
    joined = "\x1f".join(f"{len(part)}:{part}" for part in parts)
    # Text with half a surrogate pair is refused when it is stored; until then it still needs a fingerprint of its own.
    return hashlib.sha256(joined.encode(errors="surrogatepass")).hexdigest()


def _upcast(kind: str, schema: int, body: str | bytes) -> dict[str, Any]:
    """Lift a stored body, one schema version at a time, to the current one. A later version cannot be read."""
    if schema not in range(EVENTS[kind].schema):
        raise KeyError(schema)
    lifted: dict[str, Any] = msgspec.json.decode(body)
    for version in range(schema, EVENTS[kind].schema):
        lifted = UPCASTS[kind, version](lifted)
    return lifted


def _new_decoder(kind: str, sheet_type: type[Any] | None) -> msgspec.json.Decoder[Any]:
    """A decoder for one kind, with the variant's own sheet type where the kind is a deal."""
    target: Any = EVENTS[kind]
    if kind in DEAL_KINDS:
        if sheet_type is None:
            raise Defect(f"{kind} cannot be read without knowing what is played")
        target = target[sheet_type]
    decoder = msgspec.json.Decoder(target)
    _DECODERS[kind, sheet_type] = decoder
    return decoder
