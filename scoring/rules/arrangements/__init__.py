"""The cheapest arrangement of a losing hand of 13 cards, and the kinds of single groups.

Rules: docs/rules/indian.md, sections 3 (groups) and 4 (counting a loser). `arrange` is exact: no arrangement of the
hand counts less. Knows nothing of shows, drops, tables or caps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from scoring.rules.arrangements.declaring import (
    Draft,
    FullCover,
    drafts,
    hand_out,
    jokers_left,
    lead_draft,
    with_jokers,
)
from scoring.rules.arrangements.groups import SEQUENCES, Group, GroupKind, fault_of, kind_of
from scoring.rules.arrangements.holding import LONGEST_LEAD, Holding, Lead, hold, leads
from scoring.rules.arrangements.house import HAND_SIZE, HandOptions
from scoring.rules.arrangements.search import Found, Search
from scoring.rules.cards import RANK_COUNT, Card

__all__ = [
    "HAND_SIZE",
    "SEQUENCES",
    "Arrangement",
    "Group",
    "GroupKind",
    "HandOptions",
    "arrange",
    "fault_of",
    "kind_of",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrangement:
    """A hand laid out so that it counts least. `points` is before the cap: the cost of the loose cards."""

    points: int
    groups: tuple[Group, ...]
    loose: tuple[Card, ...]
    is_declarable: bool


def arrange(cards: Sequence[Card], wild: int | None, options: HandOptions) -> Arrangement:
    """Find the arrangement that counts least. No card may be held more than three times.

    Where the house counts sets, their cards are loose: they cost their points.
    """
    holding = hold(cards, wild)
    search = Search(holding, options)
    best_arrangement = search.best()
    laid = _laid(search, best_arrangement)
    full = _full_show(search, best_arrangement, laid)
    saved = best_arrangement.points if best_arrangement is not None else 0
    if options.pure_alone_protects and search.leads and search.leads[0].points > saved:
        # A lone pure sequence that saves more than any two: it counts alone only without a second one.
        saved, laid = search.leads[0].points, [lead_draft(search.leads[0])]
    elif full is not None and saved == holding.total and (options.deduct_sets or _is_free(full, wild)):
        laid = full
    groups, loose = hand_out(laid, cards, wild, options)
    return Arrangement(points=holding.total - saved, groups=groups, loose=loose, is_declarable=full is not None)


def _leads_of_shows(search: Search) -> list[Lead]:
    """The pure sequences that can lead a show: six cards too where a long one is needed, as their halves are short."""
    options = search.options
    if options.long_sequence is not True:
        return search.leads
    return leads(
        search.holding,
        has_high_ace=options.has_high_ace,
        identical_cards=options.identical_cards is True,
        longest=LONGEST_LEAD + 1,
    )


def _laid(search: Search, found: Found | None) -> list[Draft]:
    return [] if found is None else drafts(search, found)


def _is_free(laid: Sequence[Draft], wild: int | None) -> bool:
    """Whether the groups cost nothing where sets count: sets of wild cards only."""
    sets = [draft.cells[0] for draft in laid if draft.is_set]
    return all(first is not None and first % RANK_COUNT == wild for first in sets)


def _full_show(search: Search, found: Found | None, laid: list[Draft]) -> list[Draft] | None:
    """Groups that use up the whole hand, where there are such."""
    holding, options = search.holding, search.options
    if found is None:
        return None
    if found.points < holding.total:
        return None if options.deduct_sets else _full_show_with_sets(holding, options)
    spread = with_jokers(laid, jokers_left(laid, holding), options)
    if spread is not None:
        return spread
    return FullCover(holding, options).groups(_leads_of_shows(search))


def _full_show_with_sets(holding: Holding, options: HandOptions) -> list[Draft] | None:
    """Sets that count in a losing hand are still good in a show."""
    search = Search(holding, msgspec.structs.replace(options, deduct_sets=True))
    best_arrangement = search.best()
    return _full_show(search, best_arrangement, _laid(search, best_arrangement))
