"""The cash desk's forms: each button writes one entry, in the API's format, so that one reader validates both.

Rules: docs/how-to/books.md, "The cash desk". Knows nothing of what may be written: the commands do.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.http import Http404
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from scoring.cash import pieces_of
from scoring.events import reading
from scoring.events.cash import MOST_PIECES
from scoring.events.table import Event
from scoring.messages import say
from scoring.money import TILL
from scoring.problems import EventNotAllowed, EventRejected, Problem, StaleTable, shown
from scoring.rules.table.entering import WHOLE_NUMBER
from tournaments.cash.commands import CashRecorded, Desk, let_owe, pay_out, write_at_desk
from tournaments.cash.queries import PlayerMoney, cash_up, labels_of, players_called
from tournaments.models import CashBook, Club
from tournaments.people.permissions import EVENT_PERMISSIONS
from tournaments.people.players import uuid_of
from tournaments.web.admin.base.command_fields import (
    AmountField,
    CarriedNumber,
    ReasonField,
    TextField,
    TicksField,
    WordField,
)
from tournaments.web.admin.base.command_forms import CommandForm
from tournaments.web.admin.cash.request import CashVisit

Raw = dict[str, Any]
T = TypeVar("T")
PIECE = "piece-"
FIELD = re.compile(rf"{PIECE}[1-9][0-9]{{0,9}}")
CARRIED = frozenset({"key", "line", "book"})
AMOUNT = gettext_noop("Amount, %(currency)s")
AMOUNT_TICKED = re.compile(r"[1-9][0-9]{0,17}")


class PlayerField(TextField):
    """A player, by the name that the list offers or by letters that match only one player."""

    club: Club

    def clean(self, value: Any) -> str | None:
        text = super().clean(value)
        if not text:
            return None
        labels = labels_of(self.club)
        players = [player for player, label in labels.items() if label == text] or list(players_called(self.club, text))
        if len(players) == 1:
            return players[0]
        detail = (
            gettext("{count} players match: type more of the name").format(count=len(players))
            if players
            else gettext("no player found")
        )
        raise ValidationError(f"{shown(text)}: {detail}", code="unknown_player")


class PieceField(TextField):
    """How many of one note or coin; an empty field is 0."""

    def clean(self, value: Any) -> int:
        text = super().clean(value)
        if not text or (WHOLE_NUMBER.fullmatch(text) and 0 <= int(text) <= MOST_PIECES):
            return int(text or 0)
        detail = gettext("{name}: {text} is not a number of notes or coins").format(name=self.label, text=shown(text))
        raise ValidationError(detail, code="not_a_number")


class CashForm(CommandForm):
    """One entry of the cash book. `called` names the fields that have another name in the event."""

    kind = ""
    called: Mapping[str, str] = {"amount_minor": "amount"}

    line = CarriedNumber()
    book = WordField()

    def __init__(self, *args: Any, visit: CashVisit, **how: Any) -> None:
        super().__init__(*args, notation=visit.notation, **how)
        self.visit = visit
        for field in self.fields.values():
            if isinstance(field, AmountField):
                field.label = gettext(str(field.label)) % {"currency": visit.currency}
            elif isinstance(field, PlayerField):
                field.club = visit.club

    @property
    def desk(self) -> Desk:
        """The desk as the form showed it."""
        cleaned, visit = self.read, self.visit
        book = self._sent_book(cleaned["book"])
        return Desk(club=visit.club.pk, currency=visit.currency, actor=visit.actor, book=book, seen=cleaned["line"])

    def raw(self) -> Raw:
        """The entry as typed; an empty amount or player is left out."""
        names = {name: event_field for event_field, name in self.called.items()}
        typed_values = {name: value for name, value in self.read.items() if name not in CARRIED and value is not None}
        return {"kind": self.kind, **{names.get(name, name): value for name, value in typed_values.items()}}

    def write(self, **about: object) -> CashRecorded | None:
        """Write the entry. If refused, all problems are in `errors`, nothing was done, and the result is None."""
        self.visit.require(EVENT_PERMISSIONS[self.kind])
        return self.attempt(
            lambda: write_at_desk(
                self.desk, self._event({**about, **self.raw()}), context=self.command_context(self.visit.request)
            )
        )

    def attempt(self, command: Callable[[], T], names: Mapping[str, str] | None = None) -> T | None:
        try:
            return super().attempt(command, names)
        except StaleTable:
            text = gettext("someone else changed this: check and try again")
            self.add_error(None, ValidationError(text, code="written_meanwhile"))
        return None

    def _event(self, raw: Raw) -> Event:
        """The event; fields that could not be read are not also reported as missing. Raises EventRejected."""
        try:
            event = reading.read_cash_event(raw)
        except EventRejected as refused:
            failed_fields = self.errors.keys()
            others = [
                problem
                for problem in refused.problems
                if self.called.get(problem.field or "", problem.field) not in failed_fields
            ]
            raise EventRejected(others) from refused
        if self.errors:
            raise EventRejected(())
        return event

    def _sent_book(self, text: str) -> UUID | None:
        try:
            book = UUID(text) if text else None
        except ValueError:
            raise Http404 from None
        books = CashBook.objects.filter(club=self.visit.club, currency=self.visit.currency)
        if book and not books.filter(pk=book).exists():
            raise Http404
        return book


class OpenTillForm(CashForm):
    """Open the user's own till, with its opening float."""

    kind = "till_opened"
    called = {"float_minor": "float"}

    float = AmountField(label=gettext_noop("Opening float, %(currency)s"), least=0, required=False)
    source = WordField()


