"""The standings of a planned evening: the stage in force, then those who were cut, and what each score is made of.

Rules: docs/rules/tournaments.md, "The leaderboard". Knows nothing of pages; a tournament without a plan is ordered by
scoring.sheets.leaderboard.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import msgspec

from scoring.evening import Evening, load_evening
from scoring.evening.standings import places
from scoring.evening.standings.explaining import Change, ExplainedPart, SeatSheet, explained
from scoring.evening.standings.places import CutProposal, evening_places, last_stage, propose_cut
from scoring.evening.standings.results import Result, stage_of
from scoring.evening.standings.tiebreaks import Ranked, deciding_lines
from scoring.evening.state.played import SeatPlayed, What, said
from scoring.messages import Message, Words, say
from scoring.rules.table.standing import COUNTED, SeatLine
from scoring.rules.table.table import Table
from scoring.rules.variants import variant
from scoring.sheets.leaderboard import BoardRow
from scoring.sheets.scoresheet import SheetLine, sheet_lines
from scoring.sheets.snapshots import load_table
from scoring.sheets.telling import KIND_TITLES
from tournaments.models import EveningSheet, Player, Scoresheet, Tournament
from tournaments.models.public_names import Names
from tournaments.projections.boards import game_of, seats_played

Lines = Mapping[tuple[int, int, str], SeatLine]


class Called(NamedTuple):
    """Which names are read, and those that were, by player."""

    by: Names
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One player's score in a stage with everything that made it, and what put them before or behind a level one."""

    stage: int
    row: Ranked
    parts: tuple[ExplainedPart, ...]
    decided: Words = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _StageView:
    """How a stage is shown: its number, the column its score stands in where it fits one, and what decided."""

    number: int
    shown: str
    decided: Mapping[str, Message]


def stage_standings(
    tournament: Tournament, evening: Evening, stage: int, played: Sequence[SeatPlayed]
) -> tuple[Ranked, ...]:
    """A stage in order, ties broken as far as the plan's chain and what was settled by hand go."""
    return places.stage_standings(evening, stage, played, game_of(tournament, evening, stage))


def cut_proposal(tournament: Tournament, evening: Evening) -> CutProposal:
    """Who would go on from the stage that is being played, as it stands."""
    return propose_cut(evening, seats_played(tournament, evening), game_of(tournament, evening, evening.stage))


def planned_rows(
    tournament: Tournament, evening: Evening, played: Sequence[SeatPlayed], lines: Lines
) -> tuple[BoardRow, ...]:
    """Everybody who has had a seat: the latest stage first, of each earlier one those who went no further."""
    rows: list[BoardRow] = []
    for found in evening_places(evening, played, lambda stage: game_of(tournament, evening, stage)):
        view = _view(tournament, evening, found.stage, found.standings)
        rows += [_board_row(row, view, lines) for row in found.rows]
    return tuple(rows)


def names_for(rows: Sequence[BoardRow], called: Called) -> dict[str, str]:
    """The names of everybody on a board. Whoever plays on with another's score may have had no seat yet."""
    unseated = {row.line.player for row in rows} - set(called.names)
    if not unseated:
        return dict(called.names)
    found = Player.objects.filter(id__in=unseated).values_list("id", called.by)
    return {**called.names, **{str(player): name for player, name in found}}


def explain(tournament: Tournament, player: str, stage: int | None = None) -> Explanation | None:
    """What a player's score in a stage is made of, in four queries; None where the player is not in it."""
    evening = evening_of(tournament.id)
    if evening is None:
        return None
    number = stage or min(evening.stage, last_stage(evening))
    standings = stage_standings(tournament, evening, number, seats_played(tournament, evening))
    row = next((row for row in standings if player in row.result.people), None)
    if row is None:
        return None
    sheets = dict(_seat_sheets(tournament, row.result))
    brought = sum(part.points for part in row.result.parts if part.what in (What.CARRIED, What.REENTRY))
    counts_on = not variant(tournament.variant).adds_up
    return Explanation(
        stage=number,
        row=row,
        parts=explained(row.result, sheets, brought=int(brought) if counts_on else 0),
        decided=deciding_lines(standings).get(row.player, ""),
    )


def evening_of(tournament_id: UUID) -> Evening | None:
    """The evening of a planned tournament; None without a plan."""
    sheets = EveningSheet.objects.filter(tournament_id=tournament_id, has_plan=True)
    state = sheets.values_list("state", flat=True).first()
    return None if state is None else load_evening(state)


def seat_sheet(table: Table, player: str) -> SeatSheet | None:
    """A player's number at a table from its start, line by line."""
    seat = next((seat for seat, who in table.players.items() if who == player), None)
    if seat is None:
        return None
    race = table.rules.race
    start = getattr(table.rules.seats(table.setup, table.rules.start(table.setup))[seat], race) or 0
    return SeatSheet(starts_with=start, changes=tuple(_changes(table, seat, start)))


def _changes(table: Table, seat: str, stands: int) -> Iterator[Change]:
    """The lines that moved a seat's number, and every deal."""
    for line in sheet_lines(table):
        if line.is_void:
            continue
        now = getattr(line.cells[seat], table.rules.race) or 0
        if line.deal is not None or now != stands:
            corrected = bool(line.corrected_at)
            yield Change(
                text=_line_said(line),
                points=now - stands,
                version=line.version,
                is_corrected=corrected,
            )
        stands = now


def _line_said(line: SheetLine) -> Message:
    if line.deal is None:
        return KIND_TITLES[line.kind]
    if line.corrected_at:
        return say("Deal {deal} corrected", deal=line.deal)
    return say("Deal {deal}", deal=line.deal)


def _seat_sheets(tournament: Tournament, result: Result) -> Iterator[tuple[tuple[int, int], SeatSheet]]:
    """The sheets of the tables that a result was played at, in one query."""
    seats = {(seat.round, seat.table): seat.player for seat in result.seats}
    rows = Scoresheet.objects.filter(
        table__tournament_id=tournament.id,
        table__round__in={number for number, _ in seats},
        table__number__in={number for _, number in seats},
    ).values_list("table__round", "table__number", "state")
    for number, table, state in rows:
        if (number, table) in seats:
            sheet = seat_sheet(load_table(state), seats[number, table])
            if sheet is not None:
                yield (number, table), sheet


def _view(tournament: Tournament, evening: Evening, number: int, standings: Sequence[Ranked]) -> _StageView:
    compares = stage_of(evening.plan, number).compares if evening.plan else "score"
    shown = variant(tournament.variant).race if compares == "score" else ""
    return _StageView(number=number, shown=shown, decided=deciding_lines(standings))


def _board_row(row: Ranked, view: _StageView, lines: Lines) -> BoardRow:
    """A line of the board: the numbers of the stage, at the table where the player sat last."""
    result = row.result
    own = [lines[seat.round, seat.table, seat.player] for seat in result.seats]
    is_whole = view.shown and result.score.denominator == 1
    line = msgspec.structs.replace(
        own[-1],
        player=row.player,
        rank_key=(row.place,),
        **{name: result.counted(name) for name in COUNTED},
        deals_played=result.deals,
        is_in=own[-1].is_in and result.is_here,
        **({view.shown: int(result.score)} if is_whole else {}),
    )
    return BoardRow(
        place=row.place,
        is_tied=row.is_tied,
        line=line,
        stage=view.number,
        score=said(result.score),
        decided=view.decided.get(row.player, ""),
    )
