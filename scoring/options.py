"""House options: what a club may set for a table, with defaults, ranges and the help a director reads.

Options are frozen structs whose fields carry their range and help text; forms, docs and the `variants` command are made
from them, and a table stores its own copy for ever. Knows nothing of any one variant.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import FieldInfo

from scoring.json_text import holds_no_text
from scoring.messages import Field, Message, say
from scoring.problems import MOST_SHOWN, OptionsRejected, Problem, Shown, refuse_if, shown
from scoring.structs import converted, fields_of, read_fields, unknown_names

TYPE_NAMES = {int: "integer", bool: "boolean", str: "text"}
# Marks an option that changes how a game is played, and not what its sheet contains.
PLAYS_ONLY = {"plays_only": True}
# The meaning of an option that is not set.
SILENCE = "unset"
COLLECTIONS = {tuple: "list", dict: "map"}


class Wording(msgspec.Struct, frozen=True):
    """The wording of an option, besides its annotation: its title, its choices, and what applies where it is not set.

    Without a title its help is used. `follows` is the number that then applies, derived from the other options.
    """

    title: str = ""
    choices: dict[str, str] = {}
    unset: str = ""
    follows: str = ""

    def message(self, choice: str) -> Message:
        """The text of a choice."""
        return Message(self.choices.get(choice, choice))


class Options(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """The base of every variant's options. Values derived from options alone are cached with them as the key.

    An option added when tables had been stored already has no value (UNSET) where it means the same as leaving it out,
    and `extra={"unset": ...}` is that meaning: so stored options stay as they are to the letter.
    """

    def __post_init__(self) -> None:
        """Drop values that mean the same as unset, so that equal options are equal however they were written."""
        for name, silence in _silences(type(self)).items():
            if getattr(self, name) == silence:
                msgspec.structs.force_setattr(self, name, msgspec.UNSET)

    def holding(self, name: str) -> Any:
        """The value that applies for an option, whether it is set or not."""
        value = getattr(self, name)
        return _silences(type(self)).get(name) if value is msgspec.UNSET else value

    def choice_message(self, name: str) -> Message:
        """The text of the choice that applies for an option."""
        return wordings(type(self))[name].message(getattr(self, name))

    def reminders(self) -> Iterable[Message]:
        """The options to show first for a table."""
        return ()


@lru_cache(maxsize=128)
def wordings(kind: type[Options]) -> Mapping[str, Wording]:
    """Wordings of the options whose text differs from their help."""
    hints = get_type_hints(kind, include_extras=True)
    wording_by_name = {
        name: next(
            (annotation for annotation in getattr(hint, "__metadata__", ()) if isinstance(annotation, Wording)), None
        )
        for name, hint in hints.items()
    }
    return {name: wording for name, wording in wording_by_name.items() if wording is not None}


def about(help_text: str, title: str | None = None, **bounds: Any) -> msgspec.Meta:
    """The purpose of an option, its form title where its name does not say it, and its limits, as a Meta."""
    return msgspec.Meta(description=help_text, title=title, **bounds)


O = TypeVar("O", bound=Options)  # noqa: E741 - one letter is the custom for a type variable


def read_options(kind: type[O], given: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> O:
    """Read the options a club gave over the variant's defaults.

    Raises OptionsRejected with one problem for every unknown name, wrong type and number out of range.
    """
    fields = fields_of(kind)
    problems = [_unknown(name, fields) for name in unknown_names(given, fields)]
    club_options, wrong = _converted({name: value for name, value in given.items() if name in fields}, fields)
    refuse_if([*problems, *wrong], OptionsRejected)
    standard, wrong = _converted(
        {name: value for name, value in (defaults or {}).items() if name not in club_options}, fields
    )
    refuse_if(wrong, OptionsRejected)
    return kind(**standard, **club_options)


def describe_options(kind: type[Options], defaults: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """The options as data: name, title, type, default, range or choices, help. Forms and docs are made from it.

    A form's own options come first, then those that it shares with others.
    """
    hints = get_type_hints(kind, include_extras=True)
    fields = fields_of(kind)
    named = [name for base in kind.__mro__ for name in vars(base).get("__annotations__", ())]
    shown_defaults = defaults or {}
    return [
        {
            "name": name,
            "title": _title(name, hints[name]),
            **_described(hints[name]),
            "default": shown_defaults.get(name, _default(fields[name], hints[name])),
        }
        for name in dict.fromkeys(named)
    ]


def _default(field: Any, hint: Any) -> Any:
    """The value that applies where none is given; for a field that is then omitted, the one in its annotation."""
    return _extra(hint).get(SILENCE) if field.default is msgspec.UNSET else field.default


def _extra(hint: Any) -> Mapping[str, Any]:
    meta = _unwrapped(hint)[1]
    return (meta.extra or {}) if meta else {}


@lru_cache(maxsize=128)
def _silences(kind: type[Options]) -> Mapping[str, Any]:
    """For each option the value that is the same as leaving it out."""
    extras = {name: _extra(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}
    return {name: extra[SILENCE] for name, extra in extras.items() if SILENCE in extra}


def _converted(values: Mapping[str, Any], fields: Mapping[str, FieldInfo]) -> tuple[dict[str, Any], list[Problem]]:
    """Values in the types of their fields, and a problem for each that cannot be converted, in the given order."""
    converted_values, unread = read_fields([fields[name] for name in values], values, convert=_value)
    return converted_values, [_bad_value(fields[name], value, error) for name, value, error in unread]


def _value(option: FieldInfo, value: Any) -> Any:
    if holds_no_text(value):
        raise ValueError
    return converted(option, value)


def _unknown(name: object, fields: Mapping[str, Any]) -> Problem:
    detail = say("there is no option {typed}; the options are {list}", typed=shown(name), list=", ".join(fields))
    return Problem("unknown_option", detail, field=str(name)[:MOST_SHOWN])


def _bad_value(option: FieldInfo, value: object, error: Exception | None) -> Problem:
    """Out of range, no such choice and wrong type are different mistakes: the first is a number to change."""
    name = Field(option.name, _title(option.name, option.type))
    if holds_no_text(value):
        detail = say("option {option} has a character that cannot be saved: type it again", option=name)
        return Problem("not_text", detail, field=option.name)
    described = _described(option.type)
    code = "wrong_type"
    if described["type"] == "integer" and isinstance(value, int) and not isinstance(value, bool):
        code = "out_of_range"
    elif described["type"] == "choice" and isinstance(value, str):
        code = "not_a_choice"
    return Problem(code, _not_this(name, shown(value), described, error), field=option.name)


def _title(name: str, hint: Any) -> str:
    """The title of an option in a form and a refusal: its annotation's title, else its name."""
    meta = _unwrapped(hint)[1]
    return meta.title if meta and meta.title else name.replace("_", " ").capitalize()


