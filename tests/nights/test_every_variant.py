"""A club night for every variant: seats, a misread deal, a cancelled one, the end, the money, the pages and the proofs.

Planted faults these catch: a variant that only the rules know (no preset, no form, no page), a settlement that loses a
unit, a correction that leaves something of the wrong sheet, a board that shows other numbers than the table.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial

import pytest
from django.test import Client

from scoring.ledger import trial_balance
from scoring.lines import replay_line
from scoring.rules.variants import VARIANTS
from tests.builders.every_game import CAST, CLOSE, TABLES, Night, Wire, closed_night, sheets_of
from tests.builders.flat import flat
from tests.builders.whole_evening import Evening, proved
from tournaments.web.api.answers import example_deals

pytestmark = pytest.mark.django_db


def expected(table: Wire) -> Wire:
    """What the rules compute from the right sheets alone."""
    deals = [{"kind": "deal_recorded", "deal": number, **sheet} for number, sheet in sheets_of(table).items()]
    return replay_line({**table, "events": [*deals, CLOSE]})


def minus(number: int) -> str:
    return str(number).replace("-", "−")


@pytest.fixture(scope="module", params=VARIANTS)
def closed_once(
    recorded: Callable[..., AbstractContextManager[Night]], request: pytest.FixtureRequest
) -> Iterator[tuple[str, Night]]:
    """A variant's name, and its finished night."""
    with recorded(partial(closed_night, request.param)) as night:
        yield request.param, night


@pytest.mark.slow
def test_a_night_of_every_variant_ends_as_its_right_sheets_say(closed_once: tuple[str, Night]):
    name, night = closed_once
    right, shown = expected(TABLES[name]), night.read()
    assert (shown["is_finished"], shown["winners"]) == (True, right["winners"])
    assert (shown["payouts_minor"], shown["fee_minor"]) == (right["payouts_minor"], right["fee_minor"])
    for seat, view in right["seats"].items():
        seen = shown["seats"][seat]
        assert (seen.get("total"), seen.get("chips"), seen["place"]) == (view["total"], view["chips"], view["place"])
    proved()
    assert sum(line.balance_minor for line in trial_balance(night.club.id)) == 0


@pytest.mark.slow
def test_the_pages_of_every_variant_say_the_numbers_of_the_table(closed_once: tuple[str, Night]):
    name, night = closed_once
    shown, race = night.read(), VARIANTS[name].race
    board, sheet = flat(night.page()), flat(night.page("r1/table-1/"))
    for page in (board, sheet):
        for seat in shown["seats"].values():
            said = minus(seat[race]) if race != "net_points" or seat[race] <= 0 else f"+{seat[race]}"
            assert re.search(rf'class="n main">(<a [^>]*>)?{re.escape(said)}', page)
            assert seat["name"] in page
    assert 'title="As it was shown before">corrected</a>' in sheet
    assert "<s>Deal 2</s>" in sheet
    assert night.page("board.csv").count("\n") == len(shown["seats"]) + 1
    assert json.loads(night.page("r1/table-1/sheet.json"))["winners"] == shown["winners"]


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_tells_an_app_what_is_entered_next(name):
    evening = Evening()
    wanted = TABLES[name]
    home = evening.tournament(name, wanted["preset"], **wanted["stakes"])
    table = evening.table(home, *CAST[: len(wanted["seats"])])
    form = Client().get(f"/api/v1/tables/{table}/form/").json()
    assert (form["due"], form["deal"], form["variant"]) == ("deal_recorded", 1, name)
    assert list(form["seats"].values()) == list(CAST[: len(wanted["seats"])])
    told = {field["path"][0] for field in form["fields"]}
    hand = {"knocker", "knocker_deadwood", "defender_deadwood", "ending", "defender"}
    assert {("hands" if field in hand else field) for field in sheets_of(wanted)[1]} <= told


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_the_example_that_the_schema_gives_is_a_deal_of_the_game(name):
    evening = Evening()
    wanted = TABLES[name]
    seats = CAST[:2] if name == "gin" else CAST[:3]
    table = evening.table(evening.tournament(name, wanted["preset"], **wanted["stakes"]), *seats)
    evening.write(table, example_deals()[name])
    assert Client().get(f"/api/v1/tables/{table}/").json()["next_deal"] == 2


@pytest.mark.slow
def test_chips_and_differences_sum_to_nothing_and_romme_to_what_nobody_collected():
    rows = {name: Night(TABLES[name]).read()["seats"].values() for name in ("deals", "gin", "rummy_royal", "romme")}
    assert sum(seat["chips"] for seat in rows["deals"]) == 2 * 80 * 3
    assert sum(seat["net_points"] for seat in rows["gin"]) == 0
    assert sum(seat["net_points"] for seat in rows["rummy_royal"]) == 0
    assert sum(seat["total"] for seat in rows["romme"]) == -(10 + 25 + 31 + 18)
