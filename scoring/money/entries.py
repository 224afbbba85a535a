"""An entry as it is planned: who pays, who receives, what for, and that it adds up to nothing.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. A positive amount is money the club owes to the
account's owner from then on; a negative one is money the owner has paid or owes. Knows nothing of tables,
databases or names: owners are opaque ids.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

# The two journal entries of a tournament entry: a charge that changes later does not stir a till that was counted.
PAID, CHARGED = "paid", "charged"
# What the first releases posted for both of them in one. Nothing posted is edited, so it is read as the two.
_BOTH = "entry"
# Before the name of whoever has it: how facts call a till.
TILL = "till:"


class AccountKind(StrEnum):
    """Whose money an account holds.

    PLAYER by player, PRIZE_POOL by tournament, SIDE_POT by the pot's name, CASH by till (empty: no till was named).
    GUARANTEE is what the club adds to pools, LEVY what it passes on, OWNER what the owners put in or took out.
    """

    PLAYER = "player"
    PRIZE_POOL = "prize_pool"
    SIDE_POT = "side_pot"
    CLUB_FEE = "club_fee"
    LEVY = "levy"
    GUARANTEE = "guarantee"
    CASH = "cash"
    BANK = "bank"
    OWNER = "owner"
    CASH_DIFFERENCE = "cash_difference"
    WRITE_OFF = "write_off"


class Purpose(StrEnum):
    """What one posting is for, as a statement prints it."""

    CHARGE = "charge"
    AWARD = "award"
    FEE = "fee"
    LEVY = "levy"
    TOP_UP = "top_up"
    SIDE_POT = "side_pot"
    CASH = "cash"
    TRANSFER = "transfer"
    DIFFERENCE = "difference"
    WRITE_OFF = "write_off"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class AccountRef:
    """An account by what it is for. `owner` is a player's id, and empty where the club itself owns it."""

    kind: AccountKind
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class PlannedPosting:
    """One amount on one account."""

    account: AccountRef
    amount_minor: int
    purpose: Purpose


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEntry:
    """Postings that belong together and sum to zero, for one slot ("table", "deal:3") of a cause.

    `because` shows the arithmetic in words. It is kept for ever, so it must never hold a player's name.
    """

    slot: str
    currency: str
    postings: tuple[PlannedPosting, ...]
    because: tuple[str, ...] = ()

    @property
    def is_balanced(self) -> bool:
        return len(self.postings) >= 2 and sum(each.amount_minor for each in self.postings) == 0

    @property
    def moved_minor(self) -> int:
        """What changes hands: the sum of the amounts received."""
        return sum(each.amount_minor for each in self.postings if each.amount_minor > 0)

    def moves_the_same_money_as(self, other: "PlannedEntry") -> bool:
        """Whether both leave the same amounts on the same accounts, however they are explained."""
        return self.currency == other.currency and sorted(self.postings) == sorted(other.postings)


def slot_today(slot: str, purpose: Purpose) -> str:
    """The slot in which a posting counts: the one it was posted in, whatever an earlier release called that."""
    if slot != _BOTH:
        return slot
    return PAID if purpose is Purpose.CASH else CHARGED


def parts_today(entry: PlannedEntry) -> tuple[PlannedEntry, ...]:
    """A posted entry as the entries that are planned for the same money today; mostly itself."""
    slots = dict.fromkeys(slot_today(entry.slot, each.purpose) for each in entry.postings)
    return tuple(
        replace(
            entry, slot=slot, postings=tuple(e for e in entry.postings if slot_today(entry.slot, e.purpose) == slot)
        )
        for slot in slots
    )
