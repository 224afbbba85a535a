"""A thousand clubs with a history in one PostgreSQL, and what is done for them.

The first club of each size is played through the commands. The others are its rows under ids of their own, with its
hashes: they play, settle and are read like any club, but no proof of them holds.
"""

import asyncio
import http.client
import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client, override_settings
from django.utils.timezone import now

from benchmarks.figures import sized
from benchmarks.phones import Sent, scorer
from benchmarks.serving import cpu_seconds, family, pss_kb, served_site, web_process, worker_process
from scoring.models import Account, JournalEntry, Posting, SettledCause
from tests.builders.club_at_play import Write, deal
from tests.builders.nginx import in_front
from tests.builders.playing import context, new_tournament
from tournaments import models, tasks
from tournaments.books.commands import tables_to_settle
from tournaments.boxes.keeping import make_box
from tournaments.models import Club, Membership, Player, PublishedCopy, Role, Scoresheet, Table, Tournament
from tournaments.models.log import ClubHead, Event, EventNote, Stream
from tournaments.people.access import issue_token
from tournaments.projections.shown import version_shown
from tournaments.rehearsal.simulation import SimulationDraft, simulate_tournament
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.commands.record import record_wire_event
from tournaments.web.publishing import publish_owed

Meters = Mapping[str, Callable[[], float]]
PLAYING, BOARDS, COPIED, IDLE_SECONDS = sized((240, 300, 10, 30), smallest=(2, 2, 2, 1))
# The clubs of four tables; the smallest benchmark has others alone.
SMALL = sized("of-16-", smallest="of-")
# What a copy replaces: the first eight digits of an id, with and without dashes; a bytea begins with an x.
ID = r"(?<![0-9a-fx])[0-9a-f]{8}((?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24})(?![0-9a-f])"


class Size(NamedTuple):
    """So many clubs of a thousand, the players of a tournament, how many were played, and their format."""

    clubs: int
    players: int
    played: int
    format: str = "seven_rounds_of_four"


SIZES = sized(
    (Size(310, 8, 3), Size(380, 16, 2), Size(269, 24, 2), Size(40, 160, 1, format=""), Size(1, 200, 1)),
    smallest=(Size(1000, 8, 1),),
)


def measure(clubs: int) -> dict[str, float]:
    """Make the clubs and measure all. Backups come last: they read everything."""
    call_command("migrate", verbosity=0)
    for size in SIZES:
        _play(size)
    while tasks.sweep_settlements() + tasks.sweep_readings():
        pass
    for size in SIZES:
        for number in range(1, round(size.clubs * clubs / 1000)):
            _copy(size, number)
    [[size_of_log], [size_of_all]] = _rows(
        "VACUUM ANALYZE",
        "SELECT pg_total_relation_size('tournaments_event') + pg_total_relation_size('tournaments_eventnote')"
        " UNION ALL SELECT pg_database_size(current_database())",
    )
    events = sum(ClubHead.objects.values_list("position", flat=True))
    figures = {"events": events, "log_bytes": size_of_log / events, "database_bytes": size_of_all / events}
    return figures | _pages_and_boxes() | _served() | _copies() | _backup(events)


