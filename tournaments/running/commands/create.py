"""Creates tournaments from presets, with their own streams."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, count
from typing import Any
from uuid import UUID

import msgspec
from django.utils.text import slugify
from msgspec import UNSET

from scoring.events import wire
from scoring.messages import Message, Words, english, say
from scoring.money.formatting import currency_problems
from scoring.money.payouts import MOST_SUM
from scoring.problems import OptionsRejected, Problem, StaleTable, refuse_if
from scoring.rules.table.variant import AnyVariant
from scoring.rules.variants import PRESETS, VARIANTS, play_problems
from scoring.tournament import Plan, TournamentState, as_stored, read_plan
from scoring.tournament.checks.playable import playable_problems
from scoring.tournament.plans.formats import format_named
from scoring.tournament.state.fees import any_money_in
from scoring.tournament.state.terms import Terms
from tournaments import log
from tournaments.feasibility import SimulatedPlan
from tournaments.feasibility.report import expected_problems
from tournaments.log.context import CommandContext, club_lock, tournament_lock
from tournaments.models import Club, EveningSheet, Table, Tournament
from tournaments.models.bounds import moment_problems
from tournaments.people.players import name_problems, named
from tournaments.projections.stale import mark_stale
from tournaments.projections.terms import stakes_of, terms_of
from tournaments.running.commands.close import open_stream_of
from tournaments.running.commands.record import (
    TournamentRecorded,
    append_event,
    record_in_tournament,
    refuse_stale,
    tournament_state,
    was_stored,
)
from tournaments.running.commands.settle import problems_of_taking_again
from tournaments.running.prize_money import carried_in_pots


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a plan's author expects: the plan's version they saw (no newer plan may exist), and the number of players.

    Without a number the plan is tried with all who have entered, once they are enough for a table.
    """

    version: int | None = None
    players: int | None = None


NOTHING_EXPECTED = Expected()


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentDraft:
    """A director's input for a tournament. `options` are house rules that override those of the preset.

    Without a preset, `preset` is empty and `variant` names the game with its default options. Without a currency it is
    played in the club's: see `in_currency_of`.
    """

    name: str
    preset: str
    starts_at: datetime
    variant: str = ""
    currency: str = ""
    entry_minor: int = 0
    fee_bp: int = 0
    fee_floor_minor: int = 0
    fee_cap_minor: int | None = None
    levy_bp: int = 0
    levy_name: str = "levy"
    levy_on: str = "gross"
    point_value_minor: int = 0
    is_published: bool = True
    options: dict[str, Any] = field(default_factory=dict)


def create_tournament(club: Club, draft: TournamentDraft, *, context: CommandContext) -> Tournament:
    """Create a tournament with its own stream, from a preset or a variant. Raises OptionsRejected with all problems."""
    draft = in_currency_of(club, draft)
    refuse_if(draft_problems(draft), OptionsRejected)
    rules, options = _played(draft)
    with club_lock(club.id):
        tournament = Tournament.objects.create(
            club=club,
            slug=_free_slug(club, draft.name),
            name=draft.name.strip(),
            preset=draft.preset,
            variant=rules.name,
            options=options,
            starts_at=draft.starts_at,
            is_published=draft.is_published,
            **stakes_of(draft),
        )
        open_stream_of(tournament, context=context)
    return tournament


def in_currency_of(club: Club, draft: TournamentDraft) -> TournamentDraft:
    """The draft with the club's currency if it names none."""
    return draft if draft.currency else replace(draft, currency=club.currency)


def fee_terms_of(source: TournamentDraft | Tournament) -> dict[str, Any]:
    """The tournament's fee terms as those of its plan: they are asked for once, and entry fees go by the plan.

    Where tables play for money, the limits of the house fee are those of a deal, and an entry fee has none.
    """
    terms = {"levy_bp": source.levy_bp, "levy_name": source.levy_name, "levy_on": source.levy_on}
    if source.point_value_minor:
        return terms
    return terms | {"fee_floor_minor": source.fee_floor_minor, "fee_cap_minor": source.fee_cap_minor}


