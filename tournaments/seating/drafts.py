"""A seating draft before publication: its restrictions, every change to it, and the position of undo.

Rules: docs/how-to/seating.md, section 8. Pure: drafts are not events, so nothing here reaches the log. Knows nothing of
permissions or of how a draft is shown.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import msgspec

from scoring.events import wire
from scoring.messages import say
from scoring.problems import Problem, refuse_if
from scoring.tournament import Stage, TournamentState
from tournaments.draw import (
    Apart,
    FixedTable,
    Player,
    SeatedRound,
    SeatingConstraints,
    SeatingRejected,
    Sizes,
    move,
    round_of,
    sit_out,
    swap,
)

MOST_STEPS = 40
HIGHEST_TABLE = 999
Method = Literal["draw", "standing", "snake", "prepared", "by_hand"]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptConstraints:
    """The director's seating restrictions, by player id. They carry over to the next draft until they are changed.

    `groups` are the clubs or families of players who are to sit apart where that can be.
    """

    sizes: Sizes = field(default_factory=Sizes)
    apart: tuple[Apart, ...] = ()
    fixed: tuple[FixedTable, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    groups_apart: bool = False

    def among(self, names: Mapping[str, str]) -> SeatingConstraints:
        """Return the restrictions as far as they concern the players to be seated now."""
        return SeatingConstraints(
            players=tuple(Player(key=key, name=name, club=self.groups.get(key, "")) for key, name in names.items()),
            sizes=self.sizes,
            apart=tuple(pair for pair in self.apart if pair.one in names and pair.other in names),
            fixed=tuple(fixed_table for fixed_table in self.fixed if fixed_table.player in names),
            clubs_apart=self.groups_apart,
        )

    def without(self, player: str) -> "KeptConstraints":
        """Return the restrictions without a player who asked to be forgotten."""
        return replace(
            self,
            apart=tuple(pair for pair in self.apart if player not in (pair.one, pair.other)),
            fixed=tuple(fixed_table for fixed_table in self.fixed if fixed_table.player != player),
            groups={key: group for key, group in self.groups.items() if key != player},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A round after one change: how it was made, and the seed that repeats it if it was drawn."""

    round: SeatedRound
    method: Method
    seed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A round being seated. `at` is the current step; later steps were undone and can be redone.

    `key` and `asked` are the key and the digest of the request that made the last change.
    """

    wishes: KeptConstraints
    steps: tuple[Step, ...]
    at: int = 0
    key: str = ""
    asked: str = ""

    @property
    def now(self) -> Step:
        """The current round."""
        return self.steps[self.at]

    @property
    def may_undo(self) -> bool:
        return self.at > 0

    @property
    def may_redo(self) -> bool:
        return self.at < len(self.steps) - 1

    def with_step(self, step: Step, constraints: KeptConstraints | None = None) -> "Draft":
        """Add a change; undone steps are dropped, and so are very old ones."""
        steps = (*self.steps[: self.at + 1], step)[-MOST_STEPS:]
        return Draft(wishes=constraints or self.wishes, steps=steps, at=len(steps) - 1)

    def changed(self, change: Callable[[SeatedRound], SeatedRound]) -> "Draft":
        """Change the round by hand; its seed no longer gives these seats."""
        after = change(self.now.round)
        if after == self.now.round:
            return self
        return self.with_step(Step(round=after, method="by_hand"))

    def undone(self) -> "Draft":
        """Undo one change, as far as there is one."""
        return replace(self, at=max(0, self.at - 1))

    def redone(self) -> "Draft":
        """Redo one change, as far as there is one."""
        return replace(self, at=min(len(self.steps) - 1, self.at + 1))


def dump_draft(draft: Draft) -> str:
    """Serialise a draft to JSON."""
    return msgspec.json.encode(draft).decode()


def load_draft(text: str) -> Draft:
    """Parse the JSON of `dump_draft`."""
    return msgspec.json.decode(text, type=Draft)


def stage_constraints(stage: Stage | None, seats_allowed: range) -> KeptConstraints:
    """Return the default restrictions of the plan; without a plan, what the game allows."""
    if stage is None:
        preferred = min(6, seats_allowed[-1])
        return KeptConstraints(sizes=Sizes(allowed=tuple(seats_allowed), preferred=preferred))
    sizes = Sizes(allowed=stage.sizes, preferred=stage.preferred_table)
    return KeptConstraints(sizes=sizes, groups_apart=stage.keeps_mates_apart)


def history_of(state: TournamentState, stage: int | None = None) -> tuple[SeatedRound, ...]:
    """Return the rounds so far, or those of a stage, as published, without tables created by moves."""
    moved = {(move.round, number) for move in state.moves for number in move.numbers}
    return tuple(
        round_of(
            {table.number: table.players for table in past.tables if (past.round, table.number) not in moved},
            sits_out=past.sitting_out,
        )
        for past in (state.rounds if stage is None else state.rounds_of(stage))
    )


def hall_numbers(history: Sequence[SeatedRound], tables: int) -> tuple[int, ...]:
    """The numbers of so many tables as the last round had them, a hall's own; more than it had are those nearby."""
    used = sorted(table.number for table in history[-1].tables) if history else []
    if not used or used == list(range(1, len(used) + 1)):
        return tuple(range(1, tables + 1))
    nearby = [number for number in range(used[0], used[-1] + tables) if number not in used]
    return tuple(sorted([*used, *nearby][:tables]))


