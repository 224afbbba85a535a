"""What is sent compressed: the same to the byte each time, and so under a strong tag of its own.

A visitor may name the tag of either form, compressed or not: they say the same.
"""

import gzip
import re

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

from tournaments.boards.kept import pack

HTML, JSON = "text/html; charset=utf-8", "application/json"
# How the tag of what is compressed ends.
PACKED = '-gz"'
# Named, and not with a quality of nought, which says that it is refused (RFC 9110, 12.4.2). Django's own search for the
# bare word takes that for consent.
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q\s*=\s*0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)


def takes_packed(request: HttpRequest) -> bool:
    """Whether a visitor takes gzip."""
    return bool(TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")))


def unpacked(request: HttpRequest, text: bytes, kind: str) -> HttpResponse:
    """The answer of a content type from bytes that gzip has packed: as they are, or as plain text."""
    if takes_packed(request):
        return HttpResponse(text, content_type=kind, headers={"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(text), content_type=kind)


def pack_answer(request: HttpRequest, answer: HttpResponse) -> None:
    """Compress an answer that is not yet, whatever its length: its tag is known before its text is."""
    if takes_packed(request) and answer.content and not answer.has_header("Content-Encoding"):
        answer.content = pack(answer.content)
        answer.headers["Content-Encoding"] = "gzip"


def tag_sent(request: HttpRequest, tag: str) -> str:
    """The tag of the form that a visitor is sent, where what has this strong tag is sent compressed if they take it."""
    return f"{tag[:-1]}{PACKED}" if takes_packed(request) else tag


def is_known(request: HttpRequest, tag: str) -> bool:
    """Whether a visitor has what this tag says, in either form.

    If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have marked our strong tag as weak.
    """
    header = request.headers.get("If-None-Match", "")
    return header.strip() == "*" or any(_plain(known) == _plain(tag) for known in parse_etags(header))


def _plain(tag: str) -> str:
    return tag.removeprefix("W/").replace(PACKED, '"')
