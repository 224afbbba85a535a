"""The standings of a planned tournament: the current stage, then the players who were cut.

Rules: docs/rules/tournaments.md, "The leaderboard". Knows nothing of pages; a tournament without a plan is ordered by
scoring.sheets.leaderboard.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

import msgspec

from scoring.messages import Message, say
from scoring.money.payouts import Payout
from scoring.rules.table.standing import COUNTED, NUMBERS, SeatLine
from scoring.sheets.leaderboard import BoardRow, Numbers, plus
from scoring.tournament import TournamentState, load_tournament_state, standings
from scoring.tournament.prizes import consequences
from scoring.tournament.prizes.consequences import CutChange
from scoring.tournament.standings import CutProposal, propose_cut
from scoring.tournament.standings.results import Result, stage_of
from scoring.tournament.standings.tiebreaks import Ranked, deciding_lines
from scoring.tournament.state.played import SeatPlayed, score_text
from scoring.tournament.state.reentries import brought_into
from tournaments.models import EveningSheet, Player, Tournament
from tournaments.models.public_names import Names
from tournaments.projections.boards import order_of, seats_played
from tournaments.projections.terms import game_of, stage_terms
from tournaments.running.prize_money import pool_paid

_counts: Callable[[SeatPlayed], Sequence[int]] = attrgetter(*COUNTED)
_numbers: Callable[[SeatPlayed], Numbers] = attrgetter(*NUMBERS)
Lines = Mapping[tuple[int, int, str], SeatLine]


class PlayerNames(NamedTuple):
    """The kind of names that is read, and the names by player."""

    by: Names
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _StageView:
    """How a stage is shown: its number, the column for its score if it has one, and what broke ties.

    `latest_counts`: its score is that of the latest table. `brought` are the scores with which its tables began,
    `before` those of the stage before it by player.
    """

    number: int
    shown: str
    latest_counts: bool
    brought: Mapping[str, int]
    before: Mapping[str, str]
    decided: Mapping[str, Message]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Money:
    """What all tables of a tournament paid each player, and what its prize pool took and paid once it is closed."""

    tables: Mapping[str, int]
    pool: Payout | None

    def of(self, people: Sequence[str]) -> tuple[int | None, int | None, int | None]:
        """What the tables paid the people of a row, their prizes, and both less what they paid in."""
        paid = [self.tables[player] for player in people if player in self.tables]
        payout = sum(paid) if paid else None
        if self.pool is None:
            return payout, None, None
        prize = sum(self.pool.awards.get(player, 0) for player in people)
        charged = sum(self.pool.charges.get(player, 0) for player in people)
        return payout, prize, (payout or 0) + prize - charged


def stage_standings(
    tournament: Tournament, state: TournamentState, stage: int, played: Sequence[SeatPlayed]
) -> tuple[Ranked, ...]:
    """The standings of a stage, ties broken by the plan's tie-breaks and by those made by hand."""
    return standings.stage_standings(state, stage, played, game_of(tournament, state, stage))


def cut_proposal(tournament: Tournament, state: TournamentState) -> CutProposal:
    """The cut of the current stage if it were made now."""
    return propose_cut(state, seats_played(tournament, state), game_of(tournament, state, state.stage))


def outdated_cuts(tournament: Tournament, state: TournamentState) -> dict[int, Message]:
    """What no longer fits in the cuts that were made, by stage; nothing once the tournament is closed.

    In two queries if a cut was made.
    """
    if not state.cuts or state.is_closed:
        return {}
    played = seats_played(tournament, state)
    changes = consequences.outdated_cuts(state, played, lambda stage: game_of(tournament, state, stage))
    players = {player for change in changes for player in (*change.no_longer, *change.instead, *change.carried)}
    name_rows = Player.objects.filter(id__in=players).values_list("id", "name") if players else ()
    names = {str(player): name for player, name in name_rows}

    return {change.stage: _outdated_text(change, names) for change in changes}


def _outdated_text(change: CutChange, names: Mapping[str, str]) -> Message:
    """What about a cut no longer fits, with the names of the players."""
    through, out = (tuple(names.get(each, each) for each in of) for of in (change.instead, change.no_longer))
    if change.tasks:
        return say("a table was corrected since the cut: a tie must be broken")
    if through and out:
        return say("{list} would qualify, {names} would not", list=through, names=out)
    if through:
        return say("{list} would qualify", list=through)
    if out:
        return say("{list} would not qualify", list=out)
    return say("carried scores differ: {list}", list=tuple(names.get(each, each) for each in change.carried))


