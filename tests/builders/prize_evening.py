"""A tournament with prizes, from entries to payments."""

from scoring.events import wire
from scoring.models import Posting
from tests.builders.playing import NOW, Playing, context, loses, new_club, new_tournament, out, show
from tournaments.people.players import add_players
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.running.commands.settle import settle_tournament
from tournaments.seating.commands.seat import seat_round

NAMES = ("Asha", "Bo", "Cy")
PLAN = {"stages": [{"smallest_table": 2, "preferred_table": 3}], "prizes_bp": [7_000, 3_000]}


class Evening:
    """Three players, one table, 100.00 each with a house fee of 10 %: Asha wins before Bo and Cy."""

    def __init__(self, club=None, **plan):
        self.club = club or new_club()
        self.tournament = new_tournament(
            self.club, entry_minor=10_000, fee_bp=1_000, is_published=not plan.get("is_rehearsal")
        )
        self.players = [str(player.id) for player in add_players(self.club, NAMES)]
        record_in_tournament(self.tournament.id, wire.PlanMade(plan=PLAN | plan), context=context())
        entries = [wire.PlayerEntered(player=player) for player in self.players]
        record_all_in_tournament(self.tournament.id, entries, context=context())
        seating = wire.RoundSeated(stage=1, round=1, tables=((1, tuple(self.players)),), method="draw", seed="s")
        (row,) = seat_round(self.tournament.id, seating, context=context()).tables
        self.table = Playing(row=row)

    def paid(self, count: int = 3) -> "Evening":
        """The first players have paid their entries at the desk."""
        paid = [wire.EntryPaid(player=player, amount_minor=10_000) for player in self.players[:count]]
        record_all_in_tournament(self.tournament.id, paid, context=context())
        return self

    def played(self) -> "Evening":
        self.table.deal(1, show, loses(60), loses(80))
        self.table.deal(2, show, loses(30), loses(40))
        self.table.deal(3, show, loses(20), out)
        self.table.close()
        return self

    def exchange(self, *, is_back: bool = False) -> None:
        """The sheets of Bo and Cy were mixed up: Cy is second, and Bo third; or all is as it was first played."""
        sheets = ((loses(60), loses(80)), (loses(30), loses(40)), (loses(20), out))
        for number, (second, third) in enumerate(sheets, 1):
            self.table.correct(number, show, *((second, third) if is_back else (third, second)))

    def closed(self) -> "Evening":
        self.played()
        close_tournament(self.tournament.id, context=context())
        return self

    def settle(self):
        return settle_tournament(self.tournament.id, now=NOW)

    def balances(self) -> list[int]:
        held = dict.fromkeys(self.players, 0)
        for owner, amount in Posting.objects.filter(account__kind="player").values_list(
            "account__owner", "amount_minor"
        ):
            held[owner] += amount
        return list(held.values())
