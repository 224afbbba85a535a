"""The log as evidence: every fact of one's clubs, to be read, never to be touched."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from tournaments.models.log import Event
from tournaments.web.admin.base.scoping import ClubScoped


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

    @admin.display(description=gettext_lazy("Fingerprint"))
    def fingerprint(self, event: Event) -> str:
        """Covers every column of this row and the hash before it."""
        return bytes(event.hash).hex()

    @admin.display(description=gettext_lazy("Stream"))
    def table(self, event: Event) -> str:
        """The table or tournament it happened at."""
        return str(event.stream_id)
