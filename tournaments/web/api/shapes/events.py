"""Events as the API takes them, described: one shape for each kind, and for a deal one for the sheet of each game.

Rules: docs/events.md. The shapes are made from what the variants read, so that a new game describes itself. Which sheet
a table takes follows from its `variant`, which a body does not repeat. Knows nothing of addresses.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from scoring.facts.cash import CASH_FACTS, CashBookOpened
from scoring.facts.wire import DEAL_KINDS, FACTS, NEEDS_REASON, NOT_FOR_TABLES
from scoring.rules.variants import VARIANTS

EVENT, DEAL, CASH_EVENT = "Event", "DealEvent", "CashEvent"
REASON = {"type": "string", "minLength": 1, "maxLength": 500}
Schema = dict[str, Any]


def example_deals() -> dict[str, Schema]:
    """The first deal of a table of each game, by variant."""
    return {name: {"kind": "deal_recorded", "deal": 1, **rules.example} for name, rules in VARIANTS.items()}


def event_components(template: str) -> dict[str, Schema]:
    """The schemas of all events that a table takes, by name; `template` is how they refer to each other."""
    acts = [fact for kind, fact in sorted(FACTS.items()) if kind not in NOT_FOR_TABLES | DEAL_KINDS]
    sheets = {rules.sheet_type: rules for rules in VARIANTS.values()}
    _, found = msgspec.json.schema_components([*acts, *sheets], ref_template=template)
    schemas = {name: _as_told(schema) for name, schema in found.items()}
    for act in acts:
        schemas[act.__name__] = _event(schemas[act.__name__], [act.kind])
    deals = {}
    for sheet in sheets:
        games = [name for name, rules in VARIANTS.items() if rules.sheet_type is sheet]
        deals[".".join(("Deal", *games))] = _deal(schemas.pop(sheet.__name__), schemas, games)
    schemas |= deals
    schemas[DEAL] = {
        "description": "A deal, its correction, or an extra deal; its fields are those of the table's `variant`.",
        "anyOf": [{"$ref": template.format(name=name)} for name in deals],
    }
    names = [*(act.__name__ for act in acts), DEAL]
    schemas[EVENT] = {
        "description": "One event of a table, told apart by its `kind`.",
        "anyOf": [{"$ref": template.format(name=name)} for name in names],
    }
    return schemas


def cash_components(template: str) -> dict[str, Schema]:
    """The schemas of all lines that a cash book takes, by name. A book begins by itself."""
    lines = [fact for fact in CASH_FACTS if fact is not CashBookOpened]
    _, found = msgspec.json.schema_components(lines, ref_template=template)
    schemas = {fact.__name__: _event({"required": [], **found[fact.__name__]}, [fact.kind]) for fact in lines}
    schemas[CASH_EVENT] = {
        "description": "One line of a cash book, told apart by its `kind`.",
        "anyOf": [{"$ref": template.format(name=name)} for name in schemas],
    }
    return schemas


def _event(schema: Schema, kinds: list[str]) -> Schema:
    """An object with its `kind`, and a reason where one is needed."""
    needs_reason = NEEDS_REASON.issuperset(kinds)
    properties = {"kind": {"enum": kinds}, **schema["properties"]}
    properties |= {"reason": REASON} if not NEEDS_REASON.isdisjoint(kinds) else {}
    required = ["kind", *(name for name in schema["required"] if name != "reason"), *(["reason"] * needs_reason)]
    return {**schema, "properties": properties, "required": required, "additionalProperties": False}


def _deal(schema: Schema, schemas: dict[str, Schema], games: list[str]) -> Schema:
    """A sheet beside its kind and number. Where it is a list of hands, a single one may stand there itself."""
    kinds = sorted(DEAL_KINDS)
    forms = [_event(_numbered(form), kinds) for form in (schema, *_single_hands(schema, schemas))]
    titles = ", ".join(VARIANTS[name].title for name in games)
    description = f"At a table of {titles} (`variant`: {', '.join(games)}). {schema['description']}"
    told: Schema = forms[0] if len(forms) == 1 else {"anyOf": forms}
    return {**told, "title": titles, "description": description}


def _numbered(schema: Schema) -> Schema:
    number = {"type": "integer", "minimum": 1, "maximum": 1_000}
    return {**schema, "properties": {"deal": number, **schema["properties"]}, "required": ["deal", *schema["required"]]}


def _single_hands(schema: Schema, schemas: dict[str, Schema]) -> Iterator[Schema]:
    """The sheet with the fields of its one hand beside its own."""
    for name, field in schema["properties"].items():
        if field.get("type") == "array" and "$ref" in field["items"]:
            hand = schemas[field["items"]["$ref"].rpartition("/")[2]]
            others = {key: value for key, value in schema["properties"].items() if key != name}
            yield {**schema, "properties": {**others, **hand["properties"]}, "required": hand["required"]}


def _as_told(schema: Schema) -> Schema:
    """What is kept as a list of seats may be told as a single one."""
    many = {"type": "array", "items": {"type": "string"}}
    either = {"anyOf": [{"type": "string"}, many]}
    properties = {
        name: {**field, "additionalProperties": either} if field.get("additionalProperties") == many else field
        for name, field in schema.get("properties", {}).items()
    }
    return {**schema, "properties": properties} if properties else schema
