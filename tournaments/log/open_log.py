"""A tournament's log for the public: every event with its hash, and no names.

Rules: docs/how-to/publishing.md, "Download the log". Replaced by a digest: notes, who wrote an event with which device,
what a player paid to enter, and where the club does not publish amounts of players, what a player bought in for. Knows
nothing of scores.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Sum

from scoring.events import wire
from scoring.events.hashes import WHO, content_digest, framed_digest
from tournaments.log import raw
from tournaments.log.raw import RawEvent, RawSeal
from tournaments.log.seals import board_fingerprint
from tournaments.models import Club, Standing, Table, Tournament
from tournaments.models.log import Seal, Stream

FORMAT = 1
# Entry payments are private between the player and the club.
BETWEEN_TWO = frozenset({wire.EntryPaid.kind, wire.EntryRefunded.kind, wire.EntryTermsSet.kind})
# Other events with an amount of one player: theirs alone where the club does not publish such amounts.
WITH_AMOUNT = frozenset({wire.BoughtIn.kind})
# The earlier recipe hashed who wrote an event with all the rest: only the digest of such an event can be published.
SHOWS_NOTHING = b"1"
_COUNTED = ("table_id", "seat_number", "player_id", "deals_won", "wrong_shows", "drops")
_SHEET = ("table__scoresheet__version", "table__scoresheet__deals", "table__scoresheet__has_conflict")

Line = dict[str, Any]


def tournament_log(tournament: Tournament) -> Iterator[Line]:
    """The lines of a tournament's log: a header, its tables, the counts of its board, its events, the club's seals.

    What may grow meanwhile is read first: counts are never ahead of the events, and the events end at one position.
    """
    club = tournament.club_id.hex
    counts = _counts(tournament.id)
    head = raw.head_position(club) or 0
    tables = {table.id: table for table in Table.objects.filter(tournament_id=tournament.id)}
    seals = [seal for seal in raw.seals_of(club) if seal.end <= head]
    events = raw.events_of(club, [tournament.id.hex, *(table.hex for table in tables)], head)
    position = events[-1].position if events else 0
    yield {
        "line": "log",
        "format": FORMAT,
        "club": club,
        "tournament": tournament.id.hex,
        "position": position,
        "fingerprint": board_fingerprint(position, _heads(events, tables)),
    }
    for table in tables.values():
        yield {"line": "table", "stream": table.id.hex, "round": table.round, "table": table.number}
    yield from counts
    hidden = BETWEEN_TWO if tournament.club.shows_money else BETWEEN_TWO | WITH_AMOUNT
    yield from (_event_line(row, hidden) for row in events)
    yield from _seal_lines(club, seals, _touched(seals, events))
    lines = 2 + len(tables) + len(counts) + len(events) + len(seals)
    yield {"line": "end", "lines": lines, "facts": len(events), "seals": len(seals)}


def club_seals(club: Club) -> Iterator[Line]:
    """All seals of a club, each with the hashes that it covers: nothing else of its log."""
    seals = raw.seals_of(club.id.hex)
    yield {"line": "seals", "format": FORMAT, "club": club.id.hex}
    yield from _seal_lines(club.id.hex, seals, None)
    yield {"line": "end", "lines": 2 + len(seals), "facts": 0, "seals": len(seals)}


def log_marks(tournament: Tournament) -> tuple[object, ...]:
    """The values on which the downloaded log depends: its streams' lengths, the club's setting and its last seal."""
    streams = Table.objects.filter(tournament_id=tournament.id).values("id")
    grown = Stream.objects.filter(club_id=tournament.club_id, id__in=streams).aggregate(all=Sum("version"))["all"]
    own = Stream.objects.filter(club_id=tournament.club_id, id=tournament.id).values_list("version", flat=True).first()
    return grown, own, tournament.club.shows_money, *seal_marks(tournament.club_id)


def seal_marks(club_id: UUID) -> tuple[object, ...]:
    """The last sealed position of a club; it changes with each seal."""
    ends = Seal.objects.filter(club_id=club_id).order_by("-to_position").values_list("to_position", flat=True)
    return (ends.first(),)


def _counts(tournament_id: UUID) -> list[Line]:
    """The counts of the board at each table, to compare with its deals; none for a table with conflicting records."""
    rows = Standing.objects.filter(tournament_id=tournament_id).order_by(
        "table__round", "table__number", "table_id", "seat_number"
    )
    lines = []
    for (table, version, deals, has_conflict), seats in groupby(
        rows.values_list(*_COUNTED, *_SHEET), key=lambda row: (row[0], *row[len(_COUNTED) :])
    ):
        if has_conflict:
            continue
        names = ("seat", "player", *_COUNTED[3:])
        players = [dict(zip(names, (row[1], str(row[2]), *row[3 : len(_COUNTED)]), strict=True)) for row in seats]
        lines.append({"line": "board", "stream": table.hex, "version": version, "deals": deals, "seats": players})
    return lines


def _heads(events: Sequence[RawEvent], tables: dict[UUID, Table]) -> list[tuple[UUID, bytes]]:
    """The last hash of each table."""
    lasts = {UUID(hex=row.stream.decode()): row.hash for row in events}
    return [(stream, digest) for stream, digest in lasts.items() if stream in tables]


def _event_line(row: RawEvent, hidden: Collection[str]) -> Line:
    fields = [_text(field) for field in row.fields]
    line: Line = {"line": "fact", "position": row.position, "stream": fields[2], "version": row.version}
    if row.fields[0] == SHOWS_NOTHING or fields[4] in hidden:
        return line | {"content": content_digest(row.fields).hex(), "hash": row.hash.hex()}
    return line | {
        "recipe": fields[0],
        "kind": fields[4],
        "schema": fields[5],
        "who": framed_digest(row.fields[WHO]).hex(),
        "recorded_at": fields[10],
        "occurred_at": fields[11],
        "note_digest": row.note_digest.hex(),
        "body": fields[13],
        "hash": row.hash.hex(),
    }


def _touched(seals: Sequence[RawSeal], events: Sequence[RawEvent]) -> list[int]:
    """The starts of the seals that cover an event of this log."""
    positions = [row.position for row in events]
    return [seal.start for seal in seals if bisect_left(positions, seal.start) < bisect_right(positions, seal.end)]


def _seal_lines(club: str, seals: Sequence[RawSeal], starts: Sequence[int] | None) -> Iterator[Line]:
    """The seals in order; those with the given starts, or all for None, with the hashes that they cover."""
    leaves = {
        start: [digest.hex() for _, digest in group]
        for start, group in groupby(raw.leaves_of(club, starts), key=lambda leaf: leaf[0])
    }
    for seal in seals:
        line = {
            "line": "seal",
            "from": seal.start,
            "to": seal.end,
            "root": seal.root.hex(),
            "previous": seal.previous.hex(),
            "sealed_at": _text(seal.sealed_at),
            "hash": seal.hash.hex(),
        }
        yield line | ({"leaves": leaves[seal.start]} if seal.start in leaves else {})


def _text(stored: bytes) -> str:
    """A stored text; bytes that are not valid text cannot match the hash either, so the fault is found."""
    return stored.decode(errors="replace")
