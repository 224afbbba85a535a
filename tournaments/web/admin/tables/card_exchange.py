"""Where a scanned card leads: its secret is handed over once, and the device is known to that one table from then on.

Rules: docs/evening.md, "Table cards". The secret stands in the address behind `#`, which no browser sends and no
log or referrer holds; the page's script moves it into a form. It comes by POST alone and is never shown again.

The site's referrer policy `same-origin` must stand here: under `no-referrer` browsers send `Origin: null` with the
form, and the check against forged requests refuses that.
"""

import hashlib

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from tournaments.people.device_tokens import token_digest
from tournaments.tables.queries.table_tokens import card_by_digest
from tournaments.web.admin.editing.kept_typing import kept_context, kept_in, send_again_page
from tournaments.web.admin.tables.table_cards import ENDED, score_url, set_cookie

MOST_CODE = 200
PREFIX = 6
MOST_WRONG = 10
WINDOW_SECONDS = 600

UNKNOWN = gettext_noop("No table has this code. Scan the card once more, or type every letter as it stands there.")
TOO_MANY = gettext_noop(
    "Too many wrong codes came from this device. Wait ten minutes, or ask the director for a new card."
)
EMPTY = gettext_noop("The code is missing: it stands on the card, below the names.")


@sensitive_post_parameters("code")
@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def exchange(request: HttpRequest) -> HttpResponse:
    """The page that a card's QR code opens, and the answer to the code that it sends."""
    return _exchanged(request) if request.method == "POST" else _page(request)


@sensitive_variables("code")
def _exchanged(request: HttpRequest) -> HttpResponse:
    """A cookie for the table of the card, and on to its page; or what is wrong, in plain words."""
    # Blanks are how the card prints the code, and how a phone's keyboard ends a word.
    code = "".join(request.POST.get("code", "")[:MOST_CODE].split())
    if not code:
        return _page(request, gettext(EMPTY), status=422)
    counters = _counters(request, code)
    if any(cache.get(counter, 0) >= MOST_WRONG for counter in counters):
        return _page(request, gettext(TOO_MANY), status=429)
    moment = now()
    card = card_by_digest(token_digest(code), now=moment)
    if card is None:
        _count(counters)
        return _page(request, gettext(UNKNOWN), status=422)
    if card.end is not None:
        return _page(request, ENDED[card.end], status=403)
    url, kept = score_url(card.token.table_id), kept_in(request.POST)
    is_of_table = kept is not None and kept.path.startswith(url.removesuffix("score/"))
    answer = send_again_page(request, kept) if kept and is_of_table else HttpResponseRedirect(url)
    set_cookie(answer, card.token, now=moment)
    return answer


def _page(request: HttpRequest, problem: str = "", *, status: int = 200) -> HttpResponse:
    kept = kept_in(request.POST)
    context = {"title": gettext("Score a table"), "problem": problem, "most_code": MOST_CODE}
    context |= kept_context(kept) if kept else {}
    return TemplateResponse(request, "admin/tournaments/card/exchange.html", context, status=status)


@sensitive_variables("code")
def _counters(request: HttpRequest, code: str) -> list[str]:
    """Under what wrong codes are counted: the device, and how the code begins.

    Never the address: the phones of a whole venue share one. Counting dampens; what holds is 256 random bits.
    """
    device = str(request.META.get("CSRF_COOKIE", ""))
    return [f"card:{name}:{_short(text)}" for name, text in (("device", device), ("code", code[:PREFIX]))]


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _count(counters: list[str]) -> None:
    for counter in counters:
        cache.add(counter, 0, timeout=WINDOW_SECONDS)
        try:
            cache.incr(counter)
        except ValueError:
            # Thrown out of a full cache between two lines: then nobody is near the limit.
            cache.set(counter, 1, timeout=WINDOW_SECONDS)
