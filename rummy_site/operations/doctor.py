"""Is this machine fit for a club night? Looks at problems that go unnoticed until the tournament they matter.

Rules: docs/how-to/backups.md, "Before the tournament". Changes nothing, and verifies nothing: that is `manage.py
prove`.
"""

import os
import shutil
import sqlite3
import ssl
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from http import HTTPStatus
from http.client import HTTPException, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, get_hasher
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.db import Error, connection

from rummy_site.backup_folder import all_backups_in, backups_in, last_tries
from rummy_site.celery import app
from rummy_site.database import database_file, forgetful_setting
from rummy_site.database_release import release_fault, served_beside
from rummy_site.operations.backup_rotation import is_good
from rummy_site.startup import HOW_TO_OPEN, is_in_reach, private_paths, too_open, unsafe_settings, why_closed
from rummy_site.worker.broker_faults import broker_fault
from scoring.ledger import triggers as book_guards
from tournaments import log
from tournaments.books.queries import MOST_UNSETTLED, unsettled
from tournaments.boxes.keeping import clubs_without_a_box, paths_of
from tournaments.integrity.triggers import strangers_elsewhere
from tournaments.log import triggers as log_guards
from tournaments.log.auditing import unreadable_lines
from tournaments.management.commands.login_link import own_address
from tournaments.management.terminal import HOW_TO_LEAVE_OUT
from tournaments.models import Club, Invitation, PublishedCopy, TableToken
from tournaments.people.access import TOKENS_END_SOON, working_tokens
from tournaments.projections.stale import AHEAD, Settling, unchecked_since, worker_state
from tournaments.transient_errors import hangs, is_there, refuse_hung

# Below it, a rare race of two checkpoints can damage a database in WAL mode.
SQLITE_WITHOUT_THE_RESET_BUG = (3, 51, 3)
SETTLED_WITHIN = timedelta(minutes=5)
# One backup a night, with room for a night that ends late; a week without one is an error.
BACKED_UP_WITHIN, NOT_BACKED_UP = timedelta(hours=36), timedelta(days=7)
RESTORED_WITHIN = timedelta(days=10)
BOXED_WITHIN = timedelta(days=1)
SEALED_WITHIN = timedelta(minutes=45)
# Certbot renews a month before the end: two weeks before it, that has failed many times.
CERTIFICATE_LASTS = timedelta(days=14)
KNOCK_SECONDS = 3
# A site that takes longer is as good as hung.
ANSWER_SECONDS = 10
RESTART_WEB = "Restart the web process: systemctl restart rummy (on several machines rummy-web), or its container"
RUN_A_WORKER = "Start the service (manage.py serve), or its worker where that runs apart; deals are saved meanwhile"
NOT_ARCHIVED = """
SELECT last_failed_wal, last_failed_time FROM pg_stat_archiver
WHERE last_failed_time > coalesce(last_archived_time, '-infinity')
"""
# Of many that are alike, as tournaments whose copies wait.
MOST_NAMED = 5
LITTLE_ROOM = 2 * 1024**3
NO_ROOM = 200 * 1024**2


class Level(StrEnum):
    """How serious a finding is."""

    FINE = "fine"
    WARNING = "warning"
    BAD = "bad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check and its result."""

    level: Level
    subject: str
    text: str


Look = Callable[[datetime], Iterator[tuple[Level, str]]]


def examine(*, now: datetime, only: Collection[str] = ()) -> list[Finding]:
    """Run all checks, or those of some subjects. A database that does not answer is a finding, not a failure.

    Nothing more is asked of a database whose tables are not those of this code.
    """
    findings: list[Finding] = []
    for subject, look in LOOKS.items():
        if only and subject not in only:
            continue
        new_findings = [Finding(level=level, subject=subject, text=text) for level, text in _careful(look, now)]
        findings += new_findings
        if subject == MIGRATIONS and any(finding.level is Level.BAD for finding in new_findings):
            break
    return findings


