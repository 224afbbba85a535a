"""Every number of a standing is the sum over the tables that it names, and every amount that of the player's postings.

What is expected is read from the events and the journal alone. Planted faults these catch: the payout, the points lost
or the chips of the last table beside points of all tables; a payout of one stage; a prize that is not paid; a podium
that takes what a table paid for a prize.
"""

import csv
import io
import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from scoring.models import Posting
from scoring.rules.table.standing import COLUMNS
from scoring.rules.table.table import Status
from tests.builders.export_files import workbook_rows
from tests.builders.playing import context, loses, show
from tests.builders.public_tables import address
from tests.builders.random_money import planned, settled, unplanned
from tests.builders.samples import so_many
from tests.builders.stages import Night
from tournaments import log
from tournaments.boards import board
from tournaments.log.reading import table_from_log
from tournaments.models import Club, Tournament
from tournaments.printing.lists import places_tables
from tournaments.rendering.pdf import Table
from tournaments.running.commands.close import close_tournament
from tournaments.web.public.boards.sharing import podium_of

pytestmark = pytest.mark.django_db

NUMBERS = ("total", "chips", "net_points")
COUNTS = ("deals_won", "wrong_shows", "drops")
AMOUNTS = ("payout_minor", "prize_minor", "net_minor")


@dataclass
class Seat:
    """What a player has at one table, folded from its events."""

    player: str
    round: int
    table: int
    stage: int
    view: Any
    deals: int
    brought: int
    adds_up: bool
    race: str


