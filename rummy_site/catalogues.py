"""The messages of our pages, gathered from templates, code and games, and the translations of each language.

Gathering and compiling are Babel's; a template is first turned into something Babel reads by Django itself. Knows
nothing of what messages mean.
"""

import ast
import csv
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from inspect import getsourcefile
from io import BytesIO
from itertools import product
from os.path import relpath
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

from rummy_site.environment import BASE_DIR
from scoring.rules.variants import VARIANTS, words_of
from tournaments.web.admin.tournament import plan_texts
from tournaments.web.admin.tournament.plan_form import PLAN_FIELDS, STAGE_FIELDS

# Whether messages can be translated: every call of `say` and every translation is checked before a page fails on one.

SAY, SAY_MANY, WORDS, COUNT = "say", "say_many", "words", "count"
PART = re.compile(r"\{(\w+)\}")
TEXTS = {SAY: 1, SAY_MANY: 2, WORDS: 1}


def call_faults(path: Path, source: str) -> Iterator[str]:
    """The wrong messages of a module, each with its line."""
    if not any(f"{name}(" in source for name in TEXTS):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEXTS:
            yield from (f"{path}:{node.lineno}: {fault}" for fault in _faults(node, node.func.id))


def translation_faults(path: Path, catalog: Catalog) -> Iterator[str]:
    """Translations whose placeholders differ from those of their message, each with its line."""
    for message in catalog:
        ids, strings = _several(message.id), _several(message.string)
        # The singular form may leave the number out; the last plural form has every placeholder.
        if message.id and strings[-1] and _parts(strings[-1]) != _parts(ids[-1]):
            yield f"{path}:{message.lineno}: the translation of {ids[0]!r} has other parts than the message"


def parts_of(text: str) -> set[str]:
    """The names of a message's placeholders."""
    return set(PART.findall(text))


def _faults(call: ast.Call, name: str) -> Iterator[str]:
    texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    if len(texts) != TEXTS[name] or len(call.args) != TEXTS[name]:
        yield f"{name}() takes {TEXTS[name]} literal text(s) and nothing else without a name"
        return
    if name == WORDS:
        return
    given_keywords = {word.arg for word in call.keywords}
    text_parts = set().union(*map(parts_of, texts))
    if name == SAY_MANY and COUNT not in given_keywords:
        yield f"a plural needs its number, as `count`: {texts[0]!r}"
    yield from _differences(texts[0], text_parts | ({COUNT} if name == SAY_MANY else set()), given_keywords)


def _differences(text: str, wanted: set[str], given: Iterable[str | None]) -> Iterator[str]:
    has = set(given)
    if None in has:
        yield f"parts are given by name, not with **: {text!r}"
        return
    if missing := wanted - has:
        yield f"the part {', '.join(sorted(missing))} is missing: {text!r}"
    if beyond := {str(part) for part in has} - wanted:
        yield f"the text has no part {', '.join(sorted(beyond))}: {text!r}"


def _several(text: object) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (str(text),)


def _parts(text: str) -> tuple[set[str], list[str]]:
    return set(re.findall(r"%\(\w+\)s|\{\w+\}", text)), sorted(re.findall(r"</?\w+", text))


FOLDERS = ("rummy_site", "scoring", "tournaments", "templates")
# Words that puzzle a volunteer, each a pattern and its replacement; and the messages that may keep such a word.
WORDS_FILE = BASE_DIR / "rummy_site" / "locale" / "words.tsv"
KEPT_WORDS = {
    "No, take me back": "Django's own text, which its pages show",
}
KEYWORDS = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_noop": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "say": None,
    "say_many": (1, 2),
    "words": None,
}
# Headers that would change the catalog although no message has changed.
_DATED = ('"POT-Creation-Date', '"PO-Revision-Date', '"Generated-By', '"Last-Translator', '"Report-Msgid-Bugs-To')
WIDTH = 118
NO_DAY = datetime(2026, 1, 1, tzinfo=UTC)
PROJECT = {"project": "rummy-evening", "version": "1"}
PLAN = BASE_DIR / "scoring/tournament/plans/__init__.py"
HEADER = "# What our pages say. Gathered and compiled by manage.py messages; translations are edited here."


def gathered() -> Catalog:
    """Every message of templates and code, with the files it occurs in."""
    catalog = Catalog(charset="utf-8")
    for path, message, context in every_message():
        catalog.add(message, locations=[(str(path.relative_to(BASE_DIR)), 0)], context=context)
    return catalog


def kept(language: str) -> Catalog:
    """The stored catalog of a language; empty where there is none."""
    path = _path(language, "po")
    if not path.exists():
        return Catalog(locale=language, charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=language)


