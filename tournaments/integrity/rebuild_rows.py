"""Compares the rows of tournaments, players and seats with the log: terms, names, merges and places.

Game, options, stakes and end of a tournament follow from its own stream; the names by which players are found and shown
follow from those that were typed. Seats follow from a table's events. For an older table the log has the players, and
mostly round and number too: in the digest of the request, or in the seating of its round. Rules:
docs/decisions/0028-what-is-proven-how.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import F, Q, QuerySet

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.money.payouts import read_stakes
from scoring.rules.table.table import Status, Table
from tournaments import log
from tournaments.integrity import unequal
from tournaments.log.context import club_lock
from tournaments.merging import merges_from, merges_of, write_merges
from tournaments.models import Club, Player, PlayerCredit, Seat, Standing, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.people import name_key, search_key
from tournaments.models.play import BEFORE_THE_CHANGE
from tournaments.people.players import as_chosen
from tournaments.tables.commands.record import NUMBERS

ENDED = (wire.TournamentClosed.kind, wire.TournamentCancelled.kind)
# The limits when searching a table of which only the request's digest is known: at most 20 ms each.
MOST_ROUNDS = 40
MOST_TABLES = 150


def frame_differences(row: Tournament, stored: Sequence[log.StoredEvent]) -> Iterator[str]:
    """Every column of a tournament that differs from its stream.

    An unreadable event changes nothing here: it is reported when the tournament is folded.
    """
    opened = read_stored(stored[0].kind, stored[0].schema, stored[0].body)
    if not isinstance(opened, wire.TournamentOpened):
        return
    terms: wire.TournamentOpened | wire.TournamentChanged = opened
    closed_at: datetime | None = None
    is_cancelled = False
    for stored_event in stored[1:]:
        event = read_stored(stored_event.kind, stored_event.schema, stored_event.body)
        match event:
            case wire.TournamentChanged():
                terms = event
            case wire.TournamentClosed() | wire.TournamentCancelled():
                closed_at, is_cancelled = stored_event.recorded_at, stored_event.kind == wire.TournamentCancelled.kind
            case wire.TournamentReopened():
                closed_at, is_cancelled = None, False
    expected_columns = {
        "preset": opened.preset,
        "variant": opened.variant,
        "options": terms.options,
        **msgspec.to_builtins(read_stakes(terms.stakes)),
        "closed_at": closed_at,
        "is_cancelled": is_cancelled,
        "club_id": stored[0].club_id,
    }
    yield from unequal(f"tournament {row.id}", row, expected_columns)


def stray_rows() -> Iterator[str]:
    """Tables without a tournament, seats with an unknown player or one of another club, and rows of another club."""
    for table in _without(TableRow.objects.all(), "tournament_id", Tournament.objects.all()):
        yield f"table {table.pk} belongs to no tournament"
    for seat in _without(Seat.objects.all(), "player_id", Player.objects.all()):
        yield f"seat {seat.number} of table {seat.table_id} is taken by nobody"
    for table in TableRow.objects.exclude(tournament__club_id=F("club_id")).order_by("pk"):
        yield f"table {table.pk} is of another club than its tournament"
    for credit in PlayerCredit.objects.exclude(player__club_id=F("club_id")).order_by("pk"):
        yield f"a credit of player {credit.player_id} is of another club"
    elsewhere = Standing.objects.exclude(player__club_id=F("club_id")).order_by("table_id", "seat_number")
    for table_id, number, player in elsewhere.values_list("table_id", "seat_number", "player_id"):
        yield f"seat {number} of table {table_id}: player {player} is of another club"


def name_differences(club_id: UUID) -> Iterator[str]:
    """Every derived name that does not follow from the typed one: the search keys and the public name."""
    naming = Club.objects.values_list("naming", flat=True).get(id=club_id)
    players = list(Player.objects.filter(club_id=club_id).order_by("created_at", "id"))
    present = [player for player in players if player.erased_at is None]
    public_names, by_id = as_chosen(present, naming), {player.id: player for player in players}
    for player in players:
        public = public_names.get(player.merged_into_id or player.id, player.public_name)
        name = by_id[player.merged_into_id or player.id].name
        derived_names = {
            "name": name,
            "name_key": name_key(name),
            "search_key": search_key(name, player.merged_name),
            "public_name": public,
            "public_key": name_key(public),
            "public_search_key": search_key(public),
        }
        for name, expected in derived_names.items():
            if getattr(player, name) != expected:
                yield f"player {player.id}: {name} is {getattr(player, name)!r}, and {expected!r} follows from the name"


def merge_differences(club_id: UUID) -> Iterator[str]:
    """Every player row that is merged otherwise than the log says."""
    for player, target in _merged_rows(club_id):
        yield f"player {player} of club {club_id} is merged into {target or 'nobody'}, the log says otherwise"


def rebuild_merges(club_id: UUID, now: datetime) -> None:
    """Write the merges of a club's players again."""
    with club_lock(club_id, even_moved=True):
        if any(True for _ in _merged_rows(club_id)):
            write_merges(club_id, merges_of(club_id), now=now)


