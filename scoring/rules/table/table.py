"""A table: its events in the order in which they count, and the state of the game that follows from them.

Rules: docs/events.md, "Folding". Knows nothing of any one variant (they plug in here), of accounts or of storage. How
programs use it: docs/reference/python.md.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import msgspec

from scoring.events import wire
from scoring.events.reading import Unreadable
from scoring.events.table import CHECKS, EventLeftOut
from scoring.events.wire import Event
from scoring.money.payouts import Payout, Stakes
from scoring.options import O
from scoring.problems import EventNotAllowed, Problem, RuleError, refuse_if
from scoring.rules.table.admission import admitted, new_limit_problems
from scoring.rules.table.opening import preset_opening
from scoring.rules.table.standing import SeatStanding, Standing
from scoring.rules.table.timeline import (
    CHANGES,
    Conflict,
    DealCheck,
    Entry,
    Status,
    checked,
    conflict_of,
    counted_steps,
    disagreements,
    recounted,
    rewritten,
    status_of,
    unreadable_problem,
    with_premise,
)
from scoring.rules.table.variant import AnySetup, AnyVariant, Note, Preset, Setup

__all__ = [
    "AnySetup",
    "AnyVariant",
    "Conflict",
    "Entry",
    "Note",
    "Preset",
    "Setup",
    "Status",
    "Table",
    "before_deal",
    "fold",
    "open_table",
    "places",
    "steps",
]

# They are in the list and change no score.
NOTHING_FOLLOWS = (Unreadable, EventLeftOut)
NONE_SET: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as of one version: everything else about it is derived from here.

    It never changes: `record` and `apply` return the table after an event. The opening is version 1, and each event
    adds one.
    """

    rules: AnyVariant
    setup: AnySetup
    players: Mapping[str, str]
    version: int
    timeline: tuple[Entry, ...]
    game: Any
    status: Status = Status.OPEN
    conflicts: tuple[Conflict, ...] = ()
    checks: Mapping[str, DealCheck] = field(default_factory=dict)

    @classmethod
    def open(
        cls,
        preset: str,
        seats: Sequence[str],
        stakes: Mapping[str, Any] = NONE_SET,
        *,
        options: Mapping[str, Any] = NONE_SET,
    ) -> "Table":
        """A table of a preset before its first deal, with seats in table order, each under a name of its own.

        `stakes` are the fields of `Stakes`: amounts in minor units of `currency`, fees in basis points. `options`
        replace single options of the preset. Raises OptionsRejected with every problem. Rules: the pages of the games
        in docs/rules/, "Presets" and "House rules".
        """
        rules, opened = preset_opening(preset, seats, options=options, stakes=stakes)
        return open_table(rules, opened)

    def record(self, event: Event | Mapping[str, Any]) -> "Table":
        """The table after one more event, as it is sent (docs/events.md) or as `admit` returned it.

        Raises EventRejected where the event cannot be read, and EventNotAllowed with every problem of the rules,
        mistyped numbers, and scores and amounts above the limit. Rules: docs/events.md, "Refusals".
        """
        after = self.apply(self.admit(event))
        refuse_if(new_limit_problems(self, after), EventNotAllowed)
        return after

    def problems(self, event: Event | Mapping[str, Any]) -> tuple[Problem, ...]:
        """Every problem for which `record` would refuse the event now; empty where it would not."""
        try:
            self.record(event)
        except RuleError as refused:
            return refused.problems
        return ()

    def admit(self, event: Event | Mapping[str, Any]) -> Event:
        """The event as it is stored, if it may be recorded now. Raises as `record`, but for limits."""
        return admitted(self, event)

    def apply(self, *events: Event) -> "Table":
        """The table after events that were admitted: nothing is checked. Rules: docs/events.md, "Folding"."""
        return fold(self, enumerate(events, self.version + 1))

    @property
    def has_moved_on(self) -> bool:
        """Its players went on at other tables."""
        return bool(self.timeline) and isinstance(self.timeline[-1].event, wire.TableMovedOn)

    @property
    def unreadable(self) -> tuple[int, ...]:
        """Versions of events that cannot be read and that no director has left out."""
        if self.timeline and isinstance(self.timeline[-1].event, EventLeftOut):
            return ()
        return tuple(entry.version for entry in self.timeline if isinstance(entry.event, Unreadable))

    @property
    def is_lost(self) -> bool:
        """Its opening cannot be read: players and game are unknown."""
        return bool(self.timeline) and self.timeline[0].version == 1

    @property
    def unconfirmed(self) -> tuple[int, ...]:
        """Deals that count but wait for another person's confirmation, where this table requires it."""
        if self.setup.confirmation == "at_once":
            return ()
        live = [entry.event.deal for entry in self.timeline if _is_live_deal(entry)]
        return tuple(deal for deal in live if not self._check(deal).confirmed_at and not self._is_agreed(deal))

    @property
    def disputed(self) -> tuple[int, ...]:
        """Deals that wait for the director, or for the two seats whose entries differ."""
        deals = (int(deal) for deal, check in self.checks.items() if check.disputed_at)
        return tuple(deal for deal in deals if not self._is_agreed(deal))

    @property
    def locked(self) -> tuple[int, ...]:
        """Deals that only the director may change."""
        return tuple(deal for deal in self.disputed if self._check(deal).sheet is None)

    def second_entry(self, deal: int) -> tuple[str, Any] | None:
        """The seat whose entry of a deal differs from the current sheet, and its sheet; None once both agree."""
        check = self._check(deal)
        if check.sheet is None or self._is_agreed(deal):
            return None
        return check.seat or "", msgspec.convert(check.sheet, self.rules.sheet_type)

    def disagreements(self, deal: int, sheet: Any) -> tuple[str, ...]:
        """Where a sheet differs from the current sheet of the deal: seats, and names of inputs."""
        before, entry = before_deal(self, deal), self.deal_entry(deal)
        assert entry is not None  # noqa: S101 - asked of deals that stand
        return tuple(disagreements(self.rules, self.setup, before.game, (entry.event.sheet, sheet)))

    def _check(self, deal: int) -> DealCheck:
        return self.checks.get(str(deal), DealCheck())

    def _is_agreed(self, deal: int) -> bool:
        """Whether the sheet, since it was corrected, agrees with what a second seat entered."""
        check, entry = self._check(deal), self.deal_entry(deal)
        if check.sheet is None or entry is None or entry.corrected_at < check.disputed_at or entry.is_void:
            return False
        return not self.disagreements(deal, msgspec.convert(check.sheet, self.rules.sheet_type))

    @property
    def deals(self) -> int:
        """How many deals count."""
        return sum(1 for entry in self.timeline if _is_live_deal(entry))

    @property
    def totals_entry(self) -> Entry | None:
        """The entry that holds the totals of a table that was entered by them."""
        return next((entry for entry in self.timeline if isinstance(entry.event, wire.TotalsRecorded)), None)

    @property
    def has_totals(self) -> bool:
        """Whether the table was entered by its totals: no deal of it is known."""
        return self.totals_entry is not None

    @property
    def has_begun(self) -> bool:
        """Whether a deal counts, or the totals are recorded."""
        return self.has_totals or self.deals > 0

    @property
    def live_deals(self) -> tuple[int, ...]:
        """The numbers of the deals that count, in order."""
        recorded = (entry.event for entry in self.timeline if _is_live_deal(entry))
        return tuple(sorted(event.deal for event in recorded if isinstance(event, wire.DealRecorded)))

    @property
    def next_deal(self) -> int:
        """The number that the next deal will carry."""
        return 1 + max((e.event.deal for e in self.timeline if isinstance(e.event, wire.DealRecorded)), default=0)

    @property
    def in_play(self) -> tuple[str, ...]:
        """Seats that take part in the next deal; none once there is a result."""
        return () if self.is_finished else self.rules.in_play(self.setup, self.game)

    @property
    def is_finished(self) -> bool:
        """The game has a result, or the table was closed or abandoned. A closing that contradicts does not count."""
        if self.status is Status.CANCELLED or (self.status is Status.CLOSED and not self.conflicts):
            return True
        return self.rules.is_finished(self.setup, self.game)

    def seats(self) -> dict[str, SeatStanding]:
        """The standing of each seat. No seat comes back at a table that is over."""
        views = self.rules.seats(self.setup, self.game)
        if self.status is Status.OPEN:
            return views
        return {seat: msgspec.structs.replace(view, may_rejoin=False) for seat, view in views.items()}

    def standings(self) -> dict[str, Standing]:
        """The place of each seat and its numbers, in table order: points, chips and deals, as far as the game has them.

        Rules: docs/rules/leaderboard.md, and the page of the game.
        """
        views = self.seats()
        placed = places(views)
        return {seat: Standing(place=placed[seat], **msgspec.structs.asdict(view)) for seat, view in views.items()}

    def winners(self) -> tuple[str, ...]:
        """Who has won, once the table is finished and nothing contradicts."""
        if not self.is_finished or self.status is Status.CANCELLED or self.conflicts:
            return ()
        return self.rules.winners(self.setup, self.game)

    def payouts(self) -> tuple[Payout, ...]:
        """The money that has moved or is due so far, in minor units, one payout for each cause: a deal, or the table.

        None while events contradict each other, or after the table was cancelled. Rules: docs/rules/points.md, "Money".
        """
        if self.status is Status.CANCELLED or self.conflicts:
            return ()
        return self.rules.payouts(self.setup, self.game)

    def at_stake(self) -> dict[str, int]:
        """What each seat may still lose here beyond what it has lost so far, in minor units.

        Until a result is closed its winners may turn out to have lost. What a player bought counts, whatever
        contradicts it.
        """
        staked = self.rules.at_stake(self.setup, self.game) if not self.is_finished else self._won_not_closed()
        contradicted = {conflict.version for conflict in self.conflicts}
        for entry in self.timeline:
            if entry.version in contradicted and isinstance(entry.event, wire.Rejoined):
                staked[entry.event.seat] += self.setup.stakes.entry_minor
        return staked

    def _won_not_closed(self) -> dict[str, int]:
        """What winners have put into a pot that is not paid out to them yet."""
        payouts = self.payouts() if self.status is Status.OPEN else ()
        return {
            seat: sum(min(p.charges.get(seat, 0), p.awards.get(seat, 0)) for p in payouts) for seat in self.setup.seats
        }

    def won_so_far(self) -> dict[str, int]:
        """What each seat has won by now, or lost where it is below 0, in minor units: also while events contradict each
        other, when nothing is paid."""
        given_up = self.status is Status.CANCELLED
        return self._won(() if given_up else self.rules.payouts(self.setup, self.game))

    def won_in_books(self) -> dict[str, int]:
        """The same, by what the books must show now."""
        return self._won(self.dues())

    def _won(self, payouts: Iterable[Payout]) -> dict[str, int]:
        won = dict.fromkeys(self.setup.seats, 0)
        for payout in payouts:
            for seat in won:
                won[seat] += payout.awards.get(seat, 0) - payout.charges.get(seat, 0)
        return won

    def dues(self) -> tuple[Payout, ...]:
        """The payouts that the books must show now: nothing before the end, unless deals are paid one by one."""
        is_due = self.status is Status.CLOSED or self.rules.pays_while_open(self.setup)
        return self.payouts() if is_due else ()

    def deal_entry(self, deal: int) -> Entry | None:
        """The entry that holds a deal's number; the latest where a voided deal was played again."""
        for entry in reversed(self.timeline):
            if isinstance(entry.event, wire.DealRecorded) and entry.event.deal == deal:
                return entry
        return None


