"""What the button *Tell me here* posts: that a browser is told of a tournament or a player, or no longer.

Rules: docs/how-to/messages.md, "Browsers". Without a login and without a form token: public pages are kept by caches.
Only a page of ours can post JSON here, for a browser asks before another site may; and it can only ask for what is
public.
"""

import time
from contextlib import suppress
from typing import Literal
from uuid import UUID

import msgspec
from django.conf import settings
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.timezone import now
from django.utils.translation import gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from scoring.problems import RuleError
from tournaments.client_addresses import client_network
from tournaments.models import Player, Tournament
from tournaments.outbox.push import Browser
from tournaments.outbox.subscriptions import Asked, Followed, is_subscribed, renew, subscribe, unsubscribe
from tournaments.rendering.i18n.translating import sentence

# A hall shares one address. What is stored has limits of its own.
MOST_A_MINUTE = 120


class Posted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is asked, by which browser, of which tournament or player. `ask` changes nothing.

    `renew` is of all that the browser is told of: its address `was` another one.
    """

    do: Literal["on", "off", "ask", "renew"]
    endpoint: str
    tournament: UUID | None = None
    player: UUID | None = None
    language: str = ""
    p256dh: str = ""
    auth: str = ""
    was: str = ""


@csrf_exempt
@never_cache
@require_POST
def tell_me(request: HttpRequest) -> HttpResponse:
    """Whether the browser is told of it from now on. 404 for what is not there, 422 with a sentence for a refusal."""
    if request.content_type != "application/json":
        return HttpResponse(status=415)
    try:
        posted = msgspec.json.decode(request.body, type=Posted)
    except msgspec.MsgspecError as error:
        return JsonResponse({"text": str(error)}, status=400)
    network = client_network(request)
    # Each page asks as it opens, and a hall opens it together when a round is seated.
    if posted.do != "ask" and _is_too_many(network):
        text = gettext("Too many requests came from this network. Try again in a minute.")
        return JsonResponse({"text": text}, status=429, headers={"Retry-After": "60"})
    browser = Browser(endpoint=posted.endpoint, p256dh=posted.p256dh, auth=posted.auth)
    if posted.do == "renew":
        try:
            return JsonResponse({"is_on": renew(posted.was, browser)})
        except RuleError as refused:
            return _refused(refused, posted)
    followed_id = posted.player or posted.tournament
    if followed_id is None:
        return JsonResponse({"text": "Name a tournament or a player"}, status=400)
    if posted.do == "off":
        unsubscribe(followed_id, posted.endpoint)
    elif posted.do == "on":
        asked = Asked(
            browser=browser,
            language=posted.language,
            network=network,
            site=f"{request.scheme}://{request.get_host()}",
        )
        try:
            subscribe(_followed(Player if posted.player else Tournament, followed_id), asked, now=now())
        except RuleError as refused:
            return _refused(refused, posted)
    return JsonResponse({"is_on": is_subscribed(followed_id, posted.endpoint)})


def _refused(refused: RuleError, posted: Posted) -> HttpResponse:
    with override(posted.language if posted.language in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE):
        texts = [sentence(problem.message) for problem in refused.problems]
    return JsonResponse({"text": " ".join(texts)}, status=422)


def _is_too_many(network: str) -> bool:
    key = f"tell_me:{network}:{int(time.time() // 60)}"
    cache.add(key, 0, timeout=120)
    with suppress(ValueError):  # Evicted between two lines: then the limit is not reached anyway.
        return cache.incr(key) > MOST_A_MINUTE
    return False


def _followed(model: type[Followed], followed_id: UUID) -> Followed:
    followed = model._default_manager.select_related("club").filter(pk=followed_id).first()
    if followed is None:
        raise Http404
    return followed
