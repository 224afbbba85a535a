"""The events of a club night's cash book: money that came in and went out, tills opened, counted and closed.

Rules: docs/events.md, "Cash books" lists every kind. A kind is never renamed. Players are UUIDs as text, amounts whole
minor units of the book's currency. Knows nothing of what follows from an event.
"""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from scoring.events.table import Event, Reason, events_of
from scoring.money.payouts import MOST_MINOR, MOST_SUM

MOST_PIECES = 100_000
Amount = Annotated[int, Meta(ge=1, le=MOST_MINOR)]
Rounding = Annotated[int, Meta(ge=-MOST_MINOR, le=MOST_MINOR)]
PlayerId = Annotated[str, Meta(min_length=1, max_length=64)]
# A till's cashier: the name in the log.
TillName = Annotated[str, Meta(min_length=1, max_length=59)]
# Where money is: a cashier's till, the desk (money that no till took), the bank, or with the owners; `levy` is what was
# taken for a third party and is passed on. The pattern ends in a way that allows no line break at the end.
END = r"(?![\s\S])"
Place = Annotated[str, Meta(pattern=rf"^(till:.{{1,59}}|desk|bank|owner|levy){END}")]
# A note or a coin, in minor units.
Denomination = Annotated[str, Meta(pattern=rf"^[1-9][0-9]{{0,9}}{END}")]


class CashBookOpened(Event, frozen=True, kw_only=True):
    """A cash book was opened, in one currency."""

    kind: ClassVar[str] = "cash_book_opened"
    currency: Annotated[str, Meta(pattern=rf"^[A-Z]{{3}}{END}")]


class TillOpened(Event, frozen=True, kw_only=True):
    """A cashier opened a till, with an opening float from the bank or an owner (`source`)."""

    kind: ClassVar[str] = "till_opened"
    till: TillName
    float_minor: Annotated[int, Meta(ge=0, le=MOST_MINOR)] = 0
    source: Literal["bank", "owner"] = "owner"


class MoneyReceived(Event, frozen=True, kw_only=True):
    """A player, or another person for them (`payer`), paid money into the player's balance.

    `rounding_minor` is what was taken in cash beyond the amount, below 0 if it was less; the club's settings say it.
    """

    kind: ClassVar[str] = "money_received"
    player: PlayerId
    amount_minor: Amount
    place: Place
    payer: PlayerId | None = None
    rounding_minor: Rounding = 0


class MoneyPaidOut(Event, frozen=True, kw_only=True):
    """Money from a player's balance was paid out to them.

    `rounding_minor` is what was paid in cash beyond the amount, below 0 if it was less; the club's settings say it.
    """

    kind: ClassVar[str] = "money_paid_out"
    player: PlayerId
    amount_minor: Amount
    place: Place
    rounding_minor: Rounding = 0


class MoneyTransferred(Event, frozen=True, kw_only=True):
    """A player paid for another one (`to`) from their own balance."""

    kind: ClassVar[str] = "money_transferred"
    player: PlayerId
    to: PlayerId
    amount_minor: Amount
    reason: Reason = ""


class MoneyMoved(Event, frozen=True, kw_only=True):
    """The club's money moved to another place: change from the bank, takings to the bank, a levy passed on."""

    kind: ClassVar[str] = "money_moved"
    source: Place
    target: Place
    amount_minor: Amount
    reason: str = ""


class DebtWrittenOff(Event, frozen=True, kw_only=True):
    """The club wrote off what a player owes, or part of it."""

    kind: ClassVar[str] = "debt_written_off"
    player: PlayerId
    amount_minor: Amount
    reason: Reason = ""


class CreditGranted(Event, frozen=True, kw_only=True):
    """A player's credit limit from now on, in the book's currency: how much they may owe. 0 removes it."""

    kind: ClassVar[str] = "credit_granted"
    player: PlayerId
    limit_minor: Annotated[int, Meta(ge=0, le=MOST_SUM)]
    reason: Reason = ""


class CashEntryUndone(Event, frozen=True, kw_only=True):
    """An entry of this book, the one at `version`, was undone: it should not have been recorded."""

    kind: ClassVar[str] = "cash_deed_undone"
    version: Annotated[int, Meta(ge=2)]
    reason: Reason = ""


class TillCounted(Event, frozen=True, kw_only=True):
    """A till was counted: `pieces` is how many there are of each note and coin, by its value in minor units."""

    kind: ClassVar[str] = "till_counted"
    till: TillName
    pieces: dict[Denomination, Annotated[int, Meta(ge=0, le=MOST_PIECES)]]


class TillDifferenceBooked(Event, frozen=True, kw_only=True):
    """A counted till held more (a positive amount) or less than expected; the difference was recorded."""

    kind: ClassVar[str] = "till_difference_booked"
    till: TillName
    amount_minor: Annotated[int, Meta(ge=-MOST_SUM, le=MOST_SUM)]
    reason: Reason = ""


class TillClosed(Event, frozen=True, kw_only=True):
    """A counted till was emptied into `target` and closed; it cannot be opened again in this book."""

    kind: ClassVar[str] = "till_closed"
    till: TillName
    target: Literal["bank", "owner"] = "bank"


class CashBookClosed(Event, frozen=True, kw_only=True):
    """The cash book is closed for good. Anything found later is recorded in the next one."""

    kind: ClassVar[str] = "cash_book_closed"


CASH_EVENTS = events_of(globals())
