"""The script with which anybody checks a club's log, written in parts and downloaded as one file.

Rules: docs/how-to/publishing.md, "Download the log". Every part is Python 3.9 with nothing but the standard library,
and trusts no file. Whoever checks a log reads one script from top to bottom, so the parts are put one behind the other
before anybody is given them; nothing else is done to them.
"""

import os
import re
from pathlib import Path

PARTS = ("reading", "judging")
ADDRESS = "tournaments/verify.py"
FUTURE = "from __future__ import annotations\n"
IMPORT = re.compile(r"^(?:from|import) [^(\n]*(?:\([^)]*\))?\n", re.MULTILINE)


def script() -> str:
    """The parts as one file: what the first says of it, what all of them import, then one after the other."""
    texts = [Path(__file__).with_name(f"{part}.py").read_text(encoding="utf-8") for part in PARTS]
    imports = {line for text in texts for line in IMPORT.findall(text) if __name__ not in line} - {FUTURE}
    below = (IMPORT.sub("", text.split('"""', 2)[2]).strip() for text in texts)
    said = texts[0].split('"""', 2)[1]
    return f'"""{said}"""\n\n{FUTURE}\n{"".join(sorted(imports, key=_plain_first))}\n' + "\n\n\n".join(below) + "\n"


def _plain_first(line: str) -> tuple[bool, str]:
    return line.startswith("from"), line


def written_below(folder: Path) -> Path:
    """A folder of static files with the script in it; written only where another one stands, and whole."""
    path, text = folder / ADDRESS, script()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    return folder
