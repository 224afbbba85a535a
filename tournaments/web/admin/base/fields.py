"""House options as form fields, made from the variant's description: its names, ranges, choices and help.

An empty field means the house takes the default, which may depend on other options, so defaults are shown and
never copied. Knows nothing of any one variant.
"""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from scoring.money.formatting import (
    Notation,
    typed_minor,
    typed_percent,
)
from scoring.options import Wording, describe_options, read_options
from scoring.rules.table.table import AnyVariant, Preset
from tournaments.rendering.i18n.translating import option_text, translate
from tournaments.rendering.i18n.typed_amounts import read_amount, read_percent

OPTION = "option-"
NONE_WORD = "none"
MOST_OPTION = 60
TYPICAL_SEATS = 6
LONGEST_RANGE = 10_000


class OptionField(forms.CharField):
    """One option as typed: empty takes the default, which `default_text` says in words. The rules validate it."""

    def __init__(self, described: Mapping[str, Any], wording: Wording, default_text: str, locale: str) -> None:
        choices = _choices(described, wording)
        widget: forms.Widget
        if choices:
            house = gettext("%(default_title)s (house rule)") % {"default_title": default_text}
            widget = forms.Select(choices=[("", house), *choices])
        else:
            attrs = {"placeholder": default_text, "maxlength": MOST_OPTION}
            # A number below zero needs a minus, which a keypad of digits has not on some phones.
            if described["type"] == "integer" and described.get("min", -1) >= 0:
                attrs["inputmode"] = "decimal" if described["name"].endswith(("_minor", "_bp")) else "numeric"
            widget = forms.TextInput(attrs=attrs)
        title = translate(described["title"])
        label = gettext("{title}, %").format(title=title) if described["name"].endswith("_bp") else title
        super().__init__(label=label, help_text=_help(described, locale), widget=widget, required=False)
        self.is_for_play = bool(described.get("plays_only"))

    def to_python(self, value: Any) -> str:
        return str(value or "").replace("\x00", "").strip()


def option_fields(rules: AnyVariant, preset: Preset, notation: Notation) -> dict[str, OptionField]:
    """A field for every option of a variant, with its default under a preset."""
    defaults = rules.defaults(preset.options, TYPICAL_SEATS)
    described = describe_options(rules.options_type, defaults)
    house = read_options(rules.options_type, defaults)
    return {
        f"{OPTION}{option['name']}": OptionField(
            option,
            rules.wordings.get(option["name"], Wording()),
            option_text(rules, option["name"], house, notation),
            notation.locale,
        )
        for option in described
    }


def _help(described: Mapping[str, Any], locale: str) -> str:
    """The help of an option, with its range where that is short."""
    least, most = described.get("min"), described.get("max")
    if least is None or (most or 0) > LONGEST_RANGE:
        return translate(described["help"])
    if described["name"].endswith("_bp"):
        least, most = typed_percent(least, locale), typed_percent(most or 0, locale)
    return f"{translate(described['help'])} ({gettext('{least} to {most}').format(least=least, most=most)})"


def read_texts(rules: AnyVariant, texts: Mapping[str, str], notation: Notation) -> dict[str, Any]:
    """Typed texts as option values: empty ones are left out; what cannot be read stays text, which the rules refuse."""
    kinds = {described["name"]: described["type"] for described in describe_options(rules.options_type)}
    return {name: _value(name, text, kinds[name], notation) for name, text in texts.items() if text and name in kinds}


def texts_of(options: Mapping[str, Any], preset: Preset, notation: Notation) -> dict[str, str]:
    """Stored options as the form shows them: a value that equals the preset's is left empty."""
    return {
        name: _option_value(name, value, notation)
        for name, value in options.items()
        if preset.options.get(name, _MISSING) != value
    }


def _option_value(name: str, value: Any, notation: Notation) -> str:
    """An option's value as text."""
    if value is None:
        return NONE_WORD
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name.endswith("_minor"):
        return typed_minor(value, *notation)
    return typed_percent(value, notation.locale) if name.endswith("_bp") else str(value)


_MISSING = object()


def _choices(described: Mapping[str, Any], wording: Wording) -> tuple[tuple[str, str], ...]:
    if described["type"] == "boolean":
        return (("yes", gettext("yes")), ("no", gettext("no")))
    return tuple((choice, translate(wording.message(choice))) for choice in described.get("choices", ()))


def _value(name: str, text: str, kind: str, notation: Notation) -> Any:
    if kind == "boolean" and text in ("yes", "no"):
        return text == "yes"
    if kind == "integer" and text == NONE_WORD:
        return None
    if name.endswith(("_minor", "_bp")):
        try:
            return read_amount(text, notation) if name.endswith("_minor") else read_percent(text, notation.locale)
        except ValidationError:
            return text
    if kind == "integer" and text.removeprefix("-").isdecimal() and len(text) < 15:
        return int(text)
    return text
