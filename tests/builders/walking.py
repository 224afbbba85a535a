"""A user who finds the way by what pages show: links are followed and buttons pressed by their texts."""

import re
from dataclasses import dataclass, field
from urllib.parse import urljoin

from django.test import Client
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.builders.flat import flat
from tests.builders.page_forms import forms_in
from tests.builders.page_text import text_of
from tests.builders.there import there

CONTENT = "main"


def text_of_node(node: LexborNode) -> str:
    return " ".join(node.text().replace("\u2068", "").replace("\u2069", "").split())


@dataclass
class Walker:
    """A user at a page; `status` is that of its answer."""

    client: Client
    url: str = ""
    status: int = 0
    text: str = ""
    page: LexborHTMLParser = field(default_factory=lambda: LexborHTMLParser(""))

    def opens(self, url: str) -> "Walker":
        self._shows(self.client.get(urljoin(self.url, url), follow=True), urljoin(self.url, url))
        return self

    def offers_link(self, text: str) -> bool:
        return bool(self._named("a", text))

    def offers_button(self, text: str) -> bool:
        return bool(self._named("button", text))

    def follows(self, *texts: str) -> "Walker":
        """Open the first link of each text, one page after the other."""
        for text in texts:
            links = self._named("a", text)
            assert links, f"no link {text!r} on {self.url} ({self.status}), but {self._texts('a')}"
            self.opens(str(links[0].attributes["href"]))
        return self

    def takes(self, text: str, **typed: str) -> "Walker":
        """Press the button of this text, or follow the link."""
        return self.presses(text, **typed) if self.offers_button(text) else self.follows(text)

    def addresses(self) -> list[str]:
        """Where the links of the page lead."""
        return [urljoin(self.url, str(node.attributes.get("href"))) for node in self.page.css(f"{CONTENT} a[href]")]

    def presses(self, text: str, *, ticks: str = "", **typed: str) -> "Walker":
        """Send the form of a button as a browser would, with these fields typed, and all boxes of a name ticked."""
        buttons = self._named("button", text)
        assert buttons, f"no button {text!r} on {self.url} ({self.status}), but {self._texts('button')}"
        button = buttons[0]
        form = self._form_of(button)
        [read] = forms_in(there(form.html))
        values = {**read.values(), **{name: [value] for name, value in typed.items()}}
        if ticks:
            values[ticks] = [box.value for box in read.controls if box.name == ticks]
        if name := button.attributes.get("name"):
            values[name] = [button.attributes.get("value") or ""]
        url = urljoin(self.url, form.attributes.get("action") or self.url)
        sender = {"referer": f"http://testserver{self.url}"}
        self._shows(self.client.post(url, values, follow=True, headers=sender), url)
        return self

    def _shows(self, answer, url: str) -> None:
        moved = getattr(answer, "redirect_chain", [])
        self.url = urljoin(url, moved[-1][0]) if moved else url
        self.status = answer.status_code
        self.page = LexborHTMLParser(flat(answer.content.decode()))
        self.text = re.sub(r" (?=[,:…])", "", text_of(answer)).replace("\u2068", "").replace("\u2069", "")

    def _form_of(self, button: LexborNode) -> LexborNode:
        if name := button.attributes.get("form"):
            return there(self.page.css_first(f"form#{name}"))
        node = button
        while node.tag != "form":
            node = there(node.parent)
        return node

    def _named(self, tag: str, text: str) -> list[LexborNode]:
        """What is called so, or else whose name begins so."""
        nodes = [node for node in self.page.css(f"{CONTENT} {tag}") if "hidden" not in node.attributes]
        same = [node for node in nodes if text_of_node(node) == text]
        return same or [node for node in nodes if text_of_node(node).startswith(text)]

    def _texts(self, tag: str) -> list[str]:
        return [text_of_node(node) for node in self.page.css(f"{CONTENT} {tag}")]
