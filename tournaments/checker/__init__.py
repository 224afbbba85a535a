"""The script with which anyone can verify a club's log, written in parts and downloaded as one file.

Rules: docs/how-to/publishing.md, "Download the log". Every part is Python 3.9 with only the standard library, and
trusts no file. A reader of the script reads one file from top to bottom, so the parts are joined before the download;
they are not changed otherwise.
"""

import os
import re
from pathlib import Path

HOUSE = Path(__file__).parents[2]
PARTS = ("tournaments/checker/reading.py", "scoring/events/hashes.py", "tournaments/checker/judging.py")
ADDRESS = "tournaments/verify.py"
FUTURE = "from __future__ import annotations\n"
OURS = re.compile("from (?:scoring|tournaments)[.]")
IMPORT = re.compile(r"^(?:from|import) [^(\n]*(?:\([^)]*\))?\n", re.MULTILINE)


def script() -> str:
    """The parts as one file: the first part's docstring, all imports, then the code of each part."""
    texts = [(HOUSE / part).read_text(encoding="utf-8") for part in PARTS]
    imports = {line for text in texts for line in IMPORT.findall(text) if not OURS.match(line)} - {FUTURE}
    below = (IMPORT.sub("", text.split('"""', 2)[2]).strip() for text in texts)
    summary = texts[0].split('"""', 2)[1]
    return f'"""{summary}"""\n\n{FUTURE}\n{"".join(sorted(imports, key=_plain_first))}\n' + "\n\n\n".join(below) + "\n"


def _plain_first(line: str) -> tuple[bool, str]:
    return line.startswith("from"), line


def written_below(folder: Path) -> Path:
    """Write the script below a folder of static files, atomically and only if it differs; returns the folder."""
    path, text = folder / ADDRESS, script()
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    return folder
