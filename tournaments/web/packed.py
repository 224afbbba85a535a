"""Compressed responses: identical bytes each time, and so with a strong ETag of their own.

A visitor may send the tag of either form, compressed or not: the content is the same.
"""

import gzip
import re

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

HTML, JSON = "text/html; charset=utf-8", "application/json"
# Higher levels make it a tenth smaller, in twice the time, while the first request waits.
LEVEL = 4
# Suffix of the tag of a compressed response.
PACKED = '-gz"'
# Listed without a quality of 0, which means refused (RFC 9110, 12.4.2). Django's own test for the bare word would
# accept that.
TAKES_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q\s*=\s*0(?:\.0*)?\s*(?:,|$))", re.IGNORECASE)


def pack(text: bytes) -> bytes:
    """Compress for clients that accept gzip; the same text always gives the same bytes."""
    return gzip.compress(text, LEVEL, mtime=0)


def takes_packed(request: HttpRequest) -> bool:
    """Whether a visitor accepts gzip."""
    return bool(TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")))


def unpacked(request: HttpRequest, text: bytes, kind: str) -> HttpResponse:
    """Return a response of a content type from gzipped bytes: compressed, or unpacked for visitors without gzip."""
    if takes_packed(request):
        return HttpResponse(text, content_type=kind, headers={"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(text), content_type=kind)


def pack_answer(request: HttpRequest, answer: HttpResponse) -> None:
    """Compress a response, whatever its length: its tag is known before its text is."""
    if takes_packed(request) and answer.content and not answer.has_header("Content-Encoding"):
        answer.content = pack(answer.content)
        answer.headers["Content-Encoding"] = "gzip"


def tag_sent(request: HttpRequest, tag: str) -> str:
    """Return the tag of the form that a visitor is sent, for a response that is compressed if accepted."""
    return f"{tag[:-1]}{PACKED}" if takes_packed(request) else tag


def is_known(request: HttpRequest, tag: str) -> bool:
    """Whether a visitor has the response with this tag, in either form.

    If-None-Match compares weakly (RFC 9110, 13.1.2): a proxy may have marked our strong tag as weak.
    """
    header = request.headers.get("If-None-Match", "")
    return header.strip() == "*" or any(_plain(etag) == _plain(tag) for etag in parse_etags(header))


def _plain(tag: str) -> str:
    return tag.removeprefix("W/").replace(PACKED, '"')
