"""What a page says, a line for each block, to be compared with its stored picture.

[only read out] (only looked at) ~struck out~; cells are separated by |. What differs from run to run is left out.
"""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.builders.flat import BLOCKS
from tests.builders.there import there

CELLS = {"td", "th"}
LINES = {*BLOCKS.split("|"), "h5", "br", "section", "svg", "title", "desc", "text"} - CELLS
SILENT = {"script", "style", "template", "noscript"}
MARKS = {"s": ("~", "~"), "del": ("~", "~"), "visually-hidden": ("[", "]"), "aria-hidden": ("(", ")")}
CHANGING = {
    re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}"): "<uuid>",
    re.compile(r"\b\d+(?:-[0-9A-F]{4}){4}\b"): "<fingerprint>",
    re.compile(r"\b\d\d:\d\d:\d\d\b"): "<clock>",
    re.compile(r"\bclub-[0-9a-f]{8}\b"): "<club>",
    re.compile("[\u2066-\u2069\ufe0e]"): "",
}


def picture(page: bytes, part: str = "main", *, without: str = "") -> list[str]:
    """The text of a part of a page, but for elements `without` which it is looked at."""
    tree = LexborHTMLParser(page)
    for node in tree.css(without) if without else ():
        node.decompose()
    text = "".join(_said(there(tree.css_first(part))))
    for changing, instead in CHANGING.items():
        text = changing.sub(instead, text)
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return [line for line in lines if line.strip("[] ")]


def _said(node: LexborNode) -> Iterator[str]:
    for child in node.iter(include_text=True):
        tag = child.tag or ""
        if tag == "-text":
            yield re.sub(r"\s+", " ", child.text(deep=False))
        elif tag not in SILENT:
            kinds = [tag, *(child.attributes.get("class") or "").split()]
            kinds += ["aria-hidden"] if child.attributes.get("aria-hidden") == "true" and tag != "svg" else []
            first, last = next((MARKS[kind] for kind in kinds if kind in MARKS), ("", ""))
            edge = "\n" if tag in LINES else " | " if tag in CELLS else ""
            yield f"{edge}{first}"
            yield from _said(child)
            yield f"{last}{edge if edge == chr(10) else ''}"
