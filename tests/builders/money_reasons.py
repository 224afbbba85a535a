"""Played tables of the Indian presets, with taxes."""

from typing import Any

from scoring.events.table import DealRecorded
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import PRESETS, opening, table_from
from scoring.rules.variants.indian.outcomes import DealSheet, Outcome, OutcomeKind

SEATS = {"1": "asha", "2": "bo", "3": "cy"}
INDIAN = [name for name, (rules, _) in PRESETS.items() if rules.sheet_type is DealSheet]
TAXED: dict[str, Any] = {
    "fee_bp": 1_000,
    "fee_floor_minor": 10,
    "fee_cap_minor": 100_000,
    "levy_bp": 1_800,
    "levy_name": "GST",
    "levy_on": "fee",
}


def played(preset: str, **more: object) -> Table:
    """A table whose first seat shows until money is to be paid."""
    rules, chosen = PRESETS[preset]
    stakes = {"entry_minor": 30000, "fee_bp": 1250, "point_value_minor": 250, **more}
    extra = {"second_prize_bp": 2000} if rules.name == "deals" else {}
    table = table_from(opening(rules.name, options={**chosen.options, **extra}, stakes=stakes, seats=SEATS))
    for deal in range(1, 7):
        if table.rules.is_finished(table.setup, table.game):
            break
        sheet = DealSheet(outcomes={s: Outcome(how=OutcomeKind.LOSS, count=40 + 7 * int(s)) for s in table.in_play[1:]})
        sheet.outcomes[table.in_play[0]] = Outcome(how=OutcomeKind.SHOW)
        table = fold(table, [(deal + 1, DealRecorded(deal=deal, sheet=sheet))])
    return table
