"""A cash desk that writes to a cash book and reads its balances."""

from datetime import UTC, datetime
from typing import Any

from scoring import ledger
from scoring.cash import account_at, account_of_player
from scoring.events import cash as events
from tournaments.cash.commands import open_book, write_in_book
from tournaments.log.context import CommandContext
from tournaments.models import CashBook, Club, Player

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
SAM = "user:7"
TILL = "till:user:7"


class Desk:
    """Sam at the cash desk of a club with Asha and Bo."""

    def __init__(self) -> None:
        self.club = Club.objects.create(name="Thursday club", slug="thursday")
        self.asha = Player.objects.create(club=self.club, name="Asha")
        self.bo = Player.objects.create(club=self.club, name="Bo")
        self.book_id = open_book(self.club.id, "INR", context=self.context())

    def context(self, **more: Any) -> CommandContext:
        return CommandContext(actor=SAM, now=NOW, **more)

    def opens(self, float_minor: int = 0) -> "Desk":
        return self.writes(events.TillOpened(till=SAM, float_minor=float_minor))

    def takes(self, amount_minor: int, player: Player | None = None) -> "Desk":
        who = player or self.asha
        return self.writes(events.MoneyReceived(player=str(who.id), amount_minor=amount_minor, place=TILL))

    def gives(self, amount_minor: int, player: Player | None = None) -> "Desk":
        who = player or self.asha
        return self.writes(events.MoneyPaidOut(player=str(who.id), amount_minor=amount_minor, place=TILL))

    def counts(self, **pieces: int) -> "Desk":
        return self.writes(events.TillCounted(till=SAM, pieces={name[1:]: number for name, number in pieces.items()}))

    def writes(self, event: Any, **more: Any) -> "Desk":
        write_in_book(self.book_id, event, context=self.context(**more))
        return self

    def grants(self, limit_minor: int, player: Player | None = None) -> "Desk":
        who = player or self.asha
        return self.writes(events.CreditGranted(player=str(who.id), limit_minor=limit_minor, reason="pays on Friday"))

    @property
    def line(self) -> int:
        """The number of the last line."""
        return CashBook.objects.get(id=self.book_id).version

    def undoes(self, line: int) -> "Desk":
        return self.writes(events.CashEntryUndone(version=line, reason="a mistake"))

    def has(self, player: Player) -> int:
        return self._balance(account_of_player(str(player.id)))

    def holds(self, place: str) -> int:
        return -self._balance(account_at(place))

    def _balance(self, account: Any) -> int:
        return ledger.balances(self.club.id, "INR", [account])[account]
