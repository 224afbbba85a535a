"""Tells those who run the site what has become bad, and that it is fine again, by mail and in the log.

Workers call `look` every few minutes, through `manage.py doctor --tell`; web processes do while no worker shows itself.
What is bad is a row that all of them share, so that it is told once, then once a day. A mail that did not leave is sent
with a later look. Rules: docs/how-to/watching.md, docs/decisions/0099-who-is-told-what-is-bad.md.
"""

import logging
import platform
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction

from rummy_site.backup_folder import backups_in, is_hung, last_tries
from rummy_site.operations.doctor import Level, examine, told_addresses
from tournaments.management.commands.login_link import own_address
from tournaments.models import SiteCheck
from tournaments.models.readmodels import CHECKS, MOST_PROBLEM

# A restart, or a broker that is away for a moment, is nothing to be told of.
PATIENCE = timedelta(minutes=9)
AGAIN = timedelta(days=1)
# What comes and goes is not told each time.
FINE_AFTER = timedelta(hours=1)
# Longer than a mail server may take: after that the process that was telling has died.
HOLD = timedelta(minutes=4)

logger = logging.getLogger(__name__)


def look(*, now: datetime, only: Collection[str] = ()) -> None:
    """Run the checks that somebody is told of, or `only` some of them; note what is bad, and tell what is due.

    Several machines look, each with a disk of its own: what one of them sees is bad until none has seen it for an hour.
    """
    subjects = set(only or dict(CHECKS))
    if settings.BACKUP_DIR is None:
        # Whoever makes backups by other means has chosen so.
        subjects.discard("backups")
    problems: dict[str, list[str]] = defaultdict(list)
    for finding in examine(now=now, only=subjects):
        if finding.level is not Level.FINE:
            problems[finding.subject].append(finding.text)
    bad, fine = _noted({subject: problems[subject] for subject in subjects}, now=now)
    for row in bad:
        logger.error("%s, since %s: %s", row.subject, _at(row.since), row.problem)
    for row in fine:
        logger.warning("%s: fine again, after %s", row.subject, row.problem)
    if (bad or fine) and _is_told(bad, fine):
        SiteCheck.objects.filter(pk__in=[row.pk for row in bad]).update(told_at=now, held_until=None)
        ended = SiteCheck.objects.filter(pk__in=[row.pk for row in fine], bad_at__lte=now - FINE_AFTER)
        ended.update(problem="", since=None, bad_at=None, told_at=None, held_until=None)


def _noted(found: Mapping[str, Sequence[str]], *, now: datetime) -> tuple[list[SiteCheck], list[SiteCheck]]:
    """Store the problems of each check. Returns what is to be told: bad, and fine again, held for this process."""
    good_at = _last_good(settings.BACKUP_DIR) if settings.BACKUP_DIR is not None else {}
    noteworthy = [subject for subject, problems in found.items() if problems or good_at.get(subject)]
    bad: list[SiteCheck] = []
    fine: list[SiteCheck] = []
    with transaction.atomic():
        SiteCheck.objects.bulk_create([SiteCheck(subject=name) for name in noteworthy], ignore_conflicts=True)
        rows = list(SiteCheck.objects.select_for_update().filter(pk__in=found).order_by("pk"))
        for row in rows:
            row.good_at = good_at.get(row.subject) or row.good_at
            if problems := found[row.subject]:
                row.problem = "; ".join(problems).replace("\0", "")[:MOST_PROBLEM]
                row.since, row.bad_at = row.since or now, now
            if row.since is None or row.bad_at is None or (row.held_until is not None and row.held_until > now):
                continue
            is_fine = now - row.bad_at >= FINE_AFTER
            if row.bad_at - row.since < PATIENCE:
                if is_fine:
                    row.problem, row.since, row.bad_at = "", None, None
            elif is_fine or row.told_at is None or now - row.told_at >= AGAIN:
                row.held_until = now + HOLD
                (fine if is_fine else bad).append(row)
        SiteCheck.objects.bulk_update(rows, ["problem", "since", "bad_at", "held_until", "good_at"])
    return bad, fine


def _last_good(folder: Path) -> dict[str, datetime | None]:
    """When the newest backup was made, and when one was last restored and proven."""
    if is_hung(folder):
        return {}
    try:
        backups, restore = backups_in(folder), last_tries(folder).restore
    except OSError:
        # What is wrong with the folder is told by the checks.
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
    told = [f"{row.subject}, since {_at(row.since)}:\n  {row.problem}" for row in bad]
    told += [f"{row.subject}: fine again. From {_at(row.since)} to {_at(row.bad_at)}:\n  {row.problem}" for row in fine]
    seen_on = f"Seen on {platform.node()}. All checks: manage.py doctor. What is still bad is told again each day."
    try:
        send_mail(subject, "\n\n".join([*told, seen_on, ""]), settings.SERVER_EMAIL, to)
    except Exception as error:  # noqa: BLE001 - each backend has failures of its own; all mean that it did not leave
        logger.warning("nobody could be told by mail, it is tried again: %s", type(error).__name__)
        return False
    return True


def _at(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC" if moment is not None else ""
