"""A tournament with entry fees, and the desk that takes and returns them."""

from typing import Any

from scoring.events import wire
from scoring.models import Posting
from tests.builders.playing import context, new_club, new_tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament

ENTRY = 10_000


class Desk:
    """A planned evening of Asha, Bo and Cy who have entered and not been seated, 100.00 each."""

    def __init__(self, **plan):
        self.club = new_club()
        self.tournament = new_tournament(
            self.club, entry_minor=ENTRY, fee_bp=1_000, is_published=not plan.get("is_rehearsal")
        )
        self.players = [str(player.id) for player in add_players(self.club, ("Asha", "Bo", "Cy"))]
        stage = {"smallest_table": 2, "reentry_minor": 3_000, "reentry_until_round": 3}
        made = wire.PlanMade(plan={"stages": [stage], **plan})
        entered = [wire.PlayerEntered(player=player) for player in self.players]
        self.tell(made, *entered)

    @property
    def asha(self):
        return self.players[0]

    def tell(self, *events):
        return record_all_in_tournament(self.tournament.id, events, context=context())

    def pays(self, amount=ENTRY, place="", player=0):
        return self.tell(wire.EntryPaid(player=self.players[player], amount_minor=amount, place=place))

    def is_given(self, amount=ENTRY, place="", player=0):
        given = wire.EntryRefunded(player=self.players[player], amount_minor=amount, place=place, reason="asked")
        return self.tell(given)

    def held(self):
        """The balance of each account, empty ones left out; players by their first names."""
        names = dict(zip(self.players, ("Asha", "Bo", "Cy"), strict=True)) | {str(self.tournament.id): "the pool"}
        found: dict[Any, Any] = {}
        rows = Posting.objects.values_list("account__kind", "account__owner", "amount_minor")
        for kind, owner, amount in rows:
            name = names.get(owner) or f"{kind} {owner}".strip()
            found[name] = found.get(name, 0) + amount
        return {name: amount for name, amount in found.items() if amount}
