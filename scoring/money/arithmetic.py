"""The arithmetic of a payout as people read it: in units of the currency, percents, and without lines about nothing.

Variants explain a payout in whole minor units (`because`), which is what the books keep; this puts the same lines
into words for pages and receipts. A line that it does not know stays as it is. Knows nothing of pages.
"""

import re
from collections.abc import Callable, Iterable

from scoring.money.formatting import DEFAULT_LOCALE, Notation, money, percent

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


def is_known(line: str) -> bool:
    """Whether a line is put into words here, or is words already."""
    return any(pattern.fullmatch(line) for pattern, _ in _KNOWN)


def _said(line: str, notation: Notation) -> str | None:
    for pattern, worded in _KNOWN:
        if found := pattern.fullmatch(line):
            return worded(found, notation)
    return line


def _made(found: re.Match[str], notation: Notation) -> str:
    what = found["what"].replace(" and 0 rejoins", "").replace(" 1 rejoins", " 1 rejoin")
    what = "1 entry" if what == "1 entries" else what[:1].upper() + what[1:]
    return f"{what} of {_money(found, 'each', notation)} make {_money(found, 'sum', notation)}"


def _fee(found: re.Match[str], notation: Notation) -> str | None:
    """A fee of nothing is not spoken of."""
    if found["bp"] == "0" and found["fee"] == "0":
        return None
    return f"House fee: {_taken(found, notation)} is {_money(found, 'fee', notation)}"


def _levy(found: re.Match[str], notation: Notation) -> str:
    name = found["name"][:1].upper() + found["name"][1:]
    return f"{name}: {_taken(found, notation)} is {_money(found, 'levy', notation)}"


def _taken(found: re.Match[str], notation: Notation) -> str:
    """So much of an amount, within its bounds."""
    bounds = _AMOUNT.sub(lambda amount: money(int(amount[0]), *notation), found["bounds"])
    rate = percent(int(found["bp"]), notation.locale)
    return f"{rate} of {_money(found, 'of', notation)}{bounds}{',' if bounds else ''}"


def _times(found: re.Match[str], notation: Notation) -> str | None:
    said = _said(found["line"], notation)
    return said if said is None or found["times"] == "1" else f"{found['times']} times: {said}"


def _second(found: re.Match[str], notation: Notation) -> str | None:
    if found["bp"] == "0":
        return None
    of, prize = money(int(found["of"]), *notation), money(int(found["prize"]), *notation)
    return f"Second prize: {percent(int(found['bp']), notation.locale)} of {of} is {prize}"


def _part(found: re.Match[str], notation: Notation) -> str:
    part = f"{money(int(found['part']), *notation)} as an equal part"
    if found["ahead"] in (None, "0"):
        return f"{{{found['seat']}}}: {part}"
    return f"{{{found['seat']}}}: {money(int(found['ahead']), *notation)} for drops left and {part}"


def _with_amounts(found: re.Match[str], notation: Notation) -> str:
    """A line in which every number is an amount: the words stay as they are."""
    line = found[0]
    return line[:1].upper() + _AMOUNT.sub(lambda amount: money(int(amount[0]), *notation), line[1:])


def _as_it_is(found: re.Match[str], notation: Notation) -> str:
    return found[0][:1].upper() + found[0][1:]


def _kept(found: re.Match[str], notation: Notation) -> str:
    return f"{_money(found, 'kept', notation)} of {_money(found, 'pool', notation)} stay with the club"


def _place(found: re.Match[str], notation: Notation) -> str:
    """A prize of one place: what is fixed, what is shared, and what it comes to."""
    parts = []
    if found["fixed"]:
        of = f" of {_money(found, 'promised', notation)}" if found["promised"] else ""
        parts.append(f"{_money(found, 'fixed', notation)}{of} fixed")
    if found["weight"]:
        weight, whole = int(found["weight"]), int(found["whole"])
        share = percent(weight, notation.locale) if whole == HUNDRED_PERCENT else f"{weight} of {whole} shares"
        parts.append(f"{share} of {_money(found, 'rest', notation)}")
    if found["over"]:
        parts.append(f"{_money(found, 'over', notation)} left over")
    made = f" is {_money(found, 'amount', notation)}" if found["weight"] or found["promised"] else ""
    return f"{_where(found)}place {found['place']}: {' and '.join(parts)}{made}"


