"""Closed nights of the same few players, and a season over them.

played(club, "Asha", "Bo", "Cy"): one pool of 101 of a night, in which they finish in this order.
"""

from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from scoring.seasons import SeasonStandings, load_standings
from tests.builders.playing import NOW, Playing, context, loses, new_tournament, show
from tournaments.models import Club, Player, Season, SeasonTable, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.close import close_tournament
from tournaments.seasons.commands import SeasonDraft, create_season
from tournaments.seasons.commands.update import bring_up
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table

LATER = datetime(2026, 6, 1, tzinfo=UTC)
SECONDS = count(1)
POINTS = (10, 6, 3)


def player(club: Club, name: str) -> Player:
    """The club's player of this name, created if necessary."""
    found = Player.objects.filter(club=club, name=name).first()
    return found or add_players(club, [name])[0]


def seated(tournament: Tournament, *names: str, number: int = 1) -> Playing:
    """A table of players who may have played on other nights."""
    seats = [SeatedPlayer(number=place, player=player(tournament.club, name).id) for place, name in enumerate(names, 1)]
    return Playing(row=open_table(tournament, TableDraft(number=number, seats=seats), context=context()))


def finish(table: Playing, players: int) -> Playing:
    """The first seat wins; each other one is out with more points than the one before."""
    table.deal(1, show, *(loses(60 + seat) for seat in range(2, players + 1)))
    table.deal(2, show, *(loses(60 + seat) for seat in range(2, players + 1)))
    table.close()
    return table


def played(club: Club, *names: str, day: int = 0, is_closed: bool = True, **fields: Any) -> Playing:
    """One table of a night, so many days after the first, with its players in the order in which they finish."""
    tournament = new_tournament(club, starts_at=NOW + timedelta(days=day), name=f"Night {day}", **fields)
    table = finish(seated(tournament, *names), len(names))
    if is_closed:
        close_tournament(tournament.id, context=context())
    return table


def season(club: Club, **fields: Any) -> Season:
    """A season of the half year of all these nights."""
    formula = {"place_points": list(POINTS), **fields.pop("formula", {})}
    draft = {"name": "Spring", "starts_on": date(2026, 1, 1), "ends_on": date(2026, 5, 31), "is_published": True}
    return create_season(club, SeasonDraft(**{**draft, "formula": formula, **fields}))


def caught_up(club: Club) -> None:
    """Run the worker until nothing is due, each time a second later."""
    bring_up(club.id, now=LATER + timedelta(seconds=next(SECONDS)))


def standings(of: Season) -> SeasonStandings:
    return load_standings(SeasonTable.objects.get(season=of).state)


def shown(of: Season, table: int = 0) -> list[str]:
    """The standings as a reader sees them: place, name, total."""
    names = {str(player.id): player.name for player in Player.objects.filter(club=of.club_id)}
    rows = standings(of).tables[table].rows
    return [f"{row.place or '-'} {names[row.player]} {row.total}" for row in rows]
