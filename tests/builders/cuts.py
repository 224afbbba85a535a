"""A tournament whose cut is made and whose final is seated: what a correction of a heat then outdates."""

from scoring.events import wire
from tests.builders.admin_tables import NOW, Evening
from tests.builders.playing import Playing, context, loses, show
from tournaments.models import Club
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament
from tournaments.running.commands.cut import make_cut
from tournaments.running.commands.record import record_all_in_tournament
from tournaments.seating.commands.seat import seat_round

PLAN = {
    "stages": [{"smallest_table": 2, "advancing": 2, "name": "Heats"}, {"smallest_table": 2, "name": "Final"}],
    "tie_breaks": ["high_card"],
}


def a_cut_and_a_final(club: Club) -> Evening:
    """Asha beat Bo by 10 and Cy beat Dev by 40; the winners are seated in the final. The table is Asha's and Bo's."""
    draft = TournamentDraft(name="Cup", preset="points", starts_at=NOW, point_value_minor=100)
    tournament = create_tournament(club, draft, context=context())
    players = [str(player.id) for player in add_players(club, ("Asha", "Bo", "Cy", "Dev"))]
    entries = [wire.PlayerEntered(player=player) for player in players]
    record_all_in_tournament(tournament.id, [wire.PlanMade(plan=PLAN), *entries], context=context())
    heats = ((1, tuple(players[:2])), (2, tuple(players[2:])))
    seated = wire.RoundSeated(stage=1, round=1, tables=heats, method="draw", seed="s")
    tables = [Playing(row=row) for row in seat_round(tournament.id, seated, context=context()).tables]
    for table, lost in zip(tables, (10, 40), strict=True):
        table.deal(1, show, loses(lost), actor="user:0")
        table.record({"kind": "table_closed"}, actor="user:0")
    make_cut(tournament.id, context=context())
    final = wire.RoundSeated(stage=2, round=2, tables=((1, (players[2], players[0])),), method="draw", seed="s")
    seat_round(tournament.id, final, context=context())
    return Evening(club=club, tournament=tournament, table=tables[0].row)
