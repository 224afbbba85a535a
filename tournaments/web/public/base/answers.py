"""Answers with a tag: a page that has not changed is 304 before anything is counted or drawn.

A tag stands for everything a page is made of: the version of its facts, the names on it (a player may be renamed or
erased without any fact), what the club wrote about it, the language, and this release.
"""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language

from tournaments.release import tag_digest

# Kept by browsers and proxies, but asked about each time: a tag costs a fraction of a page.
SHARED = "public, no-cache"
PRIVATE = "private, no-store"
View = Callable[..., HttpResponse]


def page_tag(*parts: object) -> str:
    """A strong tag over everything given, and this release."""
    return f'"{tag_digest(get_language(), *parts)}"'


def unless_unchanged(
    request: HttpRequest, tag: str, make: Callable[[], HttpResponse], *, is_shared: bool
) -> HttpResponse:
    """304 where the visitor has this very page already; otherwise the page, with its tag."""
    unchanged = get_conditional_response(request, etag=tag)
    answer = make() if unchanged is None else unchanged
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = SHARED if is_shared else PRIVATE
    return _packed(request, answer)


def packed(view: View) -> View:
    """The view, compressed where its answer is everybody's. Stands outside what makes a tag of the text."""

    @wraps(view)
    def answered(request: HttpRequest, *words: object, **named: object) -> HttpResponse:
        return _packed(request, view(request, *words, **named))

    return answered


def _packed(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Compressed where the visitor takes that: what is public holds no secret that its length could tell."""
    if answer.headers.get("Cache-Control") == SHARED:
        GZipMiddleware(lambda _: answer).process_response(request, answer)
        # Also without a text: a cache takes the headers of a 304 for those of the page that it keeps.
        patch_vary_headers(answer, ["Accept-Encoding"])
    return answer
