"""The event log, read-only; and its unreadable events, with a button that excludes one of them.

Rules: docs/decisions/0026-events-that-read-back.md. Only unreadable events are listed there; the command checks again.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.sheets.event_messages import KIND_TITLES
from tournaments import log
from tournaments.integrity.leaving_out import NoSuchPosition, leave_out
from tournaments.log import StreamKind
from tournaments.log.following import UnreadableEvent, unreadable_events
from tournaments.models import CashBook, Club, Table, Tournament
from tournaments.models.log import Event, EventNote
from tournaments.people.permissions import permission_to_read
from tournaments.people.players import actor_names
from tournaments.rendering.i18n.formatting import number
from tournaments.rendering.i18n.translating import spoken, translate
from tournaments.web.admin.base.command_fields import CarriedNumber, ReasonField
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on
from tournaments.web.admin.base.scoping import CarefulList, ClubScoped, admin_page

WHAT_FOLLOWS = {
    StreamKind.TABLE: gettext_noop("The table is cancelled: no winners, and money paid at it goes back."),
    StreamKind.TOURNAMENT: gettext_noop("The tournament continues without it: entry fees and prizes are recalculated."),
    StreamKind.CASH: gettext_noop("The cash book continues without it: the money that it moved moves back."),
    StreamKind.CLUB: gettext_noop("Players stay merged as the other records of the club say."),
}
MOST_WHY = 300
# What an event says, and digests from which a small amount could be guessed.
WHAT_IT_SAYS = frozenset({"body", "reason", "request", "fingerprint"})
# What a reader of the log asks of a record.
PLAIN = frozenset({"what", "where", "who", "reason", "recorded_at", "occurred_at", "club", "closed"})
# The columns by which an address may search the log: never what an event says.
SOUGHT = frozenset({"club", "position", "recorded_at", "kind", "version", "actor", "stream"})


def kind_title(kind: str) -> str:
    """A kind of event in words."""
    return translate(KIND_TITLES.get(kind, kind.replace("_", " ").capitalize()))


class KindFilter(admin.AllValuesFieldListFilter):
    """Filters events by kind, shown in words."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        """The kinds that occur; All is in words already."""
        for choice in super().choices(changelist):
            is_kind = choice["display"] in self.lookup_choices
            yield {**choice, "display": kind_title(str(choice["display"]))} if is_kind else choice


class NamedEvents(CarefulList):
    """A page of the log, with the names of what the events are about and of whoever saved them."""

    def get_results(self, request: HttpRequest) -> None:
        """Fetch the rows and name them."""
        super().get_results(request)
        name_events(list(self.result_list))


def name_events(events: Sequence[Event]) -> None:
    """Set the names of events that are about to be shown, all of them in a few queries."""
    streams = _names([event.stream_id for event in events])
    actors_by_club: dict[UUID, set[str]] = {}
    for event in events:
        actors_by_club.setdefault(event.club_id, set()).add(event.actor)
    people_by_club = {club: actor_names(actors, club) for club, actors in actors_by_club.items()}
    for event in events:
        people = people_by_club[event.club_id]
        event.where = streams.get(event.stream_id, event.club.name)  # type: ignore[attr-defined]
        event.who = people.get(event.actor, event.actor)  # type: ignore[attr-defined]


@admin.register(Event)
class EventAdmin(ClubScoped):
    """All events of the user's clubs in the order in which they were saved, newest first."""

    list_display = ("position", "recorded_at", "what", "where", "who")
    list_display_links = ("position",)
    list_filter = (("kind", KindFilter), "recorded_at")
    search_fields = ("=stream__id", "=actor")
    search_help_text = gettext_lazy("An id or a key, as a record has it")
    ordering = ("club", "-position")
    show_full_result_count = False
    actions = None
    fields = (
        *("what", "where", "who", "reason", "recorded_at", "occurred_at", "club", "position", "stream", "version"),
        *("kind", "schema", "body", "actor", "device", "sent_key", "request", "fingerprint", "recipe"),
    )
    readonly_fields = (*fields, "closed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """With the stream of each event, which decides who may read it."""
        return super().get_queryset(request).select_related("stream")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """All fields; of money only that it moved, for users who may not see the books."""
        names = super().get_fields(request, obj)
        if obj is None:
            return names
        permission = permission_to_read(obj.kind, is_cash=obj.stream.kind == StreamKind.CASH)
        if self.is_granted(request, permission, obj):
            return names
        return [*(name for name in names if name not in WHAT_IT_SAYS), "closed"]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """What people ask for; what only programs ask for is folded away."""
        names = self.get_fields(request, obj)
        plain = [name for name in names if str(getattr(name, "__name__", name)) in PLAIN]
        program_fields = [name for name in names if name not in plain]
        return [
            (None, {"fields": plain}),
            (gettext("For programs"), {"classes": ["collapse"], "fields": program_fields}),
        ]

    def heading(self, event: Event) -> str:
        """What happened, and its number in the log."""
        return f"{kind_title(event.kind)} ({number(event.position)})"

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Search by what the list shows: a search in bodies would tell amounts to users who may not read them."""
        return lookup.partition("__")[0] in SOUGHT and super().lookup_allowed(lookup, value, request)

    @admin.display(description=gettext_lazy("body"))
    def closed(self, event: Event) -> str:
        """Why the event's contents are not shown."""
        return gettext("Only for people who may see the books.")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Event], search_term: str
    ) -> tuple[QuerySet[Event], bool]:
        """Also search by idempotency key, as it was sent."""
        events, repeats = super().get_search_results(request, queryset, search_term)
        return events | queryset.filter(key=log.key_id(search_term.strip())), repeats

    def find_object(self, request: HttpRequest, object_id: str, from_field: str | None) -> Event | None:
        """Look up by position, with which an id begins: on PostgreSQL no index begins with the id.

        At most one event per club has that position.
        """
        try:
            event_id = UUID(object_id)
        except ValueError:
            return None
        place = {"club__in": Club.objects.all(), "position": int.from_bytes(event_id.bytes[:8], signed=True)}
        return self.get_queryset(request).filter(id=event_id, **place).first()

    @admin.display(description=gettext_lazy("Reason"))
    def reason(self, event: Event) -> str:
        """The reason stored with the event; empty if there is none, "erased" if it was erased."""
        if not event.note_digest:
            return ""
        note = EventNote.objects.filter(club=event.club_id, position=event.position, event=event).first()
        return note.text if note else gettext("erased")

    @admin.display(description=gettext_lazy("key"))
    def sent_key(self, event: Event) -> str:
        """The idempotency key as sent; for one that is no UUID, what is stored of it."""
        return event.given_key or str(event.key)

    @admin.display(description=gettext_lazy("Digest of the request"))
    def request(self, event: Event) -> str:
        """The digest that distinguishes a resend from another request."""
        return bytes(event.request_digest).hex()

    @admin.display(description=gettext_lazy("Fingerprint"))
    def fingerprint(self, event: Event) -> str:
        """The hash of every column of this row and of the hash before it."""
        return bytes(event.hash).hex()

    def get_changelist(self, request: HttpRequest, **words: Any) -> type[ChangeList]:
        """The change list class."""
        return NamedEvents

    @admin.display(description=gettext_lazy("What"), ordering="kind")
    def what(self, event: Event) -> str:
        """What happened, in words."""
        return kind_title(event.kind)

    @admin.display(description=gettext_lazy("Where"))
    def where(self, event: Event) -> str:
        """The table, the tournament, the cash book or the club that it happened to."""
        if not hasattr(event, "where"):
            name_events([event])
        return str(event.where)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("Who"), ordering="actor")
    def who(self, event: Event) -> str:
        """The person, the device or the table card that saved it."""
        if not hasattr(event, "who"):
            name_events([event])
        return str(event.who)  # type: ignore[attr-defined]


