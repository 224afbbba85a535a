"""The forms of a player at the check-in desk: actions, substitutes, payments and entry terms.

Rules: docs/how-to/evening.md, "Entries and the desk"; docs/rules/tournaments.md, "Fees" and "Side pots". Each form
returns a message about what it stored. Knows nothing of pages.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.events import wire
from scoring.events.wire import Event
from scoring.money.formatting import Notation, money
from scoring.tournament import TournamentState
from scoring.tournament.state.fees import ACCOUNT
from tournaments.entries.commands.check_in import DeskAct, act_at_desk, take_or_give
from tournaments.entries.commands.substitutes import StandIn, substitute, undo_substitution
from tournaments.entries.queries import EntryLine
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import Tournament
from tournaments.people.permissions import Permission
from tournaments.printing import notation_of
from tournaments.rendering.i18n.translating import translate
from tournaments.running.commands.record import record_in_tournament, tournament_state
from tournaments.running.commands.settle import refunds
from tournaments.web.admin.base.command_fields import AmountField, CarriedNumber, ReasonField, TextField, TickOf
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.base.edit_forms import EditRules, token_field

MOST_REASON = 200
MOST_POT_NAME = 40
POT = "pot:"
RATES: dict[str, Literal["full", "member", "free"]] = {"full": "full", "member": "member", "free": "free"}


class PlayerForm(CommandForm):
    """One form of a player's page."""

    permission = Permission.CHECK_IN

    def do(self, tournament: Tournament, line: EntryLine, context: CommandContext) -> str:
        """Store it; returns a message about what was stored."""
        raise NotImplementedError


class ActForm(PlayerForm):
    """An action of the desk; a refund of all payments needs a reason."""

    act: DeskAct

    reason = ReasonField(max_length=MOST_REASON)
    anyway = forms.BooleanField(label=gettext_lazy("Save anyway"), required=False)

    @property
    def is_asked(self) -> bool:
        """Whether it was refused only with a question that the checkbox answers."""
        return is_question(self, "places_taken")

    def do(self, tournament: Tournament, line: EntryLine, context: CommandContext) -> str:
        """Run the action; a repeated one is reported as already done."""
        act = replace(self.act, reason=self.cleaned_data["reason"])
        asks = not self.cleaned_data["anyway"]
        done = act_at_desk(tournament.pk, act, line.player, context=context, asks=asks)
        what = refunded_text(done.events, notation_of(tournament)) or translate(self.act.confirmation)
        text = gettext("{name} {what} already.") if done.is_replay else gettext("{name} {what}.")
        return text.format(name=line.name, what=what)


class HideForm(ActForm):
    """Hides a player who left from the public."""

    reason = ReasonField(max_length=MOST_REASON, attrs={"required": False, "id": "id_hiding"})


class SubstituteForm(PlayerForm):
    """A substitute plays on in the player's place."""

    by = TextField(
        label=gettext_lazy("Name of substitute"), attrs={"list": "players", "spellcheck": "false"}, required=False
    )
    reason = ReasonField(label=gettext_lazy("Reason"), max_length=MOST_REASON, attrs={"required": False})
    adds_new = forms.BooleanField(label=gettext_lazy("Add as a new player"), required=False)
    anyway = forms.BooleanField(label=gettext_lazy("Seat anyway"), required=False)

    @property
    def is_asked(self) -> bool:
        """Whether it was refused only with a question that the checkbox answers."""
        return is_question(self)

    def do(self, tournament: Tournament, line: EntryLine, context: CommandContext) -> str:
        values = self.cleaned_data
        stand_in = StandIn(
            player=line.player,
            by=values["by"],
            reason=values["reason"],
            adds_new=values["adds_new"],
            asks=not values["anyway"],
        )
        substitute(tournament.pk, stand_in, context=context)
        return gettext("{by} plays for {name}.").format(by=stand_in.by, name=line.name)


