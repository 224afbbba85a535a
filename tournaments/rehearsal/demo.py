"""The example club: an evening from paper sheets, one written down fact by fact as on a tablet, and a planned one.

All lie in `examples/`. Loading them again changes nothing. Knows nothing of logins: the command that calls this keeps
those.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

import msgspec
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from scoring.json_text import refuse_repeats
from tournaments.books.settling import settle_table, tables_to_settle
from tournaments.evenings.commands.close import close_tournament
from tournaments.evenings.commands.create import TournamentDraft, create_tournament
from tournaments.log.context import Order
from tournaments.models import Club, Membership, Player, Role, Scoresheet, Tournament
from tournaments.people.players import add_players
from tournaments.rehearsal.demo_evenings import PlannedEvening, play_evening
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.seasons.commands.seasons import LONGEST, SeasonDraft, create_season
from tournaments.seasons.commands.update import bring_up
from tournaments.sheet_import.run import ACTOR, import_sheet
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

SLUG = "marine-drive"
NAME = "Marine Drive Card Club"
ABOUT = "Cards by the sea since the evening our monsoon walk was rained off. Guests are welcome on Saturdays."
VENUE = "Gymkhana pavilion, first floor, Marine Drive, Mumbai"
NEXT = "Next week: Pool 101"
NEXT_IN = timedelta(days=7)
NEXT_AT = time(19, 30)
ACTOR_AT_TABLES = "command:demo_data"
SEASON = "League of the year"
SEASON_GOES_ON = timedelta(days=90)
FORMULA = {"best": 8, "attendance": 2, "tie_breaks": ["best_night", "most_wins"]}


class TableOfEvening(msgspec.Struct, frozen=True, kw_only=True):
    """One table of the side evening: a line of `replay` that also names its tournament, its preset and its players."""

    tournament: str
    preset: str
    table: int
    seats: tuple[int, ...]
    players: tuple[str, ...]
    stakes: dict[str, Any]
    events: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """The example club as it stands after loading."""

    club: Club
    is_new: bool
    finished: int
    running: int


def read_tables(lines: bytes) -> tuple[TableOfEvening, ...]:
    """The tables of a side evening, one a line. Raises msgspec.ValidationError where a line is no such table.

    JsonRejected where it names a field twice.
    """
    for line in filter(None, lines.decode().splitlines()):
        refuse_repeats(line)
    decoder = msgspec.json.Decoder(TableOfEvening, strict=False)
    return tuple(decoder.decode_lines(lines))


def load_evening(
    sheets: Mapping[str, bytes],
    tables: Iterable[TableOfEvening] = (),
    planned: Iterable[PlannedEvening] = (),
    *,
    now: datetime,
) -> Evening:
    """Take every sheet over and write every table, or none; a club that has tables already keeps them as they are.

    Raises SheetRejected or RuleError. Closed tables are settled here too, so that the demo needs to wait for no worker.
    """
    with transaction.atomic():
        told = {"name": NAME, "about": ABOUT, "venue": VENUE, "is_published": True}
        club, _ = Club.objects.get_or_create(slug=SLUG, defaults=told)
        is_new = not Tournament.objects.filter(club=club).exists()
        if is_new:
            for name in sorted(sheets):
                import_sheet(sheets[name], now=now)
            for table in tables:
                _write(club, table, now)
            for evening in planned:
                play_evening(club, evening, lambda: _order(now))
    if is_new:
        _finish(club, now)
        _begin_season(club, now)
        _announce(club, now)
    over = Scoresheet.objects.filter(club=club, is_closed=True).count()
    every = Scoresheet.objects.filter(club=club).count()
    return Evening(club=club, is_new=is_new, finished=over, running=every - over)


def add_official(club: Club, username: str, role: Role) -> tuple[AbstractBaseUser, bool]:
    """Somebody who works at the example club, and whether they are new; whoever has that name keeps their role."""
    user, is_new = get_user_model().objects.get_or_create(username=username, defaults={"is_staff": True})
    if is_new:
        Membership.objects.create(user=user, club=club, role=role)
    return user, is_new


def _write(club: Club, table: TableOfEvening, now: datetime) -> None:
    """Open a table of the side evening and record everything that happened at it."""
    tournament = Tournament.objects.filter(club=club, name=table.tournament).first()
    if tournament is None:
        draft = TournamentDraft(name=table.tournament, preset=table.preset, starts_at=now, **table.stakes)
        tournament = create_tournament(club, draft, order=_order(now))
    players = _players(club, table.players)
    seats = [SeatedPlayer(number=seat, player=player.id) for seat, player in zip(table.seats, players, strict=True)]
    row = open_table(tournament, TableDraft(number=table.table, seats=seats), order=_order(now))
    for version, event in enumerate(table.events, start=1):
        record_wire_event(row.id, event, expected=version, order=_order(now))


def _order(now: datetime) -> Order:
    """An order with a key of its own."""
    return Order(actor=ACTOR_AT_TABLES, now=now)


def _players(club: Club, names: Iterable[str]) -> list[Player]:
    """The people of these names; whoever the club does not know yet is added."""
    wanted = list(names)
    known = {player.name: player for player in Player.objects.filter(club=club, name__in=wanted)}
    known |= {player.name: player for player in add_players(club, [name for name in wanted if name not in known])}
    return [known[name] for name in wanted]


def _finish(club: Club, now: datetime) -> None:
    """Settle what is over, and close the tournaments that have no table left open."""
    for table_id in tables_to_settle():
        settle_table(table_id, now=now)
    still_open = Scoresheet.objects.filter(club=club, is_closed=False).values("table__tournament_id")
    for tournament in Tournament.objects.filter(club=club).exclude(id__in=still_open):
        close_tournament(tournament.id, order=Order(actor=ACTOR, now=now))


def _begin_season(club: Club, now: datetime) -> None:
    """A season over the nights that are closed, counted here too: the demo needs to wait for no worker."""
    first = Tournament.objects.filter(club=club).earliest("starts_at").starts_at.date()
    last = max(now.date(), first) + SEASON_GOES_ON
    days = {"starts_on": first, "ends_on": min(last, first + LONGEST)}
    create_season(club, SeasonDraft(name=SEASON, formula=FORMULA, is_published=True, **days))
    bring_up(club.id, now=now)


def _announce(club: Club, now: datetime) -> None:
    """A tournament that is still to come."""
    here = zone_of(club.timezone)
    starts_at = datetime.combine((now + NEXT_IN).astimezone(here).date(), NEXT_AT, tzinfo=here)
    draft = TournamentDraft(name=NEXT, preset="pool_101", starts_at=starts_at, entry_minor=50_000)
    create_tournament(club, draft, order=_order(now))
