"""The text of a page of a table card."""

import html as entities
import re
from typing import Any


def text_of(answer: Any) -> str:
    """The visible text, without invisible marks."""
    words = re.sub(r"<[^>]*>", " ", answer.content.decode().replace("\ufe0e", ""))
    return re.sub(r"\s+", " ", entities.unescape(words))
