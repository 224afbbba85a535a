"""The state of a tournament: all entrants, every round that was seated, every cut, and the clocks.

Rules: docs/events.md, "Tournaments". Knows nothing of what was scored at the tables.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Literal

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.json_text import kept_as
from scoring.messages import words
from scoring.tournament.plans import Plan, Stage

# A tournament as known today: undone events never happened, and the plan is the one in force.

Versioned = tuple[int, Event]
# Changes of a published seating, which are undone with it.
SEATED_ANEW = (wire.PlayersMoved, wire.SeatsChanged)


def with_hindsight(events: Sequence[Versioned]) -> tuple[Versioned, ...]:
    """The events without those that were undone, and without the undo events themselves."""
    gone = {version for versions in _taken_back(events) for version in versions}
    plan = next((event for _, event in reversed(events) if isinstance(event, wire.PlanMade)), None)
    return tuple(
        (version, plan if plan is not None and isinstance(event, wire.PlanMade) else event)
        for version, event in events
        if version not in gone
    )


def until_round(events: Sequence[Versioned], number: int) -> tuple[Versioned, ...]:
    """The events before the round after this one was seated; all of them where none was."""
    for index, (_, event) in enumerate(events):
        if isinstance(event, wire.RoundSeated) and event.round > number:
            return tuple(events[:index])
    return tuple(events)


def _taken_back(events: Sequence[Versioned]) -> Iterator[set[int]]:
    """Each undo with what it undid: a seating and its moves, a move, a re-entry, a cut and later ones."""
    for version, event in events:
        before = [earlier for earlier in events if earlier[0] < version]
        match event:
            case wire.SeatingWithdrawn():
                rounds = (v for v, f in before if isinstance(f, wire.RoundSeated) and f.round == event.round)
                seated = max(rounds, default=version)
                moves = {v for v, f in before if isinstance(f, SEATED_ANEW) and f.round == event.round}
                yield {version, seated, *(move for move in moves if move > seated)}
            case wire.MoveUndone():
                yield {version, event.version}
            case wire.ReentryUndone():
                same = (event.player, event.stage)
                versions = (v for v, f in before if isinstance(f, wire.PlayerReentered) and (f.player, f.stage) == same)
                yield {version, max(versions, default=version)}
            case wire.CutWithdrawn():
                yield {version, *(v for v, f in before if isinstance(f, wire.CutMade) and f.stage >= event.stage)}


class Standing(StrEnum):
    """The status of an entrant in the tournament."""

    ENTERED = words("entered")
    STANDBY = words("standby")
    WITHDRAWN = words("withdrawn")
    ABSENT = words("absent")
    LEFT = words("left")
    SUBSTITUTED = words("substituted")

    @property
    def word(self) -> str:
        """The status in words; its value stays as outside tools know it."""
        return words("no-show") if self is Standing.ABSENT else self.value


class Entrant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One player of the tournament. `since_round` is the first round in which they could be seated.

    `plays_for` is the player a substitute replaced, `replaced_by` the substitute of this player; `left_after` the last
    round with them. `paid_elsewhere` is the part of `paid_minor` that did not go through the desk, by place. `rate` is
    the entry fee's kind, `pots` the side pots they chose to join. `was_standby` before they were a substitute, or
    before they withdrew; `reentered_before` is the round that was next at their last re-entry. `replaced_in` is the
    round in which the substitute played on at their table. `is_hidden`: a director hid them from the public after they
    had left.
    """

    player: str
    standing: Standing = Standing.ENTERED
    is_checked_in: bool = False
    paid_minor: int = 0
    paid_elsewhere: dict[str, int] = {}
    since_round: int = 1
    left_after: int | None = None
    plays_for: str | None = None
    replaced_by: str | None = None
    reentries: tuple[int, ...] = ()
    was_standby: bool = False
    reentered_before: int | None = None
    replaced_in: int | None = None
    rate: Literal["full", "member", "free"] = "full"
    pots: tuple[str, ...] = ()
    is_hidden: bool = False

    @property
    def plays(self) -> bool:
        """Whether the player is to be seated, as far as the entry is concerned."""
        return self.standing is Standing.ENTERED

    @property
    def paid_by_place(self) -> dict[str, int]:
        """Amounts taken at each place, less refunds there; the desk is the place without a name."""
        desk = self.paid_minor - sum(self.paid_elsewhere.values())
        return {**({"": desk} if desk else {}), **self.paid_elsewhere}


