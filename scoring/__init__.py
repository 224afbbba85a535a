"""Scoring: the rules of rummy, the standings and sheets derived from events, and the books that follow from them.

What is named here needs no database and no framework: docs/reference/python.md. The books (`scoring.ledger`) and their
models are part of the Django application, and are not imported from here.

    from scoring import Table

    table = Table.open("pool_101", ["Asha", "Bo"], {"entry_minor": 30000, "currency": "INR"})
    show, loss = {"how": "show"}, {"how": "loss", "count": 34}
    table = table.record({"kind": "deal_recorded", "deal": 1, "outcomes": {"Asha": show, "Bo": loss}})
    table.standings()["Bo"].total  # 34
"""

from scoring.events.table import Event
from scoring.hands import count, judge
from scoring.lines import replay
from scoring.money.payouts import Payout, Stakes
from scoring.problems import EventNotAllowed, EventRejected, OptionsRejected, Problem, RuleError
from scoring.rules.arrangements import HandOptions
from scoring.rules.table.standing import Standing
from scoring.rules.table.table import Table
from scoring.rules.variants import PRESETS

__all__ = [
    "PRESETS",
    "Event",
    "EventNotAllowed",
    "EventRejected",
    "HandOptions",
    "OptionsRejected",
    "Payout",
    "Problem",
    "RuleError",
    "Stakes",
    "Standing",
    "Table",
    "count",
    "judge",
    "replay",
]
