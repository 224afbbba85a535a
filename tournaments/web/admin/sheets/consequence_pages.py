"""The effects of a correction on the whole tournament, with names and amounts as text.

Rules: docs/how-to/evening.md, "Corrections". Shown before anything is stored; nothing is calculated here.
"""

from collections.abc import Mapping

from scoring.rules.table.table import Table
from scoring.tournament.prizes.consequences import Changes, CutChange
from tournaments.boards.consequences import consequences
from tournaments.web.admin.base.request import TableVisit

MOST_LISTED = 12
CHANGES = frozenset({"deal_corrected", "deal_voided", "totals_corrected", "penalty_given", "fact_withdrawn"})


def consequence_context(visit: TableVisit, kind: str, after: Table | None) -> dict[str, object]:
    """The effects of a change beyond its own table; empty for an event that does not change the past."""
    if kind not in CHANGES or after is None:
        return {}
    effects = consequences(visit.seen.sheet, visit.seen.table, after)
    names = effects.names
    return {
        "consequences": effects,
        "moved": [
            {"name": names.get(change.player, ""), "before": change.before, "after": change.after}
            for change in effects.places[:MOST_LISTED]
        ],
        "moved_more": max(0, len(effects.places) - MOST_LISTED),
        "cuts": [_cut_context(change, names) for change in effects.cuts],
        "settled": _amounts(visit, effects.settled, names),
        "prizes": _amounts(visit, effects.prizes, names),
        "may_redraw": effects.may_redraw and effects.moves_field and may_redraw(visit),
    }


def may_redraw(visit: TableVisit) -> bool:
    """Whether the user may undo seatings: redrawing is a director's action, as seating is."""
    return visit.may_record("table_cancelled")


def _cut_context(change: CutChange, names: Mapping[str, str]) -> dict[str, object]:
    return {
        "stage": change.stage,
        "no_longer": [names.get(player, "") for player in change.no_longer],
        "instead": [names.get(player, "") for player in change.instead],
        "carried": [
            {"name": names.get(player, ""), "before": before, "after": after}
            for player, (before, after) in change.carried.items()
        ],
        "ties": [
            {"names": [names.get(player, "") for player in task.players], "places": task.places}
            for task in change.tasks
        ],
        "reseeded": change.reseeded,
        "seats": [
            {"name": names.get(seat.player, ""), "round": seat.round, "table": seat.table} for seat in change.seats
        ],
    }


def _amounts(visit: TableVisit, changes: Changes, names: Mapping[str, str]) -> list[dict[str, str]]:
    amount_text = visit.seen.amount_text
    return [
        {
            "name": names.get(player, ""),
            "before": amount_text(before),
            "after": amount_text(after),
        }
        for player, (before, after) in changes.items()
    ]
