"""Logins: who may sign in, and their role in each club. Owners keep those of their clubs, a site administrator all.

Rules: docs/reference/roles.md. A login that also works for another club, or that may do everything, keeps its name and
password from the owners of one club: they decide about their own club alone.
"""

from typing import Any

import django.contrib.auth.admin  # noqa: F401 - registers the pages that this module replaces
from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.contrib.auth.password_validation import (
    get_default_password_validators,
    password_validators_help_texts,
    validate_password,
)
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy

from tournaments.models import Club, Membership, Role
from tournaments.models.people import looks_key
from tournaments.people.permissions import Permission
from tournaments.rendering.i18n.formatting import listed
from tournaments.web.admin.base.carried_typing import SEEN
from tournaments.web.admin.base.edit_forms import EditAdmin, EditForm, save_changed
from tournaments.web.admin.base.scoping import actor_in, clubs_with
from tournaments.web.admin.register.first_steps import first_steps

User = get_user_model()
ROLE = "role_"
# Django's pages, with permissions and groups that mean nothing here: roles decide.
admin.site.unregister((User, Group))


class LoginForm(EditForm):
    """The name of a login, its password, and its role in each club that the reader manages."""

    first_name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=150,
        required=False,
        widget=forms.TextInput(attrs={"dir": "auto"}),
        help_text=gettext_lazy("As pages and the log show it"),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=200,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    # Filled in for each request: `LoginAdmin.get_form`.
    clubs: tuple[Club, ...] = ()
    is_own: bool = True

    class Meta:
        model = User
        fields = ("username", "is_active")
        labels = {"username": gettext_lazy("Login name"), "is_active": gettext_lazy("May sign in")}
        help_texts = {"username": gettext_lazy("Typed to sign in: letters, digits and @ . + - _"), "is_active": ""}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        is_new = self.instance._state.adding
        if is_new:
            # An unticked box would be a login that cannot sign in.
            del self.fields["is_active"]
        self.initial["first_name"] = self.instance.get_full_name()
        self.fields["password"].required = is_new
        # What is done after a change is told by its help to whoever changes their own; a new login has no device links.
        rules = password_validators_help_texts(
            [validator for validator in get_default_password_validators() if not hasattr(validator, "password_changed")]
        )
        if not is_new:
            rules = [gettext("Leave empty to keep the present one."), *rules]
            rules.append(gettext("If the club says so, this login’s device links end with the old password."))
        self.fields["password"].help_text = " ".join(str(rule) for rule in rules)
        roles = {} if is_new else dict(self.instance.memberships.values_list("club_id", "role"))
        for club in self.clubs:
            label = gettext("Role") if len(self.clubs) == 1 else gettext("Role: {club}").format(club=club.name)
            choices = [("", gettext("no role")), *Role.choices]
            self.fields[f"{ROLE}{club.pk.hex}"] = forms.ChoiceField(label=label, choices=choices, required=False)
            self.initial[f"{ROLE}{club.pk.hex}"] = roles.get(club.pk, "")
        if not self.is_own:
            for name in ("username", "first_name", "password", "is_active"):
                self.fields[name].disabled = True

    def clean_username(self) -> str:
        """Raises ValidationError for a new name that differs from another one only by case or look-alike letters."""
        name = str(self.cleaned_data["username"])
        others = User.objects.exclude(pk=self.instance.pk).values_list("username", flat=True)
        if "username" in self.changed_data and looks_key(name) in set(map(looks_key, others)):
            raise forms.ValidationError(self.instance.unique_error_message(User, ["username"]))
        return name

    def clean(self) -> dict[str, Any] | None:
        """A new login of a club has a role there; a password is long enough, and not one that everybody has."""
        cleaned = super().clean() or self.cleaned_data
        if password := cleaned.get("password"):
            try:
                validate_password(password, self.instance)
            except forms.ValidationError as refused:
                self.add_error("password", refused)
        if self.clubs and self.instance._state.adding and not any(self.roles().values()):
            self.add_error(f"{ROLE}{self.clubs[0].pk.hex}", gettext("Choose what this person does at the club."))
        return cleaned

    def roles(self) -> dict[Club, str]:
        """The role in each club of the form; empty for none."""
        return {club: str(self.cleaned_data.get(f"{ROLE}{club.pk.hex}", "")) for club in self.clubs}


