"""Payouts become entries: what each seat pays, what it receives, the house fee, and what other accounts take or give.

Rules: docs/rules/points.md, "Money". Whatever does not add up is a defect of ours and is never posted.
Knows nothing of how a payout was worked out.
"""

from collections.abc import Iterator, Mapping, Sequence

from scoring.money.entries import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose
from scoring.money.payouts import Payout
from scoring.problems import Defect

HOUSE = {
    "levy": (AccountKind.LEVY, Purpose.LEVY),
    "guarantee": (AccountKind.GUARANTEE, Purpose.TOP_UP),
    "side_pot": (AccountKind.SIDE_POT, Purpose.SIDE_POT),
}


def plan_entries(payouts: Sequence[Payout], *, players: Mapping[str, str], currency: str) -> tuple[PlannedEntry, ...]:
    """One balanced entry for every payout that moves money, in the order given.

    `players` maps a seat to its player's id. Raises Defect when a payout does not balance, names a seat
    nobody sits on, or comes twice.
    """
    _refuse_repeated_slots(payouts)
    planned = (_entry(payout, players, currency) for payout in payouts)
    return tuple(entry for entry in planned if entry.postings)


def _refuse_repeated_slots(payouts: Sequence[Payout]) -> None:
    slots = [payout.slot for payout in payouts]
    repeated = sorted({slot for slot in slots if slots.count(slot) > 1})
    if repeated:
        raise Defect(f"two payouts for {', '.join(repeated)}")


def _entry(payout: Payout, players: Mapping[str, str], currency: str) -> PlannedEntry:
    _refuse_what_does_not_add_up(payout, players)
    return PlannedEntry(
        slot=payout.slot,
        currency=currency,
        postings=tuple(_postings(payout, players)),
        because=payout.because,
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
    """An account of the club by its word, its owner behind a colon: `levy`, `side_pot:High hand`."""
    name, _, owner = word.partition(":")
    kind, purpose = HOUSE[name]
    return PlannedPosting(account=AccountRef(kind=kind, owner=owner), amount_minor=amount_minor, purpose=purpose)


def _on_player(player: str, amount_minor: int, purpose: Purpose) -> Iterator[PlannedPosting]:
    if amount_minor:
        account = AccountRef(kind=AccountKind.PLAYER, owner=player)
        yield PlannedPosting(account=account, amount_minor=amount_minor, purpose=purpose)
