"""The part of a page that is polled: 304 if unchanged, the difference to what the browser shows, or all of it.

Rules: docs/decisions/0021-what-changed-travels.md. A sent text is cached for a while under its own digest, the base. A
browser sends the base of what it shows, so a difference is only ever applied to exactly that text, whichever process
sent it. A process that does not know a base sends the whole part.
"""

import gzip
import json
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from html import escape
from typing import TYPE_CHECKING

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe

from tournaments.models import Club
from tournaments.projections.cached import cached, cached_already
from tournaments.web.packed import HTML, pack, unpacked
from tournaments.web.public.base.answers import unless_unchanged

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

# A part of a page as a tree of elements and texts, as a browser holds it.


class Element:
    """An element of a parsed part. Its content is parsed only where something changed."""

    def __init__(self, node: "LexborNode") -> None:
        self._node = node
        self.tag = node.tag or ""
        self.markup = node.html or ""

    @cached_property
    def attributes(self) -> dict[str, str]:
        """Attributes by name; empty where an attribute has no value."""
        return {name: value or "" for name, value in self._node.attributes.items()}

    @cached_property
    def children(self) -> list["Node"]:
        """The child elements and texts, in order."""
        nodes: list[Node] = []
        node = self._node.child
        while node is not None:
            nodes.append(node.text_content or "" if node.is_text_node else Element(node))
            node = node.next
        return nodes

    @property
    def is_text(self) -> bool:
        """Whether it contains nothing but text, or nothing at all."""
        return all(isinstance(child, str) for child in self.children)

    @property
    def text(self) -> str:
        """All text in it, in order."""
        return self._node.text()


Node = Element | str


def read(markup: str) -> Element:
    """Parse the single element of a part's markup, as a browser would. Raises ValueError where it is none."""
    # Only processes that compute differences need the 4 MB of the HTML parser.
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415

    root = LexborHTMLParser(markup.strip(), is_fragment=True, scripting=True).root
    if root is None or not root.is_element_node or root.next is not None:
        raise ValueError("a part is one element")
    return Element(root)


def written(node: Node) -> str:
    """Return the node as HTML."""
    return escape(node, quote=False) if isinstance(node, str) else node.markup


# The changes of a part since a visitor's version, in a form that a browser can apply to what it shows.

Change = str | list["Json"]
Json = None | int | str | list["Json"] | dict[str, "Json"]
Kind = tuple[str, ...]
Match = tuple[int, Change | None]
UNCHANGED, TEXT = 0, ("",)


def difference(old: Element, new: Element) -> Change | None:
    """Return what turns `old` into `new`, an element of the same tag; None where they are equal."""
    if old.markup == new.markup:
        return None
    children = _children(old, new)
    attributes = _attributes(old.attributes, new.attributes)
    if attributes:
        return [children, attributes]
    return None if children == UNCHANGED else [children]


def _attributes(old: dict[str, str], new: dict[str, str]) -> dict[str, Json]:
    changed: dict[str, Json] = {name: value for name, value in new.items() if old.get(name) != value}
    return changed | dict.fromkeys(old.keys() - new.keys())


def _children(old: Element, new: Element) -> Json:
    if new.is_text:
        text = new.text
        return UNCHANGED if old.is_text and old.text == text else text
    places = list(_matched(old.children, new.children))
    stays = len(old.children) == len(places) and all(
        isinstance(place, tuple) and place[0] == at for at, place in enumerate(places)
    )
    if not stays:
        return _shortened(places)
    changes: dict[str, Json] = {str(place[0]): place[1] for place in places if place[1] is not None}
    return changes or UNCHANGED


def _matched(old: Sequence[Node], new: Sequence[Node]) -> Iterator[Match | str]:
    """Return for each new child the former one with its changes, or its markup where there was none."""
    waiting: dict[Kind, list[int]] = defaultdict(list)
    for at in reversed(range(len(old))):
        waiting[_kind(old[at])].append(at)
    for child in new:
        same = waiting[_kind(child)]
        yield (at := same.pop(), _node(old[at], child)) if same else written(child)


def _node(old: Node, new: Node) -> Change | None:
    if isinstance(old, Element) and isinstance(new, Element):
        return difference(old, new)
    return None if old == new else str(new)


def _kind(node: Node) -> Kind:
    """Return the key by which a child is matched."""
    if isinstance(node, str):
        return TEXT
    has = node.attributes.get
    if key := has("data-key") or has("id") or has("aria-labelledby"):
        return (node.tag, key)
    return (node.tag, "", has("class", ""))


