"""Reading a table: its score sheet deal by deal, and its history with who, when, what and why."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext

from scoring.facts import wire
from scoring.rules.table.table import Status, Table, places
from scoring.rules.table.written_hands import HandShown
from scoring.sheets.scoresheet import Cell, SheetLine, hands_shown, sheet_lines
from scoring.sheets.telling import KIND_TITLES, fact_title, named
from tournaments.log.evidence.fingerprints import table_fingerprint
from tournaments.people.permissions import Deed
from tournaments.rendering.i18n.filters import mark_said
from tournaments.rendering.i18n.formatting import in_sentence
from tournaments.rendering.i18n.translating import told
from tournaments.tables.queries.sheets import HistoryLine, history
from tournaments.web.admin.base.request import Visit
from tournaments.web.admin.tables.acts import CORRECT, DISPUTE, VOID, WITHDRAW, context
from tournaments.web.admin.tables.deal_pages import words_context


def sheet(visit: Visit) -> HttpResponse:
    """The sheet as it counts, each line with what may be done to it."""
    table = visit.seen.table
    lines = [_sheet_line(visit, line) for line in sheet_lines(table)]
    views, hands = table.seats(), hands_shown(table)
    return visit.page(
        "sheet.html",
        {
            **context(visit),
            **words_context(visit),
            "lines": lines,
            "deal_hands": [_deal_hands(visit, line, hands) for line in lines if line["line"].version in hands],
            "place_of": places(views),
            "can_correct": visit.may(Deed.CORRECT),
            "desk_links": _desk_links(visit) if lines else [],
            "race": table.rules.race,
            "finish_line": table.rules.finish_line(table.setup),
        },
    )


def history_page(visit: Visit) -> HttpResponse:
    """The log of the table, newest first, with a fingerprint that stands for all of it."""
    lines = [_history_line(visit, line) for line in reversed(history(visit.seen.row.id))]
    fingerprint = table_fingerprint(visit.seen.row.id, visit.seen.table.version)
    return visit.page("log.html", {"lines": lines, "fingerprint": fingerprint})


def _desk_links(visit: Visit) -> list[tuple[str, str]]:
    """What an official may do with the sheet as a whole."""
    pages = (("keying", gettext("Double-entry check")), ("exchange", gettext("Swap two players")))
    is_offered = visit.may(Deed.DIRECT) and not visit.seen.table.unreadable
    return [(title, visit.url(page)) for page, title in pages] if is_offered else []


def _sheet_line(visit: Visit, line: SheetLine) -> dict[str, Any]:
    table, names = visit.seen.table, visit.seen.names
    race = table.rules.race
    cells = [
        {
            "cell": line.cells[seat],
            "title": _title(line.cells[seat]),
            "number": getattr(line.cells[seat], race),
        }
        for seat in table.setup.seats
    ]
    is_deal = line.kind == "deal_recorded"
    return {
        "line": line,
        "word": _word(table, line.deal) if is_deal and not line.is_void else "",
        "title": gettext("Deal {deal}").format(deal=line.deal)
        if is_deal
        else told(KIND_TITLES.get(line.kind, line.kind)),
        "cells": cells,
        "links": [{"title": title, "url": url} for title, url in _line_links(visit, line)],
        "notes": [named(note.text, names, note.seat) for note in line.notes if note.code not in ("net", "chips")],
    }


def _line_links(visit: Visit, line: SheetLine) -> Iterator[tuple[str, str]]:
    """What may be done to one line by whoever looks at it; nothing before a fact that cannot be read is left out."""
    if visit.seen.table.unreadable:
        return
    if line.kind != "deal_recorded":
        if visit.may_record(WITHDRAW.kind):
            yield gettext("Undo"), visit.url(WITHDRAW.page, line.version)
        return
    if visit.may_record(CORRECT.kind):
        yield gettext("Restore deal") if line.is_void else gettext("Correct"), visit.url(CORRECT.page, line.deal)
    if not line.is_void and visit.may_record(VOID.kind):
        yield gettext("Cancel deal"), visit.url(VOID.page, line.deal)
    is_open = visit.seen.table.status is Status.OPEN and line.deal not in visit.seen.table.disputed
    if not line.is_void and is_open and visit.may_record(DISPUTE.kind):
        yield gettext("Dispute"), visit.url(DISPUTE.page, line.deal)


def _word(table: Table, deal: int | None) -> str:
    """What somebody else has said of a deal, or still has to say."""
    return "disputed" if deal in table.disputed else "unconfirmed" if deal in table.unconfirmed else ""


def _deal_hands(visit: Visit, line: dict[str, Any], hands: Mapping[int, tuple[HandShown, ...]]) -> dict[str, Any]:
    """The hands of one deal that were written down as cards."""
    version = line["line"].version
    shown = [(visit.seen.names.get(hand.seat, hand.seat), hand) for hand in hands[version]]
    return {"title_in_sentence": in_sentence(line["title"]), "version": version, "hands": shown}


def _title(cell: Cell) -> str:
    """What a seat's cell is: what the sheet says of it, or the act that was the seat's."""
    return told(cell.mark.title if cell.mark else KIND_TITLES.get(cell.how, ""))


def _history_line(visit: Visit, line: HistoryLine) -> dict[str, Any]:
    """One fact with its old values where it took the place of others."""
    return {
        "line": line,
        "title": fact_title(line.fact),
        "said": visit.seen.said(line.fact),
        "seats": _seats_said(visit, line),
        "reason_is_erased": line.reason is None,
    }


def _seats_said(visit: Visit, line: HistoryLine) -> list[dict[str, Any]]:
    """A deal seat by seat; what a correction changed carries its old value."""
    if isinstance(line.fact, wire.DealVoided) and isinstance(line.replaced, wire.DealFact):
        return [_seat(visit, seat, old=mark_said(mark)) for seat, mark in line.replaced.sheet.marks().items()]
    if not isinstance(line.fact, wire.DealFact):
        return []
    before = line.replaced
    written = before.sheet.marks() if isinstance(before, wire.DealFact) else {}
    old = {seat: mark_said(mark) for seat, mark in written.items()}
    new = {seat: mark_said(mark) for seat, mark in line.fact.sheet.marks().items()}
    changed = {seat: said for seat, said in old.items() if said != new.get(seat)}
    return [_seat(visit, seat, old=changed.get(seat, ""), new=new.get(seat, "")) for seat in (new | old)]


def _seat(visit: Visit, seat: str, *, old: str = "", new: str = "") -> dict[str, Any]:
    return {"name": visit.seen.names.get(seat, seat), "old": old, "new": new}
