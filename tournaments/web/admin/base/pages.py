"""What is declared of a page of the back office: address, view, permission, tab, methods; and its purpose."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from enum import StrEnum
from typing import Any, TypeVar

from django.http import HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext_noop

from tournaments.people.permissions import Permission

V = TypeVar("V", bound=Callable[..., object])
PageView = Callable[..., HttpResponseBase]


class Tab(StrEnum):
    """The tabs above a tournament, in their order; the value is the title, to be translated."""

    DASHBOARD = gettext_noop("Dashboard")
    PLAYERS = gettext_noop("Players")
    ROUNDS = gettext_noop("Rounds")
    MONEY = gettext_noop("Money")
    DISPLAY = gettext_noop("Display & print")
    SETUP = gettext_noop("Setup")


def purpose(text: str) -> Callable[[V], V]:
    """What a page is for: the sentence below its heading, to be translated, of at most 90 letters with its full stop.

    No two pages share one. Files and parts of pages have none.
    """

    def declared(view: V) -> V:
        view.purpose = text  # type: ignore[attr-defined]
        return view

    return declared


@dataclass(frozen=True, slots=True)
class Page:
    """A page of one row of the back office.

    `route` comes after the row's address, `name` ends its URL name. Under a `tab`, it has a `title`, to be translated.
    """

    route: str
    name: str
    # None for a page of Django's own, which is declared for its tab.
    view: PageView | None
    # Asked for before the view is called; the views of tables and of the cash desk ask for more themselves.
    permission: Permission = Permission.SEE
    tab: Tab | None = None
    title: str = ""
    # Whether the tab shows it for a tournament.
    is_of_use: Callable[[Any], bool] = lambda tournament: True
    _: KW_ONLY
    # Whether it takes no POST.
    is_read_only: bool = False

    def url_pattern(self, kind: str, view: PageView) -> URLPattern:
        """The URL below rows of a kind. The view carries whether it takes a POST, for `MethodMiddleware`."""
        view.is_read_only = self.is_read_only  # type: ignore[attr-defined]
        return path(f"<uuid:{kind}_id>/{self.route}", view, name=f"tournaments_{kind}_{self.name}")
