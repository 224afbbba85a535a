"""docs/rules/tournaments.md names every policy, every tie-break and every format that exists."""

import json
import re
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from scoring.money.payouts import PAID_SHARES
from scoring.tournament import read_plan
from scoring.tournament.plans import Plan, TieBreak
from scoring.tournament.plans.formats import every_format
from scoring.tournament.prizes import prize_sheet
from scoring.tournament.standings import Finish
from scoring.tournament.state.fees import Entries, Owed

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "tournaments.md").read_text()
HINTS = get_type_hints(Plan)


def test_every_format_every_policy_and_every_tie_break_stands_in_a_table():
    rows = [
        f"| `{known.name}` | {known.title} | {known.players.start} to {known.players.stop - 1} |"
        for known in every_format()
    ]
    rows += [
        f"| `{name}` | `{value}` |" for name in ("late", "leaving", "substitute") for value in get_args(HINTS[name])
    ]
    rows += [f"| `{name}` |" for name in get_args(TieBreak)]
    assert [row for row in rows if row not in PAGE] == []


EXAMPLES = [json.loads(line) for line in PAGE.split("```jsonl\n")[1].split("```")[0].splitlines()]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: json.dumps(example["plan"]))
def test_every_worked_example_of_prizes_and_fees_comes_out_as_it_is_printed(example):
    players = [f"p{number}" for number in range(1, example["players"] + 1)]
    paid = Entries(
        by_player={player: Owed(entries=(example["entry_minor"],)) for player in players}, fee_bp=example["fee_bp"]
    )
    finish = Finish(places=tuple(zip(players, example["places"], strict=False)))
    sheet = prize_sheet(read_plan(example["plan"]), paid, finish)
    prizes = [sheet.prizes.get(player, 0) for player, _ in finish.places]
    assert (prizes, sheet.taken.fee, sheet.taken.levy, sheet.top_up_minor) == (
        example["prizes"],
        example["fee"],
        example["levy"],
        example["club_adds"],
    )


def test_the_table_of_shares_is_the_one_that_is_paid_by():
    rows = re.findall(r"^\| (\d+) \| ([\d. ]+) \|$", PAGE, re.MULTILINE)
    printed = {int(places): tuple(round(100 * float(share)) for share in shares.split()) for places, shares in rows}
    assert printed == dict(enumerate(PAID_SHARES, 1))
