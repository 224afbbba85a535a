"""The arithmetic of a payout, line by line: as stored in the books, and as users read it.

Rules: docs/rules/points.md, "Money". `str()` of a line is the text of a memo, in minor units and byte for byte;
`message` is a message with amounts and percents in the club's notation, and empty where there is nothing to show.
"""

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from scoring.messages import Message, Seat, say, say_many
from scoring.money.formatting import DEFAULT_LOCALE, Notation

HUNDRED_PERCENT = 10_000
# The name of a levy to which the club has given none.
UNNAMED = "levy"


class Reason(msgspec.Struct, frozen=True):
    """One line of arithmetic."""

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def message(self, notation: Notation) -> Message | None: ...


def reasons(because: Iterable[Reason], currency: str, locale: str = DEFAULT_LOCALE) -> tuple[Message, ...]:
    """The lines of a payout as users read them."""
    lines, notation = list(because), Notation(currency, locale)
    parts = [line for line in lines if isinstance(line, EqualPart)]
    if len(parts) == 1:
        # With one receiver there is nothing to divide.
        lines = [Takes(line.seat, line.part) if isinstance(line, EqualPart) else line for line in lines]
    return tuple(message for line in lines if (message := line.message(notation)) is not None)


def part_reasons(parts: Mapping[str, int]) -> tuple[Reason, ...]:
    """A line for each seat of several that divide an amount; none where one takes all of it."""
    return tuple(EqualPart(seat, part) for seat, part in parts.items()) if len(parts) > 1 else ()


class Made(Reason, frozen=True):
    """A number of items at a price each. `rejoins` is None where rejoining is not possible."""

    count: int
    of: Literal["entries", "points", "chips"]
    each: int
    deal: int = 0
    rejoins: int | None = None

    @property
    def total(self) -> int:
        return (self.count + (self.rejoins or 0)) * self.each

    def __str__(self) -> str:
        deal = f"deal {self.deal}: " if self.deal else ""
        rejoins = "" if self.rejoins is None else f" and {self.rejoins} rejoins"
        return f"{deal}{self.count} {self.of}{rejoins} of {self.each} make {self.total}"

    def message(self, notation: Notation) -> Message:
        unit_amount, total = notation.money(self.each), notation.money(self.total)
        if self.deal:
            return say(
                "Deal {deal}: {what} of {each} make {sum}", deal=self.deal, what=self._what, each=unit_amount, sum=total
            )
        return say("{what} of {each} make {sum}", what=self._what, each=unit_amount, sum=total)

    @property
    def _what(self) -> Message:
        match self.of:
            case "points":
                return say_many("{count} point", "{count} points", count=self.count)
            case "chips":
                return say_many("{count} chip", "{count} chips", count=self.count)
        entries = say_many("{count} entry", "{count} entries", count=self.count)
        if not self.rejoins:
            return entries
        return say_many("{what} and {count} rejoin", "{what} and {count} rejoins", what=entries, count=self.rejoins)


class FeeTaken(Reason, frozen=True):
    """The house fee within its limits."""

    basis_points: int
    of: int
    floor: int | None
    cap: int | None
    fee: int

    def __str__(self) -> str:
        floor = "" if self.floor is None else f", at least {self.floor}"
        cap = "" if self.cap is None else f", at most {self.cap}"
        return f"fee {self.basis_points} basis points of {self.of}{floor}{cap} is {self.fee}"

    def message(self, notation: Notation) -> Message | None:
        if not (self.basis_points or self.fee):
            return None
        rate, of, fee = notation.percent(self.basis_points), notation.money(self.of), notation.money(self.fee)
        floor, cap = (notation.money(bound or 0) for bound in (self.floor, self.cap))
        match self.floor, self.cap:
            case None, None:
                return say("House fee: {rate} of {sum} is {fee}", rate=rate, sum=of, fee=fee)
            case _, None:
                return say(
                    "House fee: {rate} of {sum}, at least {floor}, is {fee}", rate=rate, sum=of, floor=floor, fee=fee
                )
            case None, _:
                return say("House fee: {rate} of {sum}, at most {cap}, is {fee}", rate=rate, sum=of, cap=cap, fee=fee)
        return say(
            "House fee: {rate} of {sum}, at least {floor}, at most {cap}, is {fee}",
            rate=rate,
            sum=of,
            floor=floor,
            cap=cap,
            fee=fee,
        )


