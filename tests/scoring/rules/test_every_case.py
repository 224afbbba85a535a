"""Every published case and every sample is run by a test, unchanged."""

import hashlib
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
DATA = HERE.parents[1] / "data"
GIVEN = {
    "golden_cases.json": (156, "b82d3d658870fe3b8c4c5cc972af8066441cdf07e03004cbecfff2c49d71227f"),
    "sample_declarations.jsonl": (24, "cae856bb0d16fa14d98aa22bb891f31fcb21adeba4bef5e834f2ab8e823e7f9a"),
    "sample_hands.jsonl": (60, "b6570627beed23f35758d4d02f675db6548fd28e14b651f2163e3ca591171370"),
    "sample_other.jsonl": (19, "aa27727fb28c5a96a6009b1bf1aa9a8345ab5de014f96d287ee47b132ff9efe4"),
}
# These are about a stage of a tournament, not a table: who qualifies, who may re-enter, how many places are paid.
ASKED_OF_A_STAGE = {"tour-rebuy-yes", "tour-drt-799", "tour-drt-800", "tour-pay-25-percent"}


def cases_in(name: str) -> list[dict[str, Any]]:
    text = (DATA / name).read_text(encoding="utf-8")
    found = json.loads(text) if name.endswith(".json") else [json.loads(line) for line in text.splitlines()]
    assert found
    return found


def cases_run() -> Iterator[str]:
    """The names of all cases with which tests of this package are parametrized."""
    for path in sorted(HERE.rglob("test_*.py")):
        module = importlib.import_module(
            ".".join(("tests", "scoring", "rules", *path.relative_to(HERE).with_suffix("").parts))
        )
        for name, test in vars(module).items():
            if name.startswith("test_"):
                for mark in getattr(test, "pytestmark", ()):
                    yield from _named_by(mark)


def _named_by(mark: pytest.Mark) -> Iterator[str]:
    for value in mark.args[1] if mark.name == "parametrize" else ():
        for case in (value,) if isinstance(value, dict) else getattr(value, "values", ()):
            if isinstance(case, dict) and "id" in case:
                yield case["id"]


@pytest.mark.parametrize("name", GIVEN)
def test_cases_are_as_they_were_given(name):
    count, digest = GIVEN[name]
    assert hashlib.sha256((DATA / name).read_bytes()).hexdigest() == digest
    assert len({case["id"] for case in cases_in(name)}) == len(cases_in(name)) == count


def test_every_case_that_a_table_can_answer_is_run_by_a_test():
    given = {case["id"] for name in GIVEN for case in cases_in(name)}
    assert given - set(cases_run()) == ASKED_OF_A_STAGE
