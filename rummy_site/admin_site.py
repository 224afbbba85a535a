"""The admin site of a club's evening: its own landing page and menu.

Built while the admin looks for registrations, so what it shows is imported when it is asked for.
"""

from functools import partial
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
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

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]  # its own type leaves out what it redirects with
        """The door: who tries too often is told how long to wait."""
        from rummy_site import sign_in  # noqa: PLC0415 - see above

        self.login_form = sign_in.SignInForm
        return sign_in.answer_of_form(request, super().login(request, extra_context))

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]  # as above
        """One's own password; the old one is asked for as at the door."""
        from django.contrib.auth.views import PasswordChangeView  # noqa: PLC0415 - see above

        from rummy_site import sign_in  # noqa: PLC0415 - see above

        request.current_app = self.name
        view = PasswordChangeView.as_view(
            form_class=partial(sign_in.OwnPasswordForm, request=request),
            success_url=reverse("admin:password_change_done", current_app=self.name),
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return sign_in.answer_of_form(request, view(request))
