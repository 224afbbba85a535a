"""Finds code that nothing uses, with vulture; tests do not count as users.

Much is called by a name that stands in no Python of ours: a library asks it of its subclass, a template shows it, a
setting names it by its dotted path, a shape sends it as JSON. Those names are gathered from there. What is left must be
in `KEPT`, each with its reason, and whatever stands there must still need it.
"""

import inspect
import os
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import django
import msgspec
from django import forms
from django.db import models
from vulture import Vulture

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("rummy_site", "scoring", "tournaments")
OURS = tuple(f"{package}." for package in PACKAGES)
# Functions that a library calls because they were registered with it.
DECORATORS = ["@*receiver*", "@*register*", "@*.connect", "@shared_task*", "@*.filter*", "@*simple_tag*", "@*hook*"]
DOTTED = re.compile(r"[\"'](?:[a-z_0-9]+[.:])+(\w+)[\"']")
IN_A_TEMPLATE = re.compile(r"{[{%].*?[%}]}", re.DOTALL)

KEPT: dict[str, tuple[str, ...]] = {
    "Django finds the configuration of an app by looking for a subclass": (
        "RummySiteConfig",
        "ScoringConfig",
        "TournamentsConfig",
    ),
    "Django asks for it, and no class that we inherit from has it": (
        "app_configs",
        "app_name",
        "changefreq",
        "current_app",
        "feed_guid",
        "from_db_value",
        "get_extra_descriptor_filter",
        "get_extra_restriction",
        "get_help_text",
        "handler400",
        "handler500",
        "help_texts",
        "item_guid",
        "process_exception",
        "process_view",
        "regex",
        "to_url",
        "urlpatterns",
        "validate",
    ),
    "granian reads it of its server": ("_init_shared_socket", "_shd", "_sso", "_ssp"),
    "What a test holds against the list of all models": ("DERIVED", "WITHIN"),
    "The parser of XML calls it": (
        "CharacterDataHandler",
        "EndElementHandler",
        "StartDoctypeDeclHandler",
        "StartElementHandler",
        "buffer_text",
    ),
    "A column of a row, which is saved by its name": ("last_name",),
    "A column that `list_display` or `fields` names": ("sent_key",),
    "Django REST framework passes it by name": ("accepted_media_type", "renderer_context"),
    "django-filter calls it by the name that a filter gives": (
        *("by_status", "from_day", "of_season", "of_tournament", "to_day"),
    ),
    "drf-spectacular finds it among the subclasses, and passes it by name": ("BearerTokenScheme", "auto_schema"),
    "The server's interface passes it by name": ("exc_info",),
    "http.client asks a socket for it": ("makefile",),
    "allauth passes it by name": ("message_context", "temp_key"),
    "Set for a library that reads it": (
        "_errors",
        "comment",
        "create_system",
        "creation_date",
        "exc_text",
        "redirects",
        "synthetic_bold",
        "transform",
    ),
    "Set only behind a proxy": ("SECURE_PROXY_SSL_HEADER",),
    "Sentences of Django that the translations take over": ("LENGTHS", "SINCE"),
    "Named in annotations that are strings": ("LexborNode",),
    "Tells the caller of a command whether it did anything, which shows nowhere else": ("is_news",),
}


def main() -> int:
    """0 when nothing is unused but what is kept for a reason, and everything that is kept still needs its reason."""
    finder = Vulture(ignore_decorators=DECORATORS)
    finder.scavenge([str(ROOT / name) for name in (*PACKAGES, "manage.py")], exclude=["*/migrations/*"])
    for name in names_used_elsewhere():
        finder.used_names.add(name)
    found = list(finder.get_unused_code())
    kept = {name for names in KEPT.values() for name in names}
    dead = [item for item in found if item.name not in kept]
    for item in dead:
        _say(item.get_report())
    needless = sorted(kept - {item.name for item in found})
    for name in needless:
        _say(f".ci/dead_code.py: {name} is used, or gone: it need not be kept")
    _say(f"dead code: {len(dead)} unused, {len(kept)} kept for a reason")
    return 1 if dead or needless else 0


def names_used_elsewhere() -> set[str]:
    """Every name of ours that something other than our Python uses."""
    return {
        *_named_in_templates(),
        *_named_by_path(),
        *(name for module in _modules() for name in _asked_by_libraries(module)),
    }


def _named_in_templates() -> Iterator[str]:
    for page in (ROOT / "templates").rglob("*.*"):
        for tag in IN_A_TEMPLATE.findall(page.read_text()):
            yield from re.findall(r"\w+", tag)


def _named_by_path() -> Iterator[str]:
    """Last parts of the dotted paths that settings and packages name as strings."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            yield from DOTTED.findall(path.read_text())


def _modules() -> Iterator[ModuleType]:
    for package in PACKAGES:
        for found in pkgutil.walk_packages([str(ROOT / package)], f"{package}."):
            if ".migrations" not in found.name and not found.name.endswith("__main__"):
                yield import_module(found.name)


def _asked_by_libraries(module: ModuleType) -> Iterator[str]:
    """Settings, and what each class of the module has because a class of a library, or a column, or JSON names it."""
    if module.__name__ == "rummy_site.settings":
        yield from (name for name in vars(module) if name.isupper())
    for _, cls in inspect.getmembers(module, inspect.isclass):
        if cls.__module__ == module.__name__:
            yield from _asked_of(cls)


def _asked_of(cls: type) -> Iterator[str]:
    libraries = [base for base in cls.__mro__ if not base.__module__.startswith(OURS) and base is not object]
    yield from (name for name in vars(cls) if any(name in vars(base) for base in libraries))
    if issubclass(cls, msgspec.Struct):
        yield from cls.__struct_fields__
    if issubclass(cls, forms.BaseForm):
        yield from getattr(cls, "base_fields", ())
        yield from (name for name in vars(cls) if name.startswith("clean_"))
    if issubclass(cls, models.Model):
        yield from (field.name for field in cls._meta.get_fields())
        yield from vars(cls._meta)


def _say(line: str) -> None:
    print(line)  # noqa: T201


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    # The module for it can be imported only where there is one.
    os.environ |= {"OPENID_URL": "https://openid.example", "OPENID_CLIENT_ID": "club", "OPENID_SECRET": "secret"}
    django.setup()
    sys.exit(main())
