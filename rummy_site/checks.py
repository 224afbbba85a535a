"""What `manage.py check` and `migrate` look at beyond Django's own list."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

from rummy_site.durability import forgetful_setting


@register(Tags.database)
def database_keeps_what_it_acknowledges(
    app_configs: Sequence[AppConfig] | None,
    *,
    databases: Sequence[str] | None = None,
    **_: Any,
) -> list[CheckMessage]:
    """An error for each database that could forget an acknowledged fact."""
    complaints = {alias: forgetful_setting(connections[alias]) for alias in databases or ()}
    return [Error(said, obj=alias, id="rummy.E001") for alias, said in complaints.items() if said]
