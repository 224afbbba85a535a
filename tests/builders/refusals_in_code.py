"""Every refusal of the lower layers, read from their code: its message, with `{}` for a placeholder."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from rummy_site.environment import BASE_DIR

# The command line and the API use English only.
ENGLISH_ONLY = ("scoring/hands.py", "scoring/lines.py", "tournaments/web/api/", "tournaments/management/")
PART = re.compile(r"(?:\{\w*\})+")


class Refusal(NamedTuple):
    """A message and where it is used."""

    words: str
    place: str


def bare(text: str) -> str:
    """A message with unnamed placeholders: a form and what it recognises are the same then."""
    return PART.sub("{}", text)


@cache
def refusals() -> frozenset[Refusal]:
    """Every text that becomes the detail of a problem, whether given directly, chosen before or passed on."""
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in _paths()}
    handed_on = _takers(modules.values())
    return frozenset(
        Refusal(words, f"{path.relative_to(BASE_DIR)}:{said.lineno}")
        for path, module in modules.items()
        for said, scope in _details(module, module, handed_on)
        for words in _texts(said, scope, module, ())
        if any(sign.isalpha() for sign in words)
    )


def _paths() -> Iterator[Path]:
    for folder in ("scoring", "tournaments"):
        for path in sorted((BASE_DIR / folder).rglob("*.py")):
            if not str(path.relative_to(BASE_DIR)).startswith(ENGLISH_ONLY):
                yield path


def _takers(modules: Iterable[ast.Module]) -> dict[str, set[int]]:
    """Functions that receive a detail, and as which of their arguments."""
    found: dict[str, set[int]] = defaultdict(set)
    for module in modules:
        for node in ast.walk(module):
            if isinstance(node, ast.FunctionDef):
                names = [one.arg for one in (*node.args.posonlyargs, *node.args.args) if one.arg not in {"self", "cls"}]
                found[node.name] |= {names.index("detail")} if "detail" in names else set()
    return found


def _details(node: ast.AST, scope: ast.AST, takers: dict[str, set[int]]) -> Iterator[tuple[ast.expr, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            name = getattr(child.func, "attr", getattr(child.func, "id", ""))
            yield from ((word.value, scope) for word in child.keywords if word.arg == "detail")
            yield from ((child.args[at], scope) for at in takers.get(name, ()) if at < len(child.args))
        yield from _details(child, child if isinstance(child, ast.FunctionDef) else scope, takers)


def _texts(said: ast.expr, scope: ast.AST, module: ast.Module, seen: tuple[str, ...]) -> Iterator[str]:
    """Every text that an expression can be; what is computed at run time is a placeholder."""
    match said:
        case ast.Constant(value=str(text)):
            yield bare(text)
        case ast.JoinedStr(values=pieces):
            several = [list(_pieces(piece, scope, module, seen)) for piece in pieces]
            yield from (bare("".join(chosen)) for chosen in product(*several))
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one, scope, module, seen)
            yield from _texts(other, scope, module, seen)
        case ast.BoolOp(values=ones):
            for one in ones:
                yield from _texts(one, scope, module, seen)
        case ast.Name(id=name) if name not in seen:
            for value in _assigned(name, scope) or _assigned(name, module):
                yield from _texts(value, scope, module, (*seen, name))


def _pieces(piece: ast.expr, scope: ast.AST, module: ast.Module, seen: tuple[str, ...]) -> Iterator[str]:
    if isinstance(piece, ast.Constant):
        yield str(piece.value)
    elif isinstance(piece, ast.FormattedValue) and isinstance(piece.value, ast.IfExp):
        yield from dict.fromkeys((*_texts(piece.value, scope, module, seen),)) or ("{}",)
    else:
        yield "{}"


def _assigned(name: str, scope: ast.AST) -> list[ast.expr]:
    """The values assigned to a name in a function or module."""
    found: list[ast.expr] = []
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                found += _given(name, target, node.value)
    return found


def _given(name: str, target: ast.expr, value: ast.expr) -> list[ast.expr]:
    if isinstance(target, ast.Name):
        return [value] if target.id == name else []
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return [one for goal, given in zip(target.elts, value.elts, strict=True) for one in _given(name, goal, given)]
    return []
