"""The interface of every game: its ends, its prices, any sheet that could follow, events it does not know."""

from typing import Any

import msgspec
import pytest

from scoring.events import wire
from scoring.events.reading import Unreadable
from scoring.events.wire import DealEvent, Event
from scoring.problems import Defect
from scoring.rules.table.table import fold
from scoring.rules.variants import (
    PRESETS,
    VARIANTS,
    nobodys_table,
    opening,
    play_problems,
    seat_price,
    table_from,
    table_from_stored,
    variant,
)
from tests.builders.rules import CAST, Evening, buys_in, goes_home, leaves, loses_with, points, show, sit
from tests.builders.small_game import GAME, registered
from tests.builders.western import played
from tests.builders.wording import opening_refusals, refusal

STAKES = {"point_value_minor": 10}


def at(name: str, *, seats: int = 2, **options: Any) -> Evening:
    return sit(name, CAST[:seats], STAKES, options)


@pytest.mark.parametrize(
    ("name", "options", "finish_line", "low_is_good", "pays_while_open"),
    [
        ("points", {}, None, False, True),
        ("points", {"settle": "per_session"}, None, False, False),
        ("deals", {}, None, False, False),
        ("pool", {}, 101, True, False),
        ("pool", {"limit": 201}, 201, True, False),
        ("rum", {}, 100, True, False),
        ("rum", {"end": "rounds"}, None, True, False),
        ("rum", {"mode": "winner_scores"}, 100, False, False),
        ("rum", {"mode": "cash"}, None, False, True),
        ("block", {"target": 60}, 60, True, False),
        ("rummy500", {}, 500, False, False),
        ("rummy500", {"end": "rounds"}, None, False, False),
        ("romme", {}, None, False, False),
        ("romme", {"settlement": "pay_points"}, None, False, True),
        ("gin", {"target": 150}, 150, False, False),
        ("gin", {"games": 2}, None, False, False),
        ("rummy_royal", {}, None, False, False),
    ],
)
def test_a_game_says_where_it_ends_which_way_is_good_and_when_it_pays(
    name, options, finish_line, low_is_good, pays_while_open
):
    table = at(name, **options).table
    assert table.rules.finish_line(table.setup) == finish_line
    assert table.rules.low_is_good(table.setup) is low_is_good
    assert table.rules.pays_while_open(table.setup) is pays_while_open


@pytest.mark.parametrize(
    ("name", "seats", "sheet"),
    [
        *[
            (name, 3, {"outcomes": {"asha": {"how": "show"}, "bo": {"how": "full_count"}, "cy": {"how": "full_count"}}})
            for name in ("points", "deals", "pool")
        ],
        *[(name, 3, {"out": "asha"}) for name in ("rum", "block", "romme", "rummy500")],
        ("gin", 2, {"hands": ({"knocker": None, "ending": "dead"},)}),
        ("rummy_royal", 3, {"dealer": "asha", "out": "asha"}),
    ],
)
def test_a_blank_sheet_has_the_first_seat_win(name, seats, sheet):
    written = msgspec.to_builtins(variant(name).blank_sheet(CAST[:seats]))
    assert {field: value for field, value in written.items() if value not in ("played_out", None)} == sheet


def known_events(table: Evening) -> list[Event]:
    """One event of each kind that happens at a table, all of the first seat."""
    seat, sheet = "asha", table.table.rules.blank_sheet(table.table.setup.seats)
    return [
        wire.DealRecorded(deal=1, sheet=sheet),
        wire.TiebreakRecorded(deal=2, sheet=sheet),
        wire.Rejoined(seat=seat),
        wire.SplitAgreed(),
        wire.SeatLeft(seat=seat),
        wire.PenaltyGiven(seat=seat, points=3, reason="late"),
        wire.BoughtIn(seat=seat, amount_minor=8_000),
        wire.TableClosed(time_called=True),
    ]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_stored_event_of_another_game_changes_nothing_and_asks_for_nothing(name):
    table = at(name)
    rules, setup, game = table.table.rules, table.table.setup, table.table.game
    strangers = 0
    for event in known_events(table):
        problems = rules.check(setup, game, event)
        if [problem.code for problem in problems] == ["not_in_this_variant"]:
            strangers += 1
            assert [refusal(problem) for problem in problems] == [
                f"not_in_this_variant - kind: {event.kind} has no place in {rules.title}"
            ]
            assert rules.apply(setup, game, event) == game
            assert rules.entry_problems(setup, game, event) == []
        if not isinstance(event, DealEvent):
            assert rules.typing_problems(setup, event) == []
    assert strangers >= 1


