"""Form fields for what a club's people type: reasons, names, minutes, numbers, amounts, and what a page carries hidden.

Each states its limits once; the widget takes them from there. Knows nothing of any one page.
"""

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from scoring.money.formatting import Notation, money
from scoring.money.payouts import MOST_MINOR
from tournaments.web.admin.base.fields import read_amount, read_percent

KEY = re.compile(r"[0-9a-f-]{32,36}")
Attrs = Mapping[str, Any]
# The id of a row, as an address or a field names it.
IDENTITY = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
MOST_REASON = 500
MOST_NAME = 200
MOST_AMOUNT = 18
MOST_PERCENT = 8
MOST_WORD = 100
MOST_MINUTES = 600
MOST_VERSION_DIGITS = 9


class ReadForm(forms.Form):
    """What a page of ours sent, whatever of it cannot be read."""

    @property
    def read(self) -> dict[str, Any]:
        """What could be read, whatever else could not."""
        self.is_valid()
        return self.cleaned_data


class TextField(forms.CharField):
    """One line as people type it: blanks are one blank, and what no field of ours can hold is left out."""

    def __init__(self, *, max_length: int = MOST_NAME, attrs: Attrs | None = None, **how: Any) -> None:
        widget = forms.TextInput(attrs={"dir": "auto", **(attrs or {})})
        super().__init__(max_length=max_length, widget=widget, **how)

    def to_python(self, value: Any) -> str:
        return " ".join(str(value or "").replace("\x00", "").split())


class NameField(TextField):
    """A name as it was typed: what may be in it, the club's own rules say."""

    def to_python(self, value: Any) -> str:
        return str(value or "").replace("\x00", "")


class ReasonField(TextField):
    """Why somebody does it. A missing one is refused by the command, with everything else that is wrong."""

    def __init__(self, *, max_length: int = MOST_REASON, attrs: Attrs | None = None, **how: Any) -> None:
        usual = {"label": gettext_lazy("Reason"), "required": False}
        super().__init__(max_length=max_length, attrs={"required": True, **(attrs or {})}, **{**usual, **how})


class LinesField(forms.CharField):
    """Several lines as they were typed or pasted."""

    def __init__(self, *, rows: int = 8, attrs: Attrs | None = None, **how: Any) -> None:
        widget = forms.Textarea(attrs={"rows": rows, "cols": False, "dir": "auto", **(attrs or {})})
        super().__init__(widget=widget, **{"required": False, **how})

    def to_python(self, value: Any) -> str:
        text = str(value or "").replace("\x00", "").replace("\r\n", "\n")
        return text.strip() if self.strip else text


class Carried(forms.HiddenInput):
    """Hidden, and without an address: several forms of a page carry the same."""

    def __init__(self) -> None:
        super().__init__(attrs={"id": False})


class WordField(forms.CharField):
    """A word that a page of ours carries, such as that of a button. What is none of ours is no word."""

    def __init__(self, *, max_length: int = MOST_WORD, **how: Any) -> None:
        self.most = max_length
        super().__init__(required=False, widget=Carried(), **how)

    def to_python(self, value: Any) -> str:
        return str(value or "").replace("\x00", "").replace("\r\n", "\n").strip()[: self.most]


class KeyField(WordField):
    """What tells a resend of the same form; a fresh one on every page. What is no key counts as none."""

    def __init__(self) -> None:
        super().__init__(initial=lambda: str(uuid4()))

    def to_python(self, value: Any) -> str:
        text = super().to_python(value)
        return text if KEY.fullmatch(text) else ""


class TicksField(forms.Field):
    """Words that were ticked or picked under one name, in their order."""

    widget = forms.SelectMultiple

    def __init__(self, *, max_length: int = MOST_WORD, **how: Any) -> None:
        super().__init__(required=False, **how)
        self.most = max_length

    def to_python(self, value: Any) -> list[str]:
        return [str(text).replace("\x00", "").strip()[: self.most] for text in value or ()]


class CarriedNumber(forms.Field):
    """A number that a page of ours carries, such as the version that it showed. What is none counts as `missing`."""

    widget = Carried

    def __init__(self, *, missing: int | None = 0, most_digits: int = MOST_VERSION_DIGITS, **how: Any) -> None:
        super().__init__(required=False, **how)
        self.missing = missing
        self.shape = re.compile(rf"-?[0-9]{{1,{most_digits}}}")

    def to_python(self, value: Any) -> int | None:
        text = str(value or "").strip()
        return int(text) if self.shape.fullmatch(text) else self.missing


class NumberField(forms.IntegerField):
    """A whole number in a field as wide as the largest one."""

    def __init__(self, *, max_value: int, min_value: int = 1, attrs: Attrs | None = None, **how: Any) -> None:
        usual = {"inputmode": "numeric", "maxlength": len(str(max_value))}
        super().__init__(
            min_value=min_value, max_value=max_value, widget=forms.TextInput(attrs={**usual, **(attrs or {})}), **how
        )


class TickOf(forms.CheckboxInput):
    """One of several ticks that a browser sends under one name."""

    def __init__(self, name: str, value: str) -> None:
        super().__init__(attrs={"value": value})
        self.name, self.value = name, value

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context = super().get_context(self.name, value, attrs)
        context["widget"]["value"] = self.value
        return context

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        return self.value in data.getlist(self.name)


class MinutesField(NumberField):
    """Whole minutes of an evening."""

    def __init__(self, **how: Any) -> None:
        how.setdefault("label", gettext_lazy("Minutes"))
        super().__init__(max_value=MOST_MINUTES, **how)


class PercentField(forms.CharField):
    """A percentage in basis points, typed as the club's place writes it; an empty one is none."""

    notation: Notation

    def __init__(self, *, attrs: Attrs | None = None, **how: Any) -> None:
        usual = {"inputmode": "decimal", "maxlength": MOST_PERCENT}
        super().__init__(required=False, widget=forms.TextInput(attrs={**usual, **(attrs or {})}), **how)

    def clean(self, value: Any) -> int:
        return read_percent(str(super().clean(value)) or "0", self.notation.locale)


class AmountField(forms.CharField):
    """An amount of money in minor units, typed as the club's place writes it."""

    def __init__(
        self, *, least: int = 1, notation: Notation | None = None, attrs: Attrs | None = None, **how: Any
    ) -> None:
        usual = {"inputmode": "decimal", "maxlength": MOST_AMOUNT}
        super().__init__(widget=forms.TextInput(attrs={**usual, **(attrs or {})}), **how)
        self.least, self.notation = least, notation

    def clean(self, value: Any) -> int | None:
        text = str(super().clean(value)).strip()
        if not text:
            return None
        assert self.notation is not None  # noqa: S101 - a form with an amount is made with the club's notation
        amount = read_amount(text, self.notation)
        if amount < self.least:
            raise ValidationError(gettext("enter an amount above zero"), code="not_an_amount")
        if amount > MOST_MINOR:
            most = money(MOST_MINOR, *self.notation)
            raise ValidationError(gettext("an amount is at most {most}").format(most=most), code="not_an_amount")
        return amount
