"""A settled tournament with side pots."""

from scoring.events import wire
from tests.builders.playing import context
from tests.builders.prize_evening import Evening
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.record import record_in_tournament

JACKPOT = {"name": "Jackpot", "contribution_minor": 1_000}
HIGH_HAND = {"name": "High hand", "contribution_minor": 500}
MONEY = {
    "guaranteed_minor": 40_000,
    "levy_bp": 1_800,
    "levy_name": "GST",
    "levy_on": "fee",
    "side_pots": [JACKPOT, HIGH_HAND],
}


def settled() -> Evening:
    """Three entries of 100.00; Cy has won the high hand, nobody the jackpot."""
    evening = Evening(**MONEY).played()
    won = wire.SidePotWon(pot="High hand", players=(evening.players[2],), reason="four queens")
    record_in_tournament(evening.tournament.id, won, context=context())
    close_tournament(evening.tournament.id, context=context())
    assert evening.settle().problem is None
    return evening