@pytest.mark.parametrize(
    ("name", "options", "stakes", "price"),
    [
        ("pool", {}, {"entry_minor": 500}, 500),
        ("deals", {}, {"entry_minor": 500}, 500),
        ("points", {}, {"point_value_minor": 100}, 8_000),
        ("points", {"wrong_show": 120}, {"point_value_minor": 100}, 12_000),
        ("points", {}, {}, 0),
        ("rum", {}, {"entry_minor": 500}, 500),
        ("rum", {"mode": "cash"}, {"entry_minor": 500, "point_value_minor": 10}, 1_300),
        ("gin", {"partnership": True}, {"entry_minor": 7, "point_value_minor": 1}, 87),
        ("rummy_royal", {"start_chips": 60}, {"entry_minor": 7, "point_value_minor": 10}, 607),
        ("pool", {"limit": 7}, {"entry_minor": 500}, 0),
        ("pool", {}, {"entry_minor": -1}, 0),
        ("pool", {"first_drop": 90}, {"entry_minor": 500}, 0),
    ],
)
def test_sitting_down_may_cost_the_entry_and_what_a_deal_or_the_chips_cost(name, options, stakes, price):
    assert seat_price(name, options=options, stakes=stakes) == price


def test_before_anybody_sits_some_number_of_seats_must_do():
    for partnership in (False, True):
        assert play_problems("gin", options={"partnership": partnership}, stakes={}) == []
    found = play_problems("gin", options={"partnership": True}, stakes={}, seats=CAST[:2])
    assert [problem.field for problem in found] == ["partnership"]
    assert play_problems("gin", options={"partnership": True}, stakes={}, seats=CAST[:4]) == []
    assert [problem.field for problem in play_problems("points", options={"packs": 1}, stakes={})] == [
        "point_value_minor"
    ]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_fresh_table_has_no_panel_beside_it_and_pays_nothing(name):
    table = at(name).table
    assert (table.rules.panels(table.setup, table.game), table.payouts()) == ((), ())


def test_a_stored_opening_is_the_table_it_opened_or_one_at_which_nobody_sits():
    opened = opening("pool", options={}, stakes={}, seats={"asha": "7", "bo": "8"})
    assert table_from_stored(opened) == table_from(opened)
    wrong = msgspec.structs.replace(opened, variant="chess")
    unread = Unreadable(stored_kind="table_opened", stored_schema=9, body="{}", why="another schema")
    for event in (wrong, unread, wire.SeatLeft(seat="asha")):
        table = table_from_stored(event)
        assert (table.unreadable, table.setup.seats, table.version) == ((1,), (), 1)
        assert 1 in fold(table, [(2, wire.SeatLeft(seat="asha"))]).unreadable
    [entry] = table_from_stored(wire.SeatLeft(seat="asha")).timeline
    assert "a table's log begins with its opening, not with seat_left" in entry.event.why
    assert (nobodys_table().version, nobodys_table().setup.seats) == (0, ())


@pytest.mark.parametrize(
    ("name", "seats", "allowed"),
    [
        ("points", 1, "Points rummy is for 2 to 10 seats, not 1"),
        ("rum", 7, "Basic rum is for 2 to 6 seats, not 7"),
        ("gin", 5, "Gin rummy is for 2, 4 and 6 seats, not 5"),
    ],
)
def test_a_wrong_number_of_seats_is_told_which_are_right(name, seats, allowed):
    stakes = {"point_value_minor": 1}
    assert f"wrong_number_of_seats - seats: {allowed}" in opening_refusals(name, seats=seats, options={}, **stakes)