def _careful(look: Look, now: datetime) -> list[tuple[Level, str]]:
    try:
        return list(look(now))
    except Error as error:
        return [(Level.BAD, f"the database did not answer ({type(error).__name__}: {error})")]
    except OSError as error:
        # A disk that was pulled out, a share that is stale: the other checks go on.
        return [(Level.BAD, f"a file or folder cannot be read ({error})")]


def _database(now: datetime) -> Iterator[tuple[Level, str]]:
    if database_file() is None:
        connection.ensure_connection()
        number = connection.cursor().connection.info.server_version
        yield Level.FINE, f"PostgreSQL {number // 10_000}.{number % 10_000}"
        return
    yield sqlite_release(sqlite3.sqlite_version_info)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA journal_mode")
        (mode,) = cursor.fetchone()
    if mode != "wal":
        yield Level.WARNING, f"SQLite runs with journal_mode={mode}; readers wait for writers unless it is wal"


def sqlite_release(release: tuple[int, ...]) -> tuple[Level, str]:
    """The finding on a SQLite release."""
    name = ".".join(map(str, release))
    if release >= SQLITE_WITHOUT_THE_RESET_BUG:
        return Level.FINE, f"SQLite {name}"
    text = "before 3.51.3 two checkpoints at once can, very rarely, damage a database in WAL mode"
    return Level.WARNING, f"SQLite {name}: {text}. Take backups; for real money use PostgreSQL"


def _durability(now: datetime) -> Iterator[tuple[Level, str]]:
    complaint = forgetful_setting(connection)
    yield (Level.BAD, complaint) if complaint else (Level.FINE, "what is acknowledged is on disk")


def _migrations(now: datetime) -> Iterator[tuple[Level, str]]:
    if fault := release_fault():
        yield Level.BAD, fault
    elif beside := served_beside():
        yield Level.WARNING, beside
    else:
        yield Level.FINE, "the tables are those of this code"


def _guards(now: datetime) -> Iterator[tuple[Level, str]]:
    wrong = [*log_guards.faults(connection), *book_guards.faults(connection), *strangers_elsewhere(connection)]
    yield from _each(Level.BAD, wrong) or [(Level.FINE, "the database refuses changes to log and books")]


def _settlements(now: datetime) -> Iterator[tuple[Level, str]]:
    owed = unsettled()
    if owed.since is None:
        yield Level.FINE, "no table and no tournament waits for its money"
        return
    # One that lies ahead, of a time when the clock was wrong, may have waited for as long.
    is_late = abs(now - owed.since) > SETTLED_WITHIN
    tables = f"{owed.tables} tables" if owed.tables < MOST_UNSETTLED else f"{MOST_UNSETTLED:,} tables or more"
    what = f"{tables} and {owed.tournaments} tournaments wait for their money"
    text = f"{what}, the longest for {_spell(abs(now - owed.since))}; {owed.failed} with a problem"
    yield (Level.WARNING if is_late or owed.failed else Level.FINE), text


def _worker(now: datetime) -> Iterator[tuple[Level, str]]:
    state = worker_state(now=now)
    if state.last_beat is None:
        yield Level.WARNING, f"nothing is settled: no worker has run yet. {RUN_A_WORKER}"
    elif state.settling is Settling.STOPPED:
        yield Level.WARNING, f"nothing is settled: no worker for {_spell(now - state.last_beat)}. {RUN_A_WORKER}"
    else:
        yield Level.FINE, f"a worker was well {_spell(now - state.last_beat)} ago"
    if state.settling is Settling.SLOW and state.since:
        away = f"no worker has reached the broker for {_spell(now - state.since)}"
        yield Level.WARNING, f"{away}: it settles every ten seconds, not at once. Start it, or see CELERY_BROKER_URL"


def _broker(now: datetime) -> Iterator[tuple[Level, str]]:
    try:
        with app.connection_for_write() as broker:
            broker.ensure_connection(max_retries=0, timeout=3)
    except Exception as error:  # noqa: BLE001 - each transport has failures of its own; all mean that it is gone
        yield (
            Level.WARNING,
            f"{broker_fault(error)}: settling takes ten seconds longer. Start it, or correct its address",
        )
        return
    yield Level.FINE, "the broker answers"


