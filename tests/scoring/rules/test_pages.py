"""The pages in docs/ agree with the code: examples are played, generated tables compared, codes counted."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from scoring.events.reading import read_event
from scoring.events.wire import EVENTS, NEEDS_REASON, NOT_FOR_TABLES
from scoring.lines import replay_line
from scoring.options import describe_options
from scoring.rules.variants import VARIANTS, variant
from tests.builders.rules import CLOSED, SPLIT, Evening, deal, rejoins, sit, tiebreak
from tests.builders.rules_pages import GOLDEN, PAGES, golden, page_files, with_tables

ROOT = Path(__file__).parents[3]
EVENTS_PAGE = ROOT / "docs" / "events.md"
WORDS_FOR_A_LOSS = re.compile(r"-?\d+")


def amounts(written: str) -> dict[str, int]:
    """`A 400, B -35` as numbers by seat."""
    pairs = (part.split() for part in written.split(",") if part.strip())
    return {seat: int(number) for seat, number in pairs}


def outcomes(written: str) -> dict[str, dict[str, Any]]:
    """`A show, B 34, C first_drop` as outcomes: a bare number is a loss."""
    pairs = (part.split() for part in written.split(","))
    return {
        seat: {"how": "loss", "count": int(word)} if WORDS_FOR_A_LOSS.fullmatch(word) else {"how": word}
        for seat, word in pairs
    }


def house(written: str) -> dict[str, Any]:
    """`cap=60 deal_show_half_count=true` as options."""
    pairs = (part.split("=") for part in written.split())
    return {name: json.loads(value) if value[0].isdigit() or value == "true" else value for name, value in pairs}


def rows(name: str) -> Any:
    return pytest.mark.parametrize("row", golden(name), ids=lambda row: " ".join(row.values())[:60])


@rows("indian_outcomes")
def test_an_ending_costs_what_the_page_says(row):
    options = house(row["house"])
    outcome: dict[str, Any] = {"how": row["ending"]}
    if row["count"]:
        outcome["count"] = int(row["count"])
    if options.pop("turn", "") == "none":
        outcome["had_turn"] = False
    winner = {"how": "first_drop" if row["ending"] in ("show", "last_standing") else "show"}
    table = sit("points", ("A", "B"), {"point_value_minor": 1}, options)
    assert table.told(deal(1, ("A", outcome), ("B", winner))).total("A") == int(row["points"])


@rows("points_deals")
def test_a_points_deal_pays_what_the_page_says(row):
    said = outcomes(row["outcomes"])
    stakes = {"point_value_minor": int(row["value"]), "fee_bp": int(row["fee_bp"])}
    ended = sit("points", tuple(said), stakes, {}).told(deal(1, *said.items()), CLOSED)
    assert ended.paid() == amounts(row["pays"])
    assert ended.fee() == int(row["fee"])


@rows("deals_tables")
def test_a_deals_table_ends_as_the_page_says(row):
    parts = row["played"].split(" / ")
    table = sit("deals", tuple(outcomes(parts[0])), {}, {"deals": int(row["deals"])})
    for number, part in enumerate(parts, start=1):
        *_, tie = part.rpartition("tie: ")
        said = outcomes(tie).items()
        table = table.told(tiebreak(*said) if part.startswith("tie: ") else deal(number, *said))
    assert table.chips() == amounts(row["chips"])
    assert table.winners() == ((row["first"],) if row["first"] else ())


@rows("pool_limits")
def test_a_pool_has_the_prices_and_thresholds_of_its_page(row):
    options = sit("pool", ("A", "B"), {}, {"limit": int(row["limit"])}).table.setup.options
    found = [options.first_drop, options.middle_drop, options.cap, options.wrong_show]
    assert [str(number) for number in [*found, options.rejoin_threshold, options.auto_split_total]] == [
        row[name] for name in list(row)[1:]
    ]


@rows("pool_rejoins")
def test_a_seat_rejoins_as_the_page_says(row):
    limit, survivors = int(row["limit"]), amounts(row["survivors"])
    table = sit("pool", (*survivors, "Z"), {}, {"limit": limit}).where(**survivors, Z=limit)
    assert table.seat("Z").may_rejoin is (row["rejoins"] == "yes")
    if row["score"]:
        assert table.told(rejoins("Z")).total("Z") == int(row["score"])


@rows("pool_splits")
def test_a_pot_is_split_as_the_page_says(row):
    table = before_split(row)
    assert table.table.is_finished is (row["kind"] == "auto")
    if row["kind"] == "manual":
        table = table.told(SPLIT)
    assert table.paid() == amounts(row["pays"])


def before_split(row: dict[str, str]) -> Evening:
    totals, limit = amounts(row["totals"]), int(row["limit"])
    others = [f"X{number}" for number in range(int(row["started"]) - len(totals))]
    options = {"limit": limit} | ({"splits": "manual"} if row["kind"] == "manual" else {})
    stakes = {"entry_minor": int(row["entry"]), "fee_bp": int(row["fee_bp"])}
    table = sit("pool", (*totals, *others), stakes, options)
    return table.where(**totals, **dict.fromkeys(others, limit))


@pytest.mark.parametrize("path", page_files(), ids=lambda path: path.name)
def test_made_tables_are_as_the_code_and_the_examples_make_them(path):
    text = path.read_text()
    assert with_tables(text) == text, "run python -m tests.builders.rules_pages"


def test_every_file_of_examples_stands_on_a_page():
    shown = "".join(path.read_text() for path in page_files())
    assert all(f"golden/{path.name}" in shown for path in GOLDEN.glob("*.csv"))


@pytest.mark.parametrize("name", ["indian", *VARIANTS])
def test_a_page_of_a_game_tells_its_presets_options_and_form_its_choices_and_its_limits(name):
    text = (PAGES / f"{name}.md").read_text()
    assert "Where sources disagree, and what we chose\n" in text
    assert "What is not supported\n" in text
    if name != "indian":
        assert f"<!-- presets:{name} -->" in text
        assert f"<!-- form:{name} -->" in text or name in ("points", "deals", "pool")
        text += (PAGES / "indian.md").read_text()
        options = [option["name"] for option in describe_options(variant(name).options_type)]
        assert [option for option in options if f"| `{option}` |" not in text] == []


def examples(language: str) -> list[str]:
    """The fenced blocks of the events page in one language."""
    return re.findall(rf"```{language}\n(.*?)```", EVENTS_PAGE.read_text(), re.DOTALL)


def test_every_event_of_the_page_can_be_sent_and_every_kind_stands_there():
    sent = [json.loads(line) for block in examples("json") for line in block.splitlines()]
    for raw in sent:
        form = variant("deals" if raw["kind"] == "tiebreak_recorded" else "pool")
        read_event(raw, form, ("A", "B", "C"))
    assert {raw["kind"] for raw in sent} == set(EVENTS) - NOT_FOR_TABLES
    text = EVENTS_PAGE.read_text()
    assert all(f"`{kind}`" in text for kind in EVENTS)
    assert {raw["kind"] for raw in sent if "reason" in raw} == NEEDS_REASON - NOT_FOR_TABLES


def test_lines_of_the_page_are_answered_as_it_says():
    blocks = [block.splitlines() for block in examples("jsonl")]
    assert blocks
    for line, answer in blocks:
        assert replay_line(json.loads(line)) == json.loads(answer)


def codes_in(files: Iterable[Path]) -> set[str]:
    """The codes of problems that these files can raise."""
    sources = [path.read_text() for path in files]
    return {code for text in sources for code in re.findall(r'_?[pP]roblem\(\s*(?:code=)?"(\w+)"', text)}


@pytest.mark.slow
def test_every_code_of_a_refusal_stands_on_the_page_and_none_that_nobody_raises():
    scoring = ROOT / "scoring"
    files = [path for room in ("events", "rules") for path in (scoring / room).rglob("*.py")]
    files += [scoring / "hands.py", scoring / "lines.py"]
    # Problems with typed input, and with the judge of a hand, are not refusals of an event.
    files = [path for path in files if "hands" not in path.parts and path.name != "entering.py"]
    raised = codes_in([*files, *(scoring / name for name in ("json_text.py", "money/payouts.py", "options.py"))])
    raised |= {"out_of_range", "wrong_type", "not_a_choice"} | {"not_13_cards", "impossible_card_count"}
    table = EVENTS_PAGE.read_text().partition("## Refusals")[2].partition("\n## ")[0]
    told = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    assert raised <= told
    assert told <= raised | codes_in((ROOT / "tournaments").rglob("*.py"))
