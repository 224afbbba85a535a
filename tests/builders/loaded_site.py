"""Commands of the site, each in a process of its own that begins as a copy of one which has loaded Django.

Half of the processor time of most commands is spent on importing libraries, which no test is about. A copy
reads its own environment and settings and connects by itself. A test about the start of a process starts a new one.
"""

import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.builders.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
# What the site loads besides itself; of these, the modules that need no settings can be loaded before.
PACKAGES = {
    *("django", "django_htmx", "csp", "environ", "whitenoise", "rest_framework", "drf_spectacular", "celery", "kombu"),
    *("psycopg", "psycopg_pool", "redis", "asgiref", "sqlparse", "structlog", "msgspec", "babel", "argon2", "scoring"),
    *("reportlab", "PIL", "uharfbuzz", "segno", "xlsxwriter", "icalendar", "selectolax", "openskill", "rapidfuzz"),
}


class Loaded:
    """The process that is copied."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", __name__]
        without_settings = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=without_settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._ask(sorted(name for name in sys.modules if name.partition(".")[0] in PACKAGES))

    def run(self, words: list[str], environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
        """Run `python` with these arguments: a file of the checkout and its arguments, or `-c` and a program."""
        with TemporaryDirectory(prefix="rummy-command-") as folder:
            status = self._ask({"words": words, "environment": environment, "folder": folder})
            out, err = (Path(folder, name).read_text() for name in ("stdout", "stderr"))
        return subprocess.CompletedProcess(words, status, out, err)

    def end(self) -> None:
        self._process.communicate()

    def _ask(self, question: Any) -> int:
        assert self._process.stdin
        assert self._process.stdout
        print(json.dumps(question), file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


def main() -> None:
    """Load what is named first, then start a copy for each line."""
    for name in json.loads(sys.stdin.readline()):
        with suppress(Exception):
            importlib.import_module(name)
    gc.freeze()
    print(0, flush=True)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _become(**json.loads(line))
            return
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(words: list[str], environment: dict[str, str], folder: str) -> None:
    # A process that hangs is ended, and its test fails with that message.
    signal.alarm(int(PATIENCE))
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate((os.devnull, f"{folder}/stdout", f"{folder}/stderr")):
        os.dup2(os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT), number)
    if words[0] == "-c":
        sys.argv = ["-c", *words[2:]]
        exec(words[1], {"__name__": "__main__"})  # noqa: S102 - as `python -c` does
    else:
        sys.argv = words
        runpy.run_path(words[0], run_name="__main__")


if __name__ == "__main__":
    main()