def is_question(form: CommandForm, *codes: str) -> bool:
    """Whether all problems of a refused form are questions that the user may answer with "anyway"."""
    question_codes = {"suspended", "same_name", *codes}
    error_codes = (
        {error.code for errors in form.errors.as_data().values() for error in errors} if form.is_bound else set()
    )
    return bool(error_codes) and error_codes <= question_codes


class UnsubstituteForm(PlayerForm):
    """Undo the substitution."""

    reason = ReasonField(
        label=gettext_lazy("Reason"), max_length=MOST_REASON, attrs={"required": False, "id": "id_unsub"}
    )

    def do(self, tournament: Tournament, line: EntryLine, context: CommandContext) -> str:
        undo_substitution(tournament.pk, line.player, reason=self.cleaned_data["reason"], context=context)
        return gettext("{name} plays for themselves again.").format(name=line.name)


class TakeForm(PlayerForm):
    """Take an amount other than the fee. `seen` is what was shown as paid."""

    permission = Permission.TAKE_ENTRY
    confirmation = gettext_noop("{amount} taken from {name}.")

    called = {"amount_minor": "amount"}

    seen = CarriedNumber(missing=-1, most_digits=18)
    amount = AmountField(least=1)

    def event(self, player: str) -> wire.EntryPaid | wire.EntryRefunded:
        """The event to store."""
        return wire.EntryPaid(player=player, amount_minor=self.cleaned_data["amount"])

    def do(self, tournament: Tournament, line: EntryLine, context: CommandContext) -> str:
        """Store it, and say how much went where."""
        event = self.event(line.player)
        take_or_give(tournament.pk, event, seen_minor=self.cleaned_data["seen"], context=context)
        if isinstance(event, wire.EntryRefunded):
            refund_events = refunds(line.entrant, event.amount_minor, event.reason)
            return gettext("{name} {what}.").format(
                name=line.name, what=refunded_text(refund_events, notation_of(tournament))
            )
        return gettext(self.confirmation).format(
            amount=money(event.amount_minor, *notation_of(tournament)), name=line.name
        )


class FromBalanceForm(TakeForm):
    """The same, paid from the player's balance."""

    confirmation = gettext_noop("{amount} paid from the balance of {name}.")

    def event(self, player: str) -> wire.EntryPaid:
        return wire.EntryPaid(player=player, amount_minor=self.cleaned_data["amount"], place=ACCOUNT)


class GiveForm(TakeForm):
    """A refund."""

    amount = AmountField(least=1, attrs={"id": "id_refund"})
    reason = ReasonField(
        label=gettext_lazy("Reason for refund"),
        max_length=MOST_REASON,
        attrs={"required": False, "id": "id_why"},
    )

    def event(self, player: str) -> wire.EntryRefunded:
        values = self.cleaned_data
        return wire.EntryRefunded(player=player, amount_minor=values["amount"], reason=values["reason"])


def refund_text(in_cash: int, to_balance: int, notation: Notation) -> str:
    """How a refund is given: in cash, to the balance, or both."""
    cash, balance = money(in_cash, *notation), money(to_balance, *notation)
    if not to_balance:
        return gettext("{cash} in cash").format(cash=cash)
    if not in_cash:
        return gettext("{balance} to the balance").format(balance=balance)
    return gettext("{cash} in cash, {balance} to the balance").format(cash=cash, balance=balance)


def refunded_text(events: Iterable[Event], notation: Notation) -> str:
    """What an action has refunded, in words that follow the player's name; empty if it was no refund."""
    refund_events = [event for event in events if isinstance(event, wire.EntryRefunded)]
    to_balance = sum(event.amount_minor for event in refund_events if event.place == ACCOUNT)
    in_cash = sum(event.amount_minor for event in refund_events) - to_balance
    return gettext("was refunded {how}").format(how=refund_text(in_cash, to_balance, notation)) if refund_events else ""


FORMS: dict[str, type[PlayerForm]] = {
    "hide": HideForm,
    "substitute": SubstituteForm,
    "unsubstitute": UnsubstituteForm,
    "take": TakeForm,
    "give": GiveForm,
    "from_balance": FromBalanceForm,
}


# Entry terms as chosen at the desk: the fee type, and optional side pots.


