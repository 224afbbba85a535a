"""Drafting a seating: drawn, seated by standing or prepared, changed by hand, undone, and finally published.

Rules: docs/how-to/seating.md, sections 2, 7 and 8. Each change of a draft names the version it is based on; the later
of two concurrent changes is refused.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import Q

from scoring.messages import say
from scoring.problems import EventNotAllowed, KeyReused, Problem, StaleTable, refuse_if
from scoring.tournament import TournamentState
from tournaments.draw import SeatedRound, SeatingConstraints, SeatingRejected, size_problems, table_sizes
from tournaments.draw.by_standings import snake, top_together
from tournaments.draw.checking import check
from tournaments.draw.drawing import draw_rounds
from tournaments.draw.search import seed_as_read
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import Player, SeatingDraft, Tournament
from tournaments.running.commands.record import tournament_state
from tournaments.seating import questions_about
from tournaments.seating.commands.seat import RoundOpened, seat_round
from tournaments.seating.drafts import (
    Draft,
    KeptConstraints,
    Method,
    Step,
    dump_draft,
    hall_numbers,
    history_of,
    load_draft,
    numbered,
    refuse_numbers,
    seating_event,
)

MOST_ROUNDS_AT_ONCE = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A requested seating: the method, the restrictions, and the number of rounds drawn at once (only for a draw).

    `standing` is the order of the players where they are seated by it, `prepared` the round that was entered by hand.
    """

    method: Method
    constraints: KeptConstraints
    seed: str = ""
    rounds: int = 1
    standing: Sequence[str] = ()
    prepared: SeatedRound | None = None


def make_draft(tournament: Tournament, wanted: Wanted, *, context: CommandContext, expected: int) -> SeatingDraft:
    """Draft the next round, and further ones where they are drawn at once. `expected` is 0 where there was no draft.

    A draw takes time, so it is made before the club's lock is taken: scorers are not kept waiting. Raises
    SeatingRejected with every restriction that cannot be met, StaleTable; KeyReused where `context.asked` tells that
    the key came with another request.
    """
    state_before = tournament_state(tournament)
    names = _names(tournament, state_before)
    if not names:
        nobody = say("nobody is entered who could be seated")
        raise SeatingRejected([Problem("nobody_entered", nobody, field="players")])
    steps = _steps(state_before, wanted, names)
    with tournament_lock(tournament.id) as home:
        state = tournament_state(home)
        if (state.next_round, state.field()) != (state_before.next_round, state_before.field()):
            raise StaleTable(expected=state_before.version, current=state.version)
        first = state.next_round
        if (row := _resent(home, first, expected, context)) is not None:
            return row
        before = _current(home, first, expected)
        row = _store(home, first, _grown(before, steps[0], wanted.constraints), context)
        for number, step in enumerate(steps[1:], start=first + 1):
            _store(home, number, Draft(wishes=wanted.constraints, steps=(step,)), context)
    return row


def change_draft(
    tournament_id: UUID, round_number: int, change: Callable[[Draft], Draft], *, context: CommandContext, expected: int
) -> SeatingDraft:
    """Change a draft by hand, or undo a change. Raises SeatingRejected, StaleTable; KeyReused as `make_draft` does."""
    with tournament_lock(tournament_id) as tournament:
        if (resent := _resent(tournament, round_number, expected, context)) is not None:
            return resent
        row = _current(tournament, round_number, expected)
        if row is None:
            raise StaleTable(expected=expected, current=0)
        before = load_draft(row.plan)
        after = change(before)
        refuse_numbers(after.now.round)
        return row if after == before else _store(tournament, round_number, after, context)


def discard_draft(tournament_id: UUID, round_number: int, *, context: CommandContext, expected: int) -> bool:
    """Delete the draft of the next round, and those of later rounds, which were drawn with it.

    Returns whether there was one. Raises EventNotAllowed for a round that is seated, StaleTable.
    """
    with tournament_lock(tournament_id) as tournament:
        if round_number < tournament_state(tournament).next_round:
            detail = say("round {round} is seated: undo the seating first", round=round_number)
            raise EventNotAllowed([Problem("already_seated", detail, field="round")])
        rows = SeatingDraft.objects.filter(tournament=tournament, round__gte=round_number)
        if not rows.exists():
            return False
        _current(tournament, round_number, expected)
        rows.delete()
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """What a director confirms when a draft is published.

    `seats_absent` seats players who are not here, have not paid, are suspended or perhaps in the list twice. `reason`
    says why a restriction is not kept, and goes into the log.
    """

    seats_absent: bool = False
    reason: str = ""


