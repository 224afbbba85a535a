"""Walks from the board of a tournament along its links, page by page, until nothing new is found.

Each address is asked once. Facts that come in meanwhile would leave pages of two moments side by side: then nothing
is exported, and whoever asked is told.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, override

from scoring.problems import RummyError
from tournaments.boards.boards import Board, board
from tournaments.models import Tournament
from tournaments.web.static_site.addresses import CHECKER, Address, File, Scope, asset_file, asset_of, between, scope_of
from tournaments.web.static_site.rewriting import Frame, still
from tournaments.web.static_site.visiting import Answer, answer_of, static_bytes

# Stands for the site where nobody said where it is; no such name can ever be looked up.
NOWHERE = "http://site.invalid"
# There, whether or not a page links to it.
SEEDS = ("tournament", "board_json", "board_csv", "board_xlsx", "proof", "log")


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
            raise ExportRefused("moved", gettext("Something was changed meanwhile: export it again."))


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
            self._find(reverse(f"pages:{seed}", args=self.slugs), "")
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
