"""Prizes by the current standings, and the side pots: the director enters who won them, and can undo it.

Rules: docs/rules/tournaments.md, "Side pots". Each button stores one event.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.events import wire
from scoring.tournament.plans.prizes import SidePot
from scoring.tournament.state.fees import has_entry, has_joined
from tournaments.models import Tournament
from tournaments.models.people import search_key
from tournaments.models.public_names import Names
from tournaments.people.players import as_in_books
from tournaments.printing import notation_of
from tournaments.running.commands.record import record_in_tournament
from tournaments.running.prize_money import prizes_shown
from tournaments.running.queries.dashboard import RunningTournament, running_tournament
from tournaments.running.queries.prizes import PotRow, PrizeTable, in_language_of_page, prize_table
from tournaments.web.admin.base.command_fields import ReasonField, WordField
from tournaments.web.admin.base.command_forms import CommandForm, sent_form
from tournaments.web.admin.base.pages import purpose
from tournaments.web.admin.base.request import go_on, page_url, tournament_page

MOST_POT_REASON = 200
MOST_WINNERS = 20
MOST_POT_NAME = 40


class PotForm(CommandForm):
    """A side pot."""

    pot = WordField(max_length=MOST_POT_NAME)

    def __init__(self, *args: Any, players: Sequence[tuple[str, str]] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.players = players

    @property
    def name(self) -> str:
        """The name of the pot; a name that no pot has where none was sent."""
        return self.read["pot"] or "?"


class PotWonForm(PotForm):
    """Who won a side pot, and with what."""

    called = {"players": "player"}

    player = forms.MultipleChoiceField(
        label=gettext_lazy("Winner"),
        help_text=gettext_lazy("To split it, hold Ctrl or Cmd"),
        widget=forms.SelectMultiple(attrs={"size": 5}),
        required=False,
    )
    reason = ReasonField(
        label=gettext_lazy("Won with"),
        help_text=gettext_lazy("Four queens, the most hand points"),
        max_length=MOST_POT_REASON,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("player", self.players)

    def event(self) -> wire.SidePotWon:
        """The event to store."""
        players = tuple(self.cleaned_data["player"][:MOST_WINNERS])
        return wire.SidePotWon(pot=self.name, players=players, reason=self.cleaned_data["reason"])


class PotNotWonForm(PotForm):
    """Undo the win of a side pot."""

    reason = ReasonField(label=gettext_lazy("Reason for undoing"), max_length=MOST_POT_REASON)

    def event(self) -> wire.SidePotWinUndone:
        """The event to store."""
        return wire.SidePotWinUndone(pot=self.name, reason=self.cleaned_data["reason"])


POT_FORMS: dict[str, type[PotWonForm] | type[PotNotWonForm]] = {"won": PotWonForm, "undo": PotNotWonForm}


@purpose(gettext_noop("What each place wins, and how that was calculated."))
def prizes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The prize sheet, and a form for each side pot."""
    running = running_tournament(tournament, now=now(), names=Names.REAL)
    running = replace(running, names=as_in_books(tournament.club_id, running.names))
    form = sent_form(request, POT_FORMS, players=sorted(running.names.items()))
    if form is None or not form.is_valid():
        return _prize_page(request, running, form)
    event = form.event()
    form.attempt(lambda: record_in_tournament(tournament.pk, event, context=form.command_context(request)))
    if form.errors:
        return _prize_page(request, running, form)
    won = isinstance(event, wire.SidePotWon)
    text = gettext("{pot}: winner saved.") if won else gettext("{pot}: winner removed.")
    return go_on(request, page_url("prizes", tournament), text.format(pot=event.pot))


def shown_prizes(running: RunningTournament) -> PrizeTable | None:
    """The prizes by the current standings, with names as in the books; None where no prizes are paid."""
    tournament, plan = running.tournament, running.state.plan
    sheet = prizes_shown(tournament, running.state)
    if sheet is None or plan is None:
        return None
    names = as_in_books(tournament.club_id, running.names)
    is_closed = running.state.is_closed
    return in_language_of_page(prize_table(plan, sheet, notation_of(tournament), names, is_closed=is_closed))


def _prize_page(request: HttpRequest, running: RunningTournament, sent: PotForm | None = None) -> HttpResponse:
    table = shown_prizes(running)
    context: dict[str, Any] = {
        "title": gettext("Prizes: {name}").format(name=running.tournament.name),
        "state": running.state,
        "prizes": table,
        "pots": _pots(running, table, sent),
        "form": sent,
    }
    return tournament_page(request, running.tournament, "prizes", context)


def _pots(running: RunningTournament, table: PrizeTable | None, sent: PotForm | None) -> list[dict[str, Any]]:
    """Each side pot with the form for its winner, or for undoing it."""
    state = running.state
    pots = state.plan.side_pots if state.plan else ()
    rows = {row.name: row for row in table.pots} if table else {}
    return [
        _pot(number, rows[pot.name], _playing_for(pot, running), sent)
        for number, pot in enumerate((pot for pot in pots if pot.name in rows), 1)
    ]


def _pot(number: int, row: PotRow, players: Sequence[tuple[str, str]], sent: PotForm | None) -> dict[str, Any]:
    kind = PotNotWonForm if row.is_won else PotWonForm
    form = sent if sent and type(sent) is kind and sent.name == row.name else kind(initial={"pot": row.name})
    form.auto_id = f"id_%s_{number}"
    if isinstance(form, PotWonForm):
        form.offer("player", players)
    return {"row": row, "players": players, "form": form}


def _playing_for(pot: SidePot, running: RunningTournament) -> list[tuple[str, str]]:
    """The players who take part in a side pot, A to Z."""
    state = running.state
    choices = [
        (player, running.names[player])
        for player, entrant in state.entrants.items()
        if has_entry(entrant) and any(has_joined(state.entrants[before], pot) for before in state.before(player))
    ]
    return sorted(choices, key=lambda one: search_key(one[1]))
