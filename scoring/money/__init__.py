"""A planned journal entry: who pays, who receives, for what purpose, and that it sums to zero.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. A positive amount is money the club owes to the
account's owner from then on; a negative one is money the owner has paid or owes. Knows nothing of tables,
databases or names: owners are opaque ids.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.money.payouts import Payout
from scoring.problems import Defect

# The two slots of a tournament entry: a charge that changes later does not touch a till that was counted. Their entries
# add up: each is money that moved once, so that the turnover of an account is what went through it.
PAID, CHARGED = "paid", "charged"
RUNNING = (PAID, CHARGED)
# Earlier releases posted both of them in one entry. Posted entries are never edited, so it is read as the two.
_BOTH = "entry"
# The prefix before a cashier's name: how events name a till.
TILL = "till:"


class AccountKind(StrEnum):
    """Whose money an account holds.

    PLAYER by player, PRIZE_POOL by tournament, SIDE_POT by the pot's name, CASH by till (empty: no till was named).
    GUARANTEE is what the club adds to pools, LEVY what it passes on, OWNER what the owners put in or took out, ROUNDING
    what cash was rounded by, OPENING the other side of balances that a club brought along.
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
    ROUNDING = "rounding"
    WRITE_OFF = "write_off"
    OPENING = "opening"


class Purpose(StrEnum):
    """The purpose of one posting, as a statement prints it."""

    CHARGE = "charge"
    AWARD = "award"
    FEE = "fee"
    LEVY = "levy"
    TOP_UP = "top_up"
    SIDE_POT = "side_pot"
    CASH = "cash"
    TRANSFER = "transfer"
    DIFFERENCE = "difference"
    ROUNDING = "rounding"
    WRITE_OFF = "write_off"
    OPENING = "opening"


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

    `because` shows the arithmetic in words. It is stored for ever, so it must never contain a player's name.
    """

    slot: str
    currency: str
    postings: tuple[PlannedPosting, ...]
    because: tuple[str, ...] = ()

    @property
    def is_balanced(self) -> bool:
        return len(self.postings) >= 2 and sum(posting.amount_minor for posting in self.postings) == 0

    @property
    def moved_minor(self) -> int:
        """The amount moved: the sum of the amounts received."""
        return sum(posting.amount_minor for posting in self.postings if posting.amount_minor > 0)

    def moves_the_same_money_as(self, other: "PlannedEntry") -> bool:
        """Whether both leave the same amounts on the same accounts, with any explanation."""
        return self.currency == other.currency and sorted(self.postings) == sorted(other.postings)


def slot_today(slot: str, purpose: Purpose) -> str:
    """The slot in which a posting counts today: the one it was posted in, under its current name."""
    if slot != _BOTH:
        return slot
    return PAID if purpose is Purpose.CASH else CHARGED


def parts_today(entry: PlannedEntry) -> tuple[PlannedEntry, ...]:
    """A posted entry split into the entries that are planned for the same money today; mostly itself."""
    slots = dict.fromkeys(slot_today(entry.slot, posting.purpose) for posting in entry.postings)
    return tuple(
        replace(
            entry, slot=slot, postings=tuple(e for e in entry.postings if slot_today(entry.slot, e.purpose) == slot)
        )
        for slot in slots
    )


# The changes that bring the books to the planned state: keep, reverse, post again, or post what is missing.


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Slots that stay as they are, places of posted entries to reverse, and entries to post (after the reversals)."""

    unchanged: tuple[str, ...]
    reverse: tuple[int, ...]
    post: tuple[PlannedEntry, ...]


def difference(
    posted: Sequence[PlannedEntry], wanted: Sequence[PlannedEntry], *, undoes_payments: bool = False
) -> Difference:
    """Compare the existing entries with the planned ones. A slot that is no longer planned is reversed.

    Only money counts: an entry that differs only in its explanation stays. So does one that an earlier release posted
    for several slots of today, as long as each of them is planned as it is. Where the entries of a slot add up, only
    the rest is posted; with `undoes_payments` a payment that is not planned is reversed, as it never was one.
    """
    by_slot = {entry.slot: entry for entry in wanted}
    staying_entries: list[PlannedEntry] = []
    reverse: list[int] = []
    are_undone = undoes_payments and _rest(PAID, posted, by_slot.get(PAID)) is not None
    for place, entry in enumerate(posted):
        parts = parts_today(entry)
        if all(_stays(part, by_slot) for part in parts) and not (are_undone and PAID in {part.slot for part in parts}):
            staying_entries.append(entry)
        else:
            reverse.append(place)
    right = {part.slot for entry in staying_entries for part in parts_today(entry)} - {*RUNNING}
    rests = {slot: rest for slot in RUNNING if (rest := _rest(slot, staying_entries, by_slot.get(slot))) is not None}
    right |= {*RUNNING} - rests.keys()
    return Difference(
        unchanged=tuple(entry.slot for entry in wanted if entry.slot in right),
        reverse=tuple(reverse),
        post=(
            *(entry for entry in wanted if entry.slot not in right and entry.slot not in RUNNING),
            *rests.values(),
        ),
    )


def _stays(part: PlannedEntry, by_slot: Mapping[str, PlannedEntry]) -> bool:
    planned_entry = by_slot.get(part.slot)
    if part.slot in RUNNING:
        return planned_entry is None or planned_entry.currency == part.currency
    return planned_entry is not None and planned_entry.moves_the_same_money_as(part)


