"""Changes a director makes to a draft by hand: two players change places, one moves, one sits out.

Rules: docs/seating.md, section 8. Each gives a new round and leaves the old one as it is, so whoever keeps the rounds
can take a change back. What a change breaks is told by `check`. Knows nothing of wishes.
"""

from collections.abc import Mapping, Sequence

from scoring.problems import Problem
from tournaments.draw.plans import SeatedRound, SeatingRejected, round_of


def swap(draft: SeatedRound, one: str, other: str) -> SeatedRound:
    """The two change places: seat for seat, or one sits out in the other's stead."""
    _must_be_here(draft, one, other)
    exchange = {one: other, other: one}
    tables = {table.number: [exchange.get(key, key) for key in table.seats] for table in draft.tables}
    return round_of(tables, sits_out=[exchange.get(key, key) for key in draft.sits_out])


def move(draft: SeatedRound, player: str, *, table: int, seat: int | None = None) -> SeatedRound:
    """The player goes to that table: to that seat, counted from 1, or to the last one.

    A table nobody sat at is opened; one that the last player leaves is closed.
    """
    _must_be_here(draft, player)
    if table < 1:
        detail = f"there is no table {table}: tables count from 1"
        raise SeatingRejected([Problem(code="no_such_table", seat=player, field="table", detail=detail)])
    tables = _without(draft, player)
    mates = tables.setdefault(table, [])
    place = len(mates) if seat is None else max(0, min(seat - 1, len(mates)))
    mates.insert(place, player)
    return _round_with(tables, [key for key in draft.sits_out if key != player])


def sit_out(draft: SeatedRound, player: str) -> SeatedRound:
    """The player sits this round out."""
    _must_be_here(draft, player)
    return _round_with(_without(draft, player), {*draft.sits_out, player})


def _must_be_here(draft: SeatedRound, *players: str) -> None:
    here = {*draft.sits_out, *draft.table_of}
    gone = [key for key in players if key not in here]
    if gone:
        details = {key: f"{key} is neither seated nor sitting out in this round" for key in gone}
        raise SeatingRejected(
            Problem(code="player_unknown", seat=key, field="player", detail=detail) for key, detail in details.items()
        )


def _without(draft: SeatedRound, player: str) -> dict[int, list[str]]:
    return {table.number: [key for key in table.seats if key != player] for table in draft.tables}


def _round_with(tables: Mapping[int, Sequence[str]], sits_out: Sequence[str] | set[str]) -> SeatedRound:
    return round_of({number: seats for number, seats in tables.items() if seats}, sits_out=sits_out)
