"""A simulated evening that is not stored: tables from the plan, random deals, cuts and places."""

from collections.abc import Mapping
from typing import Any

import msgspec

from scoring.events import wire
from scoring.rules.chance import Chance
from scoring.rules.table.admission import considered
from scoring.rules.table.dealing import next_deal
from scoring.rules.table.table import Table, fold, places
from scoring.rules.variants import table_from
from scoring.tournament import Plan, TournamentState, fold_tournament
from scoring.tournament.plans import Stage
from scoring.tournament.standings import final_places, propose_cut
from scoring.tournament.state.played import Game, SeatPlayed
from scoring.tournament.state.reentries import brought_into
from scoring.tournament.state.terms import Terms
from tournaments.draw import Sizes, table_sizes

MOST_DEALS, TIMED_DEALS, MOST_TIES = 150, 3, 40
OPEN_ENDED = {"points": 3, "rummy_royal": 3}


class CannotBePlayed(Exception):
    """The evening got stuck."""


class PlayedPlan:
    """This many players through the whole of a plan."""

    def __init__(self, plan: Plan, terms: Terms, players: int, seed: int) -> None:
        self.plan, self.terms, self.chance = plan, terms, Chance(str(seed))
        self.state, self.version = TournamentState(), 0
        self.played: list[SeatPlayed] = []
        self.told(wire.PlanMade(plan=msgspec.to_builtins(plan)))
        for number in range(1, players + 1):
            self.told(wire.PlayerEntered(player=f"p{number:02}"))
            self.told(wire.CheckedIn(player=f"p{number:02}"))

    def told(self, event: Any) -> None:
        self.version += 1
        self.state = fold_tournament(self.state, [(self.version, event)])

    def game_of(self, stage: int) -> Game:
        return self.terms.of(self.plan.stages[stage - 1]).game

    def whole(self) -> tuple[tuple[str, int], ...]:
        """Every stage; the places at the end. Raises CannotBePlayed, or what a table is refused for."""
        for number, stage in enumerate(self.plan.stages, 1):
            for _ in range(stage.rounds):
                self._round(number, stage)
            if number < len(self.plan.stages):
                self._cut(number)
        placed = final_places(self.state, self.played, self.game_of)
        if not placed:
            raise CannotBePlayed("nobody has a place")
        return placed

    def _round(self, number: int, stage: Stage) -> None:
        field = sorted(self.state.field())
        split = table_sizes(len(field), Sizes(allowed=stage.sizes, preferred=stage.preferred_table))
        order, tables = self.chance.shuffled(field), []
        for at, size in enumerate(split.sizes, 1):
            tables.append((at, tuple(order[:size])))
            order = order[size:]
        round_number = self.state.next_round
        self.told(
            wire.RoundSeated(
                stage=number, round=round_number, method="draw", tables=tuple(tables), sitting_out=tuple(order)
            )
        )
        carried = self._brought(stage)
        for at, players in tables:
            self._table(stage, (round_number, at), players, carried)

    def _brought(self, stage: Stage) -> Mapping[str, int]:
        rules = self.terms.of(stage).rules
        is_counted_on = stage.carries == "score" and stage.compares != "rank_points" and not rules.adds_up
        return brought_into(self.state, self.state.stage) if is_counted_on else {}

    def _table(
        self, stage: Stage, place: tuple[int, int], players: tuple[str, ...], carried: Mapping[str, int]
    ) -> None:
        seats = {str(number): player for number, player in enumerate(players, 1)}
        opened = self.terms.at_table(stage, len(players)).opening(seats)
        brought = {seat: carried[player] for seat, player in seats.items() if carried.get(player)}
        table = table_from(msgspec.structs.replace(opened, carried=brought))
        out = [seat for seat, view in table.seats().items() if not view.is_in]
        if out:
            raise CannotBePlayed(f"{out} are out before the first deal")
        table = self._to_the_end(stage, table)
        ranks = places(table.seats())
        for seat, view in table.seats().items():
            self.played.append(
                SeatPlayed(
                    player=seats[seat],
                    round=place[0],
                    table=place[1],
                    score=getattr(view, table.rules.race) or 0,
                    rank_key=view.rank_key,
                    place=ranks[seat],
                    deals=table.deals,
                    deals_won=view.deals_won,
                    is_in=view.is_in,
                    out_in_deal=view.out_in_deal,
                    is_finished=True,
                )
            )

    def _to_the_end(self, stage: Stage, table: Table) -> Table:
        most = TIMED_DEALS if stage.length == "minutes" else OPEN_ENDED.get(table.rules.name, MOST_DEALS)
        while not table.is_finished and table.deals < most:
            event = next_deal(table, self.chance, is_last=table.deals + 1 >= most)
            table = self._after(table, event)
        if stage.length == "minutes" and not table.is_finished:
            return self._after(table, {"kind": "table_closed", "time_called": True})
        return self._after(table, {"kind": "table_closed"})

    def _after(self, table: Table, raw: Mapping[str, Any]) -> Table:
        event, problems = considered(table, raw)
        if event is None or problems:
            raise CannotBePlayed("; ".join(problem.text() for problem in problems))
        return fold(table, [(table.version + 1, event)])

    def _cut(self, number: int) -> None:
        for _ in range(MOST_TIES):
            proposal = propose_cut(self.state, self.played, self.game_of(number))
            if not proposal.tasks:
                break
            task = proposal.tasks[0]
            order = tuple(self.chance.shuffled(list(task.players)))
            self.told(wire.TieSettled(stage=number, order=order, method="lots", seed="s"))
        else:
            raise CannotBePlayed("ties without end")
        if not proposal.advancing:
            raise CannotBePlayed("nobody qualifies")
        brought = {"carried": dict(proposal.carried), "left": dict(proposal.left)}
        self.told(wire.CutMade(stage=number, advancing=proposal.advancing, **brought))