def publish_draft(
    tournament_id: UUID,
    round_number: int,
    confirmed: Confirmed = Confirmed(),
    *,
    context: CommandContext,
    expected: int,
) -> RoundOpened:
    """Publish a draft: its tables are opened, all or none.

    A draft that breaks a restriction needs a reason; pairs that must never sit together are kept apart whatever the
    reason. Raises SeatingRejected with every error of the draft or every player asked about, EventNotAllowed,
    OptionsRejected, StaleTable, KeyReused.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        row = _current(tournament, round_number, expected)
        if row is None:
            raise StaleTable(expected=expected, current=0)
        draft = load_draft(row.plan)
        if state.next_round == round_number:
            constraints = draft.wishes.among(_names(tournament, state))
            findings = check(draft.now.round, constraints, history_of(state))
            refuse_if(findings.blocking, SeatingRejected)
            if findings.broken and not confirmed.reason.strip():
                needed = say("enter a reason for breaking these restrictions")
                missing_reason = Problem(code="missing_field", field="reason", detail=needed)
                raise SeatingRejected([*findings.broken, missing_reason])
            players = draft.now.round.table_of
            refuse_if(() if confirmed.seats_absent else questions_about(tournament, state, players), SeatingRejected)
        stage = state.stage if state.next_round == round_number else _stage_of(state, round_number)
        event = seating_event(draft.now, stage=stage, number=round_number, reason=confirmed.reason.strip())
        opened = seat_round(tournament_id, event, context=context, seats_absent=confirmed.seats_absent)
        if not opened.is_replay:
            _number_later_drafts(tournament, draft.now.round, round_number, context)
        return opened


def forget_in_drafts(club_id: UUID, players: Collection[str]) -> None:
    """Delete restrictions by or about players from the club's drafts: a group may be their family's name."""
    named = reduce(or_, (Q(plan__contains=player) for player in players))
    rows = list(SeatingDraft.objects.filter(named, tournament__club_id=club_id))
    for row in rows:
        draft = load_draft(row.plan)
        constraints = reduce(lambda kept, player: kept.without(player), players, draft.wishes)
        row.plan = dump_draft(Draft(wishes=constraints, steps=draft.steps, at=draft.at))
    SeatingDraft.objects.bulk_update(rows, ["plan"])


def _steps(state: TournamentState, wanted: Wanted, names: Mapping[str, str]) -> list[Step]:
    """Return the requested round, and those after it. Raises SeatingRejected."""
    constraints, history = wanted.constraints.among(names), history_of(state)
    if wanted.prepared is not None:
        refuse_numbers(wanted.prepared)
        return [Step(round=wanted.prepared, method="prepared")]
    # The search counts tables from 1, whatever numbers they have in the hall.
    hall = {} if size_problems(len(names), constraints.sizes) else _hall(history, constraints)
    refuse_if(_not_in_hall(constraints, hall), SeatingRejected)
    counted = {number: place for place, number in hall.items()}
    fixed = tuple(
        replace(fixed_table, table=counted.get(fixed_table.table, fixed_table.table))
        for fixed_table in constraints.fixed
    )
    constraints = replace(constraints, fixed=fixed)
    history = tuple(numbered(past, counted) for past in history)
    if wanted.method in ("standing", "snake"):
        by_standing = top_together if wanted.method == "standing" else snake
        seated = by_standing(wanted.standing, constraints, history=history)
        return [Step(round=numbered(seated, hall), method=wanted.method)]
    rounds = min(wanted.rounds, MOST_ROUNDS_AT_ONCE)
    seed = seed_as_read(wanted.seed)
    drawn = draw_rounds(constraints, seed=seed, rounds=rounds, history=history)
    return [Step(round=numbered(drawn_round, hall), method="draw", seed=seed) for drawn_round in drawn]


def _hall(history: Sequence[SeatedRound], constraints: SeatingConstraints) -> dict[int, int]:
    """The hall's own numbers of the tables, by the numbers with which they are drawn; empty without any."""
    tables = len(table_sizes(len(constraints.players), constraints.sizes).sizes)
    numbers = hall_numbers(history, tables)
    return {} if numbers == tuple(range(1, tables + 1)) else dict(enumerate(numbers, start=1))


