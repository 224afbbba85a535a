"""A score sheet as it is printed: one row a fact, one cell a seat, with what happened in between said in words."""

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, cast

from django.utils.translation import gettext, ngettext, pgettext

from scoring.messages import Message
from scoring.money.formatting import Notation, money
from scoring.money.reasons import reasons
from scoring.options import Options, describe_options
from scoring.rules.table.dealing import announce
from scoring.rules.table.table import Status, Table
from scoring.rules.table.variant import AnyVariant, PanelCell
from scoring.sheets.scoresheet import Cell, SheetLine
from scoring.sheets.telling import isolated_names
from tournaments.rendering.i18n.formatting import page_language
from tournaments.rendering.i18n.translating import option_text, option_title, translate
from tournaments.tables.queries.sheets import SheetPage
from tournaments.web.public.base.answers import Context
from tournaments.web.public.base.words import (
    ending_text,
    how_short,
    line_title,
    listed,
    number_text,
    plain,
    signed,
    started,
)
from tournaments.web.public.boards.plan_words import cost_lines

MOST_OPTIONS = 64
# What these notes tell stands in the cells already, or in the remarks of the sheet.
PLAIN_NOTES = frozenset({"net", "chips", "score", "won", "box", "dead"})


def money_shown(page: SheetPage) -> Context | None:
    """Who gets what at a table that has a result, and the arithmetic; none where nothing was played for."""
    payouts = page.table.payouts() if page.table.is_finished else ()
    told = announce(page.table)
    if not any(any(payout.charges.values()) or any(payout.awards.values()) for payout in payouts):
        return None
    notation = _notation(page)
    seats = [s for s in page.names if any(s in p.charges or s in p.awards for p in payouts)]
    return {
        "payments": tuple(
            {
                "name": page.names[seat],
                "paid_in": _amount(sum(payout.charges.get(seat, 0) for payout in payouts), notation),
                "received": _amount(sum(payout.awards.get(seat, 0) for payout in payouts), notation),
            }
            for seat in seats
        ),
        "fee": money(told.fee_minor, *notation) if told.fee_minor else "",
        "because": tuple(translate(line, isolated_names(page.names)) for line in reasons(told.because, *notation)),
    }


def options_shown(page: SheetPage) -> tuple[Context, ...]:
    """Every house option of the table in the words of players; those that are only for play change no number."""
    # A game is an object of its own, which the protocol of games does not say.
    rules = cast("Hashable", page.table.rules)
    return _option_lines(rules, page.table.setup.options, _notation(page), page_language())


@lru_cache(MOST_OPTIONS)
def _option_lines(rules: AnyVariant, options: Options, notation: Notation, _: str) -> tuple[Context, ...]:
    """The same in the language that is spoken, which it is remembered by: the tables of a round have the same rules."""
    return tuple(
        {
            "text": option_title(rules, option),
            "value": option_text(rules, option["name"], options, notation),
            "is_for_play": option.get("plays_only", False),
        }
        for option in describe_options(rules.options_type)
    )


def stakes_shown(page: SheetPage) -> tuple[Context, ...]:
    """What the table is played for."""
    stakes = page.table.setup.stakes
    costs = cost_lines(stakes, page.table.rules.race, stakes, _notation(page))
    return tuple({"text": text, "value": value} for text, value in costs)


def panels_shown(page: SheetPage) -> tuple[Context, ...]:
    """What else there is to say of the standings, with the players' names."""
    table = page.table
    return tuple(
        {
            "title": translate(panel.title),
            "heading": tuple(map(translate, panel.heading)),
            "rows": tuple(tuple(_panel_cell(cell, page.names) for cell in row) for row in panel.rows),
        }
        for panel in table.rules.panels(table.setup, table.game)
    )


def _panel_cell(cell: PanelCell, names: Mapping[str, str]) -> str:
    """A cell in the reader's language; partners are named as other names in a sentence are."""
    match cell:
        case Message():
            return translate(cell)
        case tuple():
            return listed([names[seat.label] for seat in cell])
    return cell


def result_text(page: SheetPage) -> str:
    """Who has won, in one sentence; empty while the table is in play."""
    names = [page.names[seat] for seat in page.table.winners()]
    if not names:
        return ""
    return ngettext("{names} wins", "{names} share the win", len(names)).format(names=listed(names))


def score_rows(page: SheetPage) -> Iterator[Context]:
    """The whole sheet from top to bottom, a row for each fact.

    `before` is the version that shows it as it stood before a correction, `word` what somebody else has said of the
    deal, or still has to say.
    """
    rules = page.table.rules
    name, is_signed = rules.race, not rules.low_is_good(page.table.setup)
    values = {series.seat: series.values for series in page.race}
    step = 0
    for line in page.lines:
        step += 0 if line.is_void else 1
        changes = {s: 0 if line.is_void else run[step] - run[step - 1] for s, run in values.items()}
        yield {
            "title": line_title(line.kind, line.deal),
            "mark": gettext("cancelled") if line.is_void else gettext("corrected") if line.corrected_at else "",
            "word": _word(page.table, line),
            "before": line.corrected_at - 1 if line.corrected_at else None,
            "is_void": line.is_void,
            "is_deal": line.deal is not None,
            "cells": tuple(_cell(line, line.cells[s], _Moved(changes[s], name, is_signed)) for s in page.names),
            "notes": tuple(_notes(line, page)),
        }


def _word(table: Table, line: SheetLine) -> str:
    if line.kind != "deal_recorded" or line.is_void or table.status is Status.CANCELLED:
        return ""
    if line.deal in table.disputed:
        return gettext("disputed")
    return gettext("unconfirmed") if line.deal in table.unconfirmed else ""


def _notes(line: SheetLine, page: SheetPage) -> Iterator[str]:
    """What the sheet says of the deal, and what followed from it."""
    for remark in line.remarks:
        yield started(translate(remark, isolated_names(page.names)))
    for note in line.notes:
        if note.code not in PLAIN_NOTES:
            yield translate(note.text, isolated_names(page.names))


class _Moved(NamedTuple):
    """How a seat's running number moved, which number that is, and whether changes carry a sign."""

    change: int
    name: str
    is_signed: bool


def _cell(line: SheetLine, cell: Cell, moved: _Moved) -> Context:
    """What happened to one seat, `said` for those who listen and `short` for those who look, and where it stands."""
    if line.is_void:
        return {"short": how_short(cell), "said": ending_text(cell), "tone": "void"}
    if not cell.how and not moved.change:
        # An act between deals is told where it happened; after a deal, everybody's standing is.
        is_gone = line.deal is not None and cell.is_out
        return {"said": pgettext("eliminated", "out"), "running": "–"} if is_gone else {}
    return {
        "short": how_short(cell, moved.change),
        "said": ending_text(cell, moved.change),
        "change": signed(moved.change) if moved.is_signed else plain(moved.change),
        "running": number_text(moved.name, getattr(cell, moved.name)),
        "tone": _tone(cell),
    }


def _tone(cell: Cell) -> str:
    if cell.went_out:
        return "went-out"
    if cell.mark is not None and cell.mark.is_win:
        return "won"
    return "back" if cell.how == "rejoined" else ""


def _notation(page: SheetPage) -> Notation:
    """The table's money, written as the club writes it."""
    return Notation(page.table.setup.stakes.currency, page.row.tournament.club.locale)


def _amount(amount_minor: int, notation: Notation) -> str:
    return money(amount_minor, *notation) if amount_minor else "–"