class TableSeating(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One table of a round, its players in seat order. `is_over` after its players were moved to others."""

    number: int
    players: tuple[str, ...]
    is_over: bool = False


class RoundSeating(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One published round. `version` is the event that published it."""

    stage: int
    round: int
    version: int
    tables: tuple[TableSeating, ...]
    method: str
    seed: str = ""
    sitting_out: tuple[str, ...] = ()

    @property
    def running(self) -> tuple[TableSeating, ...]:
        """The tables that players sit at, after all moves."""
        return tuple(table for table in self.tables if not table.is_over)


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """Tables of a round that replaced others."""

    version: int
    round: int
    instead_of: tuple[int, ...]
    numbers: tuple[int, ...]


class Cut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The players who qualified from a stage, seeded in this order, and what they start the next one with.

    `gone` are players who no longer played when the stage ended, and why: later events of theirs change nothing in it.
    `left` is what the others ended the stage with, where the next one counts on from it: a re-entry may do so as well.
    """

    stage: int
    version: int
    advancing: tuple[str, ...]
    carried: dict[str, int] = {}
    gone: dict[str, Standing] = {}
    left: dict[str, int] = {}


class Tie(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Tied players in the order in which a tie-break put them."""

    stage: int
    order: tuple[str, ...]
    method: str
    seed: str = ""
    cards: dict[str, str] = {}


class Clock(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A round's time. It runs since `running_since`; `used` seconds had run before that."""

    round: int
    seconds: int
    used: int = 0
    running_since: int | None = None
    last_deal_at: int | None = None
    extra: dict[str, int] = {}

    def left(self, at: int, table: int | None = None) -> int:
        """Seconds left at a moment, for one table or for the round; negative once time is up."""
        running = at - self.running_since if self.running_since is not None else 0
        return self.seconds + self.extra.get(str(table), 0) - self.used - max(0, running)


class TournamentState(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament as of one version of its stream. Without a plan tables are opened one by one.

    An abandoned one (`is_cancelled`) is closed as well.
    """

    version: int = 0
    plan: Plan | None = None
    is_started: bool = False
    is_closed: bool = False
    is_cancelled: bool = False
    entrants: dict[str, Entrant] = {}
    rounds: tuple[RoundSeating, ...] = ()
    moves: tuple[Move, ...] = ()
    cuts: tuple[Cut, ...] = ()
    ties: tuple[Tie, ...] = ()
    clocks: dict[str, Clock] = {}
    pots_won: dict[str, tuple[str, ...]] = {}
    # Versions of events that cannot be read; they move to the second list when a director has left them out.
    unreadable: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()

    @property
    def stage(self) -> int:
        """The stage that is being played, or is to be seated next."""
        return 1 + len(self.cuts)

    @property
    def current(self) -> Stage | None:
        """The settings of the stage being played; None without a plan, or after the last one."""
        if self.plan is None or self.stage > len(self.plan.stages):
            return None
        return self.plan.stages[self.stage - 1]

    @property
    def last_round(self) -> RoundSeating | None:
        return self.rounds[-1] if self.rounds else None

    @property
    def checks_in(self) -> bool:
        """Whether players are checked in as they arrive.

        A substitute is here without check-in, and so is a player who returns, or enters, once play has begun: these do
        not show whether the others are checked in.
        """
        away = (Standing.STANDBY, Standing.WITHDRAWN)
        return any(
            entrant.is_checked_in
            and entrant.plays_for is None
            and entrant.since_round == 1
            and entrant.standing not in away
            for entrant in self.entrants.values()
        )

    @property
    def next_round(self) -> int:
        """The number of the round that is seated next."""
        return self.rounds[-1].round + 1 if self.rounds else 1

    @property
    def hidden(self) -> frozenset[str]:
        """The players whom the public does not see."""
        return frozenset(player for player, entrant in self.entrants.items() if entrant.is_hidden)

    def rounds_of(self, stage: int) -> tuple[RoundSeating, ...]:
        """The rounds seated in a stage."""
        return tuple(seated for seated in self.rounds if seated.stage == stage)

    def field(self) -> tuple[str, ...]:
        """Who is to be seated next: the entrants, or the players who qualified at the last cut and are still here."""
        if self.cuts:
            return tuple(player for player in dict.fromkeys(self._through()) if self.entrants[player].plays)
        return tuple(player for player, entrant in self.entrants.items() if entrant.plays)

    def round_of(self, number: int) -> RoundSeating | None:
        return next((seated for seated in self.rounds if seated.round == number), None)

    def _through(self) -> Iterator[str]:
        """The players who qualified; a substitute takes the position of the player, re-entries come last."""
        seeded = list(self.cuts[-1].advancing)
        seeded += [p for p, entrant in self.entrants.items() if self.stage in entrant.reentries and p not in seeded]
        for player in seeded:
            yield self.playing_for(player)

    def before(self, player: str) -> Iterator[str]:
        """A player, and all who had the same place before."""
        following: str | None = player
        while following is not None:
            yield following
            entrant = self.entrants.get(following)
            following = entrant.plays_for if entrant else None

    def seat_holder(self, player: str, number: int) -> tuple[str, str]:
        """Who plays in the seat that a player was given in a round, and who had the place at first."""
        *_, first = self.before(player)
        now = player
        while (entrant := self.entrants.get(now)) is not None and entrant.replaced_by and entrant.replaced_in == number:
            now = entrant.replaced_by
        return now, first

    def playing_for(self, player: str) -> str:
        """Who plays in a player's place now."""
        while (by := self.entrants[player].replaced_by) is not None:
            player = by
        return player


class _Frame(msgspec.Struct, frozen=True, kw_only=True):
    """The readable parts of a state that cannot be decoded in full."""

    version: int = 0
    is_closed: bool = False
    is_cancelled: bool = False


# Keys are not sorted: entrants are in the order in which they entered, and every fold enters them in the same one.
dump_tournament_state, _load = kept_as(TournamentState)


def load_tournament_state(text: str) -> TournamentState:
    """The state that `dump_tournament_state` wrote; where it can no longer be read, one that waits for a director."""
    try:
        return _load(text)
    except msgspec.MsgspecError:
        return _lost(text)


def _lost(text: str) -> TournamentState:
    """The part that can still be read: version and status. Marked unreadable, so that it pays no one."""
    try:
        frame = msgspec.json.decode(text, type=_Frame)
    except msgspec.MsgspecError:
        frame = _Frame()
    return TournamentState(
        version=frame.version, is_closed=frame.is_closed, is_cancelled=frame.is_cancelled, unreadable=(frame.version,)
    )
