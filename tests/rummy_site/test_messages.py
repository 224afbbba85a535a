"""Every word of every page has its translation, and the compiled catalogs are those of the texts beside them."""

import re

import pytest
from babel.messages import Catalog
from django.core.management import call_command
from django.test import override_settings

from rummy_site.catalogues import (
    every_message,
    gathered,
    is_current,
    kept,
    languages,
    renewed,
    untranslated,
    write,
    written,
)
from rummy_site.environment import BASE_DIR


@pytest.mark.parametrize("language", ["hi", "de"])
def test_every_message_is_translated_and_compiled(language: str):
    """Planted: a sentence of a template reworded without its translation."""
    catalog = renewed(language, gathered())
    assert [message.id for message in untranslated(catalog)] == []
    assert is_current(language, catalog)


def test_no_message_is_said_alone_that_has_a_plural_elsewhere():
    """Planted: "Winner" beside "Winner, Winners". Older Pythons find only the one with the plural, and say English."""
    said = list(every_message())
    with_plurals = {(message[0], context) for _, message, context in said if not isinstance(message, str)}
    assert [(str(path), message) for path, message, context in said if (message, context) in with_plurals] == []


@pytest.mark.parametrize("language", ["hi", "de"])
def test_a_translation_keeps_the_parts_of_its_message(language: str):
    """Planted: a name misspelt in a translation, which only the page that says it would have told."""
    wrong = [
        message.id for message in kept(language) if message.id and parts_of(message.string) != parts_of(message.id)
    ]
    assert wrong == []


def parts_of(text: str | tuple[str, ...]) -> tuple[set[str], list[str]]:
    """The names in a message and the tags around its words; of a plural those of the last form, which has them all."""
    whole = text if isinstance(text, str) else text[-1]
    return set(re.findall(r"%\(\w+\)s|\{\w+\}", whole)), sorted(re.findall(r"</?\w+", whole))


def test_the_shipped_languages_are_hindi_and_german_beside_english():
    assert languages() == ["hi", "de"]


def test_a_catalog_is_written_the_same_twice():
    catalog = renewed("de", gathered())
    assert written(catalog) == written(catalog)


def test_a_message_that_nothing_has_is_told(tmp_path, capsys):
    """Planted: a check that looks at what is kept alone."""
    with override_settings(LOCALE_PATHS=[tmp_path]), pytest.raises(Exception, match="hi: the catalog is behind"):
        call_command("messages", "--check")


def test_a_message_that_is_given_a_plural_waits_for_its_translation(tmp_path):
    """Planted: what was said of one is taken for what is said of many, and nothing can be gathered any more."""
    with override_settings(LOCALE_PATHS=[tmp_path]):
        before = Catalog(locale="de")
        before.add("One deal", "Ein Deal")
        before.add("Table", "Tisch")
        write("de", before)
        found = Catalog()
        found.add(("One deal", "%(number)s deals"))
        found.add("Table")
        after = renewed("de", found)
    assert [message.id for message in untranslated(after)] == [("One deal", "%(number)s deals")]
    assert after.get("Table").string == "Tisch"


# Names and what is typed on a computer are the same in every language; a block of Django's own is a class.
SAME_EVERYWHERE = {
    "JSON",
    "CSV",
    "XLSX",
    "Rummy Evening",
    "python3 verify.py",
    "7h 8h 9h 10s PJ …",
    "is-entry-print",
    "has-cards",
}
MESSAGE = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}|<(script|style|svg).*?</\1>", re.DOTALL)
TAG = re.compile(r"{%.*?%}|{{.*?}}|&\w+;", re.DOTALL)
LITERAL = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")
COMMENT = re.compile(r"/\*.*?\*/|new \w*Error\(.*?\)", re.DOTALL)
TWO_WORDS = re.compile(r"[A-Za-z]{2}[:.]? [a-z]{2}")
SELECTS = frozenset("#.[(")
NEVER_SHOWN = {"use strict", "faces tray"}
SHOWN = re.compile(r">([^<>]+)<|\s(?:label|title|placeholder|aria-label|alt)=\"([^\"]+)\"")


def test_no_template_says_a_word_that_cannot_be_translated():
    """Planted: the label of a group of options written as it stands."""
    found = {
        f"{path.name}: {said}"
        for path in (BASE_DIR / "templates").rglob("*.html")
        for pair in SHOWN.findall(TAG.sub("", MESSAGE.sub("", path.read_text(encoding="utf-8"))))
        if (said := "".join(pair).strip()) not in SAME_EVERYWHERE and re.search("[a-z]{2}", said, re.IGNORECASE)
    }
    assert found == set()


def test_no_script_says_a_word_that_cannot_be_translated():
    """Planted: "No connection" in the script instead of an attribute of the page."""
    found = {
        f"{path.name}: {text}"
        for path in (BASE_DIR / "tournaments" / "static").rglob("*.js")
        for texts in LITERAL.findall(COMMENT.sub("", path.read_text(encoding="utf-8")))
        if TWO_WORDS.search(text := "".join(texts)) and text not in NEVER_SHOWN and text[:1] not in SELECTS
    }
    assert found == set()
