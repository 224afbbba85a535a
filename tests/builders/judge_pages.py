"""The text of a page of the judge."""

import html
import re
from typing import Any


def text_of(answer: Any) -> str:
    """The visible text, without invisible marks."""
    assert answer.status_code == 200
    words = re.sub(r"<[^>]*>", " ", answer.content.decode().replace("\ufe0e", ""))
    return re.sub(r"\s+", " ", html.unescape(words))