def _shortened(places: Sequence[Match | str]) -> list[Json]:
    """Shorten the list of children; a run of former neighbours is given by its first and last."""
    listed: list[Json] = []
    for place in places:
        last = listed[-1] if listed else None
        if isinstance(place, str):
            listed.append(place)
        elif place[1] is not None:
            listed.append([*place])
        elif isinstance(last, int) and place[0] == last + 1:
            listed[-1] = [last, place[0]]
        elif isinstance(last, list) and isinstance(last[1], int) and place[0] == last[1] + 1:
            last[1] = place[0]
        else:
            listed.append(place[0])
    return listed


DIFFERENCE = "application/json"
BASE_BYTES = 9
BASE_LENGTH = 2 * BASE_BYTES
# Empty in the templates; filled in once the text can be digested.
NO_BASE, BASE = 'data-base=""', 'data-base="'
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a page of a club, under its tag.

    `owner` is what it shows: differences are computed between texts of one owner only.
    """

    owner: str
    tag: str
    make: Callable[[], str]
    club: Club


def answer_part(request: HttpRequest, part: Part, *, is_shared: bool) -> HttpResponse:
    """Return 304, the difference to the base that the visitor sends as `?since=`, or the whole part."""
    since = request.GET.get("since", "")
    base = since if len(since) == BASE_LENGTH and since.isalnum() else ""

    def make() -> HttpResponse:
        change = _difference(part, base) if base else b""
        text, kind = (change, DIFFERENCE) if change else (_packed(part), HTML)
        # A length could reveal something of what is not published.
        return unpacked(request, text, kind) if is_shared else HttpResponse(gzip.decompress(text), content_type=kind)

    answer = unless_unchanged(request, part.tag, make, is_shared=is_shared)
    if base and answer.status_code == 304 and not is_base_known(part.owner, base):
        # Another process sent what this visitor shows. With it cached here too, the next change is a difference.
        part_text(part)
    return answer


def kept_news(request: HttpRequest, owner: str, tag: str, since: str) -> HttpResponse | None:
    """Return the difference computed for another visitor, of a public part; None where there is none."""
    change: bytes = cached_already(_key(owner, since, tag))
    if not change:
        return None
    return unless_unchanged(request, tag, lambda: unpacked(request, change, DIFFERENCE), is_shared=True)


def is_base_known(owner: str, base: str) -> bool:
    """Whether this process knows the tag of a base's text, and so can compute what has changed since."""
    return cached_already(_key(owner, "base", base)) is not None


def part_text(part: Part) -> SafeString:
    """Return the whole part, made once for each tag. From now on its text is found by its base."""
    text = gzip.decompress(_packed(part)).decode()
    caches["answers"].set(_key(part.owner, "base", _base_of(text)), part.tag)
    return mark_safe(text)  # noqa: S308 - our own template has escaped it


def _base_of(text: str) -> str:
    return text.partition(BASE)[2][:BASE_LENGTH]


def _packed(part: Part) -> bytes:
    return cached(part.tag, lambda: pack(_made(part).encode()), club=part.club)


def _made(part: Part) -> str:
    """Make the text with its base, which is a digest of the rest of it."""
    text = part.make()
    base = blake2b(text.encode(), digest_size=BASE_BYTES).hexdigest()
    return text.replace(NO_BASE, f'{BASE}{base}"', 1)


def _difference(part: Part, since: str) -> bytes:
    """Return the difference as packed JSON, computed once; empty if the base is unknown or the part is shorter.

    The text under a former tag may have been made again since, an event later: then it is not what the browser shows.

    After each deal every phone in the hall asks at once: one computes the difference, the others wait for it.
    """
    tag = cached_already(_key(part.owner, "base", since))
    packed = cached_already(tag) if tag is not None else None
    former = gzip.decompress(packed).decode() if packed is not None else ""
    if _base_of(former) != since:
        return b""

    def make() -> bytes:
        text = part_text(part)
        change = _difference_text(former, text)
        return pack(change.encode()) if change and len(change) < len(text) else b""

    return cached(_key(part.owner, since, part.tag), make, club=part.club)


def _difference_text(former: str, text: str) -> str:
    """Return the difference as JSON. `was` is the former part's text length, to be compared with the browser's."""
    try:
        old, new = read(former), read(text)
    except ValueError as error:
        log.warning("a part travels whole because it cannot be read: %s", error)
        return ""
    change = {"was": len(old.text.encode("utf-16-le")) // 2, "change": difference(old, new)}
    return json.dumps(change, ensure_ascii=False, separators=(",", ":"))


def _key(owner: str, *words: str) -> str:
    return "/".join((owner, *(word.strip('"') for word in words)))
