"""Answers as JSON: structs go out as they are, in one pass."""

from typing import Any

import msgspec
from rest_framework.renderers import BaseRenderer


class StructRenderer(BaseRenderer):
    """Encodes whatever msgspec can: structs, ids, moments, plain values."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        """The bytes of the answer."""
        return b"" if data is None else msgspec.json.encode(data)
