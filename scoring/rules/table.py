"""A table: its facts in the order in which they stand, and the game that follows from them.

Rules: docs/events.md, "Folding". A correction replaces a deal where it stands and the game is counted again;
where that contradicts a later fact the table keeps a conflict for a director, it never guesses.
Knows nothing of any one variant (they plug in here), of money accounts or of storage.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal, Protocol

import msgspec

from scoring.rules import events
from scoring.rules.events import Fact
from scoring.rules.money import Payout, Stakes, read_stakes
from scoring.rules.options import Options
from scoring.rules.problems import Problem

CHANGES = (events.DealCorrected, events.DealVoided, events.FactWithdrawn)
ENDINGS = (events.TableClosed, events.TableCancelled)


class Status(StrEnum):
    """Where a table stands as a whole."""

    OPEN = "open"
    CLOSED = "closed"
    CANCELLED = "cancelled"


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """What was fixed when the table opened."""

    options: Any
    stakes: Stakes
    seats: tuple[str, ...]


class SeatView(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where one seat stands. `rank_key` orders seats, the better first; equal keys share a place."""

    rank_key: tuple[int, ...]
    total: int | None = None
    chips: int | None = None
    net_points: int | None = None
    is_in: bool = True
    out_in_deal: int | None = None
    drops_left: int | None = None
    may_rejoin: bool = False
    deals_won: int = 0
    wrong_shows: int = 0
    drops: int = 0


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """A line that explains what a fact did to a seat: `text` may hold `{seat}`."""

    code: str
    text: str
    seat: str | None = None


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """House options under a name that players know."""

    name: str
    title: str
    options: dict[str, Any]
    note: str = ""


