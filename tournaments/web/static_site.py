"""A finished tournament as a folder of plain HTML that any web host serves, and that opens from a disk.

Rules: docs/how-to/publishing.md, "Download a website". Follows the links from the board, each requested once as by an
anonymous visitor, until nothing new is found; everything that is linked is included. Events that arrive meanwhile would
mix pages of two moments: then ExportRefused is raised.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import IO
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, override

from scoring.problems import RummyError
from tournaments.boards import Board, board
from tournaments.models import Tournament
from tournaments.web.rewriting import (
    CHECKER,
    Address,
    File,
    Frame,
    LooksAgain,
    Scope,
    asset_file,
    asset_of,
    between,
    safe,
    scope_of,
    still,
)
from tournaments.web.visits import InternalResponse, answer_of, static_bytes

# Used where the site's address is unknown; no such name can ever be resolved.
NOWHERE = "http://site.invalid"
# Always included, whether or not a page links to it.
SEEDS = ("pages:tournament", "files:board_json", "files:board_csv", "files:board_xlsx", "pages:proof", "files:log")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """The options of an export. `site` is the address of the site, for links to what is not in the folder."""

    site: str = ""
    language: str = ""
    is_unfinished_too: bool = False


class ExportRefused(RummyError):
    """Why there is no export. `code` identifies the reason."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def exported(tournament: Tournament, options: ExportOptions) -> Iterator[File]:
    """Yield every file of a tournament's export. Raises ExportRefused, at the end too if events arrived meanwhile."""
    with override(options.language or settings.LANGUAGE_CODE):
        exported_board = board(tournament)
        _refuse(exported_board, options)
        mark = gettext("Exported at position %(position)s, fingerprint %(fingerprint)s.") % {
            "position": exported_board.position,
            "fingerprint": exported_board.fingerprint or "–",
        }
        walk = _Walk(scope_of(tournament), options.site, mark=mark)
        yield from walk.files([*_seeds(tournament, SEEDS), f"{settings.STATIC_URL}{CHECKER}"])
        now = Tournament.objects.select_related("club").get(pk=tournament.pk)
        again = board(now)
        if (again.position, again.names, _is_open(now)) != (exported_board.position, exported_board.names, True):
            raise ExportRefused("moved", gettext("The data changed: export it again."))


def _refuse(shown: Board, options: ExportOptions) -> None:
    tournament = shown.tournament
    if not _is_open(tournament):
        raise ExportRefused("not_published", gettext("Only what is published can be exported."))
    if not (tournament.closed_at or shown.is_finished or options.is_unfinished_too):
        raise ExportRefused("not_finished", gettext("The tournament is not finished yet."))


def _is_open(tournament: Tournament) -> bool:
    return tournament.is_published and tournament.club.is_published


def _seeds(tournament: Tournament, names: Iterable[str]) -> list[str]:
    return [reverse(name, args=(tournament.club.slug, tournament.slug)) for name in names]


# A published copy, written again with each change (tournaments/web/publishing): a tournament's own pages, in every
# language. The board is written on each change, and polls for newer versions of itself.
COPIED = {"tournament", "rounds", "round", "seating", "seating_of_round", "schedule", "prizes", "prizes_of_round"}
COPIED |= {"house_rules", "proof", "board_json", "board_csv", "log", "podium"}
COPIED_SEEDS = ("pages:tournament", "files:board_json", "files:board_csv", "files:log", "pages:podium", "pages:proof")
LOOKS_AGAIN = "tournaments/copied.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied:
    """The options of a copy: the site's address, the language, the version.

    `there` are existing files to keep: they are linked to, and not rendered again.
    """

    site: str
    language: str
    version: str
    there: frozenset[str] = frozenset()


def copied(tournament: Tournament, wanted: Copied) -> Iterator[File]:
    """Yield the files of a tournament's copy in the active language."""
    scope = replace(scope_of(tournament), language=f"{wanted.language}/", only=frozenset(COPIED))
    walk = _Walk(scope, wanted.site, version=wanted.version, there=wanted.there)
    yield from walk.files(_seeds(tournament, COPIED_SEEDS))


