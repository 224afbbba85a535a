"""Forms that post to one command, with each problem at the field it is about; and events typed into a form.

Rules: CONTRIBUTING.md, "Adding a page with a form"; docs/how-to/evening.md, "Scoring". A page with several buttons has
a small form for each, chosen by the button's value. Knows nothing of what a command does, nor of how a sheet looks.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, TypeVar
from uuid import uuid4

import msgspec
from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import Http404, HttpRequest, QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext, gettext_noop

from scoring.events import wire
from scoring.messages import NOBODY
from scoring.money.formatting import Notation
from scoring.problems import KeyReused, Problem, RuleError
from scoring.rules.table.previews import Preview, preview
from scoring.rules.table.table import Table
from tournaments.log.context import CommandContext
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.carried_typing import NEVER_SENT
from tournaments.web.admin.base.command_fields import MOST_WORD, AmountField, KeyField, ReadForm, WordField
from tournaments.web.admin.base.request import command_context

# Error codes of Django's own fields, whose messages do not name the field.
UNNAMED = frozenset({"required", "invalid", "invalid_choice", "min_value", "max_value", "max_length"})
T = TypeVar("T")
F = TypeVar("F", bound="CommandForm")


class CommandForm(ReadForm):
    """A form that posts to one command."""

    # Fields that have another name here than in the command.
    called: Mapping[str, str] = {}
    sent_before = gettext_noop("form already sent with other data: check and try again")

    key = KeyField()

    def __init__(self, *args: Any, notation: Notation | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, AmountField):
                field.notation = notation or field.notation

    def command_context(self, request: HttpRequest) -> CommandContext:
        """The command context of the sender, with the form's idempotency key: a form sent twice is executed once."""
        return command_context(request, self.read.get("key") or None)

    def whole_context(self, request: HttpRequest) -> CommandContext:
        """The same, where events depend on more than the form, such as the time or a player added: it is what is sent.

        The same form again is the same request; with any field changed, as after "Back", it is another one.
        """
        sent_fields = sorted((name, *values) for name, values in request.POST.lists() if name not in NEVER_SENT)
        return replace(self.command_context(request), asked=wire.request_digest(request.path, repr(sent_fields)))

    def attempt(self, command: Callable[[], T], names: Mapping[str, str] | None = None) -> T | None:
        """Call a command. If refused, its problems are in `errors`, nothing was done, and the result is None."""
        try:
            return command()
        except RuleError as refused:
            self.refuse(refused.problems, names)
        except KeyReused:
            self.add_error(None, ValidationError(gettext(self.sent_before), code="key_reused"))
            self.put(key=str(uuid4()))
        return None

    def refuse(self, problems: Iterable[Problem], names: Mapping[str, str] | None = None) -> None:
        """Add each problem to the field it is about; one that is about no visible field, to the form."""
        for problem in problems:
            name = self.called.get(problem.field or "", problem.field)
            is_shown = name in self.fields and not self.fields[name].widget.is_hidden
            text = translate(problem.message, names or NOBODY)
            self.add_error(name if is_shown else None, ValidationError(text, code=problem.code))

    def put(self, **texts: str) -> None:
        """Replace submitted values, for the page that is shown again."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        for name, text in texts.items():
            data[self.add_prefix(name)] = text
        self.data = data

    def offer(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        """Set the current choices of a field."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - forms name their own fields
        field.choices = list(choices)

    def all_errors(self) -> list[str]:
        """All error messages, those about no field first. Django's own ones get the field's label in front."""
        errors_by_name = self.errors.as_data()
        return [
            f"{self.fields[name].label}: {message}" if error.code in UNNAMED and name in self.fields else message
            for name in sorted(errors_by_name, key=lambda name: name != NON_FIELD_ERRORS)
            for error in errors_by_name[name]
            for message in error.messages
        ]


def data_of(request: HttpRequest) -> QueryDict | None:
    """The POST data of a page with one form; None for a GET request."""
    return request.POST if request.method == "POST" else None


