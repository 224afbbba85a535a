"""Answers with a tag: a page that has not changed is 304 before anything is counted or drawn.

A tag stands for everything a page is made of: the version of its facts, the names on it (a player may be renamed or
erased without any fact), what the club wrote about it, and the templates of this release.
"""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response

TAG_BYTES = 9
# Kept by browsers and proxies, but asked about each time: a tag costs a fraction of a page.
SHARED = "public, no-cache"
PRIVATE = "private, no-store"


def page_tag(*parts: object) -> str:
    """A strong tag over everything given, and this release's templates."""
    digest = blake2b(digest_size=TAG_BYTES)
    for part in (release_stamp(), *parts):
        text = str(part).encode(errors="surrogatepass")
        digest.update(len(text).to_bytes(4, "big") + text)
    return f'"{digest.hexdigest()}"'


def unless_unchanged(
    request: HttpRequest, tag: str, make: Callable[[], HttpResponse], *, is_shared: bool
) -> HttpResponse:
    """304 where the visitor has this very page already; otherwise the page, with its tag."""
    unchanged = get_conditional_response(request, etag=tag)
    answer = make() if unchanged is None else unchanged
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = SHARED if is_shared else PRIVATE
    return answer


@cache
def release_stamp() -> str:
    """A digest of the page templates, so that a tag from before an update does not hold after it."""
    digest = blake2b(digest_size=TAG_BYTES)
    for folder in settings.TEMPLATES[0]["DIRS"]:
        for path in sorted(Path(folder).glob("pages/*")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
