"""A tournament's plan: choose a usual format for the number of players, then change as much of it as needed.

Rules: docs/rules/tournaments.md, "The plan"; docs/decisions/0050-a-plan-is-rehearsed.md. Each page calls one command; a
refused form keeps what was typed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop

from scoring.messages import Message, say
from scoring.problems import EventNotAllowed, KeyReused, OptionsRejected, Problem, StaleTable
from scoring.rules.table.formats import Format, RawPlan
from scoring.tournament import Plan, as_stored, read_plan
from scoring.tournament.checks.playable import playable_problems
from scoring.tournament.plans.formats import format_for
from scoring.tournament.prizes import expected_sheet
from tournaments.feasibility import FEWEST, MOST, SimulatedPlan, number_problem
from tournaments.feasibility.report import MARGIN, MOST_AT_ONCE, Change, Report, at_numbers, fixes, report, work_of
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.printing import notation_of
from tournaments.projections.terms import terms_of
from tournaments.rendering.i18n.translating import translate
from tournaments.running.commands.create import Expected, fee_terms_of, make_plan, plan_of_format, whole_plan
from tournaments.running.queries.dashboard import RunningTournament, running_tournament
from tournaments.running.queries.prizes import PrizeTable, in_language_of_page, prize_table
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import command_context, go_on, page_url, tournament_page
from tournaments.web.admin.tournament.plan_form import BUTTON, PageForm, PlanForm, sent_plan, stored_plan, word_of
from tournaments.web.admin.tournament.plan_texts import PRIZES_PRESETS, mended

USUAL_PLAYERS = 24
# Margin of players tried before saving: some fewer and more, or only the expected number, as for a format.
SAVES = {"save": MARGIN, "save-only": 0}


# The rehearsal of the form's plan: problems that stop it, notes, and buttons that fix it.


@dataclass(frozen=True, slots=True, kw_only=True)
class FixButton:
    """Changes that fix a plan: the button's value and its title."""

    word: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsed:
    """The result of trying a plan with `first` to `last` players; one refused or too large is not `is_tried`."""

    first: int = 0
    last: int = 0
    problems: Sequence[Problem] = ()
    notes: tuple[Message, ...] = ()
    fixes: tuple[FixButton, ...] = ()
    is_tried: bool = False
    plays_as_expected: bool = False

    @property
    def stops_elsewhere_only(self) -> bool:
        """Whether the plan works for the expected number of players, but not for some fewer or more."""
        return bool(self.problems) and self.is_tried and self.plays_as_expected


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A form whose plan is to be tried, with its values, its hall and the numbers of players."""

    form: PlanForm
    raw: RawPlan
    hall: SimulatedPlan
    players: int
    margin: int

    def buttons(self, problems: Sequence[Problem]) -> tuple[FixButton, ...]:
        """Buttons with changes that fix the problems."""
        plan_fixes = fixes(self.raw, self.hall, self.players, problems, margin=self.margin) if problems else ()
        return tuple(
            FixButton(
                word=BUTTON
                + ";".join(f"{change.stage}.{change.field}={word_of(change.value)}" for change in fix.changes),
                title="; ".join(_change_texts(self.form, fix.changes)),
            )
            for fix in plan_fixes
        )

    def refused(self, problems: Sequence[Problem]) -> Rehearsed:
        """The result for a plan that cannot be started."""
        return Rehearsed(problems=problems, fixes=self.buttons(problems))

    def played(self, tried: Report) -> Rehearsed:
        """The result for a plan that was tried, even if it stopped early."""
        problems = tried.problems
        stopped = {number for refusal in tried.refusals for number in refusal.numbers}
        return Rehearsed(
            first=tried.tried[0],
            last=tried.tried[-1],
            problems=problems,
            notes=tuple(at_numbers(note.numbers, note.message) for note in tried.notes),
            fixes=self.buttons(problems),
            is_tried=True,
            plays_as_expected=tried.expected not in stopped,
        )


def rehearsed(tournament: Tournament, form: PlanForm, players: int, *, margin: int = MARGIN) -> Rehearsed:
    """Try the form's plan with this number of players, and some fewer and more. Unreadable plans get fixes as well."""
    raw, hall = form.raw(), SimulatedPlan(plan=Plan(), terms=terms_of(tournament))
    rehearsal = _Asked(form=form, raw=raw, hall=hall, players=players, margin=margin)
    try:
        hall.plan = read_plan(raw)
    except OptionsRejected as refused:
        return rehearsal.refused(refused.problems)
    problems = playable_problems(hall.plan, hall.terms)
    if problems:
        return rehearsal.refused(problems)
    if work_of(hall.plan, players, margin) > MOST_AT_ONCE:
        return Rehearsed()
    return rehearsal.played(report(hall, players, margin=margin))


