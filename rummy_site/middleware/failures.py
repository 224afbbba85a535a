"""Answers to failures that no view handled: an outage, a defect, a malformed request, a former address.

Pages offer to send the form again; the API's own views have answered already, except where the failure came before or
after them.
"""

import re
import sys
from collections.abc import Callable
from enum import StrEnum
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import DisallowedHost, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve

from scoring.messages import Message
from scoring.problems import ClubMoved
from tournaments.models import ClubSlug
from tournaments.rendering.i18n.translating import sentence
from tournaments.transient_errors import RETRY_AFTER_SECONDS, outage_detail, outage_of
from tournaments.web.addresses import without_language
from tournaments.web.admin.base.carried_typing import has_secrets, is_ours, send_again_page, typed_in
from tournaments.web.admin.tables.card_exchange import has_card
from tournaments.web.public.base.answers import PRIVATE, sees_hidden

API_PREFIX = "/api/"
PROBLEM_TYPE = "application/problem+json"
DEFECT_DETAIL = (
    "Something of ours broke. Send it again, unchanged and with the same idempotency key: it counts once, also where "
    "it is stored already."
)


class RefusalReason(StrEnum):
    """Why a request is refused before it reaches a view. Pages show it in templates/refused.html."""

    MALFORMED = "malformed"
    UNKNOWN_HOST = "unknown_host"
    METHOD = "method_not_allowed"
    TOO_SLOW = "too_slow"
    TOO_LARGE = "too_large"
    TOO_BUSY = "unavailable"
    MOVED = "club_moved"


REFUSALS = {
    RefusalReason.MALFORMED: (HTTPStatus.BAD_REQUEST, "The request cannot be read."),
    RefusalReason.UNKNOWN_HOST: (HTTPStatus.BAD_REQUEST, "This site does not answer to the name in the Host header."),
    RefusalReason.METHOD: (HTTPStatus.METHOD_NOT_ALLOWED, "This address does not take this method."),
    RefusalReason.TOO_SLOW: (HTTPStatus.REQUEST_TIMEOUT, "The request did not arrive within {number} seconds."),
    RefusalReason.TOO_LARGE: (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "A body has at most {number} bytes."),
    RefusalReason.MOVED: (HTTPStatus.CONFLICT, "The club has moved to another installation."),
    RefusalReason.TOO_BUSY: (
        HTTPStatus.SERVICE_UNAVAILABLE,
        "The site is too busy. Nothing was stored: send it again.",
    ),
}


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Django's handler for uncaught exceptions; the exception is still being handled when this is called."""
    outage = outage_of(sys.exception())
    return defect(request) if outage is None else unavailable(request, outage)


def unavailable(request: HttpRequest, outage: Message) -> HttpResponse:
    """503, with what failed, when to retry, and a button to send the form again."""
    if is_for_machines(request):
        answer = _problem(503, "unavailable", "Service Unavailable", outage_detail(outage))
    else:
        context = {"what_failed": sentence(outage), "sent": sent_fields(request)}
        answer = render(request, "503.html", context, status=503)
    answer.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def defect(request: HttpRequest) -> HttpResponse:
    """500, without details of the defect."""
    if is_for_machines(request):
        return _problem(500, "defect", "Internal Server Error", DEFECT_DETAIL)
    return render(request, "500.html", status=500)


