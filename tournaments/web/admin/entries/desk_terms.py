"""What a player's entry costs, as the desk picks it: the rate, and side pots that are joined by wish.

Rules: docs/rules/tournaments.md, "Fees" and "Side pots". Knows nothing of what was paid.
"""

from collections.abc import Iterator
from typing import Literal

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext, gettext_lazy

from scoring.evening import Evening
from scoring.facts import wire
from scoring.money.formatting import Notation, money
from tournaments.entries.queries import EntryLine
from tournaments.evenings.commands.record import evening_of, record_in_evening
from tournaments.log.context import tournament_turn
from tournaments.models import Tournament
from tournaments.web.admin.base.command_fields import TickOf
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.editing.edit_forms import EditRules, token_field
from tournaments.web.admin.editing.held_fields import saved_said

MOST_POT_NAME = 40
POT = "pot:"
RATES: dict[str, Literal["full", "member", "free"]] = {"full": "full", "member": "member", "free": "free"}


class TermsForm(EditRules, CommandForm):
    """The rate, and a tick for each side pot."""

    seen = token_field()
    rate = forms.ChoiceField(label=gettext_lazy("Fee type"))

    def __init__(self, data: QueryDict | None = None, *, tournament: Tournament, evening: Evening, player: str) -> None:
        self.evening, self.player, self.entrant = evening, player, evening.entrants[player]
        super().__init__(data, initial={"rate": self.entrant.rate})
        # A pot that the plan has not is for the command to refuse.
        sent = [pot[:MOST_POT_NAME] for pot in data.getlist("pot") if pot] if data is not None else []
        self.offered = [pot for pot in evening.plan.side_pots if pot.joins == "opt_in"] if evening.plan else []
        for pot in dict.fromkeys([*(pot.name for pot in self.offered), *self.entrant.pots, *sent]):
            self.fields[f"{POT}{pot}"] = forms.BooleanField(
                label=pot, widget=TickOf("pot", pot), initial=pot in self.entrant.pots, required=False
            )
        self.notation = Notation(tournament.currency, tournament.club.locale)
        rates = self._rates(tournament.entry_minor)
        self.offer("rate", rates)
        if not rates:
            del self.fields["rate"]

    @property
    def subject(self) -> str:
        """The player whose terms are changed."""
        return f"terms:{self.player}"

    def pots(self) -> Iterator[tuple[forms.BoundField, str, str]]:
        """Each pot that may be joined: its tick, its name, and what it costs."""
        for pot in self.offered:
            yield self[f"{POT}{pot.name}"], pot.name, money(pot.contribution_minor, *self.notation)

    def fact(self) -> wire.EntryTermsSet:
        """The terms as they are picked."""
        picked = self.cleaned_data
        pots = tuple(name.removeprefix(POT) for name, is_on in picked.items() if name.startswith(POT) and is_on)
        rate = RATES.get(picked.get("rate", self.entrant.rate), "full")
        return wire.EntryTermsSet(player=self.player, rate=rate, pots=pots)

    def _rates(self, entry_minor: int) -> list[tuple[str, str]]:
        """The rates that there are; none where nothing is paid."""
        member_minor = self.evening.plan.member_minor if self.evening.plan else None
        fees = {"full": entry_minor, "member": member_minor, "free": 0} if entry_minor else {}
        titles = rate_titles()
        return [
            (rate, f"{titles[rate]}, {money(fee, *self.notation)}") for rate, fee in fees.items() if fee is not None
        ]


def saved_terms(request: HttpRequest, tournament: Tournament, line: EntryLine) -> tuple[TermsForm, str]:
    """Store what was changed of the terms, whatever else was changed since the page was opened; says what it was."""
    with tournament_turn(tournament.pk) as row:
        form = TermsForm(request.POST, tournament=row, evening=evening_of(row), player=line.player)
        if form.is_valid() and form.changed_data:
            form.attempt(lambda: record_in_evening(tournament.pk, form.fact(), order=form.order(request)))
    return form, saved_said(line.name, [str(form.fields[name].label) for name in form.changed_data])


def terms_form(
    tournament: Tournament, evening: Evening, player: str, sent: CommandForm | None = None
) -> TermsForm | None:
    """What there is to choose; nothing without a plan, or for a substitute, whose place was paid for."""
    if isinstance(sent, TermsForm):
        return sent
    if evening.plan is None or evening.is_closed or evening.entrants[player].plays_for is not None:
        return None
    return TermsForm(tournament=tournament, evening=evening, player=player)


def rate_titles() -> dict[str, str]:
    """What each rate is called."""
    return {"full": gettext("Full fee"), "member": gettext("Member"), "free": gettext("Free entry")}
