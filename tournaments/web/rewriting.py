"""Makes a page of the site work offline: no polling, no forms, and every link to a file beside it.

The page is parsed and written as HTML. Nothing is searched for in its text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from posixpath import dirname, relpath
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.urls import Resolver404, get_script_prefix, resolve, reverse

from tournaments.models import Tournament
from tournaments.web.addresses import without_language

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode


# Which addresses of the site are in an export, and the names of their files.

SAFE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}")
ASSETS = "assets/"
# The page that says how to check the log names its files as a visitor finds them in one folder.
CHECKER = "tournaments/verify.py"
# Useless in a static copy. What search engines must not index is omitted as well: parts, frames, screens.
LIVE_ONLY = frozenset({"room", "past", "podium"})
# A sheet before a correction is a page of its own; the board at each moment would be thousands.
WITH_A_PAST = frozenset({"table", "sheet_json", "sheet_csv"})
PUBLIC = frozenset({"pages", "files"})
DIGEST = re.compile(r"[.][0-9a-f]{12}(?=[.][^./]+$)")
VERSION = re.compile(r"at=([0-9]{1,6})")


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    """One file of an export: its path in the folder, and its content."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A page of the site: its path, its query string, and its file in the export."""

    path: str
    query: str
    file: str


class UnsafeName(ValueError):
    """A name that might leave the folder, or that not every disk allows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The addresses of one tournament: all of them, or those of some routes; pages are in a folder per language."""

    root: str
    slug: str
    language: str = ""
    only: frozenset[str] | None = None

    def address_of(self, path: str, query: str = "") -> Address | None:
        """Return the page at a path, if it belongs to the export and can be a file."""
        if not without_language(path).startswith(self.root):
            return None
        name = _name_of(path)
        if not name or (name in LIVE_ONLY if self.only is None else name not in self.only):
            return None
        version = VERSION.fullmatch(query)
        if query and not (version and name in WITH_A_PAST):
            return None
        return Address(path=path, query=query, file=self._file_of(path, version[1] if version else ""))

    def _file_of(self, path: str, version: str) -> str:
        rest = without_language(path).removeprefix(self.root)
        name = f"{rest}index.html" if not rest or rest.endswith("/") else rest
        name = f"{self.slug}.jsonl" if name == "log.jsonl" else name
        name = self.language + name if without_language(path) != path else name
        if version:
            stem, _, ending = name.rpartition(".")
            name = f"{stem}-at-{version}.{ending}"
        return safe(name)


def scope_of(tournament: Tournament) -> Scope:
    """Return the addresses below a tournament's board. It must carry its club."""
    root = reverse("pages:tournament", args=(tournament.club.slug, tournament.slug))
    return Scope(root=without_language(root), slug=tournament.slug)


def asset_of(path: str) -> str | None:
    """Return the static file at a path, by the name under which Django finds it."""
    return path.removeprefix(settings.STATIC_URL) if path.startswith(settings.STATIC_URL) else None


def asset_file(asset: str) -> str:
    """Return the name of a static file in an export."""
    return safe("verify.py" if undigested(asset) == CHECKER else f"{ASSETS}{asset}")


def undigested(asset: str) -> str:
    """Return the name of `theme.1a2b3c4d5e6f.js` before its digest was added."""
    return DIGEST.sub("", asset)


def safe(name: str) -> str:
    """Return the name unchanged. Raises UnsafeName."""
    if not all(SAFE.fullmatch(part) for part in name.split("/")):
        raise UnsafeName(name)
    return name


def between(here: str, there: str) -> str:
    """Return the relative link from one file to another."""
    return relpath(there, dirname(here) or ".")


def _name_of(path: str) -> str:
    """Return the route name of a path; empty where it is none of the public pages in this language."""
    try:
        match = resolve(f"/{path.removeprefix(get_script_prefix())}")
    except Resolver404:
        return ""
    return match.url_name or "" if match.namespace in PUBLIC else ""


# Every page works without its scripts, so only those known to request nothing from the site are included.
KEPT_SCRIPTS = frozenset({"theme.js", "print_button.js"})
NEEDS_THE_SITE = "[data-needs-site]"

DROPPED = (
    "form",
    "iframe",
    "base",
    "head noscript",
    "meta[http-equiv=refresh]",
    "meta[name=htmx-config]",
    "[data-live-lost]",
    "[data-live-summary]",
)

