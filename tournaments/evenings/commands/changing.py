"""Changing a tournament: its name and date at any time, its options and stakes until the first table opens."""

from dataclasses import replace

from scoring.evening import Evening
from scoring.evening.checks.playable import Terms, playable_problems
from scoring.evening.state.charges import any_money_in
from scoring.facts import wire
from scoring.problems import OptionsRejected, Problem, refuse_if
from tournaments.books.stakes import stakes_of
from tournaments.evenings.commands.create import TournamentDraft, draft_problems, house_options
from tournaments.evenings.commands.limits import problems_of_taking_again
from tournaments.evenings.commands.planning import terms_of
from tournaments.evenings.commands.stream import append_fact, evening_of
from tournaments.log.context import Order
from tournaments.log.turns import tournament_turn
from tournaments.models import EveningSheet, Event, Table, Tournament
from tournaments.people.naming import named
from tournaments.projections.stale import owe_readings


def change_tournament(tournament: Tournament, draft: TournamentDraft, *, order: Order) -> Tournament:
    """Bring a tournament to a draft of the same preset. Raises OptionsRejected with every problem."""
    with tournament_turn(tournament.id) as row:
        draft = replace(draft, variant=row.variant, currency=draft.currency or row.currency)
        options, stakes = house_options(draft), stakes_of(draft)
        was = terms_of(row)
        is_same = options == row.options and stakes == stakes_of(row)
        problems = draft_problems(draft, kept=row) + _frozen_problems(row, draft, is_same=is_same)
        refuse_if(problems + _rehearsal_problems(row, draft) + _currency_problems(row, draft), OptionsRejected)
        has_counted = Event.objects.filter(stream_id=row.id, kind="tournament_closed").exists()
        wanted = {
            "name": draft.name.strip(),
            "options": options,
            "starts_at": draft.starts_at,
            "is_published": draft.is_published,
            **stakes,
        }
        if draft.is_published != row.is_published:
            wanted["unpublished_at"] = order.now if has_counted and not draft.is_published else None
        changed = [name for name, value in wanted.items() if getattr(row, name) != value]
        for name in changed:
            setattr(row, name, wanted[name])
        if not is_same:
            evening = evening_of(row)
            refuse_if(named(row.club_id, problems_of_taking_again(row, evening)), OptionsRejected)
            refuse_if(_plan_problems(evening, was, terms_of(row)), OptionsRejected)
        row.save(update_fields=changed)
        if not is_same:
            append_fact(row, wire.TournamentChanged(options=options, stakes=stakes), order)
        if has_counted and changed:
            owe_readings(row.club_id)
    return row


def _plan_problems(evening: Evening, was: Terms, now: Terms) -> list[Problem]:
    """What the plan could be played with before, and not any more."""
    if evening.plan is None:
        return []
    known = {problem.detail for problem in playable_problems(evening.plan, was)}
    found = playable_problems(evening.plan, now, since=len(evening.cuts) + 1)
    return [replace(problem, field="options") for problem in found if problem.detail not in known]


def _frozen_problems(row: Tournament, draft: TournamentDraft, *, is_same: bool) -> list[Problem]:
    """What tables have been opened with is frozen; a preset cannot be swapped for another."""
    if draft.preset != row.preset:
        detail = "a tournament keeps its preset; make another tournament to play something else"
        return [Problem(code="preset_is_fixed", field="preset", detail=detail)]
    if is_same or not Table.objects.filter(tournament=row).exists():
        return []
    detail = "options and stakes are frozen: a table has been opened with them"
    return [Problem(code="options_frozen", field="options", detail=detail)]


def _rehearsal_problems(row: Tournament, draft: TournamentDraft) -> list[Problem]:
    """A rehearsal is for those who work here."""
    if not (draft.is_published and EveningSheet.objects.filter(tournament=row, is_rehearsal=True).exists()):
        return []
    detail = "this is a rehearsal: it is never published; make a tournament that counts for that"
    return [Problem(code="is_rehearsal", field="is_published", detail=detail)]


def _currency_problems(row: Tournament, draft: TournamentDraft) -> list[Problem]:
    """Money that was taken in one currency, or left in a side pot, does not become as much of another."""
    if draft.currency == row.currency:
        return []
    evening = evening_of(row)
    problems = []
    if any_money_in(evening):
        detail = f"entries have been paid in {row.currency}: give them back first, or make another tournament"
        problems.append(Problem(code="already_paid", field="currency", detail=detail))
    if evening.plan is not None and any(pot.carried_minor for pot in evening.plan.side_pots):
        detail = (
            f"side pots of the plan bring {row.currency} from earlier nights: take them out of the plan first, "
            "or make another tournament"
        )
        problems.append(Problem(code="already_paid", field="currency", detail=detail))
    return problems
