"""Loads the example club: a tournament from paper sheets, one recorded event by event on a tablet, and a planned one.

All are stored in `examples/`. Loading them again changes nothing. Knows nothing of logins: the calling command manages
those.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

import msgspec
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction

from scoring.events import wire as events
from scoring.json_text import refuse_repeats
from tournaments.books.commands import settle_table, tables_to_settle
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.log.context import CommandContext
from tournaments.models import Club, Membership, Player, Role, Scoresheet, Tournament
from tournaments.people.players import add_players
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.create import TournamentDraft, create_tournament, make_plan
from tournaments.running.commands.record import record_all_in_tournament
from tournaments.seasons.commands import LONGEST, SeasonDraft, create_season
from tournaments.seasons.commands.update import bring_up
from tournaments.seating.commands.seat import seat_round
from tournaments.sheet_import.run import ACTOR, import_sheet
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event

# The planned tournament of the example club, in the middle of its second round, before a cut.

NewContext = Callable[[], CommandContext]


class PlayedTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a round: its players, in seat order, and its events."""

    number: int
    players: tuple[str, ...]
    events: tuple[dict[str, Any], ...]


class PlayedRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round with its clock: `ran` of `seconds` have passed."""

    seed: str
    seconds: int
    ran: int
    tables: tuple[PlayedTable, ...]


class ExampleTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament with a plan, its players by name. Every player has paid except those in `unpaid`."""

    tournament: str
    preset: str
    stakes: dict[str, Any]
    plan: dict[str, Any]
    players: tuple[str, ...]
    rounds: tuple[PlayedRound, ...]
    absent: tuple[str, ...] = ()
    standby: tuple[str, ...] = ()
    unpaid: tuple[str, ...] = ()


def read_example(text: bytes) -> ExampleTournament:
    """Parse a planned tournament of `examples/`. Raises msgspec.ValidationError where the file is invalid.

    Raises JsonRejected where a field is repeated.
    """
    refuse_repeats(text.decode())
    return msgspec.json.decode(text, type=ExampleTournament)


def play_example(club: Club, state: ExampleTournament, new_context: NewContext) -> Tournament:
    """Record everything that has happened in it so far. Raises RuleError."""
    now = new_context().now
    draft = TournamentDraft(name=state.tournament, preset=state.preset, starts_at=now, **state.stakes)
    tournament = create_tournament(club, draft, context=new_context())
    make_plan(tournament.pk, state.plan, context=new_context())
    enter_list(tournament.pk, list(_rows(state)), context=new_context(), adds_new=True)
    ids = {name: str(key) for key, name in Player.objects.filter(club=club).values_list("id", "name")}
    here = [events.CheckedIn(player=ids[name]) for name in state.players]
    gone = [events.MarkedAbsent(player=ids[name]) for name in state.absent]
    record_all_in_tournament(tournament.pk, [*here, *gone], context=new_context())
    for number, played in enumerate(state.rounds, start=1):
        _play(tournament, number, played, ids, new_context)
        record_all_in_tournament(tournament.pk, _clock(number, played, now), context=new_context())
    return tournament


def _rows(state: ExampleTournament) -> Iterable[EntryRow]:
    """Yield every entry, in the order in which the players came."""
    for number, name in enumerate((*state.players, *state.absent, *state.standby), start=1):
        is_paid = name in state.players and name not in state.unpaid
        yield EntryRow(number=number, name=name, is_paid=is_paid, is_standby=name in state.standby)


def _play(
    tournament: Tournament, number: int, played: PlayedRound, ids: Mapping[str, str], new_context: NewContext
) -> None:
    """Play one round of the first stage as far as it has come."""
    tables = tuple((table.number, tuple(ids[name] for name in table.players)) for table in played.tables)
    seating = events.RoundSeated(stage=1, round=number, tables=tables, method="draw", seed=played.seed)
    opened = seat_round(tournament.pk, seating, context=new_context()).tables
    for row, table in zip(opened, played.tables, strict=True):
        for version, event in enumerate(table.events, start=1):
            record_wire_event(row.id, event, expected=version, context=new_context())


def _clock(number: int, played: PlayedRound, now: datetime) -> list[events.Event]:
    """Return a clock that was started `ran` seconds ago and is paused now."""
    at = int(now.timestamp())
    started = events.ClockStarted(round=number, at=at - played.ran, seconds=played.seconds)
    return [started, events.ClockPaused(round=number, at=at)]


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


class TableOfTournament(msgspec.Struct, frozen=True, kw_only=True):
    """One table of the second tournament: a line of `replay` that also names its tournament, preset and players."""

    tournament: str
    preset: str
    table: int
    seats: tuple[int, ...]
    players: tuple[str, ...]
    stakes: dict[str, Any]
    events: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedClub:
    """The example club after loading."""

    club: Club
    is_new: bool
    finished: int
    running: int


