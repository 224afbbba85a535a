"""What every test may lean on: marks that set themselves, a worker on the real broker, a browser."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.db import transaction
from django.template import Context, Template
from django.test import Client
from django.test.signals import template_rendered
from django.utils import translation
from hypothesis import HealthCheck, Phase, settings

from tests.loaded import Loaded
from tests.migrated import copy_for_sqlite
from tests.patience import PATIENCE
from tests.samples import TIMES

# The first is the same Chromium without its window, and takes a third of the processor time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OUR_OWN = {"DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE"}
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}
ROOT = Path(__file__).resolve().parent.parent

# A loaded machine is slow, not wrong: no example fails for taking long. Every run tries the same examples; what
# nobody thought of is looked for in the long one.
settings.register_profile("make", deadline=None, print_blob=True, derandomize=True, max_examples=20)
settings.register_profile(
    "long", deadline=None, print_blob=True, max_examples=200 * TIMES, suppress_health_check=[HealthCheck.too_slow]
)
# Whether a planted fault is noticed is all that is asked of it, not its smallest example.
settings.register_profile("mutants", settings.get_profile("make"), phases=[Phase.explicit, Phase.generate])
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "make")
settings.load_profile(PROFILE)
# Doors for people and for programs, before the same commands and queries. That each of their addresses answers on
# PostgreSQL too, and takes there what it takes here, tests/tournaments/web/extremes looks into.
DOORS = tuple(ROOT / "tests" / "tournaments" / "web" / room for room in ("admin", "public", "api"))
# Rooms whose subject is what a database does: guards, locks, copies, statements written by hand.
OF_THE_DATABASE = tuple(
    ROOT / "tests" / room
    for room in (
        *("resilience", "scoring/ledger", "tournaments/integrity", "tournaments/log", "tournaments/models", "upgrades"),
    )
)
# Processes of the site, and how people sign in: the database is one that they are given.
OF_THE_SITE = ROOT / "tests" / "rummy_site"
# Of the tests of a file of the site, and of a file whose tests call commands and queries in one transaction, PostgreSQL
# tries one in so many.
ONE_IN = 5
TRANSACTIONAL = {"transactional_db", "live_server"}


_ask = Client.request


def _ask_as_browsers_do(client: Client, **request: Any) -> Any:
    """Go on from the bare address of a page to the one in the client's language, unless it `sees_redirects`."""
    answer, bare = _ask(client, **request), request.get("PATH_INFO", "")
    there = answer.get("Location", "").partition("?")[0]
    leads = {f"/{code}{bare}": f"/{code}" for code, _ in site.LANGUAGES}
    if answer.status_code != 302 or there not in leads or getattr(client, "sees_redirects", False):
        return answer
    return _ask(client, **{**request, "PATH_INFO": there})


Client.request = _ask_as_browsers_do  # type: ignore[method-assign,assignment]


# While thousands of tests are collected nothing is let go of: looking for garbage took a fifth of that time.
gc.set_threshold(200_000, 50, 1_000)


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay to the end: they need not be looked through for garbage again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def pytest_runtest_teardown() -> None:
    """The language of a page that one test asked for is not spoken in the next."""
    translation.deactivate()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches the database, so that it runs again on PostgreSQL without anybody having to think of it.

    Properties that touch no database are part of the long proofs too, each with the many examples of that profile; so
    is what walks through many things alike, which tries each of them there.
    """
    alike: Counter[Path] = Counter()
    for item in items:
        if item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.database)
            if _is_of_a_door(item):
                item.add_marker(pytest.mark.door)
            elif item.path.is_relative_to(OF_THE_SITE) or not (_commits(item) or _is_of_the_database(item)):
                if alike[item.path] % ONE_IN:
                    item.add_marker(pytest.mark.alike)
                alike[item.path] += 1
        if PROFILE == "long" and (_is_property_without_database(item) or item.get_closest_marker("walk")):
            item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session", autouse=True)
def only_pages_are_noted(django_test_environment: None) -> None:
    """Tests look into `answer.context` of a page; copying that of each widget and part costs a tenth of the page."""

    def rendered(template: Template, context: Context) -> str:
        if context.template is template and not (template.name or "").startswith("django/"):
            template_rendered.send(sender=template, template=template, context=context)
        return template.nodelist.render(context)

    # Django's own is taken away again with the rest of its test environment.
    setattr(Template, "_render", rendered)  # noqa: B010 - a method is replaced


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings_parallel_suffix: None, django_db_createdb: bool) -> bool:
    """Begin with a copy of an empty database that was migrated before. `--create-db` migrates one here, as ever."""
    from django.db import connection

    wanted = connection.settings_dict["TEST"]
    if django_db_createdb or connection.vendor != "sqlite":
        return False
    copy_for_sqlite(Path(wanted["NAME"]))
    wanted["MIGRATE"] = False
    return True


@pytest.fixture(scope="session")
def begin_once(django_db_setup: None, django_db_blocker: Any) -> Callable[[], AbstractContextManager[None]]:
    """`with begin_once():` around what a fixture of a module yields: what it wrote is there for all of its tests.

    What a test changes it alone sees, in rows; of objects each takes a copy. Not where a test commits.
    """

    @contextmanager
    def begun() -> Iterator[None]:
        with django_db_blocker.unblock(), transaction.atomic():
            yield
            transaction.set_rollback(True)

    return begun


@pytest.fixture
def site_environment(transactional_db: None, tmp_path: Path) -> dict[str, str]:
    """The environment in which a process of the site works on this test's database and a queue of its own."""
    return {
        **{name: value for name, value in os.environ.items() if name not in OUR_OWN},
        "DATABASE_URL": _test_database_url(),
        "VAR_DIR": str(tmp_path / "var"),
        "DJANGO_SETTINGS_MODULE": "rummy_site.settings",
    }


