"""Side pots, and the arithmetic of prizes and side pots, line by line.

Rules: docs/rules/tournaments.md, "Prizes" and "Side pots". The winners are entered by the director. Knows nothing of
accounts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from scoring.messages import Message, say, say_many
from scoring.money.formatting import Notation
from scoring.money.payouts import divide
from scoring.money.reasons import HUNDRED_PERCENT, Reason
from scoring.tournament.plans.prizes import SidePot
from scoring.tournament.state.fees import Entries


class Share(msgspec.Struct, frozen=True):
    """A part of a shared amount, and what is left over besides."""

    weight: int
    whole: int
    rest: int
    over: int = 0

    def __str__(self) -> str:
        over = f" and {self.over} left over" if self.over else ""
        return f"{self.weight} of {self.whole} shares of {self.rest}{over}"

    def message(self, amount: str, notation: Notation) -> Message:
        rest, leftover_amount, rate = (
            notation.money(self.rest),
            notation.money(self.over),
            notation.percent(self.weight),
        )
        match self.whole == HUNDRED_PERCENT, bool(self.over):
            case True, False:
                return say("{rate} of {rest} is {sum}", rate=rate, rest=rest, sum=amount)
            case True, True:
                return say(
                    "{rate} of {rest} and {left} left over is {sum}",
                    rate=rate,
                    rest=rest,
                    left=leftover_amount,
                    sum=amount,
                )
            case False, False:
                return say(
                    "{number} of {of} shares of {rest} is {sum}",
                    number=self.weight,
                    of=self.whole,
                    rest=rest,
                    sum=amount,
                )
        return say(
            "{number} of {of} shares of {rest} and {left} left over is {sum}",
            number=self.weight,
            of=self.whole,
            rest=rest,
            left=leftover_amount,
            sum=amount,
        )


class PrizeParts(msgspec.Struct, frozen=True):
    """The parts of a place's prize: a fixed amount, with what was promised where that was more, and a share."""

    fixed: int | None = None
    promised: int | None = None
    share: Share | None = None

    def __str__(self) -> str:
        of = "" if self.promised is None else f" of {self.promised}"
        fixed = None if self.fixed is None else f"{self.fixed}{of} fixed"
        return " and ".join(str(part) for part in (fixed, self.share) if part is not None)

    def message(self, amount_minor: int, notation: Notation) -> Message:
        amount, fixed = notation.money(amount_minor), notation.money(self.fixed or 0)
        share = None if self.share is None else self.share.message(amount, notation)
        if self.fixed is None and share is not None:
            return share
        if self.promised is None:
            if share is None:
                return say("{amount} fixed", amount=fixed)
            return say("{amount} fixed and {why}", amount=fixed, why=share)
        promised = notation.money(self.promised)
        if share is None:
            return say("{amount} of {promised} fixed is {sum}", amount=fixed, promised=promised, sum=amount)
        return say("{amount} of {promised} fixed and {why}", amount=fixed, promised=promised, why=share)


class PlacePrize(Reason, frozen=True):
    """How the prize of one place is calculated."""

    where: Message | None
    place: int
    line: PrizeParts
    amount: int

    def __str__(self) -> str:
        where = "" if self.where is None else f"{self.where}, "
        return f"{where}place {self.place}: {self.line} is {self.amount}"

    def message(self, notation: Notation) -> Message:
        why = self.line.message(self.amount, notation)
        if self.where is None:
            return say("place {place}: {why}", place=self.place, why=why)
        return say("{where}, place {place}: {why}", where=self.where, place=self.place, why=why)


class TiedPrizes(Reason, frozen=True):
    """How tied players divide their prizes."""

    where: Message | None
    first: int
    last: int
    total: int
    to_first: bool

    @property
    def heirs(self) -> int:
        return self.last - self.first + 1

    def __str__(self) -> str:
        part, leftover_minor = divmod(self.total, self.heirs)
        owner = "to the first place" if self.to_first else "by the order of seats"
        over = f", {leftover_minor} left over {owner}" if leftover_minor else ""
        where = "" if self.where is None else f"{self.where}, "
        return f"{where}places {self.first} to {self.last}: {self.total} for {self.heirs} is {part} each{over}"

    def message(self, notation: Notation) -> Message:
        first, last, why = self.first, self.last, self._divided(notation)
        if self.where is None:
            return say("places {first} to {last}: {why}", first=first, last=last, why=why)
        return say("{where}, places {first} to {last}: {why}", where=self.where, first=first, last=last, why=why)

    def _divided(self, notation: Notation) -> Message:
        total, heirs = notation.money(self.total), self.heirs
        part, leftover_amount = (notation.money(amount) for amount in divmod(self.total, heirs))
        if not self.total % heirs:
            return say("{sum} for {number} is {part} each", sum=total, number=heirs, part=part)
        if self.to_first:
            return say(
                "{sum} for {number} is {part} each, {left} left over to the first place",
                sum=total,
                number=heirs,
                part=part,
                left=leftover_amount,
            )
        return say(
            "{sum} for {number} is {part} each, {left} left over by the order of seats",
            sum=total,
            number=heirs,
            part=part,
            left=leftover_amount,
        )


