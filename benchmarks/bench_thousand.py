"""What a thousand clubs on one PostgreSQL cost, and what grows with their number instead of with their play.

Most clubs have 2 to 6 tables of an evening, forty have 40, one has 200 players over seven rounds; each has two live
tournaments. Milliseconds are processor time, `_db_ms` that of PostgreSQL. First each periodic job of the worker, with
nothing to do; then deals and readers through web, worker and nginx as `examples/nginx` has it; published copies; and
backup and trial of all clubs, unless `--without-backup`. The server is that of the tests, with fsync off.

    python -m benchmarks.bench_thousand [--json] [--clubs N] [--without-backup]
"""

import asyncio
import http.client
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

from benchmarks.databases import postgresql
from benchmarks.figures import parser_of, report, sized
from benchmarks.phones import Sent, scorer
from benchmarks.serving import Served, cpu_seconds, family, pss_kb, served_site, web_process, worker_process

CLUBS, PLAYING, BOARDS, READS, COPIED = sized((1000, 240, 300, 10, 10), smallest=(3, 2, 2, 2, 2))
# The clubs of four tables; the smallest benchmark has others alone.
SMALL = sized("of-16-", smallest="of-")
DEALS_A_SECOND, IDLE_SECONDS = sized((4.0, 30.0), smallest=(4.0, 1.0))
# As kept for ninety days by a club that plays once a week.
BOXES = sized(13, smallest=1)


def main() -> None:
    """Print the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--clubs", type=int, default=CLUBS, help="how many clubs there are")
    parser.add_argument("--without-backup", action="store_true", help="leave out backup and trial, which read all")
    options = parser.parse_args()
    with postgresql() as environment:
        os.environ |= environment | {"DJANGO_SETTINGS_MODULE": "rummy_site.settings", "LOG_LEVEL": "ERROR"}
        os.environ |= {"API_WRITER_PER_MINUTE": "100000", "API_ADDRESS_PER_MINUTE": "1000000"}
        import django  # noqa: PLC0415 - settings come from the environment of this process

        django.setup()
        report(figures(options.clubs, with_backup=not options.without_backup), as_json=options.json)


def figures(clubs: int, *, with_backup: bool) -> dict[str, float]:
    """Every figure. Clubs that TEST_DATABASE_URL has already are used as they are."""
    from django.core.management import call_command  # noqa: PLC0415

    from benchmarks.many_clubs import make_clubs  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    start = time.process_time()
    events = make_clubs(clubs)
    found = {"clubs": float(clubs), "events": float(events), "loading_s": time.process_time() - start}
    for stage in (
        lambda: _stored(events),
        _jobs,
        _served,
        _copies,
        *([lambda: _backup(events)] if with_backup else []),
    ):
        figures_of_stage = stage()
        # An hour is long: what there is so far goes to the error stream.
        print(figures_of_stage, file=sys.stderr, flush=True)
        found |= figures_of_stage
    return found


def _stored(events: int) -> dict[str, float]:
    """Bytes of the database for each event: the log alone, and everything."""
    sizes = "sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE relkind = 'r'"
    [(log,)] = _rows(f"SELECT {sizes} AND relname IN ('tournaments_event', 'tournaments_eventnote')")
    [(whole,)] = _rows("SELECT pg_database_size(current_database())")
    return {"log_bytes": float(log) / events, "database_bytes": float(whole) / events}


def _rows(question: str) -> list[Any]:
    from django.db import connection  # noqa: PLC0415

    with connection.cursor() as cursor:
        cursor.execute(question)
        return list(cursor.fetchall())


class _Database:
    """Processor time of PostgreSQL: of its processes, and of those that have ended."""

    def __init__(self) -> None:
        [(backend,)] = _rows("SELECT pg_backend_pid()")
        self.pid = int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])

    def seconds(self) -> float:
        ended = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[13:15]
        return cpu_seconds(self.pid) + sum(map(int, ended)) / os.sysconf("SC_CLK_TCK")


def _cost(name: str, work: Callable[[], object], *, count: int = 1) -> dict[str, float]:
    """Processor time of this process and of PostgreSQL, and statements, for each of `count`."""
    from django.db import connection  # noqa: PLC0415

    statements, database = [0], _Database()

    def counted(execute: Any, *args: Any) -> Any:
        statements[0] += 1
        return execute(*args)

    start, there = time.process_time(), database.seconds()
    with connection.execute_wrapper(counted):
        work()
    return {
        f"{name}_ms": (time.process_time() - start) / count * 1000,
        f"{name}_db_ms": (database.seconds() - there) / count * 1000,
        f"{name}_statements": statements[0] / count,
    }


def _jobs() -> dict[str, float]:
    """One run of each periodic job, with nothing to do; and what goes through all clubs besides."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415
    from django.test import Client, override_settings  # noqa: PLC0415
    from django.utils.timezone import now  # noqa: PLC0415

    from rummy_site.operations import doctor  # noqa: PLC0415
    from rummy_site.operations.metrics import Site  # noqa: PLC0415
    from rummy_site.worker import periodic  # noqa: PLC0415
    from tournaments import tasks  # noqa: PLC0415
    from tournaments.boxes.keeping import folder_of, make_box  # noqa: PLC0415
    from tournaments.models import Club  # noqa: PLC0415
    from tournaments.outbox.sending import tell_owed  # noqa: PLC0415

    clubs = list(Club.objects.order_by("slug"))
    found = _cost("seal_a_club", tasks.seal_logs, count=len(clubs))
    jobs: dict[str, Callable[[], object]] = {
        "settling": tasks.sweep_settlements,
        "reading": tasks.sweep_readings,
        "sealing": tasks.seal_logs,
        "forgetting": periodic._forget,
        "tidying": periodic._tidy,
        "metrics": lambda: list(Site().collect()),
    }
    for name, job in jobs.items():
        job()
        found |= _cost(f"job_{name}", job)
    with TemporaryDirectory() as folder, override_settings(BACKUP_DIR=Path(folder)):
        small = next(club for club in clubs if club.slug.startswith(SMALL))
        found |= _cost("box", lambda: make_box(small, now=now()))
        [box] = folder_of(small.pk).iterdir()
        found["box_kb"] = box.stat().st_size / 1000
        for club in clubs:
            own = folder_of(club.pk)
            own.mkdir(exist_ok=True)
            for number in range(BOXES):
                made_at = now() - timedelta(days=1 + number)
                (own / f"{club.slug}-{made_at:%Y%m%dT%H%M%SZ}.rummybox").hardlink_to(box)
        found |= _cost("job_boxes", tasks.keep_boxes)
        # Whether each event can be read is asked by backup and restore too, and costs as much for each event there.
        looks = [look for name, look in doctor.LOOKS.items() if name != "events"]
        found |= _cost("doctor", lambda: [list(look(now())) for look in looks])
    _receivers(clubs)
    found |= _cost("job_telling", lambda: tell_owed(lambda receiver: None))
    administrator = get_user_model().objects.create_superuser(f"administrator-{uuid.uuid4().hex}")
    client = Client(headers={"host": "localhost"})
    client.force_login(administrator)
    for name, path in {"today": "/admin/", "clubs_page": "/admin/tournaments/club/"}.items():
        if client.get(path).status_code != 200:
            raise AssertionError(path)
        found |= _cost(name, lambda at=path: client.get(at))  # type: ignore[misc]
    return found


