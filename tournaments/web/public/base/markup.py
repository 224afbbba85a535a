"""A part of a page as a tree of elements and texts, as a browser holds it.

Read by the standard library's parser; our templates close what they open. Knows nothing of boards.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser

VOID = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))


@dataclass(slots=True, eq=False)
class Element:
    """An element with its attributes, and what stands in it."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Node"] = field(default_factory=list)

    @property
    def is_text(self) -> bool:
        """Nothing but text stands in it, or nothing at all."""
        return all(isinstance(child, str) for child in self.children)

    @property
    def text(self) -> str:
        """All text in it, in order."""
        return "".join(texts(self))


Node = Element | str


def read(markup: str) -> Element:
    """The one element that the markup of a part is. Raises ValueError where it is none, or is not closed."""
    reader = _Reader()
    reader.feed(markup.strip())
    reader.close()
    found = reader.root.children
    if len(found) != 1 or not isinstance(found[0], Element) or len(reader.open) != 1:
        raise ValueError("a part is one element that is closed")
    return found[0]


def written(node: Node) -> str:
    """The node as HTML."""
    if isinstance(node, str):
        return escape(node, quote=False)
    attributes = "".join(f' {name}="{escape(value)}"' for name, value in node.attributes.items())
    if node.tag in VOID:
        return f"<{node.tag}{attributes}>"
    return f"<{node.tag}{attributes}>{''.join(map(written, node.children))}</{node.tag}>"


def texts(node: Node) -> Iterator[str]:
    """Every text in a node, in order."""
    if isinstance(node, str):
        yield node
        return
    for child in node.children:
        yield from texts(child)


class _Reader(HTMLParser):
    """Builds the tree. Texts that touch become one, as they are in a browser."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element begins."""
        element = self._put(tag, attrs)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of a drawing, begun and closed at once."""
        self._put(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """The element is closed, in the order in which elements were begun."""
        if self.open[-1].tag != tag:
            raise ValueError(f"</{tag}> closes <{self.open[-1].tag}>")
        self.open.pop()

    def handle_data(self, data: str) -> None:
        """Text."""
        children = self.open[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += data
        else:
            children.append(data)

    def _put(self, tag: str, attrs: list[tuple[str, str | None]]) -> Element:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        return element