def _not_in_hall(constraints: SeatingConstraints, hall: Mapping[int, int]) -> list[Problem]:
    """Players who need a table that the hall does not have."""
    return [
        Problem(
            code="no_such_table",
            seat=fixed.player,
            field="fixed",
            detail=say(
                "{seat} is fixed to table {table}, but the tables are {list}",
                seat=constraints.called(fixed.player),
                table=fixed.table,
                list=tuple(hall.values()),
            ),
        )
        for fixed in constraints.fixed
        if hall and fixed.table not in hall.values()
    ]


def _number_later_drafts(tournament: Tournament, published: SeatedRound, number: int, context: CommandContext) -> None:
    """Give the tables of rounds that were drawn along the hall's own numbers of the published one."""
    for row in SeatingDraft.objects.filter(tournament=tournament, round__gt=number):
        draft = load_draft(row.plan)
        hall = dict(enumerate(hall_numbers([published], len(draft.now.round.tables)), start=1))
        is_counted = [table.number for table in draft.now.round.tables] == list(hall)
        if is_counted and not draft.wishes.fixed and list(hall) != list(hall.values()):
            step = replace(draft.now, round=numbered(draft.now.round, hall))
            _store(tournament, row.round, draft.with_step(step), context)


def _grown(row: SeatingDraft | None, step: Step, constraints: KeptConstraints) -> Draft:
    """A new seating is one more change to an existing draft, so that it can be undone."""
    return (
        Draft(wishes=constraints, steps=(step,)) if row is None else load_draft(row.plan).with_step(step, constraints)
    )


def _resent(tournament: Tournament, round_number: int, expected: int, context: CommandContext) -> SeatingDraft | None:
    """The draft as this very request left it when it came before; None for a new one. Raises KeyReused."""
    row = SeatingDraft.objects.filter(tournament=tournament, round=round_number).first()
    draft = load_draft(row.plan) if row is not None and context.asked else None
    if draft is None or draft.key != context.key:
        return None
    if draft.asked != context.asked:
        raise KeyReused(f"the idempotency key {context.key!r} was used for another request")
    return row


def _current(tournament: Tournament, round_number: int, expected: int) -> SeatingDraft | None:
    """Return the draft of a round if it has the version that the user has seen. Raises StaleTable."""
    row = SeatingDraft.objects.filter(tournament=tournament, round=round_number).first()
    current = row.version if row is not None else 0
    if current != expected:
        raise StaleTable(expected=expected, current=current)
    return row


def _store(tournament: Tournament, round_number: int, draft: Draft, context: CommandContext) -> SeatingDraft:
    row = SeatingDraft.objects.filter(tournament=tournament, round=round_number).first()
    row = row or SeatingDraft(tournament=tournament, round=round_number, version=0)
    row.version += 1
    draft = replace(draft, key=context.key, asked=context.asked)
    row.plan, row.actor, row.changed_at = dump_draft(draft), context.actor, context.now
    row.save()
    return row


def _names(tournament: Tournament, state: TournamentState) -> dict[str, str]:
    """Return the names of the players to be seated, in the order of the field."""
    field = state.field()
    names = {
        str(player): name
        for player, name in Player.objects.filter(club_id=tournament.club_id, id__in=field).values_list("id", "name")
    }
    return {key: names[key] for key in field if key in names}


def _stage_of(state: TournamentState, round_number: int) -> int:
    """Return the stage of a round that is already seated: publishing it again gets the first answer."""
    past = state.round_of(round_number)
    return past.stage if past is not None else state.stage
