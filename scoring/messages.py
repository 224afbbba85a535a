"""A message is a value: an English msgid with named parts. It becomes a sentence in the user's language at a view.

Rules: docs/how-to/translating.md. English is put together here, for programs, files and logs; pages and paper translate
with `tournaments.rendering.i18n.translating`. No finished sentence is ever parsed, so a person's name stays as it was
typed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Union

import msgspec

# The part that chooses the plural form.
COUNT = "count"
NOBODY: Mapping[str, str] = {}
# In ISO 4217 every other currency in use has two decimals. MRU and MGA divide by five and are booked in hundredths.
DECIMALS = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW"), 0),
    **dict.fromkeys(("PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}


class Seat(msgspec.Struct, frozen=True, tag=True):
    """The player of a seat: a name where names are known, else the seat's own label."""

    label: str


class Signed(msgspec.Struct, frozen=True, tag=True):
    """A change by an amount: with its sign."""

    change: int


class Amount(msgspec.Struct, frozen=True, tag=True):
    """Money, in minor units of its currency. Every amount in a refusal is one: a page writes it as its club does."""

    minor: int
    currency: str


class Day(msgspec.Struct, frozen=True, tag=True):
    """A calendar date, written as in ISO 8601."""

    iso: str


class Field(msgspec.Struct, frozen=True, tag=True):
    """A field of a form or an event: programs know it by its name, readers of a page by its title."""

    name: str
    title: str


class Finished(msgspec.Struct, frozen=True, tag="Sentence"):
    """Finished English of a message that was stored before all of its parts were values. It is read, never written."""

    text: str
    seat: str | None = None


# Texts are a user's words, cards and codes, and are never translated; several parts are listed: "A, B and C".
Single = Union[int, str, Seat, Signed, Amount, Day, Field, Finished, "Message"]
Part = Single | tuple[Single, ...]


class Message(msgspec.Struct, frozen=True, tag=True, omit_defaults=True):
    """A text and its named parts. In a plural message the part `count` chooses between `text` and `plural`."""

    text: str
    parts: Mapping[str, Part] = {}
    plural: str = ""

    @property
    def number(self) -> int:
        """The number that chooses the plural form."""
        count = self.parts[COUNT]
        return count if isinstance(count, int) else 0

    def __hash__(self) -> int:
        return hash((self.text, self.plural, frozenset(self.parts.items())))

    def __str__(self) -> str:
        return english(self)


# A constant that was marked by `words`, or a message: both can be translated.
Words = str | Message


def say(text: str, /, **parts: Part) -> Message:
    """A message with named parts. The text is a literal: `manage.py messages` gathers it."""
    return Message(text, parts)


def say_many(one: str, many: str, /, *, count: int, **parts: Part) -> Message:
    """A message with a plural, chosen by its part `count`. Both texts are literals."""
    return Message(one, {COUNT: count, **parts}, many)


def words(text: str) -> str:
    """Marks a constant that is translated later, where a message cannot be used."""
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """How a message and each kind of its parts are written in a language."""

    text: Callable[[Message], str]
    number: Callable[[int], str]
    amount: Callable[[Amount], str]
    day: Callable[[str], str]
    field: Callable[[Field], str]
    listed: Callable[[Sequence[str]], str]


def put(message: Message, language: Language, names: Mapping[str, str] = NOBODY) -> str:
    """The message in a language, with players' names for seats."""
    text = language.text(message)
    if not message.parts:
        return text
    return text.format_map({name: _put(part, language, names) for name, part in message.parts.items()})


def english(message: Words, names: Mapping[str, str] = NOBODY) -> str:
    """A message or a constant in English, for programs, files and logs."""
    return message if isinstance(message, str) else put(message, ENGLISH, names)


def with_names(message: Message, names: Mapping[str, str]) -> Message:
    """The same message with names for seats, for a reader who does not know the seats."""
    return msgspec.structs.replace(message, parts={key: _named(part, names) for key, part in message.parts.items()})


def stored(message: Message) -> str:
    """The message as it is stored in a text column."""
    return _ENCODER.encode(message).decode()


def restored(text: str) -> Message:
    """A message from a column; a text stored there before messages were values is a message of its own."""
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError:
        return Message(text)


def _put(part: Part, language: Language, names: Mapping[str, str]) -> str:
    match part:
        case tuple():
            return language.listed([_put(one, language, names) for one in part])
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
    return tuple(_one_named(single, names) for single in part) if isinstance(part, tuple) else _one_named(part, names)


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
    return f"{format_minor(amount.minor, amount.currency)} {amount.currency}"


def _listed(texts: Sequence[str]) -> str:
    *others, last = texts or ("",)
    return f"{', '.join(others)} and {last}" if others else last


ENGLISH = Language(text=_own_text, number=str, amount=_amount, day=_as_it_is, field=_name, listed=_listed)
_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Message)


# Amounts in decimal form: 264000 minor units of INR are 2640.00, of JPY 264000. The caller prints the currency. A minus
# sign comes first; thousands are not grouped, because clubs group them in different ways.


def decimals(currency: str) -> int:
    """The number of decimals of this currency."""
    return DECIMALS.get(currency, 2)


def format_minor(amount_minor: int, currency: str) -> str:
    """An amount in whole units and decimals, exact: no float is ever involved."""
    places = decimals(currency)
    sign = "-" if amount_minor < 0 else ""
    digits = str(abs(amount_minor)).zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"
