"""A tournament of several stages, played from its entries to the final."""

from scoring.facts import wire
from tests.builders.playing import Playing, context, loses, new_club, new_tournament, show
from tournaments.boards import board
from tournaments.evenings.commands.cut import make_cut
from tournaments.evenings.commands.record import evening_of, record_all_in_evening
from tournaments.evenings.queries.stages import stage_standings
from tournaments.models import Tournament
from tournaments.people.players import add_players
from tournaments.projections.boards import seats_played
from tournaments.seating.commands.seat import seat_round

NAMES = ("Asha", "Bo", "Cy", "Dev")


class Night:
    """A tournament with a plan, the cast entered, and its tables by round."""

    def __init__(self, plan, preset="pool_101", names=NAMES, **extra):
        club = new_club()
        self.tournament = new_tournament(club, preset=preset, **extra)
        self.players = [str(player.id) for player in add_players(club, names)]
        self.names = dict(zip(self.players, names, strict=True))
        entries = [wire.PlayerEntered(player=player) for player in self.players]
        record_all_in_evening(self.tournament.id, [wire.PlanMade(plan=plan), *entries], context=context())
        self.round = 0

    def seat(self, *tables):
        """A round, tables as the places of players in the cast."""
        self.round += 1
        seated = tuple((n, tuple(self.players[at] for at in table)) for n, table in enumerate(tables, 1))
        fact = wire.RoundSeated(
            stage=evening_of(self.tournament).stage, round=self.round, tables=seated, method="draw", seed="s"
        )
        return [Playing(row=row) for row in seat_round(self.tournament.id, fact, context=context()).tables]

    def cut(self, **extra):
        return make_cut(self.tournament.id, context=context(**extra)).evening

    def line(self, at, stage=None):
        """A player's line in a stage, by default the current one; None where there is none."""
        evening = evening_of(self.tournament)
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
