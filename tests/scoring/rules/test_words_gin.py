"""The exact messages of a gin table: refusals, the story of a hand, its games side by side, a written sheet."""

from typing import Any

import pytest

from scoring.rules.table.variant import PanelCell
from scoring.rules.variants.western.gin.game import GinHand, GinSheet, HandResult, SideResult, hand_result, side_result
from scoring.rules.variants.western.gin.options import GinOptions
from tests.builders.gin import DEAD, gin, goes_gin, knocks
from tests.builders.rules import CAST, CLOSED, TIME_CALLED, Evening, goes_home
from tests.builders.western import played, sheet
from tests.builders.wording import form, marks, opening_refusals, refusals, story

HANDS = "wrong_type - hands: hands must be a list of 1 to 3 hands"
ZOE = "there is no seat 'zoe' at this table; the seats are"
WAS_DEAD = "the hand was dead, so nobody knocked and nothing is counted"
EVEN = {"hands": [knocks("asha", 2, 22, defender="bo"), knocks("dev", 1, 21, defender="cy")]}


@pytest.mark.parametrize(
    ("seats", "options", "wanted"),
    [
        (
            2,
            {"partnership": True, "spades_double": "points"},
            [
                (
                    "wrong_number_of_seats - partnership: "
                    "without partners two seats play, with partners four or six, not 2"
                ),
                "not_a_choice - spades_double: a spade can only double where a card is turned up: that is Oklahoma gin",
            ],
        ),
        (
            4,
            {"partnership": False},
            ["wrong_number_of_seats - partnership: without partners two seats play, with partners four or six, not 4"],
        ),
        (3, {}, ["wrong_number_of_seats - seats: Gin rummy is for 2, 4, 6 seats, not 3"]),
    ],
)
def test_a_house_that_does_not_fit_together_is_told_why(seats, options, wanted):
    assert opening_refusals("gin", seats=seats, options=options) == wanted


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (
            {"knocker": "asha"},
            [
                "missing_count asha knocker_deadwood: asha knocked, but the deadwood is missing",
                "missing_count bo defender_deadwood: what bo held after laying off is missing",
            ],
        ),
        (
            knocks("asha", 11, 20),
            [
                ("knock_over_limit asha knocker_deadwood: asha knocked with 11; the limit is 10: "
                    "play continues, note an illegal knock")
            ],
        ),
        (
            knocks("asha", 0, 20, ending="knock"),
            ["knock_is_gin asha ending: asha knocked with no deadwood: that is gin"],
        ),
        (
            knocks("asha", 3, 20, ending="gin"),
            ["winner_has_points asha knocker_deadwood: asha went gin, so no deadwood; the sheet says 3"],
        ),
        (
            knocks("asha", 0, 20, ending="big_gin"),
            ["not_a_choice - ending: this table does not play big gin: enter it as gin"],
        ),
        (
            knocks("asha", 3, 20, ending="show"),
            ["not_a_choice - ending: ending cannot be 'show'; use one of knock, gin, big_gin, dead"],
        ),
        (knocks("asha", 3, 100), []),
        (
            knocks("asha", 3, 101),
            ["count_over_cap bo defender_deadwood: bo has 101; ten cards never count more than 100"],
        ),
        (
            {"knocker": None, "ending": "big_gin"},
            ["no_winner - knocker: nobody knocked, so this cannot have been big gin"],
        ),
        ({"knocker": None, "defender_deadwood": 5}, [f"count_not_expected - ending: {WAS_DEAD}"]),
        ({"ending": "dead", "knocker": "asha"}, [f"count_not_expected asha ending: {WAS_DEAD}"]),
        ({"ending": "dead", "knocker_deadwood": 1}, [f"count_not_expected - ending: {WAS_DEAD}"]),
        ({"ending": "dead", "extra_boxes": 1}, [f"count_not_expected - ending: {WAS_DEAD}"]),
        ({"ending": "dead", "knocker": "zoe"}, [f"unknown_seat zoe knocker: {ZOE} asha, bo"]),
        (
            knocks("asha", 3, 20, upcard="1Z"),
            ["unknown_card - upcard: upcard must be a card or a rank, not '1Z'"],
        ),
        (knocks("asha", 3, 20, extra_boxes=50), []),
        (
            knocks("asha", 3, 20, extra_boxes=51),
            ["out_of_range - extra_boxes: 51 extra boxes for one hand are too many"],
        ),
        ({"hands": 7}, [HANDS]),
        ({"hands": []}, [HANDS]),
        ({"hands": [7] * 4}, [HANDS]),
        ({"hands": [7]}, ["wrong_type - hands: the hand must be an object, not 7"]),
        ({"hands": [{"knocker": "asha", "defender": "zoe"}]}, [f"unknown_seat zoe defender: {ZOE} asha, bo"]),
    ],
)  # fmt: skip
def test_a_sheet_for_two_is_refused_with_a_sentence_for_each_fault(raw, wanted):
    assert refusals(gin(), sheet(1, **raw)) == wanted


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (
            {"hands": [7, {"knocker": "zoe"}]},
            [
                "wrong_type - hands: hand 1 must be an object, not 7",
                f"unknown_seat zoe knocker: hand 2: {ZOE} asha, bo, cy, dev",
            ],
        ),
        (
            {"hands": [7, knocks("asha", 2, 22, defender="bo")]},
            ["wrong_type - hands: hand 1 must be an object, not 7"],
        ),
        (
            {"hands": [{"ending": "dead"}]},
            ["missing_field - hands: hands in a deal of 4 seats: 2; on this sheet: 1"],
        ),
        (
            {"hands": [knocks("bo", 2, 22, defender="dev"), knocks("cy", 2, 22, defender="asha")]},
            [
                "same_side bo defender: bo cannot play against this seat: they are partners",
                "same_side cy defender: cy cannot play against this seat: they are partners",
            ],
        ),
        (
            {"hands": [knocks("asha", 2, 22, defender="bo"), knocks("cy", 2, 22, defender="bo")]},
            ["seat_twice bo hands: bo plays one hand in a deal, not two"],
        ),
        (
            {"hands": [
                {"knocker": "asha", "knocker_deadwood": 3},
                {"knocker": "bo", "knocker_deadwood": 3, "defender": "cy", "defender_deadwood": 101},
            ]},
            [
                "missing_field asha defender: asha knocked: enter against whom",
                "missing_count - defender_deadwood: what the opponent held after laying off is missing",
                "count_over_cap cy defender_deadwood: cy has 101; ten cards never count more than 100",
            ],
        ),
        (
            {"hands": [
                {"knocker": "asha", "knocker_deadwood": 3, "defender_deadwood": 101},
                {"knocker": "bo", "knocker_deadwood": 3, "defender": "cy"},
            ]},
            [
                "missing_field asha defender: asha knocked: enter against whom",
                "count_over_cap - defender_deadwood: the opponent has 101; ten cards never count more than 100",
                "missing_count cy defender_deadwood: what cy held after laying off is missing",
            ],
        ),
    ],
)  # fmt: skip
def test_a_sheet_for_partners_is_refused_with_a_sentence_for_each_fault(raw, wanted):
    assert refusals(gin(seats=4), sheet(1, **raw)) == wanted


