"""A player's entry in the books: where its money is, whose it is, and what of it is the prize pool's.

Rules: docs/decisions/0017-entries-in-the-books.md. Money that came in is the player's first; what the evening takes
of it is the pool's. A positive amount is what the club owes. Knows nothing of when this is posted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scoring.evening.state.state import Entrant
from scoring.money.entries import (
    CHARGED,
    PAID,
    TILL,
    AccountKind,
    AccountRef,
    PlannedEntry,
    PlannedPosting,
    Purpose,
    plan_entries,
)
from scoring.money.payouts import Payout
from scoring.problems import Defect

ACCOUNT = "account"


def pool_account(tournament: str) -> AccountRef:
    """The prize pool of one tournament."""
    return AccountRef(kind=AccountKind.PRIZE_POOL, owner=tournament)


def entry_plan(entrant: Entrant, *, charge_minor: int, tournament: str, currency: str) -> tuple[PlannedEntry, ...]:
    """What the books hold for one player's entry: what was brought, and what is charged, where money moved."""
    paid = PlannedEntry(
        slot=PAID, currency=currency, postings=tuple(_money(entrant)), because=tuple(_paid_because(entrant))
    )
    charged = PlannedEntry(
        slot=CHARGED,
        currency=currency,
        postings=tuple(_charge(entrant.player, charge_minor, tournament)),
        because=(_charged_because(entrant, charge_minor),),
    )
    return tuple(entry for entry in (paid, charged) if entry.postings)


def prize_plan(
    payouts: Sequence[Payout], *, players: Mapping[str, str], tournament: str, currency: str
) -> tuple[PlannedEntry, ...]:
    """Payouts of an evening: what players were charged for them is in the pool already, and comes from there."""
    return tuple(
        _from_the_pool(entry, tournament) for entry in plan_entries(payouts, players=players, currency=currency)
    )


def balance_change(entries: Sequence[PlannedEntry], player: str) -> int:
    """What entries leave on a player's account."""
    mine = AccountRef(kind=AccountKind.PLAYER, owner=player)
    return sum(each.amount_minor for entry in entries for each in entry.postings if each.account == mine)


def _money(entrant: Entrant) -> Iterator[PlannedPosting]:
    """What lies at each place, and the same as the player's; what the account paid lies there already."""
    moved = {place: paid for place, paid in entrant.paid_by_place.items() if place != ACCOUNT}
    for place, paid in moved.items():
        yield PlannedPosting(account=_place_account(place), amount_minor=-paid, purpose=Purpose.CASH)
    if brought := sum(moved.values()):
        yield _on_player(entrant.player, brought, Purpose.CASH)


def _charge(player: str, charge_minor: int, tournament: str) -> Iterator[PlannedPosting]:
    if charge_minor:
        yield _on_player(player, -charge_minor, Purpose.CHARGE)
        yield PlannedPosting(account=pool_account(tournament), amount_minor=charge_minor, purpose=Purpose.CHARGE)


def _place_account(place: str) -> AccountRef:
    """The desk has a cash account without an owner, a cashier's till one of its own."""
    if place == "bank":
        return AccountRef(kind=AccountKind.BANK)
    if place and not place.startswith(TILL):
        raise Defect(f"no money can be at {place!r}")
    return AccountRef(kind=AccountKind.CASH, owner=place.removeprefix(TILL))


def _paid_because(entrant: Entrant) -> Iterator[str]:
    for place, paid in entrant.paid_by_place.items():
        # A till is called after whoever has it, and what is explained here is kept for ever.
        where = "till" if place.startswith(TILL) else place or "desk"
        yield f"{paid} paid: {where}" if paid > 0 else f"{-paid} given back: {where}"


def _charged_because(entrant: Entrant, charge_minor: int) -> str:
    return (
        f"{charge_minor} of it for the prize pool" if entrant.paid_minor else f"{charge_minor} owed to the prize pool"
    )


def _from_the_pool(entry: PlannedEntry, tournament: str) -> PlannedEntry:
    charged = [each for each in entry.postings if each.purpose is Purpose.CHARGE]
    paid = sum(each.amount_minor for each in charged)
    pool = PlannedPosting(account=pool_account(tournament), amount_minor=paid, purpose=Purpose.CHARGE)
    return replace(entry, postings=(*([pool] if paid else []), *(e for e in entry.postings if e not in charged)))


def _on_player(player: str, amount_minor: int, purpose: Purpose) -> PlannedPosting:
    account = AccountRef(kind=AccountKind.PLAYER, owner=player)
    return PlannedPosting(account=account, amount_minor=amount_minor, purpose=purpose)
