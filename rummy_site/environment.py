"""The environment of the process: one reader for every environment variable.

Knows nothing of Django's settings; it only makes sure that a value exists or reports which one is missing.
"""

import logging
import os
import secrets
import shlex
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from tournaments.client_addresses import HEADERS, X_FORWARDED_FOR, Network, Proxies, read_proxies

PACKAGE = Path(__file__).resolve().parent
BASE_DIR = PACKAGE.parent
# A wheel contains, inside the package, the files at the top of a checkout: pyproject.toml, force-include.
IS_INSTALLED = (PACKAGE / "templates").is_dir()
RESOURCES = PACKAGE if IS_INSTALLED else BASE_DIR
# The file by which a folder is recognised as a backup.
MANIFEST = "manifest.json"
# Set for a command that must not outlive the process which has started it.
ENDS_WITH_PARENT = "ENDS_WITH_PARENT"
KEY_BYTES = 50
# Celery looks into the folder this often; with its default of one second the delay of a message is visible.
LOOK_EVERY_SECONDS = 0.1
# Without it kombu retries for six seconds, while a user waits whose deal is saved already.
KNOCK_ONCE = {"max_retries": 0}
MAIL_SECONDS = 10
# An unacknowledged task is delivered again after this long, should a worker die with it.
COME_BACK_SECONDS = 120


class Environment(environ.Env):  # type: ignore[misc]  # it is untyped
    """Reads every number in the environment; a malformed one is reported in one line, by its name."""

    def get_value(self, var: str, *args: Any, **words: Any) -> Any:
        """The value of a variable. Raises ImproperlyConfigured where it cannot be read."""
        try:
            return super().get_value(var, *args, **words)
        except ValueError:
            raise ImproperlyConfigured(f"{var} is {os.environ.get(var)!r}: give a number.") from None


env = Environment()
# Processes and threads, as many as there are by default. None at all would answer nobody, or crash again and again.
COUNTS = {"WEB_WORKERS": 1, "WEB_THREADS": 4, "WEB_WRITER_THREADS": 4, "WORKER_THREADS": 2}
MOST_COUNT = 256
MOST_BACKUP_HOURS = 168


def count(name: str, default: int | None = None) -> int:
    """How many of these processes, threads or connections there are to be."""
    number: int = env.int(name, default=COUNTS.get(name) if default is None else default)
    # Connections are counted for two kinds of threads.
    most = MOST_COUNT if name in COUNTS else 2 * MOST_COUNT
    if not 1 <= number <= most:
        raise ImproperlyConfigured(f"{name} is {number}: give a number from 1 to {most}.")
    return number


def refuse_odd_counts() -> None:
    """Stop whatever starts first, rather than each process that it would start again and again."""
    for name in COUNTS:
        count(name)


def log_level() -> str:
    """The lowest level that is logged, in capital or small letters."""
    level = str(env.str("LOG_LEVEL", default="INFO")).upper()
    if level not in logging.getLevelNamesMapping():
        raise ImproperlyConfigured(f"LOG_LEVEL is {level!r}: say DEBUG, INFO, WARNING or ERROR.")
    return level


def refuse_without(*modules: str, what: str, extra: str) -> None:
    """Raises ImproperlyConfigured for a setting that needs libraries which are not installed."""
    if not all(find_spec(module) for module in modules):
        raise ImproperlyConfigured(f"{what} is set: install rummy-evening[{extra}] for it.")


def mail_server(url: str) -> tuple[bool, dict[str, Any]]:
    """Whether there is a mail server, and Django's settings for it, such as `smtp+tls://user:password@host:587`."""
    if not url:
        return False, {}
    try:
        settings = Environment.email_url_config(url)
    except (ImproperlyConfigured, KeyError, ValueError) as error:
        # Without the address: it holds a password.
        raise ImproperlyConfigured("EMAIL_URL: give an address such as smtp+tls://user:password@host:587.") from error
    # Where the address leaves something out, Django's own stays. A mail server that does not answer must not hold up
    # whoever waits for a page.
    named = {name: value for name, value in settings.items() if value is not None}
    return True, {**named, "EMAIL_TIMEOUT": MAIL_SECONDS}


def var_dir() -> Path:
    """The one folder a club has to back up: database, broker files and the site's key."""
    folder = Path(env.str("VAR_DIR", default=str(_usual_var_dir()))).resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"VAR_DIR is {folder}, no folder that can be used: {error.strerror}.") from error
    # Even opening it read-only would add files, and a restore refuses a backup with files that do not belong to it.
    if (folder / MANIFEST).exists():
        text = f"VAR_DIR is {folder}, a backup: let it name an empty folder, then run manage.py restore {folder}"
        raise ImproperlyConfigured(text)
    return folder


def _usual_var_dir() -> Path:
    """`var/` in a checkout. An installed package keeps its data where the XDG standard puts them."""
    if not IS_INSTALLED:
        return BASE_DIR / "var"
    shared = env.str("XDG_DATA_HOME", default="")
    return (Path(shared) if shared else Path.home() / ".local" / "share") / "rummy-evening"


def static_root(*, folder: Path) -> str:
    """Where production collects static files: beside the code in a checkout, else in the data folder."""
    usual = (folder if IS_INSTALLED else BASE_DIR) / "staticfiles"
    return str(env.str("STATIC_ROOT", default=str(usual)))


