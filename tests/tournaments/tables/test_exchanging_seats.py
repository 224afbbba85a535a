"""Two players sat in each other's seats: one action corrects the deals, for every form of a deal."""

from dataclasses import replace

import pytest

from scoring.problems import EventNotAllowed, KeyReused, StaleTable
from scoring.rules.table.entering import exchanged
from scoring.rules.variants import opening, table_from, variant
from tests.builders.playing import context, loses, new_table, show
from tests.builders.there import there
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.tables.commands.exchange import Exchange, exchange_seats

SWAP = Exchange(seats=("1", "2"), deals=(1, 2), reason="Asha and Bo had changed chairs")


@pytest.fixture
def table():
    table = new_table()
    table.deal(1, show, loses(30), loses(10), loses(20))
    table.deal(2, loses(7), show, loses(10), loses(20))
    table.deal(3, show, loses(4), loses(10), loses(1))
    return table


@pytest.mark.django_db
@pytest.mark.parametrize(("deals", "totals"), [((1, 2), [30, 11, 30, 41]), ((1,), [37, 4, 30, 41])])
def test_what_was_written_for_one_belongs_to_the_other_in_the_named_deals_once(table, deals, totals):
    """Planted fault: after "Back" the page says that three deals were swapped, and two were."""
    assert table.totals() == [7, 34, 30, 41]
    same = context()
    for _ in range(2):
        exchange_seats(table.row.id, replace(SWAP, deals=deals), context=same, expected=4)
        assert table.totals() == totals
    assert rebuild_differences() == []
    for other in (replace(SWAP, deals=(1, 2, 3)), replace(SWAP, deals=deals, seats=("1", "3"))):
        with pytest.raises(KeyReused):
            exchange_seats(table.row.id, other, context=same, expected=4)


@pytest.mark.django_db
def test_every_problem_is_told_and_nothing_is_changed_neither_for_somebody_who_looked_at_an_older_sheet(table):
    wrong = Exchange(seats=("1", "9"), deals=(1, 8), reason=" ")
    with pytest.raises(EventNotAllowed) as refused:
        exchange_seats(table.row.id, wrong, context=context(), expected=4)
    assert [p.code for p in refused.value.problems] == ["unknown_seat", "missing_field", "no_such_deal"]
    with pytest.raises(StaleTable):
        exchange_seats(table.row.id, SWAP, context=context(), expected=3)
    assert table.totals() == [7, 34, 30, 41]


GIN = {"hands": [{"knocker": "1", "defender": "2", "knocker_deadwood": 4, "defender_deadwood": 20}], "dealer": "2"}
RUM = {"out": "2", "counts": {"1": 12, "3": 40}, "dealer": "1"}
ROYAL = {"dealer": "1", "out": "2", "boxes": {"AH": "1", "678": "2"}, "cards_left": {"1": 3, "3": 5}}


@pytest.mark.parametrize(
    ("name", "seats", "raw", "options"),
    [("gin", 2, GIN, {}), ("rum", 3, RUM, {}), ("rummy_royal", 3, ROYAL, {"start_chips": 500})],
)
def test_a_sheet_of_any_game_turned_twice_is_the_sheet(name, seats, raw, options):
    labels = {str(place): f"p{place}" for place in range(1, seats + 1)}
    table = table_from(opening(name, options=options, stakes={"currency": "INR"}, seats=labels))
    fields = table.rules.entry_form(table.setup, table.game, is_extra=False)
    sheet, problems = variant(name).read_sheet(raw, tuple(labels))
    assert not problems
    turned, _ = variant(name).read_sheet(exchanged(fields, there(sheet), "1", "2"), tuple(labels))
    assert turned != sheet
    assert variant(name).read_sheet(exchanged(fields, there(turned), "1", "2"), tuple(labels))[0] == sheet


def test_at_gin_the_one_who_knocked_changes_places_and_a_rank_is_not_taken_for_a_seat():
    players = {"2": "p2", "7": "p7"}
    table = table_from(opening("gin", options={"oklahoma": True}, stakes={"currency": "INR"}, seats=players))
    fields = table.rules.entry_form(table.setup, table.game, is_extra=False)
    hand = {"knocker": "2", "defender": "7", "knocker_deadwood": 4, "defender_deadwood": 20}
    sheet, problems = table.rules.read_sheet({"hands": [hand], "upcard": "7"}, ("2", "7"))
    assert not problems
    turned = exchanged(fields, there(sheet), "2", "7")
    assert turned["upcard"] == "7"
    assert [(hand["knocker"], hand["defender"]) for hand in turned["hands"]] == [("7", "2")]