def draft_problems(draft: TournamentDraft, *, kept: Tournament | None = None) -> list[Problem]:
    """All problems of a draft.

    For an existing tournament `kept`, its own currency and preset are not checked: they may be unknown by now.
    """
    problems = name_problems(draft.name, "name", say("name")) + moment_problems(draft.starts_at, "starts_at")
    is_bare = draft.preset in ("", kept.preset if kept else "") and draft.variant in VARIANTS
    if draft.preset not in PRESETS and not is_bare:
        detail = say(
            "there is no preset {typed}; this service knows {list}", typed=repr(draft.preset), list=", ".join(PRESETS)
        )
        return [*problems, Problem(code="unknown_preset", field="preset", detail=detail)]
    rules, options = _played(draft)
    if kept is None or draft.currency != kept.currency:
        problems += currency_problems(draft.currency)
    return problems + play_problems(rules.name, options=options, stakes=stakes_of(draft))


def house_options(draft: TournamentDraft) -> dict[str, Any]:
    """A draft's options over those of its preset, if this service knows the preset."""
    preset = PRESETS[draft.preset][1].options if draft.preset in PRESETS else {}
    return {**preset, **draft.options}


def _played(draft: TournamentDraft) -> tuple[AnyVariant, dict[str, Any]]:
    """The game and its house rules: from a preset, or a variant by name."""
    rules = PRESETS[draft.preset][0] if draft.preset in PRESETS else VARIANTS[draft.variant]
    return rules, house_options(draft)


def _free_slug(club: Club, name: str) -> str:
    """The first slug for this name that the club has not used; names without Latin letters get a generic one."""
    base_slug = slugify(name)[:60].rstrip("-") or "tournament"
    taken_slugs = set(Tournament.objects.filter(club=club, slug__startswith=base_slug).values_list("slug", flat=True))
    several = (f"{base_slug}-{number}" for number in count(2))
    return next(slug for slug in chain([base_slug], several) if slug not in taken_slugs)


# Making a tournament's plan, from a known format or from a form, and changing it with a reason.


def make_plan(
    tournament_id: UUID,
    raw: Mapping[str, Any],
    *,
    context: CommandContext,
    reason: str = "",
    expected: Expected = NOTHING_EXPECTED,
) -> TournamentRecorded:
    """Store a plan. After the start it needs a reason; before, it is tried with the expected number of players.

    Raises OptionsRejected with every problem of the plan, and of playing it with this tournament's game;
    EventNotAllowed if it may not change like this, StaleTable.
    """
    plan = read_plan(raw)
    # Tried before taking the club's lock: a large plan takes a second.
    unlocked_tournament = Tournament.objects.get(pk=tournament_id)
    problems = _stops(unlocked_tournament, tournament_state(unlocked_tournament), plan, expected.players)
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        stored_plan = as_stored(_with_what_is_carried(tournament, plan), state.plan)
        stored_plan = _with_values_of_other_games(tournament, stored_plan, state.plan)
        event = wire.PlanMade(plan=whole_plan(stored_plan), reason=reason.strip())
        if expected.version is not None and not was_stored(tournament, event, context):
            since = expected.version
            plans = log.find(club=tournament.club_id, streams=[tournament.id], kinds=[wire.PlanMade.kind], after=since)
            if (latest := plans.last()) is not None:
                raise StaleTable(expected=since, current=latest.version)
        if not was_stored(tournament, event, context):
            refuse_if(playable_problems(stored_plan, terms_of(tournament), since=len(state.cuts) + 1), OptionsRejected)
            refuse_if(problems, OptionsRejected)
        return record_in_tournament(tournament_id, event, context=context)


