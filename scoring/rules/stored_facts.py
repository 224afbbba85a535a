"""Whether what is about to be stored can be read again as what was told.

Rules: docs/decisions/0026-facts-that-read-back.md. Knows nothing of where facts are kept.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from scoring.rules.events import FACTS, Fact, StoredForm, decode, encode
from scoring.rules.problems import Defect, EventRejected, Problem, refuse_if, shown


class _SheetAsWritten:
    """The form of a deal sheet that is at hand: its own type reads it back."""

    def __init__(self, sheet_type: type[Any]) -> None:
        self.sheet_type = sheet_type

    def read_sheet(self, raw: object, seats: object) -> tuple[None, list[Problem]]:
        """Nothing comes from outside here."""
        return None, []


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
            detail = f"{field.name} cannot be {shown(body[field.name])}: {error}"
            yield Problem(code="out_of_range", field=field.name, detail=detail)
