"""An event that somebody typed into a form: what it says, what could not be read, and what the rules say of it.

Rules: docs/how-to/evening.md, "Scoring". Knows nothing of what the form looks like, nor of storing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import msgspec
from django import forms
from django.utils.datastructures import MultiValueDict

from scoring.messages import say
from scoring.problems import Problem, shown
from scoring.rules.table.entering import WHOLE_NUMBER
from scoring.rules.table.previews import Preview, fact_problems, preview
from scoring.rules.table.table import Table
from tournaments.web.admin.base.command_fields import ReadForm, WordField

Inputs = Mapping[str, str | Sequence[str]]
MOST_TYPED = 600
PREVIEWED_REASON = "…"


class SheetForm(ReadForm):
    """A deal as it stands in the form, right or wrong: every input is text."""

    kind = WordField(max_length=MOST_TYPED)
    deal = WordField(max_length=MOST_TYPED)
    reason = WordField(max_length=MOST_TYPED)

    def __init__(self, data: Inputs, inputs: Mapping[str, forms.Field]) -> None:
        lists = data.lists() if isinstance(data, MultiValueDict) else data.items()
        self.texts = MultiValueDict({name: [one] if isinstance(one, str) else list(one) for name, one in lists})
        super().__init__(self.texts)
        self.inputs = inputs
        self.fields |= inputs

    def over(self, changes: Inputs) -> Self:
        """The same with other texts in some inputs."""
        return type(self)({**dict(self.texts.lists()), **changes}, self.inputs)

    def of(self, other: Self, names: Sequence[str]) -> Self:
        """The same with what another form says in some inputs."""
        return self.over({name: other.texts.getlist(name) for name in names})

    @property
    def filled(self) -> dict[str, str | list[str]]:
        """The inputs of the game that say something."""
        return {name: found for name, found in self.read.items() if name in self.inputs and found}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedEvent:
    """The event that a form says, and what of it could not even be read."""

    raw: dict[str, Any]
    unread: tuple[Problem, ...]

    def problems(self, table: Table) -> tuple[Problem, ...]:
        """Everything wrong with the sheet at this table, all at once."""
        return self.unread + self._without_echo(fact_problems(table, self.raw))

    def preview(self, table: Table) -> Preview:
        """What the sheet would do. A reason that is still to be written does not stand in the way."""
        raw = self.raw
        if "reason" in raw and not raw["reason"]:
            raw = {**raw, "reason": PREVIEWED_REASON}
        seen = preview(table, raw)
        return msgspec.structs.replace(seen, problems=self.unread + self._without_echo(seen.problems))

    def is_echo(self, problem: Problem) -> bool:
        """Whether something is said to be missing that was typed and could not be read."""
        return False

    def _without_echo(self, problems: Sequence[Problem]) -> tuple[Problem, ...]:
        """What cannot be read is one problem, not also a missing one."""
        return tuple(problem for problem in problems if not self.is_echo(problem))


def clean(text: str, most: int = MOST_TYPED) -> str:
    """A field as typed, without what no field of ours can hold."""
    return text.replace("\x00", "").strip()[:most]


def read_number(text: str, name: str, title: str = "") -> tuple[int, list[Problem]]:
    """A whole number of a form; 0 and the problem where it is none. `title` is the field's, as the page calls it."""
    if WHOLE_NUMBER.fullmatch(text):
        return int(text), []
    return 0, [
        Problem(
            code="not_a_number",
            field=name,
            detail=say("{name}: {text} is not a whole number", name=title or name, text=shown(text)),
        )
    ]
