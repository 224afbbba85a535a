"""What is kept compressed, as a visitor takes it: as it is kept, or as plain text."""

import gzip

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import re_accepts_gzip

HTML, JSON = "text/html; charset=utf-8", "application/json"


def unpacked(request: HttpRequest, text: bytes, kind: str) -> HttpResponse:
    """The answer of a content type from bytes that gzip has packed."""
    if re_accepts_gzip.search(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(text, content_type=kind, headers={"Content-Encoding": "gzip"})
    return HttpResponse(gzip.decompress(text), content_type=kind)


def tag_sent(answer: HttpResponseBase, tag: str) -> str:
    """A strong tag, weak over what is compressed: the same to the byte is only the text in it."""
    return f"W/{tag}" if answer.has_header("Content-Encoding") else tag
