"""A finished tournament as a folder of plain HTML that any web host serves, and that opens from a disk.

Rules: docs/how-to/publishing.md, "Download a website". Walks from the board along its links, each asked once as any
visitor asks, until nothing new is found; whatever the board leads to comes along. Facts that come in meanwhile would
leave pages of two moments side by side: then nothing is exported, and whoever asked is told.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import IO, cast
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.template.response import SimpleTemplateResponse
from django.urls import Resolver404, get_script_prefix, resolve, reverse
from django.utils.translation import get_language, gettext, override

from scoring.problems import RummyError
from tournaments.boards.boards import Board, board
from tournaments.models import Tournament
from tournaments.web.rewriting import (
    CHECKER,
    Address,
    File,
    Frame,
    Scope,
    asset_file,
    asset_of,
    between,
    safe,
    scope_of,
    still,
)

# Asks the site's own views, as a visitor who is not signed in and comes from nowhere.

HTML = "text/html"
OK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a view answered."""

    kind: str
    body: bytes

    @property
    def is_page(self) -> bool:
        return self.kind == HTML


class Visit(WSGIRequest):
    """A request that nobody sent. Its host is ours to say, so it is not held against the hosts that are allowed."""

    def get_host(self) -> str:
        """The host that absolute addresses on the page begin with."""
        return str(self.META["HTTP_HOST"])


def answer_of(origin: str, path: str, query: str) -> Answer | None:
    """What the site shows everybody at an address; None where that is no page of its own, and no file."""
    try:
        match = resolve(f"/{path.removeprefix(get_script_prefix())}")
        request = _visit(origin, path, query)
        request.resolver_match = match
        response = match.func(request, *match.args, **match.kwargs)
    except (Http404, Resolver404):
        return None
    if isinstance(response, SimpleTemplateResponse):
        response.render()
    if response.status_code != OK or "noindex" in response.headers.get("X-Robots-Tag", ""):
        return None
    return Answer(kind=_kind(response), body=_body(response))


def static_bytes(asset: str) -> bytes | None:
    """A static file as it is served: collected where the site was deployed, else where it lies."""
    if settings.STATIC_ROOT and staticfiles_storage.exists(asset):
        with staticfiles_storage.open(asset) as file:
            return cast(bytes, file.read())
    found = finders.find(asset)
    if not isinstance(found, str):
        return None
    with open(found, "rb") as file:
        return file.read()


def _visit(origin: str, path: str, query: str) -> Visit:
    where = urlsplit(origin)
    request = Visit(
        {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": get_script_prefix().rstrip("/"),
            "PATH_INFO": f"/{path.removeprefix(get_script_prefix())}",
            "QUERY_STRING": query,
            "HTTP_HOST": where.netloc,
            "SERVER_NAME": where.hostname or "",
            "SERVER_PORT": str(where.port or (443 if where.scheme == "https" else 80)),
            "wsgi.url_scheme": where.scheme,
            "wsgi.input": BytesIO(),
        }
    )
    request.user = AnonymousUser()
    request.LANGUAGE_CODE = get_language()
    return request


def _kind(response: HttpResponse | StreamingHttpResponse) -> str:
    return response.headers["Content-Type"].partition(";")[0]


def _body(response: HttpResponse | StreamingHttpResponse) -> bytes:
    if isinstance(response, StreamingHttpResponse):
        return b"".join(cast(Iterable[bytes], response.streaming_content))
    return response.content


# Stands for the site where nobody said where it is; no such name can ever be looked up.
NOWHERE = "http://site.invalid"
# There, whether or not a page links to it.
SEEDS = ("pages:tournament", "files:board_json", "files:board_csv", "files:board_xlsx", "pages:proof", "files:log")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """How an export is wanted. `site` is the address of the site, for links to what is not in the folder."""

    site: str = ""
    language: str = ""
    is_unfinished_too: bool = False


