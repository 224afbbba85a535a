"""A finished table of each game, and a tournament that plays it."""

import html
import json
from pathlib import Path
from typing import Any

from django.test import Client
from django.utils.timezone import now

from scoring.rules.variants import PRESETS
from tests.builders.playing import first_drop, loses, show
from tests.builders.whole_evening import Evening
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.models import Table

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
            "deals", "deals_best_of_2", (show, loses(20), loses(31)), (loses(44), show, loses(12)), entry_minor=10_000
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


def closed_night(variant: str) -> Night:
    """A night of this variant, closed and settled."""
    night = Night(TABLES[variant])
    night.close()
    return night
