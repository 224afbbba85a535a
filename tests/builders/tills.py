"""The door of a club: tills, entries and payments."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from scoring import ledger
from scoring.cash import account_at, account_of_player
from scoring.events import wire
from tests.builders.playing import new_club, new_tournament
from tournaments.cash.commands import open_book
from tournaments.entries.commands.check_in import DESK_ACTS, act_at_desk
from tournaments.log.context import CommandContext
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
TILL = "till:user:7"
ENTRY = 10_000


class Door:
    """Sam at the door of a planned evening that Asha and Bo have entered, 100.00 each."""

    def __init__(self, **plan: Any) -> None:
        self.club = new_club()
        self.tournament = new_tournament(self.club, entry_minor=ENTRY, is_published=not plan)
        self.asha, self.bo = (str(player.id) for player in add_players(self.club, ("Asha", "Bo")))
        made = wire.PlanMade(plan={"stages": [{"smallest_table": 2}], **plan})
        entered = [wire.PlayerEntered(player=player) for player in (self.asha, self.bo)]
        record_all_in_tournament(self.tournament.id, [made, *entered], context=self.context())

    def context(self, actor: str = "user:7") -> CommandContext:
        return CommandContext(actor=actor, now=NOW)

    def opens_a_book(self) -> Any:
        return open_book(self.club.id, "INR", context=self.context())

    def does(self, act: str, player: str, actor: str = "user:7") -> None:
        act_at_desk(self.tournament.id, replace(DESK_ACTS[act], reason="asked"), player, context=self.context(actor))

    def holds(self, place: str) -> int:
        account = account_at(place)
        return -ledger.balances(self.club.id, "INR", [account])[account]

    def has(self, player: str) -> int:
        account = account_of_player(player)
        return ledger.balances(self.club.id, "INR", [account])[account]
