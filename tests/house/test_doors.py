"""Rows of the log and of the books are accessed through one module each: import-linter checks models, this the rest.

A row can be reached without its model as well: by SQL, by a lookup that joins it, or by a reverse relation.
"""

import ast
import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import Model

from tests.builders.source_files import house_files, name_of
from tests.builders.there import there

LOG = ("scoring/storage/", "tournaments/log/", "tournaments/models/", "tournaments/web/admin/register/log_admin.py")
BOOKS = ("scoring/ledger/", "scoring/storage/", "scoring/models.py", "tournaments/web/admin/register/journal.py")
DOORS = [("tournaments", "tournaments.models.log", LOG), ("scoring", "scoring.models", BOOKS)]
# Django's names for the pages of these models, and a path of them.
PAGES = re.compile(r"admin:|_changelist|\\w\+")


def models_of(app: str, module: str) -> list[type[Model]]:
    return [model for model in apps.get_app_config(app).get_models() if model.__module__ == module]


def outside(door: tuple[str, ...], names: re.Pattern[str]) -> Iterator[tuple[str, ast.AST]]:
    """All strings and names written outside the access module, docstrings apart, with their place.

    Only files in which one of the names occurs: walking the others takes most of the time.
    """
    for path in house_files():
        if not name_of(path).startswith((*door, "benchmarks/")) and names.search(path.read_text()):
            tree = ast.parse(path.read_text())
            docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            yield from (
                (f"{name_of(path)}:{getattr(each, 'lineno', 0)}", each) for each in ast.walk(tree) if each not in docs
            )


@pytest.mark.slow
@pytest.mark.parametrize(("app", "module", "door"), DOORS)
def test_no_sql_outside_a_door_names_its_tables(app, module, door):
    names = sorted(model._meta.db_table for model in models_of(app, module))
    tables = re.compile(rf"\b({'|'.join(names)})\b")
    texts = ((where, each.value) for where, each in outside(door, tables) if isinstance(each, ast.Constant))
    told = [f"{where}: {text}" for where, text in texts if isinstance(text, str) and tables.search(text)]
    assert names
    assert [each for each in told if not PAGES.search(each)] == []


@pytest.mark.slow
def test_nobody_comes_to_the_log_from_the_other_end_of_a_relation():
    """As a lookup, `club__events__kind`, or as an attribute, `club.events`. The books have no reverse relation."""
    rows = models_of("tournaments", "tournaments.models.log")
    relations = [field for model in rows for field in model._meta.fields if field.is_relation]
    ends = {
        (str(there(field.related_model)._meta.model_name), str(there(field.remote_field).get_accessor_name()))
        for field in relations
        if field.related_model not in rows
    }
    assert ("club", "events") in ends
    lookup = re.compile(rf"(^|__)({'|'.join(sorted(name for _, name in ends))})__")
    found = []
    for where, each in outside(LOG, re.compile("|".join({name for _, name in ends}))):
        word = each.arg if isinstance(each, ast.keyword) else each.value if isinstance(each, ast.Constant) else ""
        owner = each.value if isinstance(each, ast.Attribute) else None
        called = getattr(owner, "attr", getattr(owner, "id", ""))
        if lookup.search(str(word)) or (called, getattr(each, "attr", "")) in ends:
            found.append(f"{where}: {ast.unparse(each)}")
    assert found == []
