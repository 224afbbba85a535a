"""Deals that wait for somebody else's word, and deals that are disputed: who may say what, with the buttons for it.

Rules: docs/evening.md, "Confirmation". The words themselves are acts with pages of their own.
"""

from typing import Any

from django.utils.translation import gettext, gettext_noop

from scoring.rules.table.timeline import DealCheck
from tournaments import log
from tournaments.tables.commands.confirming import is_official
from tournaments.tables.queries.desk import written_since
from tournaments.web.admin.base.request import Visit
from tournaments.web.admin.tables.acts import CONFIRM, CORRECT, DISPUTE, SETTLE_DISPUTE, VOID

WHO_CONFIRMS = {
    "at_once": "",
    "second_seat": gettext_noop("Another seat of the table, or an official, reads the deal and confirms it."),
    "second_official": gettext_noop("A second official, signed in, reads the deal and confirms it."),
}
BUTTONS = {
    "at_once": "",
    "second_seat": gettext_noop("Second seat: confirm deal {deal}"),
    "second_official": gettext_noop("Second official: confirm deal {deal}"),
}


def words_context(visit: Visit) -> dict[str, Any]:
    """Every deal that waits for a word or for the director; no query where none does."""
    table = visit.seen.table
    return {
        "waiting": _waiting(visit),
        "disputes": _disputes(visit) if table.disputed else [],
        "who_confirms": _who_confirms(table.setup.confirmation),
    }


def _who_confirms(confirmation: str) -> str:
    said = WHO_CONFIRMS[confirmation]
    return gettext(said) if said else ""


def _waiting(visit: Visit) -> list[dict[str, Any]]:
    """Deals that count but wait for a word. Whoever wrote one down is told that it is not theirs to confirm."""
    table = visit.seen.table
    entries = {deal: table.deal_entry(deal) for deal in table.unconfirmed if deal not in table.disputed}
    versions = {deal: entry.corrected_at or entry.version for deal, entry in entries.items() if entry is not None}
    writers = log.actors_of(visit.seen.row.pk, list(versions.values()))
    may_speak = visit.may_record(CONFIRM.kind)
    is_wanted = table.setup.confirmation != "second_official" or is_official(visit.actor.name)
    return [
        {
            "deal": deal,
            "what": visit.seen.said(entry.fact),
            "is_own": writers.get(versions[deal]) == visit.actor.name,
            "may_confirm": may_speak and is_wanted and writers.get(versions[deal]) != visit.actor.name,
            "button": gettext(BUTTONS[table.setup.confirmation]).format(deal=deal),
            "confirm_url": visit.url(CONFIRM.page, deal),
            "dispute_url": visit.url(DISPUTE.page, deal) if visit.may_record(DISPUTE.kind) else "",
            "envelope": visit.fresh_envelope(),
        }
        for deal, entry in entries.items()
        if entry is not None
    ]


def _disputes(visit: Visit) -> list[dict[str, Any]]:
    """Deals that are locked, with who disputes them and why, and what a director may do about it."""
    table = visit.seen.table
    at = {deal: table.checks.get(str(deal), DealCheck()).disputed_at for deal in table.disputed}
    said = {line.event.version: line for line in written_since(visit.seen, min(at.values()) - 1)}
    return [
        {"deal": deal, "line": said.get(version), "what": _what(visit, deal), "links": _links(visit, deal)}
        for deal, version in at.items()
    ]


def _what(visit: Visit, deal: int) -> str:
    entry = visit.seen.table.deal_entry(deal)
    return visit.seen.said(entry.fact) if entry is not None else ""


def _links(visit: Visit, deal: int) -> list[dict[str, str]]:
    titles = {
        CORRECT: gettext("Correct deal {deal}").format(deal=deal),
        VOID: gettext("Void deal {deal}").format(deal=deal),
        SETTLE_DISPUTE: gettext("Settle: it counts as it is"),
    }
    return [
        {"title": title, "url": visit.url(act.page, deal)}
        for act, title in titles.items()
        if visit.may_record(act.kind)
    ]