def secret_key(*, folder: Path, is_production: bool) -> str:
    """The key from the environment; on one machine without one, a key made once and kept in the folder."""
    key: str = env.str("SECRET_KEY", default="")
    if key:
        return key
    if is_production:
        raise ImproperlyConfigured("PRODUCTION is on, so SECRET_KEY must be set (50 random characters or more).")
    path = folder / "secret_key"
    if not path.exists():
        _keep_new_key(path)
    return path.read_text(encoding="ascii").strip()


def _keep_new_key(path: Path) -> None:
    """Write the whole key under a temporary name, then link it: two processes that start at once agree on one."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(KEY_BYTES))
    try:
        os.link(draft, path)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def proxies() -> Proxies:
    """The number of our proxies in front of the site, or their addresses."""
    proxies_text = env.str("PROXIES", default="0")
    try:
        return read_proxies(proxies_text)
    except ValueError as error:
        raise ImproperlyConfigured(f"PROXIES is {proxies_text!r}: give a number, or addresses and networks.") from error


def networks(name: str) -> tuple[Network, ...]:
    """Addresses and networks, as `127.0.0.1,10.0.0.0/8`; none where nothing is set."""
    text = env.str(name, default="")
    # A number of proxies is none of them.
    with suppress(ValueError):
        if not isinstance(addresses := read_proxies(text), int):
            return tuple(addresses)
    raise ImproperlyConfigured(f"{name} is {text!r}: give addresses and networks.")


def share_counts(*, folder: Path) -> None:
    """Name the folder where prometheus-client's processes count, unless PROMETHEUS_MULTIPROC_DIR has: it reads that."""
    folder = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(folder)))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def proxy_header() -> str:
    """The one header that our proxies write. The other kind comes from clients and is ignored."""
    header_name: str = env.str("PROXY_HEADER", default=X_FORWARDED_FOR)
    for header in HEADERS:
        if header_name.lower() == header.lower():
            return header
    raise ImproperlyConfigured(f"PROXY_HEADER is {header_name!r}: it may be {' or '.join(HEADERS)}.")


def backup_dir(*, var_dir: Path) -> Path | None:
    """The folder of the backups, where one is configured.

    Inside the data folder it is made. Elsewhere it never is: it would be on the very disk that the backups should
    outlive, where its own is not mounted. Nor is it looked at: a share that hangs must not keep the site from starting.
    """
    path_text = env.str("BACKUP_DIR", default="")
    if not path_text:
        return None
    folder = Path(os.path.abspath(path_text))
    # Which may be a link.
    named = os.path.abspath(env.str("VAR_DIR", default=str(var_dir)))
    if folder.is_relative_to(var_dir) or folder.is_relative_to(named):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def backup_hours() -> int:
    """Hours from one backup to the next; 0 where somebody else makes them."""
    hours: int = env.int("BACKUP_EVERY_HOURS", default=24)
    if not 0 <= hours <= MOST_BACKUP_HOURS:
        raise ImproperlyConfigured(f"BACKUP_EVERY_HOURS is {hours}: give 0, or hours up to {MOST_BACKUP_HOURS}.")
    return hours


def backup_then() -> str:
    """The command that copies a backup elsewhere; empty where none is set."""
    command: str = env.str("BACKUP_THEN", default="").strip()
    try:
        shlex.split(command)
    except ValueError as error:
        # Without the command: there may be a password in it.
        raise ImproperlyConfigured(f"BACKUP_THEN is no command: {error}.") from error
    return command


def address_without_secrets(name: str) -> str:
    """An address that logs and pages name. With credentials in it, everybody who reads them would have those."""
    address: str = env.str(name, default="")
    if "://" in address and "@" in address.partition("://")[2].partition("/")[0]:
        aside = "give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead"
        raise ImproperlyConfigured(f"{name} holds a user name: {aside}.")
    return address


def cache(name: str, address: str, *, entries: int) -> dict[str, Any]:
    """One of Django's caches: in each process, or on the Valkey or Redis at an address, which all of them share.

    What lies there under the name of somebody who was erased is gone after TIMEOUT. Raises ImproperlyConfigured.
    """
    bounds: dict[str, Any] = {"TIMEOUT": 600, "OPTIONS": {"MAX_ENTRIES": entries}}
    if not address:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name, **bounds}
    if address.partition(":")[0] not in {"redis", "rediss", "unix"}:
        raise ImproperlyConfigured("CACHE_URL has to begin with redis://, rediss:// or unix://")
    bounds["OPTIONS"] |= {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}
    return {"BACKEND": "rummy_site.shared_cache.SharedCache", "LOCATION": address, "KEY_PREFIX": name, **bounds}


def broker_options(address: str, *, folder: Path) -> dict[str, Any]:
    """Celery's transport options for a broker address: a folder of files on one machine, or a real broker."""
    scheme = address.partition(":")[0]
    if scheme == "filesystem":
        queue, control = folder / "queue", folder / "control"
        for path in (queue, control):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
        return {
            "data_folder_in": str(queue),
            "data_folder_out": str(queue),
            "control_folder": str(control),
            "polling_interval": LOOK_EVERY_SECONDS,
        }
    if scheme in {"redis", "rediss"} or address.startswith("redis+socket"):
        waits = {"visibility_timeout": COME_BACK_SECONDS, "socket_connect_timeout": 3, "socket_timeout": 10}
        return {**waits, **KNOCK_ONCE}
    return {**KNOCK_ONCE}
