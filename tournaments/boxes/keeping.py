"""Boxes that stay on this installation: one after each tournament, beside the backups, for the days that the club set.

A folder for each club, below `BACKUP_DIR/boxes`; without BACKUP_DIR none is written by itself, and those that an owner
makes are in the data folder.
"""

import errno
import logging
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db.models import Max

from tournaments import log
from tournaments.boxes.manifest import MANIFEST, code_of
from tournaments.boxes.packing import box_file, file_name, pack
from tournaments.models import Club, Tournament
from tournaments.projections.stale import AHEAD
from tournaments.transient_errors import is_there, outage_line, refuse_hung

logger = logging.getLogger(__name__)
NAME = re.compile(r"[-\w]+-(\d{8}T\d{6}Z)\.rummybox")
PRIVATE = 0o700
# Longer than writing any box takes.
DRAFT_SECONDS = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBox:
    """A box that is here: its file, when it was made, and its code (empty for one that cannot be read)."""

    path: Path
    made_at: datetime
    code: str


def folder_of(club_id: UUID) -> Path:
    """Where the boxes of a club are."""
    return Path(settings.BACKUP_DIR or settings.VAR_DIR) / "boxes" / club_id.hex


def boxes_of(club_id: UUID) -> list[KeptBox]:
    """The boxes of a club that are here, the newest first. Raises OSError where their disk hangs."""
    refuse_hung(settings.BACKUP_DIR)
    boxes = [KeptBox(path=path, made_at=made_at, code=_code(path)) for made_at, path in paths_of(club_id)]
    return sorted(boxes, key=lambda box: box.made_at, reverse=True)


def paths_of(club_id: UUID) -> list[tuple[datetime, Path]]:
    """The boxes of a club that are here, unopened: a thousand clubs have too many to open all every ten minutes."""
    paths = folder_of(club_id).glob("*.rummybox")
    return [
        (datetime.strptime(match[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC), path)
        for path in paths
        if (match := NAME.fullmatch(path.name))
    ]


def make_box(club: Club, *, now: datetime) -> Path:
    """Write a box of a club as it is now. Raises OSError, also where the disk of the backups is not there or hangs."""
    refuse_hung(settings.BACKUP_DIR)
    if settings.BACKUP_DIR is not None and not settings.BACKUP_DIR.is_dir():
        raise OSError(errno.ENODEV, "BACKUP_DIR is not there", str(settings.BACKUP_DIR))
    folder = folder_of(club.pk)
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    path = folder / file_name(club, now)
    while path.exists():
        # Two in one second: whoever made the first one was told its code.
        now += timedelta(seconds=1)
        path = folder / file_name(club, now)
    with box_file(path) as file:
        pack(club.pk, file, now=now)
    return path


def write_due_boxes(*, now: datetime) -> int:
    """Write the boxes that are due, and delete those whose days are over. One that fails stops no other.

    Without BACKUP_DIR, or while its disk is not mounted, none is due, but those that an owner made end as well. So do
    drafts of a killed process.
    """
    has_folder = settings.BACKUP_DIR is not None and is_there(settings.BACKUP_DIR)
    due = list(clubs_without_a_box(closed_before=now, now=now)) if has_folder else []
    for club in due:
        try:
            make_box(club, now=now)
        except Exception as error:
            if outage := outage_line(error):
                logger.warning("a box could not be written: %s", outage, extra={"club": str(club.pk)})
            else:
                logger.exception("a box could not be written", extra={"club": str(club.pk)})
    for club in Club.objects.all():
        for made_at, path in paths_of(club.pk):
            if now - made_at > timedelta(days=days_kept(club)):
                path.unlink(missing_ok=True)
        for draft in folder_of(club.pk).glob(".*.rummybox-*"):
            if abs(now.timestamp() - draft.stat().st_mtime) > DRAFT_SECONDS:
                draft.unlink(missing_ok=True)
    return len(due)


def days_kept(club: Club) -> int:
    """The days after which a box here is deleted: one, to fetch it, in a club that wants none to be kept."""
    return max(club.keeps_boxes_days, 1)


def clubs_without_a_box(*, closed_before: datetime, now: datetime) -> Iterator[Club]:
    """Clubs whose newest tournament closed before a moment has no box yet, unless they want none or moved.

    Tournaments and boxes that lie ahead, of a time when the clock was wrong, count for neither: until then no box would
    be due, or one each time. Raises OSError where the disk of the boxes hangs.
    """
    refuse_hung(settings.BACKUP_DIR)
    closed = Tournament.objects.filter(closed_at__lte=closed_before)
    newest = dict(closed.order_by().values_list("club").annotate(newest=Max("closed_at")))
    clubs = Club.objects.filter(pk__in=newest, keeps_boxes_days__gt=0)
    for club in clubs.exclude(pk__in=log.moved_clubs()).order_by("slug"):
        # The name of a box has whole seconds.
        since = max((made_at for made_at, _ in paths_of(club.pk) if made_at <= now + AHEAD), default=None)
        if since is None or since <= newest[club.pk].replace(microsecond=0):
            yield club


def _code(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            return code_of(archive.read(MANIFEST))
    except (OSError, KeyError, zipfile.BadZipFile):
        return ""