def _receivers(clubs: Iterable[Any]) -> None:
    """A webhook of each club, which has been told of everything."""
    from tournaments import log  # noqa: PLC0415
    from tournaments.models import MessageKind, Receiver  # noqa: PLC0415

    ends = log.club_ends()
    Receiver.objects.bulk_create(
        [
            Receiver(
                club=club,
                channel=Receiver.Channel.WEBHOOK,
                name="Website",
                kinds=MessageKind.values,
                site="https://rummy.example",
                position=ends[club.pk].position,
            )
            for club in clubs
        ]
    )


def _served() -> dict[str, float]:
    """Deals and readers through nginx."""
    from tests.builders.nginx import in_front  # noqa: PLC0415
    from tournaments.models import Receiver  # noqa: PLC0415

    Receiver.objects.update(is_on=False)
    with TemporaryDirectory() as there, served_site("--host", "127.0.0.1") as site:
        folder = Path(there) / "nginx"
        ours = {"127.0.0.1:8000": urlsplit(site.address).netloc, "/var/lib/nginx/rummy": str(folder / "cache")}
        with in_front("rummy-evening.conf", folder, ours) as front:
            address, nginx = f"http://127.0.0.1:{front.port}", int((folder / "nginx.pid").read_text())
            meters = {
                "web": lambda: cpu_seconds(web_process(site.pid)),
                "worker": lambda: cpu_seconds(worker_process(site.pid)),
                "db": _Database().seconds,
                "nginx": lambda: cpu_seconds(nginx),
            }
            return _played(meters, site, address) | _read_boards(meters, address)