class UndoForm(CashForm):
    """Undo an entry."""

    kind = "cash_deed_undone"

    reason = ReasonField(label=gettext_lazy("Reason"))


class PlacedForm(CashForm):
    """Money that goes through the user's own till, unless another place was chosen."""

    amount = AmountField(label=AMOUNT)
    place = WordField()

    def raw(self) -> Raw:
        raw = super().raw()
        return {**raw, "place": raw["place"] or TILL + self.visit.actor.name}


class TakeForm(PlacedForm):
    """A player pays in, or another player pays for them."""

    kind = "money_received"

    payer = PlayerField(label=gettext_lazy("Paid by someone else"), required=False)


class PayOutForm(PlacedForm):
    """Pay a player out."""

    kind = "money_paid_out"


class TransferForm(CashForm):
    """A player pays for another one."""

    kind = "money_transferred"

    to = PlayerField(label=gettext_lazy("For whom"), required=False)
    amount = AmountField(label=AMOUNT)
    reason = ReasonField(label=gettext_lazy("Reason"))

    def clean_to(self) -> str:
        """The player whom the money is for."""
        if not self.cleaned_data["to"]:
            raise ValidationError(gettext("choose who it is for"), code="unknown_player")
        return str(self.cleaned_data["to"])


class CreditForm(CashForm):
    """Set a player's credit limit."""

    kind = "credit_granted"
    called = {"limit_minor": "amount"}

    amount = AmountField(label=gettext_noop("Credit limit, %(currency)s"), least=0)
    reason = ReasonField(label=gettext_lazy("Reason"))


class WriteOffForm(CashForm):
    """Write off a player's debt."""

    kind = "debt_written_off"

    amount = AmountField(label=gettext_noop("Amount to write off, %(currency)s"))
    reason = ReasonField(label=gettext_lazy("Reason"))


class CountForm(CashForm):
    """Count a till by its notes and coins."""

    kind = "till_counted"

    other = AmountField(label=gettext_lazy("Other note or coin"), required=False)
    others = PieceField(label=gettext_lazy("other note or coin"), required=False)

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        # The value of another note or coin needs a number, and the other way round.
        self.fields["other"].required = bool(self.data.get("others"))
        self.fields["others"].required = bool(self.data.get("other"))
        usual = pieces_of(self.visit.currency)
        denominations = {int(name.removeprefix(PIECE)) for name in (*self.data, *self.initial) if FIELD.fullmatch(name)}
        for minor in (*usual, *sorted(denominations - {*usual}, reverse=True)):
            self.fields[f"{PIECE}{minor}"] = PieceField(label=self.visit.money(minor), required=False)

    @property
    def pieces(self) -> dict[str, int]:
        """How many there are of each denomination."""
        cleaned = self.read
        counts = Counter(
            {name.removeprefix(PIECE): number for name, number in cleaned.items() if name.startswith(PIECE)}
        )
        counts[str(cleaned.get("other") or "")] += cleaned.get("others", 0)
        return {worth: number for worth, number in counts.items() if worth and number}

    def raw(self) -> Raw:
        # An empty till is counted too: with 0 of one denomination. A sheet without a number is refused.
        numbers = [self.data.get(name, "") for name in self.fields if name == "others" or FIELD.fullmatch(name)]
        nothing = {str(pieces_of(self.visit.currency)[-1]): 0} if any(number.strip() for number in numbers) else {}
        return {"kind": self.kind, "pieces": self.pieces or nothing}

    def rows(self) -> Iterator[tuple[int, forms.BoundField]]:
        """The field of each denomination, with its value in minor units."""
        for name in self.fields:
            if FIELD.fullmatch(name):
                yield int(name.removeprefix(PIECE)), self[name]