def _change_texts(form: PlanForm, changes: Sequence[Change]) -> Iterator[str]:
    """Each change as the form calls its field: "Stage 2, Round ends after: game"."""
    for change in changes:
        stage = form.stage_forms[change.stage - 1]
        field = next(plan_field for plan_field in (*stage.first, *stage.more) if plan_field.name == change.field)
        text = word_of(change.value)
        value = dict(field.choices).get(text, text) or gettext("empty")
        yield gettext("Stage {number}, {field}: {value}").format(number=change.stage, field=field.title, value=value)


# The page.


@purpose(gettext_noop("Stages, rounds and table sizes, played through before they are saved."))
def plan(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Choose a format, change its plan, store it."""
    running = running_tournament(tournament, now=now(), names=Names.REAL)
    plan_of_tournament = running.state.plan
    chosen, notation = request.GET.get("format", ""), notation_of(running.tournament)
    try:
        if request.method == "POST":
            return _sent(request, running)
        if chosen:
            return _page(request, running, _stored_format(request, running, chosen))
    except OptionsRejected as refused:
        return _page(request, running, None, Rehearsed(problems=refused.problems))
    return _page(
        request, running, stored_plan(whole_plan(plan_of_tournament), notation) if plan_of_tournament else None
    )


def _sent(request: HttpRequest, running: RunningTournament) -> HttpResponse:
    """Take a format as it is, redraw the changed form, or store the form. Raises OptionsRejected for the format."""
    values = PageForm(request.POST).read
    if values["do"] == "format":
        return _store(request, running, _stored_format(request, running, values["format"]))
    form = sent_plan(request.POST, notation_of(running.tournament))
    return _store(request, running, form) if values["do"] in SAVES else _page(request, running, form)


def _stored_format(request: HttpRequest, running: RunningTournament, name: str) -> PlanForm:
    """A format's plan with the fee terms of the tournament, its stages named in the user's language."""
    usual = plan_of_format(name, _players(request, running), translate)
    return stored_plan({**usual, **fee_terms_of(running.tournament)}, notation_of(running.tournament))


def _store(request: HttpRequest, running: RunningTournament, form: PlanForm) -> HttpResponse:
    if problems := _beyond(request):
        return _page(request, running, replace(form, problems=problems))
    page = PageForm(request.POST)
    command, version, players = page.command_context(request), page.read["version"], page.read["players"]
    if players is not None and not running.state.is_started:
        trial = rehearsed(running.tournament, form, players, margin=SAVES.get(page.read["do"], 0))
        if trial.problems:
            return _page(request, running, replace(form, problems=trial.problems), trial)
    try:
        expected = Expected(version=version, players=players)
        make_plan(running.tournament.pk, form.raw(), reason=form.reason, context=command, expected=expected)
    except (OptionsRejected, EventNotAllowed) as refused:
        return _page(request, running, replace(form, problems=refused.problems))
    except StaleTable:
        return _page(request, running_tournament(running.tournament, now=now(), names=Names.REAL), form, is_stale=True)
    except KeyReused:
        problem = Problem(code="sent_twice", detail=say("form already sent with other data: check and try again"))
        return _page(request, running, replace(form, problems=[problem]))
    return go_on(request, page_url("night", running.tournament), gettext("Plan saved."))


def _page(
    request: HttpRequest,
    running: RunningTournament,
    form: PlanForm | None,
    trial: Rehearsed | None = None,
    *,
    is_stale: bool = False,
) -> TemplateResponse:
    """The form as typed. If another user has changed the plan, the differences from the stored one are shown."""
    state, players = running.state, _players(request, running)
    beyond = _beyond(request)
    problems = (*(trial.problems if trial is not None else ()), *beyond) if form is None else ()
    if form is not None and beyond and not form.problems:
        form = replace(form, problems=beyond)
    stands = stored_plan(whole_plan(state.plan), notation_of(running.tournament)) if is_stale and state.plan else None
    if trial is None and form is not None and not state.is_started:
        trial = rehearsed(running.tournament, form, players)
    if trial is not None:
        worded = [mended(problem, notation_of(running.tournament)) for problem in trial.problems]
        trial = replace(trial, problems=worded)
    context: dict[str, Any] = {
        "trial": trial,
        "title": gettext("Plan: {name}").format(name=running.tournament.name),
        "state": state,
        "form": form,
        "problems": problems,
        "players": players,
        "formats": _formats(running.tournament, players),
        "chosen": request.GET.get("format", ""),
        "key": command_context(request).key,
        "version": PageForm(request.POST).read["version"]
        if request.method == "POST" and not is_stale
        else state.version,
        "is_stale": is_stale,
        "differences": list(_differences(stands, form)) if stands and form else [],
        "cuts": len(state.cuts),
        "usual_prizes": [(name, gettext(title)) for name, (title, _) in PRIZES_PRESETS.items()],
        "prizes": _preview(running, form, players),
    }
    refused = problems or (form.problems if form else ())
    return tournament_page(request, running.tournament, "plan", context, refused=refused, stale=is_stale)


def _preview(running: RunningTournament, form: PlanForm | None, players: int) -> PrizeTable | None:
    """The prizes for this number of players by the form's plan; None while it cannot be read."""
    if form is None:
        return None
    tournament = running.tournament
    try:
        form_plan = as_stored(read_plan(form.raw()), running.state.plan)
    except OptionsRejected:
        return None
    sheet = expected_sheet(form_plan, players=players, entry_minor=tournament.entry_minor, fee_bp=tournament.fee_bp)
    return in_language_of_page(prize_table(form_plan, sheet, form.notation))


def _formats(tournament: Tournament, players: int) -> list[Format]:
    """Formats for this number of players that can be played with the game and its options."""
    terms = terms_of(tournament)
    formats = format_for(players, tournament.variant)
    return [
        plan_format for plan_format in formats if not playable_problems(read_plan(plan_format.plan(players)), terms)
    ]


def _asked_players(request: HttpRequest) -> int | None:
    players: int | None = PageForm(request.POST if request.method == "POST" else request.GET).read["players"]
    return players


def _beyond(request: HttpRequest) -> list[Problem]:
    """A problem for a number of players that is not allowed; the page goes on with the nearest one."""
    players = _asked_players(request)
    return [] if players is None or FEWEST <= players <= MOST else [number_problem(players)]


def _players(request: HttpRequest, running: RunningTournament) -> int:
    """The number of players: as asked, or as many as have entered."""
    players = _asked_players(request)
    if players is not None:
        return max(FEWEST, min(MOST, players))
    return max(2, len(running.state.field())) if running.state.field() else USUAL_PLAYERS


def _differences(stands: PlanForm, typed: PlanForm) -> Iterator[dict[str, str]]:
    """The differences between the stored plan and the typed one, field by field."""
    if len(stands.stages) != len(typed.stages):
        counts = {"stands": str(len(stands.stages)), "typed": str(len(typed.stages))}
        yield {"title": gettext("Number of stages"), **counts}
    fields = [
        (gettext("Stage {number}, ").format(number=number), stored_field, other)
        for number, (ours, theirs) in enumerate(zip(stands.stage_forms, typed.stage_forms, strict=False), 1)
        for stored_field, other in zip((*ours.first, *ours.more), (*theirs.first, *theirs.more), strict=True)
    ]
    fields += [
        ("", stored_field, other) for stored_field, other in zip(stands.plan_fields, typed.plan_fields, strict=True)
    ]
    for where, stored_field, other in fields:
        if stored_field.text != other.text:
            title = f"{where}{stored_field.title.lower()}" if where else stored_field.title
            nothing = gettext("nothing")
            yield {"title": title, "stands": stored_field.text or nothing, "typed": other.text or nothing}
