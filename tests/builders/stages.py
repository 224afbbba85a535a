"""A tournament of several stages, played from its entries to the final."""

from scoring.events import wire
from tests.builders.playing import Playing, context, loses, new_club, new_tournament, show
from tournaments.boards import board
from tournaments.models import Tournament
from tournaments.people.players import add_players
from tournaments.projections.boards import seats_played
from tournaments.running.commands.cut import make_cut
from tournaments.running.commands.record import record_all_in_tournament, tournament_state
from tournaments.running.queries.stages import stage_standings
from tournaments.seating.commands.seat import seat_round

NAMES = ("Asha", "Bo", "Cy", "Dev")
SIX = (*NAMES, "Eli", "Fay")


class Night:
    """A tournament with a plan, the cast entered, and its tables by round."""

    def __init__(self, plan, preset="pool_101", names=NAMES, club=None, **extra):
        club = club or new_club()
        self.tournament = new_tournament(club, preset=preset, **extra)
        self.players = [str(player.id) for player in add_players(club, names)]
        self.names = dict(zip(self.players, names, strict=True))
        entries = [wire.PlayerEntered(player=player) for player in self.players]
        record_all_in_tournament(self.tournament.id, [wire.PlanMade(plan=plan), *entries], context=context())
        self.round = 0

    def seat(self, *tables):
        """A round, tables as the places of players in the cast."""
        self.round += 1
        seated = tuple((n, tuple(self.players[at] for at in table)) for n, table in enumerate(tables, 1))
        event = wire.RoundSeated(
            stage=tournament_state(self.tournament).stage, round=self.round, tables=seated, method="draw", seed="s"
        )
        return [Playing(row=row) for row in seat_round(self.tournament.id, event, context=context()).tables]

    def cut(self, **extra):
        return make_cut(self.tournament.id, context=context(**extra)).state

    def line(self, at, stage=None):
        """A player's line in a stage, by default the current one; None where there is none."""
        evening = tournament_state(self.tournament)
        rows = stage_standings(self.tournament, evening, stage or evening.stage, seats_played(self.tournament, evening))
        return next((row for row in rows if self.players[at] in row.result.people), None)

    @property
    def board(self):
        return board(Tournament.objects.select_related("club").get(id=self.tournament.id))

    def shown(self):
        """The board as place and name."""
        found = self.board
        return [(row.place, found.names[row.line.player]) for row in found.rows]


def pool_won_in(table, deals, *, first=True):
    """A pool table of two that one seat wins, the other going out after this many deals."""
    for number in range(1, deals + 1):
        lost = loses(80) if number < deals else loses(30)
        table.deal(number, *((show, lost) if first else (lost, show)))
    table.close()


def short_tables():
    """Two tables of three at which Cy and Fay have gone out."""
    night = Night({"stages": [{"smallest_table": 2}]}, names=SIX)
    tables = night.seat((0, 1, 2), (3, 4, 5))
    for table in tables:
        table.deal(1, show, loses(30), loses(80))
        table.deal(2, show, loses(10), loses(30))
    return night, tables


def together(players, number=3, **extra):
    """Those who are still in at the short tables go on at one."""
    left = (players[0], players[1], players[3], players[4])
    return wire.PlayersMoved(**{"round": 1, "instead_of": (1, 2), "tables": ((number, left),), **extra})
