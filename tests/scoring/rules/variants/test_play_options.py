"""Options that only describe how a house plays: marked as such, and none of them is read by the rules."""

import re
from pathlib import Path

from scoring.options import describe_options
from scoring.rules.variants import VARIANTS

RULES = Path(__file__).parents[4] / "scoring" / "rules"
READ = re.compile(r"\b(?:options|self|house)\.(?:holding\(\")?(\w+)")


def test_an_option_says_what_it_does_and_one_that_no_rule_reads_is_marked_as_one_for_play():
    files = [path for path in RULES.rglob("*.py") if not path.stem.endswith("presets")]
    read = {name for path in files for name in READ.findall(path.read_text())}
    for rules in VARIANTS.values():
        options = describe_options(rules.options_type)
        assert [option["name"] for option in options if not option["help"]] == []
        unmarked = {option["name"] for option in options if not option.get("plays_only")}
        assert unmarked - read == set(), rules.name


def test_what_a_scorer_counts_by_hand_is_for_the_table_to_know_and_a_training_table_is_printed_as_unrated():
    counted = {option["name"]: option for option in describe_options(VARIANTS["rummy500"].options_type)}
    assert counted["joker_melded"]["plays_only"]
    assert counted["ace_low"]["plays_only"]
    (training,) = (each for each in describe_options(VARIANTS["romme"].options_type) if each["name"] == "training")
    assert training["plays_only"]
    assert "nrated" in training["help"]
