"""What a scorer does between deals, as the page sends it."""

from typing import Any

from tests.builders.admin_tables import Evening
from tournaments.models.log import Event


def act(version: int, key: str = "a" * 32, **fields: Any) -> dict[str, Any]:
    return {"version": version, "key": key, **fields}


def last_kind(evening: Evening) -> str:
    return Event.objects.filter(stream_id=evening.table.pk).latest("version").kind
