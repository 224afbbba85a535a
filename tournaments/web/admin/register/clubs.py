"""Clubs and who works for them. People sign in with logins that the site's administrator makes."""

from collections.abc import Callable
from functools import cache, wraps
from typing import TYPE_CHECKING, Any
from uuid import UUID
from zoneinfo import available_timezones

from django import forms
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, path
from django.utils.translation import gettext, gettext_lazy

from scoring.money.formatting import LOCALES, currency_problems
from tournaments.log.context import club_turn
from tournaments.models import Club, ClubSlug, Membership
from tournaments.people.permissions import Deed
from tournaments.people.players import name_problems, renew_public_names
from tournaments.projections.stale import owe_readings
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.books import export_pages
from tournaments.web.admin.cash.night import CASH_PAGES
from tournaments.web.admin.editing.edit_forms import ClubEditAdmin, EditForm, EditFormSet
from tournaments.web.admin.register import log_admin

if TYPE_CHECKING:
    TabularInline = admin.TabularInline[Any, Any]
else:
    TabularInline = admin.TabularInline


# What this machine happens to be set to, and what stands for no zone at all: another machine knows neither.
NO_ZONES = frozenset({"localtime", "Factory"})


@cache
def time_zones() -> tuple[str, ...]:
    """What this machine knows: asked once, for it looks into some hundred files, and a page asks several times."""
    return tuple(sorted(available_timezones() - NO_ZONES))


class ClubForm(EditForm):
    """A club, with the time zones that this machine knows and the ways of writing amounts that it can print."""

    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        # Nothing stands there of itself: a browser would send the first of hundreds for a club that was not asked.
        choices=lambda: [
            ("", gettext("Choose a time zone")),
            *((name, name) for name in time_zones()),
        ],
        help_text=gettext_lazy("Times of the club are in this time zone."),
    )
    locale = forms.ChoiceField(
        label=gettext_lazy("Amounts as in"),
        choices=lambda: [("", gettext("Choose a place")), *sorted(LOCALES.items(), key=lambda one: one[1])],
        help_text=gettext_lazy("Amounts are shown and read the way people write them there."),
    )
    website = forms.URLField(
        label=gettext_lazy("Web page or contact"),
        required=False,
        max_length=200,
        assume_scheme="https",
        help_text=gettext_lazy("Full address of a page about the club, beginning with https://"),
    )

    class Meta:
        model = Club
        fields = (
            *("name", "slug", "currency", "timezone", "locale", "keeps_limits", "naming", "is_published"),
            *("about", "venue", "website", "token_days", "tokens_end_with_password"),
        )

    def clean_name(self) -> str:
        """One line of text, as every name is."""
        name = str(self.cleaned_data["name"])
        for problem in name_problems(name, "name", gettext("Name")):
            raise forms.ValidationError(translate(problem.message))
        return name

    def clean_slug(self) -> str:
        """No other club's, and none that another club has had: its old addresses lead on."""
        slug = str(self.cleaned_data["slug"])
        if ClubSlug.objects.filter(slug=slug).exclude(club_id=self.instance.pk).exists():
            raise forms.ValidationError(gettext("Another club has used this address. Choose another one."))
        return slug

    def clean_currency(self) -> str:
        """Capitals, as ISO 4217 writes them. What a club has already stays, whatever it is."""
        currency = str(self.cleaned_data["currency"]).upper()
        if currency != self.initial.get("currency"):
            for problem in currency_problems(currency):
                raise forms.ValidationError(translate(problem.message))
        return currency


