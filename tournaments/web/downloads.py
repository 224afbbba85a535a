"""Files to download: written completely before they are sent, so that none arrives truncated."""

from collections.abc import Callable
from tempfile import TemporaryFile
from typing import IO

from django.http import FileResponse


def file_answer(write: Callable[[IO[bytes]], object], name: str, content_type: str) -> FileResponse:
    """The file that `write` writes, under a name."""
    file = TemporaryFile()  # noqa: SIM115 - the answer closes it when it is sent
    write(file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=name, content_type=content_type)