def _play(size: Size) -> None:
    """A club with its past tournaments, a week apart, and two live ones: one with all its tables, and one beside it."""
    club = Club.objects.create(name=f"Club of {size.players}", slug=f"of-{size.players}-0", is_published=True)
    for number in range(size.played):
        draft = SimulationDraft(
            players=size.players, preset="pool_101", seed=f"{number}", format=size.format, is_real=True
        )
        simulate_tournament(club, draft, now=now() - timedelta(weeks=size.played - number))
    players = list(Player.objects.filter(club=club).order_by("name")[: size.players])
    for name, tables in {"Live": size.players // 4, "Beside": 1}.items():
        tournament = new_tournament(club, "points", name=name, point_value_minor=200, is_published=True)
        for table in range(tables):
            seats = [SeatedPlayer(number=at + 1, player=players[table * 4 + at].pk) for at in range(4)]
            open_table(tournament, TableDraft(number=table + 1, seats=seats), context=context())


def _copy(size: Size, number: int) -> None:
    """Store the rows of the first club of a size again: each id begins with the number of the copy."""
    first = Club.objects.get(slug=f"of-{size.players}-0").pk.hex
    of_club, of_books = f"club_id = '{first}'", f"club = '{first}'"
    rows: list[tuple[Any, str]] = [
        (Club, f"id = '{first}'"),
        *((model, of_club) for model in (models.ClubSlug, Player, Tournament, Table)),
        (models.Seat, f"table_id IN (SELECT id FROM tournaments_table WHERE {of_club})"),  # noqa: S608 - no input
        *((model, of_club) for model in (models.Standing, Scoresheet, models.EveningSheet, models.ShownVersion)),
        *((model, of_club) for model in (models.ClubReadings, models.NightResult, models.PlayerRating)),
        *((model, of_club) for model in (ClubHead, Stream, Event, EventNote)),
        *((model, of_books) for model in (Account, JournalEntry, Posting, SettledCause)),
    ]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for model, where in rows:
            table = model._meta.db_table
            columns = [f.column for f in model._meta.concrete_fields if f.get_internal_type() != "BigAutoField"]
            cursor.execute(
                f"""
                INSERT INTO {table} ({", ".join(f'"{column}"' for column in columns)})
                SELECT {", ".join(f'(row)."{column}"' for column in columns)} FROM (
                    SELECT regexp_replace(replace(source::text, %s, %s), %s, %s, 'g')::{table} AS row
                    FROM {table} AS source WHERE {where} ORDER BY {model._meta.pk.column} OFFSET 0
                ) AS copies
                """,  # noqa: S608 - names of tables and columns
                [f"of-{size.players}-0", f"of-{size.players}-{number}", ID, rf"{number:08x}\1"],
            )


def _rows(*statements: str) -> list[Any]:
    """The rows of the last of these statements."""
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
        return list(cursor.fetchall())


def _database_seconds() -> float:
    """Processor time of PostgreSQL: of its processes, and of those that have ended."""
    pid = _database_pid()
    ended = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[13:15]
    return cpu_seconds(pid) + sum(map(int, ended)) / os.sysconf("SC_CLK_TCK")


def _database_pid() -> int:
    [(backend,)] = _rows("SELECT pg_backend_pid()")
    return int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])


OWN: Meters = {"own": time.process_time, "db": _database_seconds}


def _cost(name: str, work: Callable[[], object], *, meters: Meters = OWN, count: float = 1) -> dict[str, float]:
    """Milliseconds of processor time by each meter, for each of `count`."""
    before = {meter: seconds() for meter, seconds in meters.items()}
    work()
    return {f"{name}_{meter}_ms": (meters[meter]() - before[meter]) * 1000 / count for meter in meters}


def _pages_and_boxes() -> dict[str, float]:
    """*Today* for a site administrator, and a box of a small club."""
    client = Client(headers={"host": "localhost"})
    client.force_login(get_user_model().objects.create_superuser("administrator"))
    small = Club.objects.filter(slug__startswith=SMALL)[0]
    boxes: list[Path] = []
    figures = _cost("today", lambda: client.get("/admin/"))
    figures |= _cost("box", lambda: boxes.append(make_box(small, now=now())))
    return figures | {"box_kb": boxes[0].stat().st_size / 1000}


def _served() -> dict[str, float]:
    """A deal in each of many clubs, until all are settled, and reading of boards, through nginx, web and worker."""
    with tempfile.TemporaryDirectory() as there, served_site("--host", "127.0.0.1") as site:
        folder = Path(there) / "nginx"
        ours = {"127.0.0.1:8000": urlsplit(site.address).netloc, "/var/lib/nginx/rummy": str(folder / "cache")}
        with in_front("rummy-evening.conf", folder, ours) as front:
            address, nginx = f"http://127.0.0.1:{front.port}", int((folder / "nginx.pid").read_text())
            web, worker = web_process(site.pid), worker_process(site.pid)
            meters = {
                "web": lambda: cpu_seconds(web),
                "worker": lambda: cpu_seconds(worker),
                "db": _database_seconds,
                "nginx": lambda: cpu_seconds(nginx),
            }
            figures = _cost("idle_second", lambda: time.sleep(IDLE_SECONDS), meters=meters, count=IDLE_SECONDS)
            figures |= _deals(meters, address)
            for name, pid in {"web": web, "worker": worker, "db": _database_pid()}.items():
                figures[f"{name}_mb"] = sum(map(pss_kb, family(pid))) / 1000
            live = Tournament.objects.filter(name="Live").select_related("club").order_by("pk")[:BOARDS]
            pages = [f"/en-gb/c/{tournament.club.slug}/t/{tournament.slug}/" for tournament in live]
            parts = [f"{page}board/" for page in pages]
            connection, sizes = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30), [0]
            for name, paths in {
                "page_first": pages,
                "part_first": parts,
                "part_cached": [path for path in parts for _ in range(10)],
                "part_again": parts,
            }.items():
                # nginx hands out for a second what it has.
                time.sleep(1.5)
                figures |= _cost(name, lambda: sizes.append(_get(connection, paths)), meters=meters, count=len(paths))  # noqa: B023
                figures[f"{name}_kb"] = sizes[-1] / len(paths) / 1000
            return figures