def _cache(now: datetime) -> Iterator[tuple[Level, str]]:
    if not settings.CACHE_URL:
        return
    if caches["default"].is_there():  # type: ignore[attr-defined]
        yield Level.FINE, "the shared cache answers"
    else:
        own = "each process makes its own answers and counts limits alone"
        yield (
            Level.WARNING,
            f"the shared cache is out of reach or full: {own}. Start it, or see CACHE_URL and its maxmemory-policy",
        )


def _copies(now: datetime) -> Iterator[tuple[Level, str]]:
    """Published copies that could not be written to the store; they wait, and nothing else does."""
    waiting = PublishedCopy.objects.exclude(problem="").order_by("folder")
    texts = _named([f"the copies of {row.folder} wait, {row.failures} times refused: {row.problem}" for row in waiting])
    fine = f"copies go to {settings.PUBLISH_TO}" if settings.PUBLISH_TO else "PUBLISH_TO is not set: no copies"
    yield from _each(Level.WARNING, texts) or [(Level.FINE, fine)]


def _seals(now: datetime) -> Iterator[tuple[Level, str]]:
    late = sum(abs(now - waiting_since) > SEALED_WITHIN for waiting_since in log.unsealed_since().values())
    text = f"{late} clubs have events that no seal covers yet" if late else "the log is sealed up to the last half hour"
    yield (Level.WARNING if late else Level.FINE), text


def _events(now: datetime) -> Iterator[tuple[Level, str]]:
    """Read every event: a code update can make one unreadable, and no one notices then."""
    unread = [f"cannot be read: {line}. {HOW_TO_LEAVE_OUT}" for line in unreadable_lines(Club.objects.order_by("slug"))]
    yield from _each(Level.WARNING, unread) or [(Level.FINE, "every event can be read")]


def _room(now: datetime) -> Iterator[tuple[Level, str]]:
    folders = {Path(settings.VAR_DIR)}
    if file := database_file():
        folders.add(file.parent)
    # Of one that does not answer the look at backups tells.
    if settings.BACKUP_DIR is not None and is_there(settings.BACKUP_DIR):
        folders.add(settings.BACKUP_DIR)
    for folder in sorted(folders):
        yield room_left(shutil.disk_usage(folder).free, folder)


def _files(now: datetime) -> Iterator[tuple[Level, str]]:
    """Whether other users of this machine can read the club's files."""
    open_paths = list(too_open(private_paths(Path(settings.VAR_DIR), database_file())))
    for path, mode in open_paths:
        level = Level.BAD if is_in_reach(path, mode) else Level.WARNING
        yield level, f"{path} may be used by others (mode {mode:04o}); manage.py serve closes it, as chmod go= does"
    if not open_paths:
        yield Level.FINE, "the data are their owner's alone"


def _settings(now: datetime) -> Iterator[tuple[Level, str]]:
    """Settings that production would refuse; a demo or a hall's own network may do without."""
    problems = () if settings.PRODUCTION else unsafe_settings()
    unsafe = _each(Level.WARNING, [f"not for a site that strangers can reach: {problem}" for problem in problems])
    yield from unsafe or [(Level.FINE, "nothing in the settings that strangers could use")]


