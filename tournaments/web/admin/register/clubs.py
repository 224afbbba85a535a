"""Clubs and device tokens. A token's secret is shown once. Who works for a club: `people_pages`."""

from collections.abc import Sequence
from datetime import datetime, time
from typing import Any
from uuid import uuid4

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.timezone import now
from django.utils.translation import get_language, gettext, gettext_lazy, gettext_noop

from scoring.money.formatting import Notation, currency_problems, place_names, typed_minor
from scoring.problems import KeyReused, OptionsRejected
from tournaments.changing import change_club, club_problems, time_zones
from tournaments.models import ApiToken, Club, Membership, Role
from tournaments.people.access import ends_soon, issue_token, revoke_tokens
from tournaments.people.permissions import Permission, roles_to_give
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.rendering.i18n.typed_amounts import read_amount
from tournaments.web.admin import books
from tournaments.web.admin.base.command_fields import TextField
from tournaments.web.admin.base.edit_forms import ClubEditAdmin, EditForm
from tournaments.web.admin.base.pages import Page, purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import ClubScoped, actor_in, club_moment, clubs_with
from tournaments.web.admin.cash.book import CASH_PAGES
from tournaments.web.admin.register import box_pages, import_pages, log_admin, message_pages
from tournaments.web.admin.register.first_steps import first_steps
from tournaments.web.admin.register.people_pages import PEOPLE_PAGES


def places_in_language() -> dict[str, str]:
    """The places of `place_names` in the language of the page."""
    return place_names((get_language() or "en").partition("-")[0])


