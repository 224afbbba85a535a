"""What somebody is told of a failure that nobody below has answered: an outage, or a defect of ours.

Pages offer to send the form again; the API's own views have answered already, except where the failure came before
or after them.
"""

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from tournaments.outages import OUTAGE_SAID, RETRY_AFTER_SECONDS, is_outage

API_PREFIX = "/api/"
PROBLEM_TYPE = "application/problem+json"
DEFECT_SAID = (
    "Something of ours broke. Send it again, unchanged and with the same idempotency key: it counts once, also where "
    "it is stored already."
)


def answer_failure(request: HttpRequest) -> HttpResponse:
    """Django's handler for what nobody caught; the exception is still being handled when this is called."""
    if is_outage(sys.exception()):
        return outage(request)
    return defect(request)


def outage(request: HttpRequest) -> HttpResponse:
    """503, when to come back, and how to send again what was sent."""
    if request.path.startswith(API_PREFIX):
        answer = _problem(503, "unavailable", "Service Unavailable", OUTAGE_SAID)
    else:
        answer = render(request, "503.html", {"sent": sent_fields(request)}, status=503)
    answer.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def defect(request: HttpRequest) -> HttpResponse:
    """500, without a word about what broke."""
    if request.path.startswith(API_PREFIX):
        return _problem(500, "defect", "Internal Server Error", DEFECT_SAID)
    return render(request, "500.html", status=500)


def sent_fields(request: HttpRequest) -> list[tuple[str, str]]:
    """The fields of the form that met the outage, to be sent again by one press; never a password or a file."""
    if request.method != "POST" or request.FILES or any("password" in name for name in request.POST):
        return []
    return [(name, str(value)) for name, values in request.POST.lists() for value in values]


def _problem(status: int, code: str, title: str, said: str) -> HttpResponse:
    """An RFC 9457 problem document of one problem, as the API's own are."""
    document = {
        "type": "about:blank",
        "title": title,
        "status": status,
        "detail": said,
        "code": code,
        "problems": [{"code": code, "detail": said}],
    }
    return JsonResponse(document, status=status, content_type=PROBLEM_TYPE)