def _certificate(now: datetime) -> Iterator[tuple[Level, str]]:
    """Whether browsers accept what is served at the site's own address, and for how long; and whether it answers.

    A web process that hangs holds its port: nothing on its machine notices.
    """
    host = urlsplit(own_address()).hostname if own_address().startswith("https") else None
    if host is None:
        yield Level.FINE, "PRODUCTION is off or ALLOWED_HOSTS names no machine, so none is looked for"
        return
    with closing(HTTPSConnection(host, timeout=KNOCK_SECONDS, context=ssl.create_default_context())) as line:
        try:
            line.connect()
        except ssl.SSLCertVerificationError as error:
            yield Level.BAD, f"browsers refuse the certificate of {host}: {error.verify_message}"
            return
        except (OSError, UnicodeError) as error:
            text = f"https://{host} cannot be reached from here, so its certificate is not known"
            yield Level.WARNING, f"{text} ({error})"
            return
        certificate: Any = line.sock.getpeercert()
        ends_at = datetime.fromtimestamp(ssl.cert_time_to_seconds(certificate["notAfter"]), UTC)
        level = Level.FINE if ends_at - now > CERTIFICATE_LASTS else Level.WARNING
        yield level, f"the certificate of {host} ends in {_spell(ends_at - now)}"
        try:
            line.sock.settimeout(ANSWER_SECONDS)
            line.request("GET", "/healthz")
            status = line.getresponse().status
        except (OSError, HTTPException) as error:
            yield Level.BAD, f"https://{host} is open and does not answer ({error}). {RESTART_WEB}"
            return
    # What asks for a login, or leads elsewhere, answers as well: a proxy may do so.
    is_served = status < HTTPStatus.INTERNAL_SERVER_ERROR
    answer = f"https://{host} answers {status}"
    yield (Level.FINE, answer) if is_served else (Level.BAD, f"{answer}: no web process serves. {RESTART_WEB}")


def _passwords(now: datetime) -> Iterator[tuple[Level, str]]:
    users = get_user_model().objects.filter(is_active=True).exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
    older = users.exclude(password__startswith=f"{get_hasher().algorithm}$").count()
    text = f"{older} logins keep an older hash of their password until their next sign-in"
    yield Level.FINE, text if older else "every password is kept by the newest method"


def _opened(now: datetime) -> Iterator[tuple[Level, str]]:
    reason = why_closed(connection)
    yield (Level.BAD, f"closed: {reason}. {HOW_TO_OPEN}") if reason else (Level.FINE, "the database is open")


def _backups(now: datetime) -> Iterator[tuple[Level, str]]:
    """The newest backup that is unchanged since it was written: one that cannot be read does not count."""
    if settings.BACKUP_DIR is None:
        yield Level.WARNING, "BACKUP_DIR is not set, so nobody can say here how old the newest backup is"
        return
    if hangs(settings.BACKUP_DIR):
        text = f"no backup is made: {settings.BACKUP_DIR} does not answer, and whoever reads it hangs"
        yield Level.BAD, f"{text}. If it is a share, see to its server"
        return
    if not settings.BACKUP_DIR.is_dir():
        yield Level.BAD, f"no backup is made: {settings.BACKUP_DIR} is not there. Mount its disk, or make the folder"
        return
    if not os.access(settings.BACKUP_DIR, os.W_OK):
        yield Level.BAD, f"no backup is made: {settings.BACKUP_DIR} cannot be written to"
        return
    newest = next((moment for moment, path in backups_in(settings.BACKUP_DIR, now=now) if is_good(path)), None)
    if newest is None:
        yield Level.BAD, f"{settings.BACKUP_DIR} holds no backup that can be read"
        return
    age = now - newest
    level = Level.FINE if age <= BACKED_UP_WITHIN else Level.BAD if age > NOT_BACKED_UP else Level.WARNING
    yield level, f"the newest backup that can be read is {_spell(age)} old"


def _elsewhere(now: datetime) -> Iterator[tuple[Level, str]]:
    """Whether a backup outlives the disk of SQLite's database."""
    folder, file = settings.BACKUP_DIR, database_file()
    refuse_hung(folder)
    if folder is None or file is None or settings.BACKUP_THEN or not folder.is_dir():
        yield Level.FINE, "not asked here"
    elif file.parent.stat().st_dev == folder.stat().st_dev:
        one_disk = f"{folder} is on the disk of the database, and BACKUP_THEN copies no backup elsewhere"
        yield Level.WARNING, f"{one_disk}: with the disk both are lost"
    else:
        yield Level.FINE, f"{folder} is on another disk than the database"


def _archive(now: datetime) -> Iterator[tuple[Level, str]]:
    """Whether PostgreSQL archives its write-ahead log, where it is to."""
    failed: list[tuple[str, datetime]] = []
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(NOT_ARCHIVED)
            failed = cursor.fetchall()
    for segment, since in failed:
        text = f"the write-ahead log is not archived ({segment}, last tried {_spell(now - since)} ago)"
        yield Level.BAD, f"{text}: PostgreSQL keeps it, and stops when its disk is full"
    if not failed:
        yield Level.FINE, "no write-ahead log waits to be archived"


