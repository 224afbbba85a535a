"""Presets by name: each opens a table with what it says. What each says is on the page of its game in docs/rules."""

import pytest

from scoring.rules.variants import PRESETS, VARIANTS, play_problems
from tests.builders.rules import CAST, sit

LONGEST_STORED_NAME = 40
STAKES = {"entry_minor": 10_000, "point_value_minor": 100}
WITH_A_NOTE = ("foryourummy", "rummycentral", "circle", "a23", "junglee", "playship", "pool_51", "pool_61")


def test_no_two_presets_have_a_name_or_a_title_in_common():
    presets = [preset for rules in VARIANTS.values() for preset in rules.presets]
    assert len({preset.name for preset in presets}) == len(presets) == len(PRESETS)
    assert len({preset.title.lower() for preset in presets} | {preset.name for preset in presets}) == 2 * len(presets)


def test_a_preset_has_a_stable_name_that_can_be_stored_and_read_aloud_and_says_where_it_comes_from():
    for rules, preset in PRESETS.values():
        assert preset.name.isidentifier()
        assert preset.name == preset.name.lower()
        assert len(preset.name) <= LONGEST_STORED_NAME
        assert preset.title.strip() == preset.title != ""
        is_western = rules.name not in ("points", "deals", "pool")
        assert preset.note.endswith(".") or not (is_western or preset.name.startswith(WITH_A_NOTE)), preset.name
    casino = PRESETS["palace_casino"][1]
    assert ("unverified" in casino.title, casino.note[:10]) == (True, "Unverified")


@pytest.mark.parametrize("name", VARIANTS)
def test_every_preset_opens_a_table_with_what_it_says_and_a_tournament_before_anybody_sits_down(name):
    for preset in VARIANTS[name].presets:
        seats = CAST[: 4 if preset.options.get("partnership") else 2]
        options = sit(name, seats, STAKES, preset.options).table.setup.options
        assert {option: getattr(options, option) for option in preset.options} == preset.options, preset.name
        assert play_problems(name, options=preset.options, stakes=STAKES) == []


def test_nobody_rejoins_at_playship_where_the_entry_is_two_thousand_rupees_or_more():
    """Its page says so; its entries are in rupees of 100 paise."""
    options = PRESETS["playship_pool_101"][1].options
    for entry, may_rejoin in ((199_999, True), (200_000, False)):
        table = sit("pool", CAST[:4], {"entry_minor": entry}, options).where(asha=40, dev=101)
        assert table.seat("dev").may_rejoin is may_rejoin
