"""What a site that strangers can reach must not be started with: every problem at once, before anything listens.

Rules: docs/reference/running.md, "What it refuses". Reads the environment alone, and writes no value of a secret
anywhere.
"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from rummy_site.environment import env

# As Django's own deployment check counts them.
KEY_CHARACTERS, KEY_DIFFERENT = 50, 5
MADE_BY_DJANGO = "django-insecure-"
ORIGIN_PARTS = 2
TRUE, FALSE = {"true", "on", "ok", "y", "yes", "1"}, {"false", "off", "n", "no", "0", ""}


def switch(name: str, *, default: bool = False) -> bool:
    """A yes or a no. A word that is neither is no "no": a slip in PRODUCTION would open everything."""
    given: str = env.str(name, default=str(default)).strip().lower()
    if given in TRUE | FALSE:
        return given in TRUE
    raise ImproperlyConfigured(f"{name} is {given!r}: say true or false.")


def refuse_unsafe_settings() -> None:
    """Raises ImproperlyConfigured with everything that is wrong with a production environment."""
    found = list(unsafe_settings())
    if found:
        lines = "".join(f"\n  - {said}" for said in found)
        raise ImproperlyConfigured(f"PRODUCTION is on, and the site does not start with these settings:{lines}")


def unsafe_settings() -> Iterator[str]:
    """What is wrong with the environment for a site that strangers can reach."""
    yield from _key("SECRET_KEY", env.str("SECRET_KEY", default=""))
    for number, key in enumerate(env.list("SECRET_KEY_FALLBACKS", default=[]), start=1):
        yield from _key(f"SECRET_KEY_FALLBACKS, number {number},", key)
    if switch("DEBUG"):
        yield "DEBUG is on: its error pages show settings and code to everybody."
    yield from _hosts([host.strip() for host in env.list("ALLOWED_HOSTS", default=[])])
    for origin in env.list("CSRF_TRUSTED_ORIGINS", default=[]):
        yield from _origin(origin.strip())


def _key(name: str, key: str) -> Iterator[str]:
    """A key that can be guessed signs anybody in as anybody."""
    if not key:
        yield f"{name} is not set: give it {KEY_CHARACTERS} random characters or more."
    elif key.startswith(MADE_BY_DJANGO):
        yield f"{name} begins with {MADE_BY_DJANGO}: it was made for development."
    elif len(key) < KEY_CHARACTERS:
        yield f"{name} has {len(key)} characters: give it {KEY_CHARACTERS} random ones or more."
    elif len(set(key)) < KEY_DIFFERENT:
        yield f"{name} has {len(set(key))} different characters: make it random."


def _hosts(hosts: list[str]) -> Iterator[str]:
    if not any(hosts):
        yield "ALLOWED_HOSTS is empty: name the host names that the site answers to."
    for host in hosts:
        if "*" in host or host == ".":
            yield f"ALLOWED_HOSTS has {host}: name each host; links in mails and pages follow what a visitor claims."
        elif "/" in host or (":" in host and not host.startswith("[")):
            yield f"ALLOWED_HOSTS has {host}: give the name alone, without scheme, port or path."


def _origin(origin: str) -> Iterator[str]:
    parts = origin.split("://")
    if len(parts) != ORIGIN_PARTS or urlsplit(origin).scheme != "https":
        yield f"CSRF_TRUSTED_ORIGINS has {origin}: it must begin with https://."
    elif not urlsplit(origin).netloc.strip("*."):
        yield f"CSRF_TRUSTED_ORIGINS has {origin}: that is every site there is."