def renewed(language: str, found: Catalog) -> Catalog:
    """A language's catalog with exactly the messages that were found. No translation is guessed."""
    catalog = Catalog(locale=language, charset="utf-8", header_comment=HEADER, fuzzy=False, **PROJECT)
    old = kept(language)
    for message in found:
        if not message.id:
            continue
        old_message = old.get(_several(message.id)[0], message.context)
        # A message whose plural was added or changed is a new message.
        translation = old_message.string if old_message and old_message.id == message.id else None
        catalog.add(message.id, translation, locations=message.locations, context=message.context)
    return catalog


def untranslated(catalog: Catalog) -> list[Message]:
    """Messages without a translation in a language, or without one of its plural forms."""
    return [message for message in catalog if message.id and not all(_several(message.string or ""))]


def written(catalog: Catalog) -> tuple[bytes, bytes]:
    """A catalog as a .po file to edit and as a .mo file to load. The same bytes for the same messages."""
    raw, compiled = BytesIO(), BytesIO()
    write_po(raw, catalog, width=WIDTH, sort_output=True, omit_header=False, include_lineno=False)
    lines = raw.getvalue().decode().split("\n")
    text = "\n".join(line for line in lines if not line.startswith(_DATED)).encode()
    parsed_catalog = read_po(BytesIO(text), locale=catalog.locale)
    parsed_catalog.creation_date = NO_DAY  # without a date in the text, Babel would write the current minute
    write_mo(compiled, parsed_catalog)
    return text, compiled.getvalue()


def write(language: str, catalog: Catalog) -> None:
    """Write a catalog to both of its files."""
    for ending, content in zip(("po", "mo"), written(catalog), strict=True):
        path = _path(language, ending)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def is_current(language: str, catalog: Catalog) -> bool:
    """Whether both stored files are what this catalog would be written as."""
    paths = [_path(language, ending) for ending in ("po", "mo")]
    return all(path.exists() for path in paths) and written(catalog) == tuple(path.read_bytes() for path in paths)


def every_message() -> Iterator[tuple[Path, str | tuple[str, ...], str | None]]:
    """Every message of every file and game, as often as it occurs: file, message or plural pair, context."""
    for folder in FOLDERS:
        for path in sorted((BASE_DIR / folder).rglob("*")):
            if path.suffix not in (".py", ".html", ".txt") or "migrations" in path.parts:
                continue
            for _, message, _, context in extract(*_readable(path), keywords=KEYWORDS):
                yield path, message, context
    for rules in VARIANTS.values():
        path = Path(getsourcefile(type(rules)) or BASE_DIR)
        yield from ((path, text, None) for text in words_of(rules))
    for described in (*STAGE_FIELDS, *PLAN_FIELDS):
        own = (plan_texts.TITLES, described["title"]), (plan_texts.HELP, described["help"])
        yield from ((PLAN, text, None) for texts, text in own if described["name"] not in texts)


def faults() -> Iterator[str]:
    """Every wrong call that makes a message, and every translation whose placeholders differ from its message."""
    for folder in FOLDERS:
        for path in sorted((BASE_DIR / folder).rglob("*.py")):
            yield from call_faults(path.relative_to(BASE_DIR), path.read_text(encoding="utf-8"))
    for language in languages():
        yield from translation_faults(Path(relpath(_path(language, "po"), BASE_DIR)), kept(language))


def word_faults(found: Catalog) -> Iterator[str]:
    """Messages with a word that puzzles a volunteer, each with its files and the replacement."""
    with WORDS_FILE.open(encoding="utf-8", newline="") as file:
        words = [
            (re.compile(pattern, re.IGNORECASE), better) for pattern, better in list(csv.reader(file, "excel-tab"))[1:]
        ]
    for message in found:
        texts = [text for text in _several(message.id) if text and text not in KEPT_WORDS]
        for text, (pattern, better) in product(texts, words):
            if word := pattern.search(text):
                files = ", ".join(sorted(file for file, _ in message.locations))
                yield f"{files}: {word[0]!r} in {text!r}; say {better}"


def languages() -> list[str]:
    """Every language except the source language."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def _readable(path: Path) -> tuple[str, BytesIO]:
    """The file and the method with which Babel reads it."""
    if path.suffix == ".py":
        return "python", BytesIO(path.read_bytes())
    return "javascript", BytesIO(templatize(path.read_text(), origin=str(path)).encode())


def _path(language: str, ending: str) -> Path:
    return Path(settings.LOCALE_PATHS[0]) / language / "LC_MESSAGES" / f"django.{ending}"
