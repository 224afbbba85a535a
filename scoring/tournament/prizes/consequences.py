"""What a correction changes in a tournament: places, cuts that were made, seats given since, and prizes.

Rules: docs/how-to/evening.md, "Corrections". The tournament is calculated twice, from the results before the correction
and after it; a cut that was made stays until a director undoes it. Knows nothing of names, accounts or storage.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from scoring.tournament.prizes import prize_sheet
from scoring.tournament.standings import CutProposal, TieTask, finish_of, propose_cut
from scoring.tournament.state import Cut, Entrant, Standing, TournamentState
from scoring.tournament.state.fees import Entries
from scoring.tournament.state.folding import GONE
from scoring.tournament.state.played import Game, SeatPlayed
from scoring.tournament.state.reentries import starts

GameOf = Callable[[int], Game]
Changes = dict[str, tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChange:
    """One player's place on the leaderboard before and after; None where the player was not on it."""

    player: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatHeld:
    """A seat that a player was given since, and would not have been given."""

    player: str
    round: int
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CutChange:
    """A cut that was made, as it would be made now.

    `carried` is what qualified and re-entered players carry over now and would carry over; `reseeded` means that they
    would be seeded in another order.
    """

    stage: int
    no_longer: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    carried: Changes
    tasks: tuple[TieTask, ...] = ()
    reseeded: bool = False
    seats: tuple[SeatHeld, ...] = ()

    @property
    def is_none(self) -> bool:
        return not (self.no_longer or self.instead or self.carried or self.tasks or self.reseeded)


def place_changes(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[PlaceChange, ...]:
    """Players whose place changes, the best new place first."""
    changes = [
        PlaceChange(player=player, before=before.get(player), after=after.get(player)) for player in {**before, **after}
    ]
    moved = [change for change in changes if change.before != change.after]
    return tuple(sorted(moved, key=lambda change: (change.after is None, change.after or 0, change.before or 0)))


def cut_changes(
    state: TournamentState, before: Sequence[SeatPlayed], after: Sequence[SeatPlayed], game_of: GameOf
) -> tuple[CutChange, ...]:
    """Every cut that would be different, the earliest first; only the results before and after are compared.

    Players who have left since are ignored on both sides, so that only the correction counts.
    """
    return tuple(change for change in _each_cut(state, before, after, game_of) if not change.is_none)


def outdated_cuts(state: TournamentState, played: Sequence[SeatPlayed], game_of: GameOf) -> tuple[CutChange, ...]:
    """Every cut that was made otherwise than it would be made now, the earliest first: a table was corrected since.

    Players are as they were at the cut: who has left or was replaced since would still have qualified.
    """
    changes = []
    for index, cut in enumerate(state.cuts):
        then = msgspec.structs.replace(state, cuts=state.cuts[:index], entrants=_entrants_at(state, cut))
        now = propose_cut(then, played, game_of(cut.stage))
        stay = set(cut.advancing) & set(now.advancing)
        # With a tie to break it is open who qualifies.
        is_open = bool(now.tasks)
        change = CutChange(
            stage=cut.stage,
            no_longer=() if is_open else tuple(player for player in cut.advancing if player not in stay),
            instead=() if is_open else tuple(player for player in now.advancing if player not in stay),
            carried={
                player: score_pair
                for player, score_pair in differing(cut.carried, now.carried).items()
                if player in stay
            },
            tasks=now.tasks,
        )
        if not change.is_none:
            changes.append(change)
    return tuple(changes)


def _entrants_at(state: TournamentState, cut: Cut) -> dict[str, Entrant]:
    """The entrants as they were at a cut: of those who no longer played then the cut knows why."""
    replaced_since = {
        player
        for player, entrant in state.entrants.items()
        if entrant.standing is Standing.SUBSTITUTED and player not in cut.gone
    }
    entrants = {}
    for player, entrant in state.entrants.items():
        if player in cut.gone:
            entrants[player] = msgspec.structs.replace(entrant, standing=cut.gone[player])
        elif entrant.standing in GONE:
            entrants[player] = msgspec.structs.replace(
                entrant, standing=Standing.ENTERED, left_after=None, replaced_by=None, replaced_in=None
            )
        elif entrant.plays_for in replaced_since:
            entrants[player] = msgspec.structs.replace(entrant, plays_for=None)
        else:
            entrants[player] = entrant
    return entrants


def prize_changes(
    state: TournamentState, before: Sequence[SeatPlayed], after: Sequence[SeatPlayed], entries: Entries, game_of: GameOf
) -> Changes:
    """Prizes that would change, once the last stage is seated."""
    plan = state.plan
    if plan is None or plan.is_rehearsal or not state.rounds or state.rounds[-1].stage < len(plan.stages):
        return {}
    was, now = (prize_sheet(plan, entries, finish_of(state, played, game_of)) for played in (before, after))
    return differing(was.prizes, now.prizes)


def differing(was: Mapping[str, int], now: Mapping[str, int]) -> Changes:
    """Amounts that differ between the two sides; a missing one is zero."""
    pairs = {key: (was.get(key, 0), now.get(key, 0)) for key in {**was, **now}}
    return {key: (old, new) for key, (old, new) in pairs.items() if old != new}


def _each_cut(
    state: TournamentState, before: Sequence[SeatPlayed], after: Sequence[SeatPlayed], game_of: GameOf
) -> Iterator[CutChange]:
    for index, cut in enumerate(state.cuts):
        then = msgspec.structs.replace(state, cuts=state.cuts[:index])
        game = game_of(cut.stage)
        was, now = propose_cut(then, before, game), propose_cut(then, after, game)
        change = _changed(cut.stage, was, now, back=_back_since(state, cut.stage))
        yield replace(change, seats=_seats_since(state, cut.stage, change.no_longer))


def _back_since(state: TournamentState, stage: int) -> set[str]:
    """Players who have re-entered after a stage with the score that they had left."""
    return {
        player
        for number in range(stage + 1, len(state.cuts) + 2)
        for player, start in starts(state, number).items()
        if start.left is not None and start.left.stage == stage
    }


def _changed(stage: int, was: CutProposal, now: CutProposal, *, back: set[str]) -> CutChange:
    stay = [player for player in was.advancing if player in set(now.advancing)]
    again = (back & {*was.left}) & {*now.left}
    brought = differing(was.carried | was.left, now.carried | now.left)
    return CutChange(
        stage=stage,
        no_longer=tuple(player for player in was.advancing if player not in stay),
        instead=tuple(player for player in now.advancing if player not in stay),
        carried={player: change for player, change in brought.items() if player in again.union(stay)},
        tasks=tuple(task for task in now.tasks if task not in was.tasks),
        reseeded=stay != [player for player in now.advancing if player in set(stay)],
    )


def _seats_since(state: TournamentState, stage: int, players: Sequence[str]) -> tuple[SeatHeld, ...]:
    """Where these players, or their substitutes, have been seated after a stage."""
    people = {state.playing_for(player): player for player in players}
    return tuple(
        SeatHeld(player=player, round=seated.round, table=table.number)
        for seated in state.rounds
        if seated.stage > stage
        for table in seated.running
        for player in table.players
        if player in people or player in players
    )
