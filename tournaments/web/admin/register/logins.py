"""Logins and their groups, as the site's administrator edits them, and device tokens, which each club issues.

What somebody may do in a club their membership says; a login says who they are and whether they may come in at all. A
token's secret is shown once.
"""

from datetime import UTC
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy

from tournaments.models import ApiToken, Club, Role
from tournaments.people.access import issue_token, revoke_token
from tournaments.people.permissions import Deed
from tournaments.web.admin.base.carried_typing import SEEN
from tournaments.web.admin.base.edit_forms import EditAdmin, EditForm, EditRules, token_field
from tournaments.web.admin.base.scoping import ClubScoped, clubs_with

User = get_user_model()


admin.site.unregister(User)


admin.site.unregister(Group)


class LoginForm(EditRules, UserChangeForm):  # type: ignore[type-arg]  # it takes none at run time
    """A login; its password is changed on a page of its own."""

    seen = token_field()


@admin.register(User)
class LoginAdmin(EditAdmin, UserAdmin):  # type: ignore[type-arg]  # it takes none at run time
    """Who may sign in."""

    form = LoginForm

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Django names the fields one by one; the token joins the first of them."""
        named = super().get_fieldsets(request, obj)
        if obj is None or not self.has_change_permission(request, obj):
            return named
        (title, first), *rest = named
        return [(title, {**first, "fields": (*first["fields"], SEEN)}), *rest]


@admin.register(Group)
class LoginGroupAdmin(EditAdmin, GroupAdmin):
    """Groups of logins, as Django keeps them."""

    form = EditForm


class TokenForm(forms.Form):
    """Which device, for which club, in which role. `token_id` makes a resend find what it made."""

    token_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    club = forms.ModelChoiceField(queryset=Club.objects.none(), empty_label=None, label=gettext_lazy("Club"))
    role = forms.ChoiceField(choices=Role.choices, initial=Role.SCORER, label=gettext_lazy("Role"))
    name = forms.CharField(
        max_length=100, label=gettext_lazy("Device"), help_text=gettext_lazy("For example: tablet at check-in")
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["club"].queryset = clubs_with(request, Deed.MANAGE)  # type: ignore[attr-defined]


@admin.register(ApiToken)
class ApiTokenAdmin(ClubScoped):
    """Devices that write or read through the API."""

    view_deed = Deed.MANAGE
    add_deed = Deed.MANAGE
    list_display = ("name", "club", "role", "prefix", "created_at", "last_used_at", "ends", "revoked")
    list_display_links = None
    list_filter = ("role",)
    list_select_related = ("club",)
    ordering = ("-created_at",)
    actions = None

    def get_urls(self) -> list[URLPattern]:
        """Revoking comes before the address that takes any word for an id."""
        revoke = path(
            "<uuid:token_id>/revoke/", self.admin_site.admin_view(self.revoke_view), name="tournaments_apitoken_revoke"
        )
        return [revoke, *super().get_urls()]

    @admin.display(description=gettext_lazy("Ends"), ordering="expires_at")
    def ends(self, token: ApiToken) -> str:
        """When it ends by itself. Tokens of earlier days have no end until they are issued anew."""
        if token.expires_at is None:
            return gettext("Never")
        said = f"{token.expires_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        return gettext("Ended {moment}").format(moment=said) if token.expires_at <= now() else said

    @admin.display(description=gettext_lazy("Revoked"))
    def revoked(self, token: ApiToken) -> str:
        """When it was taken back, or the way to do so."""
        if token.revoked_at is not None:
            return f"{token.revoked_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        url = reverse("admin:tournaments_apitoken_revoke", args=[token.pk])
        return format_html('<a href="{}">{}</a>', url, gettext("Revoke"))

    def add_view(self, request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        """Issue a token; the answer shows the secret, and no later page can."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = TokenForm(request.POST or None, request=request)
        if request.method != "POST" or not form.is_valid():
            return self.answer(request, "apitoken/issue.html", {"form": form, "title": gettext("Create device link")})
        asked = form.cleaned_data
        token, secret = issue_token(
            asked["token_id"],
            asked["club"],
            user_id=int(str(request.user.pk)),
            role=Role(asked["role"]),
            name=asked["name"],
        )
        if token.club_id != asked["club"].pk:
            raise PermissionDenied
        context = {"token": token, "secret": secret, "title": gettext("Device link created")}
        answer = self.answer(request, "apitoken/issued.html", context)
        answer["Cache-Control"] = "no-store"
        return answer

    def revoke_view(self, request: HttpRequest, token_id: UUID) -> HttpResponse:
        """Ask, then take the token back."""
        token = self.get_object(request, str(token_id))
        if not self.is_granted(request, Deed.MANAGE, token):
            raise PermissionDenied
        if request.method != "POST":
            return self.answer(
                request, "apitoken/revoke.html", {"token": token, "title": gettext("Revoke device link")}
            )
        revoke_token(token.pk, now=now())
        messages.success(request, gettext("{name} can no longer sign in.").format(name=token.name))
        return HttpResponseRedirect(reverse("admin:tournaments_apitoken_changelist"))
