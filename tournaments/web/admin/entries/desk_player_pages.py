"""A player at the check-in desk: every deed that may be done for them, the entry's terms, money and substitutes.

Rules: docs/how-to/evening.md, "Entries and the desk". Knows nothing of what a deed stores.
"""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.evening import Evening
from scoring.evening.prizes.entry_plan import ACCOUNT
from scoring.evening.state.fees import is_booked
from scoring.facts import wire
from scoring.money.formatting import Notation, money, typed_minor
from tournaments.cash.queries import money_of
from tournaments.entries.commands.check_in import (
    DESK_ACTS,
    DeskAct,
    StandIn,
    act_at_desk,
    may_be_substituted,
    offered,
    substitute,
    substitution_stands,
    take_or_give,
)
from tournaments.entries.commands.substitute import undo_substitution
from tournaments.entries.queries import Entries, EntryLine, entries
from tournaments.log.context import Order
from tournaments.models import Tournament
from tournaments.people.permissions import Actor, Deed, may
from tournaments.people.players import roster
from tournaments.rendering.i18n.translating import translate
from tournaments.web.admin.base.command_fields import AmountField, CarriedNumber, ReasonField, TextField
from tournaments.web.admin.base.command_forms import CommandForm, pressed
from tournaments.web.admin.base.request import evening_page
from tournaments.web.admin.base.scoping import actor_in
from tournaments.web.admin.entries.desk_terms import TermsForm, saved_terms, terms_form

MOST_REASON = 200
LATE = {
    "zero": gettext_noop("starts with 0 for the rounds before"),
    "average": gettext_noop("starts with the average score"),
    "highest_plus": gettext_noop("starts behind the worst score"),
}
LEAVING = {
    "forfeit": gettext_noop("points kept, rest forfeited"),
    "average": gettext_noop("points kept, rest averaged"),
    "void": gettext_noop("everything played is cancelled"),
}
SUBSTITUTE = {
    "seat": gettext_noop("the substitute continues the score of the seat"),
    "person": gettext_noop("the substitute starts a new score"),
    "split": gettext_noop("the score is split at the change"),
}


class PlayerForm(CommandForm):
    """One form of a player's page."""

    deed = Deed.CHECK_IN

    def do(self, tournament: Tournament, line: EntryLine, order: Order) -> str:
        """Store it; says what was stored."""
        raise NotImplementedError


class ActForm(PlayerForm):
    """A deed of the desk that asks for nothing more."""

    act: DeskAct

    def do(self, tournament: Tournament, line: EntryLine, order: Order) -> str:
        """Do it, or find it done."""
        done = act_at_desk(tournament.pk, self.act, line.player, order=order)
        said = gettext("{name} {what} already.") if done.is_replay else gettext("{name} {what}.")
        return said.format(name=line.name, what=translate(self.act.said))


class SubstituteForm(PlayerForm):
    """Somebody plays on in the player's place."""

    by = TextField(
        label=gettext_lazy("Name of substitute"), attrs={"list": "players", "spellcheck": "false"}, required=False
    )
    reason = ReasonField(label=gettext_lazy("Reason"), max_length=MOST_REASON, attrs={"required": False})
    adds_new = forms.BooleanField(label=gettext_lazy("Add as a new player"), required=False)

    def do(self, tournament: Tournament, line: EntryLine, order: Order) -> str:
        """Seat the substitute."""
        typed = self.cleaned_data
        wish = StandIn(player=line.player, by=typed["by"], reason=typed["reason"], adds_new=typed["adds_new"])
        substitute(tournament.pk, wish, order=order)
        return gettext("{by} plays for {name}.").format(by=wish.by, name=line.name)


class UnsubstituteForm(PlayerForm):
    """No substitute after all."""

    reason = ReasonField(
        label=gettext_lazy("Reason"), max_length=MOST_REASON, attrs={"required": False, "id": "id_unsub"}
    )

    def do(self, tournament: Tournament, line: EntryLine, order: Order) -> str:
        """Take the substitution back."""
        undo_substitution(tournament.pk, line.player, reason=self.cleaned_data["reason"], order=order)
        return gettext("{name} plays for themselves again.").format(name=line.name)


