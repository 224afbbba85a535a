"""A new tournament from three questions: which game, who plays, how it ends; or a repeat of an earlier tournament.

Rules: docs/how-to/evening.md, "A new tournament"; docs/decisions/0051-three-questions.md. The plan is shown in plain
words before it is made; a refused form keeps what was typed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import count, islice
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime, now
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from scoring.messages import Message, say
from scoring.money.formatting import Notation
from scoring.rules.variants import PRESETS, VARIANTS, play_problems
from scoring.tournament import Plan, as_stored, read_plan
from scoring.tournament.prizes import expected_sheet
from scoring.tournament.state.terms import Terms
from tournaments.entries.commands.checked import CheckedList
from tournaments.entries.commands.enter import check_names
from tournaments.entries.commands.lists import EntryList, EntryRow, read_pasted
from tournaments.entries.commands.set_up import SetUp, WholeDraft, people_of, repeat_tournament, set_up
from tournaments.feasibility import FEWEST, MOST, SimulatedPlan, number_problem
from tournaments.feasibility.suggest import MOST_ROUNDS, Answers, Suggestion, suggested
from tournaments.models import Club, Player, Tournament
from tournaments.people.pasting import SkipReason
from tournaments.projections.terms import stakes_of
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.translating import sentence, translate
from tournaments.running.commands.create import TournamentDraft, fee_terms_of, house_options, in_currency_of
from tournaments.running.queries.prizes import PrizeTable, in_language_of_page, levy_title, prize_table
from tournaments.web.admin.base.command_fields import (
    IDENTITY,
    LinesField,
    MinutesField,
    NumberField,
    TicksField,
    WordField,
)
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed
from tournaments.web.admin.base.fields import OPTION
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import asks_for_part, command_context, go_on, page_url
from tournaments.web.admin.base.scoping import admin_page
from tournaments.web.admin.entries.choices import (
    ChosenRows,
    NameChoice,
    choice_of,
    chosen_rows,
    digest_of,
    open_problems,
)
from tournaments.web.admin.tournament.tournament_form import TournamentForm, new_form

MOST_SHOWN = 5
MOST_NAMES = 120_000
MOST_NAME = 200
USUAL_PLAYERS = 12
USUAL_ROUNDS, USUAL_MINUTES = 3, 180
OF_A_LIST = frozenset([SkipReason.PLACE, SkipReason.SIGN, SkipReason.UNSEEN])
FORM = ".new-tournament"
ENDS = (("rounds", gettext_lazy("After so many rounds")), ("time", gettext_lazy("When time is up")))


class QuestionsForm(CommandForm):
    """The three questions. All other settings have defaults, and a form of their own."""

    shown = WordField()
    # Digest of the text to which the choices of names belong.
    chosen_in = WordField()
    preset = WordField()
    same = forms.BooleanField(required=False)
    player = TicksField()
    names = LinesField(
        rows=4,
        max_length=MOST_NAMES,
        label=gettext_lazy("Paste names, one a line"),
        attrs={"placeholder": "Asha\nBo\nCy"},
    )
    players = NumberField(min_value=FEWEST, max_value=MOST, required=False, label=gettext_lazy("Or: players expected"))
    ends = forms.ChoiceField(choices=ENDS, required=False, initial="rounds", label=gettext_lazy("It ends"))
    rounds = NumberField(max_value=MOST_ROUNDS, required=False, initial=USUAL_ROUNDS, label=gettext_lazy("Rounds"))
    minutes = MinutesField(required=False, initial=USUAL_MINUTES, label=gettext_lazy("Time at hand, minutes"))
    final = forms.BooleanField(required=False, initial=True, label=gettext_lazy("With a final for the best"))


@dataclass(frozen=True, kw_only=True)
class SetupAnswers:
    """The answers: both forms, the players, and the plan that follows from them."""

    club: Club
    questions: QuestionsForm
    details: TournamentForm
    last: Tournament | None
    people: tuple[UUID, ...]
    text: str
    pasted: EntryList
    names: ChosenRows

    @property
    def players(self) -> int:
        """The expected number of players: the larger of those named and the number typed; else the usual one."""
        named = len(self.people) + len(self.names.rows)
        player_count: int | None = self.questions.read.get("players") if self.questions.is_bound else None
        return max(named, player_count or 0) or USUAL_PLAYERS

    @cached_property
    def checked(self) -> CheckedList:
        """The players that the pasted names mean."""
        return check_names(self.club, self.names.rows) if self.pasted.rows else CheckedList()

    @property
    def new_names(self) -> list[str]:
        """Pasted names that match no player of the club, and are not similar to one either."""
        open_numbers = {question.row.number for question in self.checked.questions if question.is_open}
        return [
            checked_row.row.name
            for checked_row in self.checked.rows
            if checked_row.is_new and checked_row.row.number not in open_numbers
        ]

    @property
    def chosen_in(self) -> str:
        """The digest of the text to which the choices of the page belong."""
        return digest_of(self.text)

    def choices(self) -> Iterator[NameChoice]:
        """Choices for pasted names that may mean several players, or that were left out by choice."""
        questions_by_row = {question.row.number: question for question in self.checked.questions}
        for row in self.pasted.rows:
            if row.number in questions_by_row or row in self.names.skipped:
                yield choice_of(row, questions_by_row.get(row.number), self.names.choices)

    @property
    def left_out(self) -> list[EntryRow]:
        """Pasted lines with the parts that were ignored, in their order; list numbers and bullets are not reported."""
        rows = sorted((*self.pasted.rows, *self.pasted.nobody), key=lambda row: row.number)
        lines = (
            replace(row, left_out=tuple(part for part in row.left_out if part.why not in OF_A_LIST)) for row in rows
        )
        return [row for row in lines if row.left_out]

    @property
    def is_a_list(self) -> bool:
        """Whether the names came with list numbers or bullets."""
        return any(part.why in OF_A_LIST for row in self.pasted.rows for part in row.left_out)

    @property
    def ticked(self) -> set[str]:
        """The ids of the club's players that were ticked."""
        return set(self.questions.read.get("player", ())) if self.questions.is_bound else set()

    @property
    def draft(self) -> TournamentDraft:
        """The tournament, named after its game if no name was typed."""
        draft = in_currency_of(self.club, self.details.draft())
        return draft if draft.name else replace(draft, name=translate(self.details.preset.title))

    @property
    def no_plan(self) -> str:
        """Why no plan can be suggested; used only where there is none."""
        if self.players > MOST:
            return sentence(number_problem(self.players).message)
        if self.details.errors:
            return gettext("Fix the errors of the form: then the plan is here.")
        return gettext("This game has no tables for {count} players. Choose another game.").format(count=self.players)

    @cached_property
    def suggestion(self) -> Suggestion | None:
        """The plan suggested for the answers, tried with the expected number of players; None where there is none."""
        if self.players > MOST:
            return None
        draft, cleaned = self.draft, self.questions.read if self.questions.is_bound else {}
        by_time = cleaned.get("ends") == "time"
        answers = Answers(
            players=max(FEWEST, self.players),
            rounds=None if by_time else cleaned.get("rounds") or USUAL_ROUNDS,
            minutes=cleaned.get("minutes") or USUAL_MINUTES if by_time else None,
            has_final=bool(cleaned.get("final", True)),
        )
        terms = Terms(variant=self.details.rules.name, options=house_options(draft), stakes=stakes_of(draft))
        plan_suggestion = suggested(SimulatedPlan(plan=Plan(), terms=terms), answers, translate)
        return plan_suggestion and replace(plan_suggestion, raw={**plan_suggestion.raw, **fee_terms_of(draft)})

    @property
    def table_costs(self) -> list[Message]:
        """What the house takes of the money that tables play for; empty where they play for none."""
        draft, notation = self.draft, Notation(self.draft.currency, self.club.locale)
        if self.suggestion is None or not draft.point_value_minor:
            return []
        costs = []
        if draft.fee_bp:
            costs.append(say("At the tables: house fee, {rate} of each win", rate=notation.percent(draft.fee_bp)))
        if draft.levy_bp:
            costs.append(say("At the tables: {levy}", levy=levy_title(read_plan(self.suggestion.raw), notation)))
        return costs


