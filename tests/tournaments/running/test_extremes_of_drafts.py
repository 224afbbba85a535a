"""Every draft given to a command is refused by a rule or stored so that it reads back, whichever caller made it.

Every field of every draft that a command takes is set to the ends of its type. Planted faults that this catches: the
check of `TableDraft.number` left out; `TournamentDraft.starts_at` bounded in the API's body alone.
"""

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime, timedelta, timezone
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints
from uuid import UUID

import pytest
from django.db import transaction

from scoring.events import cash, wire
from scoring.ledger import ledger_problems
from scoring.problems import RummyError
from tests.builders.playing import CAST, NOW, context, loses, new_club, new_table, new_tournament, show
from tests.builders.samples import some_of
from tournaments.cash.commands import Desk, write_at_desk
from tournaments.draw import Sizes
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.substitutes import StandIn, substitute
from tournaments.integrity.audit import compare_books
from tournaments.integrity.rebuild import rebuild_differences
from tournaments.log.auditing import verify_log
from tournaments.log.context import CommandContext
from tournaments.people.permissions import Actor
from tournaments.people.players import add_players
from tournaments.running.commands.create import TournamentDraft, create_tournament
from tournaments.running.commands.record import record_all_in_tournament
from tournaments.running.commands.screens import steer
from tournaments.running.screens import Steering
from tournaments.seasons.commands import SeasonDraft, create_season
from tournaments.seating.commands.draft import Wanted, make_draft
from tournaments.seating.drafts import KeptConstraints
from tournaments.tables.commands.exchange import Exchange, exchange_seats
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

pytestmark = pytest.mark.django_db
EASTERN, WESTERN = timezone(timedelta(hours=14)), timezone(timedelta(hours=-12))
EXTREMES: dict[type, tuple[Any, ...]] = {
    int: (-(2**63) - 1, -1, 0, 2**31, 2**63, 10**40),
    str: ("", " ", "x" * 1_000_001, "a\x00b", "\ud800", "\u202e\u200b", "\r\n"),
    datetime: (
        datetime.min.replace(tzinfo=UTC),
        datetime.min.replace(tzinfo=EASTERN),
        datetime.max.replace(tzinfo=WESTERN),
        datetime(2200, 1, 1, tzinfo=UTC),
    ),
    date: (date.min, date.max),
    UUID: (UUID(int=0),),
}
MANY = 10_000


@dataclass
class Taken:
    """A valid draft, and the command that takes it."""

    draft: Any
    command: Callable[[Any], object]


def tournament_draft() -> Taken:
    draft = TournamentDraft(name="Sunday", preset="pool_101", starts_at=NOW, entry_minor=100)
    return Taken(draft, lambda it: create_tournament(new_club(), it, context=context()))


def table_draft() -> Taken:
    home = new_tournament()
    seats = [SeatedPlayer(number=at, player=player.id) for at, player in enumerate(add_players(home.club, CAST), 1)]
    return Taken(TableDraft(number=1, seats=seats), lambda it: open_table(home, it, context=context()))


def season_draft() -> Taken:
    draft = SeasonDraft(name="Spring", starts_on=date(2026, 1, 1), ends_on=date(2026, 6, 30))
    return Taken(draft, lambda it: create_season(new_club(), it))


def an_order() -> Taken:
    table = new_table()
    deal = {"kind": "deal_recorded", "deal": 1, "outcomes": {"1": show, **{str(n): loses(9) for n in (2, 3, 4)}}}
    return Taken(context(), lambda it: record_wire_event(table.row.id, deal, expected=1, context=it))


def desk() -> Taken:
    event = cash.TillOpened(till="user:7", float_minor=100)
    draft = Desk(club=new_club().id, currency="INR", actor=Actor(name="user:7", roles={}, is_site_admin=True))
    return Taken(draft, lambda it: write_at_desk(it, event, context=context(actor="user:7")))


def _evening() -> Any:
    """The cast entered for an evening of tables of two."""
    home = new_tournament()
    entered = [wire.PlayerEntered(player=str(player.id)) for player in add_players(home.club, CAST)]
    stage = {"smallest_table": 2, "largest_table": 2, "preferred_table": 2, "rounds": 3}
    record_all_in_tournament(home.id, [wire.PlanMade(plan={"stages": [stage]}), *entered], context=context())
    return home


