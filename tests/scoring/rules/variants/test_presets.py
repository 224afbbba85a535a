"""Presets by name: each opens a table, and what a published page says of a house is true at its table."""

import pytest

from scoring.rules.variants import PRESETS, VARIANTS, play_problems
from tests.builders.rules import CAST, SPLIT, Evening, corrected, deal, leaves, loses_holding, rejoins, show, sit

LONGEST_STORED_NAME = 40
NAMED = [pytest.param(rules, preset, id=preset.name) for rules, preset in PRESETS.values()]
INDIAN = [
    pytest.param(rules, preset, id=preset.name)
    for rules, preset in PRESETS.values()
    if rules.name in ("points", "deals", "pool")
]
STAKES = {"entry_minor": 10_000, "point_value_minor": 100}
TWO_SEQUENCES_AND_A_SET = ("4H 5H 6H", "9S TS JS", "QD QC QH")


def at(preset: str, *, seats: int = 4, **stakes: int) -> Evening:
    """A table opened from a preset."""
    rules, found = PRESETS[preset]
    return sit(rules.name, CAST[:seats], STAKES | stakes, found.options)


def rejoining_at(preset: str, highest: int, **stakes: int) -> bool:
    """Whether Dev, who is out, may rejoin while the highest survivor has this total."""
    limit = PRESETS[preset][1].options["limit"]
    return at(preset, **stakes).where(asha=highest, dev=limit).seat("dev").may_rejoin


def loser_of_a_set(preset: str) -> int:
    """What Bo pays at a table of the preset who holds two sequences, a set of queens and four loose cards."""
    held = loses_holding("bo", *TWO_SEQUENCES_AND_A_SET, loose="2D 3C 7S 8D")
    return at(preset, seats=2).after(show("asha"), held).total("bo")


def test_no_two_presets_have_a_name_or_a_title_in_common():
    presets = [preset for rules in VARIANTS.values() for preset in rules.presets]
    assert len({preset.name for preset in presets}) == len(presets) == len(PRESETS)
    assert len({preset.title.lower() for preset in presets} | {preset.name for preset in presets}) == 2 * len(presets)


@pytest.mark.parametrize(("rules", "preset"), NAMED)
def test_a_preset_has_a_stable_name_that_can_be_stored_and_read_aloud(rules, preset):
    assert preset.name.isidentifier()
    assert preset.name == preset.name.lower()
    assert len(preset.name) <= LONGEST_STORED_NAME
    assert preset.title.strip() == preset.title != ""


@pytest.mark.parametrize(("rules", "preset"), NAMED)
def test_every_preset_opens_a_table_with_what_it_says(rules, preset):
    seats = CAST[: 4 if preset.options.get("partnership") else 2]
    options = sit(rules.name, seats, STAKES, preset.options).table.setup.options
    assert {name: getattr(options, name) for name in preset.options} == preset.options


@pytest.mark.parametrize(("rules", "preset"), NAMED)
def test_a_tournament_can_be_set_up_from_every_preset_before_anybody_sits_down(rules, preset):
    assert play_problems(rules.name, options=preset.options, stakes=STAKES) == []


@pytest.mark.parametrize(("rules", "preset"), INDIAN)
def test_a_deal_is_played_at_every_indian_preset(rules, preset):
    table = at(preset.name, seats=2).after(show("asha"), ("bo", {"how": "loss", "count": 34}))
    assert table.total("bo") == 34


@pytest.mark.parametrize(
    ("preset", "highest"),
    [
        ("pool_101", 79),
        ("a23_pool_101", 79),
        ("playship_pool_101", 79),
        ("pool_201", 174),
        ("a23_pool_201", 174),
        ("playship_pool_201", 174),
        ("pool_61", 44),
        ("playship_pool_61", 44),
    ],
)
def test_a_player_rejoins_up_to_the_threshold_that_is_printed_and_not_above(preset, highest):
    """79, 174 and 44 are on the pages of Playship, the first two on those of A23 and Rummyera as well."""
    assert rejoining_at(preset, highest)
    assert not rejoining_at(preset, highest + 1)


def test_nobody_rejoins_at_playship_where_the_entry_is_two_thousand_rupees_or_more():
    """Its page says so; its entries are in rupees of 100 paise."""
    assert rejoining_at("playship_pool_101", 40, entry_minor=199_999)
    assert not rejoining_at("playship_pool_101", 40, entry_minor=200_000)


@pytest.mark.parametrize("preset", ["foryourummy_pool_101", "foryourummy_pool_201", "pool_101_no_rejoin"])
def test_nobody_rejoins_where_the_page_does_not_know_it(preset):
    assert not rejoining_at(preset, 40)


