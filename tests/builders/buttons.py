"""The forms of a page as a browser has them: prefilled values, and the buttons that send them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

Values = dict[str, list[str]]
SENT_WHEN_TICKED = ("checkbox", "radio")


@dataclass
class Form:
    """One form: its address, its values, and its buttons as name and value."""

    action: str
    values: Values = field(default_factory=dict)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    def does(self, deed: str) -> bool:
        return self.values.get("do") == [deed] or ("do", deed) in self.buttons


class Forms(HTMLParser):
    """All forms of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Form] = []
        self._open: Form | None = None
        self._select = self._text = ""
        self._option = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._open = Form(action=given.get("action", ""))
            self.found.append(self._open)
        if self._open is None:
            return
        name, value = given.get("name", ""), given.get("value", "")
        is_ticked = given.get("type") not in SENT_WHEN_TICKED or "checked" in given
        if tag == "input" and name and is_ticked:
            self._open.values.setdefault(name, []).append(value)
        elif tag == "button":
            self._open.buttons.append((name, value))
        elif tag == "select":
            self._select = name
        elif tag == "textarea":
            self._text = name
            self._open.values[name] = [""]
        elif tag == "option" and self._select:
            self._option = "selected" in given or self._select not in self._open.values
            if self._option:
                self._open.values[self._select] = [value]
            self._option = self._option and "value" not in given

    def handle_data(self, data: str) -> None:
        if self._open is not None and self._text:
            self._open.values[self._text][0] += data
        elif self._open is not None and self._option:
            self._open.values[self._select] = [data.strip()]
            self._option = False

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._open = None
        elif tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._text = ""


def form_that(page: str, deed: str) -> Form:
    """The form of a page for an action."""
    return next(form for form in Forms(page).found if form.does(deed))
