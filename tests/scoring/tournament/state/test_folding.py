"""An evening is the same whether its events are folded one by one or read back from the log."""

import pytest

from scoring.events import wire
from scoring.tournament import TournamentState, dump_tournament_state, fold_tournament

PLAN = {"stages": [{"per_table": 1, "options": {"middle_drop": 30, "first_drop": 10}}, {}]}
EVENTS = {
    "plan": wire.PlanMade(plan=PLAN),
    "cut": wire.CutMade(stage=1, advancing=("bo", "asha"), carried={"bo": 3, "asha": 2}),
    "tie": wire.TieSettled(stage=1, order=("bo", "asha"), method="high_card", cards={"bo": "TC", "asha": "9H"}),
}


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_that_was_just_told_leaves_what_it_leaves_when_it_is_read_again(name):
    form = wire.encode(EVENTS[name])
    read = wire.decode(form.kind, form.schema, form.body)
    told_now, read_again = (fold_tournament(TournamentState(), [(1, event)]) for event in (EVENTS[name], read))
    assert dump_tournament_state(told_now) == dump_tournament_state(read_again)
