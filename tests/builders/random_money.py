"""Random tournaments in which money moves, closed and settled: planned ones, and ones whose tables were opened singly.

Each is played by a seed, then something is corrected that was settled already.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

from django.db import transaction

from scoring.events import wire
from scoring.problems import RummyError
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import next_deal
from tests.builders.playing import NOW, Playing, context, new_club, new_tournament
from tournaments import log
from tournaments.books.commands import settle_table
from tournaments.log.reading import table_from_log
from tournaments.models import Scoresheet, Table, Tournament
from tournaments.people.players import add_players
from tournaments.rehearsal.simulation import SimulationDraft, simulate_tournament
from tournaments.running.commands.close import close_tournament, reopen_tournament
from tournaments.running.commands.record import record_in_tournament
from tournaments.running.commands.settle import settle_tournament
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

GAMES = ("points", "points_session", "pool_101", "deals_best_of_2", "rum", "block_cash", "rummy500", "rummy_royal")
OPEN_ENDED = ("points", "points_session", "block_cash", "rummy_royal")
FEWEST, MOST = 9, 14
MOST_DEALS = 4


def planned(seed: int) -> Tournament:
    """One to three stages of one or two rounds, by any way to compare, with prizes, side pots, fees and re-entries."""
    chance = random.Random(seed)
    games = [chance.choice(GAMES)]
    stages = [_stage(chance, games[0])]
    for number in range(2, chance.randint(1, 3) + 1):
        stages[-1]["advancing"] = 8 if number == 2 else 4
        games.append(chance.choice((games[-1], *GAMES)))
        stage = _stage(chance, games[-1])
        if games[-1] != games[0]:
            stage |= {"preset": games[-1], "point_value_minor": chance.choice((50, 250))}
        if games[-1] == games[-2] and stages[-1]["compares"] == stage["compares"] == "score":
            stage["carries"] = chance.choice(("nothing", "score"))
        if chance.random() < 0.4:
            stage |= {"reentry_minor": 5_000, "reentry_until_round": 20}
        stages.append(stage)
    pot = {"name": "High hand", "contribution_minor": 1_000, "unwon": chance.choice(("carried", "prizes"))}
    plan = {
        "stages": stages,
        "prizes_bp": [7_000, 3_000],
        "guaranteed_minor": chance.choice((0, 500_000)),
        "levy_bp": chance.choice((0, 1_800)),
        "substitute": chance.choice(("seat", "person", "split")),
        "leaving": chance.choice(("forfeit", "average")),
        "side_pots": [pot] if chance.random() < 0.5 else [],
    }
    draft = SimulationDraft(
        players=chance.randint(FEWEST, MOST), preset=games[0], seed=str(seed), is_real=True, plan=plan
    )
    night = simulate_tournament(new_club(is_published=True), draft, now=NOW)
    if plan["side_pots"]:
        won = wire.SidePotWon(pot="High hand", players=night.state.rounds[0].tables[0].players[:2], reason="seen")
        reopen_tournament(night.tournament.pk, reason="the side pot", context=context())
        record_in_tournament(night.tournament.pk, won, context=context())
        close_tournament(night.tournament.pk, context=context())
    return settled(_corrected(night.tournament, chance))


def _stage(chance: random.Random, game: str) -> dict[str, Any]:
    return {
        "smallest_table": 3,
        "preferred_table": 4,
        "largest_table": 6,
        "rounds": chance.randint(1, 2),
        "compares": chance.choice(("score", "score", "average", "rank_points")),
        **({"length": "minutes"} if game in OPEN_ENDED else {}),
    }


def unplanned(seed: int) -> Tournament:
    """Rounds of tables that were opened one by one, with fees of their own."""
    chance = random.Random(seed)
    game = chance.choice(GAMES)
    stakes = {"entry_minor": chance.choice((0, 20_000)), "fee_bp": 1_000, "point_value_minor": 100}
    tournament = new_tournament(new_club(is_published=True), preset=game, is_published=True, **stakes)
    people = add_players(tournament.club, [f"Guest {number}" for number in range(1, 9)])
    for number in range(1, chance.randint(1, 3) + 1):
        chance.shuffle(people)
        for at, seated in enumerate((people[:4], people[4:]) if chance.random() < 0.7 else (people[:4],), 1):
            seats = [SeatedPlayer(number=seat, player=player.id) for seat, player in enumerate(seated, 1)]
            draft = TableDraft(number=at, round=number, seats=seats)
            _play(Playing(row=open_table(tournament, draft, context=context())), Chance(f"{seed}:{number}:{at}"))
    close_tournament(tournament.pk, context=context())
    return settled(_corrected(tournament, chance))


def _play(table: Playing, chance: Chance) -> None:
    """Deal by deal to the end of the game, or to a number of deals."""
    while not (now := _table(table.row)).is_finished:
        is_last = now.deals + 1 >= MOST_DEALS
        table.record(next_deal(now, chance, is_last=is_last))
        if is_last:
            break
    table.record({"kind": "table_closed", "time_called": True})


def _table(row: Table) -> Any:
    return table_from_log(log.read(row.club_id, row.pk))


def _corrected(tournament: Tournament, chance: random.Random) -> Tournament:
    """A deal cost somebody fewer points, or was cancelled; as far as nothing contradicts what was recorded later."""
    row = chance.choice(list(tournament.tables.all()))
    stored = log.read(row.club_id, row.pk)
    for change in _changes(stored):
        before = transaction.savepoint()
        try:
            record_wire_event(row.pk, change, expected=stored[-1].version, context=context())
        except RummyError:
            transaction.savepoint_rollback(before)
            continue
        if not Scoresheet.objects.get(table=row).has_conflict:
            break
        transaction.savepoint_rollback(before)
    return tournament


def _changes(stored: Any) -> Iterator[dict[str, Any]]:
    for event in stored:
        body = json.loads(event.body)
        for seat, ended in body.get("outcomes", {}).items() if event.kind == "deal_recorded" else ():
            if ended.get("count", 0) > 20:
                outcomes = body["outcomes"] | {seat: ended | {"count": ended["count"] - 7}}
                yield {**body, "kind": "deal_corrected", "outcomes": outcomes, "reason": "misread"}
        if event.kind == "deal_recorded":
            yield {"kind": "deal_voided", "deal": body["deal"], "reason": "misdealt"}


def settled(tournament: Tournament) -> Tournament:
    for table in tournament.tables.values_list("pk", flat=True):
        assert settle_table(table, now=NOW).problem is None
    assert settle_tournament(tournament.pk, now=NOW).problem is None
    return Tournament.objects.select_related("club__shown_version").get(pk=tournament.pk)
