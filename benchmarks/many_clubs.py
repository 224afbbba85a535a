"""Many clubs with a history in one PostgreSQL: a few are played through the commands, the others are copies of them.

A copy has ids of its own everywhere, so events and entries are hashed again: `manage.py prove` holds for each club.
Rows go in by COPY with triggers off: a million events in some three minutes of processor time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import md5
from itertools import groupby
from typing import Any
from uuid import UUID

from benchmarks.figures import sized


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """So many clubs of a thousand, the players of an evening, how many evenings were played, and their format."""

    clubs: int
    players: int
    evenings: int
    format: str = "seven_rounds_of_four"

    @property
    def tables(self) -> int:
        """Tables of an evening at play at once."""
        return self.players // 4


SIZES = sized(
    (
        Size(clubs=310, players=8, evenings=3),
        Size(clubs=380, players=16, evenings=2),
        Size(clubs=269, players=24, evenings=2),
        Size(clubs=40, players=160, evenings=1, format=""),
        Size(clubs=1, players=200, evenings=1),
    ),
    smallest=(Size(clubs=1000, players=8, evenings=1),),
)
# The clubs of one size are copies of the first of them.
SLUG = "of-{players}-{number}"
# Open tournaments of each club: one with all its tables, and one beside it.
LIVE = 2
# Ids, with and without dashes, and what a copy computes: a mark between two of these. A bytea begins with an x.
_MARK = "\x01"
_VARIABLE = re.compile(
    r"([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?<![0-9a-fx])[0-9a-f]{32}(?![0-9a-f])|\x01[^\x01]+\x01)"
)


def make_clubs(clubs: int) -> int:
    """Play the first club of each size, and copy it until there are so many. Returns the number of events.

    A database that has clubs already is used as it is.
    """
    from django.db import connection  # noqa: PLC0415 - the site comes first

    from tournaments import tasks  # noqa: PLC0415
    from tournaments.models import Club  # noqa: PLC0415
    from tournaments.models.log import ClubHead  # noqa: PLC0415

    if Club.objects.exists():
        return sum(ClubHead.objects.values_list("position", flat=True))
    shares = [max(1, round(size.clubs * clubs / 1000)) for size in SIZES]
    for size in SIZES:
        _play(size)
    while tasks.sweep_settlements() + tasks.sweep_readings():
        pass
    for size, share in zip(SIZES, shares, strict=True):
        recorded = _recorded(SLUG.format(players=size.players, number=0))
        for number in range(1, share):
            _store(recorded, number, SLUG.format(players=size.players, number=number))
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    return sum(ClubHead.objects.values_list("position", flat=True))


def _play(size: Size) -> None:
    """A club with its past evenings, a week apart, and its live tournaments."""
    from django.utils.timezone import now  # noqa: PLC0415 - the site comes first

    from tests.builders.playing import context, new_tournament  # noqa: PLC0415
    from tournaments.models import Club, Player  # noqa: PLC0415
    from tournaments.rehearsal.simulation import SimulationDraft, simulate_tournament  # noqa: PLC0415
    from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table  # noqa: PLC0415

    slug = SLUG.format(players=size.players, number=0)
    club = Club.objects.create(name=f"Club of {size.players}", slug=slug, is_published=True)
    for evening in range(size.evenings):
        draft = SimulationDraft(
            players=size.players, preset="pool_101", seed=f"{evening}", format=size.format, is_real=True
        )
        simulate_tournament(club, draft, now=now() - timedelta(weeks=size.evenings - evening))
    players = list(Player.objects.filter(club=club).order_by("name")[: size.players])
    for number in range(LIVE):
        tournament = new_tournament(club, "points", name=f"Live {number}", point_value_minor=200, is_published=True)
        for table in range(size.tables if number == 0 else 1):
            seats = [SeatedPlayer(number=at + 1, player=players[table * 4 + at].pk) for at in range(4)]
            open_table(tournament, TableDraft(number=table + 1, seats=seats), context=context())


@dataclass(slots=True, kw_only=True)
class _Recorded:
    """A club as lines of COPY: each is its texts and, between them, the ids and marks that a copy replaces."""

    club: UUID
    lines: dict[str, list[list[str]]] = field(default_factory=dict)
    # Of each event: its position, stream and version, and what is hashed besides.
    events: list[tuple[int, str, int, tuple[Any, ...]]] = field(default_factory=list)
    # Of each entry: the settlement that it is in, its id, and what is hashed.
    entries: list[tuple[tuple[str, int], str, list[str]]] = field(default_factory=list)
    causes: list[tuple[int, list[str], int, datetime]] = field(default_factory=list)
    streams: dict[str, str] = field(default_factory=dict)


def _recorded(slug: str) -> _Recorded:
    """Read a club."""
    from scoring.models import JournalEntry, SettledCause  # noqa: PLC0415 - the site comes first
    from scoring.storage.writes import BETWEEN, entry_fields, moment_text, moved  # noqa: PLC0415
    from tournaments.log.rows import time_text  # noqa: PLC0415
    from tournaments.models import Club  # noqa: PLC0415
    from tournaments.models.log import Event, Stream  # noqa: PLC0415

    club = Club.objects.get(slug=slug)
    recorded = _Recorded(club=club.pk)
    for table, columns, lines in _tables(club.pk):
        recorded.lines[f"{table} ({', '.join(columns)})"] = [_VARIABLE.split(line) for line in lines]
    recorded.streams = {
        str(stream): kind for stream, kind in Stream.objects.filter(club=club).values_list("id", "kind")
    }
    for event in Event.objects.filter(club=club).order_by("position"):
        shown = (event.schema, str(event.key), bytes(event.request_digest), event.actor, event.device)
        moments = (time_text(event.recorded_at), time_text(event.occurred_at))
        content = (event.kind, *shown, *moments, bytes(event.note_digest), _VARIABLE.split(event.body))
        recorded.events.append((event.position, str(event.stream_id), event.version, content))
    entries = JournalEntry.objects.filter(club=club.pk).prefetch_related("postings__account")
    ordered = sorted(entries, key=lambda entry: min(posting.pk for posting in entry.postings.all()))
    for entry in ordered:
        postings = sorted(entry.postings.all(), key=lambda posting: posting.pk)
        texts = [moved(p.account.kind, p.account.owner, p.amount_minor, p.purpose) for p in postings]
        row = (entry.pk, entry.reference, entry.cause, entry.slot, entry.version, entry.currency, entry.memo)
        fields = entry_fields(
            (*row, entry.posting_count, entry.reverses_id), club=club.pk, posted=moment_text(entry.posted_at)
        )
        hashed = BETWEEN.join((*fields, *texts))
        recorded.entries.append(((entry.cause, entry.version), str(entry.pk), _VARIABLE.split(hashed)))
    causes = SettledCause.objects.filter(club=club.pk).order_by("pk")
    recorded.causes = [(cause.pk, _VARIABLE.split(cause.cause), cause.version, cause.settled_at) for cause in causes]
    return recorded


def _tables(club: UUID) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each table with its columns, and the lines of the club's rows, with marks where a copy computes the value."""
    from django.db import connection  # noqa: PLC0415 - the site comes first

    from scoring.models import Account, JournalEntry, Posting, SettledCause  # noqa: PLC0415
    from tournaments import models  # noqa: PLC0415
    from tournaments.models.log import ClubHead, Event, EventNote, Stream  # noqa: PLC0415

    mine = f"club_id = '{club}'"
    books = f"club = '{club}'"
    tables: list[tuple[Any, str, dict[str, str]]] = [
        (models.Club, f"id = '{club}'", {"slug": "'{m}slug{m}'"}),
        (models.ClubSlug, mine, {"slug": "'{m}slug{m}'"}),
        *((model, mine, {}) for model in (models.Player, models.Tournament, models.Table)),
        (models.Seat, f"table_id IN (SELECT id FROM tournaments_table WHERE {mine})", {}),  # noqa: S608 - our words
        *((model, mine, {}) for model in (models.Standing, models.Scoresheet, models.EveningSheet)),
        *((model, mine, {}) for model in (models.ShownVersion, models.ClubReadings, models.NightResult)),
        *((model, mine, {}) for model in (models.PlayerRating, ClubHead)),
        (Stream, mine, {"head_hash": "'{m}head '||id||'{m}'"}),
        (Event, mine, {"id": "'{m}event '||position||'{m}'", "hash": "'{m}hash '||position||'{m}'"}),
        (EventNote, mine, {"event_id": "'{m}event '||position||'{m}'"}),
        (Account, books, {}),
        (JournalEntry, books, {"digest": "'{m}entry '||id||'{m}'"}),
        (Posting, books, {}),
        (SettledCause, books, {"digest": "'{m}cause '||id||'{m}'"}),
    ]
    with connection.cursor() as cursor:
        for model, where, marked in tables:
            fields = [field for field in model._meta.concrete_fields if field.get_internal_type() != "BigAutoField"]
            columns = [f'"{field.column}"' for field in fields]
            values = [marked.get(field.column, f'"{field.column}"').format(m=_MARK) for field in fields]
            question = (
                f"SELECT {', '.join(values)} FROM {model._meta.db_table} WHERE {where} ORDER BY {model._meta.pk.column}"  # noqa: S608
            )
            with cursor.cursor.copy(f"COPY ({question}) TO STDOUT") as rows:
                text = b"".join(bytes(part) for part in rows).decode()
            yield model._meta.db_table, columns, text.split("\n")[:-1]


