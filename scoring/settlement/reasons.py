"""The arithmetic of a payout as people read it: in units of the currency, percents, and without lines about nothing.

Variants explain a payout in whole minor units (`because`), which is what the books keep; this puts the same lines
into words for pages and receipts. A line that it does not know stays as it is. Knows nothing of pages.
"""

import re
from collections.abc import Callable, Iterable

from scoring.settlement.amounts import format_minor

# Only where the sign means one currency and no other.
SIGNS = {"INR": "₹", "EUR": "€", "GBP": "£"}
MINUS = "−"

_Said = Callable[[re.Match[str], str], str | None]


def money(amount_minor: int, currency: str) -> str:
    """An amount with its currency, as it is printed: ₹264.00, −₹20.00, 12.50 CHF."""
    digits = format_minor(abs(amount_minor), currency)
    sign = MINUS if amount_minor < 0 else ""
    return f"{sign}{SIGNS[currency]}{digits}" if currency in SIGNS else f"{sign}{digits}\u00a0{currency}"


def percent(basis_points: int) -> str:
    """Basis points as percent: 1000 is 10 %, 1250 is 12.5 %."""
    whole, rest = divmod(basis_points, 100)
    decimals = f".{rest:02d}".rstrip("0") if rest else ""
    return f"{whole}{decimals}\u00a0%"


def reasons(because: Iterable[str], currency: str) -> tuple[str, ...]:
    """The lines of a payout in words, with `{1}`, `{2}`, ... where a seat's name belongs."""
    lines = list(because)
    parts = sum(_PART.fullmatch(line) is not None for line in lines)
    said = (_whole(line, currency) if parts == 1 else _said(line, currency) for line in lines)
    return tuple(line for line in said if line is not None)


def _whole(line: str, currency: str) -> str | None:
    """With one heir there is nothing to divide."""
    found = _PART.fullmatch(line)
    return f"{{{found['seat']}}} takes {money(int(found['part']), currency)}" if found else _said(line, currency)


def _said(line: str, currency: str) -> str | None:
    for pattern, say in _KNOWN:
        if found := pattern.fullmatch(line):
            return say(found, currency)
    return line


def _made(found: re.Match[str], currency: str) -> str:
    what = found["what"].replace(" and 0 rejoins", "").replace(" 1 rejoins", " 1 rejoin")
    what = what[:1].upper() + what[1:]
    return f"{what} of {money(int(found['each']), currency)} make {money(int(found['sum']), currency)}"


def _fee(found: re.Match[str], currency: str) -> str | None:
    if found["bp"] == "0":
        return None
    of, fee = money(int(found["of"]), currency), money(int(found["fee"]), currency)
    return f"House fee: {percent(int(found['bp']))} of {of} is {fee}"


def _second(found: re.Match[str], currency: str) -> str | None:
    if found["bp"] == "0":
        return None
    of, prize = money(int(found["of"]), currency), money(int(found["prize"]), currency)
    return f"Second prize: {percent(int(found['bp']))} of {of} is {prize}"


def _part(found: re.Match[str], currency: str) -> str:
    part = f"{money(int(found['part']), currency)} as an equal part"
    if found["ahead"] == "0":
        return f"{{{found['seat']}}}: {part}"
    return f"{{{found['seat']}}}: {money(int(found['ahead']), currency)} for drops left and {part}"


_PART = re.compile(r"seat (?P<seat>\w+): (?P<ahead>\d+) for drops left and (?P<part>\d+) as an equal part")
_KNOWN: tuple[tuple[re.Pattern[str], _Said], ...] = (
    (re.compile(r"fee (?P<bp>\d+) basis points of (?P<of>\d+) is (?P<fee>\d+)"), _fee),
    (re.compile(r"second prize (?P<bp>\d+) of 10000 of (?P<of>\d+) is (?P<prize>\d+)"), _second),
    (_PART, _part),
    (re.compile(r"(?P<what>.+) of (?P<each>\d+) make (?P<sum>\d+)"), _made),
)
