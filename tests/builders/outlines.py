"""A page as its readers get it, a line for each block: text, links, buttons, fields, rows. No classes, styles, scripts.

Whatever differs from run to run is replaced: ids by what they name or by their order, and tokens, keys and digests.
"""

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode

MOST_CHOICES, FIRST_CHOICES = 12, 3
MOST_ROWS, FIRST_ROWS = 40, 12
# The head and the foot that pages have in common.
FRAME = "#header, .languages"
LEFT_OUT = {"script", "style", "template", "head", "link", "meta", "br", "wbr", "source", "path"}
BLOCKS = {
    *("address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "dialog", "div", "dl", "dt"),
    *("fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html"),
    *("legend", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "svg", "table", "tbody", "tfoot", "thead"),
    *("tr", "ul", "option", "optgroup", "button"),
}
# What opens the line of a block.
MARKS = {f"h{level}": f"{'#' * level} " for level in range(1, 7)} | {"li": "- ", "summary": "> ", "legend": "## "}
MARKS_ALONE = {mark.strip() for mark in MARKS.values()}
# Read out, or shown beside the text.
SAID = ("aria-label", "title", "alt", "placeholder", "lang", "aria-current", "aria-live", "role")
OF_A_BUTTON = ("type", "name", "value", "form", "formaction")
OF_A_FIELD = ("min", "max", "step", "maxlength", "pattern", "inputmode", "autocomplete", "list", "form")
SWITCHES = ("required", "disabled", "readonly", "checked", "multiple", "autofocus", "hidden", "open")
SECRETS = (
    # What tells namesakes apart is the beginning of an id.
    (re.compile(r"\([0-9a-f]{5,12}\)"), "({namesake})"),
    (re.compile(r"\brummy_[\w-]{6}(?![\w-])"), "{secret}"),
    (re.compile(r"[\w.-]{16,}:[\w-]{6}:[\w-]{20,}"), "{signed}"),
    (re.compile(r"\b(\d+)(?:-[0-9A-F]{4}){4}\b"), r"\1-{fingerprint}"),
    (re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{12}(\.\w+)"), r"\1\2"),
    (re.compile(r"\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{12,64}\b"), "{digest}"),
)
IDS = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b")


def outline(page: str, *, is_whole: bool) -> str:
    """The page's lines. Unless it is whole, what frames every page is in short."""
    tree = LexborHTMLParser(page)
    lines = [f"title: {title.text(strip=True)}"] if (title := tree.css_first("title")) else []
    if "<html" in page and (root := tree.css_first("html")):
        lines.insert(0, f"lang: {root.attributes.get('lang')}")
    for meta in tree.css("meta[name=description], meta[name=robots]"):
        lines.append(f"{meta.attributes['name']}: {meta.attributes.get('content')}")
    writer = _Writer(tree, is_whole=is_whole)
    if tree.body:
        writer.write(tree.body)
    writer.end_line()
    return "\n".join([*lines, *writer.lines]) + "\n"


def steady(text: str, names: Mapping[str, str]) -> str:
    """Without what differs from run to run; `names` says what an id names."""
    unnamed: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        found = match.group().replace("-", "")
        return f"{{{names.get(found) or unnamed.setdefault(found, f'id {len(unnamed) + 1}')}}}"

    text = IDS.sub(named, text)
    for pattern, instead in SECRETS:
        text = pattern.sub(instead, text)
    return text


class _Writer:
    """Walks the nodes of a page and keeps the line that is being written."""

    def __init__(self, tree: LexborHTMLParser, *, is_whole: bool) -> None:
        self.lines: list[str] = []
        self._line: list[str] = []
        self._fields = {node.attributes["id"]: node.attributes.get("name") or "a field" for node in tree.css("[id]")}
        self._in_short = [] if is_whole else tree.css(FRAME)
        # Inside a row, a link or a button blocks do not end the line.
        self._is_in_line = False

    def end_line(self, mark: str = "") -> None:
        """Finish the line, if anything is in it."""
        text = " ".join("".join(self._line).split())
        if self._is_in_line:
            self._line.append(" ")
            return
        if text and text not in MARKS_ALONE:
            self.lines.append(text)
        self._line = [mark]

    def write(self, node: LexborNode) -> None:
        """The node and what it holds."""
        tag = node.tag or ""
        if tag == "-text":
            self._line.append((node.text_content or "").replace("\u2068", "").replace("\u2069", ""))
            return
        if tag in LEFT_OUT or tag.startswith(("-", "!", "_")):
            return
        if tag in BLOCKS:
            self.end_line(MARKS.get(tag, ""))
        if any(node.mem_id == frame.mem_id for frame in self._in_short):
            self._line.append(f"({tag}: {' '.join(node.text(separator=' ').split())})")
        else:
            getattr(self, f"_write_{tag}", self._write_any)(node)
        if tag in BLOCKS:
            self.end_line()

    def _write_any(self, node: LexborNode) -> None:
        self._line.append(_remarks(node))
        self._write_inside(node)

    def _write_inside(self, node: LexborNode) -> None:
        for inner in node.iter(include_text=True):
            self.write(inner)

    def _text_inside(self, node: LexborNode) -> str:
        """What the node holds, in one line."""
        before, was_in_line = self._line, self._is_in_line
        self._line, self._is_in_line = [], True
        self._write_inside(node)
        text = " ".join("".join(self._line).split())
        self._line, self._is_in_line = before, was_in_line
        return text

    def _write_a(self, node: LexborNode) -> None:
        self._line.append(f"[{self._text_inside(node)}]({node.attributes.get('href')}){_remarks(node)} ")

    def _write_label(self, node: LexborNode) -> None:
        self._write_any(node)
        target = node.attributes.get("for")
        self._line.append(f" → {self._fields.get(target, 'nothing')}: " if target else " ")

    def _write_s(self, node: LexborNode) -> None:
        self._line.append(f"~~{self._text_inside(node)}~~")

    def _write_form(self, node: LexborNode) -> None:
        given = node.attributes
        self._line.append(f"FORM {given.get('method') or 'get'} {given.get('action') or ''}{_remarks(node)}")
        self.end_line()
        self._write_inside(node)
        self.end_line("END OF FORM")

    def _write_button(self, node: LexborNode) -> None:
        given = node.attributes
        sent = [f" {name}={given[name]}" for name in OF_A_BUTTON if name in given]
        self._line.append(f"<{self._text_inside(node)}>{''.join(sent)}{_remarks(node)} ")

    def _write_input(self, node: LexborNode) -> None:
        given = node.attributes
        kind, name, value = given.get("type") or "text", given.get("name") or "", given.get("value") or ""
        if name == "csrfmiddlewaretoken":
            self._line.append(" (token) ")
            return
        self._line.append(f' ({kind} name="{name}" value="{value}"{_of_field(node)}) ')
        if kind == "hidden":
            self.end_line()

    def _write_textarea(self, node: LexborNode) -> None:
        self._line.append(f' (textarea name="{node.attributes.get("name")}"{_of_field(node)}: {node.text()}) ')

    def _write_select(self, node: LexborNode) -> None:
        choices = _some([_choice(option) for option in node.css("option")])
        self._line.append(f' (select name="{node.attributes.get("name")}"{_of_field(node)}: {" | ".join(choices)}) ')

    def _write_datalist(self, node: LexborNode) -> None:
        self._line.append(f" (list: {' | '.join(_some([_choice(option) for option in node.css('option')]))}) ")

    def _write_ul(self, node: LexborNode) -> None:
        self._write_some(node, "li")

    def _write_tbody(self, node: LexborNode) -> None:
        self._write_some(node, "tr")

    def _write_some(self, node: LexborNode, tag: str) -> None:
        """Of a long list its number and its first."""
        self._line.append(_remarks(node))
        rows = [inner for inner in node.iter(include_text=False) if inner.tag == tag]
        if len(rows) <= MOST_ROWS or self._is_in_line:
            self._write_inside(node)
            return
        for row in rows[:FIRST_ROWS]:
            self.write(row)
        self._line.append(f"… {len(rows)} in all")

    def _write_tr(self, node: LexborNode) -> None:
        cells = [cell for cell in node.iter(include_text=False) if cell.tag in ("td", "th")]
        self._line.append(" | ".join(f"{self._text_inside(cell)}{_spans(cell)}{_remarks(cell)}" for cell in cells))
        self._line.append(_remarks(node))

    def _write_svg(self, node: LexborNode) -> None:
        texts = [" ".join(each.text().split()) for each in node.css("text, title, desc")]
        if texts or _remarks(node):
            self._line.append(f"(drawing{_remarks(node)}: {'; '.join(texts)})")


def _remarks(node: LexborNode) -> str:
    """What is read out or shown beside the text of any node."""
    given = {name: " ".join((value or "").split()) for name, value in node.attributes.items()}
    said = [f'{name}="{given[name]}"' for name in SAID if given.get(name)]
    said += [name for name in SWITCHES if name in given]
    said += [f"src={given['src']}"] if node.tag in ("img", "iframe") else []
    return f" {{{', '.join(said)}}}" if said else ""


def _spans(cell: LexborNode) -> str:
    return "".join(f" {{{name} {cell.attributes[name]}}}" for name in ("colspan", "rowspan") if name in cell.attributes)


def _of_field(node: LexborNode) -> str:
    given = node.attributes
    return "".join(f" {name}={given[name]}" for name in OF_A_FIELD if given.get(name)) + _remarks(node)


def _choice(option: LexborNode) -> str:
    text, value = " ".join(option.text().split()), option.attributes.get("value")
    return f"{text}{'' if value in (None, text) else f' ={value}'}{'*' if 'selected' in option.attributes else ''}"


def _some(choices: list[str]) -> list[str]:
    """All of them, or of many their number, the first ones and the chosen one."""
    if len(choices) <= MOST_CHOICES:
        return choices
    chosen = [choice for choice in choices[FIRST_CHOICES:] if choice.endswith("*")]
    return [f"{len(choices)} choices", *choices[:FIRST_CHOICES], *chosen]