class TermsForm(EditRules, CommandForm):
    """The fee type, and a checkbox for each side pot."""

    seen = token_field()
    rate = forms.ChoiceField(label=gettext_lazy("Fee type"))
    reason = ReasonField(
        label=gettext_lazy("Reason for a lower fee"),
        max_length=MOST_REASON,
        attrs={"required": False, "id": "id_terms_why"},
    )

    def __init__(
        self, data: QueryDict | None = None, *, tournament: Tournament, state: TournamentState, player: str
    ) -> None:
        self.state, self.player, self.entrant = state, player, state.entrants[player]
        super().__init__(data, initial={"rate": self.entrant.rate})
        # A pot that is not in the plan is refused by the command.
        sent_pots = [pot[:MOST_POT_NAME] for pot in data.getlist("pot") if pot] if data is not None else []
        self.offered = [pot for pot in state.plan.side_pots if pot.joins == "opt_in"] if state.plan else []
        for pot in dict.fromkeys([*(pot.name for pot in self.offered), *self.entrant.pots, *sent_pots]):
            self.fields[f"{POT}{pot}"] = forms.BooleanField(
                label=pot, widget=TickOf("pot", pot), initial=pot in self.entrant.pots, required=False
            )
        self.notation = notation_of(tournament)
        rates = self._rates(tournament.entry_minor)
        self.offer("rate", rates)
        if not rates:
            del self.fields["rate"]

    @property
    def subject(self) -> str:
        """Identifies the player whose terms are changed."""
        return f"terms:{self.player}"

    @property
    def changed_data(self) -> list[str]:
        """The terms that were changed; the reason belongs to the change."""
        return [name for name in super().changed_data if name != "reason"]

    def pots(self) -> Iterator[tuple[forms.BoundField, str, str]]:
        """Each optional side pot: its checkbox, its name, and its price."""
        for pot in self.offered:
            yield self[f"{POT}{pot.name}"], pot.name, money(pot.contribution_minor, *self.notation)

    def event(self) -> wire.EntryTermsSet:
        """The event with the chosen terms."""
        picked = self.cleaned_data
        pots = tuple(name.removeprefix(POT) for name, is_on in picked.items() if name.startswith(POT) and is_on)
        rate = RATES.get(picked.get("rate", self.entrant.rate), "full")
        return wire.EntryTermsSet(player=self.player, rate=rate, pots=pots, reason=picked["reason"])

    def _rates(self, entry_minor: int) -> list[tuple[str, str]]:
        """The available fee types with their amounts; none where there is no entry fee."""
        member_minor = self.state.plan.member_minor if self.state.plan else None
        fees = {"full": entry_minor, "member": member_minor, "free": 0} if entry_minor else {}
        titles = rate_titles()
        return [
            (rate, f"{titles[rate]}, {money(fee, *self.notation)}") for rate, fee in fees.items() if fee is not None
        ]


def saved_terms(request: HttpRequest, tournament: Tournament, line: EntryLine) -> tuple[TermsForm, str]:
    """Store the terms changed on the page, keeping changes made since by others; returns the form and a message."""
    with tournament_lock(tournament.pk) as row:
        form = TermsForm(request.POST, tournament=row, state=tournament_state(row), player=line.player)
        if form.is_valid() and form.changed_data:
            form.attempt(
                lambda: record_in_tournament(tournament.pk, form.event(), context=form.command_context(request))
            )
    return form, form.saved_text(line.name)


def terms_form(
    tournament: Tournament, state: TournamentState, player: str, sent: CommandForm | None = None
) -> TermsForm | None:
    """The form of the entry terms; None without a plan, when closed, or for a substitute, whose seat was paid for."""
    if isinstance(sent, TermsForm):
        return sent
    if state.plan is None or state.is_closed or state.entrants[player].plays_for is not None:
        return None
    return TermsForm(tournament=tournament, state=state, player=player)


def rate_titles() -> dict[str, str]:
    """The title of each fee type."""
    return {"full": gettext("Full fee"), "member": gettext("Member"), "free": gettext("Free entry")}
