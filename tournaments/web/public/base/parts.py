"""The part of a page that is asked for again and again: unchanged, as the difference to what is shown, or whole.

Rules: docs/decisions/0021-what-changed-travels.md. A text that was sent is kept for a while under a digest of itself,
its base. A browser names the base of what it shows, so a difference is never told to anything but that very text,
whichever process sent it. A process that does not know a base sends the whole part.
"""

import json
import logging
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe

from tournaments.web.public.base.answers import unless_unchanged
from tournaments.web.public.base.differences import difference
from tournaments.web.public.base.markup import read

DIFFERENCE = "application/json"
BASE_BYTES = 9
BASE_LENGTH = 2 * BASE_BYTES
# The templates leave this empty; it is filled in once the text is there to be digested.
NO_BASE = 'data-base=""'

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part under its tag. `owner` is what it shows: differences are told between texts of one owner only."""

    owner: str
    tag: str
    make: Callable[[], str]


def answer_part(request: HttpRequest, part: Part, *, is_shared: bool) -> HttpResponse:
    """304, the difference to the base that the visitor names with `?since=`, or the whole part."""
    since = request.GET.get("since", "")
    base = since if len(since) == BASE_LENGTH and since.isalnum() else ""
    answer = unless_unchanged(request, part.tag, lambda: _changed(part, base), is_shared=is_shared)
    if base and answer.status_code == 304 and not caches["parts"].has_key(_key(part, "base", base)):
        # Another process sent what this visitor shows. Once it is kept here too, the next change is a difference.
        part_text(part)
    return answer


def part_text(part: Part) -> SafeString:
    """The whole part, made once for each tag in each process."""
    return mark_safe(_text(part)[1])  # noqa: S308 - our own template has escaped it


def _changed(part: Part, since: str) -> HttpResponse:
    base, text = _text(part)
    told = _told(part, since, base, text) if since else ""
    return HttpResponse(told, content_type=DIFFERENCE) if told else HttpResponse(text)


def _text(part: Part) -> tuple[str, str]:
    """The base of the part and its text, made and kept where this process has none yet."""
    base = caches["parts"].get(_key(part, "tag", part.tag))
    text = _kept(part, base) if base else None
    if base and text is not None:
        return base, text
    made = part.make()
    base = blake2b(made.encode(), digest_size=BASE_BYTES).hexdigest()
    text = made.replace(NO_BASE, f'data-base="{base}"', 1)
    caches["parts"].set(_key(part, "base", base), zlib.compress(text.encode(), level=1))
    caches["parts"].set(_key(part, "tag", part.tag), base)
    return base, text


def _told(part: Part, since: str, base: str, text: str) -> str:
    """The difference as JSON, worked out once; empty where the base is unknown or the whole part is shorter."""
    key = _key(part, since, base)
    told: str | None = caches["parts"].get(key)
    if told is not None:
        return told
    former = _kept(part, since)
    if former is None:
        return ""
    told = _difference_said(former, text)
    told = told if len(told) < len(text) else ""
    caches["parts"].set(key, told)
    return told


def _difference_said(former: str, text: str) -> str:
    """`was` is how long the text of the former part is: what a visitor's browser made of it has to be as long."""
    try:
        old, new = read(former), read(text)
    except ValueError as error:
        log.warning("a part travels whole because it cannot be read: %s", error)
        return ""
    told = {"was": len(old.text.encode("utf-16-le")) // 2, "change": difference(old, new)}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"))


def _kept(part: Part, base: str) -> str | None:
    """A text that this process has sent or made lately."""
    packed: bytes | None = caches["parts"].get(_key(part, "base", base))
    return None if packed is None else zlib.decompress(packed).decode()


def _key(part: Part, *words: str) -> str:
    return "/".join((part.owner, *(word.strip('"') for word in words)))
