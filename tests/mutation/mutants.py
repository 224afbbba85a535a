"""Small faults that a person could have typed: one changed sign, number, condition or call for each mutant.

Knows nothing of tests. A mutant is identified by its file, its line, its number in the file, and the change.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COMPUTED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Mutant:
    """One changed place of a file."""

    path: Path
    line: int
    number: int
    change: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} #{self.number} {self.change}"

    def tree(self) -> ast.Module:
        """The whole module, with the change in it."""
        tree = ast.parse(self.path.read_text(), filename=str(self.path))
        index, change = list(_places(tree))[self.number]
        change(_nodes(tree)[index])
        return ast.fix_missing_locations(tree)


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file's functions, in order."""
    source = ast.parse(path.read_text(), filename=str(path))
    nodes = _nodes(source)
    for number, (index, change) in enumerate(_places(source)):
        text = change(copy.deepcopy(nodes[index]))
        yield Mutant(path=path, line=_line(nodes[index]), number=number, change=text)


def _line(node: ast.AST) -> int:
    """The line of a node; a filter has the line of its comprehension's target."""
    return node.target.lineno if isinstance(node, ast.comprehension) else node.lineno  # type: ignore[attr-defined]


def _nodes(tree: ast.Module) -> list[ast.AST]:
    """The nodes in the bodies of functions, in an order that a copy keeps; annotations and strings left out."""
    found: list[ast.AST] = []
    for function in _outermost(tree):
        for statement in function.body:
            _collect(statement, found)
    return found


def _outermost(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, FUNCTIONS):
            yield child
        elif isinstance(child, ast.ClassDef | ast.If | ast.Try):
            yield from _outermost(child)


def _collect(node: ast.AST, found: list[ast.AST]) -> None:
    found.append(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                _collect(child, found)


Change = Callable[[ast.AST], str]


def _places(tree: ast.Module) -> Iterator[tuple[int, Change]]:
    for index, node in enumerate(_nodes(tree)):
        for change in _changes(node):
            yield index, change


def _changes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        yield from (_compared(at) for at, op in enumerate(node.ops) if type(op) in COMPARED)
        return
    for kinds, applies, change in CHANGES:
        if isinstance(node, kinds) and applies(node):
            yield change


def _is_text(node: ast.BinOp) -> bool:
    return any(isinstance(side, ast.JoinedStr | ast.Constant) and _is_word(side) for side in (node.left, node.right))


def _is_word(side: ast.AST) -> bool:
    return isinstance(side, ast.JoinedStr) or isinstance(getattr(side, "value", None), str)


def _compared(at: int) -> Change:
    def change(node: ast.AST) -> str:
        assert isinstance(node, ast.Compare)
        old, new = type(node.ops[at]), COMPARED[type(node.ops[at])]
        node.ops[at] = new()
        return f"{old.__name__} -> {new.__name__}"

    return change


def _computed(node: ast.AST) -> str:
    assert isinstance(node, ast.BinOp)
    old, new = type(node.op), COMPUTED[type(node.op)]
    node.op = new()
    return f"{old.__name__} -> {new.__name__}"


def _joined(node: ast.AST) -> str:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return "and <-> or"


def _bared(node: ast.AST) -> str:
    assert isinstance(node, ast.UnaryOp)
    old = type(node.op).__name__
    node.op = ast.UAdd()
    if old == "Not":
        # Negated twice, the operand is a truth value.
        node.op, node.operand = ast.Not(), ast.UnaryOp(op=ast.Not(), operand=node.operand)
    return f"without {old}"


def _counted(node: ast.AST) -> str:
    assert isinstance(node, ast.Constant)
    old = node.value
    assert isinstance(old, int)
    node.value = (not old) if isinstance(old, bool) else old + 1
    return f"{old} -> {node.value}"


def _negated(node: ast.AST) -> str:
    assert isinstance(node, ast.If | ast.IfExp | ast.While)
    node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)
    return "condition turned round"


def _unfiltered(node: ast.AST) -> str:
    assert isinstance(node, ast.comprehension)
    node.ifs = node.ifs[1:]
    return "without its filter"


def _called(node: ast.AST) -> str:
    assert isinstance(node, ast.Call)
    assert isinstance(node.func, ast.Name)
    old = node.func.id
    node.func.id = CALLED[old]
    return f"{old} -> {node.func.id}"


def _left_out(node: ast.AST) -> str:
    if isinstance(node, ast.Expr):
        node.value = ast.Constant(value=None)
        return "statement left out"
    # A statement cannot remove itself from its list; a harmless one replaces it.
    node.__class__ = ast.Pass
    return "continue left out"


def _returns_nothing(node: ast.AST) -> str:
    assert isinstance(node, ast.Return)
    node.value = None
    return "returns nothing"


# How each kind of node is changed, where it is changed at all.
CHANGES: tuple[tuple[tuple[type, ...], Callable[[Any], bool], Change], ...] = (
    ((ast.BinOp,), lambda node: type(node.op) in COMPUTED and not _is_text(node), _computed),
    ((ast.BoolOp,), lambda node: True, _joined),
    ((ast.UnaryOp,), lambda node: isinstance(node.op, ast.Not | ast.USub), _bared),
    ((ast.Constant,), lambda node: isinstance(node.value, int), _counted),
    ((ast.If, ast.IfExp, ast.While), lambda node: True, _negated),
    ((ast.comprehension,), lambda node: bool(node.ifs), _unfiltered),
    ((ast.Call,), lambda node: isinstance(node.func, ast.Name) and node.func.id in CALLED, _called),
    ((ast.Expr,), lambda node: isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom), _left_out),
    ((ast.Return,), lambda node: node.value is not None and not isinstance(node.value, ast.Constant), _returns_nothing),
    ((ast.Continue,), lambda node: True, _left_out),
)
