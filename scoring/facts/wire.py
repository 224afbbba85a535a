"""Facts as they are told and as they are stored: reading untrusted JSON, writing and reading the log's rows.

Rules: docs/events.md. A changed shape gets a new schema version and one upcast. Knows nothing of what follows
from a fact.
"""

import hashlib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from scoring.facts.cash import CASH_FACTS, CASH_NEEDS_REASON
from scoring.facts.evening import (
    EVENING_FACTS,
    EVENING_NEEDS_REASON,
    CheckedIn,
    CheckInUndone,
    ClockPaused,
    ClockStarted,
    CutMade,
    CutWithdrawn,
    EntryPaid,
    EntryRefunded,
    EntryTermsSet,
    EntryWithdrawn,
    LastCallUndone,
    LastDealCalled,
    MarkedAbsent,
    MoveUndone,
    PlanMade,
    PlayerEntered,
    PlayerLeft,
    PlayerReentered,
    PlayerReturned,
    PlayersMoved,
    PlayerSubstituted,
    ReentryUndone,
    RoundSeated,
    SeatingWithdrawn,
    SidePotWinUndone,
    SidePotWon,
    SubstitutionUndone,
    TieSettled,
    TimeAdded,
)
from scoring.facts.table import (
    DEAL_KINDS,
    BoughtIn,
    DealConfirmed,
    DealCorrected,
    DealDisputed,
    DealFact,
    DealRecorded,
    DealVoided,
    DisputeSettled,
    Fact,
    FactWithdrawn,
    PenaltyGiven,
    Rejoined,
    SeatLeft,
    SplitAgreed,
    TableCancelled,
    TableClosed,
    TableMovedOn,
    TableOpened,
    TiebreakRecorded,
    TournamentCancelled,
    TournamentChanged,
    TournamentClosed,
    TournamentOpened,
    TournamentReopened,
)
from scoring.facts.table import FACTS as TABLE_FACTS
from scoring.facts.table import NEEDS_REASON as TABLE_NEEDS_REASON
from scoring.facts.table import NOT_FOR_TABLES as FRAME
from scoring.messages import Message, say
from scoring.problems import MOST_SHOWN, Defect, EventRejected, Problem, refuse_if, shown

FACTS: dict[str, type[Fact]] = TABLE_FACTS | {fact.kind: fact for fact in EVENING_FACTS + CASH_FACTS}
NEEDS_REASON = TABLE_NEEDS_REASON | EVENING_NEEDS_REASON | CASH_NEEDS_REASON
NOT_FOR_TABLES = FRAME | {fact.kind for fact in EVENING_FACTS + CASH_FACTS}
MOST_REASON = 500
MOST_STRANGERS = 20
# Control characters and halves of surrogate pairs: no reason needs them, and not every store takes them.
NEVER_KEPT = frozenset({"Cc", "Cs"})

__all__ = [
    "DEAL_KINDS",
    "FACTS",
    "NEEDS_REASON",
    "NOT_FOR_TABLES",
    "UPCASTS",
    "BoughtIn",
    "CheckInUndone",
    "CheckedIn",
    "ClockPaused",
    "ClockStarted",
    "CutMade",
    "CutWithdrawn",
    "DealConfirmed",
    "DealCorrected",
    "DealDisputed",
    "DealFact",
    "DealRecorded",
    "DealVoided",
    "DisputeSettled",
    "EntryPaid",
    "EntryRefunded",
    "EntryTermsSet",
    "EntryWithdrawn",
    "Fact",
    "FactWithdrawn",
    "LastCallUndone",
    "LastDealCalled",
    "MarkedAbsent",
    "MoveUndone",
    "PenaltyGiven",
    "PlanMade",
    "PlayerEntered",
    "PlayerLeft",
    "PlayerReentered",
    "PlayerReturned",
    "PlayerSubstituted",
    "PlayersMoved",
    "ReentryUndone",
    "Rejoined",
    "RoundSeated",
    "SeatLeft",
    "SeatingWithdrawn",
    "SheetForm",
    "SheetTyped",
    "SidePotWinUndone",
    "SidePotWon",
    "SplitAgreed",
    "StoredForm",
    "SubstitutionUndone",
    "TableCancelled",
    "TableClosed",
    "TableMovedOn",
    "TableOpened",
    "TieSettled",
    "TiebreakRecorded",
    "TimeAdded",
    "TournamentCancelled",
    "TournamentChanged",
    "TournamentClosed",
    "TournamentOpened",
    "TournamentReopened",
    "decode",
    "encode",
    "read_cash_fact",
    "read_fact",
    "read_tournament_fact",
    "request_digest",
]

Upcast = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTS: dict[tuple[str, int], Upcast] = {}


class SheetTyped(Protocol):
    """What it takes to read a stored deal: the type of its sheet."""

    @property
    def sheet_type(self) -> type[Any]: ...


