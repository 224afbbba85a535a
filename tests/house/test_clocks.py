"""A test that compares a measured time with a limit runs alone: it is marked `timed` (or `long`).

Planted fault: the mark removed from a test of a lock that is held.
"""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLOCKS = {"monotonic", "perf_counter", "process_time", "thread_time"}


def test_a_test_that_reads_how_long_something_took_runs_alone():
    named = {
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in sorted(ROOT.rglob("test_*.py"))
        if any(clock in path.read_text() for clock in CLOCKS)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        if measures(node) and not marks(node) & {"timed", "long"}
    }
    assert named == set()


def measures(function: ast.FunctionDef) -> bool:
    """Whether an earlier reading of a clock is subtracted from a later one."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and isinstance(node.left, ast.Call)
        and ast.unparse(node.left.func).rpartition(".")[2] in CLOCKS
        for node in ast.walk(function)
    )


def marks(function: ast.FunctionDef) -> set[str]:
    return {node.attr for decorator in function.decorator_list for node in ast.walk(decorator) if hasattr(node, "attr")}
