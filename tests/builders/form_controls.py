"""The forms of a page with the values that each control takes, as the page itself says: so no form can be forgotten."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from random import Random

from tests.builders.extreme_values import DAYS, NUMBERS, of_number, of_text

LONG = 400
PRESSED = {"submit", "button", "image", "reset", "file"}
TICKED = {"checkbox", "radio"}
DEFAULTS = {"date": "2026-05-01", "datetime-local": "2026-05-01T19:30", "number": "2", "email": "a@example.org"}


@dataclass
class Control:
    """One control: its type, its present value, and the values it takes."""

    name: str
    kind: str
    value: str = ""
    choices: list[str] = field(default_factory=list)
    limits: dict[str, str] = field(default_factory=dict)
    is_sent: bool = True

    def usual(self) -> str:
        """The present value, or what a user might type."""
        if self.value or self.kind in {"hidden", "select", *TICKED}:
            return self.value
        return DEFAULTS.get(self.kind, "Asha" if "required" in self.limits else "")

    def extreme(self, chance: Random) -> str:
        """What an attacker, or a cat, might send."""
        match self.kind:
            case "select" | "radio":
                return chance.choice([*self.choices, *self.choices, "unknown"])
            case "date":
                return chance.choice(DAYS)
            case "datetime-local":
                return f"{chance.choice(DAYS)}T{chance.choice(('00:00', '23:59'))}"
            case "number":
                return str(of_number(self._limit("min"), self._limit("max"), chance))
        if chance.random() < 0.4:
            return f"{chance.choice(NUMBERS)}{chance.choice(('', '', '.99', ',5'))}"
        return of_text(0, self._limit("maxlength") or LONG, chance)

    def _limit(self, name: str) -> int | None:
        text = self.limits.get(name, "")
        return int(text) if text.lstrip("-").isdigit() else None


@dataclass
class SentForm:
    """One form that is sent by POST."""

    action: str
    controls: list[Control] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def filled(self, chance: Random, *, extremes: int) -> dict[str, list[str]]:
        """The values that a browser would send, with this many of its controls at an extreme."""
        typed = [each for each in self.controls if each.kind != "hidden"]
        odd = {id(each) for each in chance.sample(typed, min(extremes, len(typed)))}
        sent: dict[str, list[str]] = {}
        for each in self.controls:
            is_odd = id(each) in odd
            if each.kind == "checkbox" and each.is_sent is is_odd:
                continue
            if each.is_sent or is_odd:
                value = each.extreme(chance) if is_odd and each.kind != "checkbox" else each.usual()
                sent.setdefault(each.name, []).append(value)
        named = [button for button in self.buttons if button[0]]
        if named:
            name, value = chance.choice(named)
            sent[name] = [value]
        return sent


class PageForms(HTMLParser):
    """All forms of a page that are sent by POST."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[SentForm] = []
        self._open: SentForm | None = None
        self._control: Control | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form" and given.get("method", "").lower() == "post":
            self._open = SentForm(action=given.get("action", ""))
            self.found.append(self._open)
        if self._open is None or "disabled" in given:
            return
        if tag == "button" or given.get("type") in PRESSED:
            self._open.buttons.append((given.get("name", ""), given.get("value", "")))
        elif tag in {"input", "textarea", "select"} and given.get("name"):
            kind = given.get("type", "text") if tag == "input" else tag
            value, is_sent = given.get("value", ""), kind not in TICKED or "checked" in given
            value = value or "on" if kind == "checkbox" else value
            self._control = Control(given["name"], kind, value, [value], given, is_sent=is_sent)
            self._open.controls.append(self._control)
        elif tag == "option" and self._control is not None:
            self._control.choices.append(given.get("value", ""))
            if "selected" in given or not self._control.value:
                self._control.value = given.get("value", "")

    def handle_data(self, data: str) -> None:
        if self._control is not None and self._control.kind == "textarea":
            self._control.value += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        if tag in {"select", "textarea", "form"}:
            self._control = None


def links(page: str) -> Iterator[str]:
    """Every address of this site to which a page links."""
    finder = _Links(page)
    yield from finder.found


class _Links(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, None] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        href = given.get("href") or given.get("src") or ""
        if href.startswith("/") and not href.startswith(("//", "/static/", "/admin/logout")):
            self.found[href.partition("#")[0]] = None