class TakeForm(PlayerForm):
    """Another amount than the fee, by whoever saw what was paid."""

    deed = Deed.TAKE_ENTRY
    said = gettext_noop("{amount} taken from {name}.")

    called = {"amount_minor": "amount"}

    seen = CarriedNumber(missing=-1, most_digits=18)
    amount = AmountField(least=1)
    reason = ReasonField(
        label=gettext_lazy("Reason for refund"),
        max_length=MOST_REASON,
        attrs={"required": False, "id": "id_why"},
    )

    def fact(self, player: str) -> wire.EntryPaid | wire.EntryRefunded:
        """What is stored."""
        return wire.EntryPaid(player=player, amount_minor=self.cleaned_data["amount"])

    def do(self, tournament: Tournament, line: EntryLine, order: Order) -> str:
        """Take it or give it."""
        fact = self.fact(line.player)
        take_or_give(tournament.pk, fact, seen_minor=self.cleaned_data["seen"], order=order)
        return gettext(self.said).format(amount=money(fact.amount_minor, *notation_of(tournament)), name=line.name)


class FromBalanceForm(TakeForm):
    """The same, paid from what the player has in the club."""

    said = gettext_noop("{amount} paid from the balance of {name}.")

    def fact(self, player: str) -> wire.EntryPaid:
        """What is stored."""
        return wire.EntryPaid(player=player, amount_minor=self.cleaned_data["amount"], place=ACCOUNT)


class GiveForm(TakeForm):
    """The same, given back."""

    said = gettext_noop("{amount} refunded to {name}.")

    def fact(self, player: str) -> wire.EntryRefunded:
        """What is stored."""
        typed = self.cleaned_data
        return wire.EntryRefunded(player=player, amount_minor=typed["amount"], reason=typed["reason"])


FORMS: dict[str, type[PlayerForm]] = {
    "substitute": SubstituteForm,
    "unsubstitute": UnsubstituteForm,
    "take": TakeForm,
    "give": GiveForm,
    "from_balance": FromBalanceForm,
}


def desk_player(request: HttpRequest, tournament: Tournament, player_id: UUID) -> HttpResponse:
    """Everything that the desk may do for one player."""
    shown = entries(tournament)
    line = shown.line_of(str(player_id))
    if line is None:
        raise Http404
    if request.method != "POST":
        return _player_page(request, shown, line)
    form, said = _answered(request, tournament, line)
    if form.errors:
        return _player_page(request, shown, line, form)
    messages.success(request, said)
    return HttpResponseRedirect(desk_url("desk_player", tournament, player_id))


def _answered(request: HttpRequest, tournament: Tournament, line: EntryLine) -> tuple[CommandForm, str]:
    """The form that was sent, and what it stored."""
    word = pressed(request.POST)
    if word == "terms":
        _require(request, tournament, Deed.TAKE_ENTRY)
        return saved_terms(request, tournament, line)
    form = FORMS.get(word, ActForm)(request.POST, notation=notation_of(tournament))
    if isinstance(form, ActForm):
        form.act = act_called(request, tournament, word)
    else:
        _require(request, tournament, form.deed)
    said = form.attempt(lambda: form.do(tournament, line, form.order(request))) if form.is_valid() else ""
    return form, said or ""


def entry_row(shown: Entries, line: EntryLine) -> dict[str, Any]:
    """A line with its amounts as the club writes them, and whom it is about besides."""
    notation = notation_of(shown.tournament)
    return {
        "line": line,
        "paid": money(line.entrant.paid_minor, *notation) if line.entrant.paid_minor else "",
        "due": money(line.due_minor, *notation) if line.due_minor else "",
        "unpaid": money(line.unpaid_minor, *notation) if line.unpaid_minor else "",
        "place_unpaid": money(others, *notation) if (others := line.place_unpaid_minor - line.unpaid_minor) > 0 else "",
        "by": shown.name_of(line.entrant.replaced_by),
        "plays_for": shown.name_of(line.entrant.plays_for),
    }


