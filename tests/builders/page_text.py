"""The text and the HTML of an answer."""

import html as entities
import re

from django.contrib.messages import get_messages

from tests.builders.flat import flat


def said(answer) -> str:
    """The messages that the next page will show, without the marks around names."""
    return " / ".join(str(m) for m in get_messages(answer.wsgi_request)).replace("\u2068", "").replace("\u2069", "")


def html(answer) -> str:
    return flat(answer.content.decode()).replace("\u2068", "").replace("\u2069", "")


def text_of(answer) -> str:
    """The visible text, without invisible marks."""
    words = re.sub(r"<[^>]*>", " ", answer.content.decode().replace("\ufe0e", ""))
    return re.sub(r"\s+", " ", entities.unescape(words))


def refusal_of(answer, status: int = 422) -> str:
    """The page that says why a form was refused, with this status."""
    assert answer.status_code == status
    return html(answer)
