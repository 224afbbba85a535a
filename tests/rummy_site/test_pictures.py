"""`make pictures`: the README's pictures can be taken again, from the pages as they are now."""

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from tests.builders.patience import PATIENCE
from tests.builders.serve import ROOT

pytestmark = [pytest.mark.slow(long=True), pytest.mark.browser]


def test_every_picture_of_the_readme_is_taken_again(tmp_path: Path, chromium: object):
    """Planted fault: a renamed button, so that the deal is never entered."""
    take = [sys.executable, str(ROOT / "docs" / "pictures" / "take.py"), str(tmp_path)]
    subprocess.run(take, check=True, timeout=4 * PATIENCE)
    kept = {path.name: Image.open(path) for path in (ROOT / "docs" / "pictures").glob("*.webp")}
    taken = {path.name: Image.open(path) for path in tmp_path.iterdir()}
    assert {name: picture.size for name, picture in taken.items()} == {name: one.size for name, one in kept.items()}
    # An empty page has a handful of colours.
    assert all(len(picture.getcolors(2**24) or []) > 200 for picture in taken.values())
