"""Browsers ask for /favicon.ico whatever a page says; they are shown the way to our drawing."""

from django.http import HttpRequest, HttpResponseRedirect
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe


@cache_control(public=True, max_age=86_400)
@require_safe
def favicon(request: HttpRequest) -> HttpResponseRedirect:
    """Where the drawing lies; its name carries a digest in production."""
    return HttpResponseRedirect(static("rummy_site/icon.svg"))
