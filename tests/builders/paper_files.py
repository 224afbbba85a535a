"""The bytes and the text of a printed file."""

import re
from typing import Any

from tests.builders.pdf_text import pages


def file(answer: Any) -> bytes:
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    return b"".join(answer.streaming_content)


def text(answer: Any) -> str:
    return " ".join(pages(file(answer)))


# Fingerprints, and the log's code for actors from before there were logins.
CODES = re.compile(r"(?:[0-9A-F]{4}-){2,}[0-9A-F]{4}|user:\d+")