ABOUT_THE_ADDRESS = (
    "link[rel=canonical]",
    "meta[property='og:url']",
    "meta[property^='og:image']",
    "meta[name^='twitter:']",
)

LINKING = (
    ("a", "href"),
    ("link:not([rel=canonical])", "href"),
    ("script", "src"),
    ("img", "src"),
    ("image", "href"),
    ("use", "href"),
)

# No included script may connect to any other host, whatever it was written for.
POLICY = "connect-src {}; form-action 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'"


@dataclass(frozen=True, slots=True, kw_only=True)
class LooksAgain:
    """How a page finds newer versions of itself: a script, and the file that names the latest."""

    script: str
    head: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The context for rewriting a page: its address on the site, and how to rewrite links.

    `link` maps a full address of the site to a file beside the page, to an address of the site, or to None.
    """

    address: str
    origin: str
    link: Callable[[str], str | None]
    has_site: bool
    mark: str = ""
    looks_again: LooksAgain | None = None


def still(page: bytes, frame: Frame) -> bytes:
    """Return the page as a static file."""
    # Most processes never export anything, and need not load the 4 MB HTML parser.
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415

    tree = LexborHTMLParser(page.decode())
    dropped = DROPPED if frame.has_site else (*DROPPED, NEEDS_THE_SITE, *ABOUT_THE_ADDRESS)
    for selector in dropped:
        # One at a time: what was inside a removed element is gone with it.
        while (node := tree.css_first(selector)) is not None:
            node.decompose()
    _quiet(tree)
    for tag, attribute in LINKING:
        for node in tree.css(f"{tag}[{attribute}]"):
            _relink(tree, node, attribute, frame)
    _sign(tree, frame)
    return (tree.html or "").encode()


def _quiet(tree: "LexborHTMLParser") -> None:
    """Remove everything that makes requests by itself."""
    for node in tree.css("script[src]"):
        if undigested(node.attributes.get("src") or "").rpartition("/")[2] not in KEPT_SCRIPTS:
            node.decompose()
    for node in tree.css("[hx-get], [hx-post], [hx-trigger], [data-live]"):
        for name in [name for name in node.attributes if name.startswith(("hx-", "data-"))]:
            del node.attrs[name]


def _relink(tree: "LexborHTMLParser", node: "LexborNode", attribute: str, frame: Frame) -> None:
    """Rewrite an address; without a target, a link becomes its text and any other element is removed."""
    url = node.attributes.get(attribute) or ""
    full = urljoin(frame.address, url)
    if url.startswith("#") or not _is_ours(full, frame.origin):
        return
    target = frame.link(full)
    if target is not None:
        node.attrs[attribute] = target
    elif node.tag == "a":
        _unlink(tree, node)
    else:
        node.decompose()


def _unlink(tree: "LexborHTMLParser", link: "LexborNode") -> None:
    """Replace a link by its text, in the same style."""
    words = tree.create_node("span")
    if link.attributes.get("class"):
        words.attrs["class"] = link.attributes["class"]
    for child in list(link.iter(include_text=True)):
        words.insert_child(child, move=True)
    link.replace_with(words, move=True)


def _is_ours(address: str, origin: str) -> bool:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" == origin


def _sign(tree: "LexborHTMLParser", frame: Frame) -> None:
    """Add the source of the page at its foot, and a Content-Security-Policy for the requests that are allowed."""
    policy = tree.create_node("meta")
    policy.attrs["http-equiv"] = "Content-Security-Policy"
    policy.attrs["content"] = POLICY.format("'self'" if frame.looks_again else "'none'")
    if tree.head is not None and tree.head.child is not None:
        tree.head.child.insert_before(policy)
    foot = tree.css_first("footer.foot") or tree.body
    if foot is not None and frame.mark:
        line = tree.create_node("p")
        line.attrs["class"] = "exported"
        line.insert_child(frame.mark)
        foot.insert_child(line)
    if frame.looks_again is not None and tree.body is not None:
        script = tree.create_node("script")
        script.attrs["src"] = frame.looks_again.script
        script.attrs["data-head"] = frame.looks_again.head
        script.attrs["data-version"] = frame.looks_again.version
        tree.body.insert_child(script)