def numbered(plan: SeatedRound, numbers: Mapping[int, int]) -> SeatedRound:
    """The round with other numbers for its tables."""
    tables = tuple(replace(table, number=numbers.get(table.number, table.number)) for table in plan.tables)
    return replace(plan, tables=tuple(sorted(tables, key=lambda table: table.number)))


def fitted(plan: SeatedRound, field_now: Mapping[str, str], sizes: Sizes) -> SeatedRound:
    """Return the round without those who no longer play, and with those who joined since.

    Each of these takes a free seat at the smallest table; where every table has its largest size, they sit out.
    """
    tables = {table.number: [key for key in table.seats if key in field_now] for table in plan.tables}
    resting = [key for key in plan.sits_out if key in field_now]
    here = {*resting, *(key for seats in tables.values() for key in seats)}
    tables = {number: seats for number, seats in tables.items() if seats}
    for key in field_now:
        if key not in here:
            free = [seats for seats in tables.values() if len(seats) < max(sizes.allowed)]
            min(free, key=len, default=resting).append(key)
    return round_of(tables, sits_out=resting)


def placed(plan: SeatedRound, field: Mapping[str, str], player: str, to: str) -> SeatedRound:
    """The round with a player moved: to `out`, to `table:3` (its last seat), or swapped with `player:…`."""
    if player in field and player not in {*plan.table_of, *plan.sits_out}:
        plan = SeatedRound(tables=plan.tables, sits_out=(*plan.sits_out, player))
    kind, _, value = to.partition(":")
    if kind == "out":
        return sit_out(plan, player)
    if kind == "player":
        return swap(plan, player, value)
    if kind == "table" and value.isdecimal() and len(value) < 4:
        return move(plan, player, table=int(value))
    detail = say("choose a player and a seat")
    raise SeatingRejected([Problem(code="missing_field", field="to", detail=detail)])


def seating_event(step: Step, *, stage: int, number: int, reason: str = "") -> wire.RoundSeated:
    """Return the event that publishes a round; `reason` says why it breaks a restriction."""
    return wire.RoundSeated(
        stage=stage,
        round=number,
        tables=tuple((table.number, table.seats) for table in step.round.tables),
        method=step.method,
        seed=step.seed,
        sitting_out=step.round.sits_out,
        reason=reason,
    )


def refuse_numbers(plan: SeatedRound) -> None:
    """Raise SeatingRejected where a table number is out of range."""
    beyond = [table.number for table in plan.tables if not 1 <= table.number <= HIGHEST_TABLE]
    messages = (
        say("table {table}: tables are numbered from 1 to {last}", table=number, last=HIGHEST_TABLE)
        for number in beyond
    )
    refuse_if([Problem("no_such_table", detail, field="tables") for detail in messages], SeatingRejected)
