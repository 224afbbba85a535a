"""House options as form fields, made from what the variant says of them: its names, ranges, choices and help.

An empty field means the house takes the default, which may depend on other options, so defaults are shown and
never copied. Knows nothing of any one variant.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from scoring.options import describe_options
from scoring.problems import Problem
from scoring.rules.table.table import Preset, Variant
from tournaments.rendering.i18n.translating import told

NONE_WORD = "none"
TYPICAL_SEATS = 6
LONGEST_RANGE = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionField:
    """One option in the form, as typed."""

    name: str
    title: str
    help: str
    kind: str
    text: str
    default: str
    choices: tuple[tuple[str, str], ...]
    least: int | None
    most: int | None
    is_for_play: bool
    problems: tuple[Problem, ...] = ()

    @property
    def input_name(self) -> str:
        return f"option-{self.name}"

    @property
    def range(self) -> str:
        """The numbers allowed, where they fit on a line."""
        return (
            ""
            if self.least is None or (self.most or 0) > LONGEST_RANGE
            else gettext("{least} to {most}").format(least=self.least, most=self.most)
        )

    @property
    def default_title(self) -> str:
        return told(self.default.replace("_", " "))


def option_fields(
    rules: Variant, preset: Preset, texts: Mapping[str, str], problems: Mapping[str, tuple[Problem, ...]]
) -> list[OptionField]:
    """Every option of a variant with its default under a preset and what was typed over it."""
    defaults = rules.defaults(preset.options, TYPICAL_SEATS)
    return [
        OptionField(
            name=described["name"],
            title=str(described["name"]).replace("_", " ").capitalize(),
            help=described["help"],
            kind=described["type"],
            text=texts.get(described["name"], ""),
            default=said(described["default"]),
            choices=_choices(described),
            least=described.get("min"),
            most=described.get("max"),
            is_for_play=bool(described.get("plays_only")),
            problems=problems.get(described["name"], ()),
        )
        for described in describe_options(rules.options_type, defaults)
    ]


def read_texts(rules: Variant, texts: Mapping[str, str]) -> dict[str, Any]:
    """What was typed as option values: empty is left out, what is no number stays text and is refused by the rules."""
    kinds = {described["name"]: described["type"] for described in describe_options(rules.options_type)}
    return {name: _value(text, kinds[name]) for name, text in texts.items() if text and name in kinds}


def texts_of(options: Mapping[str, Any], preset: Preset) -> dict[str, str]:
    """Stored options as the form shows them: those of the preset are its defaults."""
    return {name: said(value) for name, value in options.items() if preset.options.get(name, _MISSING) != value}


def said(value: object) -> str:
    """An option's value in words."""
    if value is None:
        return NONE_WORD
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


_MISSING = object()


def _choices(described: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    if described["type"] == "boolean":
        return (("yes", gettext("yes")), ("no", gettext("no")))
    return tuple((choice, told(str(choice).replace("_", " "))) for choice in described.get("choices", ()))


def _value(text: str, kind: str) -> Any:
    if kind == "boolean" and text in ("yes", "no"):
        return text == "yes"
    if kind == "integer" and text == NONE_WORD:
        return None
    if kind == "integer" and text.lstrip("-").isdecimal() and len(text) < 15:
        return int(text)
    return text
