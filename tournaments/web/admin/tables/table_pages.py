"""A table's pages apart from entering deals: seating and opening it, its score sheet, and its history.

Rules: docs/how-to/evening.md, "Seating". Names are typed or picked from the list; an unknown name can be added to the
club as a new player. The history shows who, when, what and why.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.events import wire
from scoring.problems import Problem
from scoring.rules.table.questions import HandShown
from scoring.rules.table.table import Table
from scoring.rules.table.totals import Totals
from scoring.rules.variants import variant
from scoring.sheets.event_messages import KIND_TITLES, event_title, isolated_names
from scoring.sheets.scoresheet import Cell, SheetLine, hands_shown, sheet_lines
from tournaments.log.seals import table_fingerprint
from tournaments.models import Table as TableRow
from tournaments.models import Tournament
from tournaments.models.people import name_key
from tournaments.models.play import MOST_TABLE_NAME
from tournaments.people.permissions import Permission
from tournaments.people.players import Roster, add_players, next_table, roster
from tournaments.rendering.i18n.filters import called
from tournaments.rendering.i18n.formatting import in_sentence, number
from tournaments.rendering.i18n.translating import mark_text, translate
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.tables.queries.sheets import HistoryLine, history
from tournaments.web.admin.base.command_fields import NumberField, TextField
from tournaments.web.admin.base.command_forms import CommandForm, data_of, pressed
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import TableVisit, page_url, tournament_page
from tournaments.web.admin.tables.acts import CORRECT, VOID, WITHDRAW, context
from tournaments.web.admin.tables.confirmation_pages import confirmation_context

PLACES = range(1, 11)
MOST_NUMBER = 32_767
SEAT = "seat-"


class SeatField(TextField):
    """The player in a seat: typed, or picked from the list."""

    def __init__(self, place: int) -> None:
        attrs = {"list": "players", "spellcheck": "false", "id": f"id_seat_{place}"}
        super().__init__(label=gettext("Seat %(place)s") % {"place": place}, attrs=attrs, required=False)


class SeatForm(CommandForm):
    """A table to be opened: its number in a round, and its players by seat."""

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
            text = gettext("{name} must be a whole number from 1").format(name=self.fields[name].label)
            self.fields[name].error_messages = dict.fromkeys(("required", "invalid", "min_value", "max_value"), text)
        self.fields |= {f"{SEAT}{place}": SeatField(place) for place in PLACES}

    @cached_property
    def roster(self) -> Roster:
        """The players who may be seated in the round that was typed."""
        round_number = self.read.get("round") if self.is_bound else self.initial["round"]
        return roster(self.tournament, round_number or 1)

    def clean(self) -> None:
        """Find known players by seat, and collect names that no player has."""
        for place in PLACES:
            label = self.cleaned_data.get(f"{SEAT}{place}", "")
            player = _player(self.roster, label)
            if player is not None:
                self.known.append(SeatedPlayer(number=place, player=player))
            elif label:
                self.unknown[place] = label
        if not self.cleaned_data["adds_new"]:
            for place, label in self.unknown.items():
                text = gettext("no player {label}: pick from the list, or tick to add new names").format(label=label)
                self.add_error(f"{SEAT}{place}", ValidationError(text, code="unknown_player"))

    def open(self, request: HttpRequest) -> TableRow | None:
        """Open the table, adding players for unknown names; None where it was refused."""
        return self.attempt(lambda: self._open(request)) if self.is_valid() else None

    @transaction.atomic
    def _open(self, request: HttpRequest) -> TableRow:
        added = add_players(self.tournament.club, list(self.unknown.values()))
        new = [SeatedPlayer(number=place, player=row.pk) for place, row in zip(self.unknown, added, strict=True)]
        cleaned = self.cleaned_data
        draft = TableDraft(
            number=cleaned["number"], round=cleaned["round"], name=cleaned["name"], seats=[*self.known, *new]
        )
        return open_table(self.tournament, draft, context=self.command_context(request))

    def refuse(self, problems: Iterable[Problem], names: Mapping[str, str] | None = None) -> None:
        """Add each problem about a seat to that seat."""
        all_problems = list(problems)
        for problem in all_problems:
            if problem.seat:
                self.add_error(f"{SEAT}{problem.seat}", translate(problem.message))
        super().refuse([problem for problem in all_problems if not problem.seat], names)

    def seats(self) -> Iterator[forms.BoundField]:
        """A field for every seat of this game, and for every further one that was filled in."""
        most = variant(self.tournament.variant).seats_allowed[-1]
        for place in PLACES:
            field = self[f"{SEAT}{place}"]
            if place <= most or field.value():
                yield field


@purpose(gettext_noop("Open one table by hand and seat its players."))
def seat(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Pick players, open the table, go on to the next one."""
    form = SeatForm(data_of(request), tournament=tournament, initial=_next(request, tournament))
    table = form.open(request) if form.is_bound else None
    if table is None:
        return _page(request, tournament, form)
    text = gettext("{table} of round {round} is open with {players} players.")
    players = len(form.known) + len(form.unknown)
    messages.success(request, text.format(table=called(table), round=table.round, players=players))
    if pressed(request.POST) == "next":
        return HttpResponseRedirect(page_url("seat", tournament))
    return HttpResponseRedirect(reverse("admin:tournaments_table_score", args=[table.pk]))


