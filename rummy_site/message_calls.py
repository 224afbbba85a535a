"""Whether messages can be put into words: every call of `say` and every translation, before a page stumbles over one.

A text that is no literal is not gathered, a part that is missing ends in an error on the page that says it.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages import Catalog

SAY, SAY_MANY, WORDS, COUNT = "say", "say_many", "words", "count"
PART = re.compile(r"\{(\w+)\}")
TEXTS = {SAY: 1, SAY_MANY: 2, WORDS: 1}


def call_faults(path: Path, source: str) -> Iterator[str]:
    """What is wrong with the messages of a module, each with its line."""
    if not any(f"{name}(" in source for name in TEXTS):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TEXTS:
            yield from (f"{path}:{node.lineno}: {fault}" for fault in _faults(node, node.func.id))


def translation_faults(path: Path, catalog: Catalog) -> Iterator[str]:
    """Translations whose parts are others than those of their message, each with its line."""
    for message in catalog:
        ids, strings = _several(message.id), _several(message.string)
        # Of a plural the form for one may leave the number out; the last form has everything.
        if message.id and strings[-1] and _parts(strings[-1]) != _parts(ids[-1]):
            yield f"{path}:{message.lineno}: the translation of {ids[0]!r} has other parts than the message"


def parts_of(text: str) -> set[str]:
    """The names of a message's parts."""
    return set(PART.findall(text))


def _faults(call: ast.Call, name: str) -> Iterator[str]:
    texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
    if len(texts) != TEXTS[name] or len(call.args) != TEXTS[name]:
        yield f"{name}() takes {TEXTS[name]} literal text(s) and nothing else without a name"
        return
    if name == WORDS:
        return
    given = {word.arg for word in call.keywords}
    wanted = set().union(*map(parts_of, texts))
    if name == SAY_MANY and COUNT not in given:
        yield f"a plural needs its number, as `count`: {texts[0]!r}"
    yield from _differences(texts[0], wanted | ({COUNT} if name == SAY_MANY else set()), given)


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
