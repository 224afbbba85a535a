"""A name set in emphasis in the documentation is a name that pages show today: a button, a page, a tab, a field."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import django
import pytest
from babel.messages.pofile import read_po
from django.contrib import admin

from tests.builders.source_files import ROOT, name_of

CATALOGUES = (
    ROOT / "rummy_site" / "locale" / "de" / "LC_MESSAGES" / "django.po",
    # Its pages about logins use messages of Django's catalogue.
    *(Path(django.__file__).parent / "contrib").glob("a*/locale/de/LC_MESSAGES/django.po"),
)
INSTRUCTIONS = sorted(path for part in ("start", "how-to") for path in (ROOT / "docs" / part).glob("*.md"))
EXAMPLE = re.compile(r"^```[\s\S]*?^```$|^(?: {4,}|\s*\|).*$|`[^`]*`", re.MULTILINE)
EMPHASIS = re.compile(r"(?<!\*)\*(?![\s*])([^*]+?)\*(?!\*)")
MARKUP = re.compile(r'<span class="visually-hidden">.*?</span>|<[^>]+>')
PART = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
# A message that is little more than its placeholders would match any name: this many letters of a name must be fixed.
OWN_SHARE = 0.5


def plain(text: str) -> str:
    """Normalised as a page shows it. A label may begin with a capital where the catalogue does not, as Django does."""
    shown = " ".join(MARKUP.sub("", text).split())
    return shown[:1].lower() + shown[1:]


def texts() -> Iterator[str]:
    for path in CATALOGUES:
        with path.open("rb") as file:
            for message in read_po(file):
                yield from message.id if isinstance(message.id, (tuple, list)) else [message.id]
    for model in admin.site._registry:
        yield f"Add {model._meta.verbose_name}"


@cache
def fixed_names() -> frozenset[str]:
    """Names without placeholders. One that ends in a placeholder is known without it."""
    shown = {plain(text) for text in texts()}
    heads = {PART.sub("", text).rstrip(": ") for text in shown if re.search(r": (?:%\(\w+\)[sd]|\{\w+\})$", text)}
    return frozenset(shown | heads)


@cache
def patterns() -> tuple[tuple[int, re.Pattern[str]], ...]:
    """Names with placeholders, and how many of their letters are fixed."""
    with_parts = [text for text in fixed_names() if PART.search(text)]
    return tuple(
        (len(PART.sub("", text)), re.compile(".+".join(re.escape(part) for part in PART.split(text))))
        for text in with_parts
    )


def is_known(name: str) -> bool:
    if name in fixed_names():
        return True
    return any(own >= OWN_SHARE * len(name) and pattern.fullmatch(name) for own, pattern in patterns())


def unknown_names(text: str) -> list[str]:
    said = [plain(name) for name in EMPHASIS.findall(EXAMPLE.sub("", text))]
    return [name for name in said if not is_known(name)]


@pytest.mark.parametrize("document", INSTRUCTIONS, ids=name_of)
def test_every_emphasised_name_is_on_a_page(document: Path):
    """Planted fault: a button under its old name."""
    assert unknown_names(document.read_text()) == []
