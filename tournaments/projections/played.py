"""What was played at the tables of a planned evening, read for those who order it: boards and cuts alike.

Only tables that the evening seated count: one that was given up does not, one whose players were moved does.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from scoring.evening import Evening
from scoring.evening.standings.results import stage_of
from scoring.evening.state.played import Game, SeatPlayed
from scoring.money.payouts import Stakes
from scoring.options import read_options
from scoring.rules.table.standing import SeatLine, SeatView
from scoring.rules.table.table import Table
from scoring.rules.table.variant import AnySetup, Setup
from scoring.rules.variants import variant
from scoring.sheets.scoresheet import sheet_lines
from scoring.sheets.snapshots import load_table
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.projections.boards import STORED, line_of

LastDeals = Mapping[tuple[int, int, str], int]
_SEAT = ("tournament_id", "player_id", "table__number", "place")
_BESIDE = ("table__scoresheet__is_cancelled", "player__public_name")
# What a seat that was played has of its line.
_VIEW = SeatView.__struct_fields__


def setup_of(tournament: Tournament, options: Mapping[str, Any] | None = None) -> AnySetup:
    """The house options of a tournament's tables before anybody is seated; a stage's `options` go over them."""
    rules = variant(tournament.variant)
    given = {**tournament.options, **(options or {})}
    read = read_options(rules.options_type, given, rules.defaults(given, rules.seats_allowed[0]))
    return Setup(options=read, stakes=Stakes(), seats=())


def game_of(tournament: Tournament, evening: Evening, stage: int) -> Game:
    """How the game of a stage counts."""
    rules = variant(tournament.variant)
    options = stage_of(evening.plan, stage).options if evening.plan else {}
    return Game(adds_up=rules.adds_up, low_is_good=rules.low_is_good(setup_of(tournament, options)))


class NamedLine(NamedTuple):
    """One seat's standing with its place, whether its table was given up, and the player's public name."""

    line: SeatLine
    place: int | None
    is_cancelled: bool
    name: str


def seats_played(tournament: Tournament, evening: Evening) -> tuple[SeatPlayed, ...]:
    """Every seat of the evening as its standings have it, in one query; in two where the last deal breaks ties."""
    return played_by_tournament([(tournament, evening)])[tournament.id]


def played_by_tournament(evenings: Sequence[tuple[Tournament, Evening]]) -> dict[UUID, tuple[SeatPlayed, ...]]:
    """The same for many evenings, in as many queries."""
    named = lines_by_tournament([tournament.id for tournament, _ in evenings])
    last_deals = _last_deals_by_tournament([each.id for each, evening in evenings if asks_for_last_deals(evening)])
    return {
        tournament.id: played_from(
            tournament,
            evening,
            [(each.line, each.place, each.is_cancelled) for each in named[tournament.id]],
            last_deals.get(tournament.id, {}),
        )
        for tournament, evening in evenings
    }


def lines_by_tournament(tournaments: Collection[UUID]) -> dict[UUID, list[NamedLine]]:
    """Every seat of some tournaments, in one query."""
    rows = (
        Standing.objects.filter(tournament_id__in=tournaments)
        .order_by("round", "table__number", "seat_number")
        .values_list(*_SEAT, *_BESIDE, *STORED)
    )
    found: dict[UUID, list[NamedLine]] = {tournament: [] for tournament in tournaments}
    for tournament, player, table, place, is_cancelled, name, *stored in rows:
        line = line_of(player, table, stored)
        found[tournament].append(NamedLine(line=line, place=place, is_cancelled=is_cancelled, name=name))
    return found


def played_from(
    tournament: Tournament,
    evening: Evening,
    lines: Iterable[tuple[SeatLine, int | None, bool]],
    last_deals: LastDeals,
) -> tuple[SeatPlayed, ...]:
    """Seats with their place, and whether their table was given up, as far as the evening seated them."""
    moved = {(seated.round, t.number): t.is_over for seated in evening.rounds for t in seated.tables}
    race = variant(tournament.variant).race
    return tuple(
        _seat(line, place or 1, getattr(line, race) or 0, last_deals.get((line.round, line.table, line.player)))
        for line, place, is_cancelled in lines
        if (is_over := moved.get((line.round, line.table))) is not None and (is_over or not is_cancelled)
    )


def asks_for_last_deals(evening: Evening) -> bool:
    """The plan breaks ties by the last deal."""
    return evening.plan is not None and "last_deal" in evening.plan.tie_breaks


def read_last_deals(tournament_id: UUID) -> dict[tuple[int, int, str], int]:
    """What the last deal of each table changed for each of its players, in one query."""
    return _last_deals_by_tournament([tournament_id])[tournament_id]


def _last_deals_by_tournament(tournaments: Collection[UUID]) -> dict[UUID, dict[tuple[int, int, str], int]]:
    """The same for many tournaments; no query where there are none."""
    found: dict[UUID, dict[tuple[int, int, str], int]] = {tournament: {} for tournament in tournaments}
    if not found:
        return found
    sheets = Scoresheet.objects.filter(table__tournament_id__in=tournaments, deals__gt=0)
    for tournament, number, table, state in sheets.values_list(
        "table__tournament_id", "table__round", "table__number", "state"
    ):
        for player, points in last_deal_of(load_table(state)).items():
            found[tournament][number, table, player] = points
    return found


def last_deal_of(table: Table) -> dict[str, int]:
    """What the last counting deal of a table changed, by player."""
    race = table.rules.race
    start = table.rules.seats(table.setup, table.rules.start(table.setup))
    before = {seat: getattr(view, race) or 0 for seat, view in start.items()}
    changed: dict[str, int] = {}
    for line in sheet_lines(table):
        if line.is_void:
            continue
        now = {seat: getattr(cell, race) or 0 for seat, cell in line.cells.items()}
        if line.deal is not None:
            changed = {table.players[seat]: now[seat] - before[seat] for seat in now}
        before = now
    return changed


def _seat(line: SeatLine, place: int, score: int, last_deal: int | None) -> SeatPlayed:
    return SeatPlayed(
        **{name: getattr(line, name) for name in _VIEW},
        player=line.player,
        round=line.round,
        table=line.table,
        score=score,
        place=place,
        deals=line.deals_played,
        is_finished=line.is_finished,
        last_deal=last_deal,
    )