class SumForm(CountForm):
    """The same notes and coins, only added up."""


class DifferenceForm(CashForm):
    """Book the difference of a count, as the user was shown it."""

    kind = "till_difference_booked"
    called = {"amount_minor": "difference"}

    difference = CarriedNumber(most_digits=15)
    reason = ReasonField(label=gettext_lazy("Reason for difference"))


class CloseTillForm(CashForm):
    """Close a till, and move its money to another place."""

    kind = "till_closed"

    target = WordField()


class MoveForm(CashForm):
    """Move money from one place to another."""

    kind = "money_moved"

    source = WordField()
    target = WordField()
    amount = AmountField(label=AMOUNT)
    reason = ReasonField(label=gettext_lazy("Reason"))

    def clean_reason(self) -> str | None:
        """An optional reason."""
        return self.cleaned_data["reason"] or None


class LetOweForm(CashForm):
    """Allow the ticked players to owe what was shown beside their names; one reason for all of them."""

    kind = "credit_granted"

    owes = TicksField()
    credit_reason = ReasonField(label=gettext_lazy("Reason"))

    def let_owe(self) -> int:
        """Set the credit limits; returns for how many players."""
        self.visit.require(EVENT_PERMISSIONS[self.kind])
        ticked, debtors_by_tick = (
            set(self.read["owes"]),
            {tick_of(debtor): debtor for debtor in cash_up(self.visit.desk).debtors},
        )
        if ticked - debtors_by_tick.keys():
            detail = say("balances have changed: check and try again")
            raise EventNotAllowed([Problem(code="written_meanwhile", field="owes", detail=detail)])
        owed = {debtors_by_tick[tick].player: -debtors_by_tick[tick].balance_minor for tick in ticked}
        let_owe(self.desk, owed, self.read.get("credit_reason", ""), context=self.command_context(self.visit.request))
        return len(owed)


class PayOutTickedForm(CashForm):
    """Pay the ticked players what was shown beside their names, out of the user's own till."""

    kind = "money_paid_out"

    payees = TicksField()

    def pay_out(self) -> dict[str, int]:
        """Pay them; returns the amount of each in minor units, by player."""
        self.visit.require(EVENT_PERMISSIONS[self.kind])
        ticked = [text.rpartition(":") for text in self.read["payees"]]
        if not all(uuid_of(player) and AMOUNT_TICKED.fullmatch(amount) for player, _, amount in ticked):
            raise EventNotAllowed([Problem(code="unknown_player", field="payees", detail=say("choose who is paid"))])
        amounts = {player: int(amount) for player, _, amount in ticked}
        place = TILL + self.visit.actor.name
        pay_out(self.desk, amounts, place, context=self.command_context(self.visit.request))
        return amounts


class CloseBookForm(CashForm):
    """Close the cash book."""

    kind = "cash_book_closed"


def tick_of(held: PlayerMoney) -> str:
    """The value of a player's checkbox: the player, and the debt or what is to be paid out, in minor units."""
    return f"{held.player}:{abs(held.balance_minor)}"


# The forms of each page, by their button's value.
OF_PLAYER: Mapping[str, type[CashForm]] = {
    "take": TakeForm,
    "pay_out": PayOutForm,
    "transfer": TransferForm,
    "credit": CreditForm,
    "write_off": WriteOffForm,
}
OF_TILL: Mapping[str, type[CashForm]] = {
    "count": CountForm,
    "sum": SumForm,
    "difference": DifferenceForm,
    "close": CloseTillForm,
}
BOOK_FORMS: Mapping[str, type[CashForm]] = {"move": MoveForm, "let_owe": LetOweForm, "close": CloseBookForm}
