"""Formats a score sheet: one row per event, one cell per seat, with actions between deals described in words."""

from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, cast

from django.utils.translation import gettext, pgettext

from scoring.events.wire import TotalsRecorded
from scoring.messages import Message
from scoring.money.formatting import Notation, money
from scoring.money.reasons import reasons
from scoring.options import Options, describe_options
from scoring.rules.table.dealing import announce
from scoring.rules.table.table import Status, Table
from scoring.rules.table.variant import AnyVariant, PanelCell
from scoring.sheets.event_messages import isolated_names
from scoring.sheets.scoresheet import Cell, SheetLine
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
# Notes whose content is already in the cells, or in the remarks of the sheet.
PLAIN_NOTES = frozenset({"net", "chips", "score", "won", "box", "dead"})


def money_shown(page: SheetPage) -> Context | None:
    """Describe the payouts of a table that has a result, and the arithmetic; None where there was no money."""
    payouts = page.table.payouts() if page.table.is_finished else ()
    result = announce(page.table)
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
        "fee": money(result.fee_minor, *notation) if result.fee_minor else "",
        "because": tuple(translate(line, isolated_names(page.names)) for line in reasons(result.because, *notation)),
    }


def options_shown(page: SheetPage) -> tuple[Context, ...]:
    """List every house option of the table in the words of players; those that only affect play change no number."""
    # A game is a hashable object, which the protocol of games does not say.
    rules = cast("Hashable", page.table.rules)
    return _option_lines(rules, page.table.setup.options, _notation(page), page_language())


@lru_cache(MOST_OPTIONS)
def _option_lines(rules: AnyVariant, options: Options, notation: Notation, _: str) -> tuple[Context, ...]:
    """Return the same in the active language, a part of the cache key: the tables of a round share their rules."""
    return tuple(
        {
            "text": option_title(rules, option),
            "value": option_text(rules, option["name"], options, notation),
            "is_for_play": option.get("plays_only", False),
        }
        for option in describe_options(rules.options_type)
    )


def stakes_shown(page: SheetPage) -> tuple[Context, ...]:
    """Describe the stakes of the table."""
    stakes = page.table.setup.stakes
    costs = cost_lines(stakes, page.table.rules.race, stakes, _notation(page))
    return tuple({"text": text, "value": value} for text, value in costs)


def panels_shown(page: SheetPage) -> tuple[Context, ...]:
    """Return the game's further panels about the standings, with the players' names."""
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
    """Format a cell in the reader's language; partners are joined like other names in a sentence."""
    match cell:
        case Message():
            return translate(cell)
        case tuple():
            return listed([names[seat.label] for seat in cell])
    return cell


def score_rows(page: SheetPage) -> Iterator[Context]:
    """Return the whole sheet from top to bottom, a row for each event.

    `before` is the version that shows the sheet before a correction, `word` the confirmation or dispute of the deal, or
    that it is still missing.
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
    """Return the sheet's remarks about the deal, and its consequences."""
    for remark in line.remarks:
        yield started(translate(remark, isolated_names(page.names)))
    for note in line.notes:
        if note.code not in PLAIN_NOTES:
            yield translate(note.text, isolated_names(page.names))


class _Moved(NamedTuple):
    """How a seat's running number changed, which number that is, and whether changes carry a sign."""

    change: int
    name: str
    is_signed: bool


def _cell(line: SheetLine, cell: Cell, moved: _Moved) -> Context:
    """Describe what happened to one seat, `ending` for screen readers and `short` for the page, and its total."""
    if line.is_void:
        return {"short": how_short(cell), "ending": ending_text(cell), "tone": "void"}
    if not cell.how and not moved.change and line.kind != TotalsRecorded.kind:
        # An action between deals is shown at its seat only; after a deal, the totals of all seats are.
        is_gone = line.deal is not None and cell.is_out
        return {"ending": pgettext("eliminated", "out"), "running": "–"} if is_gone else {}
    return {
        "short": how_short(cell, moved.change),
        "ending": ending_text(cell, moved.change),
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
    """Return how the club writes the table's amounts."""
    return Notation(page.table.setup.stakes.currency, page.row.tournament.club.locale)


def _amount(amount_minor: int, notation: Notation) -> str:
    return money(amount_minor, *notation) if amount_minor else "–"