class MembershipForm(EditForm):
    """Somebody is named by their login: nobody can leaf through the logins of other clubs here."""

    columns = {"login": "user"}
    login = forms.CharField(max_length=150, help_text=gettext_lazy("Login name"))

    class Meta:
        model = Membership
        fields = ("role",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.user_id:
            self.initial["login"] = self.instance.user.get_username()

    def clean_login(self) -> str:
        """The login must exist."""
        login = str(self.cleaned_data["login"]).strip()
        user = get_user_model().objects.filter(username=login).first()
        if user is None:
            raise forms.ValidationError(gettext("No login with this name."))
        self.instance.user = user
        return login

    def clean(self) -> dict[str, Any] | None:
        """One role in a club for each person."""
        cleaned = super().clean()
        others = Membership.objects.filter(club_id=self.instance.club_id, user_id=self.instance.user_id)
        if self.instance.user_id and others.exclude(pk=self.instance.pk).exists():
            self.add_error("login", gettext("Already works for this club: change the role there."))
        return cleaned


class MembershipFormSet(EditFormSet):
    """A table of forms, whose fields are named by its head for the eyes alone: the others are told by each field."""

    def add_fields(self, form: Any, index: int | None) -> None:
        """The fields of a row, the one that takes it away included."""
        super().add_fields(form, index)
        seen = {name: field for name, field in form.fields.items() if not field.widget.is_hidden}
        for name, field in seen.items():
            field.widget.attrs.setdefault("aria-label", field.label or name.capitalize())


class MembershipInline(TabularInline):
    """Who works for the club, and as what."""

    model = Membership
    form = MembershipForm
    formset = MembershipFormSet
    fields = ("login", "role", "seen")
    extra = 1
    verbose_name = gettext_lazy("person")
    verbose_name_plural = gettext_lazy("people who work for the club")

    def get_queryset(self, request: HttpRequest) -> Any:
        """With their logins, in one query."""
        return super().get_queryset(request).select_related("user")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An owner may."""
        return ClubAdmin(Club, admin.site).is_granted(request, Deed.MANAGE, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An owner may."""
        return self.has_add_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An owner may."""
        return self.has_add_permission(request, obj)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An owner may; who works for a club is nobody else's business."""
        return self.has_add_permission(request, obj)


@admin.register(Club)
class ClubAdmin(ClubEditAdmin):
    """One's own clubs. A new club is the site administrator's to make."""

    club_path = "pk"
    change_deed = Deed.MANAGE
    form = ClubForm
    list_display = ("name", "slug", "currency", "timezone", "locale", "is_published")
    search_fields = ("name",)
    inlines = (MembershipInline,)
    actions = None
    change_form_template = "admin/tournaments/club/change.html"

    def get_urls(self) -> list[URLPattern]:
        """Own pages come first."""
        name = "tournaments_club_books"
        return [
            path("<uuid:club_id>/books/", self._page(export_pages.books), name=name),
            path(
                "<uuid:club_id>/unreadable/",
                self._page(log_admin.unreadable),
                name="tournaments_club_unreadable",
            ),
            path("<uuid:club_id>/books/journal/", self._page(export_pages.journal), name=f"{name}_journal"),
            path("<uuid:club_id>/books/balances/", self._page(export_pages.balances), name=f"{name}_balances"),
            *(
                path(f"<uuid:club_id>/cash/{route}", self._page(view), name=f"tournaments_club_cash{page}")
                for route, view, page in CASH_PAGES
            ),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """With the way to the books for whoever may see money."""
        club = self.get_object(request, object_id)
        grants = {
            "may_see_money": self.is_granted(request, Deed.SEE_MONEY, club),
            "may_direct": self.is_granted(request, Deed.DIRECT, club),
            "may_handle_cash": self.is_granted(request, Deed.HANDLE_CASH, club),
        }
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **grants})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """With all that follows: everybody's public name, and in another time zone the days that nights belong to."""
        if not change:
            return super().save_model(request, obj, form, change)
        with club_turn(obj.pk):
            super().save_model(request, obj, form, change)
            renew_public_names(obj.pk)
            if "timezone" in form.changed_data:
                owe_readings(obj.pk)
        return None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The site administrator makes clubs."""
        return actor_in(request).is_site_admin

    def _page(self, view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
        """A page of one club; another's does not exist."""

        @wraps(view)
        def visited(request: HttpRequest, club_id: UUID, **words: object) -> HttpResponseBase:
            return view(request, self.get_object(request, str(club_id)), **words)

        return self.admin_site.admin_view(visited)
