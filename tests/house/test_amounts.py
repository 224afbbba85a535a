"""Every amount in a sentence is written by one function, with its currency, as the club writes it.

Planted faults these catch: a refusal that says "has 689.00" or "has 68900".
"""

import ast
from collections.abc import Iterator

from tests.builders.source_files import house_files, name_of

# Where digits are put together for a column with a heading, a file, or an operator's report that names the currency.
WRITERS = {
    "scoring/messages.py",
    "scoring/money/formatting.py",
    "scoring/exports/__init__.py",
    "scoring/exports/spreadsheets.py",
    "tournaments/integrity/audit.py",
}
# What makes text, or a part of a message, of minor units.
WRITING = {"Amount", "money", "amount_text", "refund_text"}
MINOR = ("_minor", "MOST_SUM", "MOST_MINOR")


def called(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def minor_units(node: ast.AST) -> Iterator[str]:
    """Names of amounts in an expression that are not made into text or a part there."""
    if isinstance(node, ast.Call) and called(node) in WRITING:
        return
    name = getattr(node, "attr", "") or getattr(node, "id", "")
    if name.endswith(MINOR):
        yield name
    for child in ast.iter_child_nodes(node):
        yield from minor_units(child)


def test_digits_of_amounts_are_put_together_in_one_place():
    users = {name_of(path) for path in house_files() if "format_minor(" in path.read_text()}
    assert users == WRITERS


def test_no_message_has_an_amount_in_minor_units():
    bare = [
        f"{name_of(path)}:{node.lineno}: {name}"
        for path in house_files()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and called(node) in ("say", "say_many", "format")
        for keyword in node.keywords
        for name in minor_units(keyword.value)
    ]
    assert bare == []
