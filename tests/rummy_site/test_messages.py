"""Every message of every page is translated, and the compiled catalogs match the `.po` files beside them."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.pofile import read_po
from django.core.management import call_command
from django.test import override_settings

from rummy_site import catalogues
from rummy_site.catalogues import (
    KEPT_WORDS,
    call_faults,
    every_message,
    faults,
    gathered,
    is_current,
    languages,
    renewed,
    translation_faults,
    untranslated,
    word_faults,
    write,
    written,
)
from rummy_site.environment import BASE_DIR


@pytest.fixture(scope="module")
def every_word() -> Catalog:
    """All messages, read once: callers must not change it."""
    return gathered()


@pytest.mark.parametrize("language", ["hi", "de"])
def test_every_message_is_gathered_and_compiled(language: str, every_word: Catalog):
    """Planted fault: a sentence of a template reworded, its translation lost. `make package` asks for all."""
    assert is_current(language, renewed(language, every_word))


@pytest.mark.slow
def test_no_message_is_said_alone_that_has_a_plural_elsewhere():
    """Planted fault: "Winner" beside "Winner, Winners". Older Pythons find only the plural one, and show English."""
    said = list(every_message())
    with_plurals = {(message[0], context) for _, message, context in said if not isinstance(message, str)}
    assert [(str(path), message) for path, message, context in said if (message, context) in with_plurals] == []


def test_every_message_has_its_parts_in_code_and_in_every_language():
    """Planted fault: a placeholder misspelt in a call or a translation, which only the page with it would show."""
    assert list(faults()) == []


def test_a_message_that_cannot_be_said_is_refused_with_its_line():
    for call, fault in (
        ("say('{seat} has {number}', seat=1)", "m.py:1: the part number is missing: '{seat} has {number}'"),
        ("say('out', seat=1)", "m.py:1: the text has no part seat: 'out'"),
        ("\nsay(f'{seat} is out')", "m.py:2: say() takes 1 literal text(s) and nothing else without a name"),
        ("say(text)", "m.py:1: say() takes 1 literal text(s) and nothing else without a name"),
        ("say('{a}', **parts)", "m.py:1: parts are given by name, not with **: '{a}'"),
        ("say_many('{count} deal', '{count} deals', number=1)", "m.py:1: a plural needs its number, as `count`"),
        ("say_many('{count} deal', count=1)", "m.py:1: say_many() takes 2 literal text(s)"),
        ("words(title)", "m.py:1: words() takes 1 literal text(s)"),
    ):
        found = list(call_faults(Path("m.py"), call))
        assert found, call
        assert found[0].startswith(fault)
    for call in ("say('{a} of {b}', a=1, b=x)", "say_many('one', '{count}', count=n)", "words('Till')"):
        assert list(call_faults(Path("m.py"), call)) == []


def test_a_translation_with_another_part_is_refused_with_its_line():
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8"\n\n'
    catalog = read_po(BytesIO(f'{head}msgid "{{seat}} is out"\nmsgstr "{{sitz}} ist raus"\n'.encode()), locale="de")
    assert list(translation_faults(Path("de.po"), catalog)) == [
        "de.po:4: the translation of '{seat} is out' has other parts than the message"
    ]


def test_the_shipped_languages_are_hindi_and_german_beside_english():
    assert languages() == ["hi", "de"]


@pytest.mark.slow
def test_a_catalog_is_written_the_same_twice(every_word: Catalog):
    catalog = renewed("de", every_word)
    assert written(catalog) == written(catalog)


def test_a_message_that_nothing_has_is_reported(tmp_path, capsys, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: a check of the catalogs alone. An unused message of a game is enough to fail."""
    monkeypatch.setattr(catalogues, "FOLDERS", ())
    with override_settings(LOCALE_PATHS=[tmp_path]), pytest.raises(Exception, match="hi: the catalog is behind"):
        call_command("messages", "--check")


def test_a_message_that_is_given_a_plural_waits_for_its_translation(tmp_path):
    """Planted fault: the singular's translation taken for the plural, and no message can be collected any more."""
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
    table = after.get("Table")
    assert table is not None
    assert table.string == "Tisch"


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
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}|&\w+;", re.DOTALL)
LITERAL = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'|`([^`]*)`")
COMMENT = re.compile(r"/\*.*?\*/|new \w*Error\(.*?\)", re.DOTALL)
TWO_WORDS = re.compile(r"[A-Za-z]{2}[:.]? [a-z]{2}")
SELECTS = frozenset("#.[(")
NEVER_SHOWN = {"use strict", "faces tray"}
SHOWN = re.compile(r">([^<>]+)<|\s(?:label|title|placeholder|aria-label|alt)=\"([^\"]+)\"")


def test_no_template_says_a_word_that_cannot_be_translated():
    """Planted fault: the label of an option group written as plain text."""
    found = {
        f"{path.name}: {said}"
        for path in (BASE_DIR / "templates").rglob("*.html")
        for pair in SHOWN.findall(TAG.sub("", MESSAGE.sub("", path.read_text(encoding="utf-8"))))
        if (said := "".join(pair).strip()) not in SAME_EVERYWHERE and re.search("[a-z]{2}", said, re.IGNORECASE)
    }
    assert found == set()


def test_no_script_says_a_word_that_cannot_be_translated():
    """Planted fault: "No connection" in the script instead of an attribute of the page."""
    found = {
        f"{path.name}: {text}"
        for path in (BASE_DIR / "tournaments" / "static").rglob("*.js")
        for texts in LITERAL.findall(COMMENT.sub("", path.read_text(encoding="utf-8")))
        if TWO_WORDS.search(text := "".join(texts)) and text not in NEVER_SHOWN and text[:1] not in SELECTS
    }
    assert found == set()


@pytest.mark.slow
def test_no_message_has_a_word_that_puzzles_a_volunteer(every_word: Catalog):
    """Planted fault: "Everything was stored meanwhile" in a template."""
    assert list(word_faults(every_word)) == []
    said = {text for message in every_word for text in ([message.id] if isinstance(message.id, str) else message.id)}
    assert set(KEPT_WORDS) <= said


def test_a_word_that_puzzles_is_reported_with_its_file_and_what_to_say():
    catalog = Catalog()
    catalog.add(("Whoever won", "Those who won"), locations=[("templates/pages/club.html", 0)])
    catalog.add("The winner", locations=[("templates/pages/club.html", 0)])
    catalog.add(next(iter(KEPT_WORDS)), locations=[("rummy_site/languages.py", 0)])
    assert list(word_faults(catalog)) == ["templates/pages/club.html: 'Whoever' in 'Whoever won'; say a player who"]
