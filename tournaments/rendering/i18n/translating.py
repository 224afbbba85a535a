"""Translates the messages of lower layers into the language of the page.

Rules: docs/how-to/translating.md; docs/how-to/books.md for accounts; docs/how-to/seasons.md, "Tie-breaks". A message is
translated by its text, which is its msgid, and its parts are put in afterwards: no finished sentence is parsed, and no
name is ever translated.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from django.conf import settings
from django.utils.translation import get_supported_language_variant, gettext, gettext_noop, ngettext, pgettext

from scoring.events.wire import DealEvent, DealVoided
from scoring.messages import ENGLISH, NOBODY, Amount, Field, Language, Message, Words, put, say
from scoring.money import AccountKind
from scoring.money.formatting import Notation, money, percent
from scoring.options import Options, Wording
from scoring.problems import Problem
from scoring.rules.hands.words import sentence as written
from scoring.rules.table.fields import SeatMark
from scoring.rules.table.variant import AnyVariant
from scoring.seasons import Decided
from scoring.sheets.event_messages import event_title, isolated, isolated_names
from tournaments.rendering.i18n.formatting import day, in_digits, is_translated, listed, number, number_text

ENDS = (".", "!", "?", "…", "।")
FULL_STOP = gettext_noop("{what}.")
NOT_SET = "–"
SILENT = Wording()


def translate(message: Words, names: Mapping[str, str] = NOBODY) -> str:
    """Translate a message, or a constant of ours, with names for seats."""
    if isinstance(message, str):
        return gettext(message) if message and is_translated() else message
    return put(message, PAGE if is_translated() else ENGLISH_PAGE, names)


def spoken(message: str | Message) -> str:
    """Translate a message; text that a person wrote, or an amount, is returned unchanged."""
    return message if isinstance(message, str) else translate(message)


def stands_in(name: str, holder: str) -> str:
    """Return the name of a substitute with the player they play for."""
    return gettext("{name} for {holder}").format(name=name, holder=holder)


def sentence(message: Words, names: Mapping[str, str] = NOBODY) -> str:
    """Return a message as a sentence, with a capital letter and a full stop."""
    text = translate(message, names)
    if not is_translated():
        return written(text)
    text = text[:1].upper() + text[1:]
    return text if text.endswith(ENDS) else gettext(FULL_STOP).format(what=text)


def _looked_up(message: Message) -> str:
    if message.plural:
        return ngettext(message.text, message.plural, message.number)
    return gettext(message.text)


# The locale in which amounts are written: a page about a club activates it with the club's time zone.
_locale: ContextVar[str] = ContextVar("locale", default="")


def activate_locale(locale: str) -> None:
    """Write amounts in messages as a club of this locale does, until the request ends."""
    _locale.set(locale)


def language_of_locale(locale: str) -> str:
    """Return the language of pages that a locale such as de_DE stands for; the site's own where there is none."""
    try:
        return get_supported_language_variant(locale.replace("_", "-").lower())
    except LookupError:
        return settings.LANGUAGE_CODE


@contextmanager
def no_locale() -> Iterator[None]:
    """Begin and end without a club's locale: amounts in messages are written as programs read them, 12.50 INR."""
    token = _locale.set("")
    try:
        yield
    finally:
        _locale.reset(token)


def _amount(amount: Amount) -> str:
    locale = _locale.get()
    return money(amount.minor, amount.currency, locale) if locale else ENGLISH.amount(amount)


def _day(iso: str) -> str:
    return day(date.fromisoformat(iso))


def _titled(field: Field) -> str:
    """Return the title of a field; without one the name that the rules give it."""
    text = gettext(field.title)
    return field.name if text == field.title else text


PAGE = Language(
    text=_looked_up,
    number=lambda number: in_digits(str(number)),
    amount=_amount,
    day=_day,
    field=_titled,
    listed=listed,
)
# A page formats amounts and days for people; everything else in it is English already.
ENGLISH_PAGE = replace(ENGLISH, amount=_amount, day=_day)


# Problems of a list, row by row: a sentence that several rows share appears once, with all of them. Programs read the
# problems themselves, one for each row.

ROW, PREFIX, OF_ROW = re.compile(r"row (\d+)"), re.compile(r"\Arow \d+: "), "row {number}: {why}"