class ExportRefused(RummyError):
    """Why there is no export. `code` tells the reasons apart."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


def exported(tournament: Tournament, wishes: Wishes) -> Iterator[File]:
    """Every file of a tournament's export. Raises ExportRefused, at the end too where something moved meanwhile."""
    with override(wishes.language or settings.LANGUAGE_CODE):
        shown = board(tournament)
        _refuse(shown, wishes)
        yield from _Walk(shown, wishes).files()
        now = Tournament.objects.select_related("club").get(pk=tournament.pk)
        again = board(now)
        if (again.position, again.names, _is_open(now)) != (shown.position, shown.names, True):
            raise ExportRefused("moved", gettext("The data changed: export it again."))


def _refuse(shown: Board, wishes: Wishes) -> None:
    tournament = shown.tournament
    if not _is_open(tournament):
        raise ExportRefused("not_published", gettext("Only what is published can be exported."))
    if not (tournament.closed_at or shown.is_finished or wishes.is_unfinished_too):
        raise ExportRefused("not_finished", gettext("The tournament is not finished yet."))


def _is_open(tournament: Tournament) -> bool:
    return tournament.is_published and tournament.club.is_published


class _Walk:
    """One walk: what was found, and what was found and not yet rewritten."""

    def __init__(self, shown: Board, wishes: Wishes) -> None:
        self.scope: Scope = scope_of(shown.tournament)
        self.slugs = (shown.tournament.club.slug, shown.tournament.slug)
        self.site = wishes.site.rstrip("/")
        self.origin = _origin(self.site) if self.site else NOWHERE
        self.mark = gettext("Exported at position %(position)s, fingerprint %(fingerprint)s.") % {
            "position": shown.position,
            "fingerprint": shown.fingerprint or "–",
        }
        self.known: dict[str, str | None] = {}
        self.waiting: deque[tuple[Address, Answer]] = deque()
        self.assets: dict[str, bytes] = {}

    def files(self) -> Iterator[File]:
        for seed in SEEDS:
            self._find(reverse(seed, args=self.slugs), "")
        self._find(f"{settings.STATIC_URL}{CHECKER}", "")
        while self.waiting:
            address, answer = self.waiting.popleft()
            yield File(name=address.file, content=self._rewritten(address, answer))
        for name, content in sorted(self.assets.items()):
            yield File(name=name, content=content)

    def _rewritten(self, address: Address, answer: Answer) -> bytes:
        if not answer.is_page:
            return answer.body
        frame = Frame(
            address=f"{self.origin}{address.path}",
            origin=self.origin,
            link=lambda full: self._link(full, address.file),
            has_site=bool(self.site),
            mark=self.mark,
        )
        return still(answer.body, frame)

    def _link(self, full: str, here: str) -> str | None:
        """A file beside this one, or the page on the site, or nothing."""
        parts = urlsplit(full)
        there = self._find(parts.path, parts.query)
        if there is None:
            return full if self.site else None
        return between(here, there) + (f"#{parts.fragment}" if parts.fragment else "")

    def _find(self, path: str, query: str) -> str | None:
        """The file behind an address of the site, asked for when it is met first."""
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
        answer = answer_of(self.origin, address.path, address.query) if address else None
        if address is None or answer is None:
            return None
        self.waiting.append((address, answer))
        return address.file


def _origin(site: str) -> str:
    parts = urlsplit(site)
    return f"{parts.scheme}://{parts.netloc}"


# Where the files of an export go: a folder that is there whole or not at all, or a zip file.

READABLE, ENTERABLE = 0o644, 0o755
# The first moment that a zip file can name.
NO_TIME = (1980, 1, 1, 0, 0, 0)


class FolderTaken(Exception):
    """Something stands there already. An export never goes over anything."""


def keep_folder(files: Iterable[File], folder: Path) -> int:
    """Write the files beside the place first, then move them there at once. Answers how many there are."""
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
    """Write the files into a zip file that unpacks to one folder. Answers how many there are."""
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
    """It is made to be served by whatever server; this process writes for its owner alone."""
    folder.chmod(ENTERABLE)
    for path in folder.rglob("*"):
        path.chmod(ENTERABLE if path.is_dir() else READABLE)
