"""docs/why/architecture.md and its drawing, held against the code: files, functions, imports and streams."""

import ast
import re
from pathlib import Path
from xml.etree import ElementTree

from tests.builders.source_files import ROOT
from tournaments.log.following import FOLDS
from tournaments.models.log import StreamKind

PAGE = ROOT / "docs" / "why" / "architecture.md"
STEP = re.compile(r"^\| \d+ \|[^|]+\| `([^`]+)`: `([^`]+)` \|$", re.MULTILINE)
AGGREGATE = re.compile(r"^\|[^|]+\| `(\w+)` \| `([^`]+)` \|", re.MULTILINE)
# Arrows that stand for an import; along the others go a request, a row, or what the command writes with the event.
IMPORTS = {"view-command", "command-rules", "command-log", "page-projection", "worker-ledger"}


def names_in(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    names |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    return names | {text for node in nodes if isinstance(node, ast.Constant) for text in str(node.value).split(".")}


def defined_in(path: Path) -> set[str]:
    nodes = list(ast.walk(ast.parse(path.read_text())))
    assigned = {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return assigned | {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def test_each_step_of_a_deal_is_where_it_says_and_is_called_by_a_step_before_it():
    steps = [(ROOT / path, name) for path, name in STEP.findall(PAGE.read_text())]
    assert len(steps) == 13
    urls = ROOT / "tournaments" / "web" / "public" / "urls.py"
    for number, (path, name) in enumerate(steps):
        assert name in defined_in(path), f"{path}: {name}"
        callers = [before for before, _ in steps[:number]] if number < len(steps) - 1 else [urls]
        assert number == 0 or any(name in names_in(caller) for caller in callers), f"nothing before it calls {name}"


def test_each_stream_is_folded_where_it_says():
    rows = dict(AGGREGATE.findall(PAGE.read_text()))
    assert set(rows) == set(StreamKind.values)
    for kind, path in rows.items():
        assert (ROOT / path).exists(), path
        if kind != StreamKind.TABLE:
            module = FOLDS[kind][1].__module__
            assert module.startswith(path.removesuffix(".py").rstrip("/").replace("/", ".")), (kind, module)


def test_the_drawing_shows_packages_that_are_there_and_arrows_that_the_imports_have():
    drawing = ElementTree.parse(PAGE.with_suffix(".svg")).getroot()  # noqa: S314 - the project's own drawing
    packages = {
        group.attrib["id"]: text.text or ""
        for group in drawing.findall(".//{*}g")
        for text in group.findall("{*}text")
        if text.attrib["class"] == "path"
    }
    assert len(packages) == 9
    assert all((ROOT / path).is_dir() for path in packages.values())
    arrows = {path.attrib["id"] for path in drawing.findall(".//{*}path") if path.attrib.get("class") == "arrow"}
    assert arrows > IMPORTS
    for arrow in IMPORTS:
        above, below = (packages[end] for end in arrow.split("-"))
        imports = re.compile(rf"^(?:from|import) {below.rstrip('/').replace('/', '[.]')}\b", re.MULTILINE)
        assert any(imports.search(path.read_text()) for path in (ROOT / above).rglob("*.py")), arrow
        other_way = re.compile(rf"^(?:from|import) {above.rstrip('/').replace('/', '[.]')}\b", re.MULTILINE)
        assert not any(other_way.search(path.read_text()) for path in (ROOT / below).rglob("*.py")), f"back: {arrow}"
