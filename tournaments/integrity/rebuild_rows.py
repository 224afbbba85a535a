"""What a tournament is played under, who plays, and who sits where: as the rows say, and as the log does.

Game, options, stakes and end of a tournament follow from its own stream; the names by which players are found and shown
follow from those that were typed. Who sits where is said by a table's facts of today. Of an older table the log holds
the players, and mostly round and number too: in the digest of what was asked, or in the seating of its round. Rules:
docs/decisions/0028-what-is-proven-how.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import F, Q, QuerySet

from scoring.facts import wire
from scoring.facts.reading import read_stored
from scoring.money.payouts import read_stakes
from scoring.rules.table.table import Status, Table
from tournaments import log
from tournaments.integrity import unequal
from tournaments.merging import merges_from, merges_of, write_merges
from tournaments.models import Club, Player, PlayerCredit, Seat, Standing, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.people import name_key
from tournaments.people.players import as_chosen
from tournaments.tables.commands.record import NUMBERS

ENDED = (wire.TournamentClosed.kind, wire.TournamentCancelled.kind)
# How far is looked for a table of which only the digest of the request is known: 20 ms each at the most.
MOST_ROUNDS = 40
MOST_TABLES = 150


def frame_differences(row: Tournament, stored: Sequence[log.StoredEvent]) -> Iterator[str]:
    """Every column of a tournament that follows from its stream and says something else.

    A fact that cannot be read changes nothing here: whoever folds the evening names it.
    """
    opened = read_stored(stored[0].kind, stored[0].schema, stored[0].body)
    if not isinstance(opened, wire.TournamentOpened):
        return
    terms: wire.TournamentOpened | wire.TournamentChanged = opened
    closed_at: datetime | None = None
    is_cancelled = False
    for event in stored[1:]:
        fact = read_stored(event.kind, event.schema, event.body)
        match fact:
            case wire.TournamentChanged():
                terms = fact
            case wire.TournamentClosed() | wire.TournamentCancelled():
                closed_at, is_cancelled = event.recorded_at, event.kind == wire.TournamentCancelled.kind
            case wire.TournamentReopened():
                closed_at, is_cancelled = None, False
    wanted = {
        "preset": opened.preset,
        "variant": opened.variant,
        "options": terms.options,
        **msgspec.to_builtins(read_stakes(terms.stakes)),
        "closed_at": closed_at,
        "is_cancelled": is_cancelled,
        "club_id": stored[0].club_id,
    }
    yield from unequal(f"tournament {row.id}", row, wanted)


def stray_rows() -> Iterator[str]:
    """Tables of no tournament, players who sit in another club than their own or are nobody, rows of another club."""
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
    """Every name that does not follow from what was typed: how a player is found, and what the public reads."""
    naming = Club.objects.values_list("naming", flat=True).get(id=club_id)
    players = list(Player.objects.filter(club_id=club_id).order_by("created_at", "id"))
    present = [player for player in players if player.erased_at is None]
    shown, by_id = as_chosen(present, naming), {player.id: player for player in players}
    for player in players:
        public = shown.get(player.merged_into_id or player.id, player.public_name)
        name = by_id[player.merged_into_id or player.id].name
        wanted = {
            "name": name,
            "name_key": name_key(name),
            "public_name": public,
            "public_key": name_key(public),
        }
        for name, said in wanted.items():
            if getattr(player, name) != said:
                yield f"player {player.id}: {name} is {getattr(player, name)!r}, and {said!r} follows from the name"


def merge_differences(club_id: UUID) -> Iterator[str]:
    """Every row of a player that is read as another one than the log says."""
    for player, kept in _merged_rows(club_id):
        yield f"player {player} of club {club_id} is merged into {kept or 'nobody'}, the log says otherwise"


def rebuild_merges(club_id: UUID, now: datetime) -> None:
    """Write again who is read as whom."""
    if any(True for _ in _merged_rows(club_id)):
        write_merges(club_id, merges_of(club_id), now=now)


def _merged_rows(club_id: UUID) -> Iterator[tuple[UUID, UUID | None]]:
    """The rows of players that differ from the merges in the log, with what they say."""
    stored = log.read_clubs(log.streams(log.StreamKind.CLUB, club_id))
    merges = merges_from(stored.get(club_id, []))
    wanted = {UUID(player): UUID(merges.kept(player)) for player in merges.held}
    merged = Q(id__in=wanted) | Q(merged_into__isnull=False, club_id=club_id)
    for player, kept in Player.objects.filter(merged).order_by("id").values_list("id", "merged_into"):
        if wanted.get(player) != kept:
            yield player, kept


def _without(rows: QuerySet[Any], column: str, owners: QuerySet[Any]) -> QuerySet[Any]:
    return rows.exclude(**{f"{column}__in": owners.values("pk")}).order_by("pk")


class Place(NamedTuple):
    """A round of a tournament and a table of it."""

    round: int
    table: int


Seats = Mapping[int, UUID]
Seated = dict[tuple[str, ...], set[Place]]


def seats_of(tables: Sequence[UUID]) -> dict[UUID, dict[int, UUID]]:
    """Who sits where, by table and number, in one query."""
    found: dict[UUID, dict[int, UUID]] = {}
    for table, number, player in Seat.objects.filter(table_id__in=tables).values_list(
        "table_id", "number", "player_id"
    ):
        found.setdefault(table, {})[number] = player
    return found


def seat_differences(row: TableRow, table: Table, kept: Seats) -> Iterator[str]:
    """Every seat whose row names another player than the log, and every row of a seat that the log does not know."""
    wanted = {int(label): player for label, player in table.players.items()}
    for number in sorted(wanted.keys() | kept.keys()):
        sits = str(kept[number]) if number in kept else "nobody"
        said = wanted.get(number, "nobody")
        if sits != said:
            yield f"seat {number} of table {row.id}: player is {sits!r}, the log says {said!r}"


class Opened:
    """What the log says of where tables were opened. Keeps what it has read of a tournament's seatings."""

    def __init__(self) -> None:
        self._seated: dict[UUID, Seated] = {}

    def differences(self, row: TableRow, table: Table, first: log.StoredEvent) -> Iterator[str]:
        """Whether a table's row is of the tournament, round, number and name that it was opened with."""
        opened = read_stored(first.kind, first.schema, first.body)
        if not isinstance(opened, wire.TableOpened):
            return
        wanted = self._places(row, opened, first)
        if wanted and not any(_is_there(row, table, place) for place in wanted):
            said = " or ".join(f"round {place.round}, table {place.table}" for place in sorted(wanted))
            yield f"table {row.id} is round {row.round}, table {row.number}, the log says {said}"
        if opened.table:
            yield from _name_differences(row, opened, first)

    def _places(self, row: TableRow, opened: wire.TableOpened, first: log.StoredEvent) -> set[Place]:
        """What the log knows of round and number; nothing where an older release stored neither."""
        if opened.table:
            return {Place(opened.round, opened.table)}
        own, digest = Place(row.round, row.number), first.request_digest
        seats = repr(dict(opened.seats))
        if log.is_same_request(digest, _asked(row.tournament_id, own, seats)):
            return {own}
        seated = self._seatings(row.tournament).get(tuple(player for _, player in opened.seats))
        return seated or _found(row.tournament_id, seats, digest)

    def _seatings(self, tournament: Tournament) -> Seated:
        """Where a tournament's own list seats the same players in the same order."""
        if tournament.pk not in self._seated:
            found = self._seated.setdefault(tournament.pk, {})
            for event in log.read(tournament.club_id, tournament.pk):
                fact = read_stored(event.kind, event.schema, event.body)
                if isinstance(fact, wire.RoundSeated | wire.SeatsChanged | wire.PlayersMoved):
                    for number, players in fact.tables:
                        found.setdefault(players, set()).add(Place(fact.round, number))
        return self._seated[tournament.pk]


def _is_there(row: TableRow, table: Table, place: Place) -> bool:
    """A table that was given up has left its number to another, and has a higher one."""
    has_left = table.status is Status.CANCELLED and row.number - place.table >= NUMBERS
    return row.round == place.round and (row.number == place.table or has_left)


def _name_differences(row: TableRow, opened: wire.TableOpened, first: log.StoredEvent) -> Iterator[str]:
    if str(row.tournament_id) != opened.tournament:
        yield f"table {row.id} is of tournament {row.tournament_id}, the log says {opened.tournament}"
    name = first.note or ""
    if row.name != name:
        yield f"table {row.id} is called {row.name!r}, the log says {name!r}"


def _asked(tournament: UUID, place: Place, seats: str) -> str:
    """The digest of the request to open a table, as every release has made it."""
    return wire.request_digest(str(tournament), str(place.round), str(place.table), seats)


def _found(tournament: UUID, seats: str, digest: bytes) -> set[Place]:
    """The table that was asked for; nothing where it was opened for another reason, or is out of reach."""
    tables = (Place(a, b) for a in range(1, MOST_ROUNDS + 1) for b in range(1, MOST_TABLES + 1))
    return {place for place in tables if log.is_same_request(digest, _asked(tournament, place, seats))}