class PotMade(Reason, frozen=True):
    """What was paid into a side pot, and what had been carried into it."""

    pot: str
    players: int
    paid: int
    brought: int

    def __str__(self) -> str:
        total = self.paid + self.brought
        return f"side pot {self.pot}: {self.players} players paid {self.paid} in, {self.brought} was there, {total}"

    def message(self, notation: Notation) -> Message:
        paid = notation.money(self.paid)
        if not self.brought:
            return say_many(
                "{pot}: {count} player paid {paid} in",
                "{pot}: {count} players paid {paid} in",
                pot=self.pot,
                count=self.players,
                paid=paid,
            )
        return say_many(
            "{pot}: {count} player paid {paid} in, {brought} was there: {sum}",
            "{pot}: {count} players paid {paid} in, {brought} was there: {sum}",
            pot=self.pot,
            count=self.players,
            paid=paid,
            brought=notation.money(self.brought),
            sum=notation.money(self.paid + self.brought),
        )


class PotWon(Reason, frozen=True):
    """Who gets a side pot."""

    pot: str
    total: int
    winners: int

    def __str__(self) -> str:
        return f"side pot {self.pot}: {self.total} to {self.winners} of the players"

    def message(self, notation: Notation) -> Message:
        total = notation.money(self.total)
        if self.winners == 1:
            return say("{pot}: {sum} to one player", pot=self.pot, sum=total)
        return say("{pot}: {sum} to {number} players in equal parts", pot=self.pot, sum=total, number=self.winners)


class PotLeft(Reason, frozen=True):
    """Where a side pot goes that no one has won."""

    pot: str
    total: int
    to_prizes: bool

    def __str__(self) -> str:
        goes = "added to the prizes" if self.to_prizes else "carried to the next night"
        return f"side pot {self.pot}: {self.total} {goes}"

    def message(self, notation: Notation) -> Message:
        total = notation.money(self.total)
        if self.to_prizes:
            return say("{pot}: {sum} added to the prizes", pot=self.pot, sum=total)
        return say("{pot}: {sum} carried to the next tournament", pot=self.pot, sum=total)


@dataclass(frozen=True, slots=True, kw_only=True)
class PotSheet:
    """One side pot. Its contributions and the amount carried over are won, added to the prizes, or carried on."""

    name: str
    paid_minor: int
    brought_minor: int
    awards: Mapping[str, int]
    to_prizes_minor: int
    because: tuple[Reason, ...]

    @property
    def total_minor(self) -> int:
        return self.paid_minor + self.brought_minor

    @property
    def carried_minor(self) -> int:
        """The amount carried on after the night."""
        return self.total_minor - sum(self.awards.values()) - self.to_prizes_minor

    @property
    def is_won(self) -> bool:
        return bool(self.awards)


def pot_sheets(pots: Sequence[SidePot], entries: Entries, won: Mapping[str, tuple[str, ...]]) -> tuple[PotSheet, ...]:
    """Every side pot of a plan. Several winners divide it; a unit left over goes to the one named first."""
    return tuple(_sheet(pot, entries.paid_into(pot.name), won.get(pot.name, ())) for pot in pots)


def _sheet(pot: SidePot, paid: Sequence[int], winners: Sequence[str]) -> PotSheet:
    total = sum(paid) + pot.carried_minor
    awards = {player: part for player, part in divide(total, winners).items() if part} if winners else {}
    goes_in = total if pot.unwon == "prizes" and not winners else 0
    because: list[Reason] = [PotMade(pot.name, len(paid), sum(paid), pot.carried_minor)]
    if winners:
        because.append(PotWon(pot.name, total, len(winners)))
    elif total:
        because.append(PotLeft(pot.name, total, bool(goes_in)))
    return PotSheet(
        name=pot.name,
        paid_minor=sum(paid),
        brought_minor=pot.carried_minor,
        awards=awards,
        to_prizes_minor=goes_in,
        because=tuple(because),
    )
