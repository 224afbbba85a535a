"""Node, for what runs in JavaScript outside a browser, and packages that a test installs for itself."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import NoReturn

import pytest


def require_node() -> None:
    """Skip the test where Node is not installed; with REQUIRE_NODE, as in CI, it fails."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        _is_missing("NO NODE: node and npm are not installed, so no JavaScript was run outside a browser")


def install(folder: Path, *packages: str) -> None:
    """Install packages into a folder whose modules are ES modules."""
    require_node()
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    command = ["npm", "install", "--silent", "--no-audit", "--no-fund", *packages]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        _is_missing(f"NO PACKAGES for Node: {done.stderr[-500:]}")


def run(folder: Path, *command: str) -> str:
    """The output of a program that ends well."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def _is_missing(said: str) -> NoReturn:
    if os.environ.get("REQUIRE_NODE"):
        pytest.fail(said)
    pytest.skip(said)
