"""Facts on their way into the log and out of it: whether they read back, and what becomes of one that does not.

Rules: docs/decisions/0026-facts-that-read-back.md. Knows nothing of where facts are kept.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec

from scoring.facts.wire import FACTS, Fact, SheetTyped, StoredForm, decode, encode
from scoring.messages import say
from scoring.problems import Defect, EventRejected, Problem, RummyError, refuse_if, shown

S = TypeVar("S")
# What a fact that was stored by another version may raise, when it is decoded or follows on what it contradicts.
UNREADABLE = (
    *(RummyError, LookupError, TypeError, ValueError, AttributeError),
    *(ArithmeticError, AssertionError, msgspec.MsgspecError),
)


class Unreadable(Fact, frozen=True, kw_only=True):
    """A stored fact that cannot be read, or not be followed: it changes nothing until a director leaves it out.

    Never stored under this kind; a snapshot keeps it so, with what the log has.
    """

    kind: ClassVar[str] = "unreadable"
    stored_kind: str
    stored_schema: int
    body: str
    why: str


class _SheetAsWritten(NamedTuple):
    """The form of a deal sheet that is at hand: its own type reads it back."""

    sheet_type: type[Any]


def refuse_what_does_not_read_back(fact: Fact, form: StoredForm) -> None:
    """Decode what was encoded and compare, before it is written down for ever.

    Raises EventRejected with each field that is beyond its bound, and its limit; Defect for whatever else differs.
    """
    sheet = getattr(fact, "sheet", None)
    try:
        again = decode(form.kind, form.schema, form.body, None if sheet is None else _SheetAsWritten(type(sheet)))
    except Defect:
        refuse_if(list(_beyond_their_bounds(fact, form)), EventRejected)
        raise
    # As text: a list that was told for a tuple is the same fact.
    if encode(again).body != form.body:
        raise Defect(f"a {form.kind} does not read back as it was told")


def read_stored(kind: str, schema: int, body: str | bytes, form: SheetTyped | None = None) -> Fact:
    """A fact from its stored row; one that cannot be read as what it is, and why."""
    if kind == Unreadable.kind:
        return msgspec.json.decode(body, type=Unreadable)
    try:
        return decode(kind, schema, body, form)
    except UNREADABLE as error:
        text = body if isinstance(body, str) else bytes(body).decode(errors="replace")
        return Unreadable(stored_kind=kind, stored_schema=schema, body=text, why=str(error))


def fold_stored(fold: Callable[[S, Sequence[tuple[int, Fact]]], S], start: S, facts: Iterable[tuple[int, Fact]]) -> S:
    """What follows from stored facts, each with its version. One that cannot follow is left where it stands, unread.

    All at once; only when that fails, one by one, to find it.
    """
    told = list(facts)
    try:
        return fold(start, told)
    except UNREADABLE:
        return _fold_one_by_one(fold, start, told)


def _fold_one_by_one(
    fold: Callable[[S, Sequence[tuple[int, Fact]]], S], state: S, facts: Sequence[tuple[int, Fact]]
) -> S:
    for version, fact in facts:
        try:
            state = fold(state, [(version, fact)])
        except UNREADABLE as error:
            state = fold(state, [(version, as_unreadable(fact, error))])
    return state


def as_unreadable(fact: Fact, error: Exception) -> Unreadable:
    """A fact that can be read but not be followed."""
    form = encode(fact)
    why = f"it does not follow from what stands before it ({type(error).__name__}: {error})"
    return Unreadable(stored_kind=form.kind, stored_schema=form.schema, body=form.body, why=why)


def _beyond_their_bounds(fact: Fact, form: StoredForm) -> Iterator[Problem]:
    """Each field whose value its own type does not take, as a problem that names the limit."""
    body = msgspec.json.decode(form.body)
    for field in msgspec.structs.fields(FACTS[form.kind]):
        if field.name not in body:
            continue
        wanted = type(getattr(fact, field.name)) if field.name == "sheet" else field.type
        try:
            msgspec.convert(body[field.name], wanted)
        except msgspec.ValidationError as error:
            detail = say(
                "{name} cannot be {value}: {why}", name=field.name, value=shown(body[field.name]), why=str(error)
            )
            yield Problem(code="out_of_range", field=field.name, detail=detail)
