"""What a rehearsal says of a plan in the form: what stops it, what only changes, and buttons that mend it.

Rules: docs/decisions/0050-a-plan-is-rehearsed.md. Knows nothing of how a plan is stored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from scoring.evening import Plan, read_plan
from scoring.evening.checks.playable import playable_problems
from scoring.messages import Message
from scoring.problems import OptionsRejected, Problem
from scoring.rules.table.formats import RawPlan
from tournaments.evenings.trying import hall_of
from tournaments.feasibility import Hall, report
from tournaments.feasibility.fixes import Change, fixes
from tournaments.feasibility.report import MARGIN, MOST_AT_ONCE, Report, at_numbers, work_of
from tournaments.models import Tournament
from tournaments.web.admin.evenings.plan_form import BUTTON, PlanForm, word_of


@dataclass(frozen=True, slots=True, kw_only=True)
class FixButton:
    """Changes that mend a plan: the word that the button sends, and what it says."""

    word: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """A plan as it was tried, `first` to `last` the numbers of players. Too large a one is not tried (`is_tried`)."""

    first: int = 0
    last: int = 0
    problems: Sequence[Problem] = ()
    notes: tuple[Message, ...] = ()
    fixes: tuple[FixButton, ...] = ()
    is_tried: bool = False
    plays_as_expected: bool = False

    @property
    def stops_elsewhere_only(self) -> bool:
        """It can be played with those expected, and not with some fewer or more."""
        return bool(self.problems) and self.is_tried and self.plays_as_expected


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A form whose plan is to be tried, with its values, its hall and the numbers of players."""

    form: PlanForm
    raw: RawPlan
    hall: Hall
    players: int
    margin: int

    def buttons(self, problems: Sequence[Problem]) -> tuple[FixButton, ...]:
        """What mends it."""
        found = fixes(self.raw, self.hall, self.players, problems, margin=self.margin) if problems else ()
        return tuple(
            FixButton(
                word=BUTTON + ";".join(f"{one.stage}.{one.field}={word_of(one.value)}" for one in fix.changes),
                title="; ".join(_said(self.form, fix.changes)),
            )
            for fix in found
        )

    def refused(self, problems: Sequence[Problem]) -> Rehearsed:
        """A plan that nobody could begin to play."""
        return Rehearsed(problems=problems, fixes=self.buttons(problems))

    def told(self, tried: Report) -> Rehearsed:
        """A plan that was played, as far as it went."""
        problems = tried.problems
        stopped = {number for found in tried.refusals for number in found.numbers}
        return Rehearsed(
            first=tried.tried[0],
            last=tried.tried[-1],
            problems=problems,
            notes=tuple(at_numbers(found.numbers, found.message) for found in tried.notes),
            fixes=self.buttons(problems),
            is_tried=True,
            plays_as_expected=tried.expected not in stopped,
        )


def rehearsed(tournament: Tournament, form: PlanForm, players: int, *, margin: int = MARGIN) -> Rehearsed:
    """The form's plan with so many players, and some fewer and more. What cannot be read is mended as well."""
    raw, hall = form.raw(), hall_of(tournament, Plan())
    asked = _Asked(form=form, raw=raw, hall=hall, players=players, margin=margin)
    try:
        hall.plan = read_plan(raw)
    except OptionsRejected as refused:
        return asked.refused(refused.problems)
    found = playable_problems(hall.plan, hall.terms)
    if found:
        return asked.refused(found)
    if work_of(hall.plan, players, margin) > MOST_AT_ONCE:
        return Rehearsed()
    return asked.told(report(hall, players, margin=margin))


def _said(form: PlanForm, changes: Sequence[Change]) -> Iterator[str]:
    """Each change as the form calls its field: "Stage 2, Round ends after: game"."""
    for change in changes:
        stage = form.stage_forms[change.stage - 1]
        field = next(one for one in (*stage.first, *stage.more) if one.name == change.field)
        text = word_of(change.value)
        value = dict(field.choices).get(text, text) or gettext("empty")
        yield gettext("Stage {number}, {field}: {value}").format(number=change.stage, field=field.title, value=value)