def planned_rows(
    tournament: Tournament, state: TournamentState, played: tuple[SeatPlayed, ...], lines: Lines
) -> tuple[BoardRow, ...]:
    """All players who have had a seat: the latest stage first, then of each earlier one those who did not qualify.

    `lines` has every seat of the tournament, also of tables that do not count.
    """
    rows: list[BoardRow] = []
    money = _Money(tables=_paid_by_tables(lines), pool=pool_paid(tournament, state, played))
    order = order_of(tournament, state, played)
    for stage_places in order:
        before = next(
            (earlier_places.standings for earlier_places in order if earlier_places.stage == stage_places.stage - 1), ()
        )
        view = _view(tournament, state, stage_places.stage, stage_places.standings, before)
        rows += [_board_row(row, view, lines, money) for row in stage_places.rows]
    return tuple(rows)


def names_for(rows: Sequence[BoardRow], called: PlayerNames, state: TournamentState | None = None) -> dict[str, str]:
    """The names of all players on a board, including players without a seat yet.

    These are substitutes who play on with another's score, and the players they replaced.
    """
    people = state.entrants.values() if state is not None else ()
    places = {player for entrant in people if entrant.plays_for for player in (entrant.player, entrant.plays_for)}
    unseated = ({row.line.player for row in rows} | places) - set(called.names)
    if not unseated:
        return dict(called.names)
    name_rows = Player.objects.filter(id__in=unseated).values_list("id", called.by)
    return {**called.names, **{str(player): name for player, name in name_rows}}


def tournament_state(tournament_id: UUID) -> TournamentState | None:
    """The state of a planned tournament; None without a plan."""
    sheets = EveningSheet.objects.filter(tournament_id=tournament_id, has_plan=True)
    state = sheets.values_list("state", flat=True).first()
    return None if state is None else load_tournament_state(state)


def _paid_by_tables(lines: Lines) -> dict[str, int]:
    """What each player won or lost at tables that have paid, all stages together."""
    paid: dict[str, int] = {}
    for line in lines.values():
        if line.payout_minor is not None:
            paid[line.player] = paid.get(line.player, 0) + line.payout_minor
    return paid


def _view(
    tournament: Tournament, state: TournamentState, number: int, standings: Sequence[Ranked], before: Sequence[Ranked]
) -> _StageView:
    terms = stage_terms(tournament, state, number)
    stage = stage_of(state.plan, number) if state.plan else None
    compares = stage.compares if stage else "score"
    return _StageView(
        number=number,
        shown=terms.rules.race if compares == "score" else "",
        latest_counts=compares == "score" and not terms.rules.adds_up,
        brought=brought_into(state, number) if stage and terms.brings_totals(stage) else {},
        before={
            player: score_text(row.result.score) for row in before if row.result.seats for player in row.result.people
        },
        decided=deciding_lines(standings, state.plan.tie_breaks if state.plan else ()),
    )


def _board_row(row: Ranked, view: _StageView, lines: Lines, money: _Money) -> BoardRow:
    """A row of the board: the totals of the stage, at the table where the player sat last."""
    result, last = row.result, row.result.seats[-1]
    own = lines[last.round, last.table, last.player]
    is_whole = view.shown and result.score.denominator == 1
    payout, prize, net = money.of(result.people)
    line = msgspec.structs.replace(
        own,
        player=row.player,
        rank_key=(row.place,),
        **({} if view.latest_counts else _added(result, view)),
        **dict(zip(COUNTED, map(sum, zip(*map(_counts, result.seats), strict=True)), strict=True)),
        deals_played=result.deals,
        payout_minor=payout,
        is_in=own.is_in and result.is_here,
        # Perhaps between two rounds, where no table shows it.
        has_left=(own.has_left and last.player == row.player) or not result.is_here,
    )
    if is_whole:
        line = msgspec.structs.replace(line, **{view.shown: int(result.score)})
    return BoardRow(
        place=row.place,
        is_tied=row.is_tied,
        line=line,
        stage=view.number,
        score=score_text(result.score),
        decided=view.decided.get(row.player, ""),
        before=next((view.before[player] for player in result.people if player in view.before), ""),
        prize_minor=prize,
        net_minor=net,
    )


def _added(result: Result, view: _StageView) -> dict[str, int | None]:
    """The numbers of all tables of the stage together, without what its tables began with.

    Where players were moved, the last table of the round has continued the numbers of those before it.
    """
    seats = {seat.round: seat for seat in result.seats}.values()
    numbers = dict(zip(NUMBERS, reduce(plus, map(_numbers, seats)), strict=True))
    brought = sum(view.brought.get(seat.player, 0) for seat in seats)
    return numbers | {"total": (numbers["total"] or 0) - brought} if brought else numbers
