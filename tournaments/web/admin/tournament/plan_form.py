"""The form of a tournament's plan, made from the plan's description: names, ranges, choices and help.

What is typed stays as typed until a command has taken it. Knows nothing of any one field beyond how lists are written.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_args

from django.forms import SelectMultiple
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.translation import gettext

from scoring.money.formatting import Notation
from scoring.money.payouts import FeeTerms
from scoring.options import describe_options
from scoring.problems import Problem
from scoring.tournament import Plan, Stage
from scoring.tournament.plans import MOST_STAGES, TieBreak
from scoring.tournament.plans.prizes import PlanPrizes
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_fields import CarriedNumber, WordField
from tournaments.web.admin.base.command_forms import CommandForm, clean
from tournaments.web.admin.tournament import plan_texts

Texts = dict[str, str]
MOST_TYPED = 400
MOST_LINES = 50
IN_RUPEES = Notation("INR", "en_IN")
MOST_TIE_BREAKS = 8
TIE_BREAKS: tuple[str, ...] = get_args(TieBreak)
SHOWN_TIE_BREAKS = 4
SEPARATORS = re.compile(r"[,;\s]+")
# Value of a button that fixes a plan: `fix:2.length=game;1.advancing=6`.
BUTTON = "fix:"
CHANGE = re.compile(r"(\d{1,2})\.(\w+)=([^;]*)")
STAGE_FIELD = re.compile(r"stage (\d{1,2}), (\w+)")
# The fields of a stage that are always shown; all others are folded.
FIRST = (
    *("name", "preset", "rounds", "seating", "smallest_table", "preferred_table", "largest_table"),
    *("length", "deals", "minutes", "per_table", "wild_cards", "advancing"),
)
# The fields in a stage's one-line summary while it is folded.
IN_SUMMARY = frozenset(
    {"rounds", "seating", "smallest_table", "largest_table", "length", "per_table", "wild_cards", "advancing", "preset"}
)
STAGE_FIELDS = plan_texts.first(describe_options(Stage))
# The rounding of a levy is not a choice in the form: a plan keeps what it began with.
NOT_TYPED = frozenset({"stages", "levy_rounding"})
PLAN_FIELDS = [described for described in describe_options(Plan) if described["name"] not in NOT_TYPED]
PRIZE_NAMES = frozenset(vars(PlanPrizes)["__annotations__"])
FEE_NAMES = frozenset(described["name"] for described in describe_options(FeeTerms)) | {"member_minor"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanField:
    """One field, as typed. `texts` are the chosen values of a list that is picked one by one.

    `is_digits`: whether digits are enough. A score may be below zero, and the keypad of some phones has no minus.
    """

    name: str
    input_name: str
    title: str
    help: str
    kind: str
    text: str
    is_digits: bool = False
    choices: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def has_lines(self) -> bool:
        return self.name in plan_texts.LINES


@dataclass(frozen=True, slots=True, kw_only=True)
class StageForm:
    """One stage of the form: the fields shown first, and the rest."""

    number: int
    title: str
    first: tuple[PlanField, ...]
    more: tuple[PlanField, ...]

    @property
    def is_open(self) -> bool:
        """Whether a folded field has a problem."""
        return any(plan_field.problems for plan_field in self.more)

    @property
    def summary(self) -> str:
        """The stage's main settings in one line, without empty ones and zeros."""
        summary_fields = [
            plan_field for plan_field in (*self.first, *self.more) if plan_field.name in IN_SUMMARY and plan_field.text
        ]
        texts = [
            f"{plan_field.title}: {dict(plan_field.choices).get(plan_field.text, plan_field.text)}"
            for plan_field in summary_fields
        ]
        return " · ".join(text for text in texts if not text.endswith((": ", ": 0")))


