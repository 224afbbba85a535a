"""What was typed into a form that came too late: kept in the answer, and offered again once its writer is known again.

Rules: docs/decisions/0033. A session had ended, a card was over, or somebody signed in meanwhile in another tab.
Nothing is stored on the server: the fields travel in the page, signed, and are sent again by a press of whoever reads
what they say. Never a password, never a file, and nothing that another site has sent.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, gettext_noop

from scoring.rules.variants import ending_title
from tournaments.rendering.i18n.translating import translate

SALT = "tournaments.kept_typing"
KEPT = "kept"
# A pasted list of players is the longest text that a page takes; packed and signed it stays below this.
MOST_TYPED = 300_000
MOST_KEPT = 600_000
GOOD_FOR_SECONDS = 12 * 3600
MOST_SHOWN = 300
# What a form carries beside what somebody typed: sent again, and not worth reading.
ENVELOPE = frozenset(
    {"seen", "key", "version", "line", "book", "do", "next", "part", "preset", "club", "told", "shown", "kind"}
)
# What the page of a deal calls its fields; a field of another form is called by its name.
OF_A_DEAL = {
    "deal": gettext_noop("Deal"),
    "dealer": gettext_noop("Dealer"),
    "ended": gettext_noop("How it ended"),
    "loose": gettext_noop("Loose cards"),
    "reason": gettext_noop("Reason"),
    "wild": gettext_noop("Wild joker"),
}
OF_A_SEAT = re.compile(r"(?P<field>[a-z_]+)-(?P<seat>[0-9]{1,3})")
# A key, a number read out and a group of cards say what they are; so does nothing else.
SAID_ALONE = frozenset({"how", "count", "group"})
CARD_CODE = "code"
NEVER_SENT = frozenset({"csrfmiddlewaretoken", KEPT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A form as it came: its address, and its fields in their order."""

    path: str
    fields: tuple[tuple[str, str], ...]

    def shown(self) -> list[tuple[str, str]]:
        """What somebody typed, by the names of its fields; of a deal a line for each seat."""
        typed = [(name, value) for name, value in self.fields if value and not _is_envelope(name)]
        is_deal = "deal" in dict(self.fields)
        lines: dict[str, list[str]] = {}
        for name, value in typed:
            title, said = _of_a_deal(name, value) if is_deal else (_said(name), value)
            lines.setdefault(title, []).append(said)
        return [(title, _cut(", ".join(said))) for title, said in lines.items()]

    def sealed(self) -> str:
        """For a page to carry."""
        return signing.dumps([self.path, self.fields], salt=SALT, compress=True)


def typed_in(request: HttpRequest) -> Kept | None:
    """What a request brings that is worth keeping: a form of ours, whole, without secrets."""
    if request.method != "POST" or request.FILES or "HX-Request" in request.headers:
        return None
    fields = tuple(
        (name, str(value)) for name, values in request.POST.lists() for value in values if name not in NEVER_SENT
    )
    is_secret = any(name == CARD_CODE or "password" in name.lower() for name, _ in fields)
    is_long = sum(len(name) + len(value) for name, value in fields) > MOST_TYPED
    return None if is_secret or is_long or not fields else Kept(path=request.get_full_path(), fields=fields)


def kept_in(data: Mapping[str, Any]) -> Kept | None:
    """What an earlier answer of ours has kept; nothing where it is too old, or not ours."""
    sealed = str(data.get(KEPT) or "")
    if not sealed or len(sealed) > MOST_KEPT:
        return None
    try:
        path, fields = signing.loads(sealed, salt=SALT, max_age=GOOD_FOR_SECONDS)
    except signing.BadSignature:
        return None
    return Kept(path=path, fields=tuple((name, value) for name, value in fields))


def is_ours(request: HttpRequest) -> bool:
    """Whether a page of this site has sent a request, as the browser says: nothing is offered of what others sent."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        return False
    said = request.headers.get("Origin") or request.headers.get("Referer") or ""
    come_from = urlsplit(said)
    return (come_from.scheme, come_from.netloc) == (request.scheme, request.get_host())


def kept_context(kept: Kept) -> dict[str, Any]:
    """For a page that says what is kept until somebody has signed in."""
    return {"kept": kept.sealed(), "kept_fields": kept.shown()}


def send_again_page(request: HttpRequest, kept: Kept, *, status: int = 200) -> HttpResponse:
    """The form once more, to be read and sent by a press, with a token of the sign-in that holds now."""
    context = {
        "title": gettext("Send again"),
        "path": kept.path,
        "fields": kept.fields,
        "kept_fields": kept.shown(),
    }
    answer = TemplateResponse(request, "send_again.html", context, status=status)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _is_envelope(name: str) -> bool:
    return name.rpartition("-")[2] in ENVELOPE or name.endswith(("_FORMS", "-id"))


def _of_a_deal(name: str, value: str) -> tuple[str, str]:
    """The line of a deal to which a field belongs, and what the field says there."""
    of_seat = OF_A_SEAT.fullmatch(name)
    if of_seat is None:
        return gettext(OF_A_DEAL[name]) if name in OF_A_DEAL else _said(name), value
    seat, field = gettext("Seat %(place)s") % {"place": of_seat["seat"]}, of_seat["field"]
    if field in SAID_ALONE:
        title = ending_title(value) if field == "how" else None
        return seat, translate(title) if title else value
    return seat, f"{gettext(OF_A_DEAL[field]) if field in OF_A_DEAL else _said(field)}: {value}"


def _cut(text: str) -> str:
    return text[:MOST_SHOWN] + ("…" if len(text) > MOST_SHOWN else "")


def _said(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").strip().capitalize()