def _restores(now: datetime) -> Iterator[tuple[Level, str]]:
    """The last tries to make a backup, to copy it elsewhere, and to restore one on trial."""
    if settings.BACKUP_DIR is None:
        yield Level.FINE, "BACKUP_DIR is not set, so none is restored on trial"
        return
    refuse_hung(settings.BACKUP_DIR)
    tries = last_tries(settings.BACKUP_DIR, now=now)
    for step, last in (
        ("backup", tries.backup),
        ("copy elsewhere", tries.elsewhere),
        ("restore on trial", tries.restore),
    ):
        if last is not None and last.problem:
            yield Level.BAD, f"the last {step} failed, {_spell(now - last.at)} ago: {last.problem}"
    good_at = tries.restore.good_at if tries.restore is not None else None
    if good_at is None:
        never = Level.WARNING, "no backup was ever restored on trial: manage.py restore BACKUP --try"
        yield never if backups_in(settings.BACKUP_DIR, now=now) else (Level.FINE, "there is no backup to restore")
        return
    level = Level.FINE if now - good_at <= RESTORED_WITHIN else Level.WARNING
    yield level, f"a backup was restored and proven {_spell(now - good_at)} ago"


def _alarms(now: datetime) -> Iterator[tuple[Level, str]]:
    if not settings.HAS_MAIL_SERVER:
        yield Level.FINE, "EMAIL_URL is not set, so nobody is told by mail of what is bad"
    elif not (to := told_addresses()):
        nobody = "nobody is told by mail of what is bad"
        yield Level.WARNING, f"{nobody}: set ALARMS_TO, or give a site administrator an e-mail address"
    else:
        yield Level.FINE, f"what is bad is mailed to {', '.join(to)}"


def told_addresses() -> list[str]:
    """To whom a mail about what is bad goes: ALARMS_TO, else the site administrators who have an address."""
    if not settings.HAS_MAIL_SERVER:
        return []
    if settings.ALARMS_TO:
        return list(settings.ALARMS_TO)
    administrators = get_user_model().objects.filter(is_superuser=True, is_active=True).exclude(email="")
    return list(administrators.order_by("pk").values_list("email", flat=True))


def _boxes(now: datetime) -> Iterator[tuple[Level, str]]:
    """Clubs whose last tournament was closed a day ago, and of which no box was written since."""
    if settings.BACKUP_DIR is None:
        yield Level.FINE, "BACKUP_DIR is not set, so no boxes are written by themselves"
        return
    clubs = clubs_without_a_box(closed_before=now - BOXED_WITHIN, now=now)
    late = [f"no box of {club.slug} since its last tournament" for club in clubs]
    yield from _each(Level.WARNING, _named(late)) or [(Level.FINE, "each club has a box of its last tournament")]


def _checks(now: datetime) -> Iterator[tuple[Level, str]]:
    """Whether workers look: the look of one that hangs tells nothing any more."""
    since = unchecked_since(now=now)
    if since is None:
        yield Level.FINE, "no worker hangs in its checks"
        return
    what = f"no worker has finished its checks for {_spell(abs(now - since))}, so what has become bad since is not told"
    yield Level.BAD, f"{what}. A disk or share may hang: see the log of the worker, and restart it"