def _not_this(option: Field, value: Shown, described: Mapping[str, Any], error: Exception | None) -> Message:
    """What would have been valid, in words."""
    if "choices" in described:
        choices = ", ".join(described["choices"])
        return say(
            "option {option} cannot be {value}: use one of {choices}", option=option, value=value, choices=choices
        )
    if "min" in described:
        return say(
            "option {option} cannot be {value}: a whole number from {first} to {last}",
            option=option,
            value=value,
            first=described["min"],
            last=described["max"],
        )
    return say("option {option} cannot be {value}: {error}", option=option, value=value, error=str(error))


def _described(hint: Any) -> dict[str, Any]:
    """One option's type, range or choices, and help, read from its annotation."""
    base, meta = _unwrapped(hint)
    described: dict[str, Any] = {"help": meta.description if meta and meta.description else ""}
    if meta and meta.extra and meta.extra.get("plays_only"):
        described["plays_only"] = True
    if get_origin(base) in COLLECTIONS:
        return {**described, "type": COLLECTIONS[get_origin(base)]}
    members = get_args(base)
    if get_origin(base) is Literal:
        return {**described, "type": "choice", "choices": list(members)}
    if members:  # a type, then the default
        inner = _described(members[0])
        described |= {k: v for k, v in inner.items() if v or k != "help"}
        return {**described, "nullable": True} if type(None) in members else described
    if meta and meta.ge is not None:
        described |= {"min": meta.ge, "max": meta.le}
    if meta and meta.max_length is not None:
        described |= {"longest": meta.max_length}
    return {**described, "type": TYPE_NAMES[base]}


def _unwrapped(hint: Any) -> tuple[Any, msgspec.Meta | None]:
    """An annotation and its Meta, where it has one."""
    metas = getattr(hint, "__metadata__", ())
    return (hint.__origin__, metas[0]) if metas else (hint, None)
