"""Which deal comes next, who deals it and who takes part: what a scorer needs before writing anything.

Rules: docs/rules/indian.md, section 1 (the deal passes clockwise). Knows nothing of pages.
"""

from scoring.rules import events
from scoring.rules.table import Entry, Table, steps


def next_dealer(table: Table) -> str | None:
    """The seat after the last dealer among those still in; the first seat where nobody wrote who dealt."""
    playing = table.in_play
    if not playing:
        return None
    order = table.setup.seats
    last = _last_dealer(table)
    start = order.index(last) + 1 if last in order else 0
    return next((seat for seat in (*order[start:], *order[:start]) if seat in playing), playing[0])


def deals_to_replay(table: Table) -> tuple[int, ...]:
    """Numbers of voided deals that have not been played again."""
    voided = {e.fact.deal for e in table.timeline if isinstance(e.fact, events.DealRecorded) and e.is_void}
    standing = {e.fact.deal for e in table.timeline if isinstance(e.fact, events.DealRecorded) and not e.is_void}
    return tuple(sorted(voided - standing))


def seats_of_deal(table: Table, deal: int) -> tuple[str, ...]:
    """The seats that were in play when a recorded deal began."""
    wanted = table.deal_entry(deal)
    for entry, before, _ in steps(table):
        if wanted is not None and entry.version == wanted.version:
            return table.rules.in_play(table.setup, before)
    return ()


def acts(table: Table) -> tuple[Entry, ...]:
    """Everything that may be withdrawn: what was recorded between the deals."""
    return tuple(entry for entry in table.timeline if not isinstance(entry.fact, events.DealRecorded))


def _last_dealer(table: Table) -> str | None:
    """Who dealt last, as the sheet says; reckoned on from the last sheet that says it."""
    for entry in reversed(table.timeline):
        dealer = getattr(getattr(entry.fact, "sheet", None), "dealer", None)
        if dealer is not None and not entry.is_void:
            return str(dealer)
    return None
