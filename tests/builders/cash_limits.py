"""Players who bring money, take it out, and sit down."""

from scoring.facts import cash as facts
from tests.builders.playing import context
from tournaments.cash.commands import open_book, write_in_book
from tournaments.models import Player, Table, Tournament
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table


def brings(player: Player, amount_minor: int) -> None:
    book = open_book(player.club_id, "INR", context=context())
    write_in_book(
        book, facts.MoneyReceived(player=str(player.id), amount_minor=amount_minor, place="bank"), context=context()
    )


def pays_out(player: Player, amount_minor: int) -> None:
    book = open_book(player.club_id, "INR", context=context())
    fact = facts.MoneyPaidOut(player=str(player.id), amount_minor=amount_minor, place="bank")
    write_in_book(book, fact, context=context())


def sit(home: Tournament, players: list[Player]) -> Table:
    seats = [SeatedPlayer(number=number, player=player.id) for number, player in enumerate(players, start=1)]
    return open_table(home, TableDraft(number=1, seats=seats), context=context())