def _clock(now: datetime) -> Iterator[tuple[Level, str]]:
    """What bears a moment that lies ahead, and stays so: it was written while the clock of a machine was wrong.

    Claims, pauses and locks of such a time end by themselves, the longest after two days: `tasks.end_claims_ahead`.
    """
    # Loads the commands of tables, which a worker that looks every five minutes does not need.
    from tournaments.people.invitations import INVITATIONS_LAST  # noqa: PLC0415
    from tournaments.tables.commands.table_tokens import LIFE  # noqa: PLC0415

    ahead, texts = now + AHEAD, []
    events, seals = log.count_after(ahead)
    if events or seals:
        stay = "they stay: positions say what came first, and proofs ask for no moment"
        texts.append(f"{events} events and {seals} seals bear a moment that lies ahead; {stay}")
    endless = {
        "sign-ins": Session.objects.filter(expire_date__gt=ahead + timedelta(seconds=settings.SESSION_COOKIE_AGE)),
        "table cards": TableToken.objects.filter(revoked_at=None, expires_at__gt=ahead + LIFE),
        "invitations": Invitation.objects.filter(
            revoked_at=None, used_at=None, expires_at__gt=ahead + INVITATIONS_LAST
        ),
    }
    if counts := [f"{count} {what}" for what, rows in endless.items() if (count := rows.count())]:
        texts.append(f"{', '.join(counts)} last longer than any may: sign out, or revoke them")
    if settings.BACKUP_DIR is not None and is_there(settings.BACKUP_DIR):
        boxes = [pair for club in Club.objects.all() for pair in paths_of(club.pk)]
        uncounted = "bears a moment that lies ahead: it counts for nothing and is never deleted"
        files = [path for moment, path in [*all_backups_in(settings.BACKUP_DIR), *boxes] if moment > ahead]
        advice = "if the clock of this machine is right (timedatectl), rename it to when it was made"
        texts += [f"{path} {uncounted}; {advice}" for path in files]
    yield from _each(Level.WARNING, texts) or [(Level.FINE, "nothing here bears a moment that lies ahead")]


def _tokens(now: datetime) -> Iterator[tuple[Level, str]]:
    """Device links that end during the tournament: the tablet would stop working without anyone touching it."""
    tokens = working_tokens(now=now)
    ending = tokens.filter(expires_at__lte=now + TOKENS_END_SOON)
    for token in ending.select_related("club").order_by("expires_at"):
        time_left = _spell(token.expires_at - now) if token.expires_at else ""
        yield Level.WARNING, f"the device token {token.prefix}… of {token.club.slug} ends in {time_left}: issue another"
    endless = tokens.filter(expires_at__isnull=True).count()
    yield Level.FINE, f"{endless} device tokens never end" if endless else "every device token has an end"


def room_left(free: int, folder: Path) -> tuple[Level, str]:
    """The finding on the free bytes on the disk with the club's data."""
    text = f"{free / 1024**3:.1f} GiB left for {folder}"
    if free < NO_ROOM:
        return Level.BAD, f"{text}. Make room: on a full disk nothing is saved"
    return (Level.WARNING, f"{text}. Make room") if free < LITTLE_ROOM else (Level.FINE, text)


def _each(level: Level, lines: Iterable[str]) -> list[tuple[Level, str]]:
    return [(level, line) for line in lines]


def _named(lines: list[str]) -> list[str]:
    """The first of many that are alike, and how many more there are."""
    rest = len(lines) - MOST_NAMED
    return [*lines[:MOST_NAMED], f"and {rest} more"] if rest > 0 else lines


def _spell(span: timedelta) -> str:
    seconds = max(0, int(span.total_seconds()))
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7200:
        return f"{seconds // 60} min"
    return f"{seconds // 3600} h" if seconds < 48 * 3600 else f"{seconds // 86_400} days"


MIGRATIONS = "migrations"
LOOKS: dict[str, Look] = {
    "database": _database,
    "durability": _durability,
    MIGRATIONS: _migrations,
    "guards": _guards,
    "settlements": _settlements,
    "worker": _worker,
    "broker": _broker,
    "cache": _cache,
    "copies": _copies,
    "seals": _seals,
    "events": _events,
    "room": _room,
    "files": _files,
    "opened": _opened,
    "backups": _backups,
    "elsewhere": _elsewhere,
    "archive": _archive,
    "restores": _restores,
    "boxes": _boxes,
    "settings": _settings,
    "certificate": _certificate,
    "passwords": _passwords,
    "tokens": _tokens,
    "alarms": _alarms,
    "checks": _checks,
    "clock": _clock,
}