@dataclass(frozen=True, kw_only=True)
class PlanForm:
    """The whole form, as typed."""

    stages: Sequence[Texts]
    values: Texts
    reason: str = ""
    problems: Sequence[Problem] = field(default=())
    notation: Notation = IN_RUPEES

    @cached_property
    def stage_forms(self) -> list[StageForm]:
        numbered_forms = []
        for number, texts in enumerate(self.stages, 1):
            fields = [self._field(described, f"stage-{number}", texts) for described in STAGE_FIELDS]
            numbered_forms.append(
                StageForm(
                    number=number,
                    title=texts.get("name") or gettext("Stage {number}").format(number=number),
                    first=tuple(plan_field for name in FIRST for plan_field in fields if plan_field.name == name),
                    more=tuple(plan_field for plan_field in fields if plan_field.name not in FIRST),
                )
            )
        return numbered_forms

    @cached_property
    def plan_fields(self) -> list[PlanField]:
        return [self._field(described, "plan", self.values) for described in PLAN_FIELDS]

    @property
    def prize_fields(self) -> list[PlanField]:
        return [plan_field for plan_field in self.plan_fields if plan_field.name in PRIZE_NAMES]

    @property
    def fee_fields(self) -> list[PlanField]:
        return [plan_field for plan_field in self.plan_fields if plan_field.name in FEE_NAMES]

    @property
    def tournament_fields(self) -> list[PlanField]:
        """The fields that are not about money."""
        return [plan_field for plan_field in self.plan_fields if plan_field.name not in PRIZE_NAMES | FEE_NAMES]

    @cached_property
    def by_input(self) -> dict[str, tuple[Problem, ...]]:
        """Problems by the name of the form's input."""
        problems_by_input: dict[str, tuple[Problem, ...]] = {}
        for problem in self.problems:
            name = _input_of(problem.field or "")
            problems_by_input[name] = (*problems_by_input.get(name, ()), plan_texts.mended(problem, self.notation))
        return problems_by_input

    @property
    def top_problems(self) -> list[Problem]:
        """Problems that belong to no input."""
        inputs = {plan_field.input_name for stage in self.stage_forms for plan_field in (*stage.first, *stage.more)}
        inputs |= {plan_field.input_name for plan_field in self.plan_fields} | {"reason"}
        return [problem for problem in self.problems if _input_of(problem.field or "") not in inputs]

    @property
    def reason_problems(self) -> tuple[Problem, ...]:
        return self.by_input.get("reason", ())

    def raw(self) -> dict[str, Any]:
        """The plan as typed. What is no number stays text, and is refused by the plan."""
        stages = [plan_texts.plan_words_of_stage(_values(texts, STAGE_FIELDS, self.notation)) for texts in self.stages]
        return {**_values(self.values, PLAN_FIELDS, self.notation), "stages": stages}

    def _field(self, described: Mapping[str, Any], prefix: str, texts: Texts) -> PlanField:
        name, is_picked = described["name"], described["name"] == "tie_breaks"
        input_name = f"{prefix}-{name}"
        picked = _split(texts.get(name, "")) if is_picked else []
        blanks = [""] * max(1, SHOWN_TIE_BREAKS - len(picked))
        return PlanField(
            name=name,
            input_name=input_name,
            title=_title(described),
            help=_help(described),
            kind=described["type"],
            is_digits=described["type"] == "integer" and described.get("min", -1) >= 0,
            text=texts.get(name, ""),
            choices=plan_texts.games(texts.get(name, "")) if name == "preset" else _choices(described),
            texts=tuple((picked + blanks)[:MOST_TIE_BREAKS]) if is_picked else (),
            problems=self.by_input.get(input_name, ()),
        )


def stored_plan(plan: Mapping[str, Any], notation: Notation = IN_RUPEES) -> PlanForm:
    """A stored plan in the form."""
    return PlanForm(
        stages=[_texts(plan_texts.as_typed(stage), STAGE_FIELDS, notation) for stage in plan["stages"]],
        values=_texts(plan, PLAN_FIELDS, notation),
        notation=notation,
    )


class PageForm(CommandForm):
    """Sent by every button of the page besides the plan: a format, the number of stages, and of players."""

    do = WordField()
    format = WordField()
    players = CarriedNumber(missing=None, most_digits=6)
    version = CarriedNumber()
    stages = CarriedNumber(missing=1, most_digits=2)
    reason = WordField(max_length=MOST_TYPED)


def sent_plan(post: QueryDict, notation: Notation = IN_RUPEES) -> PlanForm:
    """The submitted plan, after a stage was added or removed, a fix applied, or a prize scheme chosen."""
    page_values = PageForm(post).read
    count, action = min(page_values["stages"], MOST_STAGES), page_values["do"]
    stages = [_sent_texts(post, f"stage-{number}", STAGE_FIELDS) for number in range(1, 1 + count)]
    if action == "add" and len(stages) < MOST_STAGES:
        stages.append(_texts({}, STAGE_FIELDS, notation))
    for number, name, text in CHANGE.findall(action) if action.startswith(BUTTON) else ():
        if 0 < int(number) <= len(stages) and name in stages[0]:
            stages[int(number) - 1][name] = text
    _, usual_prizes = plan_texts.PRIZES_PRESETS.get(action.removeprefix("prizes-"), ("", {}))
    remaining_stages = [stage for number, stage in enumerate(stages, 1) if action != f"remove-{number}"]
    return PlanForm(
        stages=remaining_stages or stages,
        values={**_sent_texts(post, "plan", PLAN_FIELDS), **usual_prizes},
        reason=page_values["reason"],
        notation=notation,
    )