@dataclass
class Truth:
    """A tournament from its events and the journal, without any of the code that shows it."""

    tournament: Tournament
    plan: dict[str, Any] = field(default_factory=dict)
    stage_of: dict[int, int] = field(default_factory=dict)
    holders: list[set[str]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rounds: dict[int, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for event in log.read(self.tournament.club_id, self.tournament.pk):
            body = json.loads(event.body)
            match event.kind:
                case "plan_made":
                    self.plan = body["plan"]
                case "round_seated":
                    self.stage_of[body["round"]] = body["stage"]
                case "player_substituted" if self.plan.get("substitute", "seat") == "seat":
                    self.holders.append({body["player"], body["by"]})
        self.seats = list(self._seats())
        self.postings = Counter[tuple[str, str]]()
        for cause, owner, purpose, amount in Posting.objects.filter(
            club=self.tournament.club_id, account__kind="player"
        ).values_list("entry__cause", "account__owner", "purpose", "amount_minor"):
            if purpose in ("charge", "award"):
                self.postings[cause.partition(":")[0], owner] += amount

    def _seats(self) -> Any:
        for row in self.tournament.tables.order_by("round", "number"):
            table = table_from_log(log.read(row.club_id, row.pk))
            if table.status is Status.CANCELLED and not table.has_moved_on:
                continue
            for seat, view in table.seats().items():
                yield Seat(
                    player=table.players[seat],
                    round=row.round,
                    table=row.number,
                    stage=self.stage_of.get(row.round, 0),
                    view=view,
                    deals=table.deals
                    if not self.plan or view.out_in_deal is None
                    else min(table.deals, view.out_in_deal),
                    brought=table.setup.carried.get(seat, 0),
                    adds_up=table.rules.adds_up,
                    race=table.rules.race,
                )

    def people(self, player: str) -> set[str]:
        """A player and everyone who held the same seat of the tournament before."""
        found = {player}
        while more := [pair for pair in self.holders if pair & found and not pair <= found]:
            found.update(*more)
        return found

    def posted(self, player: str, *causes: str) -> int:
        return sum(self.postings[cause, one] for cause in causes for one in self.people(player))

    def compares(self, stage: int) -> str:
        stages = self.plan.get("stages", [])
        return str(stages[stage - 1].get("compares", "score")) if stages else "score"

    def tables(self, player: str, stage: int) -> list[Seat]:
        return [seat for seat in self.seats if seat.player in self.people(player) and seat.stage == stage]

    def row(self, player: str, stage: int) -> dict[str, int | None]:
        """What a row of this player must show, by the names of the fields; no number that a plan's policy gives."""
        tables = self.tables(player, stage)
        # A table to which players were moved goes on from the one before.
        last = list({seat.round: seat for seat in tables}.values())
        first = list({seat.round: seat for seat in reversed(tables)}.values())
        latest = not tables[-1].adds_up and self.compares(stage) == "score"
        wanted: dict[str, int | None] = {}
        for name in NUMBERS:
            known = [number for seat in last if (number := getattr(seat.view, name)) is not None]
            if latest:
                wanted[name] = getattr(tables[-1].view, name)
            elif known:
                wanted[name] = sum(known) - (sum(seat.brought for seat in first) if not tables[-1].adds_up else 0)
        counted = tables[-1:] if latest and not self.plan else tables
        wanted |= {name: sum(getattr(seat.view, name) for seat in counted) for name in COUNTS}
        wanted["deals_played"] = sum(seat.deals for seat in counted)
        wanted["payout_minor"] = self._payout(player)
        if self.plan:
            wanted["prize_minor"] = self.posted(player, "tournament")
            wanted["net_minor"] = self.posted(player, "tournament", "table", "entry")
            if self.is_given(player, stage):
                del wanted[tables[-1].race]
        return wanted

    def _payout(self, player: str) -> int:
        """What tables paid: with what was lost where players pay each other, else prizes without what was paid in."""
        if self.plan:
            return self.posted(player, "table")
        postings = Posting.objects.filter(club=self.tournament.club_id, account__kind="player", account__owner=player)
        paid = postings.filter(entry__cause__startswith="table:")
        if not self.tournament.preset.startswith("points"):
            paid = paid.exclude(purpose="charge", entry__slot="table")
        return sum(paid.values_list("amount_minor", flat=True))

    def is_given(self, player: str, stage: int) -> bool:
        """Whether a part of the score comes from a policy of the plan or an earlier stage, or is no sum at all."""
        seated = {number for number, of in self.stage_of.items() if of == stage}
        whole = {seat.round for seat in self.tables(player, stage)} == seated
        carries = stage > 1 and self.plan["stages"][stage - 1].get("carries") == "score"
        return carries or not whole


def differing(truth: Truth, rows: list[dict[str, Any]], beside: frozenset[str] = frozenset()) -> list[str]:
    """Where rows, by the names of the API, show something else than the events and the journal say.

    `beside` are fields that a door does not have; a zero may be left out.
    """
    found = []
    for row in rows:
        wanted = truth.row(row["player"], row.get("stage") or 0)
        for name, number in wanted.items():
            shown = row.get(name)
            if name not in beside and (shown or 0) != (number or 0):
                found.append(f"{row['name']}: {name} {shown}, not {number}")
    return found


def in_csv(tournament: Tournament) -> list[dict[str, Any]]:
    text = Client().get(address(tournament, "board.csv")).content.decode("utf-8-sig")
    return [
        {name: int(cell) if re.fullmatch("-?[0-9]+", cell) else cell or None for name, cell in row.items()}
        for row in csv.DictReader(io.StringIO(text))
    ]


def in_the_workbook(tournament: Tournament) -> list[dict[str, Any]]:
    heading, *rows = workbook_rows(Client().get(address(tournament, "board.xlsx")).content, "Leaderboard")
    found = [dict(zip(map(str, heading), row, strict=True)) for row in rows]
    for row in found:
        for name in AMOUNTS:
            amount = row.pop(name.removesuffix("_minor"))
            row[name] = None if amount is None else round(amount * 100)
    return found


def in_json(tournament: Tournament, query: str = "") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = Client().get(address(tournament, f"board.json{query}")).json()["standings"]
    return rows


def by_the_api(tournament: Tournament, query: str = "") -> list[dict[str, Any]]:
    answer = Client().get(f"/api/v1/tournaments/{tournament.pk}/leaderboard/{query}")
    rows: list[dict[str, Any]] = answer.json()["rows"]
    return rows


def tables_of(html: str, kind: str) -> list[list[list[str]]]:
    """The cells of each table of standings in a page."""
    tables = re.findall(rf'<table class="{kind}.*?</table>', html, re.DOTALL)
    return [
        [
            [
                re.sub(r"\s+", " ", re.sub(r"<small.*?</small>|<[^>]+>", "", cell, flags=re.DOTALL)).strip()
                for cell in re.findall(r"<t[hd]\b[^>]*>(.*?)</t[hd]>", row, re.DOTALL)
            ]
            for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)
        ]
        for table in tables
    ]


def amount(text: str) -> int:
    digits = int(re.sub("[^0-9]", "", text) or 0)
    return -digits if "−" in text else digits


# The headings under which a page shows a field.
HEADINGS = {
    "Payout": "payout_minor",
    "Prize": "prize_minor",
    "Net": "net_minor",
    "Points lost": "total",
    "Won": "deals_won",
    "Deals won": "deals_won",
}
# The player that a substitute plays for.
BESIDE_THE_NAME = re.compile(" for ")


def on_pages(tournament: Tournament, rows: list[dict[str, Any]]) -> list[str]:
    """Where a page, a frame, a projector or a printout shows another number than the rows of the API."""
    by_name = {row["name"]: row for row in rows}
    projector = Client().get(address(tournament, "screen/part/?screens=standings&lines=40")).content.decode()
    doors = {
        "page": tables_of(Client().get(address(tournament)).content.decode(), "standings"),
        "frame": tables_of(Client().get(address(tournament, "embed/")).content.decode(), "standings"),
        "projector": tables_of(projector, "ranks"),
    }
    papers = [part for part in places_tables(board(tournament)) if isinstance(part, Table)]
    doors["paper"] = [
        [[column.title for column in paper.columns], *(list(map(str, row.cells)) for row in paper.rows)]
        for paper in papers
    ]
    found = []
    for door, tables in doors.items():
        lines = [dict(zip(table[0], line, strict=True)) for table in tables for line in table[1:]]
        called = [BESIDE_THE_NAME.split(line["Player"])[0] for line in lines]
        if sorted(called) != sorted(by_name):
            found.append(f"{door}: {called}, not {list(by_name)}")
        for row, line in ((by_name[name], line) for name, line in zip(called, lines, strict=True) if name in by_name):
            for heading, name in HEADINGS.items():
                text, number = line.get(heading, ""), row.get(name) or 0
                # Gin has points under "Net".
                is_beside = heading not in line or (heading == "Net" and "₹" not in text)
                if not is_beside and amount(text) != number:
                    found.append(f"{door}: {row['name']}: {heading} {text}, not {number}")
    return found


def differences(tournament: Tournament) -> list[str]:
    """All doors of a closed and settled tournament."""
    truth, rows = Truth(tournament), by_the_api(tournament)
    sheet = frozenset(name for name, column in COLUMNS.items() if not column.file)
    found = [f"api: {each}" for each in differing(truth, rows)]
    found += [f"json: {each}" for each in differing(truth, in_json(tournament), frozenset({"deals_played"}))]
    found += [f"csv: {each}" for each in differing(truth, in_csv(tournament), sheet)]
    found += [f"xlsx: {each}" for each in differing(truth, in_the_workbook(tournament), sheet)]
    at = Client().get(address(tournament, "board.json")).json()["position"]
    if by_the_api(tournament, f"?at={at}") != rows:
        found.append("the leaderboard of this moment is another one in the past")
    return found + on_pages(tournament, rows)


@pytest.mark.parametrize("seed", range(so_many(2, often=120)))
def test_everything_that_is_shown_of_a_planned_tournament_is_what_its_tables_and_the_books_say(seed: int):
    assert differences(planned(seed)) == []


@pytest.mark.parametrize("seed", range(so_many(4, often=150)))
def test_everything_that_is_shown_of_tables_opened_one_by_one_is_what_they_and_the_books_say(seed: int):
    assert differences(unplanned(seed)) == []


EIGHT = ("Asha", "Bo", "Cy", "Dev", "Esha", "Farid", "Gul", "Hari")


@pytest.fixture
def two_rounds() -> Night:
    """Eight players, two rounds of points rummy: Asha is at −40, then at +90."""
    stage = {"smallest_table": 4, "preferred_table": 4, "rounds": 2, "length": "minutes"}
    plan = {"stages": [stage], "prizes_bp": [7_000, 3_000]}
    money = {"entry_minor": 10_000, "point_value_minor": 100, "fee_bp": 0, "is_published": True}
    night = Night(plan, "points", EIGHT, **money)
    Club.objects.filter(pk=night.tournament.club_id).update(is_published=True)
    for first, second in (
        ((loses(40), show, loses(10), loses(10)), (loses(80), show, loses(20), loses(20))),
        ((show, loses(40), loses(30), loses(20)), (loses(60), show, loses(30), loses(10))),
    ):
        tables = night.seat((0, 1, 2, 3), (4, 5, 6, 7))
        for table, hands in zip(tables, (first, second), strict=True):
            table.deal(1, *hands)
            table.record({"kind": "table_closed", "time_called": True})
    close_tournament(night.tournament.pk, context=context())
    settled(night.tournament)
    return night


def test_a_player_at_minus_40_and_then_at_plus_90_is_paid_50(two_rounds: Night):
    (asha,) = [row for row in by_the_api(two_rounds.tournament) if row["name"] == "Asha"]
    assert (asha["net_points"], asha["total"], asha["payout_minor"]) == (50, 40, 5_000)
    page = Client().get(address(two_rounds.tournament)).content.decode()
    heading, *lines = tables_of(page, "standings")[0]
    line = next(line for line in lines if line[1] == "Asha")
    assert dict(zip(heading, line, strict=True))["Payout"] == "₹50.00"
    assert "Numbers are for all tables. Amounts are for the whole tournament." in page


def test_a_podium_names_prizes_and_not_what_tables_have_paid(two_rounds: Night):
    """Planted fault: ₹560, ₹240 and −₹40, which the third had lost at the last table."""
    page = Client().get(address(two_rounds.tournament, "screen/part/?screens=winners")).content.decode()
    assert re.findall(r'class="prize">([^<]*)<', page) == ["₹560.00", "₹240.00"]
    assert [step.number for step in podium_of(two_rounds.board).steps] == ["+220", "+50", "+20"]


def test_all_tables_and_places_together_cost_the_players_what_the_house_has(two_rounds: Night):
    rows = by_the_api(two_rounds.tournament)
    assert {row["name"]: row["net_minor"] for row in rows}["Farid"] == 22_000 + 56_000 - 10_000
    assert sum(row["net_minor"] for row in rows) == 0


def test_before_the_end_there_is_no_prize_and_no_net(two_rounds: Night):
    for row in in_json(two_rounds.tournament, "?at=round:1"):
        assert not {"prize_minor", "net_minor"} & row.keys()
