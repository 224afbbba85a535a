"""Files that a visitor gets: JSON for a program, CSV or a workbook as a download.

What is in them: `tournaments.printing.exports` and `tournaments.printing.season_files`.
"""

from typing import Any

import msgspec
from django.http import HttpResponse

from tournaments.printing.files import CONTENT_TYPES, FileKind
from tournaments.rendering.left_out import left_out

JSON, CSV = "application/json", CONTENT_TYPES[FileKind.CSV]


def json_text(value: Any) -> bytes:
    """Serialise as JSON in UTF-8, without escaping names."""
    return msgspec.json.encode(value)


def json_answer(value: Any) -> HttpResponse:
    """Return a JSON response."""
    return HttpResponse(json_text(value), content_type=JSON)


def file_answer(content: str | bytes, name: str, kind: str = CSV) -> HttpResponse:
    """Return a file for download under a descriptive name."""
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def export_answer(content: Any, name: str, kind: str) -> HttpResponse:
    """Return JSON for a program; CSV or a workbook as a file of that name."""
    return (
        json_answer(content)
        if kind == "json"
        else file_answer(content, f"{name}.{kind}", CONTENT_TYPES[FileKind(kind)])
    )


def left_out_count() -> dict[str, int]:
    """Return how many rows were skipped, if any."""
    return {"left_out": missing} if (missing := left_out()) else {}
