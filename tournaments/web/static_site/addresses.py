"""Which addresses of the site are in an export, and what their files are called.

A file has the path that its page has below the tournament, so that links between pages stay as short as they were.
No name leaves the folder: each part of it begins with a letter or a number and holds nothing that any disk minds.
"""

import re
from dataclasses import dataclass
from posixpath import dirname, relpath

from django.conf import settings
from django.urls import Resolver404, get_script_prefix, resolve, reverse

from tournaments.models import Tournament

SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
ASSETS = "assets/"
# The page that says how to check the log names its files as a visitor finds them in one folder.
CHECKER = "tournaments/verify.py"
# Of no use once nothing moves. What search engines are told to leave out stays behind as well: parts, frames, screens.
LIVE_ONLY = frozenset({"room", "past", "podium"})
# A sheet as it was before a correction is a page of its own; the board at each moment would be thousands.
WITH_A_PAST = frozenset({"table", "sheet_json", "sheet_csv"})
DIGEST = re.compile(r"[.][0-9a-f]{12}(?=[.][^./]+$)")
VERSION = re.compile(r"at=([0-9]{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of an export: its path in the folder, and what it holds."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A page of the site: its path, what is asked behind it, and the file that it becomes."""

    path: str
    query: str
    file: str


class UnsafeName(ValueError):
    """A name that might leave the folder, or that not every disk can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The addresses of one tournament."""

    root: str
    slug: str

    def address_of(self, path: str, query: str = "") -> Address | None:
        """The page behind a path, where it belongs to the export and can be a file."""
        if not path.startswith(self.root):
            return None
        name = _name_of(path)
        if not name or name in LIVE_ONLY:
            return None
        version = VERSION.fullmatch(query)
        if query and not (version and name in WITH_A_PAST):
            return None
        return Address(path=path, query=query, file=self._file_of(path, version[1] if version else ""))

    def _file_of(self, path: str, version: str) -> str:
        rest = path.removeprefix(self.root)
        name = f"{rest}index.html" if not rest or rest.endswith("/") else rest
        name = f"{self.slug}.jsonl" if name == "log.jsonl" else name
        if version:
            stem, _, ending = name.rpartition(".")
            name = f"{stem}-at-{version}.{ending}"
        return safe(name)


def scope_of(tournament: Tournament) -> Scope:
    """The addresses below a tournament's board. It must carry its club."""
    root = reverse("pages:tournament", args=(tournament.club.slug, tournament.slug))
    return Scope(root=root, slug=tournament.slug)


def asset_of(path: str) -> str | None:
    """The static file behind a path, by the name that Django finds it under."""
    return path.removeprefix(settings.STATIC_URL) if path.startswith(settings.STATIC_URL) else None


def asset_file(asset: str) -> str:
    """What a static file is called in an export."""
    return safe("verify.py" if undigested(asset) == CHECKER else f"{ASSETS}{asset}")


def undigested(asset: str) -> str:
    """`theme.1a2b3c4d5e6f.js` as it was called before it was collected under its digest."""
    return DIGEST.sub("", asset)


def safe(name: str) -> str:
    """The name itself. Raises UnsafeName."""
    if not all(SAFE.fullmatch(part) for part in name.split("/")):
        raise UnsafeName(name)
    return name


def between(here: str, there: str) -> str:
    """How one file names another."""
    return relpath(there, dirname(here) or ".")


def _name_of(path: str) -> str:
    """The name of the route that a path takes; nothing where it takes none of the public pages."""
    try:
        match = resolve(f"/{path.removeprefix(get_script_prefix())}")
    except Resolver404:
        return ""
    return match.url_name or "" if match.namespace == "pages" else ""