class SheetForm(SheetTyped, Protocol):
    """What a variant says of its deal sheets: their type, and how to read one from untrusted JSON.

    `read_sheet` gives what could be read even where there are problems; None where that is nothing.
    """

    def read_sheet(self, raw: Mapping[str, Any], seats: Sequence[str]) -> tuple[Any | None, list[Problem]]: ...


class StoredForm(msgspec.Struct, frozen=True, kw_only=True):
    """A fact as the log keeps it; `note` is the free text that lives beside the log."""

    kind: str
    schema: int
    body: str
    note: str = ""


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODERS: dict[tuple[str, type[Any] | None], msgspec.json.Decoder[Any]] = {}


def canonical(event: object) -> str:
    """An event as one text, the same for every way of writing it.

    Raises EventRejected for half of a surrogate pair, which no text can keep.
    """
    try:
        return _ENCODER.encode(event).decode()
    except UnicodeEncodeError as error:
        detail = say("the event holds half a character, which no text can keep")
        raise EventRejected([Problem(code="not_text", detail=detail)]) from error


def encode(fact: Fact) -> StoredForm:
    """The canonical stored form: sorted keys, whole numbers, no free text in the body. Raises what `canonical` does."""
    note = getattr(fact, "reason", "")
    bare = msgspec.structs.replace(fact, reason="") if note else fact
    body = canonical(bare)
    return StoredForm(kind=fact.kind, schema=fact.schema, body=body, note=note)


def decode(kind: str, schema: int, body: str | bytes, form: SheetTyped | None = None) -> Fact:
    """A fact from its stored row, upcast where it was stored by an older version. Raises Defect."""
    sheet_type = form.sheet_type if form and kind in DEAL_KINDS else None
    try:
        decoder = _DECODERS.get((kind, sheet_type)) or _new_decoder(kind, sheet_type)
        if schema == FACTS[kind].schema:
            fact: Fact = decoder.decode(body)
            return fact
        return msgspec.convert(_upcast(kind, schema, body), decoder.type)  # type: ignore[no-any-return]
    except (KeyError, msgspec.MsgspecError) as error:
        raise Defect(f"stored {kind} (schema {schema}) cannot be read: {error}") from error


def read_fact(raw: object, form: SheetForm, seats: Sequence[str]) -> Fact:
    """A fact from untrusted JSON, as the contract writes it. Raises EventRejected with every problem."""
    if not isinstance(raw, Mapping):
        raise EventRejected([Problem(code="not_an_object", detail=say("an event must be a JSON object"))])
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in FACTS or kind in NOT_FOR_TABLES:
        known = ", ".join(name for name in FACTS if name not in NOT_FOR_TABLES)
        detail = say("there is no event {typed}; use one of {list}", typed=shown(kind), list=known)
        raise EventRejected([Problem(code="unknown_kind", field="kind", detail=detail)])
    rest = {str(name): value for name, value in raw.items() if name != "kind"}
    if kind in DEAL_KINDS:
        return _read_deal_fact(kind, rest, form, seats)
    values, problems = _read_fields(FACTS[kind], rest)
    strangers = [name for name in rest if name not in FACTS[kind].__struct_fields__]
    problems += [_unknown_field(name) for name in strangers[:MOST_STRANGERS]]
    problems += _seat_problems(values.get("seat"), seats)
    refuse_if(problems, EventRejected)
    return FACTS[kind](**values)


def read_tournament_fact(raw: object) -> Fact:
    """A fact of a tournament from untrusted JSON. Raises EventRejected with every problem."""
    return _read_one_of(EVENING_FACTS, raw)


def read_cash_fact(raw: object) -> Fact:
    """A fact of a cash book from untrusted JSON. Raises EventRejected with every problem."""
    return _read_one_of(CASH_FACTS, raw)


def _read_one_of(facts: Sequence[type[Fact]], raw: object) -> Fact:
    kinds = {fact.kind: fact for fact in facts}
    kind = raw.get("kind") if isinstance(raw, Mapping) else None
    if not isinstance(raw, Mapping) or not isinstance(kind, str) or kind not in kinds:
        detail = say("there is no event {typed}; use one of {list}", typed=shown(kind), list=", ".join(kinds))
        raise EventRejected([Problem(code="unknown_kind", field="kind", detail=detail)])
    rest = {str(name): value for name, value in raw.items() if name != "kind"}
    values, problems = _read_fields(FACTS[kind], rest)
    strangers = [name for name in rest if name not in FACTS[kind].__struct_fields__]
    refuse_if([*problems, *(_unknown_field(name) for name in strangers[:MOST_STRANGERS])], EventRejected)
    return FACTS[kind](**values)


def request_digest(*parts: str) -> str:
    """A fingerprint of one request, to tell a resend from another request under the same key."""
    joined = "\x1f".join(f"{len(part)}:{part}" for part in parts)
    # What is no text is refused where it is stored, and told from another request until then.
    return hashlib.sha256(joined.encode(errors="surrogatepass")).hexdigest()


