"""Logins and their groups, as the site's administrator edits them: Django's own pages, compared as every other form.

What somebody may do in a club their membership says; a login says who they are and whether they may come in at all.
"""

from typing import Any

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.http import HttpRequest

from tournaments.web.admin.editing.edit_forms import EditAdmin, EditForm, EditRules, token_field
from tournaments.web.admin.editing.held_fields import SEEN

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