def _sent_texts(post: QueryDict, prefix: str, fields: Sequence[Mapping[str, Any]]) -> Texts:
    """The fields of a stage, or of the whole plan, as sent; one that has lines keeps them."""
    sent: Texts = {}
    for name in (described["name"] for described in fields):
        separator, parts = ", ", SelectMultiple().value_from_datadict(post, MultiValueDict(), f"{prefix}-{name}")
        if name in plan_texts.LINES:
            separator = "\n"
            parts = [line for text in parts for line in clean(text, MOST_TYPED * MOST_LINES).splitlines()][:MOST_LINES]
        sent[name] = separator.join(filter(None, (clean(part, MOST_TYPED) for part in parts)))
    return sent


def _texts(values: Mapping[str, Any], fields: Sequence[Mapping[str, Any]], notation: Notation) -> Texts:
    """Values as the form shows them; a missing one has its default."""
    return {described["name"]: _value_text(described, values, notation) for described in fields}


def _value_text(described: Mapping[str, Any], values: Mapping[str, Any], notation: Notation) -> str:
    name = described["name"]
    if described["type"] == "map":
        return ", ".join(f"{key}={word_of(value)}" for key, value in values.get(name, {}).items())
    value = values.get(name, described["default"])
    if name in plan_texts.FIELDS:
        return plan_texts.value_text(name, value, notation)
    return ", ".join(map(str, value)) if described["type"] == "list" else word_of(value)


def word_of(value: object) -> str:
    """A value as its field shows it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _values(texts: Texts, fields: Sequence[Mapping[str, Any]], notation: Notation) -> dict[str, Any]:
    """The typed values; an empty field is left out, or is None where that is allowed."""
    values = {}
    for described in fields:
        name, text = described["name"], texts.get(described["name"], "")
        if text:
            is_money = name in plan_texts.FIELDS
            values[name] = plan_texts.read(name, text, notation) if is_money else _value(described, text)
        elif described.get("nullable"):
            values[name] = None
    return values


def _value(described: Mapping[str, Any], text: str) -> Any:
    match described["type"]:
        case "map":
            return dict(_pair(part) for part in text.split(",") if part.strip())
        case "list":
            return [_number_or_text(part) for part in _split(text)]
        case "boolean" if text in ("yes", "no"):
            return text == "yes"
        case "integer":
            return _number_or_text(text)
    return text


def _pair(text: str) -> tuple[str, Any]:
    """A house rule of a stage: `limit=201`."""
    name, _, value = (part.strip() for part in text.partition("="))
    return name, {"yes": True, "no": False}.get(value, _number_or_text(value))


def _number_or_text(text: str) -> int | str:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdecimal() and len(digits) < 15 else text


def _split(text: str) -> list[str]:
    return [part for part in SEPARATORS.split(text) if part]


def _title(described: Mapping[str, Any]) -> str:
    title = plan_texts.TITLES.get(described["name"])
    return gettext(title) if title else translate(described["title"])


def _choices(described: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    if described["type"] == "boolean":
        return (("no", gettext("no")), ("yes", gettext("yes")))
    names = described.get("choices") or (TIE_BREAKS if described["name"] == "tie_breaks" else ())
    return tuple((name, gettext(plan_texts.WORDS[name])) for name in names)


def _help(described: Mapping[str, Any]) -> str:
    name, words = described["name"], described["help"]
    if name in plan_texts.HELP:
        return gettext(plan_texts.HELP[name])
    if described["type"] == "map":
        return f"{translate(words)}: limit=201, deals=4"
    if described.get("max") is not None and described["max"] <= 1_000:
        return gettext("{words} ({least} to {most})").format(
            words=translate(words), least=described["min"], most=described["max"]
        )
    return translate(str(words))


def _input_of(name: str) -> str:
    """The input of the form to which a problem's field belongs."""
    match = STAGE_FIELD.fullmatch(name)
    if match:
        return f"stage-{match[1]}-{match[2]}"
    return name if name == "reason" else f"plan-{name}"
