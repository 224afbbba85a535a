"""A large evening for the benchmarks of the public pages: 200 players at 40 tables of 5, 6 deals each."""

import random
from dataclasses import dataclass
from typing import Any

from benchmarks.figures import sized

TABLES, SEATS, DEALS = sized((40, 5, 6), smallest=(2, 5, 2))
SEED = 20_260_131


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeTournament:
    """The evening, played through the commands, so that its pages show what a club's would."""

    bare: str
    tournament: Any
    tables: list[Any]
    chance: random.Random

    def deal(self, table: Any) -> None:
        """One more deal of a table that is not over."""
        seats = len(table.game.in_play) if table.game else SEATS
        winner = self.chance.randrange(seats)
        table.deal(*("show" if place == winner else self.chance.randrange(2, 60) for place in range(seats)))

    @property
    def board(self) -> str:
        """The address of its page; files such as `board.json` stand under the bare one."""
        return f"/en-gb{self.bare}"

    @property
    def playing(self) -> list[Any]:
        """The tables that are not over."""
        return [table for table in self.tables if table.game is None or not table.game.is_finished]


def large_tournament() -> LargeTournament:
    """Play the evening, in a database that is there already."""
    from tests.builders.public_tables import a_club, a_tournament, address, seat  # noqa: PLC0415 - the site comes first

    tournament = a_tournament(a_club(slug="large"), "pool_201")
    state = LargeTournament(bare=address(tournament), tournament=tournament, tables=[], chance=random.Random(SEED))
    for number in range(TABLES):
        names = [f"Player {number * SEATS + place:03d}" for place in range(1, SEATS + 1)]
        table = seat(tournament, *names, number=number + 1)
        state.tables.append(table)
        for _ in range(DEALS):
            if table.game is None or not table.game.is_finished:
                state.deal(table)
    return state
