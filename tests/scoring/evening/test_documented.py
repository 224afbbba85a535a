"""docs/rules/tournaments.md names every policy, every tie-break and every format as they are."""

from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from scoring.evening.formats import FORMATS
from scoring.evening.plan import Plan, TieBreak

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "tournaments.md").read_text()
HINTS = get_type_hints(Plan)
POLICIES = [(name, value) for name in ("late", "leaving", "substitute") for value in get_args(HINTS[name])]


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_every_format_stands_in_the_table_with_its_players(known):
    first, last = known.players.start, known.players.stop - 1
    assert f"| `{known.name}` | {known.title} | {first} to {last} |" in PAGE


@pytest.mark.parametrize(("option", "value"), POLICIES)
def test_every_policy_says_what_happens(option, value):
    assert f"| `{option}` | `{value}` |" in PAGE


@pytest.mark.parametrize("name", get_args(TieBreak))
def test_every_tie_break_says_what_it_decides(name):
    assert f"| `{name}` |" in PAGE
