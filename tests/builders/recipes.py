"""The programs of docs/how-to/recipes.md, as they stand there."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.builders.node import require_node

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "recipes.md").read_text(encoding="utf-8")


def recipe(name: str) -> str:
    """The program that the page says to save under this name."""
    [text] = re.findall(rf"`{re.escape(name)}`[^`]*?:\n\n```\w+\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(text)


def command(name: str, folder: Path) -> list[str]:
    """How the program is run that is saved in this folder: by Python, or by Node where its name says so."""
    (folder / name).write_text(recipe(name), encoding="utf-8")
    if name.endswith(".mjs"):
        require_node()
        return ["node", name]
    return [sys.executable, name]


def run_recipe(name: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run the program to its end, with nothing but these variables in its environment."""
    environment = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run(
        command(name, folder), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
