"""Form fields for what a club's people type: reasons, names, minutes, numbers, amounts; and hidden fields.

Each states its limits once; the widget takes them from there. Knows nothing of any one page.
"""

import re
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy

from scoring.money.formatting import Notation, money
from scoring.money.payouts import MOST_MINOR
from tournaments.rendering.i18n.typed_amounts import read_amount, read_percent

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
    """A submitted form whose valid fields can be read even when others are invalid."""

    @property
    def read(self) -> dict[str, Any]:
        """The cleaned data of all valid fields."""
        self.is_valid()
        return self.cleaned_data


class TextField(forms.CharField):
    """One line of text: NUL characters are removed, and each run of blanks becomes one blank."""

    def __init__(self, *, max_length: int = MOST_NAME, attrs: Attrs | None = None, **how: Any) -> None:
        widget = forms.TextInput(attrs={"dir": "auto", **(attrs or {})})
        super().__init__(max_length=max_length, widget=widget, **how)

    def to_python(self, value: Any) -> str:
        return " ".join(str(value or "").replace("\x00", "").split())


class NameField(TextField):
    """A name as typed; the club's rules decide what may be in it."""

    def to_python(self, value: Any) -> str:
        return str(value or "").replace("\x00", "")


class ReasonField(TextField):
    """A reason for an action. A missing one is refused by the command, together with all other problems."""

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
    """A hidden input without an HTML id: several forms of a page carry the same."""

    def __init__(self) -> None:
        super().__init__(attrs={"id": False})


class WordField(forms.CharField):
    """A short hidden text, such as a button's value; stripped, without NUL, and cut to its maximum length."""

    def __init__(self, *, max_length: int = MOST_WORD, **how: Any) -> None:
        self.most = max_length
        super().__init__(required=False, widget=Carried(), **how)

    def to_python(self, value: Any) -> str:
        return str(value or "").replace("\x00", "").replace("\r\n", "\n").strip()[: self.most]


class KeyField(WordField):
    """An idempotency key, new on every page, which identifies a resend of the form. An invalid key counts as none."""

    def __init__(self) -> None:
        super().__init__(initial=lambda: str(uuid4()))

    def to_python(self, value: Any) -> str:
        text = super().to_python(value)
        return text if KEY.fullmatch(text) else ""


def read_field(field: forms.Field, data: QueryDict, name: str) -> Any:
    """The value of a field that was sent without a form of its own."""
    return field.clean(field.widget.value_from_datadict(data, {}, name))


class TicksField(forms.Field):
    """The values ticked or picked under one name, in their order."""

    widget = forms.SelectMultiple

    def __init__(self, *, max_length: int = MOST_WORD, **how: Any) -> None:
        super().__init__(required=False, **how)
        self.most = max_length

    def to_python(self, value: Any) -> list[str]:
        return [str(text).replace("\x00", "").strip()[: self.most] for text in value or ()]


class CarriedNumber(forms.Field):
    """A hidden number, such as the version that the page showed. Anything but a number becomes `missing`."""

    widget = Carried

    def __init__(self, *, missing: int | None = 0, most_digits: int = MOST_VERSION_DIGITS, **how: Any) -> None:
        super().__init__(required=False, **how)
        self.missing = missing
        self.shape = re.compile(rf"-?[0-9]{{1,{most_digits}}}")

    def to_python(self, value: Any) -> int | None:
        text = str(value or "").strip()
        return int(text) if self.shape.fullmatch(text) else self.missing


class NumberField(forms.IntegerField):
    """A whole number, in an input as wide as the largest one."""

    def __init__(self, *, max_value: int, min_value: int = 1, attrs: Attrs | None = None, **how: Any) -> None:
        usual = {"inputmode": "numeric", "maxlength": len(str(max_value))}
        super().__init__(
            min_value=min_value, max_value=max_value, widget=forms.TextInput(attrs={**usual, **(attrs or {})}), **how
        )


class TickOf(forms.CheckboxInput):
    """One of several checkboxes that a browser sends under one name."""

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
    """A number of whole minutes."""

    def __init__(self, **how: Any) -> None:
        how.setdefault("label", gettext_lazy("Minutes"))
        super().__init__(max_value=MOST_MINUTES, **how)


class PercentField(forms.CharField):
    """A percentage, typed in the club's locale and cleaned to basis points; an empty one is 0."""

    notation: Notation

    def __init__(self, *, attrs: Attrs | None = None, **how: Any) -> None:
        usual = {"inputmode": "decimal", "maxlength": MOST_PERCENT}
        super().__init__(required=False, widget=forms.TextInput(attrs={**usual, **(attrs or {})}), **how)

    def clean(self, value: Any) -> int:
        return read_percent(str(super().clean(value)) or "0", self.notation.locale)


class AmountField(forms.CharField):
    """An amount of money, typed in the club's locale and cleaned to minor units."""

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