def _player_page(
    request: HttpRequest, shown: Entries, line: EntryLine, sent: CommandForm | None = None
) -> TemplateResponse:
    tournament, notation = shown.tournament, notation_of(shown.tournament)
    evening = shown.evening
    actor = actor_in(request)
    acts = offered(tournament, evening, line.player)
    can_be_replaced = not may_be_substituted(evening, line.player)
    may_take_entry = may(actor, Deed.TAKE_ENTRY, tournament.club_id)
    clashes = sent.shown_clashes() if isinstance(sent, TermsForm) else []
    context = {
        "row": entry_row(shown, line),
        "line": line,
        "acts": [_button(act, line, notation) for act in acts if may(actor, act.deed, tournament.club_id)],
        "may_substitute": can_be_replaced and may(actor, Deed.CHECK_IN, tournament.club_id),
        "may_take_back": _may_take_back(actor, shown, line),
        "standby": [other.name for other in shown.lines if other.is_waiting],
        "players": roster(tournament, 1).by_label if can_be_replaced else {},
        "policies": policies(evening),
        "form": sent,
        "forms": _forms(shown, line, sent),
        "terms": terms_form(tournament, evening, line.player, sent) if may_take_entry else None,
        "clashes": clashes,
        "is_open": not evening.is_closed,
        "covers": _covers(tournament, line, notation) if is_booked(evening) else "",
        "title": line.name,
    }
    status = 409 if clashes else 422 if sent else 200
    return evening_page(request, tournament, "desk_player", context, status=status)


def _forms(shown: Entries, line: EntryLine, sent: CommandForm | None) -> dict[str, CommandForm]:
    """The forms of the page: the sent one as it was sent. One form of amounts has three buttons."""
    notation = notation_of(shown.tournament)
    due = typed_minor(line.due_minor, *notation) if line.due_minor else ""
    taking = {"amount": due, "seen": line.entrant.paid_minor}
    fresh: dict[str, CommandForm] = {
        "act": ActForm(),
        "substitute": SubstituteForm(initial={"reason": "cannot go on"}),
        "unsubstitute": UnsubstituteForm(initial={"reason": "came back in time"}),
        "take": TakeForm(notation=notation, initial=taking),
    }
    fresh |= {word: sent for word, form in fresh.items() if sent and isinstance(sent, type(form))}
    label = gettext("Amount, %(currency)s") % {"currency": notation.currency}
    fresh["take"].fields["amount"].label = label
    return fresh


def _may_take_back(actor: Actor, shown: Entries, line: EntryLine) -> bool:
    """Somebody plays for this player who has not had a deal yet, as far as the evening knows."""
    may_check_in = may(actor, Deed.CHECK_IN, shown.tournament.club_id)
    return may_check_in and not substitution_stands(shown.evening, line.player)


def _covers(tournament: Tournament, line: EntryLine, notation: Notation) -> str:
    """What a player has in the club, where that and their credit cover what they have to pay."""
    held = money_of(tournament.club, tournament.currency, {line.player: line.name})[0]
    return money(held.balance_minor, *notation) if 0 < line.due_minor <= held.room_minor else ""


def _button(act: DeskAct, line: EntryLine, notation: Notation) -> dict[str, Any]:
    """A deed as a button; money says how much."""
    amounts = {"pay": line.due_minor, "give_back": line.entrant.paid_minor}
    amount = f" {money(amounts[act.name], *notation)}" if act.name in amounts else ""
    is_main = act.name in ("check_in", "pay", "promote", "arrived", "returned")
    return {"name": act.name, "text": f"{translate(act.button)}{amount}", "is_main": is_main}


def notation_of(tournament: Tournament) -> Notation:
    """How the club writes amounts."""
    return Notation(tournament.currency, tournament.club.locale)


def policies(evening: Evening) -> dict[str, str]:
    """What the plan says of late, leaving and substituted players, in words."""
    plan = evening.plan
    if plan is None:
        return {}
    late = gettext("taken up to round {late_until_round}; a late player {starts}").format(
        late_until_round=plan.late_until_round, starts=gettext(LATE[plan.late])
    )
    return {"late": late, "leaving": gettext(LEAVING[plan.leaving]), "substitute": gettext(SUBSTITUTE[plan.substitute])}


def act_called(request: HttpRequest, tournament: Tournament, name: str) -> DeskAct:
    """A deed by its word, if it is one and whoever asks may do it."""
    act = DESK_ACTS.get(name)
    if act is None:
        raise PermissionDenied
    _require(request, tournament, act.deed)
    return act


def _require(request: HttpRequest, tournament: Tournament, deed: Deed) -> None:
    if not may(actor_in(request), deed, tournament.club_id):
        raise PermissionDenied


def desk_url(page: str, tournament: Tournament, *words: object) -> str:
    """A page of the desk."""
    return reverse(f"admin:tournaments_tournament_{page}", args=[tournament.pk, *words])