def words_in(data: Mapping[str, Any], *names: str, max_length: int = MOST_WORD) -> dict[str, str]:
    """The short texts sent under these names; a missing one is empty."""
    word = WordField(max_length=max_length)
    return {name: word.clean(data.get(name)) for name in names}


def pressed(data: QueryDict) -> str:
    """The value of the button that sent a form; empty where there was none."""
    return words_in(data, "do")["do"]


def sent_form(request: HttpRequest, kinds: Mapping[str, type[F]], **how: Any) -> F | None:
    """The submitted form of the button that was pressed; 404 for a button the page does not have, None if none was."""
    if request.method != "POST":
        return None
    kind = kinds.get(pressed(request.POST))
    if kind is None:
        raise Http404
    return kind(request.POST, **how)


def forms_shown(kinds: Mapping[str, type[F]], sent: F | None = None, **how: Any) -> dict[str, F]:
    """Every form of a page by its button's value: the sent one as submitted, all others with their initial values."""
    return {word: sent if type(sent) is kind else kind(**how) for word, kind in kinds.items()}


# An event typed into a form: the event, what could not be read, and the problems that the rules find.

Inputs = Mapping[str, str | Sequence[str]]
MOST_TYPED = 600
PREVIEWED_REASON = "…"


class SheetForm(ReadForm):
    """The form of a deal as typed, valid or not: every input is text."""

    kind = WordField(max_length=MOST_TYPED)
    deal = WordField(max_length=MOST_TYPED)
    reason = WordField(max_length=MOST_TYPED)

    def __init__(self, data: Inputs, inputs: Mapping[str, forms.Field]) -> None:
        lists = data.lists() if isinstance(data, MultiValueDict) else data.items()
        self.texts = MultiValueDict(
            {name: [input_value] if isinstance(input_value, str) else list(input_value) for name, input_value in lists}
        )
        super().__init__(self.texts)
        self.inputs = inputs
        self.fields |= inputs

    def over(self, changes: Inputs) -> Self:
        """A copy with other texts in some inputs."""
        return type(self)({**dict(self.texts.lists()), **changes}, self.inputs)

    def of(self, other: Self, names: Sequence[str]) -> Self:
        """A copy that takes some inputs from another form."""
        return self.over({name: other.texts.getlist(name) for name in names})

    @property
    def filled(self) -> dict[str, str | list[str]]:
        """The game's inputs that are filled in."""
        return {name: input_value for name, input_value in self.read.items() if name in self.inputs and input_value}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedEvent:
    """The event typed into a form, and the problems with what could not be read.

    `is_echo`: whether a problem reports as missing what was typed but could not be read.
    """

    raw: dict[str, Any]
    unread: tuple[Problem, ...]
    is_echo: Callable[[Problem], bool]

    def problems(self, table: Table) -> tuple[Problem, ...]:
        """Everything wrong with the sheet at this table, all at once."""
        return self.unread + self._without_echo(table.problems(self.raw))

    @property
    def needs_reason(self) -> bool:
        """Whether the reason of a correction is still to be entered."""
        return "reason" in self.raw and not self.raw["reason"]

    def preview(self, table: Table) -> Preview:
        """What saving the sheet would do. A missing reason is no problem yet."""
        raw = {**self.raw, "reason": PREVIEWED_REASON} if self.needs_reason else self.raw
        sheet_preview = preview(table, raw)
        return msgspec.structs.replace(sheet_preview, problems=self.unread + self._without_echo(sheet_preview.problems))

    def _without_echo(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """Leave out "missing" problems about what was typed but could not be read."""
        return tuple(problem for problem in problems if not self.is_echo(problem))


def clean(text: str, most: int = MOST_TYPED) -> str:
    """A field as typed, stripped, without NUL and cut to its maximum length."""
    return text.replace("\x00", "").strip()[:most]