def _rest(slot: str, posted: Sequence[PlannedEntry], wanted: PlannedEntry | None) -> PlannedEntry | None:
    """What is missing to the planned amounts of a slot whose entries add up; None where nothing is."""
    parts = [part for entry in posted for part in parts_today(entry) if part.slot == slot]
    amounts: dict[tuple[AccountRef, Purpose], int] = {}
    for entry, sign in ((wanted, 1), *((part, -1) for part in parts)):
        for posting in entry.postings if entry is not None else ():
            key = posting.account, posting.purpose
            amounts[key] = amounts.get(key, 0) + sign * posting.amount_minor
    postings = tuple(
        PlannedPosting(account=account, amount_minor=amount, purpose=purpose)
        for (account, purpose), amount in amounts.items()
        if amount
    )
    if not postings:
        return None
    currency = wanted.currency if wanted is not None else parts[0].currency
    return PlannedEntry(slot=slot, currency=currency, postings=postings, because=tuple(_moved_because(postings)))


def _moved_because(postings: Iterable[PlannedPosting]) -> Iterator[str]:
    for posting in postings:
        amount = abs(posting.amount_minor)
        match posting.account.kind:
            case AccountKind.CASH | AccountKind.BANK:
                # A till is named after its cashier, and a memo is stored for ever.
                where = (
                    "bank" if posting.account.kind is AccountKind.BANK else "till" if posting.account.owner else "desk"
                )
                yield f"{'Entry fee paid' if posting.amount_minor < 0 else 'Refund'}: {amount}, {where}"
            case AccountKind.PRIZE_POOL:
                yield f"{amount} {'for' if posting.amount_minor > 0 else 'back from'} the prize pool"


# Payouts become entries: what each seat pays, what it receives, the house fee, and what other accounts take or give.

HOUSE = {
    "levy": (AccountKind.LEVY, Purpose.LEVY),
    "guarantee": (AccountKind.GUARANTEE, Purpose.TOP_UP),
    "side_pot": (AccountKind.SIDE_POT, Purpose.SIDE_POT),
}


def plan_entries(payouts: Sequence[Payout], *, players: Mapping[str, str], currency: str) -> tuple[PlannedEntry, ...]:
    """One balanced entry for every payout that moves money, in the order given.

    `players` maps a seat to its player's id. Raises Defect when a payout does not balance, names a seat without a
    player, or occurs twice.
    """
    slots = [payout.slot for payout in payouts]
    repeated = sorted({slot for slot in slots if slots.count(slot) > 1})
    if repeated:
        raise Defect(f"two payouts for {', '.join(repeated)}")
    planned = (_entry(payout, players, currency) for payout in payouts)
    return tuple(entry for entry in planned if entry.postings)


def _entry(payout: Payout, players: Mapping[str, str], currency: str) -> PlannedEntry:
    _refuse_what_does_not_add_up(payout, players)
    return PlannedEntry(
        slot=payout.slot,
        currency=currency,
        postings=tuple(_postings(payout, players)),
        because=tuple(map(str, payout.because)),
    )


def _refuse_what_does_not_add_up(payout: Payout, players: Mapping[str, str]) -> None:
    strangers = sorted((payout.charges.keys() | payout.awards.keys()) - players.keys())
    if strangers:
        raise Defect(f"{payout.slot} pays seats without a player: {', '.join(strangers)}")
    unknown = sorted(word for word in payout.house if word.partition(":")[0] not in HOUSE)
    if unknown:
        raise Defect(f"{payout.slot} names accounts that no payout moves: {', '.join(unknown)}")
    if min((payout.fee, *payout.charges.values(), *payout.awards.values())) < 0:
        raise Defect(f"{payout.slot} has a negative amount")
    if not payout.is_balanced:
        paid, received = sum(payout.charges.values()), sum(payout.awards.values())
        rest = f" and {sum(payout.house.values())} for other accounts" if payout.house else ""
        raise Defect(f"{payout.slot} takes {paid} and gives {received} with a fee of {payout.fee}{rest}")


def _postings(payout: Payout, players: Mapping[str, str]) -> Iterator[PlannedPosting]:
    # In the order of the seats, so that the same table always gives the same entry.
    seats = [seat for seat in players if seat in payout.charges or seat in payout.awards]
    for seat in seats:
        yield from _on_player(players[seat], -payout.charges.get(seat, 0), Purpose.CHARGE)
    for seat in seats:
        yield from _on_player(players[seat], payout.awards.get(seat, 0), Purpose.AWARD)
    if payout.fee:
        house = AccountRef(kind=AccountKind.CLUB_FEE)
        yield PlannedPosting(account=house, amount_minor=payout.fee, purpose=Purpose.FEE)
    for word, amount in sorted(payout.house.items()):
        if amount:
            yield _on_house(word, amount)


def _on_house(word: str, amount_minor: int) -> PlannedPosting:
    """An account of the club by its name, its owner after a colon: `levy`, `side_pot:High hand`."""
    name, _, owner = word.partition(":")
    kind, purpose = HOUSE[name]
    return PlannedPosting(account=AccountRef(kind=kind, owner=owner), amount_minor=amount_minor, purpose=purpose)


def _on_player(player: str, amount_minor: int, purpose: Purpose) -> Iterator[PlannedPosting]:
    if amount_minor:
        account = AccountRef(kind=AccountKind.PLAYER, owner=player)
        yield PlannedPosting(account=account, amount_minor=amount_minor, purpose=purpose)
