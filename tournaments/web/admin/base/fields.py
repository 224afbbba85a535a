"""House options as form fields, made from the variant's description: its names, ranges, choices and help.

An empty field means the house takes the default, which may depend on other options, so defaults are shown and
never copied. Knows nothing of any one variant.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from babel.numbers import get_currency_symbol
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

from scoring.messages import decimals, say
from scoring.money.formatting import (
    Marks,
    Notation,
    grouped_minor,
    known_locale,
    marks_of,
    typed_minor,
    typed_percent,
)
from scoring.options import Wording, describe_options, read_options
from scoring.problems import shown
from scoring.rules.table.table import AnyVariant, Preset
from tournaments.rendering.i18n.translating import option_text, translate

# Amounts and percentages as the club's people type them, read exactly into whole minor units and basis points.

BP_DECIMALS = 2
MOST_DIGITS = 15
SAMPLE = "123456"
# What people write for a currency besides its code and its sign.
OTHER_WORDS = {"INR": ("Rs.", "Rs"), "PKR": ("Rs.", "Rs"), "LKR": ("Rs.", "Rs"), "NPR": ("Rs.", "Rs")}
ARABIC_DECIMAL, ARABIC_GROUP = "\u066b", "\u066c"
# Invisible format characters, such as direction marks: amounts are printed with them, and copies contain them.
UNSEEN = "Cf"


def read_amount(text: str, notation: Notation) -> int:
    """`1,23,456.50` of INR is 12345650. Raises ValidationError for anything else, or one finer than the minor unit."""
    currency, locale = notation
    places = decimals(currency)
    bare = _without_sign(_plain(text), currency, known_locale(locale))
    minor = _read(bare, known_locale(locale), places)
    if minor is not None:
        return minor
    sample = grouped_minor(int(SAMPLE + "5".ljust(places, "0")) if places else int(SAMPLE), currency, locale)
    detail = say(
        "{text} is not an amount of {currency} with at most {places} decimals; write it like {sample}",
        text=shown(text),
        currency=currency,
        places=places,
        sample=sample,
    )
    raise ValidationError(translate(detail), code="not_an_amount")


def read_percent(text: str, locale: str) -> int:
    """`12.5` percent is 1250 basis points. Raises ValidationError for anything else."""
    bare = _plain(text).removeprefix("%").removesuffix("%").strip()
    points = _read(bare, known_locale(locale), BP_DECIMALS)
    if points is not None:
        return points
    sample = typed_percent(1250, locale)
    detail = say(
        "{text} is not a percentage with at most {places} decimals; write it like {sample}",
        text=shown(text),
        places=BP_DECIMALS,
        sample=sample,
    )
    raise ValidationError(translate(detail), code="not_a_number")


def _plain(text: str) -> str:
    """The text with plain digits and blanks, without invisible format characters."""
    flat = unicodedata.normalize("NFKC", text)
    visible_characters = (character for character in flat if unicodedata.category(character) != UNSEEN)
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character for character in visible_characters
    ).strip()


def _without_sign(text: str, currency: str, locale: str) -> str:
    for word in _words(currency, locale):
        folded = text.casefold()
        if folded.startswith(word):
            return text[len(word) :].strip()
        if folded.endswith(word):
            return text[: -len(word)].strip()
    return text


@lru_cache(maxsize=512)
def _words(currency: str, locale: str) -> tuple[str, ...]:
    """Casefolded currency codes and signs that may be beside an amount, the longest first."""
    option_value = {currency, *(get_currency_symbol(currency, place) for place in (locale, "en"))}
    plain = {_plain(word).casefold() for word in (*option_value, *OTHER_WORDS.get(currency, ()))}
    return tuple(sorted(plain - {""}, key=lambda word: (-len(word), word)))


def _read(text: str, locale: str, places: int) -> int | None:
    match = _shape(locale).fullmatch(text)
    fraction = (match["fraction"] or "") if match else ""
    if match is None or len(fraction) > places:
        return None
    whole = re.sub(r"\D", "", match["whole"])
    return int(whole + fraction.ljust(places, "0")) if len(whole) <= MOST_DIGITS else None


@lru_cache(maxsize=128)
def _shape(locale: str) -> re.Pattern[str]:
    """A pattern for amounts: ungrouped digits, or whole groups with the same mark between; then perhaps a fraction."""
    marks = marks_of(locale)
    grouped = "|".join(_groups(mark, marks) for mark in _group_marks(marks))
    return re.compile(
        rf"(?P<whole>[0-9]+|{grouped})(?:[{re.escape(marks.decimal)}{ARABIC_DECIMAL}](?P<fraction>[0-9]+))?"
    )


def _groups(mark: str, marks: Marks) -> str:
    """A pattern for groups of three, which everyone reads, and for the locale's own. A leading zero is not grouped."""
    threes = rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+"
    if marks.further == marks.first:
        return threes
    return rf"{threes}|[1-9][0-9]?(?:{mark}[0-9]{{{marks.further}}})*{mark}[0-9]{{{marks.first}}}"


def _group_marks(marks: Marks) -> tuple[str, ...]:
    """The locale's own group mark in each of its forms, and a blank, which has no other use."""
    own = {"'": "['’]", "’": "['’]", ARABIC_GROUP: ARABIC_GROUP}.get(marks.group, re.escape(marks.group))
    return (" ", ARABIC_GROUP) if marks.group.isspace() else (own, " ", ARABIC_GROUP)


# House options as form fields, made from the variant's description: its names, ranges, choices and help.

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