class LeaveOutForm(CommandForm):
    """Exclude the event of one line, with a reason."""

    position = CarriedNumber(most_digits=18)
    reason = ReasonField(label=gettext_lazy("Reason"))


@purpose(gettext_noop("Records that this version cannot read, and leaving them out."))
def unreadable(request: HttpRequest, club: Club) -> HttpResponse:
    """The list of unreadable events; a button excludes the event of its line."""
    if request.method != "POST":
        return _page(request, club)
    form = LeaveOutForm(request.POST)
    position = form.read["position"]
    try:
        if form.is_valid():
            reason, command = form.cleaned_data["reason"], form.command_context(request)
            form.attempt(lambda: leave_out(club.pk, position, reason=reason, context=command))
    except NoSuchPosition:
        form.add_error(None, ValidationError(gettext("No record at this position."), code="no_such_position"))
    if form.errors:
        return _page(request, club, form)
    text = gettext("Position {position} is left out.").format(position=position)
    return go_on(request, reverse("admin:tournaments_club_unreadable", args=[club.pk]), text)


def _page(request: HttpRequest, club: Club, sent: LeaveOutForm | None = None) -> TemplateResponse:
    context = {
        "club": club,
        "lines": _lines(club, sent),
        "form": sent,
        "title": gettext("Unreadable records"),
    }
    return admin_page(request, "admin/tournaments/club/unreadable.html", context, model=Club)


def _lines(club: Club, sent: LeaveOutForm | None) -> list[dict[str, Any]]:
    """Each unreadable event with the effect of excluding it, and the form that does so."""
    events = unreadable_events(club.pk)
    names = _names([event.stream for event in events])
    return [
        {
            "event": event,
            "where": club.name if event.stream == club.pk else names.get(event.stream, gettext("Cash book")),
            "why": event.why[:MOST_WHY],
            "follows": gettext(WHAT_FOLLOWS[StreamKind(event.stream_kind)]),
            "form": _form_of(event, sent),
        }
        for event in events
    ]


def _form_of(event: UnreadableEvent, sent: LeaveOutForm | None) -> LeaveOutForm:
    """The form of a line; the submitted one as it was sent."""
    is_sent = sent is not None and sent.read["position"] == event.position
    form = sent if sent is not None and is_sent else LeaveOutForm(initial={"position": event.position})
    form.auto_id = f"id_%s_{event.position}"
    return form


def _names(streams: Sequence[UUID]) -> dict[UUID, str]:
    """Names of the tables, tournaments and cash books among some streams, in three queries."""
    tables = Table.objects.filter(id__in=streams).select_related("tournament")
    names = {table.pk: f"{table.tournament.name}, {spoken(table.called)}" for table in tables}
    books = CashBook.objects.filter(id__in=streams)
    names |= {book.pk: gettext("Cash book {number}").format(number=number(book.number)) for book in books}
    return names | dict(Tournament.objects.filter(id__in=streams).values_list("id", "name"))
