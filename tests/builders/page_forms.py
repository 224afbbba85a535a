"""The forms of a page as a browser holds and sends them: read from its HTML, changed field by field, sent."""

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client

Values = dict[str, list[str]]


@dataclass
class Control:
    """One named control."""

    name: str
    kind: str
    value: str = ""
    options: list[str] = field(default_factory=list)
    is_on: bool = True
    is_disabled: bool = False


@dataclass
class PageForm:
    """One form of a page."""

    action: str
    method: str
    name: str = ""
    controls: list[Control] = field(default_factory=list)

    def values(self) -> Values:
        """The values that a browser would send if the form were submitted unchanged."""
        sent: Values = {}
        for one in self.controls:
            if one.name and one.is_on and not one.is_disabled and one.kind not in {"submit", "button", "file"}:
                sent.setdefault(one.name, []).append(one.value)
        return sent

    def named(self, name: str) -> Control:
        return next(one for one in self.controls if one.name == name)

    def has(self, name: str) -> bool:
        return any(one.name == name for one in self.controls)

    def open_controls(self) -> list[Control]:
        """Controls that a user can fill."""
        hidden = {"hidden", "submit", "button", "file", "password"}
        return [one for one in self.controls if one.name and one.kind not in hidden and not one.is_disabled]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[PageForm] = []
        self.now: PageForm | None = None
        self.text: Control | None = None
        self.select: Control | None = None
        self.disabled: list[bool] = []
        self.beside: list[tuple[str, Control]] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        said = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.now = PageForm(
                action=said.get("action", ""), method=said.get("method", "get").lower(), name=said.get("id", "")
            )
            self.forms.append(self.now)
        elif tag == "fieldset":
            self.disabled.append("disabled" in said)
        elif self.now is None:
            if "form" in said and tag in {"input", "button"}:
                control = Control(said.get("name", ""), said.get("type", "submit"), said.get("value", ""))
                self.beside.append((said["form"], control))
        elif tag in {"input", "button"}:
            kind = said.get("type", "text" if tag == "input" else "submit")
            is_box = kind in {"checkbox", "radio"}
            value = said.get("value", "on" if is_box else "")
            self._add(Control(said.get("name", ""), kind, value, is_on=not is_box or "checked" in said), said)
        elif tag == "textarea":
            self.text = self._add(Control(said.get("name", ""), "textarea"), said)
        elif tag == "select":
            kind = "multiple" if "multiple" in said else "select"
            self.select = self._add(Control(said.get("name", ""), kind, is_on=kind == "select"), said)
        elif tag == "option" and self.select is not None:
            self._option(self.select, said)

    def _option(self, select: Control, said: dict[str, str]) -> None:
        is_first = not select.options
        select.options.append(said.get("value", ""))
        if "selected" in said and select.kind == "multiple":
            self._add(Control(select.name, "chosen", said.get("value", "")), {})
        elif "selected" in said or (is_first and select.kind == "select"):
            select.value = said.get("value", "")

    def _add(self, control: Control, said: dict[str, str]) -> Control:
        assert self.now is not None
        control.is_disabled = "disabled" in said or any(self.disabled)
        self.now.controls.append(control)
        return control

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.now = None
        elif tag == "fieldset" and self.disabled:
            self.disabled.pop()
        elif tag == "textarea" and self.text is not None:
            # Browsers drop the line break that follows the opening tag.
            self.text.value = self.text.value.removeprefix("\r\n").removeprefix("\n")
            self.text = None
        elif tag == "select":
            self.select = None

    def handle_data(self, data: str) -> None:
        if self.text is not None:
            self.text.value += data


def forms_in(text: str) -> list[PageForm]:
    reader = _Reader()
    reader.feed(text)
    for name, control in reader.beside:
        next(form for form in reader.forms if form.name == name).controls.append(control)
    return reader.forms


def opened(client: Client, url: str, *, having: str = "seen") -> PageForm:
    """The form of a page that has a control of this name."""
    answer = client.get(url)
    assert answer.status_code == 200, (url, answer.status_code)
    return next(form for form in forms_in(answer.content.decode()) if form.has(having))


def edit(client: Client, url: str, **changes: Any) -> Any:
    """Open a page, change some fields, and send it. Written `option__splits` for `option-splits`; None leaves out."""
    values: dict[str, Any] = dict(opened(client, url).values())
    for name, value in changes.items():
        values[name.replace("__", "-")] = value
    return client.post(url, {name: value for name, value in values.items() if value is not None})


def sent(client: Client, url: str, typed: dict[str, Any], *, seen: str | None = None) -> Any:
    """Send these fields from the page as it is now, or as it was when it held `seen`."""
    token = opened(client, url).named("seen").value if seen is None else seen
    return client.post(url, {"seen": token, **typed})
