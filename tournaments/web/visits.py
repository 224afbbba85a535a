"""Calls the site's own views as an anonymous visitor without a client address."""

from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.template.response import SimpleTemplateResponse
from django.urls import Resolver404, get_script_prefix, resolve
from django.utils.translation import get_language

from tournaments.rendering.left_out import count_anew

HTML = "text/html"
OK = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class InternalResponse:
    """The response of a view."""

    kind: str
    body: bytes

    @property
    def is_page(self) -> bool:
        return self.kind == HTML


class InternalRequest(WSGIRequest):
    """An internal request. Its host is set by us, so ALLOWED_HOSTS does not apply."""

    def get_host(self) -> str:
        """Return the host for absolute addresses on the page."""
        return str(self.META["HTTP_HOST"])


def answer_of(origin: str, path: str, query: str) -> InternalResponse | None:
    """Return the public response at an address; None unless it is a page or a file of its own."""
    try:
        match = resolve(f"/{path.removeprefix(get_script_prefix())}")
        request = _visit(origin, path, query)
        request.resolver_match = match
        # No signal begins this request: rows that the page before left out are not missing here.
        count_anew()
        response = match.func(request, *match.args, **match.kwargs)
    except (Http404, Resolver404):
        return None
    if isinstance(response, SimpleTemplateResponse):
        response.render()
    if response.status_code != OK or "noindex" in response.headers.get("X-Robots-Tag", ""):
        return None
    return InternalResponse(kind=response.headers["Content-Type"].partition(";")[0], body=_body(response))


def static_bytes(asset: str) -> bytes | None:
    """Return a static file as it is served: from the collected files of a deployment, else from its source folder."""
    if settings.STATIC_ROOT and staticfiles_storage.exists(asset):
        with staticfiles_storage.open(asset) as file:
            return cast(bytes, file.read())
    source_path = finders.find(asset)
    if not isinstance(source_path, str):
        return None
    with open(source_path, "rb") as file:
        return file.read()


def _visit(origin: str, path: str, query: str) -> InternalRequest:
    where = urlsplit(origin)
    request = InternalRequest(
        {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": get_script_prefix().rstrip("/"),
            "PATH_INFO": f"/{path.removeprefix(get_script_prefix())}",
            "QUERY_STRING": query,
            "HTTP_HOST": where.netloc,
            "SERVER_NAME": where.hostname or "",
            "SERVER_PORT": str(where.port or (443 if where.scheme == "https" else 80)),
            "wsgi.url_scheme": where.scheme,
            "wsgi.input": BytesIO(),
        }
    )
    request.user = AnonymousUser()
    request.LANGUAGE_CODE = get_language()
    return request


def _body(response: HttpResponse | StreamingHttpResponse) -> bytes:
    if isinstance(response, StreamingHttpResponse):
        return b"".join(cast(Iterable[bytes], response.streaming_content))
    return response.content
