"""A fresh database of each kind for as long as a benchmark lasts, as the environment that leads to it."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def sqlite() -> Iterator[dict[str, str]]:
    """A file in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="rummy-bench-") as folder:
        yield {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3", "VAR_DIR": folder}


@contextmanager
def postgresql() -> Iterator[dict[str, str]]:
    """TEST_DATABASE_URL, or the server the tests would start."""
    from tests.plugins.postgres import start  # noqa: PLC0415 - only where it is asked for
    from tests.plugins.servers import Server  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="rummy-bench-") as folder:
        if "TEST_DATABASE_URL" in os.environ:
            yield {**os.environ, "DATABASE_URL": os.environ["TEST_DATABASE_URL"], "VAR_DIR": folder}
            return
        server = Server("bench-postgres")
        try:
            yield {**os.environ, "DATABASE_URL": start(server), "VAR_DIR": folder}
        finally:
            server.stop()


DATABASES = {"sqlite": sqlite, "postgresql": postgresql}