def test_a_sheet_with_a_hand_that_cannot_be_read_is_none():
    fact, _ = gin(seats=4).considered(sheet(1, hands=[7, knocks("asha", 2, 22, defender="bo")]))
    assert fact is None


def test_six_partners_play_three_hands_and_no_fourth():
    assert refusals(gin(seats=6), sheet(1, hands=[DEAD] * 3)) == []
    assert refusals(gin(seats=6), sheet(1, hands=[DEAD] * 4)) == [HANDS]


def test_oklahoma_says_what_the_card_turned_up_is_needed_for():
    table = gin(oklahoma=True, spades_double="points")
    needed = ["missing_field - upcard: the card turned up sets the knock limit here"]
    assert refusals(table, sheet(1, **knocks("asha", 3, 20))) == needed
    assert refusals(table, sheet(1, **knocks("asha", 3, 20, upcard="5"))) == [
        "missing_field - upcard: a spade turned up doubles here, and 5 has no suit"
    ]
    assert refusals(table, sheet(1, hands=[DEAD])) == []
    partners = gin(seats=4, oklahoma=True)
    assert refusals(partners, sheet(1, hands=[DEAD, knocks("asha", 3, 20, defender="bo")])) == needed


def test_an_undecided_table_says_how_far_it_is():
    none_won = "played and no side has reached the target in every game"
    assert refusals(gin(), CLOSED) == [f"not_finished - -: 0 deals are {none_won}"]
    assert refusals(played(gin(), DEAD), CLOSED) == [f"not_finished - -: 1 deal is {none_won}"]
    assert refusals(played(gin(), DEAD, DEAD), CLOSED) == [f"not_finished - -: 2 deals are {none_won}"]
    assert refusals(gin(), TIME_CALLED) == ["nothing_played - -: no deal counts at this table: cancel it instead"]
    won = played(gin(), DEAD, goes_gin("asha", 75))
    assert refusals(won, sheet(3, **DEAD)) == ["table_finished - -: the table was decided in deal 2"]
    assert refusals(gin(), goes_home("asha")) == ["not_in_this_variant - kind: seat_left has no place in Gin rummy"]


