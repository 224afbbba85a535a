"""Writes copies of published tournaments as they change, and deletes those of tournaments no longer published.

Rules: docs/how-to/publishing.md, "Publish on change". The worker looks every second for tournaments whose copies are of
an earlier version (docs/decisions/0063-published-copies.md). The pages are rendered by the site's own views and
rewritten as in an export. Recording never waits for a store.
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import override

from tournaments.models import PublishedCopy, Tournament
from tournaments.projections.shown import Shown, shown_by_address
from tournaments.web.addresses import club_language
from tournaments.web.publishing.stores import StoreRefused, store_at
from tournaments.web.static_site import NOWHERE, Copied, copied
from tournaments.web.visits import answer_of

# The board is written on each change; the pages around it this often, and after a change that is not an event.
WHOLE_EVERY = timedelta(seconds=60)
# Longer than a large tournament takes: after this long the writing worker has crashed.
BUSY = timedelta(minutes=10)
REST, LONGEST_REST = timedelta(seconds=5), timedelta(minutes=5)
# Versions that differ only by events stay a while, for visitors who have just read an earlier head.
MOST_VERSIONS = 50
MOST_AT_ONCE = 20
SHORT = "public, max-age=2"
# No cache keeps anything for longer: an erased name is gone everywhere after a day.
LASTING = "public, max-age=86400, immutable"
HEAD, VERSIONS, ASSETS = "head.json", "v/", "assets/"
ALWAYS = frozenset({"board.json", *(f"{code}/index.html" for code, _ in settings.LANGUAGES)})
MOST_REASON = 500
logger = logging.getLogger(__name__)


def publish_owed() -> Iterator[str]:
    """Write and delete what is due, and yield each folder. One that fails does not stop the others."""
    if not settings.PUBLISH_TO:
        return
    moment = now()
    for row in _withdrawn()[:MOST_AT_ONCE]:
        yield from _done(row, _withdraw)
    for tournament in _behind(moment)[:MOST_AT_ONCE]:
        yield from _done(_row_of(tournament), partial(_publish, tournament))


def _withdrawn() -> QuerySet[PublishedCopy]:
    """Copies of tournaments that are no longer published, or were deleted."""
    there = Tournament.objects.filter(pk=OuterRef("tournament"), is_published=True, club__is_published=True)
    return PublishedCopy.objects.filter(~Exists(there), busy_until__lte=now())


def _behind(moment: datetime) -> QuerySet[Tournament]:
    """Published tournaments whose copies are of an earlier version: those in progress first, the longest waiting first.

    Where more boards change than are written, each gets its turn.
    """
    version = Coalesce(F("club__shown_version__version"), 0)
    mine = PublishedCopy.objects.filter(tournament=OuterRef("pk"), store=settings.PUBLISH_TO)
    is_whole = Q(is_whole=True) | Q(whole_at__gt=moment - WHOLE_EVERY)
    fresh = mine.filter(is_whole, position=OuterRef("board_position"), version=OuterRef("shown"))
    resting = mine.filter(busy_until__gt=moment)
    published = Tournament.objects.filter(is_published=True, club__is_published=True).select_related("club")
    owed = published.annotate(shown=version).filter(~Exists(fresh), ~Exists(resting))
    written_at = Subquery(mine.values("written_at"))
    return owed.order_by(F("closed_at").desc(nulls_first=True), written_at.asc(nulls_first=True), "-starts_at", "id")


def _row_of(tournament: Tournament) -> PublishedCopy:
    ended = {"club": tournament.club_id, "busy_until": tournament.created_at}
    return PublishedCopy.objects.get_or_create(tournament=tournament.pk, defaults=ended)[0]


def _done(row: PublishedCopy, work: Callable[[PublishedCopy], None]) -> Iterator[str]:
    """Process one row, locked for this worker meanwhile. A refusal by the store is stored, and tried again later."""
    mine = PublishedCopy.objects.filter(pk=row.pk, busy_until__lte=now())
    if not mine.update(busy_until=now() + BUSY):
        return
    row.refresh_from_db()
    try:
        _refuse_missing_folder()
        work(row)
    except StoreRefused as error:
        _rest(row, str(error))
    except Exception as error:
        _rest(row, f"{type(error).__name__}: {error}")
        raise
    yield row.folder


def _refuse_missing_folder() -> None:
    """Raise StoreRefused where copies lie in a folder that is not there: its disk may not be mounted.

    Made again it would be below the mount point, and what is withdrawn now would be public when the disk is back.
    """
    if urlsplit(settings.PUBLISH_TO).scheme or Path(settings.PUBLISH_TO).is_dir():
        return
    if PublishedCopy.objects.filter(store=settings.PUBLISH_TO, written_at__isnull=False).exists():
        raise StoreRefused(f"{settings.PUBLISH_TO} is not there: mount its disk, or make the folder")


def _rest(row: PublishedCopy, reason: str) -> None:
    """Wait longer after each failure. The row keeps the names of all files that may be in the store."""
    failures = row.failures + 1
    wait = min(REST * 2 ** min(failures - 1, 10), LONGEST_REST)
    problem = {"problem": reason[:MOST_REASON], "failures": failures, "busy_until": now() + wait}
    PublishedCopy.objects.filter(pk=row.pk).update(**problem)
    logger.warning("published copies of %s wait: %s", row.folder, reason)


def _withdraw(row: PublishedCopy) -> None:
    """Delete every file, the head first, and then the row that lists them."""
    store_at(row.store).delete(sorted(row.manifest, key=lambda name: not name.endswith(HEAD)))
    row.delete()


def _publish(tournament: Tournament, row: PublishedCopy) -> None:
    """Write what has changed, the head last, and delete obsolete files."""
    board_state = _shown(tournament)
    if board_state is None:
        return
    moment, store = now(), store_at(settings.PUBLISH_TO)
    folder = f"c/{tournament.club.slug}/t/{tournament.slug}/"
    if (row.store, row.folder) != (settings.PUBLISH_TO, folder):
        _move(row, folder)
    former = row.manifest
    is_renamed = row.version != int(board_state.version)
    is_whole = is_renamed or row.whole_at is None or row.whole_at <= moment - WHOLE_EVERY
    there = frozenset() if is_whole else frozenset(name.removeprefix(folder) for name in former) - ALWAYS
    content_by_name = _made(tournament, board_state, there)
    if content_by_name is None:
        PublishedCopy.objects.filter(pk=row.pk).update(busy_until=moment)
        return
    files = {folder + name: content for name, content in content_by_name.items()}
    digests = {name: blake2b(content, digest_size=8).hexdigest() for name, content in files.items()}
    changed = [name for name, digest in digests.items() if former.get(name) != digest]
    PublishedCopy.objects.filter(pk=row.pk).update(files=json.dumps(former | dict.fromkeys(changed, "")))
    for name in sorted(changed, key=_order):
        store.put(name, files[name], _kept(name))
    gone = _gone(former, folder, files, is_whole=is_whole, is_renamed=is_renamed)
    store.delete(gone)
    kept_digests = {name: digest for name, digest in former.items() if name not in gone}
    row.files = json.dumps(kept_digests | digests)
    row.position, row.version = board_state.position, int(board_state.version)
    row.is_whole, row.whole_at = is_whole, moment if is_whole else row.whole_at
    row.written_at, row.busy_until, row.problem, row.failures = now(), now(), "", 0
    row.save()


def _move(row: PublishedCopy, folder: str) -> None:
    """Delete the files at a former address; until that succeeds their names are kept, and it is tried again.

    A former store that is unreachable keeps its files.
    """
    if row.manifest:
        with nullcontext() if row.store == settings.PUBLISH_TO else suppress(StoreRefused):
            store_at(row.store).delete(row.manifest)
    row.store, row.folder, row.files, row.version, row.whole_at = settings.PUBLISH_TO, folder, "{}", -1, None
    row.save()


def _shown(tournament: Tournament) -> Shown | None:
    board_state = shown_by_address(tournament.club.slug, tournament.slug)
    return board_state if board_state is not None and board_state.is_public else None


def _made(tournament: Tournament, shown: Shown, there: frozenset[str]) -> dict[str, bytes] | None:
    """Return the files of one version by name; None if events arrived meanwhile, and it has to be made again."""
    version = f"{shown.position}-{shown.version}"
    site = settings.PUBLISH_SITE
    board = answer_of(site or NOWHERE, reverse("files:board_json", args=(tournament.club.slug, tournament.slug)), "")
    if board is None or _shown(tournament) != shown:
        return None
    files = {f"{VERSIONS}{version}.json": board.body}
    for code, _ in settings.LANGUAGES:
        with override(code):
            copy_options = Copied(site=site, language=code, version=version, there=there)
            files |= {file.name: file.content for file in copied(tournament, copy_options)}
    home = club_language(tournament.club)
    files["index.html"] = render_to_string("pages/copied.html", {"tournament": tournament, "home": home}).encode()
    head = {"version": version, "board": f"{VERSIONS}{version}.json", "closed": tournament.closed_at is not None}
    files[HEAD] = json.dumps(head, separators=(",", ":")).encode()
    return None if _shown(tournament) is None else files


def _gone(
    former: Mapping[str, str], folder: str, files: Mapping[str, bytes], *, is_whole: bool, is_renamed: bool
) -> list[str]:
    """Return the names to delete: obsolete files, and boards of versions that are old or have former names."""
    obsolete_names = [name for name in former if name not in files]
    versions = [name for name in obsolete_names if name.startswith(folder + VERSIONS)]
    versions.sort(key=lambda name: [int(number) for number in name[len(folder + VERSIONS) : -5].split("-")])
    old = versions if is_renamed else versions[:-MOST_VERSIONS]
    return [*old, *(name for name in obsolete_names if is_whole and name not in versions)]


def _order(name: str) -> tuple[bool, bool, bool]:
    """Sort key: linked files first: assets and boards, then pages, and last the head."""
    is_loaded = f"/{ASSETS}" in name or f"/{VERSIONS}" in name
    return name.endswith(f"/{HEAD}"), not is_loaded, name.endswith("/index.html")


def _kept(name: str) -> str:
    return LASTING if f"/{VERSIONS}" in name else SHORT
