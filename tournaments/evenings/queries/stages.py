"""The standings of a planned evening: the current stage, then the players who were cut.

Rules: docs/rules/tournaments.md, "The leaderboard". Knows nothing of pages; a tournament without a plan is ordered by
scoring.sheets.leaderboard.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import NamedTuple
from uuid import UUID

import msgspec

from scoring.evening import Evening, load_evening, standings
from scoring.evening.standings import CutProposal, propose_cut
from scoring.evening.standings.results import stage_of
from scoring.evening.standings.tiebreaks import Ranked, deciding_lines
from scoring.evening.state.played import SeatPlayed, score_text
from scoring.messages import Message
from scoring.rules.table.standing import COUNTED, SeatLine
from scoring.sheets.leaderboard import BoardRow
from tournaments.models import EveningSheet, Player, Tournament
from tournaments.models.public_names import Names
from tournaments.projections.boards import order_of, seats_played
from tournaments.projections.terms import game_of, stage_terms

_counts: Callable[[SeatPlayed], Sequence[int]] = attrgetter(*COUNTED)
Lines = Mapping[tuple[int, int, str], SeatLine]


class PlayerNames(NamedTuple):
    """The kind of names that is read, and the names by player."""

    by: Names
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _StageView:
    """How a stage is shown: its number, the column for its score if it has one, and what broke ties."""

    number: int
    shown: str
    decided: Mapping[str, Message]


def stage_standings(
    tournament: Tournament, evening: Evening, stage: int, played: Sequence[SeatPlayed]
) -> tuple[Ranked, ...]:
    """The standings of a stage, ties broken by the plan's tie-breaks and by those made by hand."""
    return standings.stage_standings(evening, stage, played, game_of(tournament, evening, stage))


def cut_proposal(tournament: Tournament, evening: Evening) -> CutProposal:
    """The cut of the current stage if it were made now."""
    return propose_cut(evening, seats_played(tournament, evening), game_of(tournament, evening, evening.stage))


def planned_rows(
    tournament: Tournament, evening: Evening, played: tuple[SeatPlayed, ...], lines: Lines
) -> tuple[BoardRow, ...]:
    """All players who have had a seat: the latest stage first, then of each earlier one those who did not qualify."""
    rows: list[BoardRow] = []
    for found in order_of(tournament, evening, played):
        view = _view(tournament, evening, found.stage, found.standings)
        rows += [_board_row(row, view, lines) for row in found.rows]
    return tuple(rows)


def names_for(rows: Sequence[BoardRow], called: PlayerNames, evening: Evening | None = None) -> dict[str, str]:
    """The names of all players on a board, including players without a seat yet.

    These are substitutes who play on with another's score, and the players they replaced.
    """
    people = evening.entrants.values() if evening is not None else ()
    places = {each for one in people if one.plays_for for each in (one.player, one.plays_for)}
    unseated = ({row.line.player for row in rows} | places) - set(called.names)
    if not unseated:
        return dict(called.names)
    found = Player.objects.filter(id__in=unseated).values_list("id", called.by)
    return {**called.names, **{str(player): name for player, name in found}}


def evening_of(tournament_id: UUID) -> Evening | None:
    """The evening of a planned tournament; None without a plan."""
    sheets = EveningSheet.objects.filter(tournament_id=tournament_id, has_plan=True)
    state = sheets.values_list("state", flat=True).first()
    return None if state is None else load_evening(state)


def _view(tournament: Tournament, evening: Evening, number: int, standings: Sequence[Ranked]) -> _StageView:
    compares = stage_of(evening.plan, number).compares if evening.plan else "score"
    shown = stage_terms(tournament, evening, number).rules.race if compares == "score" else ""
    return _StageView(number=number, shown=shown, decided=deciding_lines(standings))


def _board_row(row: Ranked, view: _StageView, lines: Lines) -> BoardRow:
    """A row of the board: the totals of the stage, at the table where the player sat last."""
    result, last = row.result, row.result.seats[-1]
    own = lines[last.round, last.table, last.player]
    is_whole = view.shown and result.score.denominator == 1
    line = msgspec.structs.replace(
        own,
        player=row.player,
        rank_key=(row.place,),
        **dict(zip(COUNTED, map(sum, zip(*map(_counts, result.seats), strict=True)), strict=True)),
        deals_played=result.deals,
        is_in=own.is_in and result.is_here,
        **({view.shown: int(result.score)} if is_whole else {}),
    )
    return BoardRow(
        place=row.place,
        is_tied=row.is_tied,
        line=line,
        stage=view.number,
        score=score_text(result.score),
        decided=view.decided.get(row.player, ""),
    )
