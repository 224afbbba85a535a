"""What a package is given a name for. `make dead` looks for modules that nobody uses."""

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_no_package_calls_anything_by_the_name_of_a_module_in_it():
    """Python sets the module under that name as soon as it is imported, and the other thing is gone.

    Planted fault: `words` imported into a package that has a module `words`.
    """
    for path in (
        path for package in ("rummy_site", "scoring", "tournaments") for path in ROOT.glob(f"{package}/**/__init__.py")
    ):
        inside = {each.stem for each in path.parent.iterdir()}
        own, named = ".".join(path.parent.relative_to(ROOT).parts), set()
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ImportFrom) and node.module != own:
                # What is imported from that very module is bound after it.
                named |= {each.asname or each.name for each in node.names if node.module != f"{own}.{each.name}"}
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                named.add(node.name)
        assert not named & inside, path
