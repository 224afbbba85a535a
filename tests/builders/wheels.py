"""The wheel, as `make package` makes it: nothing is downloaded."""

import subprocess
import sys
from pathlib import Path

from tests.builders.patience import PATIENCE
from tests.builders.serve import ROOT


def build_wheel(folder: Path) -> Path:
    """The only wheel of that folder."""
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=PATIENCE)
    [wheel] = folder.glob("*.whl")
    return wheel
