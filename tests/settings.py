"""The site's settings for tests: a data folder of their own, and a quick password hash.

Environment variables set here reach the processes that tests start, which read the site's own settings.
"""

import atexit
import os
import shutil
import sys
import tempfile
from pathlib import Path

# A folder for each process of a run, and never that of a demo that runs beside the tests: another worker would take our
# messages. Processes that a test starts keep the folder they are given.
if os.environ.get("VAR_DIR_OF") != os.environ.get("PYTEST_XDIST_WORKER", "main") and (
    "VAR_DIR" not in os.environ or "VAR_DIR_OF" in os.environ
):
    os.environ["VAR_DIR"] = tempfile.mkdtemp(prefix="rummy-tests-")
    os.environ["VAR_DIR_OF"] = os.environ.get("PYTEST_XDIST_WORKER", "main")
    # The same in each run: with it the sessions of recorded tournaments are signed (tests/builders/recorded.py).
    Path(os.environ["VAR_DIR"], "secret_key").write_text("a key of tests " * 4, encoding="ascii")
    atexit.register(shutil.rmtree, os.environ["VAR_DIR"], ignore_errors=True)

# Each process of the site compiles itself in five seconds without a bytecode cache, and tests start many.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("PYTHONPYCACHEPREFIX", str(Path(sys.prefix) / "compiled"))

from rummy_site.settings import *  # noqa: F403
from rummy_site.settings import DATABASES, INSTALLED_APPS, REST_FRAMEWORK, VAR_DIR

# First, so that its flush is the one tests use: the real one is refused by the guards of append-only tables.
INSTALLED_APPS = ["tests.flushing", *INSTALLED_APPS]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Each client of a test starts the site again: scanning all static files every time took a third of the suite.
WHITENOISE_AUTOREFRESH = True
# Most tests are about pages as they are without it; those of messages to browsers switch it on.
TELLS_BROWSERS = False
# Tests send hundreds of deals in a few seconds.
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] = {"address": "1000000000/min", "writer": "1000000000/min"}

if DATABASES["default"]["ENGINE"].endswith("sqlite"):
    # A file, not memory: threads and processes of one test must share it.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
elif "MIGRATED_DATABASE" in os.environ:
    DATABASES["default"]["TEST"] = {"TEMPLATE": os.environ["MIGRATED_DATABASE"], "MIGRATE": False}