class RowMessage(NamedTuple):
    """A sentence without its row. `kind` is equal for sentences that differ at most in one name, which is `name`."""

    row: int | None
    message: Message
    kind: tuple[object, ...]
    name: str = ""


def problem_texts(problems: Iterable[Problem]) -> list[str]:
    """Return every sentence in the language of the page, in list order, each with all rows it is about."""
    kinds: dict[tuple[object, ...], list[RowMessage]] = {}
    for message in map(_about_row, problems):
        kinds.setdefault(message.kind, []).append(message)
    return [_together(alike) for alike in kinds.values()]


def without_row(message: Message) -> Message:
    """Return the message about a row, without the row."""
    why = message.parts.get("why")
    if message.text == OF_ROW and isinstance(why, Message):
        return why
    return message


def _about_row(problem: Problem) -> RowMessage:
    match = ROW.fullmatch(problem.field or "")
    if match is None:
        return RowMessage(None, problem.message, (None, problem.message))
    message = without_row(problem.message)
    parts = message.parts
    names = [key for key, part in parts.items() if isinstance(part, str)]
    name = names[0] if len(names) == 1 else ""
    rest = tuple((part, value) for part, value in parts.items() if part != name)
    return RowMessage(int(match[1]), message, (message.text, *rest), str(parts.get(name, "")))


def _together(alike: Sequence[RowMessage]) -> str:
    """Join one sentence for all of its rows; rows where it names another name follow with that name."""
    if alike[0].row is None:
        return translate(alike[0].message)
    first, *others = _by_name(alike).items()
    text = _of_rows(first[1], alike[0].message)
    if not others:
        return text
    return gettext("{why}; likewise {rows}").format(why=text, rows=listed([*_named(others)]))


def _by_name(alike: Sequence[RowMessage]) -> Mapping[str, Sequence[int]]:
    rows: dict[str, list[int]] = {}
    for message in alike:
        if message.row is not None:
            rows.setdefault(message.name, []).append(message.row)
    return rows


def _of_rows(rows: Sequence[int], message: Message) -> str:
    if len(rows) == 1:
        return translate(say("row {number}: {why}", number=rows[0], why=message))
    return gettext("rows {numbers}: {why}").format(numbers=_listed(rows), why=translate(message))


def _named(rows_by_name: Iterable[tuple[str, Sequence[int]]]) -> Iterator[str]:
    for name, rows in rows_by_name:
        text = gettext("row {numbers} ({name})") if len(rows) == 1 else gettext("rows {numbers} ({name})")
        yield text.format(numbers=_listed(rows), name=name)


def _listed(rows: Sequence[int]) -> str:
    return listed([in_digits(str(row)) for row in rows])


# Titles of accounts and purposes for pages and printouts, and the tie-breaks of a season.

ACCOUNTS = {
    "player": gettext_noop("player"),
    "prize_pool": gettext_noop("prize pool"),
    "side_pot": gettext_noop("side pot"),
    "club_fee": gettext_noop("house fee"),
    "levy": gettext_noop("levy"),
    "guarantee": gettext_noop("guarantee"),
    "bank": gettext_noop("bank"),
    "owner": gettext_noop("owner"),
    "cash_difference": gettext_noop("cash difference"),
    "rounding": gettext_noop("cash rounding"),
    "write_off": gettext_noop("write off"),
    "opening": gettext_noop("opening balances"),
    "charge": gettext_noop("charge"),
    "award": gettext_noop("award"),
    "fee": gettext_noop("fee"),
    "top_up": gettext_noop("top up"),
    "transfer": gettext_noop("transfer"),
    "difference": gettext_noop("difference"),
}
TIE_BREAKS = {
    "best_night": gettext_noop("more points in the best tournament"),
    "second_night": gettext_noop("more points in the second-best tournament"),
    "most_wins": gettext_noop("more first places"),
    "more_nights": gettext_noop("more tournaments"),
    "fewer_nights": gettext_noop("fewer tournaments"),
    "head_to_head": gettext_noop("head to head"),
}


def account_title(kind: str) -> str:
    """Return the title of a kind of account, or of a purpose, in the language of the page."""
    if kind == AccountKind.CASH:
        return pgettext("an account of the books", "Cash")
    return gettext(ACCOUNTS[kind])


def trial_title(kind: str, *, is_owing: bool) -> str:
    """Return the title of a line of a trial balance: players who owe have one of their own."""
    if kind != AccountKind.PLAYER:
        return account_title(kind)
    return gettext("players who owe") if is_owing else gettext("players' balances")