class ClubForm(EditForm):
    """A club, with the time zones this machine knows, and the locales it can print amounts in."""

    timezone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        # No preselected zone: a browser would send the first of hundreds, although no one chose it.
        choices=lambda: [
            ("", gettext("Choose a time zone")),
            *((name, name) for name in time_zones()),
        ],
        help_text=gettext_lazy("Times of the club are in this time zone."),
    )
    locale = forms.ChoiceField(
        label=gettext_lazy("Amounts as in"),
        choices=lambda: [
            ("", gettext("Choose a place")),
            *sorted(places_in_language().items(), key=lambda one: one[1]),
        ],
        help_text=gettext_lazy("Amounts are shown and read the way people write them there."),
    )
    smallest_cash = TextField(
        label=gettext_lazy("Smallest note or coin"),
        required=False,
        help_text=gettext_lazy("By currency, such as INR 1.00; EUR 0.05: cash is rounded to it. Empty: exact"),
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
            *("name", "slug", "currency", "timezone", "locale", "keeps_limits", "smallest_cash", "cash_rounding"),
            *("naming", "telling", "is_published", "shows_money"),
            *("about", "venue", "website", "token_days", "tokens_end_with_password", "requires_second_factor"),
            "keep_names_years",
            *("keeps_boxes_days", "has_player_links"),
        )
        widgets = {"about": forms.Textarea(attrs={"rows": 4, "dir": "auto"})}
        labels = {
            "name": gettext_lazy("Name"),
            "slug": gettext_lazy("Web address"),
            "currency": gettext_lazy("Currency"),
            "keeps_limits": gettext_lazy("Play only with balance or credit"),
            "is_published": gettext_lazy("Publish standings"),
            "shows_money": gettext_lazy("Publish amounts of players"),
            "token_days": gettext_lazy("Device links end after (days)"),
        }
        help_texts = {
            "slug": gettext_lazy("The club's part of every public address: letters, digits and hyphens"),
            "currency": gettext_lazy("Its three letters, for example INR"),
            "keeps_limits": "",
            "is_published": gettext_lazy("Everybody may read them, without a login."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        locale, pieces = self.instance.locale, self.instance.smallest_cash
        self.initial["smallest_cash"] = "; ".join(
            f"{currency} {typed_minor(minor, currency, locale)}" for currency, minor in sorted(pieces.items())
        )

    def clean_smallest_cash(self) -> dict[str, int]:
        """The smallest note or coin by currency, in minor units; the club's own currency need not be named."""
        minor_by_currency: dict[str, int] = {}
        for part in str(self.cleaned_data["smallest_cash"]).split(";"):
            words = part.split(maxsplit=1)
            if not words:
                continue
            is_named = len(words) > 1 and words[0].isalpha()
            currency = words[0].upper() if is_named else self.instance.currency
            for problem in currency_problems(currency):
                raise forms.ValidationError(translate(problem.message))
            minor_by_currency[currency] = read_amount(
                words[1] if is_named else part, Notation(currency, self.instance.locale)
            )
        return minor_by_currency

    def clean_currency(self) -> str:
        """In capitals, as ISO 4217 writes it."""
        return str(self.cleaned_data["currency"]).upper()

    def clean(self) -> dict[str, Any] | None:
        """Shows what the command would refuse."""
        cleaned = super().clean()
        self.refuse(club_problems(self.instance, self.changes()))
        return cleaned


@admin.register(Club)
class ClubAdmin(ClubEditAdmin):
    """The user's own clubs. Only the site administrator adds a club."""

    club_path = "pk"
    change_permission = Permission.MANAGE
    grants = {"may_see_money": Permission.SEE_MONEY, "may_direct": Permission.DIRECT}
    grants |= {"may_handle_cash": Permission.HANDLE_CASH, "may_manage": Permission.MANAGE}
    form = ClubForm
    add_text = gettext_lazy("New club")
    list_display = ("name", "currency", "timezone", "amounts", "is_published")
    headings = {"timezone": gettext_lazy("Time zone"), "is_published": gettext_lazy("Published")}
    search_fields = ("name",)
    actions = None
    change_form_template = "admin/tournaments/club/change.html"

    own_pages = (
        Page("books/", "books", books.books, is_read_only=True),
        Page("books/journal/", "books_journal", books.journal, is_read_only=True),
        Page("books/balances/", "books_balances", books.balances, is_read_only=True),
        Page("unreadable/", "unreadable", log_admin.unreadable, Permission.DIRECT),
        Page("messages/", "messages", message_pages.messages, Permission.DIRECT),
        Page("imports/", "imports", import_pages.imports, Permission.CHECK_IN),
        Page("box/", "box", box_pages.box, Permission.MANAGE),
        Page("box/file/", "box_file", box_pages.box_file, Permission.MANAGE, is_read_only=True),
        *CASH_PAGES,
        *PEOPLE_PAGES,
    )

    def get_urls(self) -> list[URLPattern]:
        """With the page on which a club comes in, before Django takes its word for a key."""
        bring_in = path("bring-in/", self.admin_site.admin_view(box_pages.unbox_page), name="tournaments_club_unbox")
        return [bring_in, *super().get_urls()]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """With a link to that page for site administrators."""
        extra = {"unbox_url": reverse("admin:tournaments_club_unbox")} if self.has_add_permission(request) else {}
        return super().changelist_view(request, {**extra, **(extra_context or {})})

    @admin.display(description=gettext_lazy("Amounts as in"), ordering="locale")
    def amounts(self, club: Club) -> str:
        """Where amounts are written as in this club."""
        return places_in_language().get(club.locale, club.locale)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: Any) -> None:
        """A change by the command that programs call; Django's own record of it has the titles of the page."""
        if change:
            change_club(obj.pk, form.changes())
        else:
            super().save_model(request, obj, form, change)

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        """Before the first tournament, Today has the next step."""
        if first_steps(actor_in(request)):
            return redirect("admin:index")
        return super().response_post_save_add(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only the site administrator adds clubs."""
        return actor_in(request).is_site_admin


class TokenForm(forms.Form):
    """Device, club, role and end of a new token. `token_id` makes a resend find the same token."""

    token_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    club = forms.ModelChoiceField(queryset=Club.objects.none(), empty_label=None, label=gettext_lazy("Club"))
    role = forms.ChoiceField(choices=Role.choices, initial=Role.SCORER, label=gettext_lazy("Role"))
    name = forms.CharField(
        max_length=100, label=gettext_lazy("Device"), help_text=gettext_lazy("For example: tablet at check-in")
    )

    last_day = forms.DateField(
        required=False,
        label=gettext_lazy("Last day"),
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text=gettext_lazy("Empty: as the club’s settings say"),
    )

    def __init__(self, *args: Any, request: HttpRequest, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        clubs = clubs_with(request, Permission.DIRECT)
        self.actor = actor_in(request)
        given = {role for club in clubs for role in roles_to_give(self.actor, club.pk)}
        self.fields["club"].queryset = clubs  # type: ignore[attr-defined]
        self.fields["role"].choices = [choice for choice in Role.choices if choice[0] in given]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any] | None:
        """No role above one's own in the chosen club."""
        cleaned = super().clean() or {}
        club, role = cleaned.get("club"), cleaned.get("role")
        if club is not None and role and Role(role) not in roles_to_give(self.actor, club.pk):
            self.add_error("role", gettext("You cannot give a role above your own."))
        return cleaned


@admin.register(ApiToken)
class ApiTokenAdmin(ClubScoped):
    """Devices that write or read through the API."""

    view_permission = add_permission = Permission.DIRECT
    add_text = gettext_lazy("Create device link")
    headings = {"name": gettext_lazy("Device")}
    list_display = ("name", "club", "role", "made_by", "created_at", "last_used_at", "ends", "revoked")
    list_display_links = None
    fields = readonly_fields = (
        *("name", "club", "role", "prefix", "made_by", "created_at", "last_used_at", "ends", "revoked"),
    )
    list_filter = ("role",)
    ordering = ("-created_at",)
    actions = None

    @property
    def own_pages(self) -> Sequence[Page]:
        """A page to revoke a token."""
        return [Page("revoke/", "revoke", self.revoke, Permission.DIRECT)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiToken]:
        """With their makers, whether these work for the club, and whether the link is above the reader's own role."""
        people = Membership.objects.filter(club=OuterRef("club"))
        owns = Exists(people.filter(user=request.user.pk, role=Role.OWNER))
        rows: QuerySet[ApiToken] = super().get_queryset(request).select_related("user")
        return rows.annotate(
            has_maker_here=Exists(people.filter(user=OuterRef("user"))),
            is_above=Value(value=False) if actor_in(request).is_site_admin else Q(Q(role=Role.OWNER), ~owns),
        )

    @admin.display(description=gettext_lazy("Made by"), ordering="user")
    def made_by(self, token: ApiToken) -> str:
        """The name of whoever made it, and whether they have left the club: their links are for owners to revoke."""
        if token.user is None:
            return gettext("deleted login")
        works_here = token.user.is_superuser or token.has_maker_here  # type: ignore[attr-defined]
        return token.maker if works_here else gettext("{name} (left)").format(name=token.maker)

    @admin.display(description=gettext_lazy("Ends"), ordering="expires_at")
    def ends(self, token: ApiToken) -> str:
        """When it expires. Tokens of older versions never expire until they are issued again."""
        if token.expires_at is None:
            return gettext("Never")
        text = club_moment(token.expires_at, token.club)
        if token.expires_at <= now():
            return gettext("Ended {moment}").format(moment=text)
        return gettext("Ends soon: {moment}").format(moment=text) if ends_soon(token, now=now()) else text

    @admin.display(description=gettext_lazy("Revoked"))
    def revoked(self, token: ApiToken) -> str:
        """When it was revoked, and whether by a new password; or a link to do so."""
        if token.revoked_at is not None:
            moment = club_moment(token.revoked_at, token.club)
            return gettext("{moment}, new password").format(moment=moment) if token.ended_with_password else moment
        if token.is_above:  # type: ignore[attr-defined]
            return ""
        url = reverse("admin:tournaments_apitoken_revoke", args=[token.pk])
        return format_html('<a href="{}">{}</a>', url, gettext("Revoke"))

    def add_view(self, request: HttpRequest, *args: Any, **words: Any) -> HttpResponse:
        """Issue a token; the answer shows the secret, and no later page can."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = TokenForm(request.POST or None, request=request)
        if not form.is_valid():
            return self.answer(request, "apitoken/issue.html", {"form": form, "title": gettext("Create device link")})
        cleaned, last_day = form.cleaned_data, form.cleaned_data["last_day"]
        zone = zone_of(cleaned["club"].timezone)
        try:
            token, secret = issue_token(
                cleaned["token_id"],
                cleaned["club"],
                user_id=int(str(request.user.pk)),
                role=Role(cleaned["role"]),
                name=cleaned["name"],
                expires_at=datetime.combine(last_day, time.max, zone) if last_day else None,
            )
        except OptionsRejected as error:
            form.add_error("last_day", [translate(problem.message) for problem in error.problems])
            return self.answer(request, "apitoken/issue.html", {"form": form, "title": gettext("Create device link")})
        except KeyReused:
            raise PermissionDenied from None
        context = {"token": token, "secret": secret, "title": gettext("Device link created")}
        answer = self.answer(request, "apitoken/issued.html", context)
        answer["Cache-Control"] = "no-store"
        return answer

    @purpose(gettext_noop("Revoke this link: it stops working at once."))
    def revoke(self, request: HttpRequest, token: ApiToken) -> HttpResponse:
        """Ask, then revoke the token. One above the own role is for an owner to revoke."""
        if Role(token.role) not in roles_to_give(actor_in(request), token.club_id):
            raise PermissionDenied
        if request.method != "POST":
            return self.answer(
                request, "apitoken/revoke.html", {"token": token, "title": gettext("Revoke device link")}
            )
        revoke_tokens([token.pk], now=now())
        text = gettext("The device link {name} is revoked.").format(name=token.name)
        return go_on(request, "admin:tournaments_apitoken_changelist", text)