def entry_row() -> Taken:
    home = _evening()
    row = EntryRow(number=1, name="Esha")
    return Taken(row, lambda it: enter_list(home.id, [it], adds_new=True, context=context()))


def stand_in() -> Taken:
    home = _evening()
    draft = StandIn(player=str(home.club.players.first().id), by="Esha", reason="ill", adds_new=True)
    return Taken(draft, lambda it: substitute(home.id, it, context=context()))


def wanted() -> Taken:
    home = _evening()
    draft = Wanted(method="draw", constraints=KeptConstraints(sizes=Sizes(allowed=(2,), preferred=2)), seed="K7QF-2M9X")
    return Taken(draft, lambda it: make_draft(home, it, context=context(), expected=0))


def steering() -> Taken:
    home = new_tournament()
    return Taken(Steering(), lambda it: steer(home, it, context=context()))


def exchange() -> Taken:
    table = new_table()
    table.deal(1, show, loses(30), loses(10), loses(20))
    draft = Exchange(seats=("1", "2"), deals=(1,), reason="changed chairs")
    return Taken(draft, lambda it: exchange_seats(table.row.id, it, context=context(), expected=2))


DRAFTS: dict[type, Callable[[], Taken]] = {
    TournamentDraft: tournament_draft,
    TableDraft: table_draft,
    SeasonDraft: season_draft,
    CommandContext: an_order,
    Desk: desk,
    EntryRow: entry_row,
    StandIn: stand_in,
    Wanted: wanted,
    Steering: steering,
    Exchange: exchange,
}
# Fields that no caller fills in.
OUR_OWN = {
    (CommandContext, "now"): "the clock of the server",
    (CommandContext, "actor"): "who has signed in",
    (CommandContext, "asked"): "a digest",
    (Desk, "actor"): "who has signed in",
    (Desk, "club"): "the club whose page it is",
    (Desk, "book"): "looked up by the door",
}
CASES = [
    pytest.param(make, name, id=f"{kind.__name__}.{name}")
    for kind, make in DRAFTS.items()
    for name in (field.name for field in fields(kind))
    if (kind, name) not in OUR_OWN
]


def extremes_of(kind: Any, usual: Any) -> Iterator[Any]:
    """The extremes of a type; of containers also empty, too many, and each with an extreme in it."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (typing.Union, UnionType):
        for part in parts:
            yield from (None,) if part is type(None) else extremes_of(part, usual)
    elif origin in (tuple, list, Sequence) or kind in (tuple, list):
        one = next(iter(usual), None) if usual else None
        yield from ((), [one] * MANY if one is not None else ())
        yield from ([end] for end in extremes_of(parts[0], one)) if parts else ()
    elif origin in (dict, Mapping):
        yield {}
        yield from ({end: 1} for end in extremes_of(parts[0], None))
        yield {str(at): at for at in range(MANY)}
    else:
        yield from EXTREMES.get(kind, ())


@pytest.mark.slow
@pytest.mark.parametrize(("make", "name"), CASES)
def test_an_extreme_in_a_draft_is_refused_or_can_be_read_and_proven(make: Callable[[], Taken], name: str):
    taken = make()
    kind = get_type_hints(type(taken.draft))[name]
    for end in some_of(extremes_of(kind, getattr(taken.draft, name)), one_in=3, part=len(name)):
        point = transaction.savepoint()
        try:
            taken.command(replace(taken.draft, **{name: end}))
        except RummyError:
            transaction.savepoint_rollback(point)
            continue
        found = [*verify_log().findings, *rebuild_differences(), *ledger_problems(), *compare_books(None).faults]
        assert not found, f"{name} = {end!r:.200}"
        transaction.savepoint_rollback(point)


@pytest.mark.parametrize("make", DRAFTS.values())
def test_each_draft_is_taken_as_it_is(make: Callable[[], Taken]):
    taken = make()
    taken.command(taken.draft)
