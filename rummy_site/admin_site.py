"""The admin site of a club's evening: its own landing page and menu.

Built while the admin looks for registrations, so what it shows is imported when it is asked for.
"""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy


class BackOffice(admin.AdminSite):
    """Django's admin with a director's landing page in front."""

    site_header = "Rummy Evening"
    site_title = "Rummy Evening"
    index_title = gettext_lazy("Tonight")
    enable_nav_sidebar = False

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Adds the menu to what every page gets."""
        from tournaments.admin.landing import menu  # noqa: PLC0415 - see above

        return {**super().each_context(request), "menu": menu(self, request)}

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Tonight."""
        from tournaments.admin.landing import tonight_context  # noqa: PLC0415 - see above

        return super().index(request, {**tonight_context(request), **(extra_context or {})})
