"""What a sheet says of a seat, and a whole deal as it is read out, in the language of the page."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from scoring.facts.wire import DealFact
from scoring.rules.table.fields import SeatMark
from scoring.sheets.telling import fact_title, isolated, named
from tournaments.rendering.i18n.places import number
from tournaments.rendering.i18n.translating import told


def mark_said(mark: SeatMark) -> str:
    """A mark in words, with its number, or with the cards that stand for it."""
    if mark.count is not None:
        return f"{told(mark.title)} {number(mark.count)}"
    return " ".join(filter(None, (told(mark.title), hand_said(mark.groups, mark.loose))))


def hand_said(groups: Sequence[str], loose: str) -> str:
    """Cards as they were written down: groups, and what lay loose."""
    return " | ".join([*groups, *([gettext("loose {cards}").format(cards=loose)] if loose else [])])


def deal_said(deal: DealFact[Any], names: Mapping[str, str]) -> str:
    """A deal as one line: its title, each seat with its mark, and what is remarked of it."""
    marks = (f"{isolated(names.get(seat, seat))} {mark_said(mark)}" for seat, mark in deal.sheet.marks().items())
    remarks = (named(told(remark), names) for remark in deal.sheet.remarks())
    return f"{told(fact_title(deal))}: {', '.join([*marks, *remarks])}"