def _next(request: HttpRequest, tournament: Tournament) -> dict[str, int]:
    """The table to seat next, or the first one of a later round where the address asks for it."""
    round_number, number = next_table(tournament)
    round_text = request.GET.get("round", "")
    if round_text.isdecimal() and len(round_text) < 4 and int(round_text) > round_number:
        return {"round": int(round_text), "number": 1}
    return {"round": round_number, "number": number}


def _player(known: Roster, label: str) -> UUID | None:
    """The player with exactly this label in the list, else the only one whose normalized name is equal, else None."""
    if not label or label in known.by_label:
        return known.by_label.get(label)
    same = [player for name, player in known.by_label.items() if name_key(name) == name_key(label)]
    return same[0] if len(same) == 1 else None


def _page(request: HttpRequest, tournament: Tournament, form: SeatForm) -> TemplateResponse:
    """The form as typed, each problem at its seat."""
    context = {
        "form": form,
        "free": form.roster.free_labels,
        "free_count": len(form.roster.free_labels),
        "title": gettext("Seat a table: {name}").format(name=tournament.name),
    }
    return tournament_page(request, tournament, "seat", context)


@purpose(gettext_noop("Every deal of this table, with running totals."))
def sheet(visit: TableVisit) -> HttpResponse:
    """The current score sheet, with links to the actions on each line."""
    table = visit.seen.table
    lines = [_sheet_line(visit, line) for line in sheet_lines(table)]
    hands = hands_shown(table)
    return visit.page(
        "sheet.html",
        {
            **context(visit),
            **confirmation_context(visit),
            "lines": lines,
            "deal_hands": [_deal_hands(visit, line, hands) for line in lines if line["line"].version in hands],
            "seat_names": [visit.seen.names.get(seat, seat) for seat in table.setup.seats],
            "can_correct": visit.may(Permission.CORRECT),
            "desk_links": _desk_links(visit) if lines else [],
            "race": table.rules.race,
            "in_short": list(table.rules.in_short(table.setup)),
        },
    )


@purpose(gettext_noop("Everything recorded at this table, and by whom."))
def history_page(visit: TableVisit) -> HttpResponse:
    """The log of the table, newest first, with a fingerprint of all of it."""
    lines = [_history_line(visit, line) for line in reversed(history(visit.seen.club.pk, visit.seen.row.id))]
    fingerprint = table_fingerprint(visit.seen.club.pk, visit.seen.row.id, visit.seen.table.version)
    return visit.page("log.html", {"lines": lines, "fingerprint": fingerprint})


def _desk_links(visit: TableVisit) -> list[tuple[str, str]]:
    """Links to an official's actions on the whole sheet."""
    pages = (("keying", gettext("Double-entry check")), ("exchange", gettext("Swap two players")))
    is_offered = visit.may(Permission.DIRECT) and not visit.seen.table.unreadable
    return [(title, visit.url(page)) for page, title in pages] if is_offered else []


def _sheet_line(visit: TableVisit, line: SheetLine) -> dict[str, Any]:
    table, names = visit.seen.table, visit.seen.names
    race = table.rules.race
    cells = [
        {
            "cell": line.cells[seat],
            "title": _title(line.cells[seat]),
            "number": getattr(line.cells[seat], race),
        }
        for seat in table.setup.seats
    ]
    is_deal = line.kind == "deal_recorded"
    return {
        "line": line,
        "word": _word(table, line.deal) if is_deal and not line.is_void else "",
        "title": gettext("Deal {deal}").format(deal=line.deal)
        if is_deal
        else translate(KIND_TITLES.get(line.kind, line.kind)),
        "cells": cells,
        "links": [{"title": title, "url": url} for title, url in _line_links(visit, line)],
        "notes": [
            translate(note.text, isolated_names(names)) for note in line.notes if note.code not in ("net", "chips")
        ],
    }


