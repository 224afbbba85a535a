"""A hand or a show as text or JSON: its cheapest count, and the judge's ruling.

Rules: docs/rules/indian.md, "Groups" and "Counting a loser"; the answers of docs/how-to/judge.md. Everything that
cannot be read is reported at once.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from scoring.messages import Message
from scoring.options import read_options
from scoring.problems import OptionsRejected, Problem, RuleError, refuse_if, shown
from scoring.rules.arrangements import HandOptions
from scoring.rules.cards import Card, parse_cards, parse_wild
from scoring.rules.hands import HandCount, LaidDown, Ruling, count_hand, hand_problems, judge_show

Read = TypeVar("Read")
MOST_GROUPS = 60
PLAIN_OPTIONS = HandOptions()
Written = str | Sequence[str]
HouseRules = HandOptions | Mapping[str, Any]


def count(hand: Written, rules: HouseRules | None = None, *, wild: str | None = None) -> HandCount:
    """The points that a losing hand costs at its cheapest, after the cap, and the arrangement that costs so little.

    `hand` is 13 cards as text ("7H 8H 9H ...") or a list of texts, `rules` the options of a house, `wild` a rank or
    the card that was turned up. Raises RuleError with every problem. Rules: docs/rules/indian.md, "Counting a loser".
    """
    reading = _Reading(rules, wild)
    cards = reading.cards(hand, "cards")
    if cards is None or reading.problems:
        further = hand_problems(cards, reading.options, field="cards") if cards is not None else ()
        raise RuleError([*reading.problems, *further])
    return count_hand(cards, reading.wild, reading.options)


def judge(
    groups: Sequence[Written],
    loose: Written | None = None,
    *,
    hand: Written | None = None,
    rules: HouseRules | None = None,
    wild: str | None = None,
) -> Ruling:
    """The ruling on a show: whether it is valid, the kind of each group, its problems, and its cost to a loser.

    `loose` are the cards in no group, `hand` is what the player holds, where that is known. Raises RuleError where
    something cannot be read. Rules: docs/rules/indian.md, "Groups".
    """
    reading = _Reading(rules, wild)
    laid_groups = reading.groups(groups)
    laid_loose = None if loose is None else reading.cards(loose, "loose")
    hand_cards = None if hand is None else reading.cards(hand, "hand")
    refuse_if(reading.problems, RuleError)
    laid = LaidDown(laid_groups, laid_loose or (), hand_cards)
    return judge_show(laid, wild=reading.wild, options=reading.options)


class _Reading:
    """Reads the parts of a question and collects the problems with each, so that all can be reported together."""

    def __init__(self, rules: object, wild: object) -> None:
        self.problems: list[Problem] = []
        self.options = self.tried(lambda: _options(rules), PLAIN_OPTIONS)
        house = self.options.printed_as_wild
        self.wild = self.tried(lambda: parse_wild(wild, printed_as_wild=house), None)

    def tried(self, read: Callable[[], Read], otherwise: Read) -> Read:
        """The result of reading, or a stand-in where it was refused."""
        try:
            return read()
        except RuleError as refusal:
            self.problems.extend(refusal.problems)
            return otherwise

    def cards(self, written: object, field: str) -> tuple[Card, ...] | None:
        """Cards as text or as a list; None where they could not be read."""
        return self.tried(lambda: parse_cards(written, field), None)

    def groups(self, written: object) -> tuple[tuple[Card, ...], ...]:
        """The groups of a show, each as text or as a list."""
        if not isinstance(written, list | tuple) or len(written) > MOST_GROUPS:
            groups_text = f"{len(written)} of them" if isinstance(written, list | tuple) else shown(written)
            detail = Message(f"groups must be a list of at most {MOST_GROUPS} groups, not {groups_text}")
            self.problems.append(Problem("wrong_type", detail, field="groups"))
            return ()
        return tuple([self.cards(group, f"groups[{index}]") or () for index, group in enumerate(written)])


def _options(given: object) -> HandOptions:
    """The house options that were sent; the defaults where none were."""
    if isinstance(given, HandOptions):
        return given
    if given is None:
        return PLAIN_OPTIONS
    if not isinstance(given, Mapping):
        detail = Message(f"options must be an object, not {shown(given)}")
        raise OptionsRejected([Problem("wrong_type", detail, field="options")])
    try:
        # The type is part of the key, because 1 and true would be the same otherwise.
        return _known_options(tuple([(name, type(value), value) for name, value in given.items()]))
    except TypeError:
        return read_options(HandOptions, given)


@lru_cache(maxsize=256)
def _known_options(given: tuple[tuple[str, type, Any], ...]) -> HandOptions:
    return read_options(HandOptions, {name: value for name, _, value in given})