def _merged_rows(club_id: UUID) -> Iterator[tuple[UUID, UUID | None]]:
    """The player rows that differ from the merges in the log, with their stored value."""
    events_by_club = log.read_clubs(log.streams(log.StreamKind.CLUB, club_id))
    merges = merges_from(events_by_club.get(club_id, []))
    targets = {UUID(player): UUID(merges.kept(player)) for player in merges.held}
    merged = Q(id__in=targets) | Q(merged_into__isnull=False, club_id=club_id)
    for player, target in Player.objects.filter(merged).order_by("id").values_list("id", "merged_into"):
        if targets.get(player) != target:
            yield player, target


def _without(rows: QuerySet[Any], column: str, owners: QuerySet[Any]) -> QuerySet[Any]:
    return rows.exclude(**{f"{column}__in": owners.values("pk")}).order_by("pk")


class Place(NamedTuple):
    """A round of a tournament and a table number in it."""

    round: int
    table: int


Seats = Mapping[int, UUID]
Seated = dict[tuple[str, ...], set[Place]]


def seats_of(tables: Sequence[UUID]) -> dict[UUID, dict[int, UUID]]:
    """The players by table and seat number, in one query."""
    players_by_table: dict[UUID, dict[int, UUID]] = {}
    for table, number, player in Seat.objects.filter(table_id__in=tables).values_list(
        "table_id", "number", "player_id"
    ):
        players_by_table.setdefault(table, {})[number] = player
    return players_by_table


def seat_differences(row: TableRow, table: Table, kept: Seats) -> Iterator[str]:
    """Every seat with another player than in the log, and every seat that is not in the log."""
    player_by_seat = {int(label): player for label, player in table.players.items()}
    for number in sorted(player_by_seat.keys() | kept.keys()):
        sits = str(kept[number]) if number in kept else "nobody"
        expected = player_by_seat.get(number, "nobody")
        if sits != expected:
            yield f"seat {number} of table {row.id}: player is {sits!r}, the log says {expected!r}"


class Opened:
    """The places with which the log says tables were opened. Caches the seatings of a tournament."""

    def __init__(self) -> None:
        self._seated: dict[UUID, Seated] = {}

    def differences(self, row: TableRow, table: Table, first: log.StoredEvent) -> Iterator[str]:
        """Differences between a table's row and the tournament, round, number and name that it was opened with."""
        opened = read_stored(first.kind, first.schema, first.body)
        if not isinstance(opened, wire.TableOpened):
            return
        places = self._places(row, opened, first)
        if places and not any(_is_there(row, table, place) for place in places):
            text = " or ".join(f"round {place.round}, table {place.table}" for place in sorted(places))
            yield f"table {row.id} is round {row.round}, table {row.number}, the log says {text}"
        if opened.table:
            if str(row.tournament_id) != opened.tournament:
                yield f"table {row.id} is of tournament {row.tournament_id}, the log says {opened.tournament}"
            name = first.note or ""
            # A cancelled table without a name has its former number as one, once another table has that number.
            had = (
                f"Table {opened.table}{BEFORE_THE_CHANGE}"
                if row.number - opened.table >= NUMBERS and not name
                else name
            )
            if row.name not in (name, had):
                yield f"table {row.id} is called {row.name!r}, the log says {name!r}"

    def _places(self, row: TableRow, opened: wire.TableOpened, first: log.StoredEvent) -> set[Place]:
        """The possible places by the log; empty if an older release stored neither round nor number."""
        if opened.table:
            return {Place(opened.round, opened.table)}
        own, digest = Place(row.round, row.number), first.request_digest
        seats = repr(dict(opened.seats))
        if log.is_same_request(digest, _asked(row.tournament_id, own, seats)):
            return {own}
        seated = self._seatings(row.tournament).get(tuple(player for _, player in opened.seats))
        return seated or _found(row.tournament_id, seats, digest)

    def _seatings(self, tournament: Tournament) -> Seated:
        """The places at which a tournament's own stream seats the same players in the same order."""
        if tournament.pk not in self._seated:
            places_by_players = self._seated.setdefault(tournament.pk, {})
            for stored_event in log.read(tournament.club_id, tournament.pk):
                event = read_stored(stored_event.kind, stored_event.schema, stored_event.body)
                if isinstance(event, wire.RoundSeated | wire.SeatsChanged | wire.PlayersMoved):
                    for number, players in event.tables:
                        places_by_players.setdefault(players, set()).add(Place(event.round, number))
        return self._seated[tournament.pk]


def _is_there(row: TableRow, table: Table, place: Place) -> bool:
    """Whether a row is at a place. A cancelled table has freed its number, and has a higher one."""
    has_left = table.status is Status.CANCELLED and row.number - place.table >= NUMBERS
    return row.round == place.round and (row.number == place.table or has_left)


def _asked(tournament: UUID, place: Place, seats: str) -> str:
    """The digest of the request to open a table, the same in every release."""
    return wire.request_digest(str(tournament), str(place.round), str(place.table), seats)


def _found(tournament: UUID, seats: str, digest: bytes) -> set[Place]:
    """The tables whose request has this digest; none if it was opened otherwise, or is beyond the limits."""
    tables = (Place(a, b) for a in range(1, MOST_ROUNDS + 1) for b in range(1, MOST_TABLES + 1))
    return {place for place in tables if log.is_same_request(digest, _asked(tournament, place, seats))}