Meters = dict[str, Callable[[], float]]


def _played(meters: Meters, site: Served, address: str) -> dict[str, float]:
    """A deal in each of many clubs, until all of them are settled; what nobody asked for is taken off."""
    from tournaments.books.commands import tables_to_settle  # noqa: PLC0415

    before = _read(meters)
    time.sleep(IDLE_SECONDS)
    idle = {name: (value - before[name]) / IDLE_SECONDS for name, value in _read(meters).items()}
    phones = _phones()
    before, start = _read(meters), time.monotonic()
    asyncio.run(_send(urlsplit(address), phones))
    while tables_to_settle():
        time.sleep(0.2)
    seconds = time.monotonic() - start
    found = {f"idle_{name}_core_percent": 100 * share for name, share in idle.items()}
    for name, value in _read(meters).items():
        found[f"deal_{name}_ms"] = (value - before[name] - idle[name] * seconds) / len(phones) * 1000
    [(connections,)] = _rows("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    found["connections"] = float(connections)
    for name, pid in {"web": web_process(site.pid), "worker": worker_process(site.pid)}.items():
        found[f"{name}_mb"] = sum(map(pss_kb, family(pid))) / 1000
    return found | {"db_mb": sum(map(pss_kb, family(_Database().pid))) / 1000}


def _read(meters: Meters) -> dict[str, float]:
    return {name: meter() for name, meter in meters.items()}


def _phones() -> list[tuple[str, Any]]:
    """The first table of as many clubs as play, and the secret of a director's phone there."""
    from django.contrib.auth import get_user_model  # noqa: PLC0415

    from tests.builders.club_at_play import deal  # noqa: PLC0415
    from tournaments.models import Membership, Role, Table  # noqa: PLC0415
    from tournaments.people.access import issue_token  # noqa: PLC0415

    live = Table.objects.filter(tournament__name="Live 0", number=1).select_related("tournament__club", "scoresheet")
    phones = []
    for table in live.order_by("pk")[:PLAYING]:
        club = table.tournament.club
        user = get_user_model().objects.create_user(f"director-{uuid.uuid4().hex}")
        Membership.objects.create(club=club, user=user, role=Role.DIRECTOR)
        _, secret = issue_token(uuid.uuid4(), club, user_id=user.pk, role=Role.DIRECTOR, name="phone")
        phones.append((secret or "", deal(table.pk, table.scoresheet.version, random.Random(1))))
    return phones


async def _send(at: Any, phones: Sequence[tuple[str, Any]]) -> None:
    async def one(number: int, write: Any) -> AsyncIterator[Any]:
        await asyncio.sleep(number / DEALS_A_SECOND)
        yield write

    sent = Sent()
    await asyncio.gather(
        *(scorer(at, secret, one(number, write), sent) for number, (secret, write) in enumerate(phones))
    )
    if len(set(sent.stored)) != len(phones):
        raise AssertionError("a deal was not stored")


def _read_boards(meters: Meters, address: str) -> dict[str, float]:
    """The page and the part that it follows: the first time, from nginx's cache, and asked again a second later."""
    from tournaments.models import Tournament  # noqa: PLC0415

    live = Tournament.objects.filter(name="Live 0").select_related("club").order_by("pk")[:BOARDS]
    pages = [f"/en-gb/c/{tournament.club.slug}/t/{tournament.slug}/" for tournament in live]
    parts = [f"{page}board/" for page in pages]
    line = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    found: dict[str, float] = {}
    for name, paths in {
        "page_first": pages,
        "part_first": parts,
        "part_cached": [path for path in parts for _ in range(READS)],
        "part_again": parts,
    }.items():
        # nginx hands out for a second what it has.
        time.sleep(1.5)
        before, size = _read(meters), _get(line, paths)
        after = _read(meters)
        found |= {
            f"{name}_{meter}_ms": (after[meter] - before[meter]) / len(paths) * 1000 for meter in ("web", "db", "nginx")
        }
        found[f"{name}_kb"] = size / len(paths) / 1000
    return found


def _get(line: http.client.HTTPConnection, paths: Iterable[str]) -> int:
    """Ask for each; the bytes that travelled."""
    size = 0
    for path in paths:
        line.request("GET", path, headers={"Accept-Encoding": "gzip"})
        answer = line.getresponse()
        size += len(answer.read())
        if answer.status != 200:
            raise AssertionError(f"{path} answers {answer.status}")
    return size


def _copies() -> dict[str, float]:
    """Published copies of small live tournaments: all of each, those of a deal, nothing to do, and reading them."""
    from django.db import connection  # noqa: PLC0415
    from django.test import override_settings  # noqa: PLC0415
    from django.utils.timezone import now  # noqa: PLC0415

    from tests.builders.nginx import in_front  # noqa: PLC0415
    from tournaments.models import PublishedCopy, Tournament  # noqa: PLC0415
    from tournaments.projections.shown import version_shown  # noqa: PLC0415
    from tournaments.web.publishing import publish_owed  # noqa: PLC0415

    published = Tournament.objects.filter(is_published=True).select_related("club__shown_version")
    small = {row.pk for row in published.filter(name="Live 0", club__slug__startswith=SMALL).order_by("pk")[:COPIED]}
    store, moment = f"{tempfile.mkdtemp()}/copies", now()
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
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE tournaments_publishedcopy")
    folder, later = Path(store), moment + timedelta(days=1)
    with override_settings(PUBLISH_TO=store):
        # The first time templates are loaded.
        list(publish_owed())
        PublishedCopy.objects.filter(pk__in=small).update(whole_at=None)
        _deal_again(small)
        found = _cost("copy_whole", lambda: list(publish_owed()), count=COPIED)
        files = [path for path in folder.rglob("*") if path.is_file()]
        found["copy_kb"] = sum(path.stat().st_size for path in files) / COPIED / 1000
        # The pages beside the board are not due again.
        PublishedCopy.objects.filter(pk__in=small).update(whole_at=later)
        _deal_again(small)
        found |= _cost("copy_deal", lambda: list(publish_owed()), count=COPIED)
        PublishedCopy.objects.filter(pk__in=small).update(whole_at=later)
        found |= {"published": float(len(published))} | _cost("job_publishing", lambda: list(publish_owed()))
    heads = [f"/{path.relative_to(folder)}" for path in folder.rglob("head.json")] * READS
    ours = {"root /srv/rummy-copies;": f"root {folder};"}
    with in_front("published-copies.conf", folder.parent / "nginx", ours) as front:
        nginx = int((front.folder / "nginx.pid").read_text())
        before = cpu_seconds(nginx)
        _get(http.client.HTTPConnection("127.0.0.1", front.port), heads)
        found["head_read_nginx_ms"] = (cpu_seconds(nginx) - before) / len(heads) * 1000
    shutil.rmtree(folder.parent)
    return found


def _deal_again(tournaments: Iterable[Any]) -> None:
    """One more deal at the first table of each of these."""
    from tests.builders.club_at_play import deal  # noqa: PLC0415
    from tests.builders.playing import context  # noqa: PLC0415
    from tournaments.models import Scoresheet  # noqa: PLC0415
    from tournaments.tables.commands.record import record_wire_event  # noqa: PLC0415

    for sheet in Scoresheet.objects.filter(
        table__tournament__in=tournaments, table__number=1, table__tournament__closed_at=None
    ):
        body = deal(sheet.table_id, sheet.version, random.Random(2)).body
        record_wire_event(sheet.table_id, body["event"], expected=sheet.version, context=context())


def _backup(events: int) -> dict[str, float]:
    """One backup of all clubs, and its restore on trial, which proves everything."""
    programs = Path(f"/proc/{_Database().pid}/exe").readlink().parent
    with TemporaryDirectory() as folder:
        found = _command("backup", folder, "--pg-dump", str(programs / "pg_dump"))
        [backup] = Path(folder).glob("rummy-*")
        found["backup_bytes"] = (backup / "rummy.dump").stat().st_size / events
        return found | _command("restore", str(backup), "--try", "--pg-restore", str(programs / "pg_restore"))


def _command(name: str, *words: str) -> dict[str, float]:
    """Seconds of a command by the clock, and of processor time with its children, and of PostgreSQL."""
    database, children = _Database(), resource.getrusage(resource.RUSAGE_CHILDREN)
    start, there = time.monotonic(), database.seconds()
    subprocess.run([sys.executable, "manage.py", name, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = after.ru_utime + after.ru_stime - children.ru_utime - children.ru_stime
    return {
        f"{name}_clock_s": time.monotonic() - start,
        f"{name}_s": own,
        f"{name}_db_s": database.seconds() - there,
        f"{name}_mb": after.ru_maxrss / 1024,
    }


if __name__ == "__main__":
    main()
