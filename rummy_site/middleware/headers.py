"""Headers of every response: what a browser may load on our pages, which is our own files and nothing else.

The one exception is the page that shows the API's description: its viewer writes style attributes.
"""

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.templatetags.static import static
from django.urls import Resolver404, ResolverMatch, resolve
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

API_DOCS_PATH = "/api/v1/docs/"

POLICY: dict[str, object] = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

READING = ("GET", "HEAD")
READ_BY_ALL = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "ETag, Date, Retry-After"}
ASKED_BEFORE = {
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Accept, If-None-Match",
    "Access-Control-Max-Age": "86400",
}

PERMISSIONS = "camera=(), microphone=(), geolocation=(), payment=(), usb=()"


class OtherSitesMiddleware:
    """Lets pages of other sites read what everybody may read: files of public pages, feeds, and public API reads.

    Only without a login: a browser gives no page an answer with `*` to a request with credentials, and what is answered
    to a token or a session alone goes without the header.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer what a browser asks before a request, and mark what may be read."""
        if request.method == "OPTIONS" and request.headers.get("Access-Control-Request-Method") in READING:
            with suppress(Resolver404):
                if is_read_by_all(resolve(request.path_info)):
                    return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={**READ_BY_ALL, **ASKED_BEFORE})
        response = self.get_response(request)
        # What a shared cache keeps is the same for everybody, whoever asked first.
        is_for_all = response.headers.get("Cache-Control", "").startswith("public") or not has_credentials(request)
        if is_for_all and request.method in READING and is_read_by_all(request.resolver_match):
            for name, value in READ_BY_ALL.items():
                response.headers[name] = value
        return response


def has_credentials(request: HttpRequest) -> bool:
    """Whether a token or a session comes with the request."""
    return "Authorization" in request.headers or settings.SESSION_COOKIE_NAME in request.COOKIES


def is_read_by_all(match: ResolverMatch | None) -> bool:
    """Whether an address gives a file of the public pages, or is a read of the API that needs no login."""
    return match is not None and (match.namespace == "files" or getattr(view_class(match), "is_public", False))


def view_class(match: ResolverMatch) -> object:
    """The class of the view of an address; None for a function."""
    return getattr(match.func, "cls", None)


class ContentPolicyMiddleware(CSPMiddleware):
    """Sends the policy with every response, relaxed for the API's description alone."""

    def get_policy_parts(
        self,
        request: HttpRequest,
        response: HttpResponseBase,
        report_only: bool = False,  # noqa: FBT001, FBT002 (the base class says so)
    ) -> PolicyParts:
        """The strict policy; images as data and inline styles only where the API is described."""
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info == API_DOCS_PATH:
            parts.update = {"style-src": [UNSAFE_INLINE], "img-src": ["data:"]}
        return parts

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Adds, besides the content policy, that our pages do not need the device's sensors."""
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        return super().process_response(request, response)


# Browsers ask for /favicon.ico whatever a page declares; they are redirected to our icon.


@cache_control(public=True, max_age=86_400)
@require_safe
def favicon(request: HttpRequest) -> HttpResponseRedirect:
    """Redirect to the icon; in production its name contains a digest."""
    return HttpResponseRedirect(static("rummy_site/icon.svg"))