class TestStory:
    def test_of_a_hand_is_who_won_how_much(self):
        assert story(played(gin(), knocks("asha", 3, 20))) == ["won: asha wins 17 points"]
        assert story(played(gin(), DEAD)) == ["dead: Nothing is scored; the same dealer deals again"]
        extra = gin(gin_extra_boxes=1)
        assert story(played(extra, goes_gin("asha", 20))) == ["entered: asha wins 45 points and 2 boxes"]
        assert story(played(extra, knocks("asha", 3, 20))) == ["won: asha wins 17 points"]
        assert story(played(gin(games=2), knocks("asha", 3, 20))) == ["entered: asha wins 17 points"]

    def test_of_partners_is_told_of_both(self):
        ahead = {"hands": [knocks("asha", 2, 22, defender="bo"), knocks("dev", 1, 20, defender="cy")]}
        assert story(played(gin(seats=4), ahead)) == ["won: asha wins 1 point", "won: cy wins 1 point"]
        assert story(played(gin(seats=4), EVEN)) == ["dead: The sides are equal, and nothing is scored"]

    def test_of_the_last_hand_is_what_the_game_comes_to(self):
        assert story(played(gin(), knocks("asha", 3, 20), goes_gin("bo", 75))) == [
            "won: bo wins 100 points",
            "game: Game 1 goes to bo: 225 to 42 with bonus and boxes",
            "difference: The total difference is 183 points",
        ]
        assert story(played(gin(), goes_gin("bo", 75))) == [
            "won: bo wins 100 points",
            "game: Game 1 goes to bo, and is a shutout: 225 to 0 with bonus and boxes",
            "difference: The total difference is 450 points",
        ]

    def test_of_games_side_by_side_names_the_game_and_ends_with_the_last(self):
        first = played(gin(games=2), goes_gin("bo", 75))
        assert story(first) == [
            "entered: bo wins 100 points",
            "game: Game 1 goes to bo, and is a shutout: 225 to 0 with bonus and boxes",
        ]
        assert story(played(first, knocks("bo", 1, 3), goes_gin("asha", 75))) == [
            "entered: asha wins 100 points",
            "game: Game 2 goes to asha: 225 to 27 with bonus and boxes",
            "difference: The total difference is 252 points",
        ]
        assert story(first.told(TIME_CALLED)) == ["difference: The total difference is 450 points"]
        assert story(played(gin(), goes_gin("bo", 75)).told(CLOSED)) == []


def panel(table: Evening) -> tuple[str, list[str]]:
    """The title, and each row as one line."""
    rules, setup = table.table.rules, table.table.setup
    [found] = rules.panels(setup, table.table.game)
    return str(found.title), [" | ".join(map(_cell, row)) for row in found.rows]


def _cell(cell: PanelCell) -> str:
    return " and ".join(seat.label for seat in cell) if isinstance(cell, tuple) else str(cell)


