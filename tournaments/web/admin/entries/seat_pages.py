"""Seat changes in a round: late players, players who leave, substitutes, and swapped seats; one page, with an undo.

Rules: docs/how-to/evening.md, "Late, missing and swapped players". The latest change is undone on the same page. Knows
nothing of how seats are stored.
"""

from collections.abc import Callable, Mapping
from functools import partial
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext

from scoring.sheets.event_messages import isolated
from tournaments.entries.commands.seats import (
    LateSeat,
    SeatDone,
    Why,
    get_up,
    last_change,
    may_undo_seats,
    seat_late,
    undo_seats,
)
from tournaments.entries.commands.substitutes import StandIn, substitute
from tournaments.log.context import CommandContext
from tournaments.models import Player, Tournament
from tournaments.people.players import roster
from tournaments.rendering.i18n.filters import called
from tournaments.seating import SeatedAt
from tournaments.seating.commands.seat import swap_seats
from tournaments.seating.queries.balance import SeatRoom, seat_room
from tournaments.tables.carried import LOST
from tournaments.web.admin.base.command_fields import MOST_NAME, KeyField, NameField
from tournaments.web.admin.base.command_forms import CommandForm, pressed, words_in
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on, page_url, tournament_page
from tournaments.web.admin.entries.choices import looks_like
from tournaments.web.admin.entries.desk_forms import is_question
from tournaments.web.admin.entries.desk_pages import policies

NEXT_ROUND = "0"
INSTEAD = "cannot go on"
WHY: Mapping[Why, str] = {
    "absent": gettext_noop("Is a no-show"),
    "left": gettext_noop("Goes home"),
    "sits_out": gettext_noop("Sits out this round"),
}
WHY_OF: Mapping[str, Why] = {why: why for why in WHY}


class SeatForm(CommandForm):
    """One form of the page, with the current choices."""

    # The field for a typed player name.
    names = "name"

    def __init__(self, data: QueryDict | None = None, *, room: SeatRoom) -> None:
        super().__init__(data)
        self.room = room
        self.choices()

    def choices(self) -> None:
        """Set the current choices."""

    def do(self, tournament: Tournament, context: CommandContext) -> str:
        """Store it; returns a message about what was stored."""
        raise NotImplementedError

    def offer_seated(self, name: str, tables: list[SeatedAt]) -> None:
        """Players at tables, grouped by table."""
        groups = [
            (_titled(table), [(player, self.room.names.get(player, player)) for player in table.players])
            for table in tables
        ]
        self.offer(name, [("", gettext("Choose")), *groups])


class LateForm(SeatForm):
    """Seat a late player."""

    called = {"till": "is_paid"}

    name = NameField(
        label=gettext_lazy("Name"), required=False, attrs={"list": "players", "spellcheck": "false", "autofocus": True}
    )
    table = forms.ChoiceField(label=gettext_lazy("Where"))
    is_paid = forms.BooleanField(label=gettext_lazy("Has paid"), required=False)
    adds_new = forms.BooleanField(label=gettext_lazy("Add as a new player"), required=False)
    anyway = forms.BooleanField(label=gettext_lazy("Seat anyway"), required=False)

    def choices(self) -> None:
        """Open tables, the smallest first and preselected; and the next round."""
        table_choices = [(str(table.number), self._offered(table)) for table in self.room.open_tables]
        self.offer("table", [*table_choices, (NEXT_ROUND, gettext("Waits for the next round"))])
        self.fields["table"].initial = table_choices[0][0] if table_choices else NEXT_ROUND

    def _offered(self, table: SeatedAt) -> str:
        """A table's title; the game may seat more than the plan of the stage, and a director may choose so."""
        stage = self.room.state.current
        is_full = stage is not None and len(table.players) >= stage.largest_table
        return gettext("{table}: full by the plan").format(table=_titled(table)) if is_full else _titled(table)

    @property
    def is_asked(self) -> bool:
        """Whether it was refused only with questions that the checkbox answers. Late entry ends with stage 1."""
        return is_question(self, *(["too_late"] if self.room.state.stage == 1 else []))

    def do(self, tournament: Tournament, context: CommandContext) -> str:
        values = self.cleaned_data
        table = int(values["table"]) or None
        late_seat = LateSeat(
            name=values["name"],
            table=table,
            is_paid=values["is_paid"],
            adds_new=values["adds_new"],
            asks=not values["anyway"],
            extends=values["anyway"],
        )
        done = seat_late(tournament.pk, late_seat, context=context)
        # The name as the club writes it, however it was typed; a form sent twice has the typed one alone.
        names = Player.objects.filter(pk=done.player).values_list("name", flat=True) if done.player else ()
        name = next(iter(names), " ".join(late_seat.name.split()))
        text = gettext("{name} sits at table {table}.") if table else gettext("{name} waits for the next round.")
        return text.format(name=isolated(name), table=table)


class InsteadForm(SeatForm):
    """A substitute plays on for a player at a table."""

    names = "by"
    instead_of = forms.ChoiceField(label=gettext_lazy("Player"))
    by = NameField(
        label=gettext_lazy("Name of substitute"), required=False, attrs={"list": "players", "spellcheck": "false"}
    )
    by_new = forms.BooleanField(label=gettext_lazy("Add as a new player"), required=False)
    by_anyway = forms.BooleanField(label=gettext_lazy("Seat anyway"), required=False)

    def choices(self) -> None:
        self.offer_seated("instead_of", list(self.room.tables))

    @property
    def is_asked(self) -> bool:
        """Whether it was refused only with a question that the checkbox answers."""
        return is_question(self)

    def do(self, tournament: Tournament, context: CommandContext) -> str:
        values = self.cleaned_data
        stand_in = StandIn(
            player=values["instead_of"],
            by=values["by"],
            reason=INSTEAD,
            adds_new=values["by_new"],
            asks=not values["by_anyway"],
        )
        substitute(tournament.pk, stand_in, context=context)
        name = self.room.names.get(stand_in.player, stand_in.player)
        return gettext("{by} plays for {name}.").format(by=isolated(" ".join(stand_in.by.split())), name=isolated(name))


