"""Amounts, shares, dates and house options as people write them on paper.

Rules: docs/importing.md, "The heading". No float is ever involved. Each reader raises ValueError with the reason.
"""

import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from scoring.money.amounts import decimals
from scoring.money.payouts import FULL_BP
from tournaments.models.bounds import FIRST_DAY, LAST_DAY, is_moment_in_the_calendar
from tournaments.rendering.i18n.local_times import local_time, written
from tournaments.sheet_import.rows import plain

SYMBOLS = re.compile(r"^(?:₹|rs\.?|€|\$|£|[a-z]{3})\s*|\s*(?:/-|₹|rs\.?|€|\$|£|[a-z]{3})$")
GROUPED = re.compile(r"\d{1,3}(?:[ ,.'\u00a0\u202f]\d{2,3})*")
PLAIN = re.compile(r"\d{1,15}")
FRACTION = re.compile(r"^(.*?)([.,])(\d+)$")
# As many digits behind a mark as a group of thousands has.
A_GROUP = 3
SHARE = re.compile(r"(\d{1,5})(?:[.,](\d{1,2}))? ?(%|bp|basis points)")
DATES = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%d %B %Y", "%d %b %Y")
TIMES = ("", " %H:%M", " %H.%M")
WITH_OFFSET = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})([+-]\d{2}:\d{2})")
WORDS: dict[str, Any] = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False, "none": None}


def read_amount(text: str, currency: str) -> int:
    """An amount in minor units: `1000`, `1,000.00`, `Rs 2`, `12,50`; `1000.500` of dinars."""
    bare = SYMBOLS.sub("", SYMBOLS.sub("", text.casefold().strip())).strip()
    places = decimals(currency)
    whole, fraction = _parted(bare, text, places)
    if not (PLAIN.fullmatch(whole) or GROUPED.fullmatch(whole)):
        raise ValueError(f"{text!r} is no amount; write for example 1000.00")
    scale: int = 10**places
    return int(re.sub(r"\D", "", whole)) * scale + int(fraction.ljust(places, "0") or 0)


def _parted(bare: str, text: str, places: int) -> tuple[str, str]:
    """An amount before and behind its decimal mark. Raises ValueError where the mark may group thousands instead."""
    found = FRACTION.match(bare)
    if not found or len(found[3]) > places:
        return bare, ""
    before, mark, digits = found.groups()
    if len(digits) == A_GROUP:
        if mark in before:
            return bare, ""
        # 1,000 is a thousand dinars to one club and one dinar to another; a point is how programs write decimals.
        if mark == "," and before.isdecimal():
            raise ValueError(f"{text!r} may be two amounts; write {before}.{digits} or {before}{digits}")
    return before, digits


def read_share(text: str) -> int:
    """A share in basis points: `12 %`, `12.5%`, `1200 bp`."""
    found = SHARE.fullmatch(plain(text))
    if not found:
        raise ValueError(f"{text!r} is no share; write for example 12 %")
    whole, fraction, unit = found.groups()
    if unit != "%" and fraction:
        raise ValueError(f"{text!r} is no share: basis points are whole")
    return int(whole) * (FULL_BP // 100 if unit == "%" else 1) + int((fraction or "").ljust(2, "0"))


def read_moment(text: str, zone: ZoneInfo) -> datetime:
    """A day, with or without the time, on the club's clock; or a moment with its offset from UTC."""
    exact = WITH_OFFSET.fullmatch(text.strip())
    if exact:
        return _in_the_calendar(datetime.fromisoformat(f"{exact[1]}T{exact[2]}{exact[3]}"), text)
    for day in DATES:
        for time in TIMES:
            try:
                moment = datetime.strptime(text.strip(), day + time).replace(tzinfo=zone)
            except ValueError:
                continue
            return _in_the_calendar(_on_the_clock(moment, text) if time else moment, text)
    raise ValueError(f"{text!r} is no date; write for example 2026-01-17 19:30 or 17/01/2026")


def _on_the_clock(shown: datetime, text: str) -> datetime:
    """The moment at which the club's clock shows this. Raises ValueError where it shows it twice, or never."""
    found = local_time(shown)
    if found.is_clear:
        return found.readings[0]
    first, second = map(written, found.readings)
    if found.is_shown:
        raise ValueError(f"the clock shows {text!r} twice that night; write {first} or {second}")
    raise ValueError(f"the clock skips {text!r} that night; write {first} or {second}")


def _in_the_calendar(moment: datetime, text: str) -> datetime:
    if not is_moment_in_the_calendar(moment):
        raise ValueError(f"{text!r} is outside the calendar; enter a date from {FIRST_DAY} to {LAST_DAY}")
    return moment


def read_number(text: str) -> int:
    """A small whole number."""
    if not re.fullmatch(r"\d{1,4}", text.strip()):
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


def read_options(cells: tuple[str, ...]) -> dict[str, Any]:
    """House options, one a cell: `max rejoins = 1`, `drop allowed: no`."""
    options: dict[str, Any] = {}
    for cell in cells:
        name, found, value = cell.partition("=" if "=" in cell else ":")
        if not found or not name.strip():
            raise ValueError(f"{cell!r} is no house option; write for example max rejoins = 1")
        options[plain(name).replace(" ", "_")] = _option_value(plain(value))
    return options


def _option_value(text: str) -> Any:
    if text in WORDS:
        return WORDS[text]
    return int(text) if re.fullmatch(r"\d{1,15}", text) else text.replace(" ", "_")
