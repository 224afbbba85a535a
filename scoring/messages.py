"""A message is a value: English text, which is its msgid, with parts by name. It becomes a sentence at a door.

Rules: docs/how-to/translating.md. English is put together here, for programs, files and logs; pages and paper translate
with `tournaments.rendering.i18n.translating`. Nothing is ever recognised in a finished sentence, so whatever a person
is called by stays as it was typed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Union

import msgspec

# What a plural goes by.
COUNT = "count"
NOBODY: Mapping[str, str] = {}
# By ISO 4217 every other currency in use has two decimals. MRU and MGA divide by five and are booked in hundredths.
DECIMALS = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW"), 0),
    **dict.fromkeys(("PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}


class Seat(msgspec.Struct, frozen=True, tag=True):
    """Whoever sits there: a name where names are known, else the seat's own label."""

    label: str


class Signed(msgspec.Struct, frozen=True, tag=True):
    """A change by so much: with its sign."""

    change: int


class Amount(msgspec.Struct, frozen=True, tag=True):
    """Money, in minor units of its currency."""

    minor: int
    currency: str


class Day(msgspec.Struct, frozen=True, tag=True):
    """A day of the calendar, as ISO 8601 writes it."""

    iso: str


class Field(msgspec.Struct, frozen=True, tag=True):
    """A field of a form or an event: programs know it by its name, readers of a page by its title."""

    name: str
    title: str


class Finished(msgspec.Struct, frozen=True, tag="Sentence"):
    """Finished English of a message that was stored before all of its words were parts. It is read, never written."""

    text: str
    seat: str | None = None


# Texts are a person's words, cards and codes, and are never looked up; several parts are told one after the other.
Single = Union[int, str, Seat, Signed, Amount, Day, Field, Finished, "Message"]
Part = Single | tuple[Single, ...]


class Message(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """What is said, and of whom and how much. Of a plural the part `count` chooses between `text` and `plural`."""

    text: str
    parts: Mapping[str, Part] = {}
    plural: str = ""

    @property
    def number(self) -> int:
        """What a plural goes by."""
        count = self.parts[COUNT]
        return count if isinstance(count, int) else 0

    def __hash__(self) -> int:
        return hash((self.text, self.plural, frozenset(self.parts.items())))

    def __str__(self) -> str:
        return english(self)


# A constant that was marked by `words`, or a message: a door looks either up.
Words = str | Message


def say(text: str, /, **parts: Part) -> Message:
    """A message with its parts by name. The text is a literal: `manage.py messages` gathers it."""
    return Message(text, parts)


def say_many(one: str, many: str, /, *, count: int, **parts: Part) -> Message:
    """A message that differs by a number, its part `count`. Both texts are literals."""
    return Message(one, {COUNT: count, **parts}, many)


def words(text: str) -> str:
    """Marks a constant that a door looks up later, where a message cannot stand."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a message and each kind of its parts are put into words."""

    text: Callable[[Message], str]
    number: Callable[[int], str]
    amount: Callable[[Amount], str]
    day: Callable[[str], str]
    field: Callable[[Field], str]


def put(message: Message, language: Language, names: Mapping[str, str] = NOBODY) -> str:
    """The message in a language, seats by the names of who sits there."""
    text = language.text(message)
    if not message.parts:
        return text
    return text.format_map({name: _put(part, language, names) for name, part in message.parts.items()})


def english(said: Words, names: Mapping[str, str] = NOBODY) -> str:
    """A message or a constant as programs, files and logs have it."""
    return said if isinstance(said, str) else put(said, ENGLISH, names)


def with_names(message: Message, names: Mapping[str, str]) -> Message:
    """The same message with names for seats, for a reader who does not know the seats."""
    return msgspec.structs.replace(message, parts={key: _named(part, names) for key, part in message.parts.items()})


def stored(message: Message) -> str:
    """The message as a column of text keeps it."""
    return _ENCODER.encode(message).decode()


def restored(text: str) -> Message:
    """A message from a column; a text that was written there before messages were values is its own message."""
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError:
        return Message(text)


def _put(part: Part, language: Language, names: Mapping[str, str]) -> str:
    match part:
        case tuple():
            return ", ".join(_put(one, language, names) for one in part)
        case str():
            return part
        case int() | Signed():
            return _number(part, language)
        case Message():
            return put(part, language, names)
        case Finished(text=text):
            return text
        case Seat(label=label):
            return names.get(label, label)
        case Amount():
            return language.amount(part)
        case Day():
            return language.day(part.iso)
        case Field():
            return language.field(part)


def _number(part: int | Signed, language: Language) -> str:
    if isinstance(part, int):
        return language.number(part)
    return f"{'-' if part.change < 0 else '+'}{language.number(abs(part.change))}"


def _named(part: Part, names: Mapping[str, str]) -> Part:
    return tuple(_one_named(one, names) for one in part) if isinstance(part, tuple) else _one_named(part, names)


def _one_named(part: Single, names: Mapping[str, str]) -> Single:
    match part:
        case Message():
            return with_names(part, names)
        case Seat(label=label):
            return names.get(label, label)
    return part


def _own_text(message: Message) -> str:
    return message.plural if message.plural and message.number != 1 else message.text


def _as_it_is(text: str) -> str:
    return text


def _name(field: Field) -> str:
    return field.name


def _amount(amount: Amount) -> str:
    return format_minor(amount.minor, amount.currency)


ENGLISH = Language(text=_own_text, number=str, amount=_amount, day=_as_it_is, field=_name)
_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Message)


# Amounts as people write them: 264000 minor units of INR are 2640.00, of JPY 264000. The currency's name is the
# caller's to print. A minus sign stands first; thousands are not grouped, because clubs group them in different ways.


def decimals(currency: str) -> int:
    """How many decimals amounts of this currency are written with."""
    return DECIMALS.get(currency, 2)


def format_minor(amount_minor: int, currency: str) -> str:
    """An amount in whole units and decimals, exact: no float is ever involved."""
    places = decimals(currency)
    sign = "-" if amount_minor < 0 else ""
    digits = str(abs(amount_minor)).zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
