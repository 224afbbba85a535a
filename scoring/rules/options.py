"""House options: what a club may set for a table, with defaults, ranges and the help a director reads.

Options are frozen structs whose fields carry their range and help text; forms, docs and the `variants`
command are made from them, and a table keeps its own copy for ever. Knows nothing of any one variant.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from scoring.rules.problems import OptionsRejected, Problem, refuse_if

TYPE_NAMES = {int: "integer", bool: "boolean", str: "text"}


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """The base of every variant's options."""


O = TypeVar("O", bound=Options)  # noqa: E741 - one letter is the custom for a type variable


def read_options(kind: type[O], given: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> O:
    """Read the options a club gave over the variant's defaults.

    Raises OptionsRejected with one problem for every unknown name, wrong type and number out of range.
    """
    fields = {field.name: field for field in msgspec.structs.fields(kind)}
    values = {**(defaults or {}), **given}
    problems = [_unknown(name, fields) for name in given if name not in fields]
    read: dict[str, Any] = {}
    for name, value in values.items():
        if name in fields:
            try:
                read[name] = msgspec.convert(value, fields[name].type, strict=True)
            except msgspec.ValidationError as error:
                problems.append(_bad_value(name, value, error))
    refuse_if(problems, OptionsRejected)
    return kind(**read)


def describe_options(kind: type[Options], defaults: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """The options as data: name, type, default, range or choices, help. Forms and docs are made from it."""
    hints = get_type_hints(kind, include_extras=True)
    shown = defaults or {}
    return [
        {**_described(hints[field.name]), "name": field.name, "default": shown.get(field.name, field.default)}
        for field in msgspec.structs.fields(kind)
    ]


def _unknown(name: str, fields: Mapping[str, Any]) -> Problem:
    known = ", ".join(fields)
    return Problem(code="unknown_option", field=name, detail=f"there is no option {name!r}; the options are {known}")


def _bad_value(name: str, value: object, error: msgspec.ValidationError) -> Problem:
    """Out of range and wrong type are different mistakes: the first is a number to change."""
    code = "out_of_range" if isinstance(value, int) and not isinstance(value, bool) else "wrong_type"
    return Problem(code=code, field=name, detail=f"option {name} cannot be {value!r}: {error}")


def _described(hint: Any) -> dict[str, Any]:
    """One option's type, range or choices, and help, read from its annotation."""
    base, meta = _unwrapped(hint)
    described: dict[str, Any] = {"help": meta.description if meta and meta.description else ""}
    if meta and meta.extra and meta.extra.get("plays_only"):
        described["plays_only"] = True
    members = [part for part in get_args(base) if part is not type(None)]
    if get_origin(base) is Literal:
        return {**described, "type": "choice", "choices": list(get_args(base))}
    if members:
        inner = _described(members[0])
        return {**described, **{k: v for k, v in inner.items() if v or k != "help"}, "nullable": True}
    if meta and meta.ge is not None:
        described |= {"min": meta.ge, "max": meta.le}
    return {**described, "type": TYPE_NAMES[base]}


def _unwrapped(hint: Any) -> tuple[Any, msgspec.Meta | None]:
    """An annotation and its Meta, where it has one."""
    metas = [extra for extra in getattr(hint, "__metadata__", ()) if isinstance(extra, msgspec.Meta)]
    return (hint.__origin__, metas[0]) if metas else (hint, None)
