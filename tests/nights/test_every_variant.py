"""A club night for every variant: seats, a misread deal, a cancelled one, the end, the money, the pages and the proofs.

Planted faults these catch: a variant that only the rules know (no preset, no form, no page), a settlement that loses a
unit, a correction that leaves something of the wrong sheet, a board that shows other numbers than the table.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils.timezone import now

from scoring.cli.replay import replay_line
from scoring.ledger import trial_balance
from scoring.rules.variants import PRESETS, VARIANTS
from tests.nights.test_evening import Evening, proved
from tests.tournaments.playing import first_drop, loses, show
from tests.tournaments.web.flat import flat
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.models import Table
from tournaments.web.api.answers import example_deals

pytestmark = pytest.mark.django_db

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "side-evening.jsonl"
CAST = ("Asha", "Bo", "Cy", "Dev")
CLOSE = {"kind": "table_closed"}
Wire = dict[str, Any]


def indian(variant: str, preset: str, *deals: tuple[Wire, ...], **stakes: int) -> Wire:
    """A table of Indian rummy in the form of the side evening: one hand a seat, in seat order."""
    sheets = [{"outcomes": {str(seat): hand for seat, hand in enumerate(hands, start=1)}} for hands in deals]
    events = [{"kind": "deal_recorded", "deal": number, **sheet} for number, sheet in enumerate(sheets, start=1)]
    seats = [str(seat) for seat in range(1, len(deals[0]) + 1)]
    options = PRESETS[preset][1].options
    return {
        "variant": variant,
        "preset": preset,
        "options": options,
        "seats": seats,
        "stakes": stakes,
        "events": events,
    }


def finished_tables() -> dict[str, Wire]:
    """One finished table of each variant; those of the Western games are the demo's."""
    tables = {
        "points": indian(
            "points",
            "points",
            (show, loses(20), loses(31)),
            (first_drop, show, loses(12)),
            (loses(45), loses(9), show),
            point_value_minor=200,
            fee_bp=1_000,
        ),
        "deals": indian(
            "deals",
            "deals_best_of_2",
            (show, loses(20), loses(31)),
            (loses(44), show, loses(12)),
            entry_minor=10_000,
        ),
        "pool": indian(
            "pool",
            "pool_101",
            (show, loses(60), loses(31)),
            (first_drop, loses(41), show),
            (show, {"how": "not_in_deal"}, loses(80)),
            entry_minor=10_000,
            fee_bp=500,
        ),
    }
    for line in map(json.loads, EXAMPLES.read_text().splitlines()):
        if line["events"][-1]["kind"] == "table_closed":
            tables.setdefault(line["variant"], line)
    return tables


TABLES = finished_tables()


def sheets_of(table: Wire) -> dict[int, Wire]:
    """The right sheet of every deal."""
    told = [event for event in table["events"] if event["kind"] in ("deal_recorded", "deal_corrected")]
    return {event["deal"]: {k: v for k, v in event.items() if k not in ("kind", "deal", "reason")} for event in told}


def expected(table: Wire) -> Wire:
    """What the rules compute from the right sheets alone."""
    deals = [{"kind": "deal_recorded", "deal": number, **sheet} for number, sheet in sheets_of(table).items()]
    return replay_line({**table, "events": [*deals, CLOSE]})


class Night(Evening):
    """An evening at one table of a variant: the first deal is misread, the second has to be played again."""

    def __init__(self, wanted: Wire) -> None:
        super().__init__()
        self.home = self.tournament(wanted["variant"], wanted["preset"], **wanted["stakes"])
        self.at = self.table(self.home, *CAST[: len(wanted["seats"])])
        sheets = sheets_of(wanted)
        self.write(self.at, {"kind": "deal_recorded", "deal": 1, **sheets[2]})
        right = {"kind": "deal_corrected", "deal": 1, **sheets[1], "reason": "the other deal was typed"}
        self.write(self.at, right, client=self.director)
        self.write(self.at, {"kind": "deal_recorded", "deal": 2, **sheets[2]})
        self.write(self.at, {"kind": "deal_voided", "deal": 2, "reason": "misdeal"}, client=self.director)
        for number in range(2, len(sheets) + 1):
            self.write(self.at, {"kind": "deal_recorded", "deal": number, **sheets[number]})

    def close(self) -> None:
        """Close the table and settle what is owed."""
        self.write(self.at, CLOSE, client=self.director)
        for table_id in tables_to_settle():
            settle_table(table_id, now=now())

    def read(self, rest: str = "") -> Wire:
        answer: Wire = Client().get(f"/api/v1/tables/{self.at}/{rest}").json()
        return answer

    def page(self, rest: str = "") -> str:
        """A public page of the tournament, as visitors read it."""
        row = Table.objects.select_related("tournament__club").get(id=self.at)
        answer = Client().get(f"/c/{row.tournament.club.slug}/t/{row.tournament.slug}/{rest}")
        assert answer.status_code == 200
        return html.unescape(answer.content.decode())


def minus(number: int) -> str:
    return str(number).replace("-", "−")


@pytest.fixture(scope="module", params=VARIANTS)
def closed_once(
    begin_once: Callable[[], AbstractContextManager[None]], request: pytest.FixtureRequest
) -> Iterator[tuple[str, Night]]:
    """A variant's name, and its finished night."""
    with begin_once():
        night = Night(TABLES[request.param])
        night.close()
        yield request.param, night


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


@pytest.mark.parametrize("name", VARIANTS)
def test_the_example_that_the_schema_gives_is_a_deal_of_the_game(name):
    evening = Evening()
    wanted = TABLES[name]
    seats = CAST[:2] if name == "gin" else CAST[:3]
    table = evening.table(evening.tournament(name, wanted["preset"], **wanted["stakes"]), *seats)
    evening.write(table, example_deals()[name])
    assert Client().get(f"/api/v1/tables/{table}/").json()["next_deal"] == 2


def test_chips_and_differences_sum_to_nothing_and_romme_to_what_nobody_collected():
    rows = {name: Night(TABLES[name]).read()["seats"].values() for name in ("deals", "gin", "rummy_royal", "romme")}
    assert sum(seat["chips"] for seat in rows["deals"]) == 2 * 80 * 3
    assert sum(seat["net_points"] for seat in rows["gin"]) == 0
    assert sum(seat["net_points"] for seat in rows["rummy_royal"]) == 0
    assert sum(seat["total"] for seat in rows["romme"]) == -(10 + 25 + 31 + 18)