def new_tournament(request: HttpRequest, club: Club) -> HttpResponse:
    """The questions; with answers also the plan in plain words; at last the tournament with its plan and entries."""
    answers = _asked(request, club)
    if request.method != "POST" or pressed(request.POST) != "create":
        return _page(request, answers)
    return _create(request, answers)


@purpose(gettext_noop("Make a new tournament like this one, with the same players."))
def repeat(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Repeat this tournament, in one step."""
    if request.method != "POST":
        return HttpResponseRedirect(page_url("night", tournament))
    form = CommandForm(request.POST)
    name = _name_of_day(tournament.club, _without_day(tournament), now())
    if done := form.attempt(lambda: repeat_tournament(tournament, name=name, context=form.whole_context(request))):
        return _go_on(request, done)
    messages.error(request, " ".join(form.all_errors()))
    return HttpResponseRedirect(page_url("night", tournament))


def _asked(request: HttpRequest, club: Club) -> SetupAnswers:
    """The submitted answers. A newly chosen game comes with its own rules, whatever was typed for the other."""
    data = data_of(request)
    questions = QuestionsForm(data)
    cleaned = questions.read if questions.is_bound else {}
    preset = cleaned.get("preset") or request.GET.get("preset", "")
    preset = preset if preset in PRESETS else _offered(club)[0]
    last = _last(club)
    people = people_of(last) if last is not None and cleaned.get("same") else ()
    ticked = [UUID(text) for text in cleaned.get("player", ()) if IDENTITY.fullmatch(text)]
    text = cleaned.get("names") or ""
    pasted = read_pasted(text) if text else EntryList()
    answers = SetupAnswers(
        club=club,
        questions=questions,
        details=_details(data, preset, club, shown=cleaned.get("shown", "")),
        last=last,
        people=tuple(dict.fromkeys((*people, *ticked))),
        text=text,
        pasted=pasted,
        names=chosen_rows(pasted.rows, data or QueryDict(), text=text, chosen_in=cleaned.get("chosen_in", "")),
    )
    if data is not None:
        answers.details.refuse_draft(answers.draft)
    return answers


def _details(data: QueryDict | None, preset: str, club: Club, *, shown: str) -> TournamentForm:
    """The tournament's form as sent, with defaults for what is missing.

    The rules of another game than the one `shown` are left out, and its value of a point unless both games need one.
    """
    is_kept = shown == preset
    keeps_value = is_kept or (_needs_point_value(preset) and shown in PRESETS and _needs_point_value(shown))
    usual = QueryDict(mutable=True)
    for name, value in new_form(None, preset, club, now=now()).initial.items():
        usual[name] = "on" if value is True else str(value)
    if _needs_point_value(preset):
        usual["point_value"] = "1"
    for name, values in data.lists() if data is not None else ():
        if is_kept or (not name.startswith(OPTION) and (keeps_value or name != "point_value")):
            usual.setlist(name, values)
    if data is not None and "is_published" not in data:
        del usual["is_published"]
    return new_form(usual, preset, club, now=now())


def _needs_point_value(name: str) -> bool:
    """Whether a game needs a point value above 0."""
    rules, preset = PRESETS[name]
    problems = play_problems(rules.name, options=preset.options, stakes={"entry_minor": 0, "point_value_minor": 0})
    return any(problem.field == "point_value_minor" for problem in problems)


def _create(request: HttpRequest, asked: SetupAnswers) -> HttpResponse:
    """Create everything in one step. If it is refused, the problems are shown and nothing was created."""
    details, suggestion = asked.details, asked.suggestion
    questions = asked.questions
    questions.refuse(asked.pasted.problems if questions.read.get("names") else ())
    questions.refuse(open_problems(asked.checked.questions))
    if suggestion is None and not details.errors:
        questions.add_error(None, asked.no_plan)
    if questions.is_valid() and details.is_valid() and suggestion is not None:
        draft = WholeDraft(
            tournament=_with_distinct_name(asked.club, asked.draft),
            plan=suggestion.raw,
            players=asked.people,
            rows=asked.names.rows,
            expected=asked.players,
        )
        if done := questions.attempt(lambda: set_up(asked.club, draft, context=questions.whole_context(request))):
            return _go_on(request, done)
    return _page(request, asked, is_refused=True)


def _with_distinct_name(club: Club, draft: TournamentDraft) -> TournamentDraft:
    """The draft, with its date added to a name that another tournament of the club has."""
    if not Tournament.objects.filter(club=club, name=draft.name).exists():
        return draft
    return replace(draft, name=_name_of_day(club, draft.name, draft.starts_at))


def _name_of_day(club: Club, name: str, starts_at: datetime) -> str:
    """The name with its date, and a number where another tournament of the club has that too."""
    of_day = f"{name}{_day_mark(club, starts_at)}"[:MOST_NAME]
    taken_names = set(Tournament.objects.filter(club=club, name__startswith=of_day).values_list("name", flat=True))
    numbered = (f"{of_day} ({number})" for number in count(2))
    return next(
        candidate for candidate in (of_day, *islice(numbered, len(taken_names) + 1)) if candidate not in taken_names
    )


def _without_day(tournament: Tournament) -> str:
    """The name without the date that an earlier repeat added."""
    return re.sub(r" \(\d+\)$", "", tournament.name).removesuffix(_day_mark(tournament.club, tournament.starts_at))


def _day_mark(club: Club, starts_at: datetime) -> str:
    return f", {date_format(localtime(starts_at, zone_of(club.timezone)), 'DATE_FORMAT')}"


def _page(request: HttpRequest, asked: SetupAnswers, *, is_refused: bool = False) -> TemplateResponse:
    """The whole page, or only the plan for HTMX."""
    suggestion = asked.suggestion
    needs_point_value = _needs_point_value(asked.details.preset.name)
    everybody = Player.objects.present().filter(club=asked.club)[:MOST]
    asked_first = {"entry", "fee", "point_value"} if needs_point_value else {"entry", "fee"}
    errors = asked.questions.all_errors()
    context = {
        "title": gettext("New tournament"),
        "club": asked.club,
        "answers": asked,
        "questions": asked.questions,
        "details": asked.details,
        "errors": [*errors, *asked.details.non_field_errors()],
        "error_count": len(errors) + len(asked.details.all_errors()),
        "cards": [_card(name) for name in _offered(asked.club, asked.details.preset.name)],
        "everybody": [(str(key), name) for key, name in everybody.values_list("id", "name")],
        "needs_point_value": needs_point_value,
        "more_stakes": [stake_field for stake_field in asked.details.stakes if stake_field.name not in asked_first],
        "suggestion": suggestion,
        "prizes": _prizes(asked, suggestion),
        "key": asked.questions.read.get("key") if asked.questions.is_bound else command_context(request).key,
    }
    is_part = asks_for_part(request)
    is_same_game = not is_part or asked.questions.read.get("shown") == asked.details.preset.name
    part = "new_plan" if is_part and is_same_game else "new"
    template = f"admin/tournaments/tournament/{part}.html"
    answer = admin_page(request, template, context, model=Tournament, refused=is_refused)
    if not is_same_game:
        # Another game has other fields: the whole form changes.
        for name, value in (("HX-Retarget", FORM), ("HX-Reselect", FORM), ("HX-Reswap", "outerHTML")):
            answer[name] = value
    return answer


def _prizes(asked: SetupAnswers, suggestion: Suggestion | None) -> PrizeTable | None:
    """The prizes for the expected number of players; None where there is no entry fee."""
    draft = asked.draft
    if suggestion is None or not draft.entry_minor:
        return None
    plan = as_stored(read_plan(suggestion.raw), None)
    sheet = expected_sheet(plan, players=asked.players, entry_minor=draft.entry_minor, fee_bp=draft.fee_bp)
    return in_language_of_page(prize_table(plan, sheet, Notation(draft.currency, asked.club.locale)))


def _offered(club: Club, chosen: str = "") -> list[str]:
    """Presets to choose from: the chosen one, the club's latest ones, and the usual one of each game."""
    latest = Tournament.objects.filter(club=club).order_by("-starts_at").values_list("preset", flat=True)[:20]
    usual = [rules.presets[0].name for rules in VARIANTS.values()]
    names = list(dict.fromkeys(name for name in (*latest, *usual) if name in PRESETS))[:MOST_SHOWN]
    return names if not chosen or chosen in names else [chosen, *names[:-1]]


def _card(name: str) -> dict[str, str]:
    """A preset with a one-line description."""
    rules, preset = PRESETS[name]
    return {
        "name": name,
        "title": preset.title,
        "note": rules.summary if preset is rules.presets[0] else preset.note or rules.summary,
    }


def _last(club: Club) -> Tournament | None:
    """The club's latest tournament with a plan, unless it was cancelled."""
    planned = Tournament.objects.filter(club=club, evening_sheet__has_plan=True, is_cancelled=False)
    return planned.order_by("-starts_at", "-pk").first()


def _go_on(request: HttpRequest, done: SetUp) -> HttpResponse:
    """Redirect to the new tournament, with a warning about players who were erased since and are not entered."""
    if done.gone:
        text = ngettext(
            "{count} player was erased since and is not entered.",
            "{count} players were erased since and are not entered.",
            done.gone,
        )
        messages.warning(request, text.format(count=done.gone))
    return go_on(request, page_url("night", done.tournament), _set_up_text(done.tournament.name, done.entered))


def _set_up_text(name: str, entered: int) -> str:
    return ngettext("{name} is set up with {count} player.", "{name} is set up with {count} players.", entered).format(
        name=name, count=entered
    )