class SwapForm(SeatForm):
    """Swap the seats of two players."""

    one = forms.ChoiceField(label=gettext_lazy("One player"))
    other = forms.ChoiceField(label=gettext_lazy("The other"))

    def choices(self) -> None:
        """All players seated in the round: a swap that is not possible is refused when it is submitted."""
        for name in ("one", "other"):
            self.offer_seated(name, list(self.room.tables))

    def do(self, tournament: Tournament, context: CommandContext) -> str:
        first_player, other = self.cleaned_data["one"], self.cleaned_data["other"]
        swap_seats(tournament.pk, first_player, other, reason="", context=context)
        names = {
            place: isolated(self.room.names.get(player, player))
            for place, player in (("one", first_player), ("other", other))
        }
        return gettext("{one} and {other} have swapped seats.").format(**names)


class UpForm(SeatForm):
    """A player leaves the table, and why."""

    player = forms.ChoiceField(label=gettext_lazy("Player"))
    why = forms.ChoiceField(label=gettext_lazy("What happened"), initial="absent")
    drops = forms.BooleanField(label=gettext_lazy("Free the seat; it will not count"), required=False)

    def choices(self) -> None:
        self.offer_seated("player", list(self.room.tables))
        self.offer("why", [(why, gettext(title)) for why, title in WHY.items()])

    @property
    def is_asked(self) -> bool:
        """Whether it was refused only because something recorded for the player would be lost."""
        return is_question(self, LOST)

    def do(self, tournament: Tournament, context: CommandContext) -> str:
        player, why = self.cleaned_data["player"], WHY_OF[self.cleaned_data["why"]]
        done = get_up(tournament.pk, player, why, context=context, drops_recorded=self.cleaned_data["drops"])
        name = isolated(self.room.names.get(player, player))
        if done.at_table or done.is_replay:
            return gettext("{name} has left table {table}.").format(name=name, table=done.table)
        text = gettext("{name} is marked as left. At table {table}, enter it with the next deal.")
        return text.format(name=name, table=done.table)


class UndoForm(CommandForm):
    """The key of the change to undo."""

    undo = KeyField()


FORMS: dict[str, type[SeatForm]] = {"late": LateForm, "instead": InsteadForm, "swap": SwapForm, "up": UpForm}


@purpose(gettext_noop("Seat a late player or a substitute, free a seat, or swap two players."))
def seats(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The round's seats; one button changes them, another undoes the change."""
    room = seat_room(tournament)
    if request.method != "POST":
        return _page(request, tournament, room)
    word = pressed(request.POST)
    if word == "undo":
        undo_form = UndoForm(request.POST)
        undo: Callable[[], SeatDone] = partial(
            undo_seats, tournament.pk, undo_form.read["undo"], context=undo_form.command_context(request)
        )
        if undo_form.attempt(undo, room.names) is None:
            return _page(request, tournament, room, undo_form)
        return go_on(request, page_url("seats", tournament), gettext("Undone: seats and entries are as before."))
    form = FORMS.get(word, LateForm)(request.POST, room=room)
    message = (
        form.attempt(partial(form.do, tournament, form.whole_context(request)), room.names) if form.is_valid() else None
    )
    if message is None:
        return _page(request, tournament, seat_room(tournament), form)
    return go_on(request, f"{page_url('seats', tournament)}?{urlencode({'done': form.read['key']})}", message)


def _page(
    request: HttpRequest, tournament: Tournament, room: SeatRoom, sent: CommandForm | None = None
) -> TemplateResponse:
    """The forms, the refused one as submitted, and the undo of the latest change."""
    is_open = not room.state.is_closed
    done = KeyField().to_python(request.GET.get("done", "")) or last_change(tournament)
    may_undo = is_open and may_undo_seats(tournament, done)
    waiting = [room.names.get(player, player) for player in room.waiting]
    seated = {UUID(player) for table in room.tables for player in table.players}
    context = {
        "room": room,
        "is_open": is_open,
        "sent": sent,
        "looks_like": looks_like(tournament.club, _typed_name(sent)),
        "forms": {word: sent if isinstance(sent, form) else form(room=room) for word, form in FORMS.items()},
        "undo_form": UndoForm(initial={"undo": done}) if may_undo else None,
        "waiting": waiting,
        "others": [name for name, player in roster(tournament, 1).by_label.items() if player not in seated],
        "policies": policies(room.state),
        "played": [table for table in room.tables if not table.may_change],
        "title": gettext("Seat changes: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "seats", context, refused=sent)


def _typed_name(sent: CommandForm | None) -> str:
    """The player name typed in the refused form."""
    name = words_in(sent.data, sent.names, max_length=MOST_NAME)[sent.names] if isinstance(sent, SeatForm) else ""
    return " ".join(name.split())


def _titled(table: SeatedAt) -> str:
    """A table's title with the number of its players."""
    count = len(table.players)
    text = ngettext("{table}, {count} player", "{table}, {count} players", count)
    return text.format(table=called(table.sheet.table), count=count)
