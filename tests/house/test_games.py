"""A game is named in its own package and in the register alone: everything else asks the game for its properties.

Words that are both names of games and plain words (points, deals, pool, block) are judged by their context:
compared with a game's name, used as a key to the register, or listed beside the name of another game.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scoring.rules.variants import PACKAGES, PRESETS, VARIANTS

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("rummy_site", "scoring", "tournaments")
PACKAGED = ROOT / "scoring" / "rules" / "variants"
PLAIN_WORDS = {"points", "deals", "pool", "block", "palace"}
NAMES = {*VARIANTS, *PRESETS}
# Parts of identifiers that are used for a game only.
CALLED = {"gin", "romme", "royal", "rummy500", "rum"}
HOLDS_A_NAME = re.compile(r"(variant|game|preset|rules\.name)$")
REGISTER = {"VARIANTS", "PRESETS", "variant", "opening", "seat_price", "play_problems"}
MARKS = {"gettext", "gettext_noop", "words", "say", "pgettext"}
# The example club plays games that it names, as a club would; lists of messages hold what games refuse and report.
MAY_NAME_GAMES = re.compile(r"tournaments/(rehearsal/demo|rendering/i18n/(refusals/)?of_\w+)\.py")
PART_OF_A_NAME = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


def is_name(node: ast.AST, names: set[str] = NAMES) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names


def named_in(source: str) -> Iterator[tuple[int, str]]:
    """Each line on which a game is named, and how."""
    tree = ast.parse(source)
    marked = {id(arg) for call in ast.walk(tree) if _is_mark(call) for arg in ast.walk(call)}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        yield from ((line, f"is called {word}") for word in _identifiers(node) if _parts(word) & CALLED)
        if id(node) in marked:
            continue
        if is_name(node, NAMES - PLAIN_WORDS):
            yield line, f"says {ast.unparse(node)}"
        yield from ((line, f"takes {word.value!r} for a game") for word in _taken_for_games(node))


def _is_mark(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS


def _identifiers(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.alias(name=name) | ast.Name(id=name):
            yield name
        case ast.Attribute(attr=name) | ast.keyword(arg=str(name)) | ast.arg(arg=name):
            yield name


def _parts(identifier: str) -> set[str]:
    return {part.lower() for part in PART_OF_A_NAME.findall(identifier)}


def _taken_for_games(node: ast.AST) -> Iterator[ast.Constant]:
    """Plain words in a place where they are the name of a game."""
    words: Sequence[ast.AST] = []
    match node:
        case ast.Compare(left=left, comparators=others) if any(_holds_a_name(one) for one in (left, *others)):
            words = [inner for one in (left, *others) for inner in (one, *getattr(one, "elts", ()))]
        case ast.Match(subject=subject, cases=cases) if _holds_a_name(subject):
            words = [
                value.value for case in cases for value in ast.walk(case.pattern) if isinstance(value, ast.MatchValue)
            ]
        case ast.Subscript(value=ast.Name(id=register), slice=key) if register in REGISTER:
            words = [key]
        case ast.Call(func=ast.Name(id=register), args=[first, *_]) if register in REGISTER:
            words = [first]
        case ast.keyword(arg="variant" | "preset", value=value):
            words = [value]
        case ast.Dict(keys=elements) | ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            found = [one for one in elements if one is not None and is_name(one)]
            words = found if len({one.value for one in found if isinstance(one, ast.Constant)}) > 1 else []
    yield from (word for word in words if isinstance(word, ast.Constant) and is_name(word))


def _holds_a_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and bool(HOLDS_A_NAME.search(ast.unparse(node)))


def product() -> list[Path]:
    """Every module outside the games' packages, migrations left out."""
    found = sorted(path for room in PRODUCT for path in (ROOT / room).rglob("*.py"))
    return [path for path in found if "migrations" not in path.parts and PACKAGED not in path.parents]


@pytest.mark.slow
def test_no_module_outside_its_package_names_a_game():
    named = [
        f"{name}:{line}: {how}"
        for path in product()
        if not MAY_NAME_GAMES.fullmatch(name := str(path.relative_to(ROOT)))
        for line, how in named_in(path.read_text())
    ]
    assert named == []


def test_no_template_and_no_script_names_a_game():
    sure = "|".join(sorted(NAMES - PLAIN_WORDS, key=len, reverse=True))
    asked = re.compile(rf"""\b({sure})\b|(?:variant|game|preset)\s*(?:==|!=|in)\s*["']""")
    pages = [*(ROOT / "templates").rglob("*"), *(ROOT / "tournaments" / "static").rglob("*.js")]
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:80]}"
        for path in sorted(pages)
        if path.suffix in (".html", ".txt", ".js")
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if asked.search(line)
    ]
    assert named == []


def test_every_package_of_a_game_is_in_the_register():
    """A small game is a module of its own."""
    found = [path.relative_to(ROOT) for path in PACKAGED.rglob("*.py") if "\nGAME = " in path.read_text()]
    assert {".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in found} == set(PACKAGES)