def read_tables(lines: bytes) -> tuple[TableOfTournament, ...]:
    """Parse the tables of the second tournament, one per line. Raises msgspec.ValidationError where a line is invalid.

    Raises JsonRejected where a field is repeated.
    """
    for line in filter(None, lines.decode().splitlines()):
        refuse_repeats(line)
    decoder = msgspec.json.Decoder(TableOfTournament, strict=False)
    return tuple(decoder.decode_lines(lines))


def load_tournament_state(
    sheets: Mapping[str, bytes],
    tables: Iterable[TableOfTournament] = (),
    planned: Iterable[ExampleTournament] = (),
    *,
    now: datetime,
) -> LoadedClub:
    """Import every sheet and record every table, or none; a club that has tables already is left unchanged.

    Raises SheetRejected or RuleError. Closed tables are settled here too, so that the demo need not wait for a worker.
    """
    with transaction.atomic():
        defaults = {"name": NAME, "about": ABOUT, "venue": VENUE, "is_published": True}
        club, _ = Club.objects.get_or_create(slug=SLUG, defaults=defaults)
        is_new = not Tournament.objects.filter(club=club).exists()
        if is_new:
            for name in sorted(sheets):
                import_sheet(sheets[name], now=now)
            for table in tables:
                _write(club, table, now)
            for state in planned:
                play_example(club, state, lambda: _context(now))
    if is_new:
        _finish(club, now)
        _begin_season(club, now)
        _announce(club, now)
    over = Scoresheet.objects.filter(club=club, is_closed=True).count()
    every = Scoresheet.objects.filter(club=club).count()
    return LoadedClub(club=club, is_new=is_new, finished=over, running=every - over)


def add_official(club: Club, username: str, role: Role) -> tuple[AbstractBaseUser, bool]:
    """Create an official of the example club and return whether they are new; an existing user keeps their role."""
    user, is_new = get_user_model().objects.get_or_create(username=username, defaults={"is_staff": True})
    if is_new:
        Membership.objects.create(user=user, club=club, role=role)
    return user, is_new


def _write(club: Club, table: TableOfTournament, now: datetime) -> None:
    """Open a table of the second tournament and record everything that happened at it."""
    tournament = Tournament.objects.filter(club=club, name=table.tournament).first()
    if tournament is None:
        draft = TournamentDraft(name=table.tournament, preset=table.preset, starts_at=now, **table.stakes)
        tournament = create_tournament(club, draft, context=_context(now))
    players = _players(club, table.players)
    seats = [SeatedPlayer(number=seat, player=player.id) for seat, player in zip(table.seats, players, strict=True)]
    row = open_table(tournament, TableDraft(number=table.table, seats=seats), context=_context(now))
    for version, event in enumerate(table.events, start=1):
        record_wire_event(row.id, event, expected=version, context=_context(now))


def _context(now: datetime) -> CommandContext:
    """Return a command context with a key of its own."""
    return CommandContext(actor=ACTOR_AT_TABLES, now=now)


def _players(club: Club, names: Iterable[str]) -> list[Player]:
    """Return the players with these names; those who are new to the club are added."""
    ordered_names = list(names)
    player_by_name = {player.name: player for player in Player.objects.filter(club=club, name__in=ordered_names)}
    player_by_name |= {
        player.name: player
        for player in add_players(club, [name for name in ordered_names if name not in player_by_name])
    }
    return [player_by_name[name] for name in ordered_names]


def _finish(club: Club, now: datetime) -> None:
    """Settle what is over, and close the tournaments that have no open table left."""
    for table_id in tables_to_settle():
        settle_table(table_id, now=now)
    still_open = Scoresheet.objects.filter(club=club, is_closed=False).values("table__tournament_id")
    for tournament in Tournament.objects.filter(club=club).exclude(id__in=still_open):
        close_tournament(tournament.id, context=CommandContext(actor=ACTOR, now=now))


def _begin_season(club: Club, now: datetime) -> None:
    """Create a season over the closed tournaments, computed here too: the demo need not wait for a worker."""
    first = Tournament.objects.filter(club=club).earliest("starts_at").starts_at.date()
    last = max(now.date(), first) + SEASON_GOES_ON
    days = {"starts_on": first, "ends_on": min(last, first + LONGEST)}
    create_season(club, SeasonDraft(name=SEASON, formula=FORMULA, is_published=True, **days))
    bring_up(club.id, now=now)


def _announce(club: Club, now: datetime) -> None:
    """Create a tournament in the future."""
    here = zone_of(club.timezone)
    starts_at = datetime.combine((now + NEXT_IN).astimezone(here).date(), NEXT_AT, tzinfo=here)
    draft = TournamentDraft(name=NEXT, preset="pool_101", starts_at=starts_at, entry_minor=50_000)
    create_tournament(club, draft, context=_context(now))