class _Walk:
    """The state of one crawl: what was found, and what is not yet rewritten."""

    def __init__(
        self, scope: Scope, site: str, *, mark: str = "", version: str = "", there: frozenset[str] = frozenset()
    ) -> None:
        self.scope = scope
        self.site = site.rstrip("/")
        self.origin = _origin(self.site) if self.site else NOWHERE
        self.mark = mark
        self.version = version
        self.there = there
        self.known: dict[str, str | None] = {}
        self.waiting: deque[tuple[Address, InternalResponse]] = deque()
        self.assets: dict[str, bytes] = {}

    def files(self, seeds: Iterable[str]) -> Iterator[File]:
        for seed in seeds:
            self._find(seed, "")
        while self.waiting:
            address, answer = self.waiting.popleft()
            yield File(name=address.file, content=self._rewritten(address, answer))
        for name, content in sorted(self.assets.items()):
            yield File(name=name, content=content)

    def _rewritten(self, address: Address, answer: InternalResponse) -> bytes:
        if not answer.is_page:
            return answer.body
        frame = Frame(
            address=f"{self.origin}{address.path}",
            origin=self.origin,
            link=lambda full: self._link(full, address.file),
            has_site=bool(self.site),
            mark=self.mark,
            looks_again=self._looks_again(address.file),
        )
        return still(answer.body, frame)

    def _looks_again(self, here: str) -> LooksAgain | None:
        """Return how the page of the board finds newer versions."""
        if not self.version or here != f"{self.scope.language}index.html":
            return None
        script = self._asset(f"{settings.STATIC_URL}{LOOKS_AGAIN}")
        if script is None:
            return None
        return LooksAgain(script=between(here, script), head=between(here, "head.json"), version=self.version)

    def _link(self, full: str, here: str) -> str | None:
        """Return a file beside this one, or the page on the site, or None."""
        parts = urlsplit(full)
        there = self._find(parts.path, parts.query)
        if there is None:
            return full if self.site else None
        return between(here, there) + (f"#{parts.fragment}" if parts.fragment else "")

    def _find(self, path: str, query: str) -> str | None:
        """Return the file for an address of the site, requested at its first occurrence."""
        key = f"{path}?{query}"
        if key not in self.known:
            self.known[key] = self._asset(path) or self._page(path, query)
        return self.known[key]

    def _asset(self, path: str) -> str | None:
        asset = asset_of(path)
        content = static_bytes(asset) if asset else None
        if asset is None or content is None:
            return None
        name = asset_file(asset)
        self.assets[name] = content
        return name

    def _page(self, path: str, query: str) -> str | None:
        address = self.scope.address_of(path, query)
        if address is not None and address.file in self.there:
            return address.file
        answer = answer_of(self.origin, address.path, address.query) if address else None
        if address is None or answer is None:
            return None
        self.waiting.append((address, answer))
        return address.file


def _origin(site: str) -> str:
    parts = urlsplit(site)
    return f"{parts.scheme}://{parts.netloc}"


# Destinations of an export: a folder that is written completely or not at all, or a zip file.

READABLE, ENTERABLE = 0o644, 0o755
# The earliest time that a zip file can store.
NO_TIME = (1980, 1, 1, 0, 0, 0)


class FolderTaken(Exception):
    """The destination exists already. An export never overwrites anything."""


def keep_folder(files: Iterable[File], folder: Path) -> int:
    """Write the files beside the destination first, then rename at once. Returns how many there are."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise FolderTaken(str(folder))
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}-"))
    try:
        count = sum(_keep(file, beside) for file in files)
        _let_everybody_read(beside)
        os.replace(beside, folder)
    except BaseException:
        rmtree(beside, ignore_errors=True)
        raise
    return count


def keep_zip(files: Iterable[File], out: IO[bytes], *, folder: str) -> int:
    """Write the files into a zip file that unpacks to one folder. Returns how many there are."""
    count = 0
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for file in files:
            entry = ZipInfo(f"{safe(folder)}/{safe(file.name)}", NO_TIME)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = READABLE << 16
            archive.writestr(entry, file.content)
            count += 1
    return count


def _keep(file: File, folder: Path) -> int:
    path = folder / safe(file.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.content)
    return 1


def _let_everybody_read(folder: Path) -> None:
    """Make it readable for any web server; by default this process writes for its owner only."""
    folder.chmod(ENTERABLE)
    for path in folder.rglob("*"):
        path.chmod(ENTERABLE if path.is_dir() else READABLE)