def _read_deal_fact(kind: str, rest: dict[str, Any], form: SheetForm, seats: Sequence[str]) -> Fact:
    """Deals carry their variant's sheet beside the fields that every variant has."""
    own: dict[str, Any] = {name: rest.pop(name) for name in ("deal", "reason") if name in rest}
    if kind == TiebreakRecorded.kind:
        own.setdefault("deal", 1)
    values, problems = _read_fields(FACTS[kind], own, skip={"sheet"})
    if "reason" in own and "reason" not in FACTS[kind].__struct_fields__:
        problems.append(_unknown_field("reason"))
    sheet, sheet_problems = form.read_sheet(rest, seats)
    fact = FACTS[kind](sheet=sheet, **values) if sheet is not None and "deal" in values else None
    if problems or sheet_problems or fact is None:
        raise EventRejected([*problems, *sheet_problems], readable=fact)
    return fact


def _read_fields(
    fact: type[Fact], raw: Mapping[str, Any], skip: set[str] | None = None
) -> tuple[dict[str, Any], list[Problem]]:
    """The fields of one kind, converted one by one so that every mistake is told."""
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for field in msgspec.structs.fields(fact):
        if field.name in (skip or ()):
            continue
        if field.name not in raw:
            if field.required or (field.name == "reason" and fact.kind in NEEDS_REASON):
                detail = say("{name} needs the field {typed}", name=fact.kind, typed=repr(field.name))
                problems.append(Problem(code="missing_field", field=field.name, detail=detail))
            continue
        try:
            values[field.name] = _converted(field, raw[field.name])
        except (msgspec.ValidationError, ValueError) as error:
            problems.append(_bad_field(field.name, raw[field.name], error))
    return values, problems


def _converted(field: msgspec.structs.FieldInfo, value: object) -> object:
    """One field's value; a reason must say something, and fit beside the log."""
    if field.name != "reason":
        return msgspec.convert(value, field.type)
    text = _clean(msgspec.convert(value, str))
    if not text:
        raise ValueError(say("say why: this needs a reason"))
    if len(text) > MOST_REASON:
        raise ValueError(say("a reason has at most {most} characters", most=MOST_REASON))
    return text


def _clean(text: str) -> str:
    """Free text as it is kept: composed, on one line, without characters that only machines use."""
    spaced = " ".join(text.split())
    kept = "".join(letter for letter in spaced if unicodedata.category(letter) not in NEVER_KEPT)
    return unicodedata.normalize("NFC", kept).strip()


def _bad_field(name: str, value: object, error: Exception) -> Problem:
    """A number of the wrong size and a value of the wrong type are different mistakes."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    code = "out_of_range" if is_number and name not in ("reason", "seat") else "wrong_type"
    return Problem(code=code, field=name, detail=_not_this(name, value, error))


def _not_this(name: str, value: object, error: Exception) -> Message:
    if name == "reason" and value == "":
        return say("say why: this needs a reason")
    return say("{name} cannot be {value}: {why}", name=name, value=shown(value), why=reason_of(error))


def reason_of(error: Exception) -> Message | str:
    """What an error of ours says, and what msgspec says of a type."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Message) else str(error)


def _seat_problems(seat: object, seats: Sequence[str]) -> list[Problem]:
    """A named seat must be one of the table's."""
    if seat is None or seat in seats:
        return []
    detail = say(
        "there is no seat {typed} at this table; the seats are {list}", typed=shown(seat), list=", ".join(seats)
    )
    return [Problem(code="unknown_seat", seat=str(seat)[:MOST_SHOWN], field="seat", detail=detail)]


def _unknown_field(name: str) -> Problem:
    name = name[:MOST_SHOWN]
    return Problem(code="unknown_field", field=name, detail=say("this event has no field {name}", name=repr(name)))


def _upcast(kind: str, schema: int, body: str | bytes) -> dict[str, Any]:
    """Lift a stored body, one schema version at a time, to today's shape. A later version is none of ours."""
    if schema not in range(FACTS[kind].schema):
        raise KeyError(schema)
    lifted: dict[str, Any] = msgspec.json.decode(body)
    for version in range(schema, FACTS[kind].schema):
        lifted = UPCASTS[kind, version](lifted)
    return lifted


def _new_decoder(kind: str, sheet_type: type[Any] | None) -> msgspec.json.Decoder[Any]:
    """A decoder for one kind, with the variant's own sheet type where the kind is a deal."""
    target: Any = FACTS[kind]
    if kind in DEAL_KINDS:
        if sheet_type is None:
            raise Defect(f"{kind} cannot be read without knowing what is played")
        target = target[sheet_type]
    decoder = msgspec.json.Decoder(target)
    _DECODERS[kind, sheet_type] = decoder
    return decoder
