"""Every module is imported, started or named somewhere: no dead modules.

Planted faults: a module that no other imports; an entry point in the list that is imported as well; `words` imported
into a package that has a module `words`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("rummy_site", "scoring", "tournaments")
# Django finds these by their paths and names.
BY_PLACE = re.compile(r"\.migrations(\.|$)|\.management(\.|$)|\.(apps|admin|models|__main__)$")
# Started from outside.
ENTRY_POINTS = {
    "rummy_site.asgi": "servers of ASGI",
    "rummy_site.sqlite.base": "Django, by the name of its package",
    "tournaments.checker.judging": "visitors, who take it away as the end of one file",
}
DOTTED = re.compile(r"[\"']((?:rummy_site|scoring|tournaments)(?:\.\w+)+)")


def reached() -> Iterator[str]:
    """Every module that is imported, also inside a function, and every one that a string names by its path."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None)
    yield from (name for name in graph.modules if graph.find_modules_that_directly_import(name))
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for name in DOTTED.findall(path.read_text()):
                parts = name.split(".")
                yield from (".".join(parts[:end]) for end in range(1, len(parts) + 1))


def modules() -> dict[str, Path]:
    """Every module that is a file of its own; a package stands for what is in it."""
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*.py") if path.name != "__init__.py")
    return {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in files}


@pytest.fixture(scope="module")
def unreached() -> set[str]:
    return {name for name in modules().keys() - set(reached()) if not BY_PLACE.search(name)}


@pytest.mark.slow
def test_every_module_has_an_importer(unreached: set[str]):
    assert unreached - ENTRY_POINTS.keys() == set()


@pytest.mark.slow
def test_an_entry_point_is_there_and_nobody_imports_it(unreached: set[str]):
    assert ENTRY_POINTS.keys() - unreached == set()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_package_calls_anything_by_the_name_of_a_module_in_it(package: str):
    """Python sets the module under that name as soon as it is imported, and the other thing is gone."""
    for path in (ROOT / package).rglob("__init__.py"):
        body = ast.parse(path.read_text()).body
        inside = {each.stem for each in path.parent.glob("*.py")} | {each.name for each in path.parent.iterdir()}
        own = ".".join(path.parent.relative_to(ROOT).parts)
        imported = (node for node in body if isinstance(node, ast.ImportFrom) and node.module != own)
        # What is imported from that very module is bound after it.
        named = {
            alias.asname or alias.name
            for node in imported
            for alias in node.names
            if node.module != f"{own}.{alias.name}"
        }
        named |= {node.name for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        assert not named & inside, path