def _with_what_is_carried(tournament: Tournament, plan: Plan) -> Plan:
    """The plan with the money other tournaments left in its side pots: as first stored, or less if some was taken."""
    if not plan.side_pots:
        return plan
    before = tournament_state(tournament).plan
    carried_before = {pot.name: pot.carried_minor for pot in before.side_pots} if before else {}
    pot_balances = {} if plan.is_rehearsal else carried_in_pots(tournament, [pot.name for pot in plan.side_pots])
    carried = {pot.name: pot_balances.get(pot.name, 0) for pot in plan.side_pots}
    pots = tuple(
        msgspec.structs.replace(pot, carried_minor=min(carried[pot.name], carried_before.get(pot.name, MOST_SUM)))
        for pot in plan.side_pots
    )
    return msgspec.structs.replace(plan, side_pots=pots)


def _with_values_of_other_games(tournament: Tournament, plan: Plan, before: Plan | None) -> Plan:
    """A point of another game than the tournament's is worth nothing in a stage that does not say what it is worth.

    A stage that was stored without a value keeps the tournament's.
    """
    stages = list(plan.stages)
    for at, stage in enumerate(stages):
        is_other = isinstance(stage.variant, str) and stage.variant != tournament.variant
        stored_stage = before.stages[at] if before is not None and at < len(before.stages) else None
        is_kept = (
            stored_stage is not None
            and stored_stage.variant == stage.variant
            and stored_stage.point_value_minor in (None, UNSET)
        )
        if is_other and stage.point_value_minor in (None, UNSET) and not is_kept:
            stages[at] = msgspec.structs.replace(stage, point_value_minor=0)
    return msgspec.structs.replace(plan, stages=tuple(stages))


def plan_of_format(name: str, players: int, translate: Callable[[Words], str] = english) -> dict[str, Any]:
    """The plan of a format for that many players, its stages named by `tell`.

    Raises OptionsRejected for an unknown format, or a number of players outside its range.
    """
    plan_format = format_named(name)
    if plan_format is None:
        raise OptionsRejected(
            [Problem(code="not_a_choice", field="format", detail=say("there is no format {typed}", typed=repr(name)))]
        )
    if players not in plan_format.players:
        detail = say(
            "{kind} is for {first} to {last} players, not {number}",
            kind=Message(plan_format.title),
            first=plan_format.players.start,
            last=plan_format.players.stop - 1,
            number=players,
        )
        raise OptionsRejected([Problem(code="out_of_range", field="players", detail=detail)])
    return whole_plan(read_plan(plan_format.plan(players, translate)))


def whole_plan(plan: Plan) -> dict[str, Any]:
    """A plan with every value written out, as stored in the log."""
    built: dict[str, Any] = msgspec.to_builtins(plan)
    return built


# Commands that a client may send twice: the second request returns what the first created.


def create_tournament_once(club: Club, draft: TournamentDraft, *, context: CommandContext) -> tuple[Tournament, bool]:
    """A tournament, and whether this key had created it before. Raises OptionsRejected, or KeyReused."""
    context = replace(context, asked=wire.request_digest(str(club.pk), "tournament", repr(draft)))
    with club_lock(club.pk):
        stored_event = log.first_answer(club.pk, context.key, context.asked)
        if stored_event is None:
            return create_tournament(club, draft, context=context), False
    return Tournament.objects.get(id=stored_event.stream_id), True


# Changing a tournament: name and date at any time, options and stakes until the first table opens.


