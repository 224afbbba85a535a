"""Players who bring money, take it out, are granted credit, and sit down."""

from collections.abc import Sequence
from typing import Any

from scoring.events import cash as events
from tests.builders.playing import context
from tournaments.cash.commands import open_book, write_in_book
from tournaments.models import Club, Player, Table, Tournament
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table


def writes(player: Player, event: Any) -> None:
    """A line of the book of the player's club."""
    write_in_book(open_book(player.club_id, "INR", context=context()), event, context=context())


def brings(player: Player, amount_minor: int) -> None:
    writes(player, events.MoneyReceived(player=str(player.id), amount_minor=amount_minor, place="bank"))


def pays_out(player: Player, amount_minor: int) -> None:
    writes(player, events.MoneyPaidOut(player=str(player.id), amount_minor=amount_minor, place="bank"))


def grants(player: Player, limit_minor: int) -> None:
    writes(player, events.CreditGranted(player=str(player.id), limit_minor=limit_minor, reason="plays every week"))


def with_money(club: Club, amount_minor: int, names: Sequence[str] = ("Asha", "Bo")) -> list[Player]:
    """New players of a club, each of whom has brought the same."""
    players = add_players(club, list(names))
    for player in players:
        brings(player, amount_minor)
    return players


def sit(home: Tournament, players: list[Player]) -> Table:
    seats = [SeatedPlayer(number=number, player=player.id) for number, player in enumerate(players, start=1)]
    return open_table(home, TableDraft(number=1, seats=seats), context=context())
