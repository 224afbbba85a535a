"""Logins and their groups as the site's administrator edits them.

A login identifies a person and decides whether they may sign in; their membership decides what they may do in a club.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.contrib.auth.models import Group
from django.db import connection
from django.http import HttpRequest

from tournaments.models.people import looks_key
from tournaments.web.admin.base.carried_typing import SEEN
from tournaments.web.admin.base.edit_forms import EditAdmin, EditForm, EditRules, token_field

User = get_user_model()
_LINKED = "SELECT EXISTS (SELECT 1 FROM {} WHERE user_id = %s) OR EXISTS (SELECT 1 FROM {} WHERE user_id = %s)"
admin.site.unregister(User)
admin.site.unregister(Group)


class DistinctLogin(forms.ModelForm):  # type: ignore[type-arg]  # it takes none at run time
    """Refuses a login name that looks like another one."""

    def clean_username(self) -> str:
        """Raises ValidationError for a new name that differs from another one only by case or look-alike letters."""
        name = str(self.cleaned_data["username"])
        others = User.objects.exclude(pk=self.instance.pk).values_list("username", flat=True)
        if "username" in self.changed_data and looks_key(name) in set(map(looks_key, others)):
            raise forms.ValidationError(self.instance.unique_error_message(User, ["username"]))
        return name


class LoginForm(DistinctLogin, EditRules, UserChangeForm):  # type: ignore[type-arg]  # it takes none at run time
    """A login; its password is changed on a page of its own."""

    seen = token_field()


class NewLoginForm(DistinctLogin, AdminUserCreationForm):  # type: ignore[type-arg]  # it takes none at run time
    """A new login."""


@admin.register(User)
class LoginAdmin(EditAdmin, UserAdmin):  # type: ignore[type-arg]  # it takes none at run time
    """Logins, which decide who may sign in."""

    form = LoginForm
    add_form = NewLoginForm

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Shown in the menu to users with one of Django's permissions. Called on every page, so it must be cheap."""
        user = request.user
        if user.is_active and not user.is_superuser and not _has_permissions(user.pk):
            return False
        return super().has_module_permission(request)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The token field joins Django's first fieldset."""
        named = super().get_fieldsets(request, obj)
        if obj is None or not self.has_change_permission(request, obj):
            return named
        (title, first), *rest = named
        return [(title, {**first, "fields": (*first["fields"], SEEN)}), *rest]


def _has_permissions(user: int) -> bool:
    """Whether a user has one of Django's permissions or is in a group: one query, where Django needs two."""
    tables = (each.through._meta.db_table for each in (User.user_permissions, User.groups))
    with connection.cursor() as cursor:
        cursor.execute(_LINKED.format(*tables), [user, user])
        return bool(cursor.fetchone()[0])


@admin.register(Group)
class LoginGroupAdmin(EditAdmin, GroupAdmin):
    """Django's groups of users."""

    form = EditForm
