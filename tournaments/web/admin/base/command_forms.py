"""Forms that post to one command: the key that tells a resend, and every refusal at the field that it is about.

Rules: CONTRIBUTING.md, "Adding a page with a form". A page with several buttons has a small form for each, chosen by
the word of the button. Knows nothing of what a command does.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar
from uuid import uuid4

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import Http404, HttpRequest, QueryDict
from django.utils.translation import gettext, gettext_noop

from scoring.messages import NOBODY
from scoring.money.formatting import Notation
from scoring.problems import KeyReused, Problem, RuleError
from tournaments.log.context import Order
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_fields import MOST_WORD, AmountField, KeyField, ReadForm, WordField
from tournaments.web.admin.base.request import order_of

# What Django's own fields refuse, without saying what they are called.
UNNAMED = frozenset({"required", "invalid", "invalid_choice", "min_value", "max_value", "max_length"})
T = TypeVar("T")
F = TypeVar("F", bound="CommandForm")


class CommandForm(ReadForm):
    """What a page posts to one command."""

    # Fields that stand here under another name than in the command.
    called: Mapping[str, str] = {}
    sent_before = gettext_noop("form already sent with other data: check and try again")

    key = KeyField()

    def __init__(self, *args: Any, notation: Notation | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            if isinstance(field, AmountField):
                field.notation = notation or field.notation

    def order(self, request: HttpRequest) -> Order:
        """The order of whoever sent it, under the key of the form: one that is sent twice is done once."""
        return order_of(request, self.read.get("key") or None)

    def attempt(self, command: Callable[[], T], names: Mapping[str, str] | None = None) -> T | None:
        """Call a command. What it refuses stands in `errors`, and nothing was done."""
        try:
            return command()
        except RuleError as refused:
            self.refuse(refused.problems, names)
        except KeyReused:
            self.add_error(None, ValidationError(gettext(self.sent_before), code="key_reused"))
            self.put(key=str(uuid4()))
        return None

    def refuse(self, problems: Iterable[Problem], names: Mapping[str, str] | None = None) -> None:
        """Each problem at the field that it is about; what is about none of them, above all."""
        for problem in problems:
            name = self.called.get(problem.field or "", problem.field)
            is_shown = name in self.fields and not self.fields[name].widget.is_hidden
            said = translate(problem.message, names or NOBODY)
            self.add_error(name if is_shown else None, ValidationError(said, code=problem.code))

    def put(self, **texts: str) -> None:
        """Other texts in place of those that were sent, for the page that is shown again."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        for name, text in texts.items():
            data[self.add_prefix(name)] = text
        self.data = data

    def offer(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        """What can be chosen in a field, as things stand."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - forms name their own fields
        field.choices = list(choices)

    def all_errors(self) -> list[str]:
        """Everything that is wrong, what is about no field first. Django's own words do not name their field."""
        found = self.errors.as_data()
        return [
            f"{self.fields[name].label}: {said}" if error.code in UNNAMED and name in self.fields else said
            for name in sorted(found, key=lambda name: name != NON_FIELD_ERRORS)
            for error in found[name]
            for said in error.messages
        ]


def data_of(request: HttpRequest) -> QueryDict | None:
    """What was sent, for a page with one form; None where it is only looked at."""
    return request.POST if request.method == "POST" else None


class WordsForm(ReadForm):
    """Words that a page of ours carries, by their names; a word that did not come is empty."""

    def __init__(self, data: Mapping[str, Any], *names: str, max_length: int = MOST_WORD) -> None:
        super().__init__(data)
        for name in names:
            self.fields[name] = WordField(max_length=max_length)


def words_in(data: Mapping[str, Any], *names: str, max_length: int = MOST_WORD) -> dict[str, str]:
    """The words of these names."""
    return WordsForm(data, *names, max_length=max_length).read


def pressed(data: QueryDict) -> str:
    """The word of the button that sent a form; empty where none did."""
    return words_in(data, "do")["do"]


def sent_form(request: HttpRequest, kinds: Mapping[str, type[F]], **how: Any) -> F:
    """The form of the button that was pressed, as it was sent; 404 for a button that the page has not."""
    kind = kinds.get(pressed(request.POST))
    if kind is None:
        raise Http404
    return kind(request.POST, **how)


def forms_shown(kinds: Mapping[str, type[F]], sent: F | None = None, **how: Any) -> dict[str, F]:
    """Every form of a page by the word of its button: the sent one as it was sent, all others as they begin."""
    return {word: sent if type(sent) is kind else kind(**how) for word, kind in kinds.items()}