class LevyTaken(Reason, frozen=True):
    """What is passed on beside the fee."""

    name: str
    basis_points: int
    of: int
    most: int | None
    levy: int

    def __str__(self) -> str:
        most = "" if self.most is None else f", at most {self.most}"
        return f"{self.name}: {self.basis_points} basis points of {self.of}{most} is {self.levy}"

    def message(self, notation: Notation) -> Message:
        rate, of, levy = notation.percent(self.basis_points), notation.money(self.of), notation.money(self.levy)
        name = say("Levy") if self.name == UNNAMED else self.name[:1].upper() + self.name[1:]
        if self.most is None:
            return say("{levy}: {rate} of {sum} is {amount}", levy=name, rate=rate, sum=of, amount=levy)
        most = notation.money(self.most)
        return say(
            "{levy}: {rate} of {sum}, at most {cap}, is {amount}", levy=name, rate=rate, sum=of, cap=most, amount=levy
        )


class Times(Reason, frozen=True):
    """The same line for each of several entries."""

    times: int
    line: Reason

    def __str__(self) -> str:
        return f"{self.times} times: {self.line}"

    def message(self, notation: Notation) -> Message | None:
        message = self.line.message(notation)
        return (
            message
            if message is None or self.times == 1
            else say("{number} times: {why}", number=self.times, why=message)
        )


class SecondPrize(Reason, frozen=True):
    """The second place's part of the prizes."""

    basis_points: int
    of: int
    prize: int

    def __str__(self) -> str:
        return f"second prize {self.basis_points} of {HUNDRED_PERCENT} of {self.of} is {self.prize}"

    def message(self, notation: Notation) -> Message | None:
        if not self.basis_points:
            return None
        return say(
            "Second prize: {rate} of {sum} is {prize}",
            rate=notation.percent(self.basis_points),
            sum=notation.money(self.of),
            prize=notation.money(self.prize),
        )


class EqualPart(Reason, frozen=True):
    """The part of one of several receivers; `ahead` is for drops that it had left, where these are paid."""

    seat: str
    part: int
    ahead: int | None = None

    def __str__(self) -> str:
        ahead = "" if self.ahead is None else f"{self.ahead} for drops left and "
        return f"seat {self.seat}: {ahead}{self.part} as an equal part"

    def message(self, notation: Notation) -> Message:
        seat, part = Seat(self.seat), notation.money(self.part)
        if not self.ahead:
            return say("{seat}: {part} as an equal part", seat=seat, part=part)
        return say(
            "{seat}: {ahead} for drops left and {part} as an equal part",
            seat=seat,
            ahead=notation.money(self.ahead),
            part=part,
        )


class Takes(Reason, frozen=True):
    """The part of the only receiver. No memo has such a line."""

    seat: str
    part: int

    def __str__(self) -> str:
        return f"seat {self.seat}: {self.part}"

    def message(self, notation: Notation) -> Message:
        return say("{seat} takes {what}", seat=Seat(self.seat), what=notation.money(self.part))


class ChipsKept(Reason, frozen=True):
    """Chips that the house keeps, because they could not be divided."""

    chips: int

    def __str__(self) -> str:
        return f"the house keeps {self.chips} chips that could not be divided"

    def message(self, notation: Notation) -> Message:
        return say("The house keeps {number} chips that could not be divided", number=self.chips)


class Kept(Reason, frozen=True):
    """The rest after fixed prizes, which the club keeps."""

    kept: int
    pool: int

    def __str__(self) -> str:
        return f"{self.kept} of {self.pool} stay with the club"

    def message(self, notation: Notation) -> Message:
        kept_amount, pool = notation.money(self.kept), notation.money(self.pool)
        return say("{kept} of {sum} stay with the club", kept=kept_amount, sum=pool)


class ClubAdds(Reason, frozen=True):
    """The amount that prizes need beyond what was paid in."""

    kind: Literal["fixed", "guaranteed"]
    promised: int
    added: int

    def __str__(self) -> str:
        return f"{self.kind} prizes of {self.promised}: the club adds {self.added}"

    def message(self, notation: Notation) -> Message:
        promised, added = notation.money(self.promised), notation.money(self.added)
        if self.kind == "fixed":
            return say("Fixed prizes of {promised}: the club adds {added}", promised=promised, added=added)
        return say("Guaranteed prizes of {promised}: the club adds {added}", promised=promised, added=added)


class ScaledDown(Reason, frozen=True):
    """Fixed prizes that exceed the pool."""

    promised: int
    pool: int

    def __str__(self) -> str:
        return f"fixed prizes of {self.promised} are scaled down to {self.pool}"

    def message(self, notation: Notation) -> Message:
        promised, pool = notation.money(self.promised), notation.money(self.pool)
        return say("Fixed prizes of {promised} are scaled down to {sum}", promised=promised, sum=pool)