def open_table(rules: AnyVariant, opened: wire.TableOpened, *, version: int = 1) -> Table:
    """The table after its first event."""
    setup = Setup(
        options=_shared(msgspec.convert(opened.options, rules.options_type)),
        stakes=_shared(msgspec.convert(opened.stakes, Stakes)),
        seats=tuple(seat for seat, _ in opened.seats),
        carried=opened.carried,
        confirmation=opened.confirmation,
    )
    game = rules.start(setup)
    return Table(rules=rules, setup=setup, players=dict(opened.seats), version=version, timeline=(), game=game)


def places(views: Mapping[str, SeatStanding]) -> dict[str, int]:
    """The place of each seat: equal rank keys share it, and the next place is skipped."""
    keys = sorted(view.rank_key for view in views.values())
    return {seat: keys.index(view.rank_key) + 1 for seat, view in views.items()}


def fold(table: Table, events: Iterable[tuple[int, Event]]) -> Table:
    """The table after further stored events, each with its version."""
    rules, setup, game = table.rules, table.setup, table.game
    timeline, conflicts, checks = list(table.timeline), table.conflicts, table.checks
    version, must_recount = table.version, False
    for version, event in events:
        checks = checked(checks, version, event)
        if event.kind in CHECKS:
            continue
        if isinstance(event, NOTHING_FOLLOWS):
            timeline.append(Entry(version, event))
            conflicts += (conflict_of(version, unreadable_problem(version)),) if isinstance(event, Unreadable) else ()
            continue
        if isinstance(event, CHANGES):
            timeline, must_recount = rewritten(timeline, version, event), True
            continue
        if must_recount:
            (game, conflicts), must_recount = recounted(rules, setup, timeline), False
        complete_event = with_premise(rules, setup, game, event) if isinstance(event, wire.SplitAgreed) else event
        timeline.append(Entry(version, complete_event))
        game = rules.apply(setup, game, complete_event)
    if must_recount:
        game, conflicts = recounted(rules, setup, timeline)
    status = status_of(timeline)
    return Table(
        rules=rules,
        setup=setup,
        players=table.players,
        version=version,
        timeline=tuple(timeline),
        game=game,
        status=status,
        # Nothing follows at an abandoned table: there is nothing left to resolve.
        conflicts=() if status is Status.CANCELLED else conflicts,
        checks=checks,
    )


def before_deal(table: Table, deal: int) -> Table:
    """The table as it was when a deal began, so that no total reveals how the deal ended."""
    entry = table.deal_entry(deal)
    at = next((n for n, step in enumerate(table.timeline) if step is entry), len(table.timeline))
    then = next((game for step, game, _ in steps(table) if step is entry), table.game)
    return replace(table, timeline=table.timeline[:at], game=then, status=Status.OPEN, conflicts=(), checks={})


def steps(table: Table) -> Iterator[tuple[Entry, Any, Any]]:
    """Every entry with the game before and after it, from the first deal on."""
    return counted_steps(table.rules, table.setup, table.timeline)


@lru_cache(maxsize=1024)
def _shared(options: O) -> O:
    """The same object for equal options: values cached by them are then found at once."""
    return options


def _is_live_deal(entry: Entry) -> bool:
    return isinstance(entry.event, wire.DealRecorded) and not entry.is_void