@pytest.mark.parametrize(
    ("preset", "drops"),
    [
        ("foryourummy_pool_101", (20, 40)),
        ("foryourummy_pool_201", (20, 40)),
        ("a23_pool_201", (25, 50)),
        ("junglee_pool_201", (25, 50)),
        ("playship_pool_61", (15, 30)),
        ("points_short_drops", (10, 30)),
    ],
)
def test_drops_cost_what_the_page_prints(preset, drops):
    table = at(preset, seats=3)
    dropped = table.after(show("asha"), ("bo", {"how": "first_drop"}), ("cy", {"how": "middle_drop"}))
    assert (dropped.total("bo"), dropped.total("cy")) == drops


@pytest.mark.parametrize(
    ("preset", "total"), [("junglee_pool_101", 80), ("junglee_pool_201", 175), ("a23_pool_101", 81)]
)
def test_the_pot_is_split_at_the_total_that_is_printed(preset, total):
    """Junglee splits at 80 and 175 or higher, A23 at what is higher than 80."""
    limit = PRESETS[preset][1].options["limit"]
    assert at(preset, seats=3).where(asha=total, bo=total, cy=limit).table.is_finished
    assert not at(preset, seats=3).where(asha=total - 1, bo=total, cy=limit).table.is_finished


def test_three_seats_split_at_a23_only_within_two_drops_of_each_other():
    """ace2three prints that condition for three seats; 60, 80 and 95 have 2, 1 and 0 drops left."""
    near = at("a23_pool_101").where(asha=60, bo=80, cy=95, dev=101)
    far = at("a23_pool_101").where(asha=40, bo=80, cy=95, dev=101)
    assert near.refuses(SPLIT) == []
    assert [code for code, _ in far.refuses(SPLIT)] == ["split_drops_differ"]


def test_a_split_at_rummycircle_leaves_an_entry_fee_in_the_pot():
    """Four entries and four drops of difference leave nothing; at the table of a common 101 pool that is enough."""
    totals = {"asha": 20, "bo": 100, "cy": 101, "dev": 101}
    assert at("pool_101").where(**totals).refuses(SPLIT) == []
    assert [code for code, _ in at("circle_pool_101").where(**totals).refuses(SPLIT)] == ["split_pot_too_small"]


def test_rummycentral_counts_the_cards_of_sets_and_the_others_do_not():
    assert loser_of_a_set("rummycentral_points") == 30 + 20
    assert {loser_of_a_set(name) for name in ("foryourummy_points", "junglee_points", "circle_points")} == {20}


def test_who_leaves_after_drawing_pays_a_full_count_in_the_style_of_classicrummy():
    assert at("points_short_drops", seats=2).after(show("asha"), leaves("bo")).total("bo") == 80
    assert at("foryourummy_points", seats=2).after(show("asha"), leaves("bo")).total("bo") == 40


@pytest.mark.parametrize(
    ("preset", "seats", "chips"),
    [("foryourummy_deals_2", 2, 160), ("deals_best_of_3", 6, 240), ("foryourummy_deals_6", 6, 480)],
)
def test_deals_start_with_the_chips_that_are_printed(preset, seats, chips):
    """160 and 480 are in foryourummy's rules, 240 for six seats at Playship."""
    assert set(at(preset, seats=seats).chips().values()) == {chips}


def test_foryourummy_deals_know_no_drop():
    table = at("foryourummy_deals_2", seats=2)
    assert [code for code, _ in table.refuses(deal(1, show("asha"), ("bo", {"how": "first_drop"})))] == [
        "drop_not_allowed"
    ]


def test_junglee_plays_deals_with_one_pack_and_so_with_three_seats_at_most():
    assert at("junglee_deals_2", seats=3).table.setup.options.packs == 1
    with pytest.raises(Exception, match="4 seats need 54 cards"):
        at("junglee_deals_2", seats=4)


def test_a_house_that_a_page_was_found_for_or_that_lacks_one_says_so():
    named = ("foryourummy", "rummycentral", "circle", "a23", "junglee", "playship", "pool_51", "pool_61")
    for _, preset in PRESETS.values():
        if preset.name.startswith(named):
            assert preset.note, preset.name


def test_a_table_of_a_preset_is_corrected_like_any_other():
    table = at("a23_pool_101").where(asha=79, dev=101).told(rejoins("dev"))
    assert table.total("dev") == 80
    fixed = table.told(
        corrected(
            1,
            show("bo"),
            ("asha", {"how": "loss", "count": 78}),
            *((seat, {"how": "not_in_deal"}) for seat in ("cy", "dev")),
        )
    )
    assert fixed.total("dev") == 79
