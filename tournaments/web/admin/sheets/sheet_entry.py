"""What a scorer typed on a deal sheet, kept exactly as typed, and the event that it says.

A hand is a number read out, or its cards: in groups as they were laid down, or all thirteen loose. What cannot be
read is told at its seat; everything else the rules say. Knows nothing of storing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.http import QueryDict

from scoring.messages import Message, Seat, say
from scoring.problems import Problem, shown
from scoring.rules.cards import CardsRejected, cards_typed, tidy, write_cards
from scoring.rules.table.entering import WHOLE_NUMBER
from scoring.rules.table.fields import Ending
from tournaments.rendering.i18n.filters import hand_said
from tournaments.web.admin.base.typed_events import TypedEvent, clean, read_number

MOST_GROUPS = 13


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A deal sheet as it stands in the form, right or wrong."""

    kind: str
    deal: str
    hows: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    loose: Mapping[str, str] = field(default_factory=dict)
    ended: str = ""
    wild: str = ""
    dealer: str = ""
    reason: str = ""

    @property
    def is_blank(self) -> bool:
        """Nothing was said of any seat."""
        return not any(any(values.values()) for values in (self.hows, self.counts, self.groups, self.loose))

    def said(self, seat: str) -> tuple[str, str, tuple[str, ...], str]:
        """What was typed for one seat."""
        return self.hows.get(seat, ""), self.counts.get(seat, ""), self.groups.get(seat, ()), self.loose.get(seat, "")

    def how(self, seat: str, endings: Sequence[Ending]) -> str:
        """How the deal ended for a seat. A number or cards by themselves are a hand that is counted."""
        return self.hows.get(seat, "") or next(ending.how for ending in endings if ending.hand == "counted")


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEntry(TypedEvent):
    """The event that a typed sheet says. `bare` seats have an unreadable hand."""

    bare: frozenset[str]

    def is_echo(self, problem: Problem) -> bool:
        return problem.code == "missing_count" and problem.seat in self.bare


def typed_in(post: QueryDict, seats: Sequence[str]) -> Typed:
    """What came back from the form, with the arrangement that was asked for in place of the one typed."""
    groups = {seat: _groups(post.getlist(f"group-{seat}")) for seat in seats}
    loose = {seat: tidy(post.get(f"loose-{seat}", "")) for seat in seats}
    for wanted in post.getlist("arrange"):
        seat, _, cards = wanted.partition(":")
        laid, _, left = cards.partition("/")
        if seat in groups:
            groups[seat], loose[seat] = _groups(laid.split("|")), tidy(left)
    return Typed(
        kind=clean(post.get("kind", "")),
        deal=clean(post.get("deal", "")),
        hows={seat: clean(post.get(f"how-{seat}", "")) for seat in seats},
        counts={seat: clean(post.get(f"count-{seat}", "")) for seat in seats},
        groups=groups,
        loose=loose,
        ended=clean(post.get("ended", "")),
        wild=clean(post.get("wild", "")),
        dealer=clean(post.get("dealer", "")),
        reason=clean(post.get("reason", "")),
    )


def typed_from(sheet: Any, *, kind: str, deal: int) -> Typed:
    """A stored sheet as the form shows it."""
    return Typed(
        kind=kind,
        deal=str(deal),
        hows={seat: str(outcome.how) for seat, outcome in sheet.outcomes.items()},
        counts={seat: "" if outcome.count is None else str(outcome.count) for seat, outcome in sheet.outcomes.items()},
        groups={seat: outcome.groups or () for seat, outcome in sheet.outcomes.items()},
        loose={seat: outcome.loose or "" for seat, outcome in sheet.outcomes.items()},
        ended=str(sheet.ended),
        wild=sheet.wild or "",
        dealer=sheet.dealer or "",
    )


def cards_said(groups: Sequence[str], loose: str) -> str:
    """A hand as one line, however it was typed: `7H 8H 9H | KC KD KS | loose 2C`. What is no card stays as it is."""
    return hand_said([_as_written(text) for text in groups if text], _as_written(loose))


def entry_of(typed: Typed, seats: Sequence[str], endings: Sequence[Ending], before: Any = None) -> SheetEntry:
    """The event of a typed sheet. Seats left as they were in the sheet `before` keep what it knew beyond the form."""
    problems: list[Problem] = []
    filled = [seat for seat in seats if any(typed.said(seat))]
    outcomes = {seat: _outcome(seat, typed, endings, problems) for seat in filled}
    bare = frozenset(problem.seat for problem in problems if problem.seat)
    if before is not None:
        stored = typed_from(before, kind=typed.kind, deal=1)
        unchanged = [seat for seat in filled if typed.said(seat) == stored.said(seat)]
        outcomes |= {seat: msgspec.to_builtins(before.outcomes[seat]) for seat in unchanged}
    deal, not_a_number = read_number(typed.deal, "deal")
    raw: dict[str, Any] = {"kind": typed.kind, "deal": deal, "outcomes": outcomes}
    raw |= {name: value for name in ("ended", "wild", "dealer") if (value := getattr(typed, name))}
    if typed.kind == "deal_corrected":
        raw["reason"] = typed.reason
    return SheetEntry(raw=raw, unread=(*problems, *not_a_number), bare=bare)


def _outcome(seat: str, typed: Typed, endings: Sequence[Ending], problems: list[Problem]) -> dict[str, Any]:
    """One seat. Cards are kept for a hand that is counted or was shown; nobody sees them at any other ending."""
    count = typed.counts.get(seat, "")
    outcome: dict[str, Any] = {"how": typed.how(seat, endings)}
    if any(ending.hand for ending in endings if ending.how == outcome["how"]):
        outcome |= _cards(seat, typed, problems)
    if WHOLE_NUMBER.fullmatch(count):
        outcome["count"] = int(count)
    elif count:
        detail = say("{seat}: {typed} is not a whole number", seat=Seat(seat), typed=shown(count))
        problems.append(Problem(code="not_a_number", seat=seat, field="count", detail=detail))
    return outcome


def _cards(seat: str, typed: Typed, problems: list[Problem]) -> dict[str, Any]:
    """The cards of a seat as they are always written; a field that holds something else is told."""
    written: dict[str, Any] = {}
    groups = [
        _read(seat, text, say("group {number}", number=number), problems)
        for number, text in enumerate(typed.groups.get(seat, ()), start=1)
        if text
    ]
    loose = typed.loose.get(seat, "")
    if groups:
        written["groups"] = groups
    if loose:
        written["loose"] = _read(seat, loose, say("the loose cards"), problems)
    return {} if any(problem.seat == seat for problem in problems) else written


def _read(seat: str, text: str, name: Message, problems: list[Problem]) -> str:
    try:
        return write_cards(cards_typed(text, name))
    except CardsRejected as refused:
        problems += [
            Problem(
                code=found.code,
                seat=seat,
                field="groups",
                detail=say("{seat}: {why}", seat=Seat(seat), why=found.message),
            )
            for found in refused.problems
        ]
        return ""


def _as_written(text: str) -> str:
    try:
        return write_cards(cards_typed(text, say("the cards")))
    except CardsRejected:
        return text


def _groups(texts: Sequence[str]) -> tuple[str, ...]:
    """Group fields in their places; empty ones behind the last that is filled are none."""
    tidied = [tidy(text) for text in texts[:MOST_GROUPS]]
    while tidied and not tidied[-1]:
        tidied.pop()
    return tuple(tidied)
