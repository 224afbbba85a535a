"""Answers requests that never reach the site: too large, too slow, too many at once."""

from io import BytesIO

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.utils.translation import get_language_from_request, override

from rummy_site.middleware.failures import Misfit, is_for_machines, refusal
from rummy_site.server.environ import Answer, Environ

ENGLISH = "en-gb"


def refuse(environ: Environ, misfit: Misfit, number: int) -> Answer:
    """A problem document, or a small page in the language that the browser asks for."""
    request = WSGIRequest({**environ, "wsgi.input": BytesIO()})
    with override(_language_of(request)):
        answer = refusal(request, misfit, number=number)
    return Answer(answer.status_code, list(answer.items()), answer.content)


def _language_of(request: HttpRequest) -> str:
    return ENGLISH if is_for_machines(request) else get_language_from_request(request)