def _line_links(visit: TableVisit, line: SheetLine) -> Iterator[tuple[str, str]]:
    """Links to the user's actions on one line; none while there is an unreadable event."""
    if visit.seen.table.unreadable:
        return
    if line.kind != "deal_recorded":
        if line.kind == wire.TotalsRecorded.kind and visit.may_record(wire.TotalsCorrected.kind):
            yield gettext("Correct"), visit.url("totals")
        if visit.may_record(WITHDRAW.kind):
            yield gettext("Undo"), visit.url(WITHDRAW.page, line.version)
        return
    if visit.may_record(CORRECT.kind):
        yield gettext("Restore deal") if line.is_void else gettext("Correct"), visit.url(CORRECT.page, line.deal)
    if not line.is_void and visit.may_record(VOID.kind):
        yield gettext("Cancel deal"), visit.url(VOID.page, line.deal)


def _word(table: Table, deal: int | None) -> str:
    """Whether a deal is disputed or still unconfirmed."""
    return "disputed" if deal in table.disputed else "unconfirmed" if deal in table.unconfirmed else ""


def _deal_hands(visit: TableVisit, line: dict[str, Any], hands: Mapping[int, tuple[HandShown, ...]]) -> dict[str, Any]:
    """The hands of one deal that were recorded as cards."""
    version = line["line"].version
    named_hands = [(visit.seen.names.get(hand.seat, hand.seat), hand) for hand in hands[version]]
    return {"title_in_sentence": in_sentence(line["title"]), "version": version, "hands": named_hands}


def _title(cell: Cell) -> str:
    """The title of a seat's cell: its mark on the sheet, or its action."""
    return translate(cell.mark.title if cell.mark else KIND_TITLES.get(cell.how, ""))


def _history_line(visit: TableVisit, line: HistoryLine) -> dict[str, Any]:
    """One event, with the old values of what it replaced."""
    return {
        "line": line,
        "title": event_title(line.event),
        "text": visit.seen.event_text(line.event),
        "seats": _seat_rows(visit, line),
        "reason_is_erased": line.reason is None,
    }


def _seat_rows(visit: TableVisit, line: HistoryLine) -> list[dict[str, Any]]:
    """A deal or totals, seat by seat; seats that a correction changed have their old value."""
    if isinstance(line.event, Totals):
        new = _totals_texts(line.event)
        before = _totals_texts(line.replaced) if isinstance(line.replaced, Totals) else new
        changed = {seat: text for seat, text in before.items() if text != new.get(seat)}
        return [_seat(visit, seat, old=changed.get(seat, ""), new=text) for seat, text in new.items()]
    if isinstance(line.event, wire.DealVoided) and isinstance(line.replaced, wire.DealEvent):
        return [_seat(visit, seat, old=mark_text(mark)) for seat, mark in line.replaced.sheet.marks().items()]
    if not isinstance(line.event, wire.DealEvent):
        return []
    replaced = line.replaced
    written = replaced.sheet.marks() if isinstance(replaced, wire.DealEvent) else {}
    old = {seat: mark_text(mark) for seat, mark in written.items()}
    new = {seat: mark_text(mark) for seat, mark in line.event.sheet.marks().items()}
    changed = {seat: text for seat, text in old.items() if text != new.get(seat)}
    return [_seat(visit, seat, old=changed.get(seat, ""), new=new.get(seat, "")) for seat in (new | old)]


def _totals_texts(event: Totals) -> dict[str, str]:
    """Each seat's total, and in which place it was eliminated."""
    with_order = gettext("{number}, out as number {place}")
    totals = {seat: number(total) for seat, total in event.totals.items()}
    return totals | {
        seat: with_order.format(number=totals[seat], place=number(place)) for seat, place in event.out.items()
    }


def _seat(visit: TableVisit, seat: str, *, old: str = "", new: str = "") -> dict[str, Any]:
    return {"name": visit.seen.names.get(seat, seat), "old": old, "new": new}
