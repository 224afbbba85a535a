"""The admin site of a club's tournament: its own landing page and menu.

Built while the admin looks for registrations, so the modules of its pages are imported only when they are needed.
"""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, cast

from django.contrib import admin
from django.contrib.admin.apps import SimpleAdminConfig
from django.db.models import Model
from django.db.models.base import ModelBase
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache

# Open to a user who has yet to set up a second factor.
WAYS_OUT = frozenset({"logout", "password_change", "password_change_done", "jsi18n"})
OF_ALLAUTH = frozenset({"account", "mfa", "socialaccount"})


class BackOffice(admin.AdminSite):
    """Django's admin with a director's landing page in front."""

    site_header = "Rummy Evening"
    site_title = "Rummy Evening"
    index_title = gettext_lazy("Today")
    enable_nav_sidebar = False

    def __init__(self, name: str = "admin") -> None:
        self._is_complete = False
        super().__init__(name)

    @property
    def _registry(self) -> "dict[type[Model], admin.ModelAdmin[Any]]":
        """The registered models. Loaded only when they are asked for: a worker never needs them."""
        if not self._is_complete:
            self._is_complete = True
            admin.autodiscover()
        return self._registered

    @_registry.setter
    def _registry(self, empty: "dict[type[Model], admin.ModelAdmin[Any]]") -> None:
        self._registered = empty

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Adds the menu, and the purpose of the page, to the context of every page."""
        from tournaments.web.admin.register.home import menu  # noqa: PLC0415 - see above
        from tournaments.web.admin.register.purposes import purpose_of  # noqa: PLC0415 - see above

        return {**super().each_context(request), "menu": menu(self, request), "purpose": purpose_of(request)}

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Empty: pages are reached by the menu, and none lists models."""
        return []

    def app_index(self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None) -> Any:
        """Django's page of an app's models, which nothing links to, leads to Today."""
        return redirect("admin:index")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """As Django's, without pages of allauth's rows: people keep their own on *Your login*."""
        models: list[Any] = [model_or_iterable] if isinstance(model_or_iterable, ModelBase) else list(model_or_iterable)
        if models := [model for model in models if model._meta.app_label not in OF_ALLAUTH]:
            super().register(models, admin_class, **options)

    def get_urls(self) -> list[Any]:
        """Django's, without its redirect to the public page of a row: no row of ours says which that is."""
        return [url for url in super().get_urls() if getattr(url, "name", None) != "view_on_site"]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The page of tonight's tournaments."""
        from tournaments.web.admin.register.home import today_context  # noqa: PLC0415 - see above

        return super().index(request, {**today_context(request), **(extra_context or {})})

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]  # its own type leaves out what it redirects with
        """The sign-in page, with the wait after too many attempts. Continues with a form kept when a session ended."""
        if request.method == "GET" and self.has_permission(request):
            return redirect("admin:index")
        from rummy_site.authentication import pages, sign_in  # noqa: PLC0415 - see above
        from tournaments.web.admin.base.carried_typing import kept_context, kept_in  # noqa: PLC0415 - see above

        kept_form = kept_in(request)
        context = {
            **self.each_context(request),
            "title": gettext("Sign in"),
            "app_path": request.get_full_path(),
            "username": request.user.get_username(),
            **pages.ways_in(request),
            **(kept_context(request, kept_form) if kept_form else {}),
            **(extra_context or {}),
        }
        request.current_app = self.name
        answer = sign_in.answer_of_form(request, pages.SignInPage.as_view(extra_context=context)(request))
        return pages.go_on(request, answer, kept_form)

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """As Django's, whose title has another word for it."""
        return super().logout(request, {"title": gettext("Signed out"), **(extra_context or {})})

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponseBase:  # type: ignore[override]  # as above
        """Change one's own password; attempts at the old one are limited as at sign-in."""
        from django.contrib.auth.views import PasswordChangeView  # noqa: PLC0415 - see above

        from rummy_site.authentication import sign_in  # noqa: PLC0415 - see above

        request.current_app = self.name
        view = PasswordChangeView.as_view(
            form_class=partial(sign_in.OwnPasswordForm, request=request),
            success_url=reverse("admin:password_change_done", current_app=self.name),
            extra_context={**self.each_context(request), **(extra_context or {})},
        )
        return sign_in.answer_of_form(request, view(request))

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        """As Django's, but a form sent after the session has ended is kept until the user has signed in."""
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def door(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not self.has_permission(request):
                sign_in_page = self.signed_out(request) if request.method == "POST" else None
                return sign_in_page or cast(HttpResponseBase, inner(request, *args, **kwargs))
            return self.second_factor_first(request) or cast(HttpResponseBase, inner(request, *args, **kwargs))

        return door

    def second_factor_first(self, request: HttpRequest) -> HttpResponseBase | None:
        """The way to the page that sets up a second factor, where one is owed; a form that was sent is kept."""
        from tournaments.people.second_factor import owes_second_factor  # noqa: PLC0415 - see above
        from tournaments.web.admin.base.carried_typing import keep_in_session, typed_in  # noqa: PLC0415 - see above
        from tournaments.web.admin.base.scoping import actor_in  # noqa: PLC0415 - see above

        user_id = request.user.pk
        is_way_out = request.resolver_match is not None and request.resolver_match.url_name in WAYS_OUT
        if user_id is None or is_way_out or not owes_second_factor(actor_in(request), user_id):
            return None
        if kept_form := typed_in(request):
            keep_in_session(request, kept_form)
        return redirect("mfa_index")

    def signed_out(self, request: HttpRequest) -> HttpResponseBase | None:
        """The sign-in page with the form that was sent; None where no form was sent."""
        from tournaments.web.admin.base.carried_typing import kept_context, typed_in  # noqa: PLC0415 - see above

        kept_form = typed_in(request)
        if kept_form is None:
            return None
        from rummy_site.authentication import pages, sign_in  # noqa: PLC0415 - see above

        context = {
            **self.each_context(request),
            **pages.ways_in(request, kept_form.path),
            **kept_context(request, kept_form),
            "title": gettext("Sign in"),
            "purpose": "",
            "form": sign_in.SignInForm(request),
            "app_path": reverse("admin:login"),
            "next": kept_form.path,
        }
        answer = TemplateResponse(request, "admin/login.html", context, status=403)
        answer.headers["Cache-Control"] = "no-store"
        return answer


class BackOfficeConfig(SimpleAdminConfig):
    """Takes the place of Django's own admin in INSTALLED_APPS."""

    default_site = "rummy_site.admin_site.BackOffice"
