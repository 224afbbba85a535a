"""Prefixes of public addresses, and the language in a page's address.

`/de/c/CLUB/t/TOURNAMENT/` is the page in German; without `/de` it redirects to the visitor's language. Resources for
programs have no language in their address: docs/how-to/publishing.md, "Languages".
"""

from django.conf import settings
from django.urls import get_script_prefix, register_converter

from tournaments.models import Club
from tournaments.rendering.i18n.translating import language_of_locale


class SmallNumber:
    """A number that fits every column: longer ones match no route."""

    regex = "[0-9]{1,4}"

    def to_python(self, value: str) -> int:
        return int(value)

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(SmallNumber, "small")

TOURNAMENT = "c/<slug:club_slug>/t/<slug:slug>/"
SEASON = "c/<slug:club_slug>/seasons/<slug:slug>/"
TABLE = f"{TOURNAMENT}r<small:round>/table-<small:number>/"


def without_language(path: str) -> str:
    """Return the address that redirects to a page in the visitor's language."""
    root = get_script_prefix()
    rest = path.removeprefix(root)
    code, _, page = rest.partition("/")
    return f"{root}{page}" if code in dict(settings.LANGUAGES) else path


def in_language(path: str, code: str) -> str:
    """Return the address of the same page in a language; an address that has no languages is returned unchanged."""
    bare, root = without_language(path), get_script_prefix()
    return path if bare == path else f"{root}{code}/{bare.removeprefix(root)}"


def club_language(club: Club) -> str:
    """Return the language of a club's feeds and frames: that of its locale, if it is supported."""
    return language_of_locale(club.locale)
