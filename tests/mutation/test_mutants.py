"""Generated mutants: each changes what the code does, in one place only."""

import ast
from pathlib import Path

import pytest

from tests.mutation.mutants import mutants_of

CODE = '''
def f(a, b=(1, 2)):
    """Words are left as they are."""
    if a < 3 and not b:
        return -a
    for x in [y for y in b if y > 1]:
        if x == min(a, 2):
            continue
        g(x)
    return f"{a}" + "points" if a else a + True
'''


@pytest.fixture
def changed(tmp_path: Path) -> list[str]:
    path = tmp_path / "code.py"
    path.write_text(CODE)
    return [ast.unparse(mutant.tree()) for mutant in mutants_of(path)]


@pytest.mark.parametrize(
    "line",
    [
        "if a <= 3 and (not b):",
        "if a < 4 and (not b):",
        "if a < 3 or not b:",
        "if not (a < 3 and (not b)):",
        "if a < 3 and (not not b):",
        "return +a",
        "for x in [y for y in b]:",
        "for x in [y for y in b if y >= 1]:",
        "if x == max(a, 2):",
        "if x != min(a, 2):",
        "a - True",
        "a + False",
    ],
)
def test_a_mutant_changes_one_place(changed: list[str], line: str):
    assert sum(line in code for code in changed) == 1


def test_each_mutant_is_another_program_and_none_is_the_first(changed: list[str]):
    assert len(set(changed)) == len(changed)
    assert ast.unparse(ast.parse(CODE)) not in changed