def _deals(meters: Meters, address: str) -> dict[str, float]:
    """Four deals a second, each at the first table of another club, with what idles beside them."""
    tables = Table.objects.filter(tournament__name="Live", number=1).select_related("tournament__club", "scoresheet")
    phones = []
    for table in tables.order_by("pk")[:PLAYING]:
        club, user = table.tournament.club, get_user_model().objects.create_user(uuid.uuid4().hex)
        Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
        _, secret = issue_token(uuid.uuid4(), club, user_id=user.pk, role=Role.DIRECTOR, name="phone")
        phones.append((secret or "", deal(table.pk, table.scoresheet.version, random.Random(1))))

    async def after(seconds: float, write: Write) -> AsyncIterator[Write]:
        await asyncio.sleep(seconds)
        yield write

    async def send() -> None:
        at, sent = urlsplit(address), Sent()
        await asyncio.gather(
            *(scorer(at, phone[0], after(number / 4, phone[1]), sent) for number, phone in enumerate(phones))
        )

    def work() -> None:
        asyncio.run(send())
        while tables_to_settle():
            time.sleep(0.2)

    return _cost("deal", work, meters=meters, count=len(phones))


def _get(connection: http.client.HTTPConnection, paths: Iterable[str]) -> int:
    """Ask for each; the bytes that travelled."""
    size = 0
    for path in paths:
        connection.request("GET", path, headers={"Accept-Encoding": "gzip"})
        answer = connection.getresponse()
        size += len(answer.read())
        if answer.status != 200:
            raise AssertionError(f"{path} answers {answer.status}")
    return size


def _copies() -> dict[str, float]:
    """Published copies of small live tournaments among all others: whole, those of a deal, and with nothing to do."""
    published = Tournament.objects.filter(is_published=True).select_related("club__shown_version")
    small = {row.pk for row in published.filter(name="Live", club__slug__startswith=SMALL).order_by("pk")[:COPIED]}
    copies, moment = PublishedCopy.objects.filter(pk__in=small), now()

    def write() -> None:
        list(publish_owed())

    with tempfile.TemporaryDirectory() as store, override_settings(PUBLISH_TO=store):
        PublishedCopy.objects.bulk_create(
            PublishedCopy(
                tournament=row.pk,
                club=row.club_id,
                store=store,
                position=row.board_position,
                version=int(version_shown(row.club)),
                is_whole=True,
                busy_until=moment,
            )
            for row in published
            if row.pk not in small
        )
        # The first time templates are loaded.
        write()
        copies.update(whole_at=None)
        _deal_again(small)
        figures = _cost("copy_whole", write, count=COPIED)
        figures["copy_kb"] = sum(path.stat().st_size for path in Path(store).rglob("*")) / COPIED / 1000
        # The pages beside the board are not due again.
        copies.update(whole_at=moment + timedelta(days=1))
        _deal_again(small)
        figures |= _cost("copy_deal", write, count=COPIED)
        return figures | _cost("nothing_to_copy", write)


def _deal_again(tournaments: Iterable[Any]) -> None:
    """One more deal at the first table of each of these."""
    for sheet in Scoresheet.objects.filter(table__tournament__in=tournaments, table__number=1):
        event = deal(sheet.table_id, sheet.version, random.Random(2)).body["event"]
        record_wire_event(sheet.table_id, event, expected=sheet.version, context=context())


def _backup(events: int) -> dict[str, float]:
    """One backup of all clubs: events a second, and bytes of each."""
    programs = Path(f"/proc/{_database_pid()}/exe").readlink().parent
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        words = ["backup", folder, "--pg-dump", str(programs / "pg_dump")]
        subprocess.run([sys.executable, "manage.py", *words], check=True, stdout=subprocess.DEVNULL)
        [dump] = Path(folder).glob("rummy-*/rummy.dump")
        return {
            "backup_events_per_s": events / (time.monotonic() - start),
            "backup_bytes": dump.stat().st_size / events,
        }
