"""Parses a visitor's question to the judge from the address: the wild card, the cards, and how the house counts.

Typed text is kept at its field with its problem; no address can raise an exception. Rules: docs/how-to/judge.md, "The
address". Knows nothing of rulings or templates.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import gettext

from scoring.messages import Message, say
from scoring.options import describe_options, read_options
from scoring.problems import RuleError, shown
from scoring.rules.arrangements import HandOptions
from scoring.rules.cards import RANKS, SPELLINGS, Card, cards_typed, parse_wild, tidy, write_cards
from tournaments.rendering.i18n.translating import translate

MOST_GROUPS = 13
GROUP_FIELDS = 5
OPTIONS: tuple[dict[str, Any], ...] = tuple(describe_options(HandOptions))
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,6}")
CLAIMS = {"true": True, "yes": True, "false": False, "no": False}
Read = TypeVar("Read")
Cards = tuple[Card, ...]


class Ask(StrEnum):
    """The two questions."""

    COUNT = "count"
    SHOW = "show"


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """The question as typed, for the form; empty group fields keep their place."""

    ask: Ask
    wild: str
    cards: str
    groups: tuple[str, ...]
    loose: str
    options: Mapping[str, str]


@dataclass(slots=True, kw_only=True)
class Question:
    """The parsed question. `problems` has the fields that could not be parsed."""

    ask: Ask
    wild: int | None = None
    turned_up: Card | None = None
    options: HandOptions = field(default_factory=HandOptions)
    hand: Cards = ()
    groups: tuple[tuple[int, Cards], ...] = ()
    loose: Cards = ()
    problems: dict[str, str] = field(default_factory=dict)

    @property
    def cards(self) -> Cards:
        """All cards on the table."""
        laid = tuple(card for _, cards in self.groups for card in cards)
        return self.hand if self.ask is Ask.COUNT else laid + self.loose


def typed(query: QueryDict) -> Typed:
    """Return the fields of the form, made safe to show and to read."""
    groups = [tidy(text) for text in query.getlist("group")][: MOST_GROUPS + 1]
    return Typed(
        ask=Ask.SHOW if query.get("ask") == Ask.SHOW else Ask.COUNT,
        wild=tidy(query.get("wild", "")),
        cards=tidy(query.get("cards", "")),
        groups=(*groups, *[""] * (GROUP_FIELDS - len(groups))),
        loose=tidy(query.get("loose", "")),
        options={name: tidy(str(query[name])) for option in OPTIONS if (name := option["name"]) in query},
    )


def understood(asked: Typed) -> Question:
    """Parse the question as far as possible, with the problems of the rest."""
    question = Question(ask=asked.ask)
    _read_options(question, asked.options)
    _read_wild(question, asked.wild)
    if asked.ask is Ask.COUNT:
        question.hand = _read_cards(question, "cards", asked.cards, say("the hand"))
        return question
    laid = [
        (n, _read_cards(question, f"group-{n}", text, say("group {number}", number=n)))
        for n, text in enumerate(asked.groups, 1)
    ]
    question.groups = tuple((number, cards) for number, cards in laid if cards)
    question.loose = _read_cards(question, "loose", asked.loose, say("the loose cards"))
    if len(asked.groups) > MOST_GROUPS:
        question.problems["loose"] = gettext(
            "Thirteen cards make four groups; more than {number} are not read."
        ).format(number=MOST_GROUPS)
    return question


def address_of(
    question: Question, *, ask: Ask, hand: Cards = (), groups: Iterable[Cards] = (), loose: Cards = ()
) -> str:
    """Return the query of a question about these cards under the same wild card and house rules, without defaults."""
    parts = [("ask", "show")] if ask is Ask.SHOW else []
    if question.turned_up is not None:
        parts.append(("wild", question.turned_up.text))
    elif question.wild is not None:
        parts.append(("wild", RANKS[question.wild]))
    parts += [("cards", write_cards(hand))] if hand else []
    parts += [("group", write_cards(cards)) for cards in groups]
    parts += [("loose", write_cards(loose))] if loose else []
    return urlencode([*parts, *_house_parts(question.options)])


def own_address(question: Question) -> str:
    """Return the shortest query of the same question."""
    groups = [cards for _, cards in question.groups]
    return address_of(question, ask=question.ask, hand=question.hand, groups=groups, loose=question.loose)


def other_address(question: Question) -> str:
    """Return the query of the other question about the same cards."""
    if question.ask is Ask.COUNT:
        return address_of(question, ask=Ask.SHOW, loose=question.hand)
    return address_of(question, ask=Ask.COUNT, hand=question.cards)


def _house_parts(options: HandOptions) -> list[tuple[str, str]]:
    values = {option["name"]: options.holding(option["name"]) for option in OPTIONS}
    defaults = {option["name"]: option["default"] for option in OPTIONS}
    return [(name, written(value)) for name, value in values.items() if value != defaults[name]]


def written(value: object) -> str:
    """Return the value of a house rule as in an address and a field."""
    return "" if value is None else str(value).lower()


def _read_cards(question: Question, slot: str, text: str, name: Message) -> Cards:
    return _tried(question, slot, lambda: cards_typed(text, name), ())


def _read_wild(question: Question, text: str) -> None:
    if not text:
        return
    try:
        question.wild = parse_wild(text, printed_as_wild=question.options.printed_as_wild)
        question.turned_up = SPELLINGS.get(text.upper())
    except RuleError:
        ranks = " ".join(RANKS)
        detail = gettext("{card} cannot be wild: choose a rank ({ranks}), the card turned up such as 5H, or PJ.")
        question.problems["wild"] = detail.format(card=shown(text), ranks=ranks)


def _read_options(question: Question, given: Mapping[str, str]) -> None:
    """Parse house rules by the types of their options; an invalid one is reported, and replaced by the default."""
    for option in OPTIONS:
        name = option["name"]
        if name not in given or (not given[name] and not option.get("nullable")):
            continue
        changed = partial(_changed, question.options, name, option_value(option, given[name]))
        question.options = _tried(question, name, changed, question.options)


def _changed(options: HandOptions, name: str, value: object) -> HandOptions:
    values_by_option = {option["name"]: options.holding(option["name"]) for option in OPTIONS}
    return read_options(HandOptions, {**values_by_option, name: value})


def option_value(option: Mapping[str, Any], text: str) -> object:
    """Parse a house rule by the type of its option; what cannot be parsed stays text, and is refused."""
    if option["type"] == "boolean":
        return CLAIMS.get(text.lower(), text)
    if option["type"] == "integer":
        if not text or text.lower() == "none":
            return None
        return int(text) if WHOLE_NUMBER.fullmatch(text) else text
    return text


def _tried(question: Question, slot: str, read: Callable[[], Read], otherwise: Read) -> Read:
    """Return the parsed value, or a stand-in where it was refused; the reason is stored for the field."""
    try:
        return read()
    except RuleError as refusal:
        texts = [translate(problem.message) for problem in refusal.problems[:3]]
        question.problems[slot] = "; ".join(texts)
        return otherwise
