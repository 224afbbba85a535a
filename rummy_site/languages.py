"""The language of a page: what a visitor chose, else what the browser asks for, else English.

Machines are always spoken to in English, so that what they read does not depend on who asks. A choice is a preference
in a cookie and nothing else, so it is made by a plain question: pages that all caches may share can hold no token.
"""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

FOR_MACHINES = "/api/"


class LanguageMiddleware(LocaleMiddleware):
    """Speaks the visitor's language on pages; caches keep an answer for each choice."""

    def process_request(self, request: HttpRequest) -> None:
        """Choose the language of this answer."""
        if not request.path_info.startswith(FOR_MACHINES):
            super().process_request(request)
            return
        translation.activate(settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = settings.LANGUAGE_CODE

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say what the answer depends on."""
        if request.path_info.startswith(FOR_MACHINES):
            return response
        patch_vary_headers(response, ["Cookie"])
        return super().process_response(request, response)


def choice(request: HttpRequest) -> dict[str, Any]:
    """For templates: every language by its own name."""
    return {"languages": settings.LANGUAGES}


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """Remember a language on this device, and go back to the page; never to another site."""
    language = request.GET.get("language", "")
    if language not in dict(settings.LANGUAGES):
        raise Http404
    answer = HttpResponseRedirect(_where_from(request))
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    answer.headers["Cache-Control"] = "no-store"
    return answer


# Pages do not hold their own address: what is hidden from a visitor has to look like what never was.
def _where_from(request: HttpRequest) -> str:
    """The page on which the language was chosen, as its script says or else the browser; the first page otherwise."""
    hosts, is_secure = {request.get_host()}, request.is_secure()
    for wanted in (request.GET.get("next", ""), request.headers.get("Referer", "")):
        if url_has_allowed_host_and_scheme(wanted, allowed_hosts=hosts, require_https=is_secure):
            return wanted
    return "/"