class TestPanel:
    def test_is_there_once_a_deal_was_played(self):
        assert gin().table.rules.panels(gin().table.setup, gin().table.game) == ()
        assert panel(played(gin(), DEAD)) == ("The game", ["asha | 1 | 0 | 0 | 0 | ", "bo | 1 | 0 | 0 | 0 | "])

    def test_has_a_row_for_each_side_of_each_game(self):
        table = played(gin(games=2), goes_gin("bo", 75), knocks("asha", 3, 20))
        assert panel(table) == (
            "Games side by side",
            [
                "asha | 1 | 0 | 0 | 0 | ",
                "bo | 1 | 100 | 1 | 225 | won, 450",
                "asha | 2 | 17 | 1 | 42 | 42",
                "bo | 2 | 0 | 0 | 0 | ",
            ],
        )

    def test_shows_the_smallest_lead(self):
        table = played(gin(box_bonus=0), knocks("asha", 3, 4))
        assert panel(table)[1][0] == "asha | 1 | 1 | 1 | 1 | 1"

    def test_names_all_partners_of_a_side(self):
        table = played(gin(seats=6), {"hands": [knocks("asha", 3, 4, defender="bo"), DEAD, DEAD]})
        assert panel(table)[1] == [
            "asha and cy and eli | 1 | 1 | 1 | 26 | 26",
            "bo and dev and fay | 1 | 0 | 0 | 0 | ",
        ]


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ({"knocker": None, "ending": "dead"}, {}),
        ({"knocker": None}, {}),
        ({"knocker": "A", "ending": "dead"}, {}),
        (
            {"knocker": "A", "defender": "B", "knocker_deadwood": 3, "defender_deadwood": 20},
            {"A": "knock [knock] Knocked with 3 WIN", "B": "held [] Held 20"},
        ),
        (
            {"knocker": "A", "defender": "B", "knocker_deadwood": 3, "defender_deadwood": 3},
            {"A": "knock [knock] Knocked with 3", "B": "held [] Held 3"},
        ),
        (
            {"knocker": "A", "defender": "B", "knocker_deadwood": 3, "defender_deadwood": 2},
            {"A": "knock [knock] Knocked with 3", "B": "undercut [undercut] Undercut with 2 WIN"},
        ),
        (
            {"knocker": "A", "defender": "B", "knocker_deadwood": 3},
            {"A": "knock [knock] Knocked with 3", "B": "held [] Held"},
        ),
        ({"knocker": "A", "knocker_deadwood": 3}, {"A": "knock [knock] Knocked with 3"}),
        (
            {"knocker": "A", "defender": "B", "defender_deadwood": 1},
            {"A": "knock [knock] Knocked with 0 WIN", "B": "held [] Held 1"},
        ),
        (
            {"knocker": "A", "defender": "B", "ending": "gin", "knocker_deadwood": 3, "defender_deadwood": 2},
            {"A": "gin [gin] Gin WIN", "B": "held [] Held 2"},
        ),
        (
            {"knocker": "A", "defender": "B", "ending": "big_gin", "defender_deadwood": 0},
            {"A": "big_gin [big gin] Big gin WIN", "B": "held [] Held 0"},
        ),
    ],
)
def test_a_written_hand_reads_as_it_was_played(hand, said):
    assert marks(GinHand(**hand)) == said


@pytest.mark.parametrize(
    ("fields", "remarks", "same_dealer"),
    [
        ({"hands": (GinHand(knocker=None, ending="dead"),)}, ("the hand was dead",), True),
        ({"hands": (GinHand(knocker=None, ending="dead"),) * 2}, ("2 of 2 hands dead",), True),
        (
            {"hands": (GinHand(knocker=None, ending="dead"), GinHand(knocker="A")), "upcard": "5H"},
            ("1 of 2 hands dead", "upcard 5H"),
            False,
        ),
        (
            {"hands": (GinHand(knocker="A"),), "illegal_knocks": ("B", "C")},
            ("B knocked over the limit", "C knocked over the limit"),
            False,
        ),
        ({"hands": (GinHand(knocker="A"),)}, (), False),
    ],
)
def test_a_written_sheet_says_what_else_happened(fields, remarks, same_dealer):
    written = GinSheet(**fields)
    assert (tuple(map(str, written.remarks())), written.keeps_dealer) == (remarks, same_dealer)


@pytest.mark.parametrize(
    ("options", "hand", "upcard", "wanted"),
    [
        ({}, {"defender": None, "defender_deadwood": 20}, None, None),
        ({}, {"knocker": None, "ending": "gin"}, None, None),
        ({}, {"ending": "dead"}, None, None),
        # A stored knock without a number counts as one with nothing left.
        ({}, {"defender_deadwood": 20}, None, ("A", 20, 1)),
        ({"big_gin_bonus": 31}, {"ending": "gin", "defender_deadwood": 7}, None, ("A", 32, 1)),
        ({"big_gin_bonus": 31}, {"ending": "big_gin", "defender_deadwood": 7}, None, ("A", 38, 1)),
        ({}, {"ending": "big_gin", "defender_deadwood": 7}, None, ("A", 32, 1)),
        (
            {"oklahoma": True, "spades_double": "points_and_boxes", "gin_extra_boxes": 2},
            {"ending": "gin", "defender_deadwood": 7, "extra_boxes": 1},
            "9S",
            ("A", 64, 8),
        ),
        (
            {"oklahoma": True, "spades_double": "points", "gin_extra_boxes": 2},
            {"ending": "gin", "defender_deadwood": 7, "extra_boxes": 1},
            "9S",
            ("A", 64, 4),
        ),
    ],
)
def test_a_hand_is_worth(options, hand, upcard, wanted):
    found = hand_result(GinOptions(**options), GinHand(**{"knocker": "A", "defender": "B", **hand}), upcard)
    assert found == (None if wanted is None else HandResult(*wanted))


