"""The judge on the command line: one hand to count, or one show to rule on, as decoded JSON in and out.

Bad input is answered with a refusal that names every problem at once; nothing that was sent can raise.
Rules: docs/rules/indian.md. Knows nothing of lines, files or exit statuses.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from scoring.options import read_options
from scoring.problems import OptionsRejected, Problem, RuleError, shown
from scoring.rules.arrangements import HandOptions
from scoring.rules.cards import Card, parse_cards, parse_wild
from scoring.rules.hands import LaidDown, count_hand, hand_problems, judge_show

Answer = dict[str, Any]
Read = TypeVar("Read")
MOST_GROUPS = 60
PLAIN_OPTIONS = HandOptions()


def hand_line(case: object) -> Answer:
    """Answer one case of `hand`: the count, and the cheapest arrangement of the 13 cards."""
    return _answered(_count_hand, case)


def show_line(case: object) -> Answer:
    """Answer one case of `show`: whether it is valid, what each group is, and every problem."""
    return _answered(_rule_on_show, case)


def _answered(judge: Callable[[Mapping[str, Any]], Answer], case: object) -> Answer:
    if not isinstance(case, dict):
        detail = f"a case is an object, not {shown(case)}"
        return {"problems": [Problem(code="not_an_object", detail=detail).as_json()]}
    try:
        return judge(case)
    except RuleError as refusal:
        return {"problems": [problem.as_json() for problem in refusal.problems]}


class Reading:
    """Reads the parts of a case, keeping what is wrong with each so that all of it can be said together."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.problems: list[Problem] = []
        self.options = self.tried(lambda: _options(case.get("options")), PLAIN_OPTIONS)
        house = self.options.printed_as_wild
        self.wild = self.tried(lambda: parse_wild(case.get("wild"), printed_as_wild=house), None)

    def tried(self, read: Callable[[], Read], otherwise: Read) -> Read:
        """What was read, or a stand-in where it was refused."""
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
        if not isinstance(written, list) or len(written) > MOST_GROUPS:
            found = f"{len(written)} of them" if isinstance(written, list) else shown(written)
            detail = f"groups must be a list of at most {MOST_GROUPS} groups, not {found}"
            self.problems.append(Problem(code="wrong_type", field="groups", detail=detail))
            return ()
        return tuple([self.cards(group, f"groups[{index}]") or () for index, group in enumerate(written)])

    def refuse(self) -> None:
        """Raise with everything that was wrong."""
        if self.problems:
            raise RuleError(self.problems)


def _count_hand(case: Mapping[str, Any]) -> Answer:
    reading = Reading(case)
    cards = reading.cards(case.get("cards"), "cards")
    if reading.problems or cards is None:
        reading.problems += hand_problems(cards, reading.options, field="cards") if cards is not None else ()
        raise RuleError(reading.problems)
    counted = count_hand(cards, reading.wild, reading.options)
    best = counted.arrangement
    return {
        "count": counted.count,
        "uncapped": best.points,
        "declarable": best.is_declarable,
        "groups": [{"kind": group.kind.value, "cards": [card.text for card in group.cards]} for group in best.groups],
        "loose": [card.text for card in best.loose],
    }


def _rule_on_show(case: Mapping[str, Any]) -> Answer:
    reading = Reading(case)
    groups = reading.groups(case.get("groups"))
    loose, hand = (
        reading.cards(written, field) if (written := case.get(field)) is not None else None
        for field in ("loose", "hand")
    )
    reading.refuse()
    laid = LaidDown(groups, loose or (), hand)
    ruling = judge_show(laid, wild=reading.wild, options=reading.options)
    return {
        "valid_show": ruling.valid_show,
        "kinds": [None if kind is None else kind.value for kind in ruling.kinds],
        "count_if_loser": ruling.count_if_loser,
        "problems": [problem.as_json() for problem in ruling.problems],
    }


def _options(given: object) -> HandOptions:
    """House options as they were sent; the defaults where none were."""
    if not given and (given is None or isinstance(given, dict)):
        return PLAIN_OPTIONS
    if not isinstance(given, dict):
        detail = f"options must be an object, not {shown(given)}"
        raise OptionsRejected([Problem(code="wrong_type", field="options", detail=detail)])
    try:
        # The type is part of the key, because 1 and true would be the same otherwise.
        return _known_options(tuple([(name, type(value), value) for name, value in given.items()]))
    except TypeError:
        return read_options(HandOptions, given)


@lru_cache(maxsize=256)
def _known_options(given: tuple[tuple[str, type, Any], ...]) -> HandOptions:
    return read_options(HandOptions, {name: value for name, _, value in given})
