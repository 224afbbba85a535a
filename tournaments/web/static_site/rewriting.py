"""Makes a page of the site stand by itself: no polling, no forms, and every link to a file beside it.

The page is read and written by the HTML standard. Nothing is looked for in its text.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from tournaments.web.static_site.addresses import undigested

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

# Every page works without its scripts, so only those come along that are known to ask the site for nothing.
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
# No script that comes along may ask anybody anything, whatever it was written for.
POLICY = "connect-src 'none'; form-action 'none'; frame-src 'none'; object-src 'none'; base-uri 'none'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a page is rewritten against: where it stands on the site, and how links from there go on.

    `link` takes a full address of the site and gives that of a file beside the page, of the site, or None.
    """

    address: str
    origin: str
    link: Callable[[str], str | None]
    has_site: bool
    mark: str


def still(page: bytes, frame: Frame) -> bytes:
    """The page as a file."""
    # Most processes never export anything, and need not hold the 4 MB that read pages.
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415

    tree = LexborHTMLParser(page.decode())
    dropped = DROPPED if frame.has_site else (*DROPPED, NEEDS_THE_SITE, *ABOUT_THE_ADDRESS)
    for selector in dropped:
        _drop_all(tree, selector)
    _quiet(tree)
    for tag, attribute in LINKING:
        for node in tree.css(f"{tag}[{attribute}]"):
            _relink(tree, node, attribute, frame)
    _sign(tree, frame.mark)
    return (tree.html or "").encode()


def _drop_all(tree: "LexborHTMLParser", selector: str) -> None:
    # One at a time: what stood inside another one is gone with it.
    while (node := tree.css_first(selector)) is not None:
        node.decompose()


def _quiet(tree: "LexborHTMLParser") -> None:
    """Nothing on the page asks for anything by itself."""
    for node in tree.css("script[src]"):
        if undigested(node.attributes.get("src") or "").rpartition("/")[2] not in KEPT_SCRIPTS:
            node.decompose()
    for node in tree.css("[hx-get], [hx-post], [hx-trigger], [data-live]"):
        for name in [name for name in node.attributes if name.startswith(("hx-", "data-"))]:
            del node.attrs[name]


def _relink(tree: "LexborHTMLParser", node: "LexborNode", attribute: str, frame: Frame) -> None:
    """Another address for the same thing; where there is none, a link becomes its text and anything else goes."""
    said = node.attributes.get(attribute) or ""
    full = urljoin(frame.address, said)
    if said.startswith("#") or not _is_ours(full, frame.origin):
        return
    found = frame.link(full)
    if found is not None:
        node.attrs[attribute] = found
    elif node.tag == "a":
        _unlink(tree, node)
    else:
        node.decompose()


def _unlink(tree: "LexborHTMLParser", link: "LexborNode") -> None:
    """What the link said, in its place and as it looked there."""
    words = tree.create_node("span")
    if link.attributes.get("class"):
        words.attrs["class"] = link.attributes["class"]
    for child in list(link.iter(include_text=True)):
        words.insert_child(child, move=True)
    link.replace_with(words, move=True)


def _is_ours(address: str, origin: str) -> bool:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}" == origin


def _sign(tree: "LexborHTMLParser", mark: str) -> None:
    """What the page was made from, at its foot; and the word to the browser that it asks for nothing."""
    policy = tree.create_node("meta")
    policy.attrs["http-equiv"] = "Content-Security-Policy"
    policy.attrs["content"] = POLICY
    if tree.head is not None and tree.head.child is not None:
        tree.head.child.insert_before(policy)
    line = tree.create_node("p")
    line.attrs["class"] = "exported"
    line.insert_child(mark)
    foot = tree.css_first("footer.foot") or tree.body
    if foot is not None:
        foot.insert_child(line)
