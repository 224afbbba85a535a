"""What a finished table pays, as it is read out: prizes, or each seat's change where deals are paid one by one.

Rules: docs/rules/points.md and docs/rules/pool.md, "Money". Knows nothing of accounts.
"""

import msgspec

from scoring.rules.table.table import Table


class Announcement(msgspec.Struct, frozen=True, kw_only=True):
    """Amounts in minor units. In prize formats entries are not subtracted; in points tables losses are negative."""

    payouts_minor: dict[str, int]
    fee_minor: int
    because: tuple[str, ...]


def announce(table: Table) -> Announcement:
    """What is paid; empty while the table has no result."""
    payouts = table.payouts() if table.is_finished else ()
    told_as_changes = table.rules.announces_changes
    amounts: dict[str, int] = {}
    for payout in payouts:
        for seat, award in payout.awards.items():
            amounts[seat] = amounts.get(seat, 0) + award
        for seat, charge in payout.charges.items() if told_as_changes or payout.is_change else ():
            amounts[seat] = amounts.get(seat, 0) - charge
    return Announcement(
        payouts_minor={seat: amounts[seat] for seat in table.setup.seats if seat in amounts},
        fee_minor=sum(payout.fee for payout in payouts),
        because=tuple(line for payout in payouts for line in payout.because),
    )
