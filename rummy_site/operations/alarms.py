"""Tells those who run the site what has become bad, and that it is fine again, by mail and in the log.

Workers call `look` every few minutes, through `manage.py doctor --tell`; web processes do while no worker shows itself,
or none ends its look. What is bad is a row that all of them share, so that it is told once, then once a day, and at
once where it has become more serious. A mail that did not leave is sent with a later look.

Rules: docs/how-to/watching.md, docs/decisions/0099-who-is-told-what-is-bad.md.
"""

import logging
import platform
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from textwrap import indent
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from rummy_site.backup_folder import backups_in, last_tries
from rummy_site.operations.doctor import Finding, Level, examine, told_addresses
from tournaments.management.commands.login_link import own_address
from tournaments.models import SiteCheck
from tournaments.models.readmodels import CHECKS, MOST_PROBLEM
from tournaments.projections.stale import AHEAD, note_checks
from tournaments.transient_errors import is_there

# A restart, or a broker that is away for a moment, is nothing to be told of.
PATIENCE = timedelta(minutes=9)
AGAIN = timedelta(days=1)
# What comes and goes is not told each time.
FINE_AFTER = timedelta(hours=1)
# Longer than a mail server may take: after that the process that was telling has died.
HOLD = timedelta(minutes=4)
IN_BACKUP_DIR = frozenset({"restores", "boxes"})
FINE: dict[str, Any] = dict.fromkeys(("since", "bad_at", "told_at", "held_until"))
FINE |= {"problem": "", "severity": 0, "told_severity": 0}

logger = logging.getLogger(__name__)


def look(*, now: datetime, only: Collection[str] = ()) -> None:
    """Run the checks that somebody is told of, or `only` some of them; note what is bad, and tell what is due.

    Several machines look, each with a disk of its own: what one of them sees is bad until none has seen it for an hour.
    """
    subjects, folder = _to_look_at(only)
    findings: dict[str, list[Finding]] = {subject: [] for subject in subjects}
    # Whoever runs all of them does not hang.
    asked = findings.keys() if only else findings.keys() - {"checks"}
    for finding in examine(now=now, only=asked) if asked else ():
        if finding.level is not Level.FINE:
            findings[finding.subject].append(finding)
    bad, fine = _noted(findings, _last_good(folder, now=now), now=now)
    bad.sort(key=lambda row: row.severity, reverse=True)
    for row in bad:
        logger.error("%s, since %s: %s", row.subject, _at(row.since), row.problem.replace("\n", "; "))
    for row in fine:
        logger.warning("%s: fine again, after %s", row.subject, row.problem.replace("\n", "; "))
    if (bad or fine) and _is_told(bad, fine):
        for row in bad:
            row.told_at, row.held_until, row.told_severity = now, None, row.severity
        SiteCheck.objects.bulk_update(bad, ["told_at", "held_until", "told_severity"])
        ended = SiteCheck.objects.filter(pk__in=[row.pk for row in fine], bad_at__lte=now - FINE_AFTER)
        ended.update(**FINE)
    if not only:
        note_checks(now=now)


def _to_look_at(only: Collection[str]) -> tuple[set[str], Path | None]:
    """The checks, and the folder of backups if one of them needs it and it answers."""
    subjects, folder = set(only or dict(CHECKS)), settings.BACKUP_DIR
    if folder is None:
        # Whoever makes backups by other means has chosen so.
        return subjects - {"backups"}, None
    if not subjects & {"backups", *IN_BACKUP_DIR}:
        return subjects, None
    # Of one that does not answer the look at backups tells; of what lies in it nothing is known.
    return (subjects, folder) if is_there(folder) else (subjects - IN_BACKUP_DIR, None)


