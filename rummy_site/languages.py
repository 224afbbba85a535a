"""The language of a page: from its address, else the visitor's choice, else what the browser asks for.

A public page has an address for each language, and its bare address redirects to one of them. Programs, feeds and
frames get the same answer for every visitor. A choice is a preference in a cookie and nothing else, so a plain GET
request makes it: pages that all caches may share can hold no token.
"""

from urllib.parse import urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_noop, ngettext_lazy
from django.views.decorators.http import require_safe

from tournaments.web.addresses import in_language, without_language

# Texts of Django's own pages that it does not translate into every language of ours. Ours take precedence.

WORDS = (
    gettext_noop("Skip to main content"),
    gettext_noop("Breadcrumbs"),
    gettext_noop("Toggle theme (current theme: auto)"),
    gettext_noop("Toggle theme (current theme: light)"),
    gettext_noop("Toggle theme (current theme: dark)"),
    gettext_noop("Search"),
    gettext_noop("Error:"),
    gettext_noop("Forbidden"),
    gettext_noop("View"),
    gettext_noop("View %s"),
    gettext_noop("Select %s to view"),
    gettext_noop("Hide counts"),
    gettext_noop("Show counts"),
    gettext_noop("Clear all filters"),
    gettext_noop("Objects"),
    gettext_noop("Summary"),
    gettext_noop("True"),
    gettext_noop("False"),
    gettext_noop("Yes, I’m sure"),
    gettext_noop("No, take me back"),
    gettext_noop("Please correct the error below."),
    gettext_noop("You don’t have permission to view or edit anything."),
    gettext_noop("We’re sorry, but the requested page could not be found."),
    gettext_noop("The {name} “{obj}” was added successfully."),
    gettext_noop("The {name} “{obj}” was changed successfully."),
    gettext_noop("The {name} “{obj}” was changed successfully. You may edit it again below."),
    gettext_noop("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    gettext_noop("The {name} “{obj}” was added successfully. You may add another {name} below."),
    gettext_noop("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    gettext_noop("Thanks for spending some quality time with the web site today."),
    gettext_noop("This field is required."),
    gettext_noop("Enter a whole number."),
    gettext_noop("Enter a valid date."),
    gettext_noop("Ensure this value is less than or equal to %(limit_value)s."),
    gettext_noop("Ensure this value is greater than or equal to %(limit_value)s."),
    gettext_noop("The two password fields didn’t match."),
    gettext_noop(
        "Please enter your old password, for security’s sake, and then enter your new password twice so we can verify "
        "you typed it in correctly."
    ),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
    gettext_noop("Your old password was entered incorrectly. Please enter it again."),
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("Enter the same password as before, for verification."),
    gettext_noop("This password is too common."),
    gettext_noop("This password is entirely numeric."),
    gettext_noop("%(model_name)s with this %(field_labels)s already exists."),
)

LENGTHS = (
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
        "min_length",
    ),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
        "min_length",
    ),
)

SINCE = (
    ngettext_lazy("%(num)d year", "%(num)d years", "num"),
    ngettext_lazy("%(num)d month", "%(num)d months", "num"),
    ngettext_lazy("%(num)d week", "%(num)d weeks", "num"),
    ngettext_lazy("%(num)d day", "%(num)d days", "num"),
    ngettext_lazy("%(num)d hour", "%(num)d hours", "num"),
    ngettext_lazy("%(num)d minute", "%(num)d minutes", "num"),
)

FOR_MACHINES = "/api/"


class LanguageMiddleware(LocaleMiddleware):
    """Activates the language of the address, else the visitor's; adds Vary only for the latter."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of this response."""
        if not request.path_info.startswith(FOR_MACHINES):
            super().process_request(request)
            return
        translation.activate(settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = settings.LANGUAGE_CODE

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Redirect from a bare page to its language, and name the headers that the response depends on."""
        if request.path_info.startswith(FOR_MACHINES) or is_file(request):
            return response
        answer = super().process_response(request, response)
        if answer is not response:
            answer.headers["Cache-Control"] = "no-store"
        if not translation.get_language_from_path(request.path_info):
            patch_vary_headers(answer, ["Cookie"])
        return answer


def is_file(request: HttpRequest) -> bool:
    """Whether the address is the same for all visitors and has no language in it."""
    match = request.resolver_match
    return match is not None and (match.namespace == "files" or match.view_name == "favicon")


def choice(request: HttpRequest) -> dict[str, object]:
    """For templates: every language by its own name, with the address of the current page in it."""
    addresses = [(code, in_language(request.path, code)) for code, _ in settings.LANGUAGES]
    return {"languages": settings.LANGUAGES, "bare_address": without_language(request.path), "in_languages": addresses}


@require_safe
def choose(request: HttpRequest) -> HttpResponse:
    """Remember a language on this device, and redirect to the page; never to another site."""
    language = request.GET.get("language", "")
    if language not in dict(settings.LANGUAGES):
        raise Http404
    answer = HttpResponseRedirect(_where_from(request, language))
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


# Pages do not contain their own address: what is hidden from a visitor must look as if it did not exist.
def _where_from(request: HttpRequest, language: str) -> str:
    """The page on which the language was chosen, from its script or else the browser, in that language.

    Otherwise the first page.
    """
    hosts, is_secure = {request.get_host()}, request.is_secure()
    for address in (request.GET.get("next", ""), request.headers.get("Referer", "")):
        if url_has_allowed_host_and_scheme(address, allowed_hosts=hosts, require_https=is_secure):
            parts = urlsplit(address)
            return parts._replace(path=in_language(parts.path, language)).geturl()
    return "/"