def at_stake(table: Evening) -> dict[str, int]:
    return table.table.rules.at_stake(table.table.setup, table.table.game)


class TestAtStakeForPoints:
    def test_is_the_dearest_deal_for_who_is_still_there(self):
        assert at_stake(points(seats=3)) == {"asha": 8_000, "bo": 8_000, "cy": 8_000}
        dear = points(seats=3, wrong_show=120).told(goes_home("cy"))
        assert at_stake(dear) == {"asha": 12_000, "bo": 12_000, "cy": 0}

    def test_is_the_whole_stack_of_who_bought_in(self):
        table = points(seats=3).told(buys_in("bo", 20_000), buys_in("cy", 9_000), buys_in("bo", 1))
        assert at_stake(table) == {"asha": 8_000, "bo": 20_001, "cy": 9_000}
        lost = table.after(show("asha"), loses_with("bo", 50), leaves("cy"))
        assert at_stake(lost) == {"asha": 8_000, "bo": 15_001, "cy": 0}
        assert at_stake(lost.after(show("asha"), loses_with("bo", 80))) == {"asha": 8_000, "bo": 8_000, "cy": 0}

    def test_counts_a_deal_in_which_the_stack_took_no_part(self):
        table = points(seats=3).told(buys_in("bo", 20_000))
        table = table.after(show("asha"), ("bo", {"how": "not_in_deal"}), loses_with("cy", 50))
        assert at_stake(table)["bo"] == 20_000


def test_at_stake_is_an_entry_a_full_count_and_what_the_end_would_cost():
    stakes = {"entry_minor": 7, "point_value_minor": 2}
    table = sit("rummy500", CAST[:3], stakes, {"settlement": "pay_difference"})
    assert at_stake(table) == dict.fromkeys(CAST[:3], 167)
    sheet = {"out": "asha", "melded": {"asha": 60, "bo": 30, "cy": 0}, "in_hand": {"bo": 10, "cy": 5}}
    assert at_stake(played(table, sheet)) == {"asha": 167, "bo": 167 + 2 * 40, "cy": 167 + 2 * 65}


@pytest.mark.parametrize(
    ("written", "instead", "line", "fault"),
    [
        ('name = "high_card"', 'name = "deals"', "class HighCard(", "the name 'deals' is that of the game at "),
        ('presets = (Preset(name="high_card_to_3", title="High card to 3", options={}),)', "presets = ()",
         "class HighCard(", "the game 'high_card' has no preset"),
        ('Preset(name="high_card_to_3",', 'Preset(name="pool_101",', "class HighCard(",
         "the preset 'pool_101' is one of the game at "),
        ('options={}),)', 'options={}),) * 2', "class HighCard(", "the preset 'high_card_to_3' stands there twice"),
    ],
)  # fmt: skip
def test_a_game_that_cannot_be_told_from_another_is_refused_with_file_and_line(tmp_path, written, instead, line, fault):
    source = GAME.replace(written, instead)
    known, presets = dict(VARIANTS), dict(PRESETS)
    with pytest.raises(Defect) as refused, registered(tmp_path, source):
        pass
    at = 1 + source[: source.index(line)].count("\n")
    assert str(refused.value).startswith(f"{tmp_path}/high_card_of_a_club/__init__.py:{at}: {fault}")
    assert (known, presets) == (VARIANTS, PRESETS)


@pytest.mark.parametrize(
    ("changes", "error", "said"),
    [
        (
            [('title = "High card"\n', "\n"), ('example = {"highest": "1"}', "")],
            Defect,
            r"__init__\.py:\d+: the game does not say its title, example$",
        ),
        ([("def payouts(", "def payments(")], TypeError, "payouts"),
        # The game that has the name already is told with file and line.
        ([('name = "high_card"', 'name = "deals"')], Defect, r"indian/deals/__init__\.py:\d+$"),
    ],
)
def test_a_game_that_lacks_something_or_has_a_name_of_another_is_refused(tmp_path, changes, error, said):
    source = GAME
    for written, instead in changes:
        source = source.replace(written, instead)
    with pytest.raises(error, match=said), registered(tmp_path, source):
        pass
