"""The cash desk's forms, read into the facts that they say: amounts, places, players by name, pieces of money.

Rules: docs/how-to/books.md, "The cash desk". A fact is told as the API tells it, so that one reader refuses both. Knows
nothing of what may be written.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext

from scoring.facts.cash import MOST_PIECES
from scoring.money.entries import TILL
from scoring.money.payouts import MOST_MINOR
from scoring.problems import Problem, shown
from tournaments.cash.queries import labels_of, players_called
from tournaments.web.admin.base.fields import read_amount
from tournaments.web.admin.base.typed_events import read_number
from tournaments.web.admin.cash.request import CashVisit

Raw = dict[str, Any]
PIECE = "piece-"
FIELD = re.compile(rf"{PIECE}[1-9][0-9]{{0,9}}")


@dataclass(frozen=True, slots=True)
class Typed:
    """What stands in a form; what cannot be read is gathered, to be told with everything else."""

    visit: CashVisit
    unread: list[Problem] = field(default_factory=list)

    def amount(self, name: str = "amount", *, is_optional: bool = False) -> int | None:
        """An amount as people of the club's place write it; None where it is none."""
        text = self.visit.typed(name)
        if is_optional and not text:
            return None
        before = len(self.unread)
        amount = read_amount(text, self.visit.notation, name, self.unread)
        if amount > MOST_MINOR:
            most = gettext("an amount is at most {most}").format(most=self.visit.money(MOST_MINOR))
            self.unread.append(Problem(code="not_an_amount", field=name, detail=most))
        return amount if len(self.unread) == before else None

    def above_nought(self, name: str = "amount") -> Raw:
        """An amount that is more than nothing, as the field of a fact."""
        amount = self.amount(name)
        if amount == 0:
            self.unread.append(
                Problem(code="not_an_amount", field=name, detail=gettext("the amount is more than nothing"))
            )
        return {} if not amount else {f"{name}_minor": amount}

    def place(self) -> str:
        """One's own till, unless another place was chosen."""
        return self.visit.typed("place") or TILL + self.visit.actor.name

    def player(self, name: str) -> Raw:
        """A player by the name that the list offers, or by letters that only one bears."""
        text = self.visit.typed(name)
        if not text:
            return {}
        labels = labels_of(self.visit.club)
        found = [player for player, label in labels.items() if label == text] or list(
            players_called(self.visit.club, text)
        )
        if len(found) == 1:
            return {name: found[0]}
        said = (
            gettext("{count} players are called so: write more of it").format(count=len(found))
            if found
            else gettext("nobody of the club is called so")
        )
        self.unread.append(Problem(code="unknown_player", field=name, detail=f"{shown(text)}: {said}"))
        return {}

    def reason(self, *, is_optional: bool = False) -> Raw:
        """Why; what nobody has to say may be left empty."""
        text = self.visit.typed("reason")
        return {} if is_optional and not text else {"reason": text}

    def pieces(self) -> dict[str, int]:
        """How many of each denomination; an empty field is none."""
        found: dict[str, int] = {}
        for name in self.visit.request.POST:
            text = self.visit.typed(name)
            if FIELD.fullmatch(name) and text:
                self._add(found, name.removeprefix(PIECE), self._number(text, name))
        self._add(found, *self._other_piece())
        return found

    def _other_piece(self) -> tuple[str, int]:
        """A note or coin that is not in the list."""
        text, number = self.visit.typed("other"), self.visit.typed("others")
        if not text and not number:
            return "", 0
        worth = self.above_nought("other")
        return str(worth.get("other_minor", "")), self._number(number, "others")

    def _number(self, text: str, name: str) -> int:
        number, problems = read_number(text, name)
        if problems or not 0 <= number <= MOST_PIECES:
            told = gettext("{name}: {text} is not a number of pieces").format(name=self._piece(name), text=shown(text))
            self.unread.append(Problem(code="not_a_number", field=name, detail=told))
            return 0
        return number

    def _piece(self, name: str) -> str:
        denomination = name.removeprefix(PIECE)
        return self.visit.money(int(denomination)) if denomination != name else gettext("another piece")

    @staticmethod
    def _add(found: dict[str, int], denomination: str, number: int) -> None:
        if number and denomination:
            found[denomination] = found.get(denomination, 0) + number


def _take(typed: Typed) -> Raw:
    return {"kind": "money_received", **typed.above_nought(), **typed.player("payer"), "place": typed.place()}


def _pay_out(typed: Typed) -> Raw:
    return {"kind": "money_paid_out", **typed.above_nought(), "place": typed.place()}


def _transfer(typed: Typed) -> Raw:
    if not typed.visit.typed("to"):
        typed.unread.append(Problem(code="unknown_player", field="to", detail=gettext("say for whom it is")))
    return {"kind": "money_transferred", **typed.above_nought(), **typed.player("to"), **typed.reason()}


def _credit(typed: Typed) -> Raw:
    # The limit has another name in the fact than in the form: what could not be read is not also missing.
    return {"kind": "credit_granted", "limit_minor": typed.amount() or 0, **typed.reason()}


def _write_off(typed: Typed) -> Raw:
    return {"kind": "debt_written_off", **typed.above_nought(), **typed.reason()}


# The forms of a player's page, by the word of their button.
FORMS: Mapping[str, Callable[[Typed], Raw]] = {
    "take": _take,
    "pay_out": _pay_out,
    "transfer": _transfer,
    "credit": _credit,
    "write_off": _write_off,
}
