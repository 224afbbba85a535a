"""Options that only describe how a house plays: marked as such, and none of them is read by the rules."""

import re
from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import UNSET, Meta, UnsetType

from scoring.options import Options, describe_options
from scoring.rules.variants import VARIANTS

RULES = Path(__file__).parents[4] / "scoring" / "rules"
COUNTED_BY_HAND = {"joker_melded", "ace_low"}


class LeftOut(Options, frozen=True, kw_only=True):
    """Options that are not stored where they are not set, and one that may be none."""

    begins: Annotated[Literal["new", "kept"] | UnsetType, Meta(description="How it begins", extra={"unset": "new"})] = (
        UNSET
    )
    share: Annotated[int, Meta(ge=0, le=5, description="How much")] | UnsetType = UNSET
    said: Annotated[str | UnsetType, Meta(description="A word")] = UNSET
    most: Annotated[Annotated[int, Meta(ge=0, le=9)] | None, Meta(description="The most")] = None


def read_by_the_rules() -> set[str]:
    """The names of a house's options that the rules read."""
    files = [path for path in RULES.rglob("*.py") if not path.stem.endswith("presets")]
    read = re.compile(r"\b(?:options|self|house)\.(?:holding\(\")?(\w+)")
    return {name for path in files for name in read.findall(path.read_text())}


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.name)
def test_an_option_that_no_rule_reads_is_marked_as_one_for_play(rules):
    read = read_by_the_rules()
    unmarked = [option["name"] for option in describe_options(rules.options_type) if not option.get("plays_only")]
    assert [name for name in unmarked if name not in read] == []


@pytest.mark.parametrize("rules", VARIANTS.values(), ids=lambda rules: rules.name)
def test_every_option_tells_a_director_what_it_does(rules):
    assert [option["name"] for option in describe_options(rules.options_type) if not option["help"]] == []


def test_what_a_scorer_counts_by_hand_is_for_the_table_to_know():
    marked = {
        option["name"] for option in describe_options(VARIANTS["rummy500"].options_type) if option.get("plays_only")
    }
    assert marked >= COUNTED_BY_HAND


def test_a_training_table_is_printed_as_unrated():
    (training,) = [one for one in describe_options(VARIANTS["romme"].options_type) if one["name"] == "training"]
    assert training["plays_only"]
    assert "nrated" in training["help"]


def test_an_option_that_is_left_out_is_described_with_what_then_holds():
    assert describe_options(LeftOut) == [
        {
            "name": "begins",
            "title": "Begins",
            "help": "How it begins",
            "type": "choice",
            "choices": ["new", "kept"],
            "default": "new",
        },
        {"name": "share", "title": "Share", "help": "How much", "min": 0, "max": 5, "type": "integer", "default": None},
        {"name": "said", "title": "Said", "help": "A word", "type": "text", "default": None},
        {
            "name": "most",
            "title": "Most",
            "help": "The most",
            "min": 0,
            "max": 9,
            "type": "integer",
            "nullable": True,
            "default": None,
        },
    ]