def tie_breaks_text(breaks: Sequence[str]) -> str:
    """Describe the tie-breaks in their order: the better best result, then fewer tournaments. May be empty."""
    titles = [gettext(TIE_BREAKS[name]) for name in breaks]
    return reduce(lambda text, title: gettext("{said}, then {next}").format(said=text, next=title), titles or [""])


def decided_text(decided: Decided) -> str:
    """Describe what placed a player before or after others with the same points: 2 first places against 1."""
    own, against = (number_text(number) if number else "" for number in (decided.own, decided.against))
    return _form(decided).format(own=own, against=against)


def _form(decided: Decided) -> str:
    number = abs(int(Fraction(decided.own or 0)))
    match decided.by:
        case "best_night":
            return gettext("{own} in the best tournament against {against}")
        case "second_night" if not decided.own:
            return gettext("no second tournament against {against}")
        case "second_night" if not decided.against:
            return gettext("{own} in the second-best tournament against none")
        case "second_night":
            return gettext("{own} in the second-best tournament against {against}")
        case "most_wins":
            return ngettext("{own} first place against {against}", "{own} first places against {against}", number)
        case "more_nights" | "fewer_nights":
            return ngettext("{own} tournament against {against}", "{own} tournaments against {against}", number)
    return gettext("{own} beaten head to head against {against}")


# The mark of a seat, and a whole deal in words, in the language of the page.


def mark_text(mark: SeatMark) -> str:
    """Describe a mark in words, with its number or its cards."""
    if mark.count is not None:
        return f"{translate(mark.title)} {number(mark.count)}"
    return " ".join(filter(None, (translate(mark.title), hand_text(mark.groups, mark.loose))))


def hand_text(groups: Sequence[str], loose: str) -> str:
    """List cards as recorded: groups, and loose cards."""
    return " | ".join([*groups, *([gettext("loose {cards}").format(cards=loose)] if loose else [])])


def deal_text(deal: DealEvent[Any], names: Mapping[str, str]) -> str:
    """Describe a deal in one line: its title, each seat with its mark, and remarks."""
    if isinstance(deal, DealVoided):
        return translate(event_title(deal))
    marks = (
        f"{isolated(names.get(seat, seat))} {_small(mark_text(mark))}" for seat, mark in deal.sheet.marks().items()
    )
    remarks = (translate(remark, isolated_names(names)) for remark in deal.sheet.remarks())
    return f"{translate(event_title(deal))}: {', '.join([*marks, *remarks])}"


def _small(text: str) -> str:
    """Return it for the middle of a sentence: English loses its capital; cards keep their letters."""
    return text if is_translated() else text[:1].lower() + text[1:]


# House options in the words of players: the meaning of each choice, and the default where a house has set nothing. The
# names of options and choices are those of the log.


def option_title(rules: AnyVariant, described: Mapping[str, Any]) -> str:
    """Return the title of an option."""
    return gettext(rules.wordings.get(described["name"], SILENT).title or str(described["help"]))


def option_text(rules: AnyVariant, name: str, options: Options, notation: Notation) -> str:
    """Return the value of an option in words: yes, 20, ₹4.00, 10% or the meaning of a choice; else the default's."""
    value, wording = options.holding(name), rules.wordings.get(name, SILENT)
    if value is None and wording.follows:
        value = options.holding(wording.follows)
    if value is None:
        return gettext(wording.unset) if wording.unset else NOT_SET
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, str):
        return translate(wording.message(value))
    if name.endswith("_minor"):
        return money(value, *notation)
    return percent(value, notation.locale) if name.endswith("_bp") else str(value)


def by_seats_text(values: Sequence[tuple[int, int]]) -> str:
    """Describe a number that depends on how many sit at a table: `values` are pairs of seats and number."""
    kinds = sorted({value for _, value in values})
    if len(kinds) == 1:
        return str(kinds[0])
    if len(kinds) > 2:
        text = gettext("%(least)s to %(most)s, by the number of seats")
        return text % {"least": kinds[0], "most": kinds[-1]}
    seats = next(seats for seats, value in values if value != values[0][1])
    text = ngettext("%(first)s; from %(seats)s seat on %(then)s", "%(first)s; from %(seats)s seats on %(then)s", seats)
    return text % {"first": values[0][1], "seats": seats, "then": dict(values)[seats]}
