"""The arithmetic of a payout as people read it: in units of the currency, percents, and without lines about nothing.

Variants explain a payout in whole minor units (`because`), which is what the books keep; this puts the same lines
into words for pages and receipts. A line that it does not know stays as it is. Knows nothing of pages.
"""

import re
from collections.abc import Callable, Iterable

from scoring.settlement.locales import DEFAULT_LOCALE
from scoring.settlement.printing import Notation, money, percent

__all__ = ["money", "percent", "reasons"]

_Said = Callable[[re.Match[str], Notation], str | None]


def reasons(because: Iterable[str], currency: str, locale: str = DEFAULT_LOCALE) -> tuple[str, ...]:
    """The lines of a payout in words, with `{1}`, `{2}`, ... where a seat's name belongs."""
    lines, notation = list(because), Notation(currency, locale)
    parts = sum(_PART.fullmatch(line) is not None for line in lines)
    said = (_whole(line, notation) if parts == 1 else _said(line, notation) for line in lines)
    return tuple(line for line in said if line is not None)


def _whole(line: str, notation: Notation) -> str | None:
    """With one heir there is nothing to divide."""
    found = _PART.fullmatch(line)
    return f"{{{found['seat']}}} takes {money(int(found['part']), *notation)}" if found else _said(line, notation)


def _said(line: str, notation: Notation) -> str | None:
    for pattern, say in _KNOWN:
        if found := pattern.fullmatch(line):
            return say(found, notation)
    return line


def _made(found: re.Match[str], notation: Notation) -> str:
    what = found["what"].replace(" and 0 rejoins", "").replace(" 1 rejoins", " 1 rejoin")
    what = what[:1].upper() + what[1:]
    return f"{what} of {money(int(found['each']), *notation)} make {money(int(found['sum']), *notation)}"


def _fee(found: re.Match[str], notation: Notation) -> str | None:
    if found["bp"] == "0":
        return None
    of, fee = money(int(found["of"]), *notation), money(int(found["fee"]), *notation)
    return f"House fee: {percent(int(found['bp']), notation.locale)} of {of} is {fee}"


def _second(found: re.Match[str], notation: Notation) -> str | None:
    if found["bp"] == "0":
        return None
    of, prize = money(int(found["of"]), *notation), money(int(found["prize"]), *notation)
    return f"Second prize: {percent(int(found['bp']), notation.locale)} of {of} is {prize}"


def _part(found: re.Match[str], notation: Notation) -> str:
    part = f"{money(int(found['part']), *notation)} as an equal part"
    if found["ahead"] == "0":
        return f"{{{found['seat']}}}: {part}"
    return f"{{{found['seat']}}}: {money(int(found['ahead']), *notation)} for drops left and {part}"


_PART = re.compile(r"seat (?P<seat>\w+): (?P<ahead>\d+) for drops left and (?P<part>\d+) as an equal part")
_KNOWN: tuple[tuple[re.Pattern[str], _Said], ...] = (
    (re.compile(r"fee (?P<bp>\d+) basis points of (?P<of>\d+) is (?P<fee>\d+)"), _fee),
    (re.compile(r"second prize (?P<bp>\d+) of 10000 of (?P<of>\d+) is (?P<prize>\d+)"), _second),
    (_PART, _part),
    (re.compile(r"(?P<what>.+) of (?P<each>\d+) make (?P<sum>\d+)"), _made),
)
