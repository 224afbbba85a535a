"""The folded state of a table: what is kept in it, when it is counted again, and what its seats have done."""

from typing import Any

from scoring.events.table import SplitAgreed
from scoring.events.wire import DealRecorded, Event
from scoring.rules.table.table import Table, fold
from scoring.rules.table.timeline import totals_now
from scoring.rules.variants.indian.outcomes import DealSheet, Outcome, OutcomeKind
from tests.builders.rules import (
    SPLIT,
    corrected,
    first_drop,
    loses_with,
    pool,
    show,
    sit,
    wrong_show,
)


def then(table: Table, *events: Event) -> Table:
    """Events as the log returns them: they are not checked again."""
    return fold(table, [(table.version + place, event) for place, event in enumerate(events, 1)])


def test_what_others_say_of_a_deal_is_no_entry_of_the_table() -> None:
    told = (
        pool()
        .after(show("asha"), loses_with("bo", 30))
        .told({"kind": "deal_disputed", "deal": 1, "reason": "I held 3"})
    )
    assert [entry.version for entry in told.table.timeline] == [2]
    assert told.table.disputed == (1,)


class Counted:
    """A game's rules, and how often a table was counted from its first deal."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.starts = rules, 0

    def start(self, setup: Any) -> Any:
        self.starts += 1
        return self.rules.start(setup)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rules, name)


def sheet(count: int) -> DealSheet:
    return DealSheet(outcomes={"asha": Outcome(how=OutcomeKind.SHOW), "bo": Outcome(how=OutcomeKind.LOSS, count=count)})


def test_a_table_is_counted_again_only_for_a_correction_and_once_for_many() -> None:
    """Else a table of a thousand deals would be counted a thousand times."""
    start = pool(limit=1_001).table
    rules = Counted(start.rules)
    table = Table(rules=rules, setup=start.setup, players=start.players, version=1, timeline=(), game=start.game)
    table = then(table, *(DealRecorded(deal=deal, sheet=sheet(deal)) for deal in (1, 2, 3)))
    table = then(table, DealRecorded(deal=4, sheet=sheet(4)))
    assert rules.starts == 0
    changes = [corrected(deal, show("asha"), loses_with("bo", 1)) for deal in (1, 2)]
    told = pool(limit=1_001)
    for count in (1, 2, 3, 4):
        told = told.after(show("asha"), loses_with("bo", count))
    events = [told.considered(change)[0] for change in changes]
    later = (DealRecorded(deal=deal, sheet=sheet(deal)) for deal in (5, 6))
    table = then(table, *filter(None, events), *later)
    assert rules.starts == 1
    assert table.seats()["bo"].total == 1 + 1 + 3 + 4 + 5 + 6


def test_a_split_keeps_the_totals_on_which_it_was_agreed() -> None:
    split = pool(seats=3).where(bo=40, cy=101).told(SPLIT).table
    assert split.timeline[-1].event == SplitAgreed(totals={"asha": 0, "bo": 40, "cy": 101})
    assert totals_now(split.rules, split.setup, split.game) == {"asha": 0, "bo": 40, "cy": 101}


def test_what_seats_won_of_each_other_was_never_in_a_pot() -> None:
    options = {"end": "rounds", "rounds": 1, "settlement": "pay_difference"}
    table = sit("rummy500", ("asha", "bo"), {"point_value_minor": 10}, options)
    melded, held = {"asha": 120, "bo": 20}, {"bo": 20}
    ended = table.told({"kind": "deal_recorded", "deal": 1, "out": "asha", "melded": melded, "in_hand": held}).table
    assert ended.won_so_far() == {"asha": 1_200, "bo": -1_200}
    assert ended.at_stake() == {"asha": 0, "bo": 0}


def test_wrong_shows_drops_and_deals_won_stand_at_the_seat_that_did_them() -> None:
    seats = pool(seats=3).after(show("asha"), wrong_show("bo"), first_drop("cy")).table.seats()
    found = [(view.wrong_shows, view.drops, view.deals_won) for view in seats.values()]
    assert found == [(0, 0, 1), (1, 0, 0), (0, 1, 0)]
