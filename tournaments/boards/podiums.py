"""Who is in front at some tournaments at once: the first places of each, as its board would have them.

For lists of tournaments, where no whole board is drawn. Ties that only a last deal would break are left as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from scoring.evening import Evening, load_evening
from scoring.rules.variants import variant
from scoring.sheets.leaderboard import BoardRow, leaderboard
from tournaments.evenings.queries.stages import Called, names_for, planned_rows
from tournaments.models import EveningSheet, Tournament
from tournaments.models.public_names import Names
from tournaments.projections.played import NamedLine, lines_by_tournament, played_from
from tournaments.rendering.left_out import pairs_of

MOST_IN_FRONT = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class InFront:
    """One of the first places. `number` is what the game counts; `score` what a stage compares, as text."""

    place: int
    is_tied: bool
    name: str
    number: int | None
    score: str = ""


def planned_evenings(tournaments: Sequence[Tournament]) -> dict[UUID, Evening]:
    """The evenings of those that have a plan, in one query."""
    states = EveningSheet.objects.filter(tournament__in=tournaments, has_plan=True)
    return {sheet.pk: evening for sheet, evening in pairs_of(states.only("state"), lambda row: load_evening(row.state))}


def in_front(
    tournaments: Sequence[Tournament], evenings: Mapping[UUID, Evening], *, most: int = MOST_IN_FRONT
) -> dict[UUID, tuple[InFront, ...]]:
    """The first places of each tournament, in one query; nobody before the first deal."""
    lines = lines_by_tournament([tournament.id for tournament in tournaments]) if tournaments else {}
    played = [each for each in tournaments if any(named.line.deals_played for named in lines[each.id])]

    def places(tournament: Tournament) -> tuple[InFront, ...]:
        seats = lines[tournament.id]
        return _told(tournament, _rows(tournament, evenings.get(tournament.id), seats)[:most], seats)

    return {tournament.id: front for tournament, front in pairs_of(played, places)}


def _rows(tournament: Tournament, evening: Evening | None, seats: Sequence[NamedLine]) -> tuple[BoardRow, ...]:
    """By stages where the evening is planned; else the tables that were not given up, added up or the latest one."""
    if evening is not None:
        played = played_from(tournament, evening, [(each.line, each.place, each.is_cancelled) for each in seats], {})
        by_seat = {(each.line.round, each.line.table, each.line.player): each.line for each in seats}
        return planned_rows(tournament, evening, played, by_seat)
    counting = (each.line for each in seats if each.line.deals_played and not each.is_cancelled)
    return leaderboard(counting, adds_up=variant(tournament.variant).adds_up)


def _told(tournament: Tournament, rows: Sequence[BoardRow], seats: Sequence[NamedLine]) -> tuple[InFront, ...]:
    names = names_for(rows, Called(Names.PUBLIC, {each.line.player: each.name for each in seats}))
    race = variant(tournament.variant).race
    return tuple(
        InFront(
            place=row.place,
            is_tied=row.is_tied,
            name=names[row.line.player],
            number=getattr(row.line, race),
            score=row.score,
        )
        for row in rows
    )