def change_tournament(tournament: Tournament, draft: TournamentDraft, *, context: CommandContext) -> Tournament:
    """Change a tournament to match a draft with the same preset.

    Raises OptionsRejected with every problem; StaleTable, and KeyReused for a request with a digest.
    """
    with tournament_lock(tournament.id) as row:
        if context.asked and log.first_answer(row.club_id, context.key, context.asked) is not None:
            return row
        refuse_stale(tournament_state(row), context.seen)
        draft = replace(draft, variant=row.variant, currency=draft.currency or row.currency)
        options, stakes = house_options(draft), stakes_of(draft)
        was = terms_of(row)
        is_same = options == row.options and stakes == stakes_of(row)
        problems = draft_problems(draft, kept=row) + _frozen_problems(row, draft, is_same=is_same)
        refuse_if(problems + _rehearsal_problems(row, draft) + _currency_problems(row, draft), OptionsRejected)
        has_counted = log.find(club=row.club_id, streams=[row.id], kinds=["tournament_closed"]).exists()
        columns = {
            "name": draft.name.strip(),
            "options": options,
            "starts_at": draft.starts_at,
            "is_published": draft.is_published,
            **stakes,
        }
        if draft.is_published != row.is_published:
            columns["unpublished_at"] = context.now if has_counted and not draft.is_published else None
        changed = [name for name, value in columns.items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, columns[name])
        if not is_same:
            state = tournament_state(row)
            refuse_if(named(row.club_id, problems_of_taking_again(row, state)), OptionsRejected)
            refuse_if(_plan_problems(state, was, terms_of(row)), OptionsRejected)
        row.save(update_fields=changed)
        if not is_same:
            append_event(row, wire.TournamentChanged(options=options, stakes=stakes), context)
        if has_counted and changed:
            mark_stale(row.club_id)
    return row


def _plan_problems(state: TournamentState, was: Terms, now: Terms) -> list[Problem]:
    """Problems of the plan with the new terms that it did not have with the old ones."""
    if state.plan is None:
        return []
    details = {problem.detail for problem in playable_problems(state.plan, was)}
    problems = playable_problems(state.plan, now, since=len(state.cuts) + 1)
    return [replace(problem, field="options") for problem in problems if problem.detail not in details]


def _frozen_problems(row: Tournament, draft: TournamentDraft, *, is_same: bool) -> list[Problem]:
    """The terms are frozen once a table was opened; the preset cannot be changed."""
    if draft.preset != row.preset:
        detail = say("the preset cannot be changed: make another tournament")
        return [Problem(code="preset_is_fixed", field="preset", detail=detail)]
    if is_same or not Table.objects.filter(tournament=row).exists():
        return []
    detail = say("rules and stakes are locked: a table is open")
    return [Problem(code="options_frozen", field="options", detail=detail)]


def _rehearsal_problems(row: Tournament, draft: TournamentDraft) -> list[Problem]:
    """A practice tournament must not be published."""
    if not (draft.is_published and EveningSheet.objects.filter(tournament=row, is_rehearsal=True).exists()):
        return []
    detail = say("a practice tournament is never published: make a real tournament")
    return [Problem(code="is_rehearsal", field="is_published", detail=detail)]


def _currency_problems(row: Tournament, draft: TournamentDraft) -> list[Problem]:
    """Problems with another currency: money was paid in the old one, or is left in a side pot."""
    if draft.currency == row.currency:
        return []
    state = tournament_state(row)
    problems = []
    if any_money_in(state):
        detail = say(
            "entry fees were paid in {currency}: refund them first, or make another tournament",
            currency=row.currency,
        )
        problems.append(Problem(code="already_paid", field="currency", detail=detail))
    if state.plan is not None and any(pot.carried_minor for pot in state.plan.side_pots):
        detail = say(
            "side pots bring {currency} from earlier tournaments: remove them from the plan first, or "
            "make another tournament",
            currency=row.currency,
        )
        problems.append(Problem(code="already_paid", field="currency", detail=detail))
    return problems


def _stops(tournament: Tournament, state: TournamentState, plan: Plan, players: int | None) -> list[Problem]:
    """Problems with playing a plan with the expected number; none if its structure is wrong already.

    None after the start: the number of players is given then, and only the structure is checked.
    """
    if state.is_started or playable_problems(plan, terms_of(tournament)):
        return []
    entered = len(state.field())
    number = entered if players is None and entered >= plan.stages[0].smallest_table else players
    return [] if number is None else expected_problems(SimulatedPlan(plan=plan, terms=terms_of(tournament)), number)