@pytest.mark.parametrize(("doubles", "upcard", "boxes"), [("points", "9S", 1), ("points_and_boxes", "9H", 1)])
def test_partners_have_one_box_where_no_spade_doubles_boxes(doubles, upcard, boxes):
    hands = [goes_hand("asha", "bo"), goes_hand("cy", "dev")]
    options = GinOptions(oklahoma=True, spades_double=doubles, partnership=True)
    factor = 2 if upcard == "9S" else 1
    found = side_result(options, CAST[:4], GinSheet(hands=tuple(hands), upcard=upcard))
    assert found == SideResult(0, factor * 60, boxes)


def goes_hand(seat: str, against: str) -> GinHand:
    return GinHand(knocker=seat, defender=against, ending="gin", defender_deadwood=5)


def hand_form(at: int, limit: str, *, group: str = "", against: bool = False, big: bool = False) -> list[str]:
    """The fields of one hand."""
    under = f", group={group}" if group else ""
    path = f"hands.{at}."
    choices = "choices=knock:Knock/gin:Gin" + ("/big_gin:Big gin" if big else "")
    fields = [
        (
            f"Knocked ({path}knocker, seat, is_required{under}, nobody=Nobody: the stock ran out) "
            "The player who laid the hand down first"
        ),
        f"How ({path}ending, choice{under}, {choices}) Empty: a knock, or gin if the knocker has 0",
        f"Deadwood of the knocker ({path}knocker_deadwood, number{under}) {limit}",
        f"Against ({path}defender, seat{under}) Not a partner",
        (
            f"Deadwood of the opponent ({path}defender_deadwood, number{under}) "
            "What is left after laying off; after gin nothing is laid off"
        ),
        (f"Extra boxes ({path}extra_boxes, number, is_rare{under}) Only boxes agreed on in addition to the house's"),
        (
            f"Melds of the knocker ({path}melds, groups, is_rare{under}) "
            "Instead of both numbers: the melds of the knocker as they were laid down"
        ),
        (
            f"Loose cards of the knocker ({path}loose, cards, is_rare{under}) "
            "What the knocker laid down beside the melds; empty for gin"
        ),
        (
            f"Cards of the opponent ({path}defender_cards, cards, is_rare{under}) "
            "All ten, before laying off: the best melds and lay-offs are found"
        ),
    ]
    return fields if against else [field for field in fields if not field.startswith("Against")]


REST = [
    (
        "Knocked over the limit (illegal_knocks, seats, is_rare) Play continued with that hand face "
        "up; it is recorded, and scores nothing"
    ),
    "Dealer (dealer, seat)",
]


@pytest.mark.parametrize(
    ("house", "upcard", "limit"),
    [
        ({}, [], "10 at most; 0 for gin"),
        (
            {"oklahoma": True, "ace_means_gin": False, "knock_max": 9},
            ["the card, or its rank"],
            "At most the card turned up, and at most 9; an ace means 1",
        ),
    ],
)
def test_two_seats_are_asked_for_one_hand(house, upcard, limit):
    turned_up = [f"Card turned up (upcard, card, is_required) It sets the knock limit; {how}" for how in upcard]
    assert form(gin(**house)) == [*turned_up, *hand_form(0, limit), *REST]


def test_partners_are_asked_for_a_hand_each_and_against_whom():
    table = gin(seats=4, big_gin_bonus=31, oklahoma=True, spades_double="points")
    limit = "At most the card turned up, and at most 10; an ace means gin only"
    assert form(table) == [
        "Card turned up (upcard, card, is_required) It sets the knock limit; the card with its suit: a spade doubles",
        *hand_form(0, limit, group="Hand 1", against=True, big=True),
        *hand_form(1, limit, group="Hand 2", against=True, big=True),
        *REST,
    ]


def at_stake(table: Evening) -> dict[str, Any]:
    return table.table.rules.at_stake(table.table.setup, table.table.game)


def test_the_entry_a_full_count_and_what_a_side_is_behind_is_at_stake():
    assert at_stake(gin(entry=5, value=2)) == {"asha": 165, "bo": 165}
    assert at_stake(played(gin(entry=5, value=2), knocks("asha", 3, 20))) == {"asha": 165, "bo": 5 + 2 * (80 + 42)}
    assert at_stake(played(gin(value=2), knocks("bo", 3, 20))) == {"asha": 2 * (80 + 42), "bo": 160}
    assert at_stake(played(gin(seats=4, value=1), EVEN)) == dict.fromkeys(CAST[:4], 80)
