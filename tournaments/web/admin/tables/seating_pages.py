"""Seating: pick the players of a table in table order, and open it.

Rules: docs/how-to/evening.md, "Seating". Names are typed or picked from the list; a name that nobody bears can be added
to the club on the spot.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.problems import Problem
from scoring.rules.variants import variant
from tournaments.models import Table, Tournament
from tournaments.models.people import name_key
from tournaments.models.play import MOST_TABLE_NAME
from tournaments.people.players import Roster, add_players, next_table, roster
from tournaments.rendering.i18n.filters import called
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.web.admin.base.command_fields import NumberField, TextField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed

PLACES = range(1, 11)
MOST_NUMBER = 32_767
SEAT = "seat-"


class SeatField(TextField):
    """Who sits at a place: typed, or picked from the list."""

    def __init__(self, place: int) -> None:
        attrs = {"list": "players", "spellcheck": "false", "id": f"id_seat_{place}"}
        super().__init__(label=gettext("Seat %(place)s") % {"place": place}, attrs=attrs, required=False)


class SeatForm(CommandForm):
    """A table to be opened: its number in a round, and who sits where."""

    sent_before = gettext_noop("form already sent with other data: check and try again")

    round = NumberField(label=gettext_lazy("Round"), max_value=MOST_NUMBER, attrs={"size": 4})
    number = NumberField(label=gettext_lazy("Table"), max_value=MOST_NUMBER, attrs={"size": 4})
    name = TextField(
        label=gettext_lazy("Name (optional)"), max_length=MOST_TABLE_NAME, attrs={"id": "id_tname"}, required=False
    )
    adds_new = forms.BooleanField(label=gettext_lazy("Add as new players"), required=False)

    def __init__(self, *args: Any, tournament: Tournament, **how: Any) -> None:
        super().__init__(*args, **how)
        self.tournament = tournament
        self.known: list[SeatedPlayer] = []
        self.unknown: dict[int, str] = {}
        for name in ("round", "number"):
            said = gettext("{name} must be a whole number from 1").format(name=self.fields[name].label)
            self.fields[name].error_messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), said)
        self.fields |= {f"{SEAT}{place}": SeatField(place) for place in PLACES}

    @cached_property
    def roster(self) -> Roster:
        """Who may be seated in the round that was typed."""
        typed = self.read.get("round") if self.is_bound else self.initial["round"]
        return roster(self.tournament, typed or 1)

    def clean(self) -> None:
        """Known players by place, and the names that nobody bears."""
        for place in PLACES:
            label = self.cleaned_data.get(f"{SEAT}{place}", "")
            player = _player(self.roster, label)
            if player is not None:
                self.known.append(SeatedPlayer(number=place, player=player))
            elif label:
                self.unknown[place] = label
        if not self.cleaned_data["adds_new"]:
            for place, label in self.unknown.items():
                said = gettext("no player {label}: pick from the list, or tick to add new names").format(label=label)
                self.add_error(f"{SEAT}{place}", ValidationError(said, code="unknown_player"))

    def open(self, request: HttpRequest) -> Table | None:
        """Open the table, with players added for the names that nobody bore; None where it was refused."""
        return self.attempt(lambda: self._open(request)) if self.is_valid() else None

    @transaction.atomic
    def _open(self, request: HttpRequest) -> Table:
        added = add_players(self.tournament.club, list(self.unknown.values()))
        new = [SeatedPlayer(number=place, player=row.pk) for place, row in zip(self.unknown, added, strict=True)]
        sent = self.cleaned_data
        draft = TableDraft(number=sent["number"], round=sent["round"], name=sent["name"], seats=[*self.known, *new])
        return open_table(self.tournament, draft, order=self.order(request))

    def refuse(self, problems: Iterable[Problem], names: Mapping[str, str] | None = None) -> None:
        """What is about a seat, at that seat."""
        found = list(problems)
        for problem in found:
            if problem.seat:
                self.add_error(f"{SEAT}{problem.seat}", translate(problem.message))
        super().refuse([problem for problem in found if not problem.seat], names)

    def seats(self) -> Iterator[forms.BoundField]:
        """A field for every place of this game, and for every further place that was typed into."""
        most = variant(self.tournament.variant).seats_allowed[-1]
        for place in PLACES:
            field = self[f"{SEAT}{place}"]
            if place <= most or field.value():
                yield field


def seat(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Pick players, open the table, go on to the next one."""
    form = SeatForm(data_of(request), tournament=tournament, initial=_next(request, tournament))
    table = form.open(request) if form.is_bound else None
    if table is None:
        return _page(request, tournament, form)
    messages.success(request, _opened_said(table, len(form.known) + len(form.unknown)))
    if pressed(request.POST) == "next":
        return HttpResponseRedirect(reverse("admin:tournaments_tournament_seat", args=[tournament.pk]))
    return HttpResponseRedirect(reverse("admin:tournaments_table_score", args=[table.pk]))


def _next(request: HttpRequest, tournament: Tournament) -> dict[str, int]:
    """The table that is seated next; the first one of a later round where that is asked for."""
    round_number, number = next_table(tournament)
    wanted = request.GET.get("round", "")
    if wanted.isdecimal() and len(wanted) < 4 and int(wanted) > round_number:
        return {"round": int(wanted), "number": 1}
    return {"round": round_number, "number": number}


def _player(known: Roster, label: str) -> UUID | None:
    """Whoever is meant by a name: exactly as it stands in the list, else the only one whose name reads the same."""
    if not label or label in known.by_label:
        return known.by_label.get(label)
    same = [player for name, player in known.by_label.items() if name_key(name) == name_key(label)]
    return same[0] if len(same) == 1 else None


def _page(request: HttpRequest, tournament: Tournament, form: SeatForm) -> TemplateResponse:
    """The form as typed, each problem at its seat."""
    context: dict[str, Any] = {
        **admin.site.each_context(request),
        "opts": Tournament._meta,
        "tournament": tournament,
        "form": form,
        "free": form.roster.free_labels,
        "free_count": len(form.roster.free_labels),
        "title": gettext("Seat a table: {name}").format(name=tournament.name),
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, "admin/tournaments/tournament/seat.html", context, status=status)


def _opened_said(table: Table, players: int) -> str:
    said = gettext("{table} of round {round} is open with {players} players.")
    return said.format(table=called(table), round=table.round, players=players)