@admin.register(User)
class LoginAdmin(EditAdmin):
    """Logins of the reader's clubs."""

    form = LoginForm
    add_text = gettext_lazy("New login")
    list_title = gettext_lazy("Logins")
    list_display = ("username", "full_name", "works_as", "last_login", "is_active")
    list_filter = ("is_active",)
    search_fields = ("username", "first_name", "last_name")
    ordering = ("username",)
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The logins with a role in one of the reader's clubs; a site administrator's are all."""
        clubs = clubs_with(request, Permission.MANAGE)
        memberships = Membership.objects.filter(club__in=clubs).select_related("club").order_by("club__name")
        rows: QuerySet[Any] = (
            super().get_queryset(request).prefetch_related(Prefetch("memberships", memberships, "shown"))
        )
        return rows if actor_in(request).is_site_admin else rows.filter(memberships__club__in=clubs).distinct()

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        """The login; 404 for one of another club."""
        login = super().get_object(request, object_id, from_field)
        if login is None:
            raise Http404
        return login

    def get_form(self, request: HttpRequest, obj: Any = None, change: Any = False, **words: Any) -> Any:  # noqa: FBT002 - Django's signature
        """The form for the clubs of this reader."""
        own = super().get_form(request, obj, change, **{**words, "fields": LoginForm.Meta.fields})
        clubs = tuple(clubs_with(request, Permission.MANAGE).order_by("name"))
        return type("LoginForm", (own,), {"clubs": clubs, "is_own": self.is_own(request, obj)})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """One block: who it is, what they do, how they sign in."""
        roles = [f"{ROLE}{club.pk.hex}" for club in clubs_with(request, Permission.MANAGE).order_by("name")]
        names = ["first_name", "username", *roles, "password"]
        return [(None, {"fields": names if obj is None else [*names, "is_active", SEEN]})]

    def add_view(self, request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        """A new login with its role; nobody signs in to the back office without one, but a site administrator."""
        answer: HttpResponse = super().add_view(request, extra_context={"title": gettext("New login")})
        return answer

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        """Before the first tournament, Today has the next step."""
        if first_steps(actor_in(request)):
            return redirect("admin:index")
        return super().response_post_save_add(request, obj)

    def is_own(self, request: HttpRequest, login: Any) -> bool:
        """Whether the reader decides about name and password: nobody else's club relies on this login."""
        if login is None or actor_in(request).is_site_admin:
            return True
        others = Membership.objects.filter(user=login).exclude(club__in=clubs_with(request, Permission.MANAGE))
        return not login.is_superuser and not others.exists()

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """The login with its roles. A new password ends its sessions, and device links where the club says so."""
        if form.cleaned_data.get("password"):
            obj.set_password(form.cleaned_data["password"])
        if "first_name" in form.changed_data:
            obj.first_name, obj.last_name = form.cleaned_data["first_name"], ""
        if change:
            save_changed(obj, [*form.changed_data, *(["last_name"] * ("first_name" in form.changed_data))])
        else:
            obj.is_staff = True
            obj.save()
        for club, role in form.roles().items():
            if f"{ROLE}{club.pk.hex}" not in form.changed_data:
                continue
            if role:
                Membership.objects.update_or_create(club=club, user=obj, defaults={"role": role})
            else:
                Membership.objects.filter(club=club, user=obj).delete()

    @admin.display(description=gettext_lazy("Name"), ordering="first_name")
    def full_name(self, login: Any) -> str:
        """The name as pages and the log show it."""
        return str(login.get_full_name())

    @admin.display(description=gettext_lazy("Role"))
    def works_as(self, login: Any) -> str:
        """The role in each of the reader's clubs."""
        if login.is_superuser:
            return gettext("site administrator")
        clubs = {membership.club_id for membership in login.shown}
        texts = [
            row.get_role_display() if len(clubs) == 1 else f"{row.get_role_display()} ({row.club.name})"
            for row in login.shown
        ]
        return listed(texts) if texts else ""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Shown in the menu to owners of a club."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the user owns a club; the rows are only of the user's clubs."""
        actor = actor_in(request)
        return actor.is_site_admin or Role.OWNER in actor.roles.values()

    has_add_permission = has_change_permission = has_view_permission

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """No login is deleted: the log names whoever wrote in it."""
        return False
