"""The log as evidence: to be read, never to be touched."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from tournaments.books.queries import Settlement
from tournaments.evenings.queries.tonight import TableTonight, tonight
from tournaments.models import ApiToken, Club, Event, Role
from tournaments.people.device_tokens import issue_token, revoke_token
from tournaments.people.permissions import Deed, clubs_of, may
from tournaments.projections.workers import worker_state
from tournaments.rendering.left_out import lines_of
from tournaments.web.admin.base.scoping import ClubScoped, actor_in, clubs_with


@admin.register(Event)
class EventAdmin(ClubScoped):
    """Every fact of one's clubs in the order in which it was saved, newest first."""

    list_display = ("position", "recorded_at", "kind", "version", "actor", "table")
    list_display_links = ("position",)
    list_filter = ("kind", "recorded_at")
    search_fields = ("=stream__id", "=actor", "=key")
    search_help_text = gettext_lazy("A table's id, an actor such as user:7, or an idempotency key")
    ordering = ("club", "-position")
    show_full_result_count = False
    actions = None
    fields = (
        *("club", "position", "stream", "version", "kind", "schema", "body", "reason"),
        *("actor", "device", "occurred_at", "recorded_at", "key", "request", "fingerprint", "recipe"),
    )
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """With the note beside each fact."""
        return super().get_queryset(request).select_related("club", "stream", "note")

    @admin.display(description=gettext_lazy("Reason"))
    def reason(self, event: Event) -> str:
        """The free text beside the fact, where there is one and it has not been erased."""
        note: Any = getattr(event, "note", None)
        if note is not None:
            return str(note.text)
        return gettext("erased") if event.note_digest else ""

    @admin.display(description=gettext_lazy("Digest of the request"))
    def request(self, event: Event) -> str:
        """What tells a resend from another request."""
        return bytes(event.request_digest).hex()

    @admin.display(description=gettext_lazy("Hash"))
    def fingerprint(self, event: Event) -> str:
        """Covers every column of this row and the hash before it."""
        return bytes(event.hash).hex()

    @admin.display(description=gettext_lazy("Stream"))
    def table(self, event: Event) -> str:
        """The table or tournament it happened at."""
        return str(event.stream_id)


# The page a director lands on, and the menu over every page: what one may see, and what waits to be done.


MENU = (
    ("tournaments.tournament", gettext_noop("Tournaments")),
    ("tournaments.season", gettext_noop("Seasons")),
    ("tournaments.player", gettext_noop("Players")),
    ("tournaments.club", gettext_noop("Clubs")),
    ("tournaments.apitoken", gettext_noop("Devices")),
    ("tournaments.event", gettext_noop("Log")),
    ("scoring.journalentry", gettext_noop("Journal")),
    ("scoring.account", gettext_noop("Accounts")),
    ("auth.user", gettext_noop("Logins")),
)


def menu(site: AdminSite, request: HttpRequest) -> list[dict[str, Any]]:
    """The parts of the back office that this person may see."""
    if not site.has_permission(request):
        return []
    registered = {model._meta.label_lower: model_admin for model, model_admin in site._registry.items()}
    home = reverse("admin:index")
    entries: list[dict[str, Any]] = [{"title": gettext("Tonight"), "url": home, "is_current": request.path == home}]
    for label, title in MENU:
        model_admin = registered.get(label)
        if model_admin is not None and model_admin.has_module_permission(request):
            url = reverse(f"admin:{label.replace('.', '_')}_changelist")
            entries.append({"title": gettext(title), "url": url, "is_current": request.path.startswith(url)})
    return entries


def tonight_context(request: HttpRequest) -> dict[str, Any]:
    """What is on, what each table waits for, what has gone wrong."""
    actor = actor_in(request)
    moment = now()
    evening = tonight(clubs_of(actor, Deed.SEE), now=moment)
    worker = worker_state(now=moment)
    directed = {entry.tournament.id for entry in evening if may(actor, Deed.DIRECT, entry.tournament.club)}
    troubles = [table for entry in evening for table in entry.tables if _is_in_trouble(table)]
    return {
        "worker": worker,
        "worker_minutes": worker.minutes(moment),
        "cards": lines_of(evening, lambda entry: _drawn("tournament", {"entry": entry, "directed": directed})),
        "troubles": lines_of(troubles, lambda entry: _drawn("trouble", {"entry": entry})),
        "may_create": bool(actor.is_site_admin or clubs_of(actor, Deed.DIRECT)),
    }


def _drawn(part: str, context: Mapping[str, Any]) -> SafeString:
    """A part of the page as it is shown: whatever cannot be, the others can."""
    return render_to_string(f"admin/tonight_{part}.html", context)


def _is_in_trouble(table: TableTonight) -> bool:
    return table.sheet.has_conflict or table.settlement is Settlement.FAILED


# Device tokens: issued once, the secret shown once, revoked at any time.


class TokenForm(forms.Form):
    """Which device, for which club, in which role. `token_id` makes a resend find what it made."""

    token_id = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)
    club = forms.ModelChoiceField(queryset=Club.objects.none(), empty_label=None, label=gettext_lazy("Club"))
    role = forms.ChoiceField(choices=Role.choices, initial=Role.SCORER, label=gettext_lazy("Role"))
    name = forms.CharField(
        max_length=100, label=gettext_lazy("Device"), help_text=gettext_lazy("For example: tablet at the desk")
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

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Issue a token; the answer shows the secret, and no later page can."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = TokenForm(request.POST or None, request=request)
        if request.method != "POST" or not form.is_valid():
            return self._page(request, "issue.html", {"form": form, "title": gettext("Issue a device token")})
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
        context = {"token": token, "secret": secret, "title": gettext("Device token issued")}
        answer = self._page(request, "issued.html", context)
        answer["Cache-Control"] = "no-store"
        return answer

    def revoke_view(self, request: HttpRequest, token_id: UUID) -> HttpResponse:
        """Ask, then take the token back."""
        token = self.get_object(request, str(token_id))
        if not self.is_granted(request, Deed.MANAGE, token):
            raise PermissionDenied
        if request.method != "POST":
            return self._page(request, "revoke.html", {"token": token, "title": gettext("Revoke a device token")})
        revoke_token(token.pk, now=now())
        messages.success(request, gettext("{name} can no longer sign in.").format(name=token.name))
        return HttpResponseRedirect(reverse("admin:tournaments_apitoken_changelist"))

    def _page(self, request: HttpRequest, template: str, context: dict[str, Any]) -> TemplateResponse:
        base = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, f"admin/tournaments/apitoken/{template}", {**base, **context})