def answer_misfit(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for a request that cannot be processed: an unknown host name, a malformed form."""
    match exception:
        case DisallowedHost():
            return refusal(request, RefusalReason.UNKNOWN_HOST)
        case RequestDataTooBig():
            return refusal(request, RefusalReason.TOO_LARGE, number=settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
    return refusal(request, RefusalReason.MALFORMED)


def refusal(request: HttpRequest, reason: RefusalReason, *, number: int = 0, moved_to: str = "") -> HttpResponse:
    """A problem document, or a small page in the active language."""
    status, detail = REFUSALS[reason]
    if is_for_machines(request):
        answer = _problem(status, reason, status.phrase, detail.format(number=number))
    else:
        # Without the request: nothing here may read the host, the session or the database.
        context = {"reason": reason, "number": number, "moved_to": moved_to}
        answer = HttpResponse(render_to_string("refused.html", context), status=status)
    answer.headers["Cache-Control"] = "no-store"
    answer.headers["X-Content-Type-Options"] = "nosniff"
    if reason == RefusalReason.TOO_BUSY:
        answer.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return answer


def is_for_machines(request: HttpRequest) -> bool:
    """Whether the client is a program, which reads problem documents and English."""
    return request.path.startswith(API_PREFIX)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Django's view for a form whose token does not match this session: most often the user signed in in another tab.

    A form from our own page is shown and offered again; one from elsewhere is not, or a press would do what another
    site wants. A script gets no form: its token would replace the one of a page that is open beside it.
    """
    kept_form = typed_in(request) if is_ours(request) and _shows_pages(request) else None
    if kept_form is not None and (admin.site.has_permission(request) or has_card(request)):
        from tournaments.web.admin.register.purposes import purpose_at  # noqa: PLC0415 - loads the back office

        return send_again_page(request, kept_form, purpose=purpose_at(kept_form.path), status=403)
    answer = admin.site.signed_out(request) if kept_form is not None else None  # type: ignore[attr-defined]
    return answer or render(request, "403_csrf.html", status=403)


def sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of the form that met the outage, to be sent again with one press; never a secret or a file."""
    if request.method != "POST" or request.FILES or has_secrets(request):
        return []
    return [(name, str(value)) for name, values in request.POST.lists() for value in values]


def _problem(status: int, code: str, title: str, detail: str) -> HttpResponse:
    """An RFC 9457 problem document with one problem, as the API's own are."""
    document = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
        "problems": [{"code": code, "detail": detail}],
    }
    return JsonResponse(document, status=status, content_type=PROBLEM_TYPE)


# Which methods an address takes: GET and HEAD everywhere, POST where a form can be sent, and nothing else.

READING = ("GET", "HEAD")
WRITING = (*READING, "POST")
# By URL name: public pages, and what Django makes in the back office. Our own pages there say it themselves (`Page`).
READ_ONLY = re.compile(
    r"(pages:(?!enter$|entry_status$|stop_messages) | files:(?!stop_messages)).* | favicon | outbox_worker | language"
    r"| admin:(index | app_list | autocomplete | jsi18n | password_change_done | \w+_history)"
    r"| admin:(scoring | tournaments_event)_\w+",
    re.VERBOSE,
)


class MethodMiddleware:
    """Refuses a method that an address does not take, and changes in a club that has moved."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on: the URL is not resolved yet."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        """405 with the methods that are allowed."""
        if is_for_machines(request) or request.resolver_match is None:
            return None
        methods = methods_of(request.resolver_match)
        if request.method in methods:
            return None
        answer = refusal(request, RefusalReason.METHOD)
        answer.headers["Allow"] = ", ".join(methods)
        return answer

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """409 for a change in a club that has moved, where no page said so."""
        if isinstance(exception, ClubMoved):
            return refusal(request, RefusalReason.MOVED, moved_to=exception.where)
        return None


def methods_of(match: ResolverMatch) -> tuple[str, ...]:
    """The methods that an address takes."""
    is_read_only = getattr(match.func, "is_read_only", False) or READ_ONLY.fullmatch(match.view_name)
    return READING if is_read_only else WRITING


def _shows_pages(request: HttpRequest) -> bool:
    """Whether a person sees the answer: a browser asks for HTML for a page, not for a script."""
    return "text/html" in request.headers.get("Accept", "text/html")


# When a club's slug changes, its old addresses redirect for ever: pages, files, feeds and frames alike. Looked up only
# after a 404: docs/how-to/publishing.md, "Addresses".

CLUB_PREFIX = "/c/"
# Permanent, but not stored by browsers: a club may return to its former slug.
KEPT_FOR = "max-age=3600"


class FormerAddressMiddleware:
    """Redirects requests for a former address of a club that the user may see."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Redirect only where nothing was found."""
        answer = self.get_response(request)
        is_missing = answer.status_code == HTTPStatus.NOT_FOUND
        if is_missing and without_language(request.path_info).startswith(CLUB_PREFIX):
            return _sent_on(request) or answer
        return answer


def _sent_on(request: HttpRequest) -> HttpResponsePermanentRedirect | None:
    """The redirect to the same page below today's slug."""
    try:
        former = resolve(request.path_info).kwargs.get("club_slug", "")
    except Resolver404:
        return None
    row = ClubSlug.objects.select_related("club").filter(slug__iexact=former).first()
    if row is None or row.club.slug == former or not (row.club.is_published or sees_hidden(request, row.club)):
        return None
    there = request.get_full_path().replace(f"{CLUB_PREFIX}{former}/", f"{CLUB_PREFIX}{row.club.slug}/", 1)
    answer = HttpResponsePermanentRedirect(there)
    answer.headers["Cache-Control"] = KEPT_FOR if row.club.is_published else PRIVATE
    return answer
