"""What all tests share: recorded tournaments, processes of the site, a worker on the real broker, a browser."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from django.conf import settings as site
from django.core.cache import caches
from django.template import Context, Template
from django.test import Client
from django.test.signals import template_rendered
from django.utils import translation
from hypothesis import HealthCheck, Phase, settings

from tests.builders.loaded_site import Loaded
from tests.builders.migrated import copy_for_sqlite
from tests.builders.patience import PATIENCE
from tests.builders.recorded import copy_of
from tests.builders.samples import RUN, TIMES

# The first is the same Chromium without its window, and takes a third of the processor time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OUR_OWN = {"DJANGO_SETTINGS_MODULE", "DJANGO_ALLOW_ASYNC_UNSAFE"}
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}
ROOT = Path(__file__).resolve().parent.parent
T = TypeVar("T")

# A loaded machine is slow, not wrong: no example fails for taking long. Every run tries the same examples; new ones
# are only searched for in the long run.
settings.register_profile("make", deadline=None, print_blob=True, derandomize=True, max_examples=20)
settings.register_profile(
    "long", deadline=None, print_blob=True, max_examples=200 * TIMES, suppress_health_check=[HealthCheck.too_slow]
)
# Only whether a planted fault is noticed matters here, not its smallest example.
settings.register_profile("mutants", settings.get_profile("make"), phases=[Phase.explicit, Phase.generate])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "long" if RUN == "long" else "make"))
_ask = Client.request


def _ask_as_browsers_do(client: Client, **request: Any) -> Any:
    """Redirect from the bare address of a page to the one in the client's language, unless a test `sees_redirects`."""
    answer, bare = _ask(client, **request), request.get("PATH_INFO", "")
    there = answer.get("Location", "").partition("?")[0]
    leads = {f"/{code}{bare}": f"/{code}" for code, _ in site.LANGUAGES}
    if answer.status_code != 302 or there not in leads or getattr(client, "sees_redirects", False):
        return answer
    return _ask(client, **{**request, "PATH_INFO": there})


Client.request = _ask_as_browsers_do  # type: ignore[method-assign,assignment]


# A shell starts what runs in the background without Ctrl-C; so would be every process that a test starts and stops.
signal.signal(signal.SIGINT, signal.default_int_handler)
# While thousands of tests are collected nothing is freed: garbage collection took a fifth of that time.
gc.set_threshold(200_000, 50, 1_000)


def pytest_collection_finish() -> None:
    """Thousands of collected tests stay to the end: garbage collection need not scan them again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def pytest_runtest_setup() -> None:
    """Forget what was cached of the database of the test before: the ids of a recorded tournament are the same."""
    for name in ("answers", "objects"):
        caches[name].clear()


def pytest_runtest_teardown() -> None:
    """Reset the language that a page of one test activated, so that the next test does not start in it."""
    translation.deactivate()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL leave out what touches no database: the run on SQLite has tried it."""
    if site.DATABASES["default"]["ENGINE"].endswith("sqlite"):
        return
    without = [item for item in items if not _touches_the_database(item)]
    items[:] = [item for item in items if _touches_the_database(item)]
    config.hook.pytest_deselected(items=without)


@pytest.fixture(scope="session", autouse=True)
def only_pages_are_noted(django_test_environment: None) -> None:
    """Tests read `answer.context` of a page; copying that of each widget and include costs a tenth of the page."""

    def rendered(template: Template, context: Context) -> str:
        if context.template is template and not (template.name or "").startswith("django/"):
            template_rendered.send(sender=template, template=template, context=context)
        return template.nodelist.render(context)

    # Django's own handler is removed again with the rest of its test environment.
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
def recorded(django_db_setup: None, django_db_blocker: Any) -> Callable[[Callable[[], T]], AbstractContextManager[T]]:
    """`with recorded(play) as played:` around the `yield` of a module's fixture: tests begin where `play` ended.

    Rows that a test changes are rolled back after it; of objects each test gets a copy. See tests/builders/recorded.py.
    """

    @contextmanager
    def begin(play: Callable[[], T]) -> Iterator[T]:
        with django_db_blocker.unblock(), copy_of(play) as played:
            yield played

    return begin


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
            # The test is over; there is no need to wait for a warm shutdown.
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
    from playwright.sync_api import expect, sync_playwright

    # The driver keeps an event loop in this thread; Django would take that for asynchronous code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE * 1_000)
    with sync_playwright() as driver:
        # Not a local name: a browser treats it like a site without HTTPS in a hall's own network.
        arguments = ["--host-resolver-rules=MAP hall.test 127.0.0.1", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
        browser = driver.chromium.launch(executable_path=path, args=arguments)
        setattr(browser, "new_context", _patient(browser.new_context))  # noqa: B010 - a method is replaced
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """A fresh page; `page.complaints` holds the errors of the browser's console, policy violations included."""
    context = chromium.new_context()
    fresh = _with_its_scripts(context.new_page())
    fresh.complaints = []
    fresh.on("console", lambda said: fresh.complaints.append(said.text) if said.type in {"error", "warning"} else None)
    fresh.on("pageerror", lambda error: fresh.complaints.append(str(error)))
    yield fresh
    context.close()


def _patient(new_context: Callable[..., Any]) -> Callable[..., Any]:
    """Contexts with a long timeout and without animation: no colour between two colours is ever measured."""

    def patient(**wishes: Any) -> Any:
        context = new_context(reduced_motion="reduce", **wishes)
        context.set_default_timeout(PATIENCE * 1_000)
        return context

    return patient


def _with_its_scripts(page: Any) -> Any:
    """A page whose scripts have run before an awaited element counts as visible."""
    for name in ("wait_for_selector", "wait_for_function"):
        setattr(page, name, _and_loaded(page, getattr(page, name)))
    return page


def _and_loaded(page: Any, wait: Callable[..., Any]) -> Callable[..., Any]:
    def waited(*words: Any, **wishes: Any) -> Any:
        answer = wait(*words, **wishes)
        page.wait_for_load_state("load")
        return answer

    return waited


def _touches_the_database(item: pytest.Item) -> bool:
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(
        item.get_closest_marker("django_db") or item.get_closest_marker("postgres") or DATABASE_FIXTURES & fixtures
    )


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