class Variant(events.SheetForm, Protocol):
    """What a variant brings. All functions are pure; `game` is the variant's own frozen state.

    `announces_changes`: payouts are told as signed changes, not as prizes. `adds_up`: a player's tables are added
    on the board; otherwise the latest round counts. `race` is the number that a chart follows, towards
    `finish_line` where there is one. `pays_while_open`: money moves before the table closes.
    """

    @property
    def name(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def summary(self) -> str: ...

    @property
    def presets(self) -> tuple[Preset, ...]: ...

    @property
    def announces_changes(self) -> bool: ...

    @property
    def seats_allowed(self) -> range: ...

    @property
    def adds_up(self) -> bool: ...

    @property
    def race(self) -> Literal["total", "chips", "net_points"]: ...

    def finish_line(self, setup: Setup) -> int | None: ...

    def pays_while_open(self, setup: Setup) -> bool: ...

    @property
    def options_type(self) -> type[Options]: ...

    @property
    def game_type(self) -> type[Any]: ...

    def defaults(self, given: Mapping[str, Any], seats: int) -> dict[str, Any]: ...

    def setup_problems(self, setup: Setup) -> list[Problem]: ...

    def start(self, setup: Setup) -> Any: ...

    def in_play(self, setup: Setup, game: Any) -> tuple[str, ...]: ...

    def check(self, setup: Setup, game: Any, fact: Fact) -> list[Problem]: ...

    def apply(self, setup: Setup, game: Any, fact: Fact) -> Any: ...

    def seats(self, setup: Setup, game: Any) -> dict[str, SeatView]: ...

    def is_finished(self, setup: Setup, game: Any) -> bool: ...

    def winners(self, setup: Setup, game: Any) -> tuple[str, ...]: ...

    def payouts(self, setup: Setup, game: Any) -> tuple[Payout, ...]: ...

    def story(self, setup: Setup, before: Any, fact: Fact, after: Any) -> tuple[Note, ...]: ...

    def typing_problems(self, setup: Setup, fact: Fact) -> list[Problem]: ...


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """A fact in the place where it counts, with the version at which that place was taken."""

    version: int
    fact: Any
    is_void: bool = False
    corrected_at: int = 0


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A fact that no longer fits what is known to have happened before it."""

    version: int
    code: str
    detail: str
    seat: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table as of one version: everything else about it is read from here."""

    rules: Variant
    setup: Setup
    players: Mapping[str, str]
    version: int
    timeline: tuple[Entry, ...]
    game: Any
    status: Status = Status.OPEN
    conflicts: tuple[Conflict, ...] = ()

    @property
    def deals(self) -> int:
        """How many deals count."""
        return sum(1 for entry in self.timeline if _is_live_deal(entry))

    @property
    def next_deal(self) -> int:
        """The number that the next deal will carry."""
        return 1 + max((e.fact.deal for e in self.timeline if isinstance(e.fact, events.DealRecorded)), default=0)

    @property
    def in_play(self) -> tuple[str, ...]:
        """Seats that take part in the next deal."""
        return self.rules.in_play(self.setup, self.game)

    @property
    def is_finished(self) -> bool:
        """The game has a result (or the table was closed)."""
        return self.status is not Status.OPEN or self.rules.is_finished(self.setup, self.game)

    def seats(self) -> dict[str, SeatView]:
        """Where each seat stands."""
        return self.rules.seats(self.setup, self.game)

    def winners(self) -> tuple[str, ...]:
        """Who has won, once the table is finished."""
        if not self.is_finished or self.status is Status.CANCELLED:
            return ()
        return self.rules.winners(self.setup, self.game)

    def payouts(self) -> tuple[Payout, ...]:
        """The money that has moved or is due so far, one payout for each cause."""
        if self.status is Status.CANCELLED or self.conflicts:
            return ()
        return self.rules.payouts(self.setup, self.game)

    def dues(self) -> tuple[Payout, ...]:
        """The payouts that the books must show now: nothing before the end, unless deals are paid one by one."""
        is_due = self.status is Status.CLOSED or self.rules.pays_while_open(self.setup)
        return self.payouts() if is_due else ()

    def deal_entry(self, deal: int) -> Entry | None:
        """The entry that holds a deal's number; the latest where a voided deal was played again."""
        for entry in reversed(self.timeline):
            if isinstance(entry.fact, events.DealRecorded) and entry.fact.deal == deal:
                return entry
        return None


def open_table(rules: Variant, opened: events.TableOpened, *, version: int = 1) -> Table:
    """The table as its first fact leaves it."""
    setup = Setup(
        options=msgspec.convert(opened.options, rules.options_type),
        stakes=read_stakes(opened.stakes),
        seats=tuple(seat for seat, _ in opened.seats),
    )
    game = rules.start(setup)
    return Table(rules=rules, setup=setup, players=dict(opened.seats), version=version, timeline=(), game=game)


def places(views: Mapping[str, SeatView]) -> dict[str, int]:
    """The place of each seat: equal rank keys share it, and the next place is skipped."""
    keys = sorted(view.rank_key for view in views.values())
    return {seat: keys.index(view.rank_key) + 1 for seat, view in views.items()}


def fold(table: Table, facts: Iterable[tuple[int, Fact]]) -> Table:
    """The table after further stored facts, each with its version."""
    rules, setup, game = table.rules, table.setup, table.game
    timeline, status, conflicts = list(table.timeline), table.status, table.conflicts
    version = table.version
    for version, fact in facts:
        if isinstance(fact, CHANGES):
            timeline, status = _rewritten(timeline, status, version, fact)
            game, conflicts = _recount(rules, setup, timeline)
        elif isinstance(fact, ENDINGS):
            status = Status.CLOSED if isinstance(fact, events.TableClosed) else Status.CANCELLED
            timeline.append(Entry(version, fact))
        else:
            settled = _with_premise(setup, rules, game, fact)
            timeline.append(Entry(version, settled))
            game = rules.apply(setup, game, settled)
    return Table(
        rules=rules,
        setup=setup,
        players=table.players,
        version=version,
        timeline=tuple(timeline),
        game=game,
        status=status,
        conflicts=conflicts,
    )


def steps(table: Table) -> Iterable[tuple[Entry, Any, Any]]:
    """Every counting entry with the game before and after it, from the first deal on."""
    game = table.rules.start(table.setup)
    for entry in table.timeline:
        if entry.is_void:
            yield entry, game, game
            continue
        after, _ = _applied(table.rules, table.setup, game, entry)
        yield entry, game, after
        game = after


def _is_live_deal(entry: Entry) -> bool:
    return isinstance(entry.fact, events.DealRecorded) and not entry.is_void


def _with_premise(setup: Setup, rules: Variant, game: Any, fact: Fact) -> Fact:
    """A split keeps the totals on which it was agreed, so that a later correction can be told from it."""
    if not isinstance(fact, events.SplitAgreed) or fact.totals is not None:
        return fact
    return events.SplitAgreed(totals=_totals(rules, setup, game))


def _totals(rules: Variant, setup: Setup, game: Any) -> dict[str, int]:
    return {seat: view.total or 0 for seat, view in rules.seats(setup, game).items()}


def _rewritten(timeline: Sequence[Entry], status: Status, version: int, fact: Fact) -> tuple[list[Entry], Status]:
    """The timeline with a deal replaced or voided where it stands, or an act taken out."""
    if isinstance(fact, events.FactWithdrawn):
        gone = next((e.fact for e in timeline if e.version == fact.version), None)
        kept = [entry for entry in timeline if entry.version != fact.version]
        reopens = isinstance(gone, ENDINGS)
        return kept, Status.OPEN if reopens else status
    index = _index_of_deal(timeline, fact.deal)  # type: ignore[attr-defined]
    old = timeline[index]
    if isinstance(fact, events.DealVoided):
        new = Entry(old.version, old.fact, is_void=True, corrected_at=version)
    else:
        sheet = fact.sheet  # type: ignore[attr-defined]
        new = Entry(old.version, events.DealRecorded(deal=old.fact.deal, sheet=sheet), corrected_at=version)
    return [*timeline[:index], new, *timeline[index + 1 :]], status


def _index_of_deal(timeline: Sequence[Entry], deal: int) -> int:
    """Where a deal stands; admission has made sure that it does."""
    return max(
        index
        for index, entry in enumerate(timeline)
        if isinstance(entry.fact, events.DealRecorded) and entry.fact.deal == deal
    )


def _recount(rules: Variant, setup: Setup, timeline: Sequence[Entry]) -> tuple[Any, tuple[Conflict, ...]]:
    """The game counted again from the first deal, with every fact that no longer fits."""
    game = rules.start(setup)
    conflicts: list[Conflict] = []
    for entry in timeline:
        if entry.is_void:
            continue
        game, problems = _applied(rules, setup, game, entry)
        conflicts += [
            Conflict(version=entry.version, code=problem.code, detail=problem.detail, seat=problem.seat)
            for problem in problems
        ]
    return game, tuple(conflicts)


def _applied(rules: Variant, setup: Setup, game: Any, entry: Entry) -> tuple[Any, list[Problem]]:
    """One entry applied: a deal that no longer fits still counts for the seats in it, an act does not."""
    fact = entry.fact
    if isinstance(fact, ENDINGS):
        return game, rules.check(setup, game, fact) if isinstance(fact, events.TableClosed) else []
    problems = rules.check(setup, game, fact)
    if isinstance(fact, events.SplitAgreed) and fact.totals not in (None, _totals(rules, setup, game)):
        detail = "the split was agreed on other totals; a director must confirm or withdraw it"
        problems = [*problems, Problem(code="split_on_other_totals", detail=detail)]
    if problems and not isinstance(fact, events.DealFact):
        return game, problems
    return rules.apply(setup, game, fact), problems