def _noted(
    findings: Mapping[str, Sequence[Finding]], good_at: Mapping[str, datetime | None], *, now: datetime
) -> tuple[list[SiteCheck], list[SiteCheck]]:
    """Store the problems of each check. Returns what is to be told: bad, and fine again, held for this process."""
    noteworthy = [subject for subject, problems in findings.items() if problems or good_at.get(subject)]
    bad: list[SiteCheck] = []
    fine: list[SiteCheck] = []
    with transaction.atomic():
        SiteCheck.objects.bulk_create([SiteCheck(subject=name) for name in noteworthy], ignore_conflicts=True)
        rows = list(SiteCheck.objects.select_for_update().filter(pk__in=findings).order_by("pk"))
        for row in rows:
            row.good_at = good_at.get(row.subject, row.good_at)
            _forget_what_lies_ahead(row, now=now)
            if problems := findings[row.subject]:
                lines = (f"{finding.level}: {finding.text}" for finding in problems)
                row.problem = "\n".join(lines).replace("\0", "")[:MOST_PROBLEM]
                row.severity = len(problems) + SiteCheck.BAD * sum(finding.level is Level.BAD for finding in problems)
                row.since, row.bad_at = row.since or now, now
            if row.since is None or row.bad_at is None or (row.held_until is not None and row.held_until > now):
                continue
            is_fine = now - row.bad_at >= FINE_AFTER
            # With what was told, and not with the last look: machines see different disks, in turns.
            # Earlier releases did not keep what was told.
            is_worse = bool(problems) and 0 < row.told_severity < row.severity
            if row.bad_at - row.since < PATIENCE:
                if is_fine:
                    for field, value in FINE.items():
                        setattr(row, field, value)
            elif is_fine or is_worse or row.told_at is None or now - row.told_at >= AGAIN:
                row.held_until = now + HOLD
                (fine if is_fine else bad).append(row)
        SiteCheck.objects.bulk_update(rows, [*FINE, "good_at"])
    return bad, fine


def _forget_what_lies_ahead(row: SiteCheck, *, now: datetime) -> None:
    """Of a time when the clock was wrong: until then it would pass for told, for held, or for a backup."""
    for field in ("since", "bad_at", "told_at", "held_until", "good_at"):
        moment = getattr(row, field)
        if moment is not None and moment > now + AHEAD:
            setattr(row, field, None)
    if row.told_at is None:
        row.told_severity = 0


def _last_good(folder: Path | None, *, now: datetime) -> dict[str, datetime | None]:
    """When the newest backup was made, and when one was last restored and proven: None in a folder that is empty.

    Without the folder nothing is known: what is wrong with it the checks tell.
    """
    if folder is None:
        return {}
    try:
        backups, restore = backups_in(folder, now=now), last_tries(folder, now=now).restore
    except OSError:
        return {}
    return {
        "backups": backups[0][0] if backups else None,
        "restores": restore.good_at if restore is not None else None,
    }


def _is_told(bad: Sequence[SiteCheck], fine: Sequence[SiteCheck]) -> bool:
    """Send one mail about all of it. False where it did not leave; true where nobody is told by mail."""
    to = told_addresses()
    if not to:
        return True
    site = urlsplit(own_address()).hostname if settings.PRODUCTION else platform.node()
    bad_names, fine_names = (", ".join(row.subject for row in rows) for rows in (bad, fine))
    subject = f"Rummy Evening on {site}: {bad_names or f'fine again: {fine_names}'}"
    told = [f"{row.subject}, since {_at(row.since)}:\n{indent(row.problem, '  ')}" for row in bad]
    for row in fine:
        spell = f"From {_at(row.since)} to {_at(row.bad_at)}"
        told.append(f"{row.subject}: fine again. {spell}:\n{indent(row.problem, '  ')}")
    seen_on = f"Seen on {platform.node()}. How it is there now: manage.py doctor"
    again = "What is not fine is mailed again each day, what becomes worse at once. More: docs/how-to/watching.md"
    try:
        send_mail(subject, "\n\n".join([*told, f"{seen_on}\n{again}\n"]), settings.SERVER_EMAIL, to)
    except Exception as error:  # noqa: BLE001 - each backend has failures of its own; all mean that it did not leave
        logger.warning("nobody could be told by mail, it is tried again: %s", type(error).__name__)
        return False
    return True


def _at(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment is not None else ""
