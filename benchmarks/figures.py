"""What every benchmark does around its figures: a site that is thrown away, and figures beside what was promised."""

import argparse
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

Figures = Mapping[str, float]
T = TypeVar("T")
# Set by a test that only sees whether a benchmark still runs, and by who writes one; child processes inherit it.
IS_SMALLEST = "BENCH_SMALLEST" in os.environ
_NONE: Figures = {}


def sized(usual: T, *, smallest: T) -> T:
    """How much is measured: as much as the figures need, or only so much that every line runs."""
    return smallest if IS_SMALLEST else usual


def tell(
    about: str | None, measure: Callable[[], Figures], *, at_most: Figures = _NONE, at_least: Figures = _NONE
) -> None:
    """Measure, then print the figures one a line, or all as one JSON object."""
    as_json = parser_of(about).parse_args().json
    report(measure(), as_json=as_json, at_most=at_most, at_least=at_least)


def parser_of(about: str | None) -> argparse.ArgumentParser:
    """The options of every benchmark, for those that have more."""
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    return parser


def report(found: Figures, *, as_json: bool, at_most: Figures = _NONE, at_least: Figures = _NONE) -> None:
    """Print the figures, each beside its limit."""
    if as_json:
        print(json.dumps(found))
        return
    limits = {name: f"at least {least:g}" for name, least in at_least.items()}
    limits |= {name: f"at most {most:g}" for name, most in at_most.items()}
    for name, value in found.items():
        print(f"{name:32} {value:14.3f}   {limits.get(name, '')}".rstrip())


@contextmanager
def throwaway_site(**environment: str) -> Iterator[None]:
    """The site on a fresh SQLite database that is thrown away. Once a process: settings are read once."""
    with tempfile.TemporaryDirectory(prefix="rummy-bench-") as folder:
        os.environ |= {"DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3", "VAR_DIR": folder, **environment}
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
        import django  # noqa: PLC0415 - the environment comes first

        django.setup()
        from django.conf import settings  # noqa: PLC0415
        from django.core.management import call_command  # noqa: PLC0415

        settings.ALLOWED_HOSTS.append("testserver")
        if IS_SMALLEST:
            from tests.builders.migrated import copy_for_sqlite  # noqa: PLC0415 - a benchmark does without the tests

            copy_for_sqlite(Path(folder) / "bench.sqlite3")
        else:
            call_command("migrate", verbosity=0)
        yield