class _Copy(dict[str, str]):
    """The ids of a copy by those of the club that it is of, and the values of its marks."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._mask = int(md5(b"%d" % number, usedforsecurity=False).hexdigest(), 16)

    def __missing__(self, old: str) -> str:
        new = UUID(int=UUID(old).int ^ self._mask)
        self[old] = str(new) if "-" in old else new.hex
        return self[old]

    def text(self, parts: Sequence[str]) -> str:
        """Put a text together again."""
        whole = list(parts)
        whole[1::2] = map(self.__getitem__, parts[1::2])
        return "".join(whole)


def _store(recorded: _Recorded, number: int, slug: str) -> None:
    """Store one more club like the recorded one."""
    from django.db import connection, transaction  # noqa: PLC0415 - the site comes first

    copy = _Copy(number)
    copy[f"{_MARK}slug{_MARK}"] = slug
    _hash_events(recorded, copy)
    _hash_books(recorded, copy)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for target, lines in recorded.lines.items():
            with cursor.cursor.copy(f"COPY {target} FROM STDIN") as rows:
                rows.write("".join(f"{copy.text(line)}\n" for line in lines))


def _hash_events(recorded: _Recorded, copy: _Copy) -> None:
    from scoring.events.hashes import content_digest, event_hash, event_id, genesis  # noqa: PLC0415

    club = UUID(copy[str(recorded.club)]).hex.encode()
    heads: dict[str, bytes] = {}
    for position, stream, version, content in recorded.events:
        kind, schema, key, request, actor, device, at, occurred, note, body = content
        name = UUID(copy[stream]).hex.encode()
        fields = (
            *(b"2", club, name, b"%d" % version, kind.encode(), b"%d" % schema, copy[key].encode(), request),
            *(actor.encode(), device.encode(), at.encode(), occurred.encode(), note, copy.text(body).encode()),
        )
        before = heads.get(stream) or genesis(club, name, recorded.streams[stream].encode())
        digest = heads[stream] = event_hash(before, position, content_digest(fields))
        copy[f"{_MARK}event {position}{_MARK}"] = str(UUID(bytes=event_id(position, digest)))
        copy[f"{_MARK}hash {position}{_MARK}"] = rf"\\x{digest.hex()}"
    for stream, digest in heads.items():
        copy[f"{_MARK}head {stream}{_MARK}"] = rf"\\x{digest.hex()}"


def _hash_books(recorded: _Recorded, copy: _Copy) -> None:
    from scoring.storage.writes import cause_digest, entry_digest  # noqa: PLC0415

    club = UUID(copy[str(recorded.club)])
    for _, run in groupby(recorded.entries, key=lambda entry: entry[0]):
        before = b""
        for _, entry, hashed in run:
            before = entry_digest(before, [copy.text(hashed)], [])
            copy[f"{_MARK}entry {entry}{_MARK}"] = rf"\\x{before.hex()}"
    for number, cause, version, settled_at in recorded.causes:
        digest = cause_digest(club, copy.text(cause), version, settled_at.astimezone(UTC))
        copy[f"{_MARK}cause {number}{_MARK}"] = rf"\\x{digest.hex()}"
