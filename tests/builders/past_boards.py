"""A planned tournament whose earlier boards are asked for."""

from scoring.events import wire
from tests.builders.public_tables import Seated, a_club, a_tournament, context
from tournaments.models import Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.seating.commands.seat import seat_round


def planned(*, tie_breaks: tuple[str, ...] = ("deals_won", "last_deal", "lots")) -> tuple[Tournament, list[str]]:
    """A planned tournament of eight with two rounds of two tables."""
    club = a_club()
    tournament = a_tournament(club, "points")
    players = [str(player.id) for player in add_players(club, [f"Player {n}" for n in range(1, 9)])]
    plan = {"stages": [{"rounds": 2, "preferred_table": 4}], "tie_breaks": list(tie_breaks)}
    record_in_tournament(tournament.id, wire.PlanMade(plan=plan), context=context())
    record_all_in_tournament(tournament.id, [wire.PlayerEntered(player=p) for p in players], context=context())
    return tournament, players


def seated(tournament: Tournament, number: int, *tables: list[str]) -> list[Seated]:
    drawn = tuple((at, tuple(players)) for at, players in enumerate(tables, start=1))
    event = wire.RoundSeated(stage=1, round=number, tables=drawn, method="draw", seed="s")
    return [Seated(row) for row in seat_round(tournament.id, event, context=context()).tables]