@pytest.fixture(scope="session")
def loaded_site() -> Iterator[Loaded]:
    """A process of the site that has loaded Django: each of its copies runs one command."""
    process = Loaded()
    yield process
    process.end()


@pytest.fixture
def manage(site_environment: dict[str, str], loaded_site: Loaded) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a management command in a process of its own: `manage("check", "--deploy", PRODUCTION="true")`."""

    def run(*words: str, **extra: str) -> subprocess.CompletedProcess[str]:
        return loaded_site.run(["manage.py", *words], {**site_environment, **extra})

    return run


@pytest.fixture
def worker(site_environment: dict[str, str], settings: Any, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A Celery worker in a process of its own, on the broker of this run; messages sent in the test reach it."""
    from rummy_site.celery import app

    app.control.purge()
    log = (tmp_path / "worker.log").open("w+")
    command = [sys.executable, "-m", "celery", "-A", "rummy_site", "worker", "-P", "threads", "-c", "2"]
    process = subprocess.Popen(
        [*command, "--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel", "info"],
        cwd=ROOT,
        env={**site_environment, "VAR_DIR": str(settings.VAR_DIR)},
        stdout=log,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        _wait_for_line(tmp_path / "worker.log", " ready.", process)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            # The test has seen what it came to see; nobody waits for a warm farewell.
            process.kill()
            process.wait()
        log.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A headless Chromium of this machine; no test of ours downloads one."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        said = f"NO BROWSER: none of {', '.join(BROWSERS)} is installed, so no page was tried in one"
        if os.environ.get("REQUIRE_BROWSER"):
            pytest.fail(said)
        pytest.skip(said)
    from playwright.sync_api import sync_playwright

    # The driver keeps an event loop in this thread; Django would take that for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as driver:
        # A name that is no local one: a browser takes it for a site without HTTPS in a hall's own network.
        arguments = ["--host-resolver-rules=MAP hall.test 127.0.0.1", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = driver.chromium.launch(executable_path=path, args=arguments)
        setattr(browser, "new_context", _patient(browser.new_context))  # noqa: B010 - a method is replaced
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A fresh page; `page.complaints` holds what the browser's console complained of, policy violations included."""
    context = chromium.new_context()
    fresh = _with_its_scripts(context.new_page())
    fresh.complaints = []
    fresh.on("console", lambda said: fresh.complaints.append(said.text) if said.type in {"error", "warning"} else None)
    fresh.on("pageerror", lambda error: fresh.complaints.append(str(error)))
    yield fresh
    context.close()


def _patient(new_context: Callable[..., Any]) -> Callable[..., Any]:
    """Contexts that wait as long as it takes, and without motion: no colour between two colours is ever measured."""

    def patient(**wishes: Any) -> Any:
        context = new_context(reduced_motion="reduce", **wishes)
        context.set_default_timeout(PATIENCE * 1_000)
        return context

    return patient


def _with_its_scripts(page: Any) -> Any:
    """The page as its reader has it: what a test waits to see counts as seen once the page's scripts have run."""
    for name in ("wait_for_selector", "wait_for_function"):
        setattr(page, name, _and_loaded(page, getattr(page, name)))
    return page


def _and_loaded(page: Any, wait: Callable[..., Any]) -> Callable[..., Any]:
    def waited(*words: Any, **wishes: Any) -> Any:
        answer = wait(*words, **wishes)
        page.wait_for_load_state("load")
        return answer

    return waited


def _is_of_a_door(item: pytest.Item) -> bool:
    """Whether it looks at a door alone. What commits, races or waits for a lock is about the database too."""
    return any(map(item.path.is_relative_to, DOORS)) and not _commits(item)


def _is_of_the_database(item: pytest.Item) -> bool:
    return any(map(item.path.is_relative_to, OF_THE_DATABASE))


def _commits(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("django_db")
    is_said = mark is not None and bool(mark.args[:1] == (True,) or mark.kwargs.get("transaction"))
    return is_said or bool(TRANSACTIONAL & set(getattr(item, "fixturenames", ())))


def _is_property_without_database(item: pytest.Item) -> bool:
    is_property = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
    return is_property and not item.get_closest_marker("database")


def _test_database_url() -> str:
    from django.db import connection

    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    address, _, query = os.environ["DATABASE_URL"].partition("?")
    return f"{address.rpartition('/')[0]}/{name}?{query}"


def _wait_for_line(path: Path, wanted: str, process: subprocess.Popen[str], *, patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while wanted not in path.read_text():
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError(f"the worker did not come up:\n{path.read_text()[-2000:]}")
        time.sleep(0.05)
