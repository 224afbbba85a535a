"""The script that verifies a log is written in modules, and published as one file.

Planted faults: an import of one of our modules that is not removed; a script left as an earlier release wrote it.
"""

import ast
import sys
from pathlib import Path

from django.contrib.staticfiles import finders

from tests.builders.source_files import ROOT
from tournaments.checker import ADDRESS, PARTS, script, written_below


def test_one_file_has_every_part_and_needs_nothing_beside_it():
    tree = ast.parse(script(), feature_version=(3, 9))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert {str(name).partition(".")[0] for name in named} - sys.stdlib_module_names == set()
    has = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for part in PARTS:
        own = ast.parse((ROOT / part).read_text())
        assert {node.name for node in own.body if isinstance(node, ast.FunctionDef | ast.ClassDef)} <= has
    assert (ast.get_docstring(tree) or "").startswith("Checks a night's log")


def test_what_an_earlier_release_wrote_is_written_again(tmp_path: Path):
    (tmp_path / ADDRESS).parent.mkdir()
    (tmp_path / ADDRESS).write_text("earlier")
    assert written_below(tmp_path) == tmp_path
    assert (tmp_path / ADDRESS).read_text() == script()
    assert [path.name for path in (tmp_path / ADDRESS).parent.iterdir()] == ["verify.py"]


def test_it_is_found_among_the_static_files_at_its_address():
    found = finders.find(ADDRESS)
    assert Path(str(found)).read_text() == script()
