"""The winners of an evening for the projector: a podium of the first three places, and every other prize.

Rules: docs/rules/tournaments.md, "Prizes". Amounts are what somebody won, also where level players share places; side
pots stand by themselves.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import ngettext

from scoring.money.formatting import Notation, money
from scoring.sheets.leaderboard import BoardRow
from tournaments.boards.screens import Room
from tournaments.evenings.prize_money import prizes_so_far
from tournaments.evenings.queries.prizes import PrizeRow, in_language_of_page, prize_table
from tournaments.web.public.base.words import place_said, plain

PODIUM = 3
MOST_ON_A_STEP = 6


class Placed(NamedTuple):
    """Somebody on the podium, with the prize where there is one."""

    name: str
    prize: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One place of the podium. `more` says how many else have it."""

    place: str
    people: tuple[Placed, ...]
    more: str


class Winners(NamedTuple):
    """The podium, and the prizes that are for none of its places."""

    steps: tuple[Step, ...]
    others: tuple[PrizeRow, ...]


def winners_of(room: Room) -> Winners:
    """Who has won. An evening without prizes, and tables that each paid their own pot, have a podium all the same."""
    tournament = room.board.tournament
    notation = Notation(tournament.currency, tournament.club.locale)
    prizes, others = _prizes(room, notation)
    first = [row for row in room.board.rows if row.place is not None and row.place <= PODIUM]
    paid = {row.line.player: money(row.line.payout_minor, *notation) for row in first if row.line.payout_minor}
    said = {**paid, **prizes}
    by_place = groupby(first, lambda row: row.place)
    return Winners(tuple(_step(place, tuple(level), room.board.names, said) for place, level in by_place), others)


def _step(place: int | None, level: Sequence[BoardRow], names: Mapping[str, str], said: Mapping[str, str]) -> Step:
    players = [row.line.player for row in level]
    rest = len(players[MOST_ON_A_STEP:])
    return Step(
        place=place_said(place or 1, is_tied=len(players) > 1),
        people=tuple(Placed(names[player], said.get(player, "")) for player in players[:MOST_ON_A_STEP]),
        more=ngettext("and {number} more", "and {number} more", rest).format(number=plain(rest)) if rest else "",
    )


def _prizes(room: Room, notation: Notation) -> tuple[Mapping[str, str], tuple[PrizeRow, ...]]:
    """What each player of a closed evening won, in words, and the prizes beside the podium."""
    evening = room.night.evening
    sheet = prizes_so_far(room.board.tournament, evening) if evening.is_closed and evening.rounds else None
    if sheet is None or evening.plan is None:
        return {}, ()
    table = in_language_of_page(prize_table(evening.plan, sheet, notation, room.board.names))
    on_podium = {prize.first for prize in sheet.won if not prize.title and prize.first <= PODIUM}
    pots = (
        PrizeRow(place=pot.name, names=pot.winners, amount=pot.amount, things=(), because=())
        for pot in table.pots
        if pot.is_won
    )
    things = {prize.player: prize.things for prize in sheet.won if prize.things}
    said = {player: money(amount, *notation) for player, amount in sheet.prizes.items()}
    said |= {player: " · ".join([*filter(None, [said.get(player)]), *won]) for player, won in things.items()}
    return said, (*table.rows[len(on_podium) :], *table.corners, *pots)