def _places(found: re.Match[str], notation: Notation) -> str:
    """What level players divide."""
    left = f", {_money(found, 'left', notation)} left over {found['owner']}" if found["left"] else ""
    total, part = _money(found, "total", notation), _money(found, "part", notation)
    where = f"{_where(found)}places {found['first']} to {found['last']}"
    return f"{where}: {total} for {found['heirs']} is {part} each{left}"


def _paid(found: re.Match[str], notation: Notation) -> str:
    return f"{_money(found, 'amount', notation)} {found['what']}"


def _where(found: re.Match[str]) -> str:
    return found["where"] or ""


def _pot(found: re.Match[str], notation: Notation) -> str:
    brought = f", {_money(found, 'brought', notation)} was there" if found["brought"] != "0" else ""
    players = "1 player" if found["players"] == "1" else f"{found['players']} players"
    made = f": {_money(found, 'total', notation)}" if brought else ""
    return f"{found['pot']}: {players} paid {_money(found, 'paid', notation)} in{brought}{made}"


def _pot_goes(found: re.Match[str], notation: Notation) -> str:
    return f"{found['pot']}: {_money(found, 'total', notation)} {found['goes']}"


def _pot_won(found: re.Match[str], notation: Notation) -> str:
    winners = "one player" if found["winners"] == "1" else f"{found['winners']} players in equal parts"
    return f"{found['pot']}: {_money(found, 'total', notation)} to {winners}"


def _money(found: re.Match[str], name: str, notation: Notation) -> str:
    return money(int(found[name]), *notation)


HUNDRED_PERCENT = 10_000
_AMOUNT = re.compile(r"\d+")
_BOUNDS = r"(?P<bounds>(?:, at (?:least|most) \d+)*)"
_WHERE = r"(?P<where>(?:stage \d+|round \d+, table \d+|table \d+), )?"
_SHARE = r"(?P<weight>\d+) of (?P<whole>\d+) shares of (?P<rest>\d+)(?: and (?P<over>\d+) left over)?"
_FIXED = r"(?P<fixed>\d+)(?: of (?P<promised>\d+))? fixed"
_PART = re.compile(r"seat (?P<seat>\w+): (?:(?P<ahead>\d+) for drops left and )?(?P<part>\d+) as an equal part")
_KNOWN: tuple[tuple[re.Pattern[str], _Said], ...] = (
    (re.compile(r"(?P<times>\d+) times: (?P<line>.+)"), _times),
    (re.compile(rf"fee (?P<bp>\d+) basis points of (?P<of>\d+){_BOUNDS} is (?P<fee>\d+)"), _fee),
    (re.compile(r"second prize (?P<bp>\d+) of 10000 of (?P<of>\d+) is (?P<prize>\d+)"), _second),
    (_PART, _part),
    (
        re.compile(
            r"side pot (?P<pot>.+): (?P<players>\d+) players paid (?P<paid>\d+) in, "
            r"(?P<brought>\d+) was there, (?P<total>\d+)"
        ),
        _pot,
    ),
    (re.compile(r"side pot (?P<pot>.+): (?P<total>\d+) to (?P<winners>\d+) of the players"), _pot_won),
    (
        re.compile(r"side pot (?P<pot>.+): (?P<total>\d+) (?P<goes>added to the prizes|carried to the next night)"),
        _pot_goes,
    ),
    (re.compile(rf"{_WHERE}place (?P<place>\d+): (?:{_FIXED})?(?: and )?(?:{_SHARE})? is (?P<amount>\d+)"), _place),
    (
        re.compile(
            rf"{_WHERE}places (?P<first>\d+) to (?P<last>\d+): (?P<total>\d+) for (?P<heirs>\d+) is (?P<part>\d+) each"
            r"(?:, (?P<left>\d+) left over (?P<owner>to the first place|by the order of seats))?"
        ),
        _places,
    ),
    (re.compile(r"(?:guaranteed|fixed) prizes of \d+(?:: the club adds| are scaled down to) \d+"), _with_amounts),
    (re.compile(r"(?P<kept>\d+) of (?P<pool>\d+) stay with the club"), _kept),
    (re.compile(rf"(?P<name>.+): (?P<bp>\d+) basis points of (?P<of>\d+){_BOUNDS} is (?P<levy>\d+)"), _levy),
    (re.compile(r"(?P<what>.+) of (?P<each>\d+) make (?P<sum>\d+)"), _made),
    (
        re.compile(
            r"(?P<amount>\d+) (?P<what>paid: .+|given back: .+|of it for the prize pool|owed to the prize pool)"
        ),
        _paid,
    ),
    (re.compile(r"the house keeps \d+ chips that could not be divided"), _as_it_is),
)
