"""A table whose deals players confirm on their phones."""

from typing import Any

from tests.builders.admin_tables import CAST, NOW, Evening, evening_at
from tournaments.log.context import CommandContext
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table


def evening_with(club, confirmation: Any) -> Evening:
    """The cast at a second table, whose deals wait for a confirmation."""
    evening = evening_at(club)
    players = add_players(club, [f"{name} the second" for name in CAST])
    seats = [SeatedPlayer(number=place, player=player.pk) for place, player in enumerate(players, start=1)]
    draft = TableDraft(number=2, seats=seats, confirmation=confirmation)
    table = open_table(evening.tournament, draft, context=CommandContext(actor="user:0", now=NOW))
    return Evening(club=club, tournament=evening.tournament, table=table)
